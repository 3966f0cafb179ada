//! Channels in `aiec sim`: random families move what a plain loop says, an order that needs room
//! hangs and names the depth that cures it, and every misuse is found.

use std::fmt::Write as _;

use aiec_tests::aiec_on;
use aiec_tests::random::Random;

/// Families of a random design. All of them are one program.
const FAMILIES: usize = 12;

/// An element type: its name, bytes, and an expression for the value of a number.
const TYPES: [(&str, usize, &str); 6] = [
    ("int32", 4, "int32(n)"),
    ("float", 4, "float(n)"),
    ("uint32", 4, "uint32(n)"),
    ("cint16", 4, "cint16{int16(n), int16(-n)}"),
    ("cfloat", 8, "cfloat{float(n), float(-n)}"),
    ("int16", 2, "int16(n)"),
];

/// A channel over a family: the receiver of each rank, elements, and openings in a run.
struct Exchange {
    to: Vec<Option<usize>>,
    element: (&'static str, usize, &'static str),
    most: usize,
    count: usize,
    calls: usize,
    depth: Option<usize>,
}

impl Exchange {
    fn random(random: &mut Random) -> Self {
        let ranks = 2 + random.below(5);
        let element = *random.pick(&TYPES);
        // Small elements go as vectors of 128 bits.
        let whole = if element.1 < 4 { 16 / element.1 } else { 1 };
        let most = whole * (1 + random.below(24));
        let count = whole * (1 + random.below(most / whole));
        let depth = [None, Some(1 + random.below(39))][random.below(2)];
        Self { to: receivers(random, ranks), element, most, count, calls: 1 + random.below(3), depth }
    }

    /// The sender of a rank.
    fn sender(&self, rank: usize) -> Option<usize> {
        self.to.iter().position(|&to| to == Some(rank))
    }

    fn declaration(&self, at: usize) -> String {
        let Self { element: (element, ..), most, calls, .. } = self;
        let number = |to: &Option<usize>| to.map_or("-1".to_owned(), |to| to.to_string());
        let table: Vec<String> = self.to.iter().map(number).collect();
        let depth = self.depth.map_or(String::new(), |words| format!("depth {words} "));
        format!(
            "const TO{at} = [{}]\nkernel k{at}[{}] {{ source \"k{at}.cc\" }}\n\
             channel c{at} over k{at} {{ data {element}[{most}] to TO{at}[rank] {depth}calls {calls} }}\n",
            table.join(", "),
            self.to.len()
        )
    }

    /// Sends and compares. Odd ranks move vectors where the elements fill them.
    fn source(&self, at: usize) -> String {
        let Self { element: (element, bytes, value), count, calls, .. } = self;
        let lanes = 16 / bytes;
        let senders: Vec<String> = (0..self.to.len())
            .map(|rank| self.sender(rank).map_or(-1, |from| from as i64).to_string())
            .collect();
        let small = *bytes < 4;
        // AIE has no vectors of `uint32`.
        let vectors = !small && *element != "uint32" && count.is_multiple_of(lanes);
        let single = "out.push(value(me, call, i)); same(in.pop(), sent(from, call, i));";
        let vector = format!(
            "aie::vector<element, {lanes}> v, w;
                for (unsigned j = 0; j < {lanes}; ++j) v.set(value(me, call, i + j), j);
                out.push(v);
                in.pop(w);
                for (unsigned j = 0; j < {lanes}; ++j) same(w.get(j), sent(from, call, i + j));"
        );
        let (condition, odd) = match (small, vectors) {
            (true, _) => ("true".to_owned(), vector.as_str()),
            (_, true) => (format!("comm.c{at}.rank() % 2 == 1"), vector.as_str()),
            _ => ("false".to_owned(), ""),
        };
        let even = if small { "" } else { single };
        format!(
            r#"#include <adf.h>
#include <aie_api/aie.hpp>
#include <cstdlib>
#include <cstring>
namespace {{
using element = {element};
element value(unsigned rank, unsigned call, unsigned i) {{
    const int n = int(rank * 1000 + call * 100 + i);
    return {value};
}}
element sent(int rank, unsigned call, unsigned i) {{ return rank < 0 ? element() : value(unsigned(rank), call, i); }}
void same(element a, element b) {{ if (std::memcmp(&a, &b, sizeof a) != 0) std::abort(); }}
}}
template <typename Comm>
void k{at}(Comm &comm) {{
    static constexpr int senders[] = {{{senders}}};
    const unsigned me = comm.c{at}.rank();
    const int from = senders[me];
    for (unsigned call = 0; call < {calls}; ++call) {{
        auto out = comm.c{at}.open_send({count});
        auto in = comm.c{at}.open_receive({count});
        if ({condition}) {{
            for (unsigned i = 0; i < {count}; i += {lanes}) {{ {odd} }}
        }} else {{
            for (unsigned i = 0; i < {count}; ++i) {{ {even} }}
        }}
        if (out.left() != 0 || in.left() != 0) std::abort();
    }}
}}
"#,
            senders = senders.join(", ")
        )
    }
}

