//! Small random designs of windows, streams, cascades, packets, parameters and loops of streams,
//! with kernels that move what the design says: those that `aiec check` accepts without a word run
//! to their end in `aiec sim`. Designs made to hang do so there.

use std::fmt::Write as _;

use aiec_tests::aiec_on;
use aiec_tests::random::Random;

/// Designs that run.
const RUNS: usize = 8;
/// Limit on the designs that are made.
const MOST: u64 = 200;

/// What a connection carries: what leaves its producer, and what reaches its consumer. Windows,
/// streams, cascades, synchronous and asynchronous parameters.
const KINDS: [(char, char); 7] =
    [('w', 'w'), ('s', 's'), ('s', 'w'), ('w', 's'), ('c', 'c'), ('q', 'q'), ('a', 'a')];

/// A connection between two kernels.
struct Wire {
    from: usize,
    to: usize,
    kind: (char, char),
    /// Elements in an iteration of the graph.
    elements: usize,
    fifo: usize,
    /// True for a stream from a later kernel to an earlier one, which reads it last.
    back: bool,
}

/// A port of a kernel: its name, what it carries, and the elements of one run.
struct Port {
    input: bool,
    name: String,
    kind: char,
    elements: usize,
    /// True for a stream that is read after all others.
    late: bool,
}

/// Kernels, each with its runs in an iteration, and the connections between them.
struct Network {
    runs: Vec<usize>,
    wires: Vec<Wire>,
    /// What the host gives each kernel.
    hosts: Vec<Host>,
    /// A kernel that sends a packet to each of several kernels in every run, and these. True for
    /// one that reads the packet itself, false for a window.
    fan: Option<(usize, Vec<(usize, bool)>)>,
}

/// A parameter from the host.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Host {
    No,
    /// Asynchronous, with a value before the first run.
    Initial,
    /// Synchronous, with a value for each run.
    EachRun,
}

/// Elements of a packet.
const PACKET: usize = 16;

impl Network {
    /// A connected network: each kernel but the first has a connection from an earlier one, and
    /// some more connections lead to later ones. A stream may lead back, and a kernel that sends
    /// packets may come first.
    fn any(random: &mut Random) -> Self {
        let kernels = 2 + random.below(3);
        let runs: Vec<usize> = (0..kernels).map(|_| *random.pick(&[1, 1, 1, 2, 3])).collect();
        let host = |&runs: &usize| match random.below(4) {
            0 => Host::Initial,
            1 if runs == 1 => Host::EachRun,
            _ => Host::No,
        };
        let hosts = runs.iter().map(host).collect();
        let equal: Vec<(usize, bool)> =
            (1..kernels).filter(|&at| runs[at] == runs[0]).map(|at| (at, random.below(2) == 0)).collect();
        let fan = (equal.len() > 1 && random.below(2) == 0).then_some((0, equal));
        let mut network = Self { runs, wires: Vec::new(), hosts, fan };
        for to in 1..kernels {
            let from = random.below(to);
            network.add(from, to, random);
        }
        for _ in 0..random.below(4) {
            let (a, b) = (random.below(kernels), random.below(kernels));
            network.add(a.min(b), a.max(b), random);
        }
        if random.below(3) == 0 {
            network.add_back(kernels - 1, random);
        }
        network
    }

    /// Leads a stream from the kernel `from` back to the first one, as far as both have ports.
    fn add_back(&mut self, from: usize, random: &mut Random) {
        let out = self.wires.iter().filter(|wire| wire.from == from && wire.kind.0 == 's').count();
        let into = self.wires.iter().filter(|wire| wire.to == 0 && wire.kind.1 == 's').count();
        if out < 2 && into < 2 {
            let elements = 48 * (1 + random.below(2));
            let fifo = *random.pick(&[0, 20, 60]);
            self.wires.push(Wire { from, to: 0, kind: ('s', 's'), elements, fifo, back: true });
        }
    }

