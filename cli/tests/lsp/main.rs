//! `aiec lsp`, spoken to over its standard input and output like an editor does.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests start the program and write files")]

mod client;
mod editing;
mod half;

use serde_json::{Value, json};

use client::{Client, starts};

/// A design with a constant, a family, a collective and two connections.
const DESIGN: &str = "\
design sums
device xcvc1902
const N = 4
const BLOCK = 16 * N
kernel scale[N](in x: window int32[BLOCK], out y: window int32[BLOCK]) { source \"scale.cc\" }
kernel worker[N] { source \"worker.cc\" stack 8 KiB }
reduce total over worker { op sum data int32[1024] window int32[256] shape tree arity 2 }
input a[N] from gmio
output b[N] to gmio
output sum to gmio
connect a -> scale.x
connect scale.y -> b
connect total.result -> sum
";

#[test]
fn faults_are_published_as_the_text_changes() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", DESIGN);
    assert_eq!(client.published("d.dsl"), [""; 0]);
    let wrong = DESIGN.replace("scale.y -> b", "scale.y -> /* \u{1f600} */ c");
    client.change("d.dsl", 2, &wrong);
    assert_eq!(client.published("d.dsl"), ["11:28 lower/unknown-name"], "columns are units of UTF-16");
    // A half-typed line costs its own item: the other fault stays, and nothing follows from it.
    client.change("d.dsl", 3, &wrong.replace("kernel worker[N] {", "kernel worker[N {"));
    assert_eq!(client.published("d.dsl"), ["5:16 parse/syntax", "11:28 lower/unknown-name"]);
    client.change("d.dsl", 4, DESIGN);
    assert_eq!(client.published("d.dsl"), [""; 0]);
    let document = json!({"uri": client.uri("d.dsl"), "version": 5});
    let range = json!({"start": {"line": 2, "character": 10}, "end": {"line": 2, "character": 11}});
    let changes = json!([{"range": range, "text": "M"}]);
    client.tell("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    assert_eq!(client.published("d.dsl"), ["2:10 lower/unknown-name"]);
    client.tell("textDocument/didClose", &json!({"textDocument": {"uri": client.uri("d.dsl")}}));
    assert_eq!(client.published("d.dsl"), [""; 0]);
    client.end();
}

#[test]
fn a_client_that_offers_bytes_gets_them() {
    let mut client = Client::start(&json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}}));
    client.open("d.dsl", &DESIGN.replace("scale.y -> b", "scale.y -> /* \u{1f600} */ c"));
    assert_eq!(client.published("d.dsl"), ["11:30 lower/unknown-name"]);
    client.end();
}

#[test]
fn faults_of_imported_files_stand_there_and_open_texts_count() {
    let mut client = Client::start(&json!({}));
    let part = "device xcvc1902\ncomponent part()(in x: window int32[8], out y: window int32[8]) {\n    \
                kernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }\n    \
                connect x -> k.x\n    connect k.y -> y\n}\n";
    let part = part.replace("part()", "part");
    std::fs::write(client.path("part.dsl"), &part).unwrap();
    let design = "import \"part.dsl\"\ndesign d\ndevice xcvc1902\ninstance one of part\ninput a from gmio\n\
                  output b to gmio\nconnect a -> one.x\nconnect one.y -> b\n";
    client.open("d.dsl", design);
    assert_eq!(client.published("d.dsl"), [""; 0]);
    // The text of the editor, which is not saved.
    client.open("part.dsl", &part.replace("connect k.y -> y", "connect k.z -> y"));
    assert_eq!(client.published("part.dsl"), ["4:14 lower/unknown-port"]);
    let used = client.at("textDocument/references", "d.dsl", design, "one.x", 4);
    assert_eq!(starts(&used), ["6:17", "1:18", "3:12"], "a port of the component: {used}");
    let declared = client.at("textDocument/definition", "d.dsl", design, "of part", 4);
    assert_eq!(
        (declared[0]["uri"].as_str(), starts(&declared)),
        (Some(client.uri("part.dsl").as_str()), vec!["1:10".to_owned()])
    );
    client.end();
}

