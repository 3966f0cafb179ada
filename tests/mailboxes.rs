//! Mailboxes in `aiec sim`: random designs receive what a table says, with every element type, in
//! pieces or not, in several orders of arrival. Every misuse is found, and no design hangs.

use std::fmt::Write as _;

use aiec_tests::aiec_on;
use aiec_tests::random::Random;

/// An element type: its name, bytes, and an expression for the value of a number.
const TYPES: [(&str, usize, &str); 12] = [
    ("int8", 1, "int8(n)"),
    ("uint8", 1, "uint8(n)"),
    ("int16", 2, "int16(n)"),
    ("uint16", 2, "uint16(n)"),
    ("int32", 4, "int32(n)"),
    ("uint32", 4, "uint32(n)"),
    ("int64", 8, "int64(n) << 33 | n"),
    ("uint64", 8, "uint64(n) << 33 | uint64(n)"),
    ("float", 4, "float(n) / 2"),
    ("cint16", 4, "cint16{int16(n), int16(-n)}"),
    ("cint32", 8, "cint32{int32(n), int32(-n)}"),
    ("cfloat", 8, "cfloat{float(n) / 2, float(-n)}"),
];

/// Where the elements of a message lie in an array.
#[derive(Clone, Copy)]
struct Pieces {
    base: usize,
    size: usize,
    num: usize,
    stride: usize,
}

impl Pieces {
    /// Random pieces of `count` elements.
    fn random(random: &mut Random, count: usize) -> Self {
        let sizes: Vec<usize> = (1..=count.max(1)).filter(|size| count.is_multiple_of(*size)).collect();
        let size = *random.pick(&sizes);
        Self { base: random.below(5), size, num: count / size, stride: size + random.below(4) }
    }

    fn text(self) -> String {
        let Self { base, size, num, stride } = self;
        format!("aiec::pieces{{{base}, {size}, {num}, {stride}}}")
    }

    /// The C++ of the position of element `i`.
    fn position(self, i: &str) -> String {
        let Self { base, size, stride, .. } = self;
        format!("{base} + {i} / {size} * {stride} + {i} % {size}")
    }
}

/// A mailbox over some senders.
struct Mailbox {
    senders: usize,
    /// The receiver is a rank of the listed group, or comes behind it.
    listed: Option<usize>,
    element: (&'static str, usize, &'static str),
    /// Bytes of a message, at most.
    max: usize,
    /// The elements of each sender's messages, in order.
    messages: Vec<Vec<usize>>,
    /// Where a sender takes its elements from, if not side by side; for messages of `most`.
    gathers: Pieces,
    /// Where the receiver puts the elements of every second message.
    scatters: Pieces,
}

impl Mailbox {
    fn random(random: &mut Random, element: (&'static str, usize, &'static str)) -> Self {
        let senders = 1 + random.below(7);
        let most = 1 + random.below(24);
        let max = (most * element.1).next_multiple_of(4);
        let most = max / element.1;
        let messages = (0..senders)
            .map(|_| (0..random.below(6)).map(|_| [random.below(most + 1), most][random.below(2)]).collect())
            .collect();
        let listed = [None, Some(random.below(senders + 1))][random.below(2)];
        let [gathers, scatters] = [(); 2].map(|()| Pieces::random(random, most));
        Self { senders, listed, element, max, messages, gathers, scatters }
    }

    const fn most(&self) -> usize {
        self.max / self.element.1
    }

    /// The root's rank.
    fn root(&self) -> usize {
        self.listed.unwrap_or(self.senders)
    }

    fn declaration(&self, at: usize) -> String {
        let Self { senders, listed, max, .. } = self;
        let group = match listed {
            None => format!("m{at}"),
            Some(0) => format!("post{at}, m{at}"),
            Some(rank) if rank == senders => format!("m{at}, post{at}"),
            Some(rank) => format!("m{at}[0..{rank}], post{at}, m{at}[{rank}..{senders}]"),
        };
        format!(
            "kernel m{at}[{senders}] {{ source \"m{at}.cc\" }}\nkernel post{at} {{ source \"post{at}.cc\" }}\n\
             mailbox box{at} over {group} {{ root post{at} max {max} B }}\n"
        )
    }

    /// What both sources begin with: the table of the messages by rank, and the elements.
    fn head(&self) -> String {
        let Self { element: (element, _, value), messages, .. } = self;
        let list = |counts: &Vec<usize>| {
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            format!("{{{}}}", counts.join(", "))
        };
        let mut rows: Vec<String> = messages.iter().map(list).collect();
        rows.insert(self.root(), "{}".to_owned());
        let mut numbers: Vec<usize> = messages.iter().map(Vec::len).collect();
        numbers.insert(self.root(), 0);
        format!(
            "#include <adf.h>\n#include <cstdlib>\n#include <cstring>\nnamespace {{\nusing element = {element};\n\
             constexpr unsigned counts[][6] = {{{}}}, numbers[] = {};\n\
             element value(unsigned rank, unsigned message, unsigned i) {{\n    \
             const int n = int(rank * 50 + message * 7 + i);\n    return {value};\n}}\n\
             void check(bool holds) {{ if (!holds) std::abort(); }}\n\
             inline void same(element a, element b) {{ check(std::memcmp(&a, &b, sizeof a) == 0); }}\n}}\n",
            rows.join(", "),
            list(&numbers),
        )
    }

