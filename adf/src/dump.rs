//! A description as text, a line for each object and statement, for tests and for readers. Takes
//! the description and the sources of its spans.

use std::fmt::{Debug, Write};

use aiec_diag::{Sources, Span};

use crate::description::{
    Description, EndType, ExternalKind, Kernel, Owner, Place, Port, PortIndex, PortType, Site, Subject,
};

impl Description {
    /// The text. Places are `file:line:column`.
    pub fn dump(&self, sources: &Sources) -> String {
        Dump { of: self, sources, text: String::new() }.all()
    }
}

struct Dump<'d> {
    of: &'d Description,
    sources: &'d Sources,
    text: String,
}

/// The text of a value that may be missing.
fn or_dash<T: ToString>(value: Option<&T>) -> String {
    value.map_or_else(|| "-".to_owned(), T::to_string)
}

impl Dump<'_> {
    fn all(mut self) -> String {
        self.graphs();
        self.of.kernels.iter().for_each(|kernel| self.kernel(kernel));
        self.externals();
        self.switches();
        self.ports();
        self.connections();
        self.constraints();
        self.text
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn span(&self, span: Span) -> String {
        let name = self.sources.get(span.source).map_or("?", |file| file.name.as_str());
        let (line, column) = self.sources.position(span).unwrap_or_default();
        format!("{name}:{line}:{column}")
    }

    fn site(&self, site: Option<&Site>) -> String {
        let Some(site) = site else { return " at -".to_owned() };
        let mut text = format!(" at {}", self.span(site.span));
        for call in &site.calls {
            let from = call.span.map_or_else(|| "-".to_owned(), |span| self.span(span));
            let _ = write!(text, " < {} from {from}", call.function);
        }
        text
    }

    fn graphs(&mut self) {
        for graph in &self.of.graphs {
            let (path, site) = (or_dash(graph.path.as_ref()), self.site(graph.site.as_ref()));
            self.line(&format!("graph {path}: {}{site}", graph.class));
        }
    }

    fn graph(&self, index: usize) -> String {
        let graph = self.of.graphs.get(index);
        graph.map_or_else(
            || "-".to_owned(),
            |graph| graph.path.clone().unwrap_or_else(|| format!("graph {index}")),
        )
    }

    fn kernel(&mut self, kernel: &Kernel) {
        let mut text = format!("kernel {}: ", or_dash(kernel.path.as_ref()));
        text += if kernel.is_class { "class " } else { "" };
        text += &kernel.function;
        if !kernel.template.is_empty() {
            let _ = write!(text, "<{}>", kernel.template.join(", "));
        }
        if let Some(arguments) = &kernel.arguments {
            let _ = write!(text, "({})", arguments.join(", "));
        }
        let graph = kernel.graph.map_or_else(|| "-".to_owned(), |graph| self.graph(graph.0 as usize));
        let _ = write!(text, " in {graph}, source \"{}\"", kernel.source);
        for header in &kernel.headers {
            let _ = write!(text, ", header \"{header}\"");
        }
        self.property(&mut text, "init", kernel.init.as_ref(), None);
        self.property(&mut text, "runtime", kernel.runtime.as_ref(), kernel.sites.runtime.as_ref());
        self.property(&mut text, "stack", kernel.stack.as_ref(), kernel.sites.stack.as_ref());
        self.property(&mut text, "heap", kernel.heap.as_ref(), kernel.sites.heap.as_ref());
        self.property(
            &mut text,
            "repetitions",
            kernel.repetitions.as_ref(),
            kernel.sites.repetitions.as_ref(),
        );
        text += &self.site(kernel.site.as_ref());
        self.line(&text);
    }

    /// A property that was stated, and the line that states it.
    fn property<T: ToString>(&self, text: &mut String, name: &str, value: Option<&T>, site: Option<&Site>) {
        if let Some(value) = value {
            let place = site.map_or_else(String::new, |site| format!(" ({})", self.span(site.span)));
            let _ = write!(text, ", {name} {}{place}", value.to_string());
        }
    }

    fn externals(&mut self) {
        for external in &self.of.externals {
            let kind = match &external.kind {
                ExternalKind::Plio { bits, file, megahertz } => {
                    format!("plio {bits} \"{file}\" {} MHz", or_dash(megahertz.as_ref()))
                }
                ExternalKind::Gmio { burst, bandwidth } => {
                    format!("gmio burst {burst} bandwidth {bandwidth}")
                }
            };
            let (path, site) = (or_dash(external.path.as_ref()), self.site(external.site.as_ref()));
            self.line(&format!("{} {path}: \"{}\" {kind}{site}", external.direction, external.logical));
        }
    }

    fn switches(&mut self) {
        for switch in &self.of.switches {
            let site = self.site(switch.site.as_ref());
            self.line(&format!("switch {:?} of {}{site}", switch.kind, switch.branches.len()));
        }
    }

    fn owner(&self, owner: Owner) -> String {
        let path = |path: Option<&String>, kind: &str, index: u32| {
            path.cloned().unwrap_or_else(|| format!("{kind} {index}"))
        };
        match owner {
            Owner::Kernel(index) => {
                path(self.of.kernels.get(index.0 as usize).and_then(|k| k.path.as_ref()), "kernel", index.0)
            }
            Owner::External(index) => path(
                self.of.externals.get(index.0 as usize).and_then(|e| e.path.as_ref()),
                "external",
                index.0,
            ),
            Owner::Switch(index) => format!("switch {}", index.0),
            Owner::Graph => "graph".to_owned(),
        }
    }

    fn name(&self, port: &Port) -> String {
        let way = if port.is_inout { "inout".to_owned() } else { port.direction.to_string() };
        match (&port.path, port.owner) {
            (Some(path), _) => path.clone(),
            (None, owner) => format!("{}.{way}[{}]", self.owner(owner), port.index),
        }
    }

    fn port(&self, index: PortIndex) -> String {
        self.of.ports.get(index.0 as usize).map_or_else(|| "-".to_owned(), |port| self.name(port))
    }

    fn ports(&mut self) {
        for port in &self.of.ports {
            let mut text = format!("port {}: {}", self.name(port), carried(&port.carries));
            let flags = [
                (port.is_async, "async"),
                (port.is_sync, "sync"),
                (port.is_single, "single"),
                (port.is_control, "control"),
                (port.is_patterned, "patterned"),
            ];
            flags.iter().filter(|(is_set, _)| *is_set).for_each(|(_, name)| text += &format!(", {name}"));
            self.property(&mut text, "async repetitions", port.async_repetitions.as_ref(), None);
            port.sites.iter().for_each(|site| text += &format!(" ({})", self.span(site.span)));
            if !matches!(port.carries, PortType::Open) || !port.sites.is_empty() {
                self.line(&text);
            }
        }
    }

    fn connections(&mut self) {
        for connection in &self.of.connections {
            let mut text = format!("connect {} -> {}", self.port(connection.from), self.port(connection.to));
            if (connection.left, connection.right) != (EndType::Open, EndType::Open) {
                let _ = write!(text, ": {:?} -> {:?}", connection.left, connection.right);
            }
            self.property(&mut text, "fifo", connection.fifo.as_ref(), connection.fifo_site.as_ref());
            text += &self.site(connection.site.as_ref());
            self.line(&text);
        }
    }

    fn subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Kernel(index) => format!("kernel {}", self.owner(Owner::Kernel(index))),
            Subject::Stack(index) => format!("stack {}", self.owner(Owner::Kernel(index))),
            Subject::Table(index, number) => {
                let number = number.map_or_else(String::new, |number| format!(".param[{number}]"));
                format!("table {}{number}", self.owner(Owner::Kernel(index)))
            }
            Subject::Port(index) => format!("buffer {}", self.port(index)),
            Subject::External(index) => self.owner(Owner::External(index)),
            Subject::Fifo(index) => format!("fifo of connection {}", index.0),
            Subject::Graph(index) => format!("graph {}", self.graph(index.0 as usize)),
            Subject::Other => "other".to_owned(),
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Relative { to, columns, rows } => {
                format!("{} + ({}, {})", self.subject(*to), or_dash(columns.as_ref()), or_dash(rows.as_ref()))
            }
            other => plain(other),
        }
    }

    fn constraints(&mut self) {
        for location in &self.of.locations {
            let places: Vec<String> = location.places.iter().map(|place| self.place(place)).collect();
            let (subject, site) = (self.subject(location.subject), self.site(location.site.as_ref()));
            self.line(&format!("location {subject} = {}{site}", places.join(", ")));
        }
        for pair in &self.of.not_equal {
            let (a, b, site) = (self.subject(pair.a), self.subject(pair.b), self.site(pair.site.as_ref()));
            self.line(&format!("not equal {a}, {b}{site}"));
        }
        for rules in &self.of.rules {
            let of: Vec<String> = rules.of.iter().map(|&of| self.subject(of)).collect();
            for (_, rule) in rules.all().into_iter().filter(|(is_set, _)| *is_set) {
                self.line(&format!("{rule} the area of {}", of.join(", ")));
            }
        }
    }
}

/// The text of plain data.
fn plain(value: &impl Debug) -> String {
    format!("{value:?}")
}

fn carried(carries: &PortType) -> String {
    match carries {
        PortType::Open => "open".to_owned(),
        PortType::Block { element, bytes, margin, is_buffer } => {
            let kind = if *is_buffer { "buffer" } else { "window" };
            let (element, bytes) = (or_dash(element.as_ref()), or_dash(bytes.as_ref()));
            format!("{kind} of {element}, {bytes} bytes, margin {margin}")
        }
        PortType::Stream { element } => format!("stream of {}", or_dash(element.as_ref())),
        PortType::Packets { element } => format!("packets of {}", or_dash(element.as_ref())),
        PortType::Cascade { lanes } => format!("cascade of {}", or_dash(lanes.as_ref())),
        PortType::Parameter { element, elements, initial } => {
            let count = elements.map_or_else(String::new, |count| format!("[{count}]"));
            let initial = initial.as_ref().map_or_else(String::new, |bytes| format!(", initially {bytes:?}"));
            format!("parameter {}{count}{initial}", or_dash(element.as_ref()))
        }
    }
}