#[test]
fn names_are_found_and_renamed_in_files_of_the_workspace_that_are_not_open() {
    let mut client = Client::start(&json!({}));
    let part = "device xcvc1902\ncomponent part(in x: window int32[8], out y: window int32[8]) {\n    \
                kernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }\n    \
                connect x -> k.x\n    connect k.y -> y\n}\n";
    let design = "import \"../part.dsl\"\ndesign d\ndevice xcvc1902\ninstance one of part\ninput a from gmio\n\
                  output b to gmio\nconnect a -> one.x\nconnect one.y -> b\n";
    std::fs::create_dir(client.path("sub")).unwrap();
    for (name, text) in [("part.dsl", part), ("sub/d.dsl", design)] {
        std::fs::write(client.path(name), text).unwrap();
    }
    client.open("part.dsl", part);
    let component =
        |client: &mut Client| client.at("textDocument/references", "part.dsl", part, "component part", 10);
    assert_eq!(starts(&component(&mut client)), ["1:10"]);
    let folder = json!([{"uri": client.uri(""), "name": "mine"}]);
    let added = json!({"event": {"added": folder, "removed": []}});
    client.tell("workspace/didChangeWorkspaceFolders", &added);
    let used = component(&mut client);
    assert_eq!(starts(&used), ["1:10", "3:16"], "{used}");
    assert_eq!(used[1]["uri"], client.uri("sub/d.dsl").as_str());
    let edit = client.at("textDocument/rename", "part.dsl", part, "in x", 3);
    assert_eq!(starts(&edit["changes"][client.uri("sub/d.dsl")]), ["6:17"], "{edit}");
    assert_eq!(starts(&edit["changes"][client.uri("part.dsl")]), ["1:18", "3:12"], "{edit}");
    let removed = json!({"event": {"added": [], "removed": folder}});
    client.tell("workspace/didChangeWorkspaceFolders", &removed);
    assert_eq!(starts(&component(&mut client)), ["1:10"]);
    client.end();
}

#[test]
fn names_are_found_renamed_and_listed() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", DESIGN);
    assert_eq!(starts(&client.at("textDocument/definition", "d.dsl", DESIGN, "scale.y", 2)), ["4:7"]);
    let used = client.at("textDocument/references", "d.dsl", DESIGN, "const N", 6);
    assert_eq!(starts(&used), ["2:6", "3:19", "4:13", "5:14", "7:8", "8:9"]);
    let edit = client.at("textDocument/rename", "d.dsl", DESIGN, "scale.x", 6);
    let edits = edit["changes"][client.uri("d.dsl")].clone();
    assert_eq!(starts(&edits), ["4:19", "10:19"], "the port, not the kernel: {edit}");
    let listed = client.at("textDocument/documentSymbol", "d.dsl", DESIGN, "design", 0);
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["sums", "N", "BLOCK", "scale", "worker", "total", "a", "b", "sum"]);
    assert_eq!(listed[3]["children"][1]["name"], "y");
    let taken = json!({"textDocument": {"uri": client.uri("d.dsl")}, "position": {"line": 2, "character": 6}, "newName": "BLOCK"});
    let refused = client.ask("textDocument/rename", &taken);
    assert_eq!(refused["error"]["message"], "there is a const `BLOCK` already");
    for (line, column, name, reason) in [
        (4, 7, "class", "`class` cannot be the name of a kernel: the word has a meaning of its own in C++"),
        (4, 7, "x", "there is a port `x` already"),
        (4, 19, "scale", "there is a kernel `scale` already"),
        (
            7,
            6,
            "a__b",
            "`a__b` cannot be the name of an input: C++ reserves names with two underscores in a row",
        ),
        (4, 19, "input", "`input` is a word of the language; choose another name"),
    ] {
        let asked = json!({"textDocument": {"uri": client.uri("d.dsl")}, "position": {"line": line, "character": column}, "newName": name});
        let refused = client.ask("textDocument/rename", &asked);
        assert_eq!(refused["error"]["message"], reason);
    }
    client.end();
}

