//! The help of a message, followed to the letter, ends the fault.

use aiec_tests::{Ran, aiec_on};

/// A component with two kernels in a row, `lines` in it, an instance `a` between `i` and `o`, and
/// lines behind.
fn around(lines: &str, behind: &str) -> String {
    format!(
        "design d\ndevice xcvc1902\ncomponent f(in x: window int32[64], out y: window int32[64]) {{\n\
         kernel k(in x: window int32[64], out y: window int32[64]) {{ source \"k.cc\" }}\n\
         kernel l(in x: window int32[64], out y: window int32[64]) {{ source \"k.cc\" }}\n\
         {lines}\n}}\ninstance a of f\ninput i from gmio\noutput o to gmio\nconnect i -> a.x\nconnect a.y -> o\n{behind}"
    )
}

/// The connections of the kernels in [`around`].
const WIRED: &str = "connect x -> k.x connect k.y -> l.x connect l.y -> y";

fn check(design: &str) -> Ran {
    aiec_on("check", design, &[], &["--no-cxx", "--message-format", "json"])
}

/// `design` has a fault whose help contains `help`, and none with `right` in place of `wrong`.
#[track_caller]
fn follows(design: &str, help: &str, wrong: &str, right: &str) {
    assert_eq!(design.matches(wrong).count(), 1, "{wrong} in {design}");
    let refused = check(design);
    let said = refused.err.replace("\\\"", "\"");
    assert!(said.contains(help), "expected {help} in\n{said}");
    let cured = check(&design.replace(wrong, right));
    assert_eq!((cured.status, cured.err.trim()), (0, "[]"), "with {right}");
}

#[test]
fn a_place_in_a_component_counts_from_its_instance() {
    let place = |line: &str| around(&format!("{WIRED}\n{line}"), "");
    for column in ["shim 4", "column 4", "(4, *)", "4"] {
        let line = format!("place k at {column}");
        follows(&place(&line), "`place k at (0, 0)`", &line, "place k at (0, 0)");
    }
    let port = "place x at shim 4";
    let help =
        "place the input or output that leads to the component, beside the instance: `place INPUT at shim 6`";
    follows(&around(&format!("{WIRED}\n{port}"), "place i at shim 6"), help, port, "");
    for named in ["a", "a.x"] {
        let line = format!("place {named} at shim 2");
        follows(
            &around(WIRED, &line),
            "place the input or output that is connected",
            &line,
            "place i at shim 2",
        );
    }
    let line = "place a.k at shim 2";
    follows(
        &around(WIRED, line),
        "write a tile, such as `place a.k at (24, 0)`",
        line,
        "place a.k at (24, 0)",
    );
    let far = "place k at (24, 0)";
    let help = "in a component a tile counts from that of the instance, so move one of the two";
    follows(&around(&format!("{WIRED}\n{far}"), "place a at (30, 0)"), help, far, "place k at (0, 0)");
}

#[test]
fn an_offset_without_a_tile_counts_from_no_instance() {
    let ran = check(&around(&format!("{WIRED}\nplace k.x at offset 0, 8192"), ""));
    assert_eq!((ran.status, ran.err.trim()), (0, "[]"), "{}", ran.err);
}

#[test]
fn async_moves_to_the_port_of_a_kernel() {
    let rest = "connect k.y -> l.x connect l.y -> y";
    for wrong in ["connect async x -> k.x", "connect async x -> async k.x"] {
        let help = "write it at the port of the kernel: `connect x -> async k.x`";
        follows(&around(&format!("{wrong}\n{rest}"), ""), help, wrong, "connect x -> async k.x");
    }
    let wrong = "connect x windows 4 -> k.x";
    let right = "connect x -> async k.x windows 4";
    follows(&around(&format!("{wrong}\n{rest}"), ""), &format!("`{right}`"), wrong, right);
    let design = around(WIRED, "").replace("connect i -> a.x", "connect i -> async a.x");
    let help =
        "write it in the component `f`, in front of the kernel's port: `connect x -> async KERNEL.PORT`";
    assert!(check(&design).err.contains(help), "{}", check(&design).err);
    let own = around(WIRED, "").replace("connect k.y -> l.x", "connect k.y windows 4 -> l.x");
    assert!(check(&own).err.contains("write `async k.y` and let the kernel"), "{}", check(&own).err);
    let kernel = "design d\ndevice xcvc1902\nkernel k(in x: window int32[64], out y: window int32[64]) { source \"k.cc\" }\n\
                  input i from gmio\noutput o to gmio\nconnect async i -> k.x\nconnect k.y -> o\n";
    follows(kernel, "`connect i -> async k.x`", "connect async i -> k.x", "connect i -> async k.x");
}

