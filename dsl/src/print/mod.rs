//! The canonical form of a design: the formatter.
//!
//! Takes a tree and its source text, returns the design in one fixed layout. The formatter keeps
//! every comment (one inside a line moves in front of it), one blank line where there were some,
//! and the spelling of numbers. Formatting twice changes nothing. The output parses to the same
//! tree.

mod collectives;
mod pieces;

use pieces::{called, member, quoted};

use aiec_diag::{SourceFile, Span, Spanned};

use crate::ast::{
    Allow, Area, Argument, Assertion, At, Choice, Component, Connect, ConnectEnd, ConnectProperty, Constant,
    Distance, Endpoint, Expr, External, ExternalProperty, Fifo, FifoAt, FifoPlace, Flow, For, Instantiation,
    Item, ItemKind, Kernel, KernelProperty, Pair, Port, PortType, Shim, Size, Spot, Switch, Within,
};
use crate::ast::{Place, Program, Reference};
use crate::scan::{Scan, Token, scan};

/// Longest line that is not broken, in characters.
const WIDTH: usize = 100;

/// The canonical text of `program`, which was read from `file`.
///
/// A tree that was read from elsewhere is printed as well, but without comments.
pub fn print(file: &SourceFile, program: &Program) -> String {
    let mut printer = Printer::new(&file.text, scan(file).unwrap_or_default());
    printer.items(&program.items);
    printer.comments_until(file.text.len());
    printer.out
}

/// The canonical text of an end of a connection, with its numbers in decimal.
pub fn print_end(end: &ConnectEnd) -> String {
    Printer::of_pieces().connect_end(end)
}

/// The canonical text of a reference, with its numbers in decimal.
pub fn print_reference(reference: &Reference) -> String {
    Printer::of_pieces().reference(reference)
}

/// The text written so far, and how far the source has been used up.
struct Printer<'a> {
    /// The source.
    text: &'a str,
    /// Its tokens and comments.
    scan: Scan,
    /// The next comment to write.
    comment: usize,
    /// The result.
    out: String,
    /// Depth of blocks.
    indent: usize,
    /// End in the source of the last item written. None when the text or a block starts here.
    last: Option<usize>,
}

impl<'a> Printer<'a> {
    const fn new(text: &'a str, scan: Scan) -> Self {
        Self { text, scan, comment: 0, out: String::new(), indent: 0, last: None }
    }
}