#[test]
fn hovers_show_values_sizes_and_ranks() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", DESIGN);
    assert!(client.hover(DESIGN, "BLOCK]", 1).contains("- value 64\n"));
    let kernel = client.hover(DESIGN, "scale.y", 1);
    assert!(
        kernel.contains("- 4 instances\n- `x: window int32[64]`, 256 B in each of 2 buffers"),
        "{kernel}"
    );
    let worker = client.hover(DESIGN, "worker {", 1);
    assert!(worker.contains("- ranks 0 to 3 of 4 in `total`: "), "{worker}");
    let total = client.hover(DESIGN, "total over", 1);
    assert!(
        total.contains("reduce over 4 ranks") && total.contains("4 KiB), in 4 windows of `int32[256]`"),
        "{total}"
    );
    let connect = client.hover(DESIGN, "connect scale", 1);
    assert!(connect.contains("- 4 connections\n- `window int32[64]`"), "{connect}");
    // With a name that nothing has, the other connections and kernels keep theirs.
    let unknown = DESIGN.replace("connect total.result", "connect totale.result");
    client.change("d.dsl", 2, &unknown);
    let connect = client.hover(&unknown, "connect scale", 1);
    assert!(connect.contains("- 4 connections\n- `window int32[64]`"), "{connect}");
    let wrong = DESIGN.replace("data int32[1024]", "data int33[1024]");
    client.change("d.dsl", 3, &wrong);
    let connect = client.hover(&wrong, "connect a", 1);
    assert!(connect.contains("- 4 connections\n- `window int32[64]`"), "{connect}");
    // With a broken line the other items keep their hovers.
    let broken = DESIGN.replace("output sum to gmio", "output sum to gm");
    client.change("d.dsl", 4, &broken);
    assert!(client.hover(&broken, "BLOCK]", 1).contains("- value 64\n"));
    assert!(client.hover(&broken, "scale.y", 1).contains("- 4 instances\n"));
    // Sizes are those of the text as it is, and no fault tells of ports that the line may connect.
    let half = DESIGN.replace("16 * N", "32 * N").replace("connect scale.y -> b", "connect scale.y ->");
    client.noted.clear();
    client.change("d.dsl", 5, &half);
    let kernel = client.hover(&half, "scale[N]", 1);
    assert!(kernel.contains("`y: window int32[128]`, 512 B"), "{kernel}");
    let said = client.published("d.dsl");
    assert!(said.len() == 1 && said[0].ends_with(" parse/syntax"), "{said:?}");
    client.end();
}

#[test]
fn the_grammar_says_what_may_be_completed() {
    let mut client = Client::start(&json!({}));
    let text =
        format!("{DESIGN}connect scale.\nconnect tot -> \nplace worker[ at (1, 1)\nkernel k {{ st }}\n");
    client.open("d.dsl", &text);
    assert_eq!(client.completions(&text, "connect scale.\n".trim_end()), ["y"]);
    let ends = client.completions(&text, "connect tot -> ");
    assert!(ends.contains(&"scale".to_owned()) && ends.contains(&"async".to_owned()), "{ends:?}");
    assert!(!ends.contains(&"N".to_owned()), "a constant is no end");
    // Data goes from inputs, kernels with outputs and collectives to kernels and outputs.
    let named = |ends: &[String]| -> Vec<String> {
        let names = ["a", "b", "scale", "sum", "total", "worker"];
        ends.iter().filter(|end| names.contains(&end.as_str())).cloned().collect()
    };
    assert_eq!(named(&ends), ["b", "scale", "sum"]);
    assert_eq!(named(&client.completions(&text, "connect ")), ["a", "scale", "total"]);
    let placed = named(&client.completions(&text, "place "));
    assert_eq!(placed, ["a", "b", "scale", "sum", "worker"], "a placement has no direction");
    assert_eq!(client.completions(&text, "-> scale."), ["x"]);
    assert!(client.completions(&text, "place worker[").contains(&"BLOCK".to_owned()));
    assert!(client.completions(&text, "kernel k { st").contains(&"stack".to_owned()));
    assert!(client.completions(&text, "data ").contains(&"cint16".to_owned()));
    assert!(client.completions(&text, "op ").contains(&"sum".to_owned()));
    assert!(client.completions(&text, "device ").contains(&"xcvc1902".to_owned()));
    let words = client.completions(&text, "gmio\noutput sum to gmio\n");
    assert!(words.contains(&"keepout".to_owned()), "{words:?}");
    client.end();
}