/// A random partial map without a rank to itself. At least one rank sends.
fn receivers(random: &mut Random, ranks: usize) -> Vec<Option<usize>> {
    let shift = 1 + random.below(ranks - 1);
    let mut all: Vec<Option<usize>> = (0..ranks).map(|rank| Some((rank + shift) % ranks)).collect();
    // Two ranks swap their receivers, unless one would send to itself.
    let (a, b) = (random.below(ranks), random.below(ranks));
    if all[a] != Some(b) && all[b] != Some(a) {
        all.swap(a, b);
    }
    for to in all.iter_mut().skip(1) {
        if random.below(4) == 0 {
            *to = None;
        }
    }
    all
}

#[test]
#[ignore = "long: compiles and simulates"]
fn random_families_move_what_plain_loops_say() {
    let mut random = Random(23);
    let all: Vec<Exchange> = (0..FAMILIES).map(|_| Exchange::random(&mut random)).collect();
    let mut design = "design mixed\ndevice xcvc1902\niterations 2\n".to_owned();
    let mut files = Vec::new();
    for (at, one) in all.iter().enumerate() {
        let _ = design.write_str(&one.declaration(at));
        files.push((format!("k{at}.cc"), one.source(at)));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ran = aiec_on("sim", &design, &files, &["--unplaced", "--strict", "--seeds", "4"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}\n{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

/// Every kernel of a ring sends all that it has before it takes anything.
#[test]
#[ignore = "long: compiles and simulates"]
fn an_order_that_needs_room_hangs_and_names_the_depth_that_ends_it() {
    let design = |depth: &str| {
        format!(
            "design greedy\ndevice xcvc1902\nkernel holder[4] {{ source \"holder.cc\" }}\n\
             channel around over holder {{ data int32[32] shift 1 {depth} }}\n"
        )
    };
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid holder(Comm &comm) {\n    \
                  auto out = comm.around.open_send();\n    auto in = comm.around.open_receive();\n    \
                  while (out.left() > 0) out.push(int32(out.left()));\n    \
                  while (in.left() > 0) (void)in.pop();\n}\n";
    let files = [("holder.cc", source)];
    let stopped = aiec_on("sim", &design(""), &files, &["--unplaced"]);
    let words = stopped.words();
    assert!(words.contains("sim/deadlock"), "{words}");
    assert!(words.contains("; `depth 24` in `around` would let it go on"), "{words}");
    assert!(words.contains("write `depth 24` in `around`, or change the order"), "{words}");
    let ran = aiec_on("sim", &design("depth 24"), &files, &["--unplaced"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

/// Each pair of ranks makes another mistake.
#[test]
#[ignore = "long: compiles and simulates"]
fn every_misuse_of_a_channel_is_found() {
    let design = "design wrong\ndevice xcvc1902\nkernel worker[14] { source \"worker.cc\" }\n\
                  channel pairs over worker { data int32[8] to rank + 1 - rank % 2 * 100 calls 2 }\n";
    let source = r"#include <adf.h>
template <typename Comm>
void worker(Comm &comm) {
    const unsigned pair = comm.pairs.rank() / 2;
    const bool sends = comm.pairs.rank() % 2 == 0;
    const auto move = [](auto &end, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            if constexpr (requires { end.pop(); }) (void)end.pop();
            else end.push(int32(i));
        }
    };
    const auto opened = [&](unsigned open, unsigned moved) {
        if (sends) {
            auto end = comm.pairs.open_send(open);
            move(end, moved);
        } else {
            auto end = comm.pairs.open_receive(open);
            move(end, moved);
        }
    };
    switch (pair) {
    case 0: opened(4, 2); opened(4, 4); break;                     // opened again
    case 1: opened(4, 3); break;                                   // elements left
    case 2: opened(4, 5); break;                                   // behind the last one
    case 3: sends ? opened(4, 4) : opened(3, 3); break;            // other numbers
    case 4: opened(8, 8); opened(8, 8); opened(8, 8); break;       // more than the design states
    case 5: if (sends) opened(6, 6); break;                        // nobody receives
    default: opened(9, 9); break;                                  // more than `data`, but not in all
    }
}
";
    let ran = aiec_on("sim", design, &[("worker.cc", source)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    for part in [
        "misuses the channel `pairs` at `worker[0].pairs_out0`: opened again with 2 elements left",
        "the kernel returned with 1 element of the open channel left",
        "used after it closed itself",
        "opened for 3 elements, and its other end for 4",
        "sim/stream-amount",
        "open it less often or for fewer elements",
        "`worker[11].pairs_in0`: the run ended, and 6 elements that were sent to it are left",
        "opened for more elements than `data` has",
    ] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

/// In each run but the first, a kernel takes what was sent in the run before. What nobody takes in
/// the run in which it should be taken is lost to all later ones.
#[test]
#[ignore = "long: compiles and simulates"]
fn a_receiver_that_is_a_run_behind_leaves_the_elements_of_the_last_run() {
    let design = "design late\ndevice xcvc1902\niterations 3\nkernel w[4] { source \"w.cc\" }\n\
                  channel pairs over w { data int32[4] to rank + 1 - rank % 2 * 100 calls 2 depth 8 }\n";
    let source = |condition: &str| {
        format!(
            "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {{\n    static unsigned run = 0;\n    \
             const bool sends = comm.pairs.rank() % 2 == 0;\n    if (sends) {{\n        \
             auto end = comm.pairs.open_send();\n        while (end.left()) end.push(int32(run));\n    }} \
             else if ({condition}) {{\n        auto end = comm.pairs.open_receive();\n        \
             while (end.left()) (void)end.pop();\n    }}\n    ++run;\n}}\n"
        )
    };
    let run = |condition: &str| aiec_on("sim", design, &[("w.cc", &source(condition))], &["--unplaced"]);
    let behind = run("run > 0");
    assert_eq!((behind.status, behind.err.as_str()), (0, ""), "{}", behind.out);
    let line = "`w[1].pairs_in0`: the run ended, and 4 elements that were sent to it are left: it opens its end \
                1 run behind the sender, so the next run would take them; so at 1 more kernel";
    assert!(behind.out.contains(line), "{}", behind.out);
    assert!(!run("true").out.contains("behind the sender"));
    for lost in ["run < 2", "run == 2 && false", "run != 1"] {
        let words = run(lost).words();
        assert!(
            words.contains("sim/window-misuse") && words.contains("did not open its end"),
            "{lost}: {words}"
        );
    }
}

#[test]
#[ignore = "long: compiles and simulates"]
fn a_broadcast_that_some_ranks_do_not_take_is_found() {
    let design = "design wrong\ndevice xcvc1902\nkernel worker[4] { source \"worker.cc\" }\n\
                  broadcast news over worker { data int32[8] root worker[0] shape stream }\n";
    let source = r"#include <adf.h>
template <typename Comm>
void worker(Comm &comm) {
    if (comm.news.rank() == 3) return;
    auto end = comm.news.open(5);
    while (end.left()) end.next(1);
}
";
    let ran = aiec_on("sim", design, &[("worker.cc", source)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    assert!(words.contains("and 5 elements that were sent to it are left"), "{words}");
    let named = |rank: u32| words.contains(&format!("worker[{rank}].news_in0"));
    assert!(named(3) && !named(1) && !named(2), "{words}");
}

/// A channel to any peer: messages between its ranks, in the order in which each rank sends or
/// receives them. The root has a place of its own in the group.
struct Mail {
    ranks: usize,
    root: usize,
    element: &'static str,
    packet: usize,
    depth: usize,
    /// The ranks send and receive in the order of the messages, not all sends first.
    in_turn: bool,
    /// Sender, receiver and elements, in an order in which the senders may send them.
    messages: Vec<(usize, usize, usize)>,
    /// The numbers of the messages in the order in which each rank receives them.
    received: Vec<Vec<usize>>,
}

impl Mail {
    /// Messages that go by credits, unless the depth is that of all elements.
    fn random(random: &mut Random, by_credits: bool) -> Self {
        let ranks = 3 + random.below(4);
        let small = 1 + random.below(11);
        let least = if by_credits { small + 1 } else { 1 };
        let root = random.below(ranks);
        let others: Vec<usize> = (0..ranks).filter(|&rank| rank != root).collect();
        let messages: Vec<(usize, usize, usize)> = (0..12)
            .map(|_| {
                let from = random.below(others.len());
                let to = (from + 1 + random.below(others.len() - 1)) % others.len();
                (others[from], others[to], least + random.below(21 - least))
            })
            .collect();
        // No rank gets more than all elements.
        let depth = if by_credits { small } else { messages.iter().map(|(.., count)| count).sum() };
        let received = (0..ranks).map(|rank| in_other_order(random, &messages, rank)).collect();
        let element = random.pick(&["int32", "uint32", "float"]);
        let packet = 1 + random.below(9);
        Self { ranks, root, element, packet, depth, in_turn: by_credits, messages, received }
    }

    fn declaration(&self, at: usize) -> String {
        let Self { ranks, root, element, packet, depth, .. } = self;
        let parts = [(0, *root), (*root, ranks - 1)].map(|(from, to)| match from < to {
            true => format!("m{at}[{from}..{to}]"),
            false => String::new(),
        });
        let group = [parts[0].as_str(), &format!("post{at}"), parts[1].as_str()];
        let group: Vec<&str> = group.into_iter().filter(|part| !part.is_empty()).collect();
        format!(
            "kernel m{at}[{}] {{ source \"m{at}.cc\" }}\nkernel post{at} {{ source \"post{at}.cc\" }}\n\
             channel a{at} over {} {{ data {element}[20] peers any root post{at} packet {packet} depth {depth} }}\n",
            ranks - 1,
            group.join(", ")
        )
    }

    /// Every rank first sends all its messages, then receives those to it; or all in turn.
    fn source(&self, at: usize) -> String {
        let Self { element, messages, received, in_turn, .. } = self;
        let value = |number: usize| format!("element({} + i)", number * 100);
        let cases: Vec<String> = received
            .iter()
            .enumerate()
            .map(|(rank, received)| {
                let sends = messages.iter().enumerate().filter(|(_, message)| message.0 == rank);
                let send = |(number, (_, to, count)): (usize, &(usize, usize, usize))| {
                    let line = format!(
                        "{{ auto out = comm.a{at}.open_send({count}, {to}); \
                         for (unsigned i = 0; i < {count}; ++i) out.push({}); }}\n",
                        value(number)
                    );
                    (number, line)
                };
                let receive = |&number: &usize| {
                    let (from, _, count) = messages[number];
                    let line = format!(
                        "{{ auto in = comm.a{at}.open_receive({count}, {from}); \
                         for (unsigned i = 0; i < {count}; ++i) same(in.pop(), {}); }}\n",
                        value(number)
                    );
                    (number, line)
                };
                let mut all: Vec<_> = sends.map(send).chain(received.iter().map(receive)).collect();
                if *in_turn {
                    all.sort_by_key(|&(number, _)| number);
                }
                let lines: String = all.into_iter().map(|(_, line)| line).collect();
                format!("case {rank}:\n{lines}break;\n")
            })
            .collect();
        format!(
            "#include <adf.h>\n#include <cstdlib>\nnamespace {{\nusing element = {element};\n\
             void same(element a, element b) {{ if (a != b) std::abort(); }}\n}}\ntemplate <typename Comm>\n\
             void m{at}(Comm &comm) {{\nswitch (comm.a{at}.rank()) {{\n{}}}\n}}\n",
            cases.concat()
        )
    }
}

/// The numbers of the messages to a rank. Those of one sender stay in order.
fn in_other_order(random: &mut Random, messages: &[(usize, usize, usize)], rank: usize) -> Vec<usize> {
    let to_rank = messages.iter().enumerate().filter(|(_, message)| message.1 == rank);
    let mut left: Vec<(usize, usize)> = to_rank.map(|(number, message)| (number, message.0)).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let from = random.pick(&left).1;
        let first = left.iter().position(|&(_, sender)| sender == from).expect("it was picked");
        order.push(left.remove(first).0);
    }
    order
}

fn carrier(name: &str, channel: &str) -> String {
    format!(
        "#include <adf.h>\ntemplate <typename Comm>\nvoid {name}(Comm &comm) {{ comm.{channel}.carry(); }}\n"
    )
}

fn messages_arrive(by_credits: bool, seed: u64) {
    let mut random = Random(seed);
    let all: Vec<Mail> = (0..6).map(|_| Mail::random(&mut random, by_credits)).collect();
    let mut design = "design post\ndevice xcvc1902\niterations 3\n".to_owned();
    let mut files = Vec::new();
    for (at, one) in all.iter().enumerate() {
        let _ = design.write_str(&one.declaration(at));
        files.push((format!("m{at}.cc"), one.source(at)));
        files.push((format!("post{at}.cc"), carrier(&format!("post{at}"), &format!("a{at}"))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ran = aiec_on("sim", &design, &files, &["--unplaced", "--strict", "--seeds", "4"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}\n{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

#[test]
#[ignore = "long: compiles and simulates"]
fn messages_to_any_peer_arrive_in_whatever_order_they_are_asked_for() {
    messages_arrive(false, 5);
}

/// Every opening has more elements than `depth`. A program that needs no memory then ends, in
/// whatever order switches let packets pass.
#[test]
#[ignore = "long: compiles and simulates"]
fn messages_above_the_depth_go_by_credits_and_need_no_memory() {
    messages_arrive(true, 5);
}

/// A design in which ranks of one source send each other up to 20 words.
fn twenty_words_by_post(ranks: u32, depth: u32) -> String {
    format!(
        "design mails\ndevice xcvc1902\nkernel w[{ranks}] {{ source \"w.cc\" }}\nkernel post {{ source \"post.cc\" }}\n\
         channel mail over w, post {{ data int32[20] peers any root post depth {depth} }}\n"
    )
}

/// Each of two ranks sends more than `depth` before it receives: both wait for a credit.
#[test]
#[ignore = "long: compiles and simulates"]
fn ranks_that_wait_for_credits_of_each_other_name_the_depth_that_needs_none() {
    let design = |depth| twenty_words_by_post(2, depth);
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n    \
                  const unsigned other = 1 - comm.mail.rank();\n    \
                  auto out = comm.mail.open_send(20, other);\n    \
                  while (out.left() > 0) out.push(int32(out.left()));\n    \
                  auto in = comm.mail.open_receive(20, other);\n    \
                  while (in.left() > 0) (void)in.pop();\n}\n";
    let post = carrier("post", "mail");
    let files = [("w.cc", source), ("post.cc", post.as_str())];
    let words = aiec_on("sim", &design(19), &files, &["--unplaced"]).words();
    assert!(words.contains("sim/deadlock"), "{words}");
    assert!(words.contains("`depth 20` in `mail` would let it go on"), "{words}");
    let ran = aiec_on("sim", &design(20), &files, &["--unplaced"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

/// Two times ten elements of rank 0 come to rank 2 before the four of rank 1, which it wants first.
/// Room for one packet of seven words is always there.
#[test]
#[ignore = "long: compiles and simulates"]
fn a_rank_without_memory_for_early_packets_names_the_depth_that_holds_them() {
    let design = |depth| twenty_words_by_post(3, depth);
    let source = r"#include <adf.h>
template <typename Comm>
void w(Comm &comm) {
    const auto send = [&](unsigned count, unsigned to) {
        auto out = comm.mail.open_send(count, to);
        while (out.left() > 0) out.push(int32(out.left()));
    };
    const auto receive = [&](unsigned count, unsigned from) {
        auto in = comm.mail.open_receive(count, from);
        while (in.left() > 0) (void)in.pop();
    };
    switch (comm.mail.rank()) {
    case 0: send(10, 2); send(10, 2); send(1, 1); break;
    case 1: receive(1, 0); send(4, 2); break;
    default: receive(4, 1); receive(10, 0); receive(10, 0);
    }
}
";
    let post = carrier("post", "mail");
    let files = [("w.cc", source), ("post.cc", post.as_str())];
    let full = aiec_on("sim", &design(16), &files, &["--unplaced"]);
    let words = full.words();
    assert_ne!(full.status, 0, "{words}");
    for part in
        ["sim/deadlock", "`w[2]` would wait for ever: 17 words", "give `depth 17` to the channel `mail`"]
    {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
    let ran = aiec_on("sim", &design(17), &files, &["--unplaced"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
#[ignore = "long: compiles and simulates"]
fn misuses_of_a_channel_to_any_peer_are_found_and_so_is_a_root_that_carries_nothing() {
    let design = "design wrong\ndevice xcvc1902\nkernel w[7] { source \"w.cc\" }\nkernel post { source \"post.cc\" }\n\
                  channel mail over w, post { data int32[4] peers any root post }\n";
    let source = r"#include <adf.h>
template <typename Comm>
void w(Comm &comm) {
    const auto send = [&](unsigned open, unsigned moved, unsigned to) {
        auto out = comm.mail.open_send(open, to);
        for (unsigned i = 0; i < moved; ++i) out.push(int32(i));
    };
    const auto receive = [&](unsigned open, unsigned moved, unsigned from) {
        auto in = comm.mail.open_receive(open, from);
        for (unsigned i = 0; i < moved; ++i) (void)in.pop();
    };
    switch (comm.mail.rank()) {
    case 0: send(0, 0, 0); break;                      // to itself
    case 1: send(1, 2, 2); break;                      // behind the last one
    case 2: receive(1, 1, 1); send(5, 5, 3); break;    // more than `data`
    case 3: receive(5, 5, 2); send(2, 2, 4); break;
    case 4: receive(1, 1, 3); break;                   // another number
    case 5: receive(1, 0, 0); break;                   // not received
    default: send(2, 1, 0);                            // not sent
    }
}
";
    let sends = "#include <adf.h>\ntemplate <typename Comm>\nvoid post(Comm &comm) {\n    \
                 auto out = comm.mail.open_send(1, 0);\n    out.push(1);\n    comm.mail.carry();\n}\n";
    let ran = aiec_on("sim", design, &[("w.cc", source), ("post.cc", sends)], &["--unplaced"]);
    let words = ran.words();
    assert_ne!(ran.status, 0, "{words}");
    for part in [
        "misuses the channel `mail` at `w[0].mail_out0`: opened to itself, the root or no rank",
        "used after it closed itself",
        "opened for more elements than `data` has",
        "opened for another number of elements than its other end",
        "the kernel returned, and elements that were sent to it are left",
        "the kernel returned before it had received all elements",
        "the kernel returned before it had sent all elements",
        "at `post.mail_out0`: the root carries packets of others only",
    ] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
    let idle = "#include <adf.h>\ntemplate <typename Comm>\nvoid post(Comm &) {}\n";
    let right = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &) {}\n";
    let stopped = aiec_on("sim", design, &[("w.cc", right), ("post.cc", idle)], &["--unplaced"]);
    let words = stopped.words();
    assert!(words.contains("sim/deadlock") && words.contains("`w[0].mail_in0` waits for"), "{words}");
}

/// A packet of 7 words has a header, and a request of two words goes to the root before it.
#[test]
fn the_cost_of_a_channel_to_any_peer_is_that_of_a_packet() {
    let design = "design costs\ndevice xcvc1902\nkernel w[3] { source \"w.cc\" }\nkernel post { source \"post.cc\" }\n\
                  channel mail over w, post { data int32[64] peers any root post }\n";
    let ran = aiec_on("report", design, &[], &["--json", "--logp", "--effort", "1"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let connections = report["logp"]["connections"].as_array().expect("connections");
    let costs = |end: &str| -> Vec<_> {
        let there =
            connections.iter().filter(|one| one[end].as_str().is_some_and(|port| port.starts_with("post.")));
        there.map(|one| ["bytes", "send", "receive", "gap"].map(|key| one[key].as_f64())).collect()
    };
    assert_eq!(costs("to"), [[28.0, 10.0, 10.0, 10.0].map(Some); 3], "{}", ran.out);
    assert_eq!(costs("from"), [[28.0, 8.0, 8.0, 8.0].map(Some); 3], "{}", ran.out);
}