impl Printer<'_> {
    /// A printer without a source, for parts of statements.
    fn of_pieces() -> Self {
        Self::new("", Scan::default())
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Component(component) => self.component(component, item.span),
                ItemKind::Kernel(kernel) => self.kernel(kernel, item.span),
                ItemKind::Collective(collective) => self.collective(collective, item.span),
                ItemKind::For(body) => self.for_loop(body, item.span),
                ItemKind::If(choice) => self.choice(choice, item.span, Self::items),
                ItemKind::Const { name, value: Constant::Table(numbers) }
                    if self.has_comment((self.find("[", name.span.end as usize), item.span.end as usize)) =>
                {
                    self.table(name, numbers, item.span);
                }
                kind => {
                    let line = self.one_line(kind);
                    self.line(item.span, &line);
                }
            }
        }
    }

    /// The text of an item without a block.
    fn one_line(&self, kind: &ItemKind) -> String {
        match kind {
            ItemKind::Design(name) => format!("design {}", name.value),
            ItemKind::Device(name) => format!("device {}", name.value),
            ItemKind::Vitis(release) => format!("vitis \"{}\"", release.value),
            ItemKind::Board(name) => format!("board {}", name.value),
            ItemKind::Iterations(count) => format!("iterations {}", self.expr(count)),
            ItemKind::Ports(kind, None) => format!("ports {}", kind.value),
            ItemKind::Ports(kind, Some(object)) => format!("ports {} \"{}\"", kind.value, object.value),
            ItemKind::Const { name, value } => self.lines(&self.constant(&name.value, value)),
            ItemKind::Assert(Assertion { condition, message }) => {
                format!("assert {} \"{}\"", self.expr(condition), message.value)
            }
            ItemKind::Allow(Allow { slug, reason }) => {
                format!("allow \"{}\" because \"{}\"", slug.value, reason.value)
            }
            ItemKind::Import(path) => format!("import \"{}\"", path.value),
            ItemKind::Instance(instance) => self.instance(instance),
            ItemKind::External(external) => self.external(external),
            ItemKind::Connect(connect) => self.connect(connect),
            ItemKind::Place(place) => self.place(place),
            ItemKind::Region(region) => {
                let areas: Vec<String> = region.areas.iter().map(|area| self.area(area)).collect();
                format!("region {} in {}", self.references(&region.references), areas.join(", "))
            }
            ItemKind::Together(kernels) => format!("together {}", self.references(kernels)),
            ItemKind::Apart(apart) => {
                let by = if apart.by_core { " by core" } else { "" };
                format!("apart {}{by}", self.references(&apart.references))
            }
            ItemKind::KeepOut(area) => format!("keepout {}", self.area(area)),
            // These have blocks and are not written on one line.
            ItemKind::Component(_)
            | ItemKind::Kernel(_)
            | ItemKind::Collective(_)
            | ItemKind::For(_)
            | ItemKind::If(_) => String::new(),
        }
    }

    fn instance(&self, instance: &Instantiation) -> String {
        let Instantiation { name, dims, component, constants, called } = instance;
        let (dims, constants, called) = (self.dims(dims), self.settings(constants), member(called));
        format!("instance {}{dims} of {}{constants}{called}", name.value, component.value)
    }

    fn external(&self, external: &External) -> String {
        let (item, towards) = if external.input { ("input", "from") } else { ("output", "to") };
        let endpoint = match &external.endpoint.value {
            Endpoint::Plio { width, file } => format!("plio({}, \"{}\")", self.expr(width), file.value),
            Endpoint::Gmio { file: Some(file) } => format!("gmio(\"{}\")", file.value),
            Endpoint::Gmio { file: None } => "gmio".to_owned(),
            Endpoint::Host { file: Some(file) } => format!("host(\"{}\")", file.value),
            Endpoint::Host { file: None } => "host".to_owned(),
        };
        let properties: String =
            external.properties.iter().map(|p| format!(" {}", self.external_property(&p.value))).collect();
        let name = format!("{}{}", external.name.value, self.extents(&external.dims));
        format!("{item} {name} {towards} {endpoint}{properties}")
    }

    fn external_property(&self, property: &ExternalProperty) -> String {
        match property {
            ExternalProperty::Initial(values) => match values.as_slice() {
                [value] => format!("initial {}", self.expr(value)),
                values => {
                    let values: Vec<String> = values.iter().map(|value| self.expr(value)).collect();
                    format!("initial [{}]", values.join(", "))
                }
            },
            ExternalProperty::Frequency(mhz) => format!("frequency {}", mhz.value),
            ExternalProperty::Burst(bytes) => format!("burst {}", self.expr(bytes)),
            ExternalProperty::Bandwidth(rate) => format!("bandwidth {}", self.expr(rate)),
            ExternalProperty::Golden(file) => format!("golden \"{}\"", file.value),
            ExternalProperty::Called(names) => format!("called {}", quoted(names).join(", ")),
        }
    }

    fn connect_end(&self, end: &ConnectEnd) -> String {
        let asynchronous = if end.asynchronous { "async " } else { "" };
        let windows = end.windows.as_ref();
        let windows = windows.map_or_else(String::new, |n| format!(" windows {}", self.expr(n)));
        format!("{asynchronous}{}{windows}", self.reference(&end.reference))
    }

    fn connect(&self, connect: &Connect) -> String {
        let ends = |ends: &[ConnectEnd]| -> String {
            ends.iter().map(|end| self.connect_end(end)).collect::<Vec<_>>().join(", ")
        };
        let first = connect.first.as_ref();
        let first = first.map_or_else(String::new, |first| format!("from {} ", self.expr(first)));
        let switch = connect.switch.as_ref().map_or("", |switch| match switch.value {
            Switch::Split => "split ",
            Switch::Merge => "merge ",
            Switch::OrderedMerge => "merge ordered ",
        });
        let property = |property: &Spanned<ConnectProperty>| match &property.value {
            ConnectProperty::Buffer(word) => format!(" buffer {}", word.value),
            ConnectProperty::Fifo(fifo) => self.fifo(fifo),
        };
        let properties: String = connect.properties.iter().map(property).collect();
        format!("connect {} -> {switch}{first}{}{properties}", ends(&connect.from), ends(&connect.to))
    }

    fn place(&self, place: &Place) -> String {
        let at = match &place.at {
            At::Tile(tile) => self.pair(tile),
            At::Memory(spots) => {
                let spots: Vec<String> = spots.iter().map(|spot| self.spot(spot)).collect();
                spots.join(", ")
            }
            At::Offsets(offsets) => format!("offset {}", self.expressions(offsets)),
            At::Shim(Shim { column, channel }) => {
                let channel = channel.as_ref();
                let channel =
                    channel.map_or_else(String::new, |channel| format!(" channel {}", self.expr(channel)));
                format!("shim {}{channel}", self.expr(column))
            }
            At::Kernel { of, offset: None } => self.reference(of),
            At::Kernel { of, offset: Some(Distance { columns, rows }) } => {
                let number = |number: &Option<Expr>| {
                    number.as_ref().map_or_else(|| "*".to_owned(), |number| self.expr(number))
                };
                format!("{} + ({}, {})", self.reference(of), number(columns), number(rows))
            }
        };
        format!("place {} at {at}", self.reference(&place.reference))
    }

    fn spot(&self, spot: &Spot) -> String {
        let tile = self.pair(&spot.tile);
        match &spot.within {
            Within::Module => tile,
            Within::Banks(banks) => format!("{tile} bank {}", self.expressions(banks)),
            Within::Offsets(offsets) => format!("{tile} offset {}", self.expressions(offsets)),
        }
    }

    fn expressions(&self, list: &[Expr]) -> String {
        list.iter().map(|one| self.expr(one)).collect::<Vec<_>>().join(", ")
    }

    fn fifo(&self, fifo: &Fifo) -> String {
        let place = |place: &FifoPlace| match &place.at {
            FifoAt::Memory(tile, offset) => format!("{} offset {}", self.pair(tile), self.expr(offset)),
            FifoAt::Switch(tile, number) => {
                format!("switch {} number {}", self.pair(tile), self.expr(number))
            }
            FifoAt::Shim(column, number) => {
                format!("shim {} number {}", self.expr(column), self.expr(number))
            }
        };
        let places: Vec<String> = fifo.places.iter().map(place).collect();
        let at = if places.is_empty() { String::new() } else { format!(" at {}", places.join(", ")) };
        format!(" fifo {}{at}", self.expr(&fifo.words))
    }

    fn pair(&self, pair: &Pair) -> String {
        format!("({}, {})", self.expr(&pair.column), self.expr(&pair.row))
    }

    fn area(&self, area: &Area) -> String {
        match &area.to {
            None => self.pair(&area.from),
            Some(to) => format!("{} to {}", self.pair(&area.from), self.pair(to)),
        }
    }

    fn references(&self, references: &[Reference]) -> String {
        let all: Vec<String> = references.iter().map(|reference| self.reference(reference)).collect();
        all.join(", ")
    }

    fn kernel(&mut self, kernel: &Kernel, span: Span) {
        let name = format!("kernel {}{}", kernel.name.value, self.dims(&kernel.dims));
        let ports: Vec<String> = kernel.ports.iter().map(|port| self.port(port)).collect();
        let list = if ports.is_empty() { String::new() } else { format!("({})", ports.join(", ")) };
        let called = self.lines(&called(&kernel.called));
        let flat = match kernel.properties.as_slice() {
            [] => Some("{}".to_owned()),
            [only] => self.kernel_property(&only.value).map(|(word, value)| format!("{{ {word} {value} }}")),
            _ => None,
        };
        let flat = flat.map(|body| format!("{name}{list}{called} {body}")).filter(|line| fits(line));
        let header_start =
            kernel.dims.last().map_or(kernel.name.span.end, |dim| dim.extent.span.end) as usize;
        let list_end = kernel.ports.last().map_or(header_start, |port| port.span.end as usize);
        let called_end = kernel.called.last().map_or(list_end, |called| called.span.end as usize);
        let brace = self.find("{", called_end.max(list_end));
        let paren = if kernel.ports.is_empty() { brace } else { self.find("(", header_start) };
        let is_commented = !kernel.ports.is_empty() && self.has_comment((paren, self.find(")", list_end)));
        // A comment elsewhere in the header moves in front of the kernel.
        if let Some(flat) = flat
            && !is_commented
            && !self.has_comment((brace, span.end as usize))
        {
            return self.line(span, &flat);
        }
        let header = format!("{name}{list}{called} {{");
        if kernel.ports.is_empty() || (fits(&header) && !is_commented) {
            self.open(span, brace, &header);
        } else {
            self.broken_ports(&kernel.ports, span, paren, &name, &ports);
            self.open_after(brace, &format!("){called} {{"));
        }
        self.kernel_properties(&kernel.properties);
        self.close(span);
    }

    fn component(&mut self, component: &Component, span: Span) {
        let name = format!("component {}{}", component.name.value, self.settings(&component.constants));
        let ports: Vec<String> = component.ports.iter().map(|port| self.port(port)).collect();
        let header = format!("{name}({}) {{", ports.join(", "));
        let brace = component.body.span.start as usize;
        let before = component.constants.last().map_or(component.name.span, |last| last.value.span).end;
        let first = component.ports.first().map_or(brace, |port| port.span.start as usize);
        let paren = self.last_between("(", before as usize, first);
        let list_end = component.ports.last().map_or(first, |port| port.span.end as usize);
        let is_commented = self.has_comment((paren, self.find(")", list_end)));
        if ports.is_empty() || (fits(&header) && !is_commented) {
            self.open(span, brace, &header);
        } else {
            self.broken_ports(&component.ports, span, paren, &name, &ports);
            self.open_after(brace, ") {");
        }
        self.items(&component.body.items);
        self.close(component.body.span);
    }

    /// Properties one a line: values aligned between conditions.
    fn kernel_properties(&mut self, properties: &[Spanned<KernelProperty>]) {
        let mut aligned = Vec::new();
        for property in properties {
            match self.kernel_property(&property.value) {
                Some(line) => aligned.push((property.span, line)),
                None => {
                    self.properties(&std::mem::take(&mut aligned));
                    if let KernelProperty::If(choice) = &property.value {
                        self.choice(choice, property.span, Self::kernel_properties);
                    }
                }
            }
        }
        self.properties(&aligned);
    }

    /// The header of a kernel or component with one port a line, up to but without the closing
    /// parenthesis.
    fn broken_ports(&mut self, ports: &[Port], span: Span, paren: usize, name: &str, texts: &[String]) {
        self.open(span, paren, &format!("{name}("));
        for (port, text) in ports.iter().zip(texts) {
            self.line(port.span, &format!("{text},"));
        }
        let end = ports.last().map_or(paren, |port| port.span.end as usize);
        self.comments_until(self.find(")", end));
        self.indent -= 1;
    }

    fn port(&self, port: &Port) -> String {
        let (direction, name) = (port.direction.word(), &port.name.value);
        let extent =
            port.extent.as_ref().map_or_else(String::new, |extent| format!("[{}]", self.expr(extent)));
        let carries = match &port.carries {
            PortType::Window { window, margin } => {
                let margin = margin.as_ref().map(|margin| format!(" margin {}", self.size(margin)));
                format!("window {}{}", self.window(window), margin.unwrap_or_default())
            }
            PortType::Stream(flow) => format!("stream {}", self.flow(flow)),
            PortType::Packets(flow) => format!("packets {}", self.flow(flow)),
            PortType::Cascade(lanes) => format!("cascade {}", lanes.value),
            PortType::Parameter { values, asynchronous } => {
                let word = match asynchronous {
                    Some(true) => " async",
                    Some(false) => " sync",
                    None => "",
                };
                format!("parameter {}{word}", self.flow(values))
            }
        };
        format!("{direction} {name}{extent}: {carries}")
    }

    fn flow(&self, flow: &Flow) -> String {
        let size = flow.size.as_ref().map_or_else(String::new, |size| format!("[{}]", self.size(size)));
        format!("{}{size}", flow.element.value)
    }

    fn size(&self, size: &Size) -> String {
        let unit = size.unit.as_ref().map_or_else(String::new, |unit| format!(" {}", unit.value.name()));
        format!("{}{unit}", self.expr(&size.amount))
    }

    /// The word and the value of a property. Returns None when it is a condition.
    fn kernel_property(&self, property: &KernelProperty) -> Option<(&'static str, String)> {
        let arguments = |list: &[Argument]| {
            let texts: Vec<String> = list.iter().map(|argument| self.argument(argument)).collect();
            format!("({})", texts.join(", "))
        };
        Some(match property {
            KernelProperty::Source(path) => ("source", format!("\"{}\"", path.value)),
            KernelProperty::Stack(bytes) => ("stack", self.bytes(bytes)),
            KernelProperty::Heap(bytes) => ("heap", self.bytes(bytes)),
            KernelProperty::Runtime(ratio) => ("runtime", ratio.value.clone()),
            KernelProperty::Program(bytes) => ("program", self.bytes(bytes)),
            KernelProperty::Repetitions(times) => ("repetitions", self.expr(times)),
            KernelProperty::Cycles(cycles) => ("cycles", self.expr(cycles)),
            KernelProperty::Function(name) => ("function", name.value.clone()),
            KernelProperty::Header(path) => ("header", format!("\"{}\"", path.value)),
            KernelProperty::Init(function) => ("init", format!("\"{}\"", function.value)),
            KernelProperty::Template(list) => ("template", arguments(list)),
            KernelProperty::Arguments(list) => ("arguments", arguments(list)),
            KernelProperty::If(_) => return None,
        })
    }

    fn argument(&self, argument: &Argument) -> String {
        let class = argument.class.as_ref().map_or_else(String::new, |class| format!(" as {}", class.value));
        format!("{}{class}", self.expr(&argument.value))
    }

    /// Properties one a line, values aligned.
    fn properties(&mut self, properties: &[(Span, (&'static str, String))]) {
        let width = properties.iter().map(|(_, (word, _))| word.len()).max().unwrap_or(0);
        for (span, (word, value)) in properties {
            self.line(*span, format!("{word:width$} {value}").trim_end());
        }
    }

    fn for_loop(&mut self, body: &For, span: Span) {
        let (from, to) = (self.expr(&body.from), self.expr(&body.to));
        let brace = self.find("{", body.to.span.end as usize);
        self.open(span, brace, &format!("for {} in {from}..{to} {{", body.variable.value));
        self.items(&body.body);
        self.close(span);
    }

    fn choice<T>(&mut self, choice: &Choice<T>, span: Span, contents: fn(&mut Self, &[T])) {
        let mut end = span;
        for (at, branch) in choice.branches.iter().enumerate() {
            let header = format!("if {} {{", self.expr(&branch.condition));
            let brace = branch.block.span.start as usize;
            match at {
                0 => self.open(span, brace, &header),
                _ => self.reopen(brace, &format!("}} else {header}")),
            }
            contents(self, &branch.block.items);
            end = branch.block.span;
        }
        if let Some(block) = &choice.otherwise {
            self.reopen(block.span.start as usize, "} else {");
            contents(self, &block.items);
            end = block.span;
        }
        self.close(end);
    }
}

/// Lines and comments.
impl Printer<'_> {
    /// Writes one line for the construct at `span`, with the comments before and behind it.
    fn line(&mut self, span: Span, text: &str) {
        let (start, end) = offsets(span);
        self.lead(start, end);
        self.write(text);
        self.trail(end);
    }

    /// Writes the line that opens the block of the construct at `span`; its bracket is at byte
    /// `bracket`.
    fn open(&mut self, span: Span, bracket: usize, text: &str) {
        self.lead(span.start as usize, bracket);
        self.open_after(bracket, text);
    }

    fn open_after(&mut self, bracket: usize, text: &str) {
        self.write(text);
        self.trail(bracket + 1);
        self.indent += 1;
        self.last = None;
    }

    /// Closes a block and opens the next one of the same construct; its bracket is at byte
    /// `bracket`.
    fn reopen(&mut self, bracket: usize, text: &str) {
        self.comments_until(bracket);
        self.indent -= 1;
        self.open_after(bracket, text);
    }

    /// Closes the block of the construct at `span`, which ends with the bracket.
    fn close(&mut self, span: Span) {
        let end = span.end as usize;
        self.comments_until(end.saturating_sub(1));
        self.indent -= 1;
        self.write("}");
        self.trail(end);
    }

    /// Comments before and inside the line at `start..end`, then the blank line before it if there
    /// was one.
    fn lead(&mut self, start: usize, end: usize) {
        self.comments_until(start);
        self.blank_line(start);
        self.last = None;
        self.comments_until(end);
    }

    /// Writes all comments that start before byte `end`, each on its own line.
    fn comments_until(&mut self, end: usize) {
        while let Some(range) =
            self.scan.comments.get(self.comment).filter(|range| range.start < end).cloned()
        {
            self.blank_line(range.start);
            let text = self.comment_text(range.start, range.end);
            self.write(&text);
            self.out.push('\n');
            self.comment += 1;
            self.last = Some(range.end);
        }
    }

    /// Ends a line, after the comments that follow byte `end` on it.
    fn trail(&mut self, end: usize) {
        let mut end = end;
        while let Some(range) = self.scan.comments.get(self.comment).cloned() {
            let between = self.text.get(end..range.start);
            if !between.is_some_and(|text| text.chars().all(|c| c == ' ' || c == '\t' || c == ',')) {
                break;
            }
            self.out.push(' ');
            self.out.push_str(&self.comment_text(range.start, range.end));
            self.comment += 1;
            end = range.end;
        }
        self.out.push('\n');
        self.last = Some(end);
    }

    fn comment_text(&self, start: usize, end: usize) -> String {
        self.text.get(start..end).unwrap_or_default().trim_end().replace('\r', "")
    }

    /// Writes an empty line if the source has one between the last item written and byte `start`.
    fn blank_line(&mut self, start: usize) {
        let gap = self.last.and_then(|last| self.text.get(last..start)).unwrap_or_default();
        if gap.matches('\n').count() > 1 {
            self.out.push('\n');
        }
    }

    fn write(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("    ", self.indent));
        self.out.push_str(text);
    }

    /// A text of several lines, of which those behind the first one are indented as here.
    fn lines(&self, text: &str) -> String {
        text.replace('\n', &format!("\n{}", "    ".repeat(self.indent)))
    }

    /// True if a comment starts in the range.
    fn has_comment(&self, (start, end): (usize, usize)) -> bool {
        let next = self.scan.comments.partition_point(|range| range.start < start);
        self.scan.comments.get(next).is_some_and(|range| range.start < end)
    }

    /// Position of the last `symbol` in a range. Returns the range's end when there is none.
    fn last_between(&self, symbol: &str, from: usize, to: usize) -> usize {
        let is_it = |token: &&Token| self.text.get(token.range.clone()) == Some(symbol);
        let within = |token: &&Token| (from..to).contains(&token.range.start);
        let found = self.scan.tokens.iter().rev().filter(within).find(is_it);
        found.map_or(to, |token| token.range.start)
    }

    /// Position of the next `symbol` at or after byte `from`. Returns `from` when there is none.
    fn find(&self, symbol: &str, from: usize) -> usize {
        let first = self.scan.tokens.partition_point(|token| token.range.start < from);
        let found =
            self.scan.tokens[first..].iter().find(|token| self.text.get(token.range.clone()) == Some(symbol));
        found.map_or(from, |token| token.range.start)
    }
}

const fn offsets(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

fn fits(line: &str) -> bool {
    line.chars().count() <= WIDTH
}
