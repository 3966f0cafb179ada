//! The cases: collectives that leave something open.

/// The text above the table.
pub const TITLE: &str = "# Choices\n\n\
    The choice of the compiler for collectives that leave a shape, arity, window or root open, and the\n\
    best of all legal candidates, by cycles of the event model after placement. Candidates are the\n\
    shapes that a report lists and all arities from 2 to 8, with the windows and roots that `window\n\
    auto` and `root any` compare. A case has one call of one collective, and its ranks begin at one\n\
    time, unless its name says otherwise. With ports each kernel works 700 cycles in each of four\n\
    iterations. In cases with a connected result, ports, calls or several collectives candidates also\n\
    have the further hubs. With several collectives the candidates differ from the choice in one of\n\
    them, for all combinations are too many. `time` is the processor time of a report with the\n\
    choice, as a multiple of one without: placed with one thread, the least of three runs. Made by\n\
    `cargo bench -p aiec_tests --bench choices -- --write`; with words behind `--write` it replaces\n\
    the rows whose names contain one of them.\n";

/// A collective of a case.
#[derive(Clone, Copy)]
struct Open {
    operation: &'static str,
    ranks: u32,
    element: &'static str,
    elements: u32,
    calls: u32,
    /// Its open properties.
    words: &'static str,
}

/// What a design has besides its collectives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    /// An output for the result.
    Result(&'static str),
    /// Ports of each rank, and its own work.
    Ports,
}

/// A design.
pub struct Case {
    /// Each over all kernels.
    collectives: Vec<Open>,
    beside: Beside,
}

impl Open {
    fn name(&self) -> String {
        let Self { operation, ranks, element, elements, calls, words } = self;
        let calls = if *calls > 1 { format!(", {calls} calls") } else { String::new() };
        format!("{operation}, {ranks} ranks, {element}[{elements}]{calls}, {words}")
    }

    fn text(&self, name: usize, properties: &str) -> String {
        let Self { operation, element, elements, calls, .. } = self;
        let op = if *operation == "broadcast" { "" } else { "op sum" };
        format!(
            "{operation} c{name} over w {{ {op} data {element}[{elements}] calls {calls} {properties} }}\n"
        )
    }
}

impl Case {
    /// Its name in the table.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.collectives.iter().map(Open::name).collect();
        let beside = match self.beside {
            Beside::Nothing => String::new(),
            Beside::Result(to) => format!(", result to {to}"),
            Beside::Ports => ", ports".to_owned(),
        };
        format!("{}{beside}", names.join("; "))
    }

    /// The design with these properties in the place of the open ones.
    pub fn design(&self, properties: &[String]) -> String {
        let [first, ..] = &self.collectives[..] else { return String::new() };
        let Open { ranks, calls, .. } = first;
        let ports = "(in x: window int32[256], out y: window int32[256])";
        let (stack, ports, around, cycles) = match self.beside {
            // The rank's array is on its stack.
            Beside::Nothing => (
                6,
                "",
                "output times to gmio\nconnect c0.cycles -> times\n".to_owned(),
                format!(" cycles int64[{calls}]"),
            ),
            Beside::Result(to) => {
                (20, "", format!("output r to {to}\nconnect c0.result -> r\n"), String::new())
            }
            Beside::Ports => (
                8,
                ports,
                format!(
                    "input i[{ranks}] from gmio\noutput o[{ranks}] to gmio\nconnect i -> w.x\nconnect w.y -> o\n"
                ),
                String::new(),
            ),
        };
        let work = if self.beside == Beside::Ports { "cycles 700" } else { "" };
        let iterations = if self.beside == Beside::Ports { "iterations 4\n" } else { "" };
        let collectives = self.collectives.iter().zip(properties).enumerate();
        let collectives = collectives.map(|(name, (open, words))| {
            let cycles = if name == 0 { &cycles } else { "" };
            open.text(name, &format!("{words}{cycles}"))
        });
        let collectives: String = collectives.collect();
        format!(
            "design one\ndevice xcvc1902\n{iterations}kernel w[{ranks}]{ports} {{ source \"w.cc\" stack {stack} KiB {work} }}\n\
             {collectives}{around}"
        )
    }

    /// The open properties of each collective.
    pub fn open(&self) -> Vec<String> {
        self.collectives.iter().map(|open| open.words.to_owned()).collect()
    }

    /// The shape that the case gives a collective, unless it is open.
    pub fn given_shape(&self, of: usize) -> Option<&'static str> {
        let (_, shape) = self.collectives[of].words.split_once("shape ")?;
        (!shape.contains("auto")).then_some(shape)
    }

    /// A shape under which a report lists all that are compared.
    pub fn open_shape(&self, of: usize) -> &'static str {
        if self.collectives[of].words.contains("arity auto") { "shape tree arity auto" } else { "shape auto" }
    }

    /// The numbers of clusters of further hubs that are compared.
    pub fn hubs(&self) -> Vec<u32> {
        let [Open { ranks, calls, .. }] = self.collectives[..] else {
            return further_hubs(self.collectives[0].ranks);
        };
        if self.beside == Beside::Nothing && calls == 1 { Vec::new() } else { further_hubs(ranks) }
    }

    /// The roots that are compared, as properties.
    pub fn roots(&self, of: usize) -> Vec<String> {
        let Open { words, ranks, .. } = self.collectives[of];
        if !words.contains("root any") {
            return vec![String::new()];
        }
        let roots = [0, ranks / 2, ranks - 1];
        roots.into_iter().map(|root| format!("root w[{root}]")).collect()
    }

    /// True if the case leaves the window of a collective open.
    pub fn has_windows(&self, of: usize) -> bool {
        self.collectives[of].words.contains("window auto")
    }

    /// The windows that are compared, as properties.
    pub fn windows(&self, of: usize) -> Vec<String> {
        let Open { element, elements, .. } = self.collectives[of];
        if !self.has_windows(of) {
            return vec![String::new()];
        }
        let parts = (0..7).map(|power| 1_u32 << power).filter(|parts| elements.is_multiple_of(*parts));
        let sizes = parts.map(|parts| elements / parts).filter(|size| size * 4 >= 16);
        sizes.map(|size| format!("window {element}[{size}]")).collect()
    }

    /// The properties of a choice that candidates of this case state.
    pub fn words_for(&self, of: usize, root: &str, window: &str) -> (String, String) {
        let words = self.collectives[of].words;
        let root = if words.contains("root") { format!("root {root}") } else { String::new() };
        let window = if words.contains("window") { format!("window {window}") } else { String::new() };
        (root, window)
    }
}

