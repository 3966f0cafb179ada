//! Kernel families, inputs and outputs: extents, ports, sizes, files.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, Span, Spanned, catalogue, nearest};
use aiec_dsl::ast::{
    self, Bytes, Dim, Expr, ExprKind, ExternalProperty, PortDirection, PortType, Size, Window,
};
use aiec_ir::design::{Endpoint, ExternalFamily, Family, FarEnd, HostValues, Node, UserPort, WrittenType};
use aiec_ir::{
    Accumulator, Carries, CascadeType, Decimal, Design, Direction, ElementType, ExternalFamilyId, FamilyId,
    Flow,
};
use aiec_ir::{ParameterType, WHOLE_CORE, WindowType, patterns};

use crate::errors::{self, Excess};
use crate::eval::Lookup;
use crate::identifiers::shared_parameters;
use crate::lower::{Context, head};
use crate::meant::{OTHER_TYPES, meant};
use crate::modules::OWN;
use crate::names::Use;

/// Replaces a window that is an error.
const NO_WINDOW: WindowType = WindowType { element: ElementType::Int32, elements: 1 };

/// Where the parts of a port's type stand.
fn written(carries: &PortType) -> WrittenType {
    let (element, size) = match carries {
        PortType::Window { window, .. } => (&window.element, Some((&window.size, &window.unit))),
        PortType::Cascade(lanes) => (lanes, None),
        PortType::Stream(flow) | PortType::Packets(flow) | PortType::Parameter { values: flow, .. } => {
            (&flow.element, flow.size.as_ref().map(|size| (&size.amount, &size.unit)))
        }
    };
    let number = size.filter(|(size, unit)| matches!(size.kind, ExprKind::Int(_)) && unit.is_none());
    WrittenType { element: Some(element.span), elements: number.map(|(size, _)| size.span) }
}

impl<'a> Context<'a> {
    /// Lowers a kernel family.
    pub fn family(&mut self, kernel: &'a ast::Kernel, span: Span) {
        self.check_identifier(&kernel.name, Use::Function);
        let id = FamilyId(u32::try_from(self.families.len()).unwrap_or(u32::MAX));
        let extents: Vec<&Expr> = kernel.dims.iter().map(|dim| &dim.extent).collect();
        let dims = self.extents(&extents, Node::Family(id), kernel.name.span);
        self.distinct_indices(&kernel.dims);
        self.kernels.push(Some(kernel));
        self.indices_of_ports = kernel.indices().flatten().map(|index| index.value.as_str()).collect();
        let ports = self.user_ports(&kernel.ports, true);
        self.indices_of_ports.clear();
        let bodies = self.bodies(kernel, &dims);
        let count = ports.len() as u64 * dims.iter().map(|&dim| u64::from(dim)).product::<u64>();
        self.count_ports(count, kernel.name.span);
        let name = self.qualified(&kernel.name.value);
        self.name_in_graph(kernel, &name, &dims);
        self.families.push(Family { name, dims, ports, bodies, span });
    }

