//! Small random designs of windows, streams and cascades, with kernels that move what the design
//! says: those that `aiec check` accepts without a word run to their end in `aiec sim`.

use std::fmt::Write as _;

use aiec_tests::aiec_on;
use aiec_tests::random::Random;

/// Designs that run.
const RUNS: usize = 8;
/// Limit on the designs that are made.
const MOST: u64 = 200;

/// What a connection carries: what leaves its producer, and what reaches its consumer.
const KINDS: [(char, char); 5] = [('w', 'w'), ('s', 's'), ('s', 'w'), ('w', 's'), ('c', 'c')];

/// A connection between two kernels.
struct Wire {
    from: usize,
    to: usize,
    kind: (char, char),
    /// Elements in an iteration of the graph.
    elements: usize,
    fifo: usize,
}

/// A port of a kernel: its name, what it carries, and the elements of one run.
struct Port {
    input: bool,
    name: String,
    kind: char,
    elements: usize,
}

/// Kernels, each with its runs in an iteration, and the connections between them.
struct Network {
    runs: Vec<usize>,
    wires: Vec<Wire>,
}

impl Network {
    /// A connected network without cycles: each kernel but the first has a connection from an
    /// earlier one, and some more connections lead to later ones. In a cycle of streams all depends
    /// on what a kernel writes before it reads, which a design does not say.
    fn any(random: &mut Random) -> Self {
        let kernels = 2 + random.below(3);
        let runs: Vec<usize> = (0..kernels).map(|_| *random.pick(&[1, 1, 1, 2, 3])).collect();
        let mut network = Self { runs, wires: Vec::new() };
        for to in 1..kernels {
            let from = random.below(to);
            network.add(from, to, random);
        }
        for _ in 0..random.below(4) {
            let (a, b) = (random.below(kernels), random.below(kernels));
            network.add(a.min(b), a.max(b), random);
        }
        network
    }

    /// Adds a connection, as far as a core has ports for it.
    fn add(&mut self, from: usize, to: usize, random: &mut Random) {
        let kind = *random.pick(&KINDS);
        let out = |kind| self.wires.iter().filter(|wire| wire.from == from && wire.kind.0 == kind).count();
        let into = |kind| self.wires.iter().filter(|wire| wire.to == to && wire.kind.1 == kind).count();
        let streams = (kind.0 != 's' || out('s') < 2) && (kind.1 != 's' || into('s') < 2);
        let equal = self.runs[from] == self.runs[to];
        let cascade = kind.0 != 'c' || (out('c') == 0 && into('c') == 0 && from < to && equal);
        if from != to && streams && cascade {
            // Six divides by all numbers of runs; whole words in windows of 32 bytes.
            let elements = 48 * (1 + random.below(5));
            let fifo = *random.pick(&[0, 0, 0, 20, 60, 200]);
            self.wires.push(Wire { from, to, kind, elements, fifo });
        }
    }

    fn ports(&self, kernel: usize) -> Vec<Port> {
        let port = |(at, wire): (usize, &Wire)| {
            let input = wire.to == kernel;
            let kind = if input { wire.kind.1 } else { wire.kind.0 };
            let name = format!("{}{at}", if input { 'i' } else { 'o' });
            (wire.from == kernel || input).then(|| Port {
                input,
                name,
                kind,
                elements: wire.elements / self.runs[kernel],
            })
        };
        self.wires.iter().enumerate().filter_map(port).collect()
    }

    /// The design, with a connected kernel for each.
    fn design(&self) -> String {
        let mut text = "design network\ndevice xcvc1902\nports window\niterations 2\n".to_owned();
        for kernel in 0..self.runs.len() {
            let port = |port: &Port| {
                let class = match port.kind {
                    'w' => format!("window int32[{}]", port.elements),
                    's' => format!("stream int32[{}]", port.elements),
                    _ => "cascade acc48".to_owned(),
                };
                format!("{} {}: {class}", if port.input { "in" } else { "out" }, port.name)
            };
            let ports: Vec<String> = self.ports(kernel).iter().map(port).collect();
            writeln!(text, "kernel k{kernel}({}) {{ source \"k.cc\" }}", ports.join(", ")).expect("a string");
        }
        for (at, Wire { from, to, kind, fifo, .. }) in self.wires.iter().enumerate() {
            let fifo = if *kind == ('s', 's') && *fifo > 0 { format!(" fifo {fifo}") } else { String::new() };
            writeln!(text, "connect k{from}.o{at} -> k{to}.i{at}{fifo}").expect("a string");
        }
        text
    }