#[test]
fn readers_that_take_less_run_more_often() {
    let readers = "design d\ndevice xcvc1902\n\
                   kernel a(in x: stream int32[64], out y: window int32[64]) { source \"k.cc\" }\n\
                   kernel b(in x: stream int32[32], out y: window int32[64]) { source \"k.cc\" }\n\
                   input i from plio(32, \"i.txt\")\noutput o[2] to gmio\n\
                   connect i -> a.x\nconnect i -> b.x\nconnect a.y -> o[0]\nconnect b.y -> o[1]\n";
    let wrong = "out y: window int32[64]) { source \"k.cc\" }\ninput";
    let right = "out y: window int32[64]) { source \"k.cc\" repetitions 2 }\ninput";
    follows(readers, "write `repetitions 2` in `b`, ", wrong, right);
    let values = "design d\ndevice xcvc1902\n\
                  kernel a(in x: window int32[64], out y: window int32[64], out p: parameter int32 sync) { source \"a.cc\" }\n\
                  kernel b(in x: window int32[64], in p: parameter int32 sync, out y: window int32[64]) {\n\
                  source \"b.cc\" repetitions 2 }\ninput i[2] from gmio\noutput o[2] to gmio\n\
                  connect i[0] -> a.x\nconnect i[1] -> b.x\nconnect a.y -> o[0]\nconnect a.p -> b.p\nconnect b.y -> o[1]\n";
    follows(values, "write `repetitions 2` in `a`, ", "source \"a.cc\"", "source \"a.cc\" repetitions 2");
}

#[test]
fn stated_runs_balance_with_all_other_connections() {
    let design = "design d\ndevice xcvc1902\n\
                  kernel a(in x: window int32[64], out s: stream int32[64], out t: stream int32[64]) { source \"a.cc\" repetitions 1 }\n\
                  kernel b(in s: stream int32[64], out y: window int32[64]) { source \"b.cc\" repetitions 3 }\n\
                  kernel c(in s: stream int32[128], out y: window int32[64]) { source \"c.cc\" }\n\
                  input i from gmio\noutput o[2] to gmio\nconnect i -> a.x\nconnect a.s -> b.s\nconnect a.t -> c.s\n\
                  connect b.y -> o[0]\nconnect c.y -> o[1]\n";
    let help = "such as `repetitions 2` in `a` and `repetitions 2` in `b`";
    assert!(check(design).err.contains(help), "{}", check(design).err);
    let cured =
        check(&design.replace("repetitions 1", "repetitions 2").replace("repetitions 3", "repetitions 2"));
    assert_eq!((cured.status, cured.err.trim()), (0, "[]"));
}

#[test]
fn a_cascade_begins_and_ends_at_kernels() {
    let design = "design d\ndevice xcvc1902\nkernel t(in c: cascade acc48, out y: window int32[64]) { source \"t.cc\" }\n\
                  input i from gmio\noutput o to gmio\nconnect i -> t.c\nconnect t.y -> o\n";
    let front = "put a kernel in front that takes the input as a window or stream and writes the cascade";
    let head = "kernel h(in x: window int32[64], out c: cascade acc48) { source \"h.cc\" }\nconnect i -> h.x\nconnect h.c -> t.c";
    follows(design, front, "connect i -> t.c", head);
    follows(
        design,
        "declare the port as a `stream` with a number of elements",
        "cascade acc48",
        "stream int32[64]",
    );
    let end = "design d\ndevice xcvc1902\nkernel t(in x: window int32[64], out c: cascade acc48) { source \"t.cc\" }\n\
               input i from gmio\noutput o to gmio\nconnect i -> t.x\nconnect t.c -> o\n";
    let tail = "kernel e(in c: cascade acc48, out y: window int32[64]) { source \"e.cc\" }\nconnect t.c -> e.c\nconnect e.y -> o";
    follows(end, "put a kernel behind it that reads the cascade", "connect t.c -> o", tail);
    let host = design.replace("from gmio", "from host");
    assert!(
        check(&host).err.contains("or connect another kernel: a cascade leads from core to core"),
        "{host}"
    );
}

/// A kernel `k` between `i` and `o`, and `lines`.
fn beside(lines: &str) -> String {
    format!(
        "design d\ndevice xcvc1902\nkernel k(in x: window int32[64], out y: window int32[64]) {{ source \"k.cc\" }}\n\
         input i from gmio\noutput o to gmio\nconnect i -> k.x\nconnect k.y -> o\n{lines}\n"
    )
}

#[test]
fn a_comparison_has_two_signs() {
    for (wrong, right) in [("=", "=="), ("=!", "!="), ("=>", ">="), ("=<", "<="), ("===", "=="), ("<>", "!=")]
    {
        let [wrong, right] = [wrong, right].map(|sign| format!("if 3 {sign} 3 {{ place k at (0, 0) }}"));
        follows(&beside(&wrong), "a comparison is written with", &wrong, &right);
    }
    follows(&beside("assert 1 = 1 \"m\""), "written with `==`, as in `N == 4`", "1 = 1", "1 == 1");
}

