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