    fn sender(&self, at: usize) -> String {
        let Pieces { base, num, stride, size } = self.gathers;
        format!(
            "{head}template <typename Comm>\nvoid m{at}(Comm &comm) {{\n    const unsigned me = comm.box{at}.rank();\n    \
             check(comm.box{at}.size() == {ranks});\n    \
             for (unsigned k = 0; k < numbers[me]; ++k) {{\n        element all[{room}] = {{}};\n        \
             const unsigned count = counts[me][k];\n        if (count == {most} && k % 2 == 1) {{\n            \
             for (unsigned i = 0; i < count; ++i) all[{place}] = value(me, k, i);\n            \
             comm.box{at}.send(all, {pieces});\n        }} else {{\n            \
             for (unsigned i = 0; i < count; ++i) all[i] = value(me, k, i);\n            \
             comm.box{at}.send(all, count);\n        }}\n    }}\n}}\n",
            head = self.head(),
            ranks = self.senders + 1,
            room = (base + num * stride + size).max(self.most()),
            most = self.most(),
            place = self.gathers.position("i"),
            pieces = self.gathers.text(),
        )
    }

    fn receiver(&self, at: usize) -> String {
        let Pieces { base, num, stride, size } = self.scatters;
        format!(
            "{head}template <typename Comm>\nvoid post{at}(Comm &comm) {{\n    unsigned seen[{ranks}] = {{}};\n    \
             element all[{room}];\n    for (unsigned turn = 0;; ++turn) {{\n        const bool split = turn % 2 == 1;\n        \
             const auto message = split ? comm.box{at}.receive(all, {pieces}) : comm.box{at}.receive(all, {most});\n        \
             if (!message) break;\n        check(message.from < {ranks} && message.from != {root});\n        \
             const unsigned k = seen[message.from]++;\n        \
             check(k < numbers[message.from] && message.count == counts[message.from][k]);\n        \
             for (unsigned i = 0; i < message.count; ++i) {{\n            \
             same(all[split ? {place} : i], value(message.from, k, i));\n        }}\n    }}\n    \
             for (unsigned rank = 0; rank < {ranks}; ++rank) check(seen[rank] == numbers[rank]);\n    \
             check(!comm.box{at}.receive(all, {most}));\n}}\n",
            head = self.head(),
            ranks = self.senders + 1,
            root = self.root(),
            room = (base + num * stride + size).max(self.most()),
            most = self.most(),
            place = self.scatters.position("i"),
            pieces = self.scatters.text(),
        )
    }
}