    /// Reports names of indices that are declared before.
    pub fn distinct_indices(&mut self, dims: &[Dim]) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in dims.iter().filter_map(|dim| dim.index.as_ref()) {
            let first =
                seen.insert(&name.value, name.span).or_else(|| self.at.scope.declared_at(&name.value));
            if let Some(first) = first {
                self.report(errors::duplicate_name(&name.value, name.span, first));
            }
        }
    }

    /// The extents of `node`; without a value, the node is marked as failed.
    fn extents(&mut self, dims: &[&Expr], node: Node, span: Span) -> Vec<u32> {
        let values: Vec<Option<i64>> = dims.iter().map(|dim| self.extent(dim)).collect();
        let Some(values) = values.into_iter().collect::<Option<Vec<i64>>>() else {
            self.failed.insert(node);
            return Vec::new();
        };
        let total =
            values.iter().fold(1u128, |total, &value| total.saturating_mul(value.unsigned_abs().into()));
        let place =
            dims.first().map_or(span, |first| dims.iter().fold(first.span, |all, dim| all.to(dim.span)));
        let fault = self.diagnostics.len();
        if !self.count_instances(total, place) {
            self.blame(fault, dims.iter().copied().zip(&values));
            self.failed.insert(node);
            return Vec::new();
        }
        values.into_iter().map(|value| u32::try_from(value).unwrap_or(u32::MAX)).collect()
    }

    /// The extent of a family, at least 1. Returns None after a fault, which is reported.
    pub fn extent(&mut self, expr: &Expr) -> Option<i64> {
        let value = self.value(expr)?;
        if value < 1 {
            let most = i64::try_from(Design::MAX_INSTANCES).unwrap_or(i64::MAX);
            let what = "the extent of a family";
            self.out_of_range(expr, Excess { span: expr.span, what, value: value.into(), least: 1, most });
            return None;
        }
        Some(value)
    }

    fn count_ports(&mut self, count: u64, span: Span) {
        const LIMIT: u64 = 4 * Design::MAX_CONNECTIONS;
        let before = self.ports;
        self.ports = before.saturating_add(count);
        if self.ports > LIMIT && before <= LIMIT {
            self.report(errors::too_many_ports(span, LIMIT));
        }
    }

    /// The ports that a component declares, lowered like those of a kernel.
    pub fn component_ports(&mut self, component: &ast::Component) -> Vec<UserPort> {
        self.user_ports(&component.ports, false)
    }

    /// Declared ports; `of_kernel` tells that they are parameters of a function.
    fn user_ports(&mut self, declared: &[ast::Port], of_kernel: bool) -> Vec<UserPort> {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut ports = Vec::new();
        for port in declared {
            self.check_identifier(&port.name, if of_kernel { Use::Parameter } else { Use::Inside });
            if let Some(first) = seen.insert(&port.name.value, port.name.span) {
                self.report(errors::duplicate_name(&port.name.value, port.name.span, first));
            }
            let carries = self.carries(port).unwrap_or_else(|| {
                self.untyped.insert(port.span);
                Carries::window_of(NO_WINDOW)
            });
            let (asynchronous, says_how) = match &port.carries {
                PortType::Parameter { asynchronous, .. } => {
                    // A parameter that the kernel gives back is asynchronous by default (UG1079).
                    (asynchronous.unwrap_or(port.direction != PortDirection::In), asynchronous.is_some())
                }
                _ => (false, false),
            };
            let direction = if port.direction == PortDirection::In { Direction::In } else { Direction::Out };
            let (written, span) = (written(&port.carries), port.span);
            let one =
                |name: String| UserPort { name, direction, carries, asynchronous, says_how, written, span };
            match &port.extent {
                None => ports.push(one(port.name.value.clone())),
                Some(extent) => {
                    let count = self.port_count(extent);
                    if count.is_none() {
                        self.uncounted.insert(span);
                    }
                    let count = count.unwrap_or(1);
                    ports.extend((0..count).map(|at| one(format!("{}[{at}]", port.name.value))));
                }
            }
        }
        if of_kernel {
            shared_parameters(&ports).into_iter().for_each(|fault| self.report(fault));
        }
        ports
    }

    /// Number of ports in an array of ports.
    fn port_count(&mut self, extent: &Expr) -> Option<u32> {
        /// Far more than the streams, windows and parameters that a core can have.
        const MOST: u32 = 1024;
        let count = self.number(extent, "the number of ports", 1)?;
        if count > MOST {
            let what = "the number of ports in an array";
            let excess = Excess { span: extent.span, what, value: count.into(), least: 1, most: MOST.into() };
            self.out_of_range(extent, excess);
            return None;
        }
        Some(count)
    }

    /// Reports a connection that goes against the direction of a port, called `name` there. An
    /// `inout` that carries no parameter is reported already.
    pub fn misdirected(&mut self, span: Span, name: &str, port: &UserPort) {
        let is_it = |found: &Diagnostic| found.labels.first().is_some_and(|label| label.span == port.span);
        let mut known = self.diagnostics.iter().filter(|found| found.code.slug == catalogue::BAD_PORT.slug);
        if known.any(is_it) {
            return;
        }
        self.report(match (port.carries, port.direction) {
            (Carries::Parameter(_), Direction::Out) => errors::into_given_back(span, name, port.span),
            _ => errors::wrong_direction(span, name, port.direction, port.span),
        });
    }

    /// What a port carries.
    fn carries(&mut self, port: &ast::Port) -> Option<Carries> {
        let is_parameter = matches!(port.carries, PortType::Parameter { .. });
        if port.direction == PortDirection::Inout && !is_parameter {
            self.report(errors::inout_port(port.span, &port.name.value));
        }
        match &port.carries {
            PortType::Window { window, margin } => {
                let window = self.window(window)?.value;
                let margin = match margin {
                    Some(margin) => self.margin(port, margin, window)?,
                    None => 0,
                };
                Some(Carries::Window { window, margin })
            }
            PortType::Stream(flow) => self.flow(flow).map(Carries::Stream),
            PortType::Packets(flow) => self.flow(flow).map(Carries::Packets),
            PortType::Cascade(lanes) => {
                let found = CascadeType::from_name(&lanes.value);
                if found.is_none() {
                    let names: Vec<&str> = CascadeType::names().collect();
                    let close = nearest(&lanes.value, names.iter().copied());
                    let (what, word) = ("type of a cascade", &lanes.value);
                    self.report(match meant(word, &OTHER_TYPES).filter(|(right, _)| names.contains(right)) {
                        Some((right, why)) => errors::other_word(lanes.span, what, word, right, why),
                        None => errors::unknown_word(lanes.span, what, word, &names, close),
                    });
                }
                found.map(Carries::Cascade)
            }
            PortType::Parameter { values, .. } => {
                let values = self.flow(values)?;
                let parameter = ParameterType { element: values.element, elements: values.per_run };
                Some(Carries::Parameter(parameter))
            }
        }
    }

    /// The margin of a window in elements; only inputs have one (UG1079, "Window with Margin").
    fn margin(&mut self, port: &ast::Port, margin: &Size, window: WindowType) -> Option<u32> {
        if port.direction != PortDirection::In {
            self.report(errors::margin_of_output(margin.amount.span, &port.name.value, port.span));
            return None;
        }
        let amount = self.value(&margin.amount)?;
        self.elements("the margin of a window in elements", margin, window.element, amount)
    }

    /// The elements of a stream or parameter.
    fn flow(&mut self, flow: &ast::Flow) -> Option<Flow> {
        let element = self.element(&flow.element);
        let size = match &flow.size {
            Some(size) => Some((size, self.value(&size.amount)?)),
            None => None,
        };
        let element = element?;
        let per_run = match size {
            Some((size, amount)) => Some(self.elements("the number of elements", size, element, amount)?),
            None => None,
        };
        Some(Flow { element, per_run })
    }

    /// A share of a core's time in 1/1000: more than nothing, at most all of it.
    pub fn ratio(&mut self, written: &Spanned<String>) -> Option<Spanned<u32>> {
        let ratio = thousandths(&written.value).filter(|ratio| (1..=WHOLE_CORE).contains(ratio));
        if ratio.is_none() {
            self.report(errors::bad_ratio(written.span, &written.value));
        }
        ratio.map(|ratio| Spanned::new(ratio, written.span))
    }

    /// Keeps a property unless it was given before.
    pub fn once<T>(&mut self, slot: &mut Option<Spanned<T>>, what: &str, value: T, span: Span) {
        match slot {
            Some(first) => self.report(errors::duplicate_item(what, span, first.span)),
            None => *slot = Some(Spanned::new(value, span)),
        }
    }

    /// A number of bytes, at least `least`. `what` names it in the message.
    pub fn bytes(&mut self, bytes: &Bytes, what: &str, least: u32) -> Option<Spanned<u32>> {
        let total = i128::from(self.value(&bytes.amount)?) * i128::from(bytes.unit.bytes());
        match u32::try_from(total) {
            Ok(size) if size >= least => Some(Spanned::new(size, bytes.span)),
            _ => {
                let what = format!("{what} in bytes");
                let (span, most) = (bytes.span, u32::MAX.into());
                self.out_of_range(
                    &bytes.amount,
                    Excess { span, what: &what, value: total, least: least.into(), most },
                );
                None
            }
        }
    }

    /// A window type: a known element type and at least one whole element.
    pub fn window(&mut self, window: &Window) -> Option<Spanned<WindowType>> {
        let element = self.element(&window.element);
        let amount = self.value(&window.size);
        let (element, amount) = (element?, amount?);
        let size = Size { amount: window.size.clone(), unit: window.unit.clone() };
        let elements = self.elements("the size of a window in elements", &size, element, amount)?;
        Some(Spanned::new(WindowType { element, elements }, window.span))
    }

    /// An element type by its name.
    pub fn element(&mut self, written: &ast::Ident) -> Option<ElementType> {
        let element = ElementType::from_name(&written.value);
        if element.is_none() {
            let names = ElementType::ALL.map(ElementType::name);
            let (word, span) = (&written.value, written.span);
            let accumulator = Accumulator::ALL.iter().any(|lanes| lanes.name() == word);
            self.report(match meant(word, &OTHER_TYPES) {
                _ if accumulator => errors::accumulator(span, word),
                Some((right, why)) => errors::other_word(span, "element type", word, right, why),
                None => errors::unknown_word(span, "element type", word, &names, nearest(word, names)),
            });
        }
        element
    }

    /// The elements of `size`, whose expression has the value `amount`.
    fn elements(&mut self, what: &str, size: &Size, element: ElementType, amount: i64) -> Option<u32> {
        let amount = i128::from(amount);
        let elements = match &size.unit {
            None => amount,
            Some(unit) => {
                let bytes = amount * i128::from(unit.value.bytes());
                if bytes % i128::from(element.bytes()) != 0 {
                    let place = size.amount.span.to(unit.span);
                    self.report(errors::bad_size(place, bytes, element.name(), element.bytes()));
                    return None;
                }
                bytes / i128::from(element.bytes())
            }
        };
        match u32::try_from(elements) {
            Ok(elements) if elements > 0 => Some(elements),
            _ => {
                let (span, most) = (size.amount.span, u32::MAX.into());
                self.out_of_range(&size.amount, Excess { span, what, value: elements, least: 1, most });
                None
            }
        }
    }

    /// Lowers an input or output.
    pub fn external(&mut self, external: &ast::External, whole: Span) {
        let span = head(whole, &external.name);
        self.check_identifier(&external.name, Use::Inside);
        let id = ExternalFamilyId(u32::try_from(self.externals.len()).unwrap_or(u32::MAX));
        let extents: Vec<&Expr> = external.dims.iter().collect();
        let dims = self.extents(&extents, Node::External(id), external.name.span);
        self.check_files(external, &dims);
        let mut end = self.far_end(&external.endpoint);
        let mut golden = None;
        let mut called = None;
        let mut given: BTreeMap<&str, Span> = BTreeMap::new();
        for property in &external.properties {
            let word = errors::external_word(&property.value);
            if let Some(&first) = given.get(word) {
                self.report(errors::duplicate_item(word, property.span, first));
                continue;
            }
            given.insert(word, property.span);
            match &property.value {
                ExternalProperty::Golden(file) if !external.input => golden = Some(file),
                ExternalProperty::Called(names) if self.is_own && matches!(end, FarEnd::Array(_)) => {
                    called = Some(names);
                }
                _ => self.external_property(&mut end, property, external.endpoint.span),
            }
        }
        if let Some(names) = called {
            self.check_count(names, &dims, external);
        }
        let logical = called.map_or_else(Vec::new, |names| logical(names, &dims));
        let golden = golden.map(|file| Spanned::new(self.path(file, true), file.span));
        let direction = if external.input { Direction::Out } else { Direction::In };
        let name = external.name.value.clone();
        let alone = self.is_alone(&name).then_some(whole);
        self.externals.push(ExternalFamily { name, dims, direction, end, golden, logical, alone, span });
    }

    /// True if the text of the design declares `name` and mentions it nowhere else.
    fn is_alone(&self, name: &str) -> bool {
        self.modules.is_some_and(|modules| modules.files[OWN].program.once.contains(name))
    }

    fn far_end(&mut self, endpoint: &Spanned<ast::Endpoint>) -> FarEnd {
        match &endpoint.value {
            ast::Endpoint::Plio { width, file } => {
                let file = self.path(file, true);
                let bits = self.number(width, "the width of a PLIO port in bits", 1).unwrap_or(1);
                FarEnd::Array(Endpoint::Plio { bits: Spanned::new(bits, width.span), file, frequency: None })
            }
            ast::Endpoint::Gmio { file } => {
                let file = file.as_ref().map(|file| self.path(file, true));
                FarEnd::Array(Endpoint::Gmio { file, burst: None, bandwidth: None })
            }
            ast::Endpoint::Host { file } => {
                let file = file.as_ref().map(|file| self.path(file, true));
                FarEnd::Host(HostValues { initial: Vec::new(), file })
            }
        }
    }

    /// Adds a property to an endpoint, if it fits.
    fn external_property(&mut self, end: &mut FarEnd, property: &Spanned<ExternalProperty>, span: Span) {
        match (end, &property.value) {
            (FarEnd::Array(Endpoint::Plio { frequency, .. }), ExternalProperty::Frequency(written)) => {
                match thousandths(&written.value).filter(|&kilohertz| kilohertz > 0) {
                    Some(kilohertz) => *frequency = Some(Spanned::new(kilohertz, property.span)),
                    None => self.report(errors::bad_frequency(written.span, &written.value)),
                }
            }
            (FarEnd::Array(Endpoint::Gmio { burst, .. }), ExternalProperty::Burst(bytes)) => {
                *burst = self
                    .number(bytes, "the burst of a GMIO port in bytes", 1)
                    .map(|n| Spanned::new(n, bytes.span));
            }
            (FarEnd::Array(Endpoint::Gmio { bandwidth, .. }), ExternalProperty::Bandwidth(rate)) => {
                let what = "the bandwidth of a GMIO port in MB/s";
                *bandwidth = self.number(rate, what, 1).map(|n| Spanned::new(n, rate.span));
            }
            (FarEnd::Host(HostValues { initial, .. }), ExternalProperty::Initial(values)) => {
                *initial = self.initial(values);
            }
            (end, stray) => {
                let diagnostic = errors::stray_external_property(property.span, stray, end, span);
                self.report(diagnostic);
            }
        }
    }

    /// The initial values of a parameter: numbers, or the numbers of a table.
    fn initial(&mut self, values: &[Expr]) -> Vec<Decimal> {
        if let [Expr { kind: ExprKind::Name(name), .. }] = values {
            match self.lookup(name) {
                Lookup::Table(numbers) => return numbers.iter().copied().map(Decimal::from).collect(),
                Lookup::Decimals(numbers) => return numbers.to_vec(),
                _ => {}
            }
        }
        values.iter().filter_map(|value| Some(self.scalar_value(value)?.decimal())).collect()
    }

    /// A path without detours. It must be valid on every system. A data path must stay inside the
    /// project, where simulators write to it, and outside the project's own files. With `ports own`
    /// the project is another one.
    pub fn path(&mut self, path: &Spanned<String>, data: bool) -> String {
        let folder = self.modules.and_then(|modules| modules.files.get(self.at.file));
        let text = aiec_dsl::beside(folder.map_or("", |file| &file.folder), &path.value);
        let text = text.as_str();
        let clean = aiec_dsl::without_detours(text);
        let data = data && !self.is_own;
        let reason = if clean.is_empty() || text.ends_with('/') || text.ends_with("/.") {
            Some("it names no file")
        } else if text.len() > MAX_PATH {
            Some("it has more than 4096 bytes")
        } else if text.chars().any(|c| c.is_control() || c == '\\' || turns_text(c)) {
            Some("it holds a backslash or a control character")
        } else if data && (text.starts_with('/') || text.split('/').any(|part| part == "..")) {
            Some("it leads out of the project")
        } else {
            None
        };
        if let Some(reason) = reason {
            self.report(errors::bad_path(path.span, text, reason));
        } else if data && is_taken(&clean) {
            self.report(errors::taken_path(path.span, text));
        }
        clean
    }
}

