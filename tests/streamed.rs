//! Collectives of shape `stream` that kernels move element by element in `aiec sim`: random groups
//! get what plain C++ says. The matrix holds the calls with arrays to their definitions.

use std::fmt::Write as _;

use aiec_tests::aiec_on;
use aiec_tests::random::Random;

/// Families of the random design; each has one collective.
const FAMILIES: usize = 10;

/// An element type: its name, bytes, and an expression for the value of a number.
const TYPES: [(&str, usize, &str); 5] = [
    ("int32", 4, "int32(n)"),
    ("float", 4, "float(n)"),
    ("uint32", 4, "uint32(n)"),
    ("cfloat", 8, "cfloat{float(n), float(-n)}"),
    ("int16", 2, "int16(n)"),
];

/// The operations, by the name of the function of the kernel that moves one value of one.
const OPERATIONS: [&str; 4] = ["reduce", "broadcast", "gather", "scatter"];

/// A collective over a family.
struct Group {
    operation: &'static str,
    element: (&'static str, usize, &'static str),
    ranks: usize,
    root: usize,
    elements: usize,
    calls: usize,
}

impl Group {
    fn random(random: &mut Random, at: usize) -> Self {
        let element = *random.pick(&TYPES);
        let lanes = 16 / element.1;
        let ranks = 2 + random.below(5);
        // Small elements pass as vectors of 128 bits. Others have tails.
        let elements = lanes * (1 + random.below(6)) + if element.1 < 4 { 0 } else { random.below(lanes) };
        Self {
            operation: OPERATIONS[at % OPERATIONS.len()],
            element,
            ranks,
            root: random.below(ranks),
            elements,
            calls: 1 + random.below(2),
        }
    }

    fn declaration(&self, at: usize) -> String {
        let Self { operation, element: (element, ..), ranks, root, elements, calls } = self;
        let op = if *operation == "reduce" { "op sum " } else { "" };
        format!(
            "kernel k{at}[{ranks}] {{ source \"k{at}.cc\" }}\n\
             {operation} c{at} over k{at} {{ {op}data {element}[{elements}] root k{at}[{root}] shape stream \
             calls {calls} }}\n"
        )
    }

    /// Moves and compares. Odd ranks, and small elements, move vectors as far as they fit.
    fn source(&self, at: usize) -> String {
        let Self { operation, element: (element, bytes, value), ranks, root, elements, calls } = self;
        let lanes = if *element == "uint32" { 1 } else { 16 / bytes };
        let singles = *bytes >= 4;
        format!(
            r#"#include <adf.h>
#include <aie_api/aie.hpp>
#include <cstdlib>
#include <cstring>
namespace {{
using element = {element};
constexpr unsigned ranks = {ranks}, root = {root}, elements = {elements}, lanes = {lanes};
element of(int n) {{ return {value}; }}
int number(unsigned rank, unsigned call, unsigned i) {{ return int(rank * 1000 + call * 100 + i); }}
element value(unsigned rank, unsigned call, unsigned i) {{ return of(number(rank, call, i)); }}
element all(unsigned call, unsigned i) {{
    int sum = 0;
    for (unsigned rank = 0; rank < ranks; ++rank) sum += number(rank, call, i);
    return of(sum);
}}
[[maybe_unused]] void same(element a, element b) {{ if (std::memcmp(&a, &b, sizeof a) != 0) std::abort(); }}

// The next element or vector of what `get(i)` gives.
template <unsigned Lanes, typename Get>
auto next(unsigned i, Get get) {{
    if constexpr (Lanes == 1) return get(i);
    else {{
        aie::vector<element, Lanes> some;
        for (unsigned j = 0; j < Lanes; ++j) some.set(get(i + j), j);
        return some;
    }}
}}
template <typename Value, typename Get>
void compare(const Value &found, unsigned i, Get get) {{
    if constexpr (std::is_same_v<Value, element>) same(found, get(i));
    else for (unsigned j = 0; j < found.size(); ++j) same(found.get(j), get(i + j));
}}
template <unsigned Lanes, typename End>
auto popped(End &end) {{
    if constexpr (Lanes == 1) return end.pop();
    else {{
        aie::vector<element, Lanes> some;
        end.pop(some);
        return some;
    }}
}}

struct reduce {{
    template <unsigned Lanes, typename End>
    static void step(End &end, unsigned me, unsigned call, unsigned i) {{
        const auto found = end.next(next<Lanes>(i, [&](unsigned i) {{ return value(me, call, i); }}));
        if (me == root) compare(found, i, [&](unsigned i) {{ return all(call, i); }});
    }}
}};
struct broadcast {{
    template <unsigned Lanes, typename End>
    static void step(End &end, unsigned me, unsigned call, unsigned i) {{
        const auto found = end.next(next<Lanes>(i, [&](unsigned i) {{ return value(me, call, i); }}));
        compare(found, i, [&](unsigned i) {{ return value(root, call, i); }});
    }}
}};
struct gather {{
    template <unsigned Lanes, typename End>
    static void step(End &end, unsigned me, unsigned call, unsigned i) {{
        if constexpr (requires {{ end.rank(); }}) {{
            const unsigned from = end.rank();
            compare(popped<Lanes>(end), i, [&](unsigned i) {{ return value(from, call, i); }});
        }} else {{
            end.push(next<Lanes>(i, [&](unsigned i) {{ return value(me, call, i); }}));
        }}
    }}
}};
struct scatter {{
    template <unsigned Lanes, typename End>
    static void step(End &end, unsigned me, unsigned call, unsigned i) {{
        if constexpr (requires {{ end.rank(); }}) {{
            const unsigned to = end.rank();
            end.push(next<Lanes>(i, [&](unsigned i) {{ return value(to, call, i); }}));
        }} else {{
            compare(popped<Lanes>(end), i, [&](unsigned i) {{ return value(me, call, i); }});
        }}
    }}
}};
}}

template <typename Comm>
void k{at}(Comm &comm) {{
    const unsigned me = comm.c{at}.rank();
    for (unsigned call = 0; call < {calls}; ++call) {{
        auto end = comm.c{at}.open();
        while (end.left() > 0) {{
            unsigned i = 0;
            if ((me % 2 == 1 || !{singles}) && lanes > 1)
                for (; i + lanes <= elements; i += lanes) {operation}::step<lanes>(end, me, call, i);
            if constexpr ({singles})
                for (; i < elements; ++i) {operation}::step<1>(end, me, call, i);
        }}
    }}
}}
"#
        )
    }
}