/// Runs a design of `count` mailboxes of these types with several seeds.
fn runs(seed: u64, types: &[(&'static str, usize, &'static str)]) {
    let mut random = Random(seed);
    let mut design = "design boxes\ndevice xcvc1902\niterations 3\n".to_owned();
    let mut files = Vec::new();
    for (at, element) in types.iter().enumerate() {
        let one = Mailbox::random(&mut random, *element);
        let _ = design.write_str(&one.declaration(at));
        files.push((format!("m{at}.cc"), one.sender(at)));
        files.push((format!("post{at}.cc"), one.receiver(at)));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ran = aiec_on("sim", &design, &files, &["--unplaced", "--strict", "--seeds", "4"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}\n{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

#[test]
#[ignore = "long: compiles and simulates"]
fn messages_of_every_type_arrive_as_a_table_says() {
    runs(7, &TYPES);
}

/// A small case of the matrix.
#[test]
fn messages_of_bytes_and_of_two_words_arrive() {
    runs(3, &[TYPES[0], TYPES[11]]);
}

/// Whatever the senders do, the design ends: they wait for nobody but the root, which takes what is
/// left when its kernel returns.
#[test]
#[ignore = "long: compiles and simulates"]
fn random_designs_end_even_if_the_root_returns_early() {
    let mut random = Random(41);
    let mut design = "design early\ndevice xcvc1902\niterations 4\n".to_owned();
    let mut files = Vec::new();
    for at in 0..8 {
        let senders = 1 + random.below(6);
        let words = 1 + random.below(90);
        let (sent, taken) = (1 + random.below(5), random.below(3));
        let _ = write!(
            design,
            "kernel s{at}[{senders}] {{ source \"s{at}.cc\" }}\nkernel r{at} {{ source \"r{at}.cc\" }}\n\
             mailbox box{at} over s{at} {{ root r{at} max {words} * 4 B }}\n"
        );
        files.push((
            format!("s{at}.cc"),
            format!(
                "#include <adf.h>\ntemplate <typename Comm>\nvoid s{at}(Comm &comm) {{\n    int32 all[{words}] = {{}};\n    \
                 for (unsigned i = 0; i < {sent}; ++i) comm.box{at}.send(all, {words});\n}}\n"
            ),
        ));
        files.push((
            format!("r{at}.cc"),
            format!(
                "#include <adf.h>\ntemplate <typename Comm>\nvoid r{at}(Comm &comm) {{\n    int32 all[{words}];\n    \
                 for (unsigned i = 0; i < {taken}; ++i) (void)comm.box{at}.receive(all, {words});\n}}\n"
            ),
        ));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ran = aiec_on("sim", &design, &files, &["--unplaced", "--seeds", "3"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    assert!(!words.contains("sim/deadlock"), "{words}");
    assert!(words.contains("messages that were sent to it are left"), "{words}");
}

#[test]
#[ignore = "long: compiles and simulates"]
fn every_misuse_of_a_mailbox_is_found() {
    let design = "design wrong\ndevice xcvc1902\nkernel w[4] { source \"w.cc\" }\nkernel post { source \"post.cc\" }\n\
                  mailbox inbox over w { root post max 16 B }\n";
    let source = r"#include <adf.h>
template <typename Comm>
void w(Comm &comm) {
    int32 all[8] = {};
    int8 bytes[3] = {};
    switch (comm.inbox.rank()) {
    case 0: comm.inbox.send(all, 5); break;           // more than `max`
    case 1: comm.inbox.send(bytes, 3); break;         // no whole elements of the receiver
    case 2: (void)comm.inbox.receive(all, 4); break;  // not the root
    default: comm.inbox.send(all, 3);                 // more than the room
    }
}
";
    let post = r"#include <adf.h>
template <typename Comm>
void post(Comm &comm) {
    int32 all[2];
    comm.inbox.send(all, 2);
    while (comm.inbox.receive(all, 2)) {}
}
";
    let ran = aiec_on("sim", design, &[("w.cc", source), ("post.cc", post)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    for part in [
        "misuses the mailbox `inbox` at `w[0].inbox_out0`: sent more than `max` in one message",
        "send it as several messages, or write a larger `max`",
        "at `post.inbox_in0`: received a message in elements of another size",
        "received a message that is longer than the room for it",
        "give `receive` room for `max`",
        "at `w[2].inbox_out0`: only the root receives",
        "the root receives and sends nothing",
        "w.cc:7",
    ] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

#[test]
#[ignore = "long: compiles"]
fn poll_is_refused_with_the_reason() {
    let design = "design wrong\ndevice xcvc1902\nkernel w[2] { source \"w.cc\" }\nkernel post { source \"post.cc\" }\n\
                  mailbox inbox over w { root post max 16 B }\n";
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &) {}\n";
    for asked in [
        "while (comm.inbox.poll() && comm.inbox.receive(all, 4)) {}",
        "if (auto found = comm.inbox.poll()) all[0] = int32(found.from + found.count);",
        "if (comm.inbox.poll(all, 4)) all[0] = 1;",
    ] {
        let post = format!(
            "#include <adf.h>\ntemplate <typename Comm>\nvoid post(Comm &comm) {{\n    int32 all[4];\n    \
             {asked}\n}}\n"
        );
        let refused = aiec_on("check", design, &[("w.cc", source), ("post.cc", &post)], &[]);
        let words = refused.words();
        assert!(words.contains("check/kernel-compile"), "{words}");
        assert!(words.contains("a mailbox has no `poll`: no document shows"), "{asked}: {words}");
        assert!(words.contains("call `receive`, which waits"), "{words}");
    }
}

/// A message of 64 bytes has a header and a length: 18 words.
#[test]
fn the_cost_of_a_message_is_that_of_the_largest_one() {
    let design = "design costs\ndevice xcvc1902\nkernel w[2] { source \"w.cc\" }\nkernel post { source \"post.cc\" }\n\
                  mailbox inbox over w { root post max 64 B }\n";
    let ran = aiec_on("report", design, &[], &["--json", "--logp", "--effort", "1"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let connections = report["logp"]["connections"].as_array().expect("connections");
    let up = connections.iter().filter(|one| one["to"] == "post.inbox_in0");
    let costs: Vec<_> =
        up.map(|one| ["bytes", "send", "receive", "gap"].map(|key| one[key].as_f64())).collect();
    assert_eq!(costs, [[64.0, 18.0, 18.0, 18.0].map(Some); 2], "{}", ran.out);
}

#[test]
fn the_largest_message_fits_the_memory_that_a_core_reaches() {
    let check = |max: &str| {
        let design = format!(
            "design large\ndevice xcvc1902\nkernel w[2] {{ source \"w.cc\" }}\nkernel post {{ source \"post.cc\" }}\n\
             mailbox inbox over w {{ root post max {max} }}\n"
        );
        aiec_on("check", &design, &[], &["--no-cxx"])
    };
    let large = check("1 MiB");
    assert!(large.err.contains("check/data-exceeds-stack"), "{}", large.err);
    assert!(
        large.words().contains("a message of `inbox` has up to 1024 KiB, but `w[0]` reaches 128 KiB"),
        "{}",
        large.err
    );
    assert_eq!((check("128 KiB").status, check("129 KiB").status), (0, 1));
}