    /// The source of all kernels.
    fn source(&self) -> String {
        let mut text = "#include <adf.h>\n#include <aie_api/aie.hpp>\n#include <aie_api/aie_adf.hpp>\n\
                        #include <aiec/design.h>\n"
            .to_owned();
        for kernel in 0..self.runs.len() {
            let ports = self.ports(kernel);
            let parameter = |port: &Port| {
                let way = if port.input { "input" } else { "output" };
                let class = match port.kind {
                    'w' => "window<int32>",
                    's' => "stream<int32>",
                    _ => "cascade<acc48>",
                };
                format!("{way}_{class} *{}", port.name)
            };
            let parameters: Vec<String> = ports.iter().map(parameter).collect();
            writeln!(text, "void k{kernel}({}) {{\n{}}}", parameters.join(", "), body(&ports))
                .expect("a string");
        }
        text
    }
}

/// Gives the cascade, fills the windows, moves all streams in step, reads before writes, and takes
/// the cascade last: another order could wait for itself, and a design does not say the order.
fn body(ports: &[Port]) -> String {
    let mut text = String::new();
    let of = |kind: char, input: bool| ports.iter().filter(move |p| p.kind == kind && p.input == input);
    for port in of('c', false) {
        text += &format!("    writeincr({}, aie::zeros<acc48, 8>());\n", port.name);
    }
    for port in of('w', true) {
        text += &format!("    (void)window_readincr({});\n", port.name);
    }
    for port in of('w', false) {
        text +=
            &format!("    for (int i = 0; i < {}; ++i) window_writeincr({}, i);\n", port.elements, port.name);
    }
    let steps = ports.iter().filter(|port| port.kind == 's').map(|port| port.elements).max();
    if let Some(steps) = steps {
        text += &format!("    for (int s = 1; s <= {steps}; ++s) {{\n");
        for (input, call) in [(true, "(void)readincr(PORT)"), (false, "writeincr(PORT, q)")] {
            // Reads come as early as possible, writes as late.
            let round = if input { steps - 1 } else { 0 };
            for Port { name, elements, .. } in of('s', input) {
                let call = call.replace("PORT", name);
                text += &format!(
                    "        for (int q = ({elements} * (s - 1) + {round}) / {steps}; \
                     q < ({elements} * s + {round}) / {steps}; ++q) {call};\n"
                );
            }
        }
        text += "    }\n";
    }
    for port in of('c', true) {
        text += &format!("    (void)readincr_v<8>({});\n", port.name);
    }
    text
}

#[test]
#[ignore = "long: simulates random designs"]
fn designs_that_pass_the_checks_run_to_their_end() {
    let (mut ran, mut refused, mut cascades) = (0, 0, 0);
    for seed in 0..MOST {
        let network = Network::any(&mut Random(seed));
        let (design, source) = (network.design(), network.source());
        let files = [("k.cc", source.as_str())];
        let checked = aiec_on("check", &design, &files, &["--no-cxx"]);
        if checked.status != 0 || !checked.err.is_empty() {
            refused += 1;
            continue;
        }
        let run = aiec_on("sim", &design, &files, &["--unplaced"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "seed {seed}:\n{design}\n{source}");
        ran += 1;
        cascades += usize::from(network.wires.iter().any(|wire| wire.kind.0 == 'c'));
        if ran == RUNS {
            break;
        }
    }
    assert!(ran == RUNS && refused > 0 && cascades > 0, "{ran} ran, {refused} refused, {cascades} cascades");
}