/// The names of the instances of an array: those given, or one with their indices.
fn logical(called: &[Spanned<String>], dims: &[u32]) -> Vec<String> {
    let count = dims.iter().product::<u32>();
    let each = called.iter().flat_map(|called| patterns::names(&called.value));
    let each: Vec<String> = each.take(count as usize).collect();
    match called {
        [one] if each == [one.value.clone()] => {
            (0..count).map(|at| one.value.replace("{}", &at.to_string())).collect()
        }
        _ => each,
    }
}

/// A decimal number in 1/1000. Returns None when it is too large or has more than three significant
/// decimals.
fn thousandths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let decimals = decimals.trim_end_matches('0');
    if decimals.len() > 3 {
        return None;
    }
    format!("{whole}{decimals:0<3}").parse().ok()
}

/// True for the controls that change the direction of the following text (Unicode, annex 9), which
/// compilers warn about.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Most bytes of a path: the limit of Linux (PATH_MAX).
const MAX_PATH: usize = 4096;

/// Files of a generated project, and directories that hold nothing but its own.
const PROJECT_FILES: [&str; 10] = [
    ".gitignore",
    "Makefile",
    "README.md",
    "aie",
    "data/README.md",
    "pl_kernels",
    "aiec-report.json",
    "sw",
    "system.cfg",
    "vitis_component.py",
];