/// Hubs of 2 clusters, and of a third more each further one.
fn further_hubs(ranks: u32) -> Vec<u32> {
    let next = |clusters: &u32| Some(clusters + (clusters / 3).max(1));
    std::iter::successors(Some(2), next).take_while(|&clusters| clusters < ranks).collect()
}

/// An operation over each number of ranks, with a block of each number of elements, and its calls.
type Group = (&'static str, &'static [u32], &'static str, &'static [u32], u32, &'static str);

const AUTO: &str = "shape auto";
const ALL: &str = "shape auto window auto root any";
const GROUPS: [(Beside, Group); 22] = [
    (Beside::Nothing, ("reduce", &[3, 8, 15, 31, 63], "int32", &[4, 128, 1024], 1, AUTO)),
    (Beside::Nothing, ("reduce", &[4, 16, 32], "float", &[16, 512], 1, AUTO)),
    (Beside::Nothing, ("reduce", &[7, 24], "int16", &[128, 2048], 1, AUTO)),
    (Beside::Nothing, ("reduce", &[7, 15], "int64", &[64], 1, AUTO)),
    (Beside::Nothing, ("allreduce", &[4, 8, 16, 31], "int32", &[16, 256, 1024], 1, AUTO)),
    (Beside::Nothing, ("broadcast", &[5, 16, 24], "int32", &[16, 1024], 1, AUTO)),
    (Beside::Nothing, ("reduce", &[15, 63], "int32", &[16, 1024], 1, "shape tree arity auto")),
    (Beside::Nothing, ("reduce", &[15, 63], "int32", &[1024], 1, "window auto shape tree arity 2")),
    (Beside::Nothing, ("allreduce", &[16], "int32", &[1024], 1, "window auto shape tree arity 2")),
    (Beside::Nothing, ("broadcast", &[16], "int32", &[1024], 1, "window auto shape chain")),
    (Beside::Nothing, ("reduce", &[8, 16], "int32", &[16, 1024], 1, "root any shape auto")),
    (Beside::Nothing, ("reduce", &[9], "int64", &[64], 1, "root any shape auto")),
    (Beside::Nothing, ("reduce", &[8, 16], "int32", &[64], 16, AUTO)),
    (Beside::Nothing, ("allreduce", &[8, 12], "int32", &[256], 8, AUTO)),
    (Beside::Nothing, ("broadcast", &[7, 12], "float", &[1024], 24, AUTO)),
    (Beside::Nothing, ("broadcast", &[7, 12], "float", &[1024], 24, "root any window auto shape auto")),
    (Beside::Result("gmio"), ("reduce", &[4, 8], "int32", &[4096], 1, ALL)),
    (Beside::Result("plio(64, \"r.txt\")"), ("reduce", &[4], "int32", &[4096], 1, ALL)),
    (Beside::Result("plio(128, \"r.txt\")"), ("reduce", &[6], "float", &[2048], 1, "shape auto window auto")),
    (
        Beside::Result("plio(128, \"r.txt\")"),
        ("reduce", &[8], "int32", &[1024], 1, "window auto shape hub 2"),
    ),
    (Beside::Ports, ("allreduce", &[6, 10], "int32", &[256], 1, AUTO)),
    (Beside::Ports, ("reduce", &[8], "float", &[256], 1, "shape auto window auto")),
];

/// An allreduce, a reduce and a broadcast.
fn several() -> [Case; 2] {
    let open = |operation, ranks, elements, words| Open {
        operation,
        ranks,
        element: "int32",
        elements,
        calls: 1,
        words,
    };
    let two = vec![
        open("allreduce", 6, 256, "shape auto window auto"),
        open("broadcast", 6, 64, "shape auto root any"),
    ];
    let three = vec![
        open("allreduce", 10, 256, AUTO),
        open("reduce", 10, 256, AUTO),
        open("broadcast", 10, 64, AUTO),
    ];
    [two, three].map(|collectives| Case { collectives, beside: Beside::Ports })
}

/// All cases.
pub fn all() -> Vec<Case> {
    let cases = GROUPS.into_iter().flat_map(|(beside, group)| {
        let (operation, ranks, element, sizes, calls, words) = group;
        let case = move |ranks, elements| Case {
            collectives: vec![Open { operation, ranks, element, elements, calls, words }],
            beside,
        };
        ranks.iter().flat_map(move |&ranks| sizes.iter().map(move |&elements| case(ranks, elements)))
    });
    cases.chain(several()).collect()
}
