//! A client that speaks to `aiec lsp` over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server with the folder of its files.
pub struct Client {
    pub server: Child,
    pub input: ChildStdin,
    pub output: BufReader<ChildStdout>,
    pub folder: tempfile::TempDir,
    pub requests: i32,
    /// Notifications that came before the answer to a request.
    pub noted: Vec<Value>,
}

impl Client {
    /// The hints of the lines before `end`, each with its line.
    pub fn hints(&mut self, end: u32) -> Vec<String> {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": end, "character": 0}});
        let asked = json!({"textDocument": {"uri": self.uri("d.dsl")}, "range": range});
        let shown = |one: &Value| format!("{} {}", one["position"]["line"], one["label"].as_str().unwrap());
        self.ask("textDocument/inlayHint", &asked)["result"].as_array().unwrap().iter().map(shown).collect()
    }

    pub fn start(capabilities: &Value) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_aiec"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let folder = tempfile::tempdir().unwrap();
        let mut client = Self { server, input, output, folder, requests: 0, noted: Vec::new() };
        let answer = client.ask("initialize", &json!({"capabilities": capabilities}));
        assert_eq!(answer["result"]["serverInfo"]["name"], "aiec");
        client.tell("initialized", &json!({}));
        client
    }

    pub fn send(&mut self, text: &str) {
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    pub fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            if line.trim().is_empty() {
                break;
            }
            length = line.split(": ").nth(1).map_or(length, |text| text.trim().parse().unwrap());
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.noted.push(message);
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    pub fn open(&mut self, name: &str, text: &str) {
        let document = json!({"uri": self.uri(name), "languageId": "aiec", "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}));
    }

    pub fn change(&mut self, name: &str, version: i32, text: &str) {
        let document = json!({"uri": self.uri(name), "version": version});
        let changes = json!([{"text": text}]);
        self.tell("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics of a file that come next, as `LINE:COLUMN SLUG`.
    pub fn published(&mut self, name: &str) -> Vec<String> {
        let uri = self.uri(name);
        loop {
            let message = match self.noted.is_empty() {
                false => self.noted.remove(0),
                true => self.receive(),
            };
            if message["params"]["uri"] == uri.as_str() {
                let all = message["params"]["diagnostics"].as_array().unwrap().iter();
                let shown = all.map(|one| {
                    let start = &one["range"]["start"];
                    format!("{}:{} {}", start["line"], start["character"], one["code"].as_str().unwrap())
                });
                return shown.collect();
            }
        }
    }

    /// The result of a request at the first `words` in a text, `ahead` characters further.
    pub fn at(&mut self, method: &str, name: &str, text: &str, words: &str, ahead: usize) -> Value {
        let offset = text.find(words).unwrap() + ahead;
        let line = text[..offset].matches('\n').count();
        let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let mut params =
            json!({"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": column}});
        params["context"] = json!({"includeDeclaration": true, "triggerKind": 1});
        params["options"] = json!({"tabSize": 4, "insertSpaces": true});
        params["newName"] = json!("renamed");
        let answer = self.ask(method, &params);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    pub fn hover(&mut self, text: &str, words: &str, ahead: usize) -> String {
        let found = self.at("textDocument/hover", "d.dsl", text, words, ahead);
        found["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// Why the name at the start of `words` cannot be renamed to `new`.
    pub fn refused(&mut self, text: &str, words: &str, new: &str) -> String {
        let offset = text.find(words).unwrap();
        let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let position = json!({"line": text[..offset].matches('\n').count(), "character": column});
        let document = json!({"uri": self.uri("d.dsl")});
        let asked = json!({"textDocument": document, "position": position, "newName": new});
        let answer = self.ask("textDocument/rename", &asked);
        answer["error"]["message"].as_str().unwrap().to_owned()
    }

    pub fn completions(&mut self, text: &str, words: &str) -> Vec<String> {
        let found = self.at("textDocument/completion", "d.dsl", text, words, words.len());
        found.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect()
    }

    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", &Value::Null)["result"], Value::Null);
        self.tell("exit", &Value::Null);
        assert!(self.server.wait().unwrap().success());
    }
}

/// `LINE:COLUMN` of the starts of locations.
pub fn starts(locations: &Value) -> Vec<String> {
    let all = locations.as_array().unwrap().iter();
    all.map(|one| format!("{}:{}", one["range"]["start"]["line"], one["range"]["start"]["character"]))
        .collect()
}