/// Prefixes of the names of aiec's own records: the list of a project, and the folder in which aiec
/// prepares changes. Every folder may become one of a project.
const RECORDS: &str = ".aiec-";

/// True if the generated project has a file of its own at `path`, or a directory for such files.
/// Some file systems ignore case.
fn is_taken(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.split('/').any(|part| part.starts_with(RECORDS))
        || PROJECT_FILES.iter().any(|taken| {
            let rest = path.strip_prefix(&taken.to_ascii_lowercase());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_three_decimals() {
        for (text, ratio) in [("0.4", 400), ("0.125", 125), ("1", 1000), ("1.0", 1000), ("0.9000", 900)] {
            assert_eq!(thousandths(text), Some(ratio), "{text}");
        }
        assert_eq!(thousandths("0.0625"), None);
        assert_eq!(thousandths("99999999999.5"), None);
    }

    #[test]
    fn the_files_of_the_project_are_taken() {
        for path in [
            "Makefile",
            "README.md",
            "aie/x.txt",
            "data/README.md",
            "sw/host.cpp",
            "AIE/x",
            ".gitignore",
            ".aiec-manifest.json",
            "data/.aiec-manifest.json",
            ".AIEC-work/new-0",
        ] {
            assert!(is_taken(path), "{path}");
        }
        for path in [
            "data/in.txt",
            "in.txt",
            "data/aie/x.txt",
            "data/.aiec",
            ".aiecst",
            "aie.txt",
            "constraints/in.txt",
        ] {
            assert!(!is_taken(path), "{path}");
        }
    }
}
