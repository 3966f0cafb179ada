//! The designs whose kernels are examined: the examples, and collectives of every element type.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use aiec_tests::root;

/// A design and the sources of its kernels, by the paths that it calls them by.
pub struct Design {
    pub name: String,
    pub text: String,
    pub sources: Vec<(String, String)>,
}

/// The sources and headers below `kernels/` beside a design that its text names, and the files that
/// they include from there.
fn sources(folder: &Path, text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut wanted: Vec<String> = text
        .split('"')
        .filter(|word| word.starts_with("kernels/") && word.ends_with(".cc"))
        .map(str::to_owned)
        .collect();
    while let Some(path) = wanted.pop() {
        if found.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let Ok(source) = fs::read_to_string(folder.join(&path)) else { continue };
        let included = source.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
        wanted.extend(included.map(|name| format!("kernels/{name}")));
        // Wrappers include the source of their kernel; here they are one translation unit.
        found.push((path, format!("#pragma once\n{source}")));
    }
    found.sort();
    found
}

/// The examples of the library: all that build, and those with channels.
pub fn examples() -> Vec<Design> {
    let folders = [root().join("examples"), root().join("examples/collectives")];
    let mut files: Vec<_> = folders
        .iter()
        .flat_map(|folder| {
            fs::read_dir(folder).expect("examples are there").map(|entry| entry.expect("readable").path())
        })
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "dsl")
                && !path.ends_with("pingpong_sync.dsl")
        })
        .collect();
    files.extend(
        ["average", "clock", "gesummv", "histogram", "mail", "ring", "stencil", "store"]
            .map(|name| root().join(format!("examples/messages/{name}.dsl"))),
    );
    files.sort();
    let design = |path: &Path| {
        let text = fs::read_to_string(path).expect("readable");
        let sources = sources(path.parent().expect("a folder"), &text);
        Design { name: path.display().to_string(), text, sources }
    };
    files.iter().map(|path| design(path)).collect()
}

/// An element type: its bytes, whether it has an order and bits, and whether it travels on the
/// cascade.
struct Element {
    name: &'static str,
    bytes: u32,
    ordered: bool,
    whole: bool,
    cascades: bool,
}

const fn element(name: &'static str, bytes: u32, ordered: bool, whole: bool, cascades: bool) -> Element {
    Element { name, bytes, ordered, whole, cascades }
}

const ELEMENTS: [Element; 12] = [
    element("int8", 1, true, true, true),
    element("uint8", 1, true, true, true),
    element("int16", 2, true, true, true),
    element("uint16", 2, true, true, false),
    element("int32", 4, true, true, true),
    element("uint32", 4, true, true, false),
    element("int64", 8, true, true, false),
    element("uint64", 8, true, true, false),
    element("float", 4, true, false, true),
    element("cint16", 4, false, true, true),
    element("cint32", 8, false, true, true),
    element("cfloat", 8, false, false, true),
];

impl Element {
    fn operators(&self) -> Vec<&'static str> {
        let order: &[&str] = if self.ordered { &["min", "max"] } else { &[] };
        let bits: &[&str] = if self.whole && self.ordered { &["and", "or", "xor"] } else { &[] };
        [&["sum", "prod"], order, bits].concat()
    }
}

/// A design that grows collective by collective, each over a separate family.
struct Growing<'a> {
    element: &'a Element,
    design: Design,
}

impl Growing<'_> {
    /// Adds a collective with `call`, on arrays `a` of one block and `b` of all; `blocks` is bytes
    /// of a block and of a window.
    fn add(&mut self, operation: &str, properties: &str, call: &str, blocks: (u32, u32)) {
        let (at, name) = (self.design.sources.len(), self.element.name);
        let (data, window) = (blocks.0 / self.element.bytes, blocks.1 / self.element.bytes);
        let _ = write!(
            self.design.text,
            "kernel k{at}[4] {{ source \"k{at}.cc\" stack 8 KiB }}\n{operation} c{at} over k{at} {{ data {name}[{data}] window {name}[{window}] {} }}\n",
            properties.replace("ROOT", &format!("k{at}")),
        );
        let text = format!(
            "#pragma once\n#include <adf.h>\ntemplate <typename Comm>\nvoid k{at}(Comm &comm) {{\n    alignas(32) {name} a[{data}], b[4 * {data}];\n    comm.c{at}.{operation}({call});\n}}\n"
        );
        self.design.sources.push((format!("k{at}.cc"), text));
    }
}

/// For every element type: all operators, windows of 256 and of 128 bits and with a tail, cascades,
/// packets, and blocks that move.
fn of_type(element: &Element, ports: &str) -> Design {
    const WHOLE: (u32, u32) = (96, 32);
    const HALF: (u32, u32) = (96, 16);
    const TAIL: (u32, u32) = (40, 16);
    let name = format!("uses_{}_{ports}", element.name);
    let text = format!("design {name}\ndevice xcvc1902\nvitis \"2023.2\"\nports {ports}\n");
    let mut growing = Growing { element, design: Design { name, text, sources: Vec::new() } };
    for operator in element.operators() {
        growing.add("reduce", &format!("op {operator} shape tree arity 2 root ROOT[0]"), "a", WHOLE);
        growing.add("reduce", &format!("op {operator} shape flat root ROOT[0]"), "a", HALF);
        if element.cascades {
            growing.add("reduce", &format!("op {operator} shape cascade root ROOT[3]"), "a", WHOLE);
        }
    }
    growing.add("allreduce", "op sum shape butterfly", "a", TAIL);
    growing.add("scan", "op sum shape chain exclusive", "a", TAIL);
    growing.add("scatter", "shape tree arity 2 root ROOT[0]", "b, a", TAIL);
    growing.add("gather", "shape tree arity 2 root ROOT[0]", "a, b", TAIL);
    growing.add("alltoall", "shape ring", "b, b", WHOLE);
    if element.whole {
        growing.add("allreduce", "op sum shape flat merge", "a", WHOLE);
    }
    growing.add("gather", "shape flat merge root ROOT[0]", "a, b", TAIL);
    growing.design
}

/// One design for each element type and kind of port.
pub fn of_every_type() -> Vec<Design> {
    ["window", "buffer"]
        .iter()
        .flat_map(|ports| ELEMENTS.iter().map(|element| of_type(element, ports)))
        .collect()
}