    /// Adds a connection, as far as a core has ports for it.
    fn add(&mut self, from: usize, to: usize, random: &mut Random) {
        let kind = *random.pick(&KINDS);
        let out = |kind| self.wires.iter().filter(|wire| wire.from == from && wire.kind.0 == kind).count();
        let into = |kind| self.wires.iter().filter(|wire| wire.to == to && wire.kind.1 == kind).count();
        let streams = (kind.0 != 's' || out('s') < 2) && (kind.1 != 's' || into('s') < 2);
        let sends = usize::from(self.fan.as_ref().is_some_and(|(of, _)| *of == from));
        let takes = usize::from(self.fan.as_ref().is_some_and(|(_, of)| of.contains(&(to, true))));
        let streams = streams && (kind.0 != 's' || out('s') + sends < 2);
        let streams = streams && (kind.1 != 's' || into('s') + takes < 2);
        let equal = self.runs[from] == self.runs[to] || !['q', 'a'].contains(&kind.0);
        let same = self.runs[from] == self.runs[to];
        let cascade = kind.0 != 'c' || (out('c') == 0 && into('c') == 0 && from < to && same);
        if from != to && streams && cascade && equal {
            // Six divides by all numbers of runs; whole words in windows of 32 bytes.
            let elements = 48 * (1 + random.below(5));
            let fifo = *random.pick(&[0, 0, 0, 20, 60, 200]);
            self.wires.push(Wire { from, to, kind, elements, fifo, back: false });
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
                late: wire.back && input,
            })
        };
        let mut ports: Vec<Port> = self.wires.iter().enumerate().filter_map(port).collect();
        let mut more = |input, name: &str, kind, elements| {
            ports.push(Port { input, name: name.into(), kind, elements, late: false });
        };
        if let Some((from, to)) = &self.fan {
            if *from == kernel {
                more(false, "p", 'p', PACKET * to.len());
            } else if let Some((_, reads)) = to.iter().find(|(to, _)| *to == kernel) {
                more(true, "f", if *reads { 'p' } else { 'w' }, PACKET);
            }
        }
        match self.hosts[kernel] {
            Host::No => {}
            Host::Initial => more(true, "h", 'a', 1),
            Host::EachRun => more(true, "h", 'q', 1),
        }
        ports
    }

    /// The design, with a connected kernel for each.
    fn design(&self) -> String {
        let mut text = "design network\ndevice xcvc1902\nports window\niterations 2\n".to_owned();
        for kernel in 0..self.runs.len() {
            let port = |port: &Port| {
                let class = match port.kind {
                    'w' => format!("window int32[{}]", port.elements),
                    's' => format!("stream int32[{}]", port.elements),
                    'p' => format!("packets int32[{}]", port.elements),
                    'q' => "parameter int32 sync".to_owned(),
                    'a' => "parameter int32 async".to_owned(),
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
        if let Some((from, to)) = &self.fan {
            let to: Vec<String> = to.iter().map(|(to, _)| format!("k{to}.f")).collect();
            writeln!(text, "connect k{from}.p -> split {}", to.join(", ")).expect("a string");
        }
        for (kernel, host) in self.hosts.iter().enumerate().filter(|(_, host)| **host != Host::No) {
            let values = if *host == Host::Initial { " initial 3" } else { "(\"h.txt\")" };
            writeln!(text, "input h{kernel} from host{values}\nconnect h{kernel} -> k{kernel}.h")
                .expect("a string");
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
                    'p' => "pktstream",
                    'q' | 'a' if port.input => return format!("int32 {}", port.name),
                    'q' | 'a' => return format!("int32 &{}", port.name),
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

/// Gives the cascade and the parameters, fills the windows, moves all streams and packets in step,
/// reads before writes, and takes streams that lead back and the cascade last: another order could
/// wait for itself, and a design does not say the order.
fn body(ports: &[Port]) -> String {
    let mut text = String::new();
    let of = |kind: char, input: bool| ports.iter().filter(move |p| p.kind == kind && p.input == input);
    for port in of('c', false) {
        text += &format!("    writeincr({}, aie::zeros<acc48, 8>());\n", port.name);
    }
    for port in ports.iter().filter(|port| ['q', 'a'].contains(&port.kind)) {
        let (before, after) = if port.input { ("(void)", "") } else { ("", " = 1") };
        text += &format!("    {before}{}{after};\n", port.name);
    }
    for port in of('w', true) {
        text += &format!("    (void)window_readincr({});\n", port.name);
    }
    for port in of('w', false) {
        text +=
            &format!("    for (int i = 0; i < {}; ++i) window_writeincr({}, i);\n", port.elements, port.name);
    }
    let in_step = |port: &&Port| ['s', 'p'].contains(&port.kind) && !port.late;
    let steps = ports.iter().filter(in_step).map(|port| port.elements).max();
    if let Some(steps) = steps {
        text += &format!("    for (int s = 1; s <= {steps}; ++s) {{\n");
        for input in [true, false] {
            // Reads come as early as possible, writes as late.
            let round = if input { steps - 1 } else { 0 };
            for port in ports.iter().filter(|port| port.input == input).filter(in_step) {
                text += &format!(
                    "        for (int q = ({elements} * (s - 1) + {round}) / {steps}; \
                     q < ({elements} * s + {round}) / {steps}; ++q) {{ {} }}\n",
                    word(port),
                    elements = port.elements,
                );
            }
        }
        text += "    }\n";
    }
    for Port { name, elements, .. } in of('s', true).filter(|port| port.late) {
        text += &format!("    for (int i = 0; i < {elements}; ++i) (void)readincr({name});\n");
    }
    for port in of('c', true) {
        text += &format!("    (void)readincr_v<8>({});\n", port.name);
    }
    text
}

/// Moves word `q` of a run at a stream or at packets, with the header before the first word of one.
fn word(Port { input, name, kind, .. }: &Port) -> String {
    match (kind, input) {
        ('p', true) => format!("if (q % {PACKET} == 0) (void)readincr({name}); (void)readincr({name});"),
        ('p', false) => format!(
            "if (q % {PACKET} == 0) writeHeader({name}, 0, getPacketid({name}, q / {PACKET})); \
             writeincr({name}, q, q % {PACKET} == {PACKET} - 1);"
        ),
        (_, true) => format!("(void)readincr({name});"),
        (_, false) => format!("writeincr({name}, q);"),
    }
}

/// The constructs of networks, each with its name.
type Construct = (&'static str, fn(&Network) -> bool);
const CONSTRUCTS: [Construct; 5] = [
    ("cascades", |network| network.wires.iter().any(|wire| wire.kind.0 == 'c')),
    ("packets", |network| network.fan.is_some()),
    ("headers", |network| network.fan.iter().any(|(_, to)| to.iter().any(|(_, reads)| *reads))),
    ("parameters", |network| {
        network.hosts.iter().any(|host| *host != Host::No)
            || network.wires.iter().any(|wire| ['q', 'a'].contains(&wire.kind.0))
    }),
    ("loops", |network| network.wires.iter().any(|wire| wire.back)),
];

#[test]
#[ignore = "long: simulates random designs"]
fn designs_that_pass_the_checks_run_to_their_end() {
    let (mut ran, mut refused, mut seen) = (0, 0, [0; CONSTRUCTS.len()]);
    for seed in 0..MOST {
        let network = Network::any(&mut Random(seed));
        let (design, source) = (network.design(), network.source());
        let files = [("k.cc", source.as_str()), ("h.txt", "5\n7\n")];
        let checked = aiec_on("check", &design, &files, &["--no-cxx"]);
        if checked.status != 0 || !checked.err.is_empty() {
            refused += 1;
            continue;
        }
        let adds = CONSTRUCTS.iter().zip(&seen).any(|((_, has), seen)| *seen == 0 && has(&network));
        if ran >= RUNS && !adds {
            continue;
        }
        let run = aiec_on("sim", &design, &files, &["--unplaced"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "seed {seed}:\n{design}\n{source}");
        ran += 1;
        CONSTRUCTS.iter().zip(&mut seen).for_each(|((_, has), seen)| *seen += usize::from(has(&network)));
        if ran >= RUNS && !seen.contains(&0) {
            break;
        }
    }
    for ((name, _), seen) in CONSTRUCTS.iter().zip(seen) {
        assert!(seen > 0, "no design with {name} ran");
    }
    assert!(ran >= RUNS && refused > 0, "{ran} ran, {refused} refused");
}

/// The design with these kernels on one core.
fn on_one_core(design: &str, (a, b): (usize, usize)) -> String {
    let shares = design.replace("{ source \"k.cc\" }", "{ source \"k.cc\" runtime 0.3 }");
    format!("{shares}place k{b} at k{a}\n")
}

/// Kernels here read before they write, as one of the runs of the checks assumes.
#[test]
#[ignore = "long: simulates random designs"]
fn kernels_of_one_core_wait_for_each_other_where_the_checks_say_so() {
    let (mut end, mut stop) = (0, 0);
    for seed in 0..2 * MOST {
        let network = Network::any(&mut Random(seed));
        let (first, last) = (0, network.runs.len() - 1);
        let is_stream = |wire: &Wire| [wire.kind.0, wire.kind.1].contains(&'s');
        let gives = network.wires.iter().any(|wire| wire.from == first && is_stream(wire));
        let takes = network.wires.iter().any(|wire| wire.to == last && is_stream(wire));
        if last < 2 || !gives || !takes || network.wires.iter().any(|wire| wire.kind.0 == 'c') {
            continue;
        }
        let (design, source) = (on_one_core(&network.design(), (first, last)), network.source());
        let files = [("k.cc", source.as_str()), ("h.txt", "5\n7\n")];
        let checked = aiec_on("check", &design, &files, &["--no-cxx"]);
        let words = checked.words();
        let waits = words.contains("run in turn on one core") && !words.contains("writing first");
        let counted = if waits { &mut stop } else { &mut end };
        if checked.status != 0 || *counted >= 2 || !waits && !checked.err.is_empty() {
            continue;
        }
        *counted += 1;
        let run = aiec_on("sim", &design, &files, &["--unplaced"]);
        assert_eq!(run.err.contains("sim/core-wait"), waits, "seed {seed}:\n{design}\n{source}\n{words}");
        assert_eq!(run.status, 0, "seed {seed}:\n{design}\n{source}\n{}", run.err);
        if end + stop == 4 {
            return;
        }
    }
    panic!("{end} runs ended, {stop} did not");
}

/// Two kernels in a loop of streams. AMOUNT is what a run moves, and each reads before it writes.
const LOOP: [&str; 2] = [
    "design ring device xcvc1902 ports window
kernel a(in x: window int32[16], in back: stream int32AMOUNT, out there: stream int32AMOUNT) { source \"k.cc\" }
kernel b(in there: stream int32AMOUNT, out back: stream int32AMOUNT, out y: window int32[16]) { source \"k.cc\" }
input x from gmio(\"x.txt\") output y to gmio connect x -> a.x connect b.y -> y
connect a.there -> b.there connect b.back -> a.back\n",
    "#include <adf.h>
void a(input_window<int32> *x, input_stream<int32> *back, output_stream<int32> *there) {
    const int32 first = readincr(back);
    writeincr(there, first + window_readincr(x));
}
void b(input_stream<int32> *there, output_stream<int32> *back, output_window<int32> *y) {
    const int32 v = readincr(there);
    writeincr(back, v);
    for (int i = 0; i < 16; ++i) window_writeincr(y, v);
}\n",
];

/// Two streams from one kernel to the other, the first one written before the second one, and read
/// behind it.
const TWICE: [&str; 2] = [
    "design twice device xcvc1902 ports window
kernel a(in x: window int32[16], out p: stream int32AMOUNT, out q: stream int32AMOUNT) { source \"k.cc\" }
kernel b(in p: stream int32AMOUNT, in q: stream int32AMOUNT, out y: window int32[16]) { source \"k.cc\" }
input x from gmio(\"x.txt\") output y to gmio connect x -> a.x connect b.y -> y
connect a.p -> b.p connect a.q -> b.q\n",
    "#include <adf.h>
void a(input_window<int32> *x, output_stream<int32> *p, output_stream<int32> *q) {
    (void)window_readincr(x);
    for (int i = 0; i < 2000; ++i) writeincr(p, i);
    for (int i = 0; i < 2000; ++i) writeincr(q, i);
}
void b(input_stream<int32> *p, input_stream<int32> *q, output_window<int32> *y) {
    for (int i = 0; i < 2000; ++i) (void)readincr(q);
    for (int i = 0; i < 2000; ++i) (void)readincr(p);
    for (int i = 0; i < 16; ++i) window_writeincr(y, i);
}\n",
];

#[test]
#[ignore = "long: simulates"]
fn designs_made_to_hang_do_so() {
    let data = "1\n".repeat(16);
    for [design, source] in [LOOP, TWICE] {
        let files = [("k.cc", source), ("x.txt", data.as_str())];
        let run = aiec_on("sim", &design.replace("AMOUNT", ""), &files, &["--unplaced"]);
        assert!(run.status == 1 && run.err.contains("sim/deadlock"), "{}", run.err);
        assert!(run.err.contains("the cycle:") || run.err.contains("waits for"), "{}", run.err);
    }
}

/// A broadcast that meets itself again behind a window. FIFO stands behind the shorter way.
const RECONVERGE: [&str; 2] = [
    "design meet device xcvc1902 ports buffer
kernel a(in x: window int32[64], out y: stream int32[64]) { source \"k.cc\" }
kernel f(in x: stream int32[64], out y: window int32[64]) { source \"k.cc\" }
kernel b(in y: stream int32[64], in z: window int32[64], out o: window int32[64]) { source \"k.cc\" }
input x from gmio(\"x.txt\") output o to gmio connect x -> a.x
connect a.y -> f.x, b.yFIFO
connect f.y -> b.z connect b.o -> o\n",
    "#include <adf.h>
void a(adf::input_buffer<int32> &x, output_stream<int32> *y) {
    for (int i = 0; i < 64; ++i) writeincr(y, x.data()[i]);
}
void f(input_stream<int32> *x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 64; ++i) y.data()[i] = readincr(x);
}
void b(input_stream<int32> *y, adf::input_buffer<int32> &z, adf::output_buffer<int32> &o) {
    for (int i = 0; i < 64; ++i) o.data()[i] = readincr(y) + z.data()[i];
}\n",
];

#[test]
#[ignore = "long: simulates"]
fn the_named_fifo_depth_is_the_least_with_which_a_graph_ends() {
    let data = "1\n".repeat(64);
    let [design, source] = RECONVERGE;
    let files = [("k.cc", source), ("x.txt", data.as_str())];
    for (fifo, warns) in [("", true), (" fifo 55", true), (" fifo 56", false)] {
        let design = design.replace("FIFO", fifo);
        let checked = aiec_on("check", &design, &files, &["--no-cxx"]);
        assert_eq!(checked.status, 0, "{}", checked.err);
        assert_eq!(checked.err.contains("write `fifo 56`"), warns, "{fifo}: {}", checked.err);
        let run = aiec_on("sim", &design, &files, &["--unplaced"]);
        assert_eq!(
            (run.status == 1, run.err.contains("sim/deadlock")),
            (warns, warns),
            "{fifo}: {}",
            run.err
        );
    }
}
