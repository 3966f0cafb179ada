//! The server with a compiler that finds nothing, and events that wait in a queue.

use std::cell::RefCell;
use std::sync::mpsc::channel;

use serde_json::json;

use super::*;

/// Reads the design alone, and notes what is to be inspected.
#[derive(Default)]
struct Noting(RefCell<Vec<PathBuf>>);

impl Compiler for Noting {
    fn check(&self, design: &Path, open: &Texts) -> Found {
        let mut found = Found::default();
        found.sources.add(design.display().to_string(), open[design].clone());
        found
    }

    fn texts(&self, _: &Path) -> Texts {
        Texts::new()
    }

    fn text(&self, _: &Path) -> Option<String> {
        None
    }

    fn inspect(&self, design: &Path, _: &Texts) {
        self.0.borrow_mut().push(design.to_path_buf());
    }
}

fn note(method: &str, params: Value) -> Event {
    Event::Incoming(Incoming::Message(Message::Notification(Notification::new(method.to_owned(), params))))
}

#[test]
fn a_design_that_is_saved_before_it_was_checked_is_inspected() {
    let initialize = Request::new(RequestId::from(1), "initialize".to_owned(), json!({"capabilities": {}}));
    let document = json!({"uri": "file:///d.dsl", "languageId": "aiec", "version": 1, "text": "design d"});
    let saved = json!({"textDocument": {"uri": "file:///d.dsl"}});
    let (events, incoming) = channel();
    for event in [
        Event::Incoming(Incoming::Message(Message::Request(initialize))),
        note("textDocument/didOpen", json!({"textDocument": document})),
        note("textDocument/didSave", saved),
    ] {
        events.send(event).expect("the server has not ended");
    }
    drop(events);
    let compiler = Noting::default();
    assert!(!serve(&incoming, &mut Vec::new(), &compiler).expect("a vector takes all"));
    assert_eq!(compiler.0.take(), [PathBuf::from("/d.dsl")]);
}
