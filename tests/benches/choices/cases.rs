//! The cases: collectives that leave something open.

/// The text above the table.
pub const TITLE: &str = "# Choices\n\n\
    The choice of the compiler for collectives that leave a shape, arity, window or root open, and the\n\
    best of all legal candidates, by cycles of the event model after placement. Candidates are the\n\
    shapes that a report lists and all arities from 2 to 8, with the windows and roots that `window\n\
    auto` and `root any` compare. All ranks begin their first call at one time; further hubs are not\n\
    compared. `time` is the processor time of a report with the choice,\n\
    as a multiple of one without: placed with one thread, the least of three runs. Made by `cargo\n\
    bench -p aiec_tests --bench choices -- --write`.\n";

/// A collective.
pub struct Case {
    operation: &'static str,
    ranks: u32,
    element: &'static str,
    elements: u32,
    calls: u32,
    /// Its open properties.
    pub open: &'static str,
}

impl Case {
    /// Its name in the table.
    pub fn name(&self) -> String {
        let Self { operation, ranks, element, elements, calls, open } = self;
        let calls = if *calls > 1 { format!(", {calls} calls") } else { String::new() };
        format!("{operation}, {ranks} ranks, {element}[{elements}]{calls}, {open}")
    }

    /// The design with these properties in the place of the open ones.
    pub fn design(&self, properties: &str) -> String {
        let Self { operation, ranks, element, elements, calls, .. } = self;
        let op = if *operation == "broadcast" { "" } else { "op sum" };
        // The rank's array is on its stack.
        format!(
            "design one\ndevice xcvc1902\nkernel w[{ranks}] {{ source \"w.cc\" stack 6 KiB }}\n\
             {operation} c over w {{ {op} data {element}[{elements}] calls {calls} {properties} cycles int64[{calls}] }}\n\
             output times to gmio\nconnect c.cycles -> times\n"
        )
    }

    /// The shape that the case gives, unless it is open.
    pub fn given_shape(&self) -> Option<&'static str> {
        let (_, shape) = self.open.split_once("shape ")?;
        (!shape.contains("auto")).then_some(shape)
    }

    /// A shape under which a report lists all that are compared.
    pub fn open_shape(&self) -> &'static str {
        if self.open.contains("arity auto") { "shape tree arity auto" } else { "shape auto" }
    }

    /// The roots that are compared, as properties.
    pub fn roots(&self) -> Vec<String> {
        if !self.open.contains("root any") {
            return vec![String::new()];
        }
        let roots = [0, self.ranks / 2, self.ranks - 1];
        roots.into_iter().map(|root| format!("root w[{root}]")).collect()
    }

    /// The windows that are compared, as properties.
    pub fn windows(&self) -> Vec<String> {
        if !self.open.contains("window auto") {
            return vec![String::new()];
        }
        let parts = (0..7).map(|power| 1_u32 << power).filter(|parts| self.elements.is_multiple_of(*parts));
        let sizes = parts.map(|parts| self.elements / parts).filter(|size| size * 4 >= 16);
        sizes.map(|size| format!("window {}[{size}]", self.element)).collect()
    }

    /// The properties of a choice that candidates of this case state.
    pub fn words_for(&self, root: &str, window: &str) -> (String, String) {
        let root = if self.open.contains("root") { format!("root {root}") } else { String::new() };
        let window = if self.open.contains("window") { format!("window {window}") } else { String::new() };
        (root, window)
    }
}

/// An operation over each number of ranks, with a block of each number of elements, and its calls.
type Group = (&'static str, &'static [u32], &'static str, &'static [u32], u32, &'static str);

const AUTO: &str = "shape auto";
const GROUPS: [Group; 16] = [
    ("reduce", &[3, 8, 15, 31, 63], "int32", &[4, 128, 1024], 1, AUTO),
    ("reduce", &[4, 16, 32], "float", &[16, 512], 1, AUTO),
    ("reduce", &[7, 24], "int16", &[128, 2048], 1, AUTO),
    ("reduce", &[7, 15], "int64", &[64], 1, AUTO),
    ("allreduce", &[4, 8, 16, 31], "int32", &[16, 256, 1024], 1, AUTO),
    ("broadcast", &[5, 16, 24], "int32", &[16, 1024], 1, AUTO),
    ("reduce", &[15, 63], "int32", &[16, 1024], 1, "shape tree arity auto"),
    ("reduce", &[15, 63], "int32", &[1024], 1, "window auto shape tree arity 2"),
    ("allreduce", &[16], "int32", &[1024], 1, "window auto shape tree arity 2"),
    ("broadcast", &[16], "int32", &[1024], 1, "window auto shape chain"),
    ("reduce", &[8, 16], "int32", &[16, 1024], 1, "root any shape auto"),
    ("reduce", &[9], "int64", &[64], 1, "root any shape auto"),
    ("reduce", &[8, 16], "int32", &[64], 16, AUTO),
    ("allreduce", &[8, 12], "int32", &[256], 8, AUTO),
    ("broadcast", &[7, 12], "float", &[1024], 24, AUTO),
    ("broadcast", &[7, 12], "float", &[1024], 24, "root any window auto shape auto"),
];

/// All cases.
pub fn all() -> Vec<Case> {
    let cases = GROUPS.into_iter().flat_map(|(operation, ranks, element, sizes, calls, open)| {
        let case = move |ranks, elements| Case { operation, ranks, element, elements, calls, open };
        ranks.iter().flat_map(move |&ranks| sizes.iter().map(move |&elements| case(ranks, elements)))
    });
    cases.collect()
}