#[test]
#[ignore = "long: compiles and simulates"]
fn random_groups_move_step_by_step_what_plain_loops_say() {
    let mut random = Random(7);
    let all: Vec<Group> = (0..FAMILIES).map(|at| Group::random(&mut random, at)).collect();
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

/// The root has an array while the others open their ends, then the other way round. What an end
/// takes is of the element's type, whatever the argument is.
#[test]
#[ignore = "long: compiles and simulates"]
fn one_end_may_be_open_while_the_other_has_an_array() {
    let design = "design mixed\ndevice xcvc1902\niterations 2\nkernel worker[4] { source \"worker.cc\" }\n\
                  broadcast means over worker[0..3] { data float[8] root worker[1] shape stream calls 2 }\n\
                  scatter parts over worker { data float[8] root worker[0] shape stream }\n";
    let source = "#include <adf.h>\n#include <cstdlib>\ntemplate <typename Comm>\nvoid worker(Comm &comm) {\n    \
                  static constexpr bool is_root = decltype(comm.means)::is_root;\n    \
                  for (unsigned call = 0; call < 2; ++call) {\n        \
                  alignas(32) float all[8];\n        \
                  for (unsigned i = 0; i < 8; ++i) all[i] = is_root ? i + 0.5f : 0;\n        \
                  if (is_root == (call == 0)) comm.means.broadcast(all);\n        \
                  else {\n            auto means = comm.means.open();\n            \
                  for (unsigned i = 0; i < 8; ++i) all[i] = is_root ? means.next(i + 0.5f) : means.next(0);\n        }\n        \
                  for (unsigned i = 0; i < 8; ++i)\n            \
                  if (comm.means.is_member && all[i] != i + 0.5f) std::abort();\n    }\n    \
                  auto parts = comm.parts.open();\n    \
                  if constexpr (decltype(comm.parts)::is_root) while (parts.left() > 0) parts.push(parts.rank());\n    \
                  else while (parts.left() > 0) if (parts.pop() != comm.parts.rank()) std::abort();\n}\n";
    let ran = aiec_on("sim", design, &[("worker.cc", source)], &["--unplaced"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

/// Windows have no ends to open, whatever the kernel asks of one.
#[test]
#[ignore = "long: compiles"]
fn other_shapes_say_which_shape_has_an_open_end() {
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid worker(Comm &comm) {\n    \
                  auto end = comm.total.open(8);\n    int32 sum = 0;\n    \
                  while (end.left()) sum += end.next(int32(1));\n}\n";
    for shape in ["binomial", "chain", "flat"] {
        let design = format!(
            "design windows\ndevice xcvc1902\nkernel worker[3] {{ source \"worker.cc\" }}\n\
             reduce total over worker {{ op sum data int32[8] root worker[0] shape {shape} }}\n"
        );
        let refused = aiec_on("check", &design, &[("worker.cc", source)], &[]);
        let words = refused.words();
        assert!(words.contains("check/kernel-compile"), "{shape}: {words}");
        assert!(words.contains("have `open`: write `shape stream` in the design"), "{shape}: {words}");
        assert!(!words.contains("no member"), "{shape}: {words}");
    }
}

/// Element by element, then by vectors that are shorter and longer than those of the cascade, which
/// has eight lanes of `float` and of `int16`, and four of `int32`. One kernel is in no group.
#[test]
#[ignore = "long: compiles and simulates"]
fn a_reduction_along_the_cascade_has_an_open_end() {
    for (element, lanes, value) in
        [("float", 4, "float(n)"), ("int32", 8, "int32(n)"), ("int16", 16, "int16(n)")]
    {
        let design = format!(
            "design snake\ndevice xcvc1902\niterations 2\nkernel w[5] {{ source \"w.cc\" }}\n\
             reduce total over w[0..4] {{ op sum data {element}[48] shape cascade calls 2 }}\n\
             barrier done over w {{}}\n"
        );
        let source = format!(
            "#include <adf.h>\n#include <aie_api/aie.hpp>\n#include <cstdlib>\nusing element = {element};\n\
             static element of(int n) {{ return {value}; }}\n\
             template <typename Comm>\nvoid w(Comm &comm) {{\n    \
             static constexpr bool is_root = decltype(comm.total)::is_root;\n    \
             const int me = int(comm.total.rank());\n    auto one = comm.total.open(5);\n    \
             for (int i = 0; one.left() > 0; ++i)\n        \
             if (const element sum = one.next(of(me + i)); is_root && sum != of(6 + 4 * i)) std::abort();\n    \
             auto several = comm.total.open();\n    \
             for (int i = 0; several.left() > 0; i += {lanes}) {{\n        \
             aie::vector<element, {lanes}> mine;\n        \
             for (int j = 0; j < {lanes}; ++j) mine.set(of(me + i + j), j);\n        \
             const aie::vector<element, {lanes}> sum = several.next(mine);\n        \
             for (int j = 0; j < {lanes}; ++j)\n            \
             if (is_root && sum.get(j) != of(6 + 4 * (i + j))) std::abort();\n    }}\n    comm.done.barrier();\n}}\n"
        );
        let ran = aiec_on("sim", &design, &[("w.cc", source.as_str())], &["--strict", "--seeds", "2"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{element}: {}", ran.out);
    }
}

/// A crash is reported for the kernel that had it, in whatever order the graph creates kernels.
#[test]
#[ignore = "long: compiles and simulates"]
fn a_rank_that_crashes_is_named() {
    let design = "design crashes\ndevice xcvc1902\nkernel worker[5] { source \"worker.cc\" }\n\
                  gather parts over worker { data int32[8] root worker[1] shape stream }\n";
    let source = "#include <adf.h>\n#include <cstdlib>\ntemplate <typename Comm>\nvoid worker(Comm &comm) {\n    \
                  if (comm.rank() == 4) std::abort();\n    auto parts = comm.parts.open();\n    \
                  if constexpr (requires { parts.pop(); }) while (parts.left() > 0) (void)parts.pop();\n    \
                  else while (parts.left() > 0) parts.push(0);\n}\n";
    let words = aiec_on("sim", design, &[("worker.cc", source)], &["--unplaced"]).words();
    assert!(words.contains("`worker[4]`"), "{words}");
}

/// Kernels of one family have other roles, and the graph creates them role by role.
#[test]
#[ignore = "long: compiles and simulates"]
fn a_rank_that_leaves_elements_is_named() {
    let design = "design stopped\ndevice xcvc1902\nkernel worker[5] { source \"worker.cc\" }\n\
                  gather parts over worker { data int32[8] root worker[1] shape stream }\n";
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid worker(Comm &comm) {\n    \
                  auto parts = comm.parts.open();\n    \
                  if constexpr (requires { parts.pop(); }) {\n        \
                  while (parts.left() > 0) (void)parts.pop();\n    } else {\n        \
                  const unsigned count = comm.rank() == 4 ? 7 : 8;\n        \
                  for (unsigned i = 0; i < count; ++i) parts.push(int32(i));\n    }\n}\n";
    let ran = aiec_on("sim", design, &[("worker.cc", source)], &["--unplaced"]);
    let words = ran.words();
    assert!(words.contains("at `worker[4].parts_out0`"), "{words}");
    assert!(words.contains("the kernel returned with 1 element"), "{words}");
}