#[test]
fn a_component_is_set_by_a_table_with_a_name() {
    let list = |set: &str| {
        format!(
            "design d\ndevice xcvc1902\nconst TAPS = [1, 2, 3]\n\
             component f({set})(in x: window int32[64], out y: window int32[64]) {{\n\
             kernel m(in x: window int32[64], out y: window int32[64]) {{\n\
             source \"m.cc\" header \"m.h\" template (len(T)) arguments (T) }}\n\
             connect x -> m.x connect m.y -> y }}\n\
             instance a of f\ninput i from gmio\noutput o to gmio\nconnect i -> a.x\nconnect a.y -> o\n"
        )
    };
    let help =
        "give the table a name and write that: `const TAPS = [1, 2, 3]`, and `component fir(T = TAPS)`";
    for wrong in ["T = [1, 2, 3]", "T = from \"t.txt\""] {
        follows(&list(wrong), help, wrong, "T = TAPS");
    }
    let design = list("T = TAPS").replace("of f\n", "of f(T = [4, 5])\nconst OTHER = [4, 5]\n");
    follows(&design, help, "f(T = [4, 5])", "f(T = OTHER)");
}

#[test]
fn commas_separate_the_parts_of_a_list() {
    let table = |list: &str| beside(&format!("const T = {list}\nplace k at (T[0], 0)"));
    let comma = "a comma separates the parts of a list, as in `[1, 2, 3]`";
    for (wrong, help) in [
        ("[1 2, 3]", comma),
        ("[1, 2 3]", comma),
        ("[1; 2, 3]", comma),
        ("1, 2, 3", "a table is a list in brackets"),
        ("(1, 2, 3)", "a table is a list in brackets"),
        ("[1, , 2]", "leave it out: one comma separates"),
        ("[]", "a list has at least one number"),
    ] {
        follows(&table(wrong), help, wrong, "[1, 2, 3]");
    }
    let ports =
        "a comma separates the parts of a list, as in `(in x: window int32[64], out y: stream int32)`";
    follows(&beside("").replace("[64], out", "[64] out"), ports, "[64] out", "[64], out");
}

#[test]
fn a_word_of_another_construct_is_told_its_place() {
    let body = |word: &str| beside("").replace("source \"k.cc\"", &format!("source \"k.cc\" {word}"));
    for (word, help) in [
        ("windows 4", "`windows` stands behind an async end of a connection"),
        ("fifo 64", "`fifo` stands behind a connection"),
        ("margin 4", "`margin` stands behind the window of a port"),
        ("bank 1", "`bank` stands behind the tile of a `place`"),
        ("data int32[4]", "`data` stands in the braces of a collective"),
        ("golden \"o.txt\"", "`golden` stands behind the end of an input or output"),
        ("async", "`async` stands in front of a kernel's port"),
        ("keepout (0, 0)", "`keepout` is a declaration of its own"),
    ] {
        follows(&body(word), help, &format!(" {word}"), "");
    }
}

#[test]
fn a_split_gets_the_least_fifo_that_lets_its_packets_follow_each_other() {
    let design = "design h\ndevice xcvc1902\niterations 2\n\
                  kernel deal(in x: window int32[128], out p: packets int32[128]) { source \"k.cc\" }\n\
                  kernel w[4](in x: packets int32[32], out y: packets int32[32]) { source \"k.cc\" }\n\
                  kernel c(in p: packets int32[128], out y: window int32[128]) { source \"k.cc\" }\n\
                  input a from plio(32, \"a.txt\")\noutput y to plio(32, \"y.txt\")\n\
                  connect a -> deal.x\nconnect deal.p -> split w.x\n\
                  connect w[.. step 2].y, w[1.. step 2].y -> merge ordered c.p\nconnect c.y -> y\n";
    let help = "write `fifo 23` on the connection `deal.p -> w[1].x`";
    follows(design, help, "split w.x", "split w.x fifo 23");
    // The FIFO of a switch holds 16 words (AM009), and two of them serve any depth up to 32.
    assert!(check(&design.replace("split w.x", "split w.x fifo 16")).err.contains("check/may-hang"));
}

#[test]
fn words_of_newcomers_lead_to_those_of_the_language() {
    let one = beside("");
    let port = |port: &str| one.replace("(in x", &format!("({port}, in x"));
    for (wrong, help) in [
        ("in g: int32", "`parameter int32` from the host"),
        ("in g: uint8_t", "`parameter int32` from the host"),
        ("in t: async int32[4]", "`in taps: parameter int32[4] async`"),
    ] {
        let said = check(&port(wrong)).err;
        assert!(said.contains(help), "expected {help} in\n{said}");
    }
    let single = one.replace("source \"k.cc\"", "source 'k.cc'");
    follows(&single, "write `\"k.cc\"`: a text stands in double quotes", "'k.cc'", "\"k.cc\"");
    let split = one.replacen("-> ", "-> pktsplit ", 1);
    assert!(check(&split).err.contains("write `connect a -> split k[0..4].x`"), "{}", check(&split).err);
}

#[test]
fn an_instance_stands_for_no_kernel_of_it() {
    let help = "name one of its kernels, such as `a.k`";
    let line = "together a, a.l";
    follows(&around(WIRED, line), help, line, "together a.k, a.l");
}
