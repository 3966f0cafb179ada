//! Kernel families, inputs and outputs: extents, ports, sizes, files.

use std::collections::BTreeMap;

use aiec_diag::nearest;
use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, Bytes, Dim, Expr, Window};
use aiec_ir::design::{Endpoint, ExternalFamily, Family, Node, UserPort};
use aiec_ir::{Design, Direction, ElementType, ExternalFamilyId, FamilyId, WHOLE_CORE, WindowType};

use crate::errors;
use crate::lower::Context;
use crate::names::Use;

/// Replaces a window that is an error.
const NO_WINDOW: WindowType = WindowType { element: ElementType::Int32, elements: 1 };

impl<'a> Context<'a> {
    /// Lowers a kernel family.
    pub fn family(&mut self, kernel: &'a ast::Kernel, span: Span) {
        self.check_identifier(&kernel.name, Use::Function);
        let id = FamilyId(u32::try_from(self.families.len()).unwrap_or(u32::MAX));
        let extents: Vec<&Expr> = kernel.dims.iter().map(|dim| &dim.extent).collect();
        let dims = self.extents(&extents, Node::Family(id), kernel.name.span);
        self.index_names(&kernel.dims);
        let ports = self.user_ports(kernel);
        let bodies = self.bodies(kernel, &dims);
        let count = ports.len() as u64 * dims.iter().map(|&dim| u64::from(dim)).product::<u64>();
        self.count_ports(count, kernel.name.span);
        self.families.push(Family { name: kernel.name.value.clone(), dims, ports, bodies, span });
    }

    /// Declares the names of a family's indices, which hold in the family and in collectives over
    /// it.
    fn index_names(&mut self, dims: &'a [Dim]) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in dims.iter().filter_map(|dim| dim.index.as_ref()) {
            let first = seen.insert(&name.value, name.span).or_else(|| self.scope.declared_at(&name.value));
            if let Some(first) = first {
                self.report(errors::duplicate_name(&name.value, name.span, first));
            }
        }
        self.indices.push(dims.iter().map(|dim| dim.index.as_ref()).collect());
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
        if !self.count_instances(total, place) {
            self.failed.insert(node);
            return Vec::new();
        }
        values.into_iter().map(|value| u32::try_from(value).unwrap_or(u32::MAX)).collect()
    }

    fn extent(&mut self, expr: &Expr) -> Option<i64> {
        let value = self.value(expr)?;
        if value < 1 {
            let most = i64::try_from(Design::MAX_INSTANCES).unwrap_or(i64::MAX);
            self.report(errors::out_of_range(expr.span, "the extent of a family", value.into(), 1, most));
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

    fn user_ports(&mut self, kernel: &ast::Kernel) -> Vec<UserPort> {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut ports = Vec::new();
        for port in &kernel.ports {
            self.check_identifier(&port.name, Use::Parameter);
            if port.name.value == kernel.name.value {
                let reason = "it is the name of its kernel, which the generated wrapper calls";
                self.report(errors::bad_identifier(port.name.span, &port.name.value, reason));
            }
            if let Some(first) = seen.insert(&port.name.value, port.name.span) {
                self.report(errors::duplicate_name(&port.name.value, port.name.span, first));
            }
            let direction = if port.input { Direction::In } else { Direction::Out };
            let window = self.window(&port.window).map_or(NO_WINDOW, |window| window.value);
            ports.push(UserPort { name: port.name.value.clone(), direction, window, span: port.span });
        }
        ports
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

    pub fn bytes(&mut self, bytes: &Bytes, what: &str) -> Option<Spanned<u32>> {
        let total = i128::from(self.value(&bytes.amount)?) * i128::from(bytes.unit.bytes());
        match u32::try_from(total) {
            Ok(size) if size > 0 => Some(Spanned::new(size, bytes.span)),
            _ => {
                self.report(errors::out_of_range(
                    bytes.span,
                    &format!("{what} in bytes"),
                    total,
                    1,
                    u32::MAX.into(),
                ));
                None
            }
        }
    }

    /// A window type: a known element type and at least one whole element.
    pub fn window(&mut self, window: &Window) -> Option<Spanned<WindowType>> {
        let element = ElementType::from_name(&window.element.value);
        if element.is_none() {
            let names = ElementType::ALL.map(ElementType::name);
            let (word, close) = (&window.element.value, nearest(&window.element.value, names));
            self.report(errors::unknown_word(window.element.span, "element type", word, &names, close));
        }
        let size = self.value(&window.size);
        let (element, size) = (element?, size?);
        let elements = self.elements(window, element, size)?;
        Some(Spanned::new(WindowType { element, elements }, window.span))
    }

    fn elements(&mut self, window: &Window, element: ElementType, size: i64) -> Option<u32> {
        let size = i128::from(size);
        let elements = match &window.unit {
            None => size,
            Some(unit) => {
                let bytes = size * i128::from(unit.value.bytes());
                if bytes % i128::from(element.bytes()) != 0 {
                    let place = window.size.span.to(unit.span);
                    self.report(errors::bad_size(place, bytes, element.name(), element.bytes()));
                    return None;
                }
                bytes / i128::from(element.bytes())
            }
        };
        match u32::try_from(elements) {
            Ok(elements) if elements > 0 => Some(elements),
            _ => {
                let what = "the size of a window in elements";
                self.report(errors::out_of_range(window.size.span, what, elements, 1, u32::MAX.into()));
                None
            }
        }
    }

    /// Lowers an input or output.
    pub fn external(&mut self, external: &ast::External, span: Span) {
        self.check_identifier(&external.name, Use::Inside);
        let id = ExternalFamilyId(u32::try_from(self.externals.len()).unwrap_or(u32::MAX));
        let extents: Vec<&Expr> = external.dims.iter().collect();
        let dims = self.extents(&extents, Node::External(id), external.name.span);
        let endpoint = self.endpoint(&external.endpoint);
        let direction = if external.input { Direction::Out } else { Direction::In };
        self.externals.push(ExternalFamily {
            name: external.name.value.clone(),
            dims,
            direction,
            endpoint,
            span,
        });
    }

    fn endpoint(&mut self, endpoint: &Spanned<ast::Endpoint>) -> Endpoint {
        match &endpoint.value {
            ast::Endpoint::Plio { width, file } => {
                let file = self.path(file, true);
                let bits = self.number(width, "the width of a PLIO port in bits", 1).unwrap_or(1);
                Endpoint::Plio { bits: Spanned::new(bits, width.span), file }
            }
            ast::Endpoint::Gmio { file } => {
                Endpoint::Gmio { file: file.as_ref().map(|file| self.path(file, true)) }
            }
        }
    }

    /// A path without detours. It must be valid on every system. A data path must stay inside the
    /// project, where simulators write to it, and outside the project's own files.
    pub fn path(&mut self, path: &Spanned<String>, data: bool) -> String {
        let text = path.value.as_str();
        let clean = without_dots(text);
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
const PROJECT_FILES: [&str; 8] =
    [".gitignore", "Makefile", "README.md", "aie", "data/README.md", "pl_kernels", "sw", "system.cfg"];

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

/// The path without `.` and empty parts: `k/x.cc` for `./k//x.cc`.
fn without_dots(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "." | "")).collect();
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
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
    fn paths_lose_their_detours() {
        for (path, clean) in
            [("./k/x.cc", "k/x.cc"), ("a/./b", "a/b"), ("/a//b", "/a/b"), ("../k.cc", "../k.cc")]
        {
            assert_eq!(without_dots(path), clean);
        }
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