/// A design with messages between kernels.
const MESSAGES: &str = "\
design talk
device xcvc1902
ports window
const BLOCK = 8
kernel cell[4] { source \"cell.cc\" }
kernel keeper(out y: window int32[4]) { source \"keeper.cc\" }
channel ring over cell { data int32[16] shift 1 depth 9 }
mailbox box over cell { root keeper max 64 B }
active store on keeper from cell {
    handler put(slot: int32, values: int32[BLOCK])
    handler get(slot: int32) -> int32
    buffer table: int32[BLOCK]
}
output y to gmio
connect keeper.y -> y
";

#[test]
fn every_size_that_names_give_has_a_hint() {
    let design = "design d\ndevice xcvc1902\nconst N = 8\niterations N * 2\n\
                  kernel a(in p: parameter int32[N], out y: stream int32[N * 2]) { source \"a.cc\" stack N KiB }\n\
                  kernel b(in x: stream int32[N * 2], in w: window int32[64] margin N) { source \"b.cc\" }\n\
                  connect a.y -> b.x fifo N * 4\n";
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", design);
    let hints = client.hints(8).join("; ");
    let ports =
        "4 = 8 elements, 32 B; 4 = 16 elements, 64 B; 4 = 8 KiB; 5 = 16 elements, 64 B; 5 = 256 B; 5 = 8";
    assert_eq!(hints, format!("3 = 16; {ports}; 6 = 32"));
    client.end();
}

#[test]
fn active_messages_have_names_hovers_and_hints() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", MESSAGES);
    let listed = client.at("textDocument/documentSymbol", "d.dsl", MESSAGES, "design", 0);
    let store = &listed[6];
    let inside: Vec<&str> =
        store["children"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!((&store["name"], inside), (&json!("store"), vec!["put", "get", "table"]));
    assert_eq!(store["children"][0]["children"][1]["name"], "values");
    for (words, places) in [("put(", ["9:12"]), ("slot: int32)", ["10:16"]), ("table", ["11:11"])] {
        assert_eq!(starts(&client.at("textDocument/definition", "d.dsl", MESSAGES, words, 1)), places);
        assert_eq!(starts(&client.at("textDocument/references", "d.dsl", MESSAGES, words, 1)), places);
    }
    for (words, lines) in [
        ("put(", "- request of at most 40 B, no reply\n- served by `keeper`\n"),
        ("get(", "- request of 8 B, reply `int32`\n- served by `keeper`\n"),
        ("table", "- 32 B at the owner `keeper`\n- clients call `put_table` and `get_table`\n"),
        (
            "store on",
            "- owner `keeper`, 4 clients\n- largest request 40 B, largest reply 32 B\n- handler `put`, \
             request of at most 40 B, no reply\n- handler `get`, request of 8 B, reply `int32`\n- buffer \
             `table: int32[8]`, 32 B at the owner\n",
        ),
        ("box over", "- `keeper` takes the messages of 4 other kernels\n- largest message 64 B\n"),
        (
            "ring over",
            "- channel over 4 ranks, 4 pairs of a sender and a receiver\n- at most `int32[16]` (64 B) in one \
             opening\n- depth 9 words of FIFO on each way\n",
        ),
    ] {
        let hover = client.hover(MESSAGES, words, 1);
        assert!(hover.ends_with(&format!("```\n{lines}")), "{hover}");
    }
    let cell = client.hover(MESSAGES, "cell[4]", 1);
    assert!(!cell.contains("the root"), "{cell}");
    let hints = client.hints(12);
    assert!(hints.ends_with(&["9 = 8 elements, 32 B".into(), "11 = 8 elements, 32 B".into()]), "{hints:?}");
    for (words, name, reason) in [
        (
            "get(",
            "serve",
            "`serve` cannot be the name of a handler: the header library uses this name in what clients call",
        ),
        ("get(", "put", "there is a handler `put` already"),
    ] {
        assert_eq!(client.refused(MESSAGES, words, name), reason);
    }
    // A half-typed line in front of them costs none.
    for (version, half) in [(2, "connect keeper."), (3, "together cell,"), (4, "reduce r over")] {
        let text = MESSAGES.replace("mailbox box", &format!("{half}\nmailbox box"));
        client.change("d.dsl", version, &text);
        let hover = client.hover(&text, "box over", 1);
        assert!(hover.contains("largest message 64 B"), "{half}: {hover}");
    }
    client.end();
}

#[test]
fn completions_are_what_the_operation_has() {
    let mut client = Client::start(&json!({}));
    let ends = "mailbox m over cell { \nchannel c over cell { \nclock t over cell { shape \n\
                connect \nactive z on \nchannel d over cell { peers \nallow \"\nvitis \"\n\
                reduce r over cell { op sum calls max(1, 2) ";
    let text = format!("{MESSAGES}{ends}");
    client.open("d.dsl", &text);
    assert_eq!(client.completions(&text, "mailbox m over cell { "), ["max", "root"]);
    let channel = client.completions(&text, "channel c over cell { ");
    assert_eq!(channel, ["calls", "data", "depth", "packet", "peers", "root", "shift", "to"]);
    let shapes = client.completions(&text, "shape ");
    assert_eq!(shapes, ["auto", "binomial", "butterfly", "chain", "hub", "tree"]);
    let ends = client.completions(&text, "{ shape \nconnect ");
    assert_eq!(ends, ["keeper", "async"], "channels and mailboxes have no ports");
    assert_eq!(client.completions(&text, "active z on "), ["cell", "keeper"]);
    assert_eq!(client.completions(&text, "peers "), ["any"]);
    let slugs = client.completions(&text, "allow \"");
    assert!(slugs.contains(&"check/may-hang".to_owned()), "{slugs:?}");
    assert!(!slugs.contains(&"lower/bad-value".to_owned()), "an error cannot be allowed");
    assert!(client.completions(&text, "vitis \"").contains(&"2023.2".to_owned()));
    let properties = client.completions(&text, "calls max(1, 2) ");
    assert!(properties.contains(&"shape".to_owned()) && !properties.contains(&"max".to_owned()));
    let values = client.completions(&text, "op sum calls ");
    assert!(values.contains(&"max".to_owned()), "the function");
    client.end();
}

#[test]
fn a_text_is_formatted_where_it_differs() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", "design d\ndevice   toy\n\nconst A = 1\n");
    let edits = client.at("textDocument/formatting", "d.dsl", "d", "d", 0);
    let range = json!({"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}});
    assert_eq!(edits, json!([{"range": range, "newText": "device toy\n"}]));
    client.change("d.dsl", 2, "design\n");
    assert_eq!(client.at("textDocument/formatting", "d.dsl", "d", "d", 0), Value::Null, "a text with errors");
    client.end();
}

#[test]
fn remedies_are_offered_as_edits() {
    let mut client = Client::start(&json!({}));
    let wrong = DESIGN.replace("scale.y -> b", "scal.y -> b");
    client.open("d.dsl", &wrong);
    let range = json!({"start": {"line": 11, "character": 9}, "end": {"line": 11, "character": 9}});
    let asked =
        json!({"textDocument": {"uri": client.uri("d.dsl")}, "range": range, "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", &asked)["result"].clone();
    assert_eq!(actions[0]["title"], "write `scale`", "{actions}");
    let edit = &actions[0]["edit"]["changes"][client.uri("d.dsl")][0];
    let expected = json!({"start": {"line": 11, "character": 8}, "end": {"line": 11, "character": 12}});
    assert_eq!((&edit["newText"], &edit["range"]), (&json!("scale"), &expected));
    assert_eq!(actions[0]["diagnostics"][0]["code"], "lower/unknown-name");
    client.end();
}

#[test]
fn sources_of_kernels_are_compiled_when_a_design_is_saved() {
    let mut client = Client::start(&json!({}));
    let source = "#include <adf.h>\nvoid scale(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { nothing; }\n";
    std::fs::write(client.path("scale.cc"), source).unwrap();
    client.open("d.dsl", DESIGN);
    client.tell("textDocument/didSave", &json!({"textDocument": {"uri": client.uri("d.dsl")}}));
    let found = client.published("scale.cc");
    assert!(found.len() == 1 && found[0].starts_with("1:"), "{found:?}");
    std::fs::write(client.path("scale.cc"), source.replace("nothing;", "")).unwrap();
    client.tell("textDocument/didSave", &json!({"textDocument": {"uri": client.uri("d.dsl")}}));
    assert_eq!(client.published("scale.cc"), [""; 0]);
    client.end();
}

/// A larger stack is an edit of the design, though the array that needs it stands in the kernel.
#[test]
fn remedies_of_what_kernels_need_are_offered_in_the_design() {
    let mut client = Client::start(&json!({}));
    let source = "#include <adf.h>\nvoid scale(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {\n    \
                  volatile int32 all[2000];\n    all[x.data()[0]] = 1;\n    y.data()[0] = all[x.data()[1]];\n}\n";
    std::fs::write(client.path("scale.cc"), source).unwrap();
    let design = DESIGN.replace("source \"scale.cc\"", "source \"scale.cc\" stack 1 KiB");
    client.open("d.dsl", &design);
    client.tell("textDocument/didSave", &json!({"textDocument": {"uri": client.uri("d.dsl")}}));
    let found = client.published("scale.cc");
    assert!(found.len() == 1, "{found:?}");
    let line = design.lines().position(|line| line.contains("stack 1 KiB")).expect("the stack");
    let start = design.lines().nth(line).and_then(|line| line.find("1 KiB")).expect("the stack");
    let at = json!({"line": line, "character": start + 1});
    let asked = json!({"textDocument": {"uri": client.uri("d.dsl")}, "range": {"start": at, "end": at},
                       "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", &asked)["result"].clone();
    assert_eq!(actions[0]["diagnostics"][0]["code"], "check/kernel-stack", "{actions}");
    let edit = &actions[0]["edit"]["changes"][client.uri("d.dsl")][0];
    assert!(edit["newText"].as_str().is_some_and(|text| text.contains('8')), "{actions}");
    // They are offered at the fault, too, in a file that is no document of the server.
    let line: u32 = found[0].split(':').next().and_then(|line| line.parse().ok()).expect("a line");
    let at = json!({"line": line, "character": 4});
    let asked = json!({"textDocument": {"uri": client.uri("scale.cc")}, "range": {"start": at, "end": at},
                       "context": {"diagnostics": []}});
    let there = client.ask("textDocument/codeAction", &asked)["result"].clone();
    assert_eq!(there[0]["edit"], actions[0]["edit"], "{there}");
    client.end();
}

#[test]
fn what_is_no_request_is_answered_and_the_server_goes_on() {
    let mut client = Client::start(&json!({}));
    assert_eq!(client.ask("textDocument/unheardOf", &json!({}))["error"]["code"], -32601);
    assert_eq!(client.ask("textDocument/hover", &json!({"position": 4}))["error"]["code"], -32602);
    client.tell("$/unknown", &json!({}));
    client.tell("textDocument/didChange", &json!({"textDocument": 3}));
    client.send("{\"x\": ");
    assert_eq!(client.receive()["error"]["code"], -32700);
    client.open("d.dsl", "design \u{1f600}\n\"");
    let far = json!({"textDocument": {"uri": client.uri("d.dsl")}, "position": {"line": 4_000_000_000_u32, "character": 7}});
    assert_eq!(client.ask("textDocument/hover", &far)["result"], Value::Null);
    let other = json!({"textDocument": {"uri": "untitled:one"}, "position": {"line": 0, "character": 0}});
    assert_eq!(client.ask("textDocument/completion", &other)["result"], Value::Null);
    client.end();
    let early = Client::start(&json!({}));
    drop(early.input);
    let mut server = early.server;
    assert_eq!(server.wait().unwrap().code(), Some(1), "the client left without `shutdown`");
}
