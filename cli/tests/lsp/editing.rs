//! What expressions know at their place, hovers of components and parameters, and swapped ends.

use serde_json::json;

use crate::client::Client;

/// Families with named indices, tables, and a component with settings.
const GRID: &str = "\
design grid
device xcvc1902
const N = 4
const TABLE = [1, 2, 3, 4]
kernel pe[r: 2][c: N] { source \"pe.cc\" }
kernel row[r: 2] { source \"row.cc\" }
component fir(TAPS = 8, SHIFT = 2 * N)(in x: stream int32, out y: stream int32) {
    const WEIGHTS = [TAPS, 1]
    const DEEP = 2 * TAPS
    kernel k(in x: stream int32, out y: stream int32) { source \"k.cc\" }
    connect x -> k.x
    connect k.y -> y
}
";

#[test]
fn expressions_of_collectives_have_their_indices_and_variables() {
    let text = format!(
        "{GRID}channel one over pe {{ data int32[4] to (\nsendrecv two over row {{ to \n\
         reduce three over pe, row {{ op sum reference \nreduce four over pe {{ op sum calls \n\
         kernel half[k: 3] {{ repetitions \n"
    );
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", &text);
    let mut values = |words: &str| -> Vec<String> {
        let known = ["N", "TABLE", "c", "call", "i", "k", "r", "rank"];
        let all = client.completions(&text, words);
        all.into_iter().filter(|name| known.contains(&name.as_str())).collect()
    };
    assert_eq!(values("to ("), ["N", "TABLE", "c", "r", "rank"]);
    assert_eq!(values("over row { to "), ["N", "TABLE", "r", "rank"]);
    assert_eq!(values("sum reference "), ["N", "TABLE", "call", "i", "r", "rank"], "what both families name");
    assert_eq!(values("sum calls "), ["N", "TABLE"]);
    assert_eq!(values("repetitions "), ["N", "TABLE", "k"]);
    client.end();
}

#[test]
fn settings_and_tables_are_completed() {
    let text = format!(
        "{GRID}instance a[p: 2] of fir(TAPS = \ninstance b of fir(TAPS = 4, S\ninstance f of fir(\n\
         const LAST = len(T\n"
    );
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", &text);
    assert_eq!(client.completions(&text, "f of fir("), ["SHIFT", "TAPS"]);
    assert_eq!(client.completions(&text, "b of fir(TAPS = 4, "), ["SHIFT"]);
    assert_eq!(client.completions(&text, "of fir(TAPS = "), ["N", "TABLE", "p", "len", "max", "min"]);
    assert_eq!(client.completions(&text, "LAST = len("), ["TABLE"]);
    let found = client.at("textDocument/completion", "d.dsl", &text, "LAST = ", 7);
    let table = found.as_array().and_then(|all| all.iter().find(|one| one["label"] == "TABLE"));
    assert_eq!(table.map(|one| &one["detail"]), Some(&json!("table")));
    let inside =
        text.replace("repetitions", "").replace("{ source \"k.cc\" }", "{ source \"k.cc\" repetitions len(W");
    client.change("d.dsl", 2, &inside);
    let tables = client.completions(&inside, "repetitions len(");
    assert!(tables.contains(&"TABLE".to_owned()), "{tables:?}");
    client.end();
}

#[test]
fn constants_of_components_have_values() {
    let two = format!(
        "{GRID}instance a of fir(TAPS = 2)\ninstance b of fir(TAPS = 16)\ninput i[2] from gmio\n\
         output o[2] to gmio\nconnect i[0] -> a.x\nconnect i[1] -> b.x\nconnect a.y -> o[0]\nconnect b.y -> o[1]\n"
    );
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", &two);
    for (words, value) in [
        ("TAPS = 8", "value 8 with the default settings"),
        ("SHIFT = 2", "value 8 in all instances"),
        ("DEEP =", "value 16 with the default settings"),
        ("WEIGHTS =", "value [8, 1] with the default settings"),
        ("TABLE =", "value [1, 2, 3, 4]"),
    ] {
        let hover = client.hover(&two, words, 1);
        assert!(hover.ends_with(&format!("```\n- {value}\n")), "{words}: {hover}");
    }
    let alike = two.replace("TAPS = 2)", "TAPS = 16)");
    client.change("d.dsl", 2, &alike);
    for (words, value) in [
        ("TAPS = 8", "value 16 in all instances"),
        ("DEEP =", "value 32 in all instances"),
        ("WEIGHTS =", "value [16, 1] in all instances"),
    ] {
        let hover = client.hover(&alike, words, 1);
        assert!(hover.ends_with(&format!("```\n- {value}\n")), "{words}: {hover}");
    }
    // Without a design, nobody knows what instances set.
    let part = two[two.find("component").unwrap()..two.find("instance").unwrap()].replace("2 * N", "3");
    client.open("part.dsl", &format!("device xcvc1902\n{part}"));
    let alone = client.at("textDocument/hover", "part.dsl", &format!("device xcvc1902\n{part}"), "DEEP", 1);
    let shown = alone["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(shown.contains("- value 16 with the default settings"), "{shown}");
    client.end();
}

#[test]
fn parameters_and_their_connections_have_hovers() {
    let text = "design d\ndevice xcvc1902\nkernel a[2](in g: parameter int32[16] async, in s: parameter int32, \
                out y: window int32[8], out p: parameter int32) { source \"a.cc\" }\n\
                kernel b[2](in p: parameter int32 async) { source \"b.cc\" }\n\
                input gain from host initial 3\ninput step[2] from host(\"step_{}.txt\")\noutput y[2] to gmio\n\
                connect gain -> a.g\nconnect step -> a.s\nconnect a.y -> y\nconnect a.p -> b.p\n";
    let text = text.replace("initial 3", "initial [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8]");
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", &text);
    for (words, lines) in [
        (
            "connect gain",
            "- 2 connections\n- `parameter int32[16]`, 64 B in each of 2 buffers\n- each run takes the latest value\n\
             - the host writes it in the memory of the array, without DMA\n",
        ),
        (
            "connect step",
            "- 2 connections\n- `parameter int32`, 4 B in each of 2 buffers\n- each run waits for a new value\n- the host",
        ),
        (
            "connect a.p",
            "- 2 connections\n- `parameter int32`, 4 B in each of 2 buffers\n- each run takes the latest value\n",
        ),
        (
            "gain from",
            "- 1 instance\n- `parameter int32[16]`, 64 B in each of 2 buffers\n- each run takes the latest value\n- one value for all runs\n",
        ),
        ("step[2]", "- each run waits for a new value\n- values of each run in files such as `step_0.txt`\n"),
    ] {
        let hover = client.hover(&text, words, 1);
        assert!(hover.contains(lines), "{words}: {hover}");
    }
    client.end();
}

#[test]
fn reversed_ends_are_swapped_by_a_code_action() {
    let text = "design d\ndevice xcvc1902\nkernel a[2](in x: window int32[8], out y: window int32[8]) { source \"a.cc\" }\n\
                input i from gmio\noutput o to gmio\nconnect a[0].x -> i // first\nconnect a[0].y -> a[1].x\nconnect a[1].y -> o\n";
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", text);
    for column in [9, 18] {
        let at = json!({"line": 5, "character": column});
        let asked = json!({"textDocument": {"uri": client.uri("d.dsl")}, "range": {"start": at, "end": at},
                           "context": {"diagnostics": []}});
        let actions = client.ask("textDocument/codeAction", &asked)["result"].clone();
        assert_eq!(actions[0]["title"], "write `i -> a[0].x`", "{column}: {actions}");
        let edits = &actions[0]["edit"]["changes"][client.uri("d.dsl")];
        let edits = edits.as_array().unwrap().iter().map(|edit| edit["newText"].as_str().unwrap().to_owned());
        assert_eq!(edits.collect::<Vec<_>>(), ["i", "a[0].x"]);
    }
    client.end();
}
