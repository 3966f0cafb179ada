//! The loop of the server: changes of documents, requests, and what is published.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as note, Notification as _};
use lsp_types::request::{self as ask, Request as _};
use lsp_types::{
    CodeActionProviderCapability, CompletionOptions, DidChangeTextDocumentParams,
    DidChangeWorkspaceFoldersParams, HoverProviderCapability, InitializeParams, InitializeResult, OneOf,
    PositionEncodingKind, PublishDiagnosticsParams, RenameOptions, SaveOptions, ServerCapabilities,
    ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::publish::{Address, Published, beyond, published};
use crate::text::{Encoding, Lines};
use crate::uri::{path_of, uri_of};
use crate::world::{Document, Root, World};
use crate::{Compiler, Event, Found, Incoming, Texts, actions, complete, edits, hints, hover, symbols};

/// Serves a client until it says `exit` or its stream ends. Returns true if it said `shutdown`
/// before.
///
/// # Errors
/// An answer cannot be written.
pub fn serve(events: &Receiver<Event>, out: &mut dyn Write, compiler: &dyn Compiler) -> io::Result<bool> {
    let mut server = Server {
        compiler,
        out,
        state: State::New,
        encoding: Encoding::default(),
        folders: BTreeSet::new(),
        documents: BTreeMap::new(),
        roots: BTreeMap::new(),
        changed: BTreeSet::new(),
        world: None,
        published: Published::new(),
    };
    let mut pending: VecDeque<Event> = VecDeque::new();
    while let Ok(event) = events.recv() {
        pending.push_back(event);
        while let Some(event) = pending.pop_front() {
            pending.extend(events.try_iter());
            match server.event(event, &pending)? {
                Flow::Continue => {}
                Flow::End => return Ok(server.state == State::ShutDown),
            }
        }
        server.check_changed()?;
    }
    Ok(server.state == State::ShutDown)
}

/// What the client may ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before `initialize`.
    New,
    Running,
    /// After `shutdown`.
    ShutDown,
}

enum Flow {
    Continue,
    End,
}

/// An answer, or the code and the reason of an error.
type Answer = Result<Value, (ErrorCode, String)>;

struct Server<'a> {
    compiler: &'a dyn Compiler,
    out: &'a mut dyn Write,
    state: State,
    encoding: Encoding,
    /// The folders of the workspace.
    folders: BTreeSet<PathBuf>,
    documents: BTreeMap<PathBuf, Document>,
    /// Results for each open document.
    roots: BTreeMap<PathBuf, Root>,
    /// Documents whose results are older than a text that they depend on.
    changed: BTreeSet<PathBuf>,
    /// Trees and names of the texts. None when a text has changed since.
    world: Option<World>,
    /// What the client shows.
    published: Published,
}

impl Server<'_> {
    fn event(&mut self, event: Event, pending: &VecDeque<Event>) -> io::Result<Flow> {
        match event {
            Event::Closed => return Ok(Flow::End),
            Event::Inspected(design, found) => self.inspected(&design, found)?,
            Event::Incoming(Incoming::Malformed(reason)) => {
                // The protocol asks for an answer without the number of the request.
                let error = serde_json::json!({"code": ErrorCode::ParseError as i32, "message": reason});
                let text = serde_json::json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string();
                write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
                self.out.flush()?;
            }
            Event::Incoming(Incoming::Message(Message::Request(request))) => {
                let id = request.id.clone();
                let answer = if is_cancelled(&id, pending) {
                    Err((ErrorCode::RequestCanceled, "the client cancelled the request".to_owned()))
                } else {
                    self.request(request)?
                };
                self.answer(id, answer)?;
            }
            Event::Incoming(Incoming::Message(Message::Notification(notification))) => {
                if notification.method == note::Exit::METHOD {
                    return Ok(Flow::End);
                }
                if self.state == State::Running {
                    self.notification(notification)?;
                }
            }
            // The server asks nothing.
            Event::Incoming(Incoming::Message(Message::Response(_))) => {}
        }
        Ok(Flow::Continue)
    }

    fn answer(&mut self, id: RequestId, answer: Answer) -> io::Result<()> {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, reason)) => Response::new_err(id, code as i32, reason),
        };
        Message::Response(response).write(&mut self.out)
    }

    fn notify<N: note::Notification>(&mut self, params: N::Params) -> io::Result<()>
    where
        N::Params: Serialize,
    {
        Message::Notification(Notification::new(N::METHOD.to_owned(), params)).write(&mut self.out)
    }

    /// The answer to a request.
    ///
    /// # Errors
    /// Diagnostics that became known on the way cannot be written.
    fn request(&mut self, request: Request) -> io::Result<Answer> {
        let Request { method, params, .. } = request;
        match (self.state, method.as_str()) {
            (State::New, ask::Initialize::METHOD) => return Ok(self.initialize(params)),
            (State::New, _) => {
                return Ok(Err((ErrorCode::ServerNotInitialized, "`initialize` comes first".to_owned())));
            }
            (State::Running, ask::Shutdown::METHOD) => {
                self.state = State::ShutDown;
                return Ok(Ok(Value::Null));
            }
            (State::Running, _) => {}
            (State::ShutDown, _) => {
                return Ok(Err((ErrorCode::InvalidRequest, "the server was shut down".to_owned())));
            }
        }
        // These need the tree alone.
        let of_tree = [ask::Completion::METHOD, ask::Formatting::METHOD, ask::DocumentSymbolRequest::METHOD];
        if !of_tree.contains(&method.as_str()) {
            self.check_changed()?;
        }
        Ok(self.ask(&method, params))
    }

    /// The answer to a request about documents.
    fn ask(&mut self, method: &str, params: Value) -> Answer {
        let (documents, roots, encoding) = (&self.documents, &self.roots, self.encoding);
        // What is not open may have the name, too.
        let of_workspace = [ask::References::METHOD, ask::Rename::METHOD].contains(&method);
        let whole = (of_workspace && !self.folders.is_empty()).then(|| {
            let closed = self.folders.iter().flat_map(|folder| self.compiler.texts(folder)).collect();
            World::new(documents, &closed, roots, encoding)
        });
        let own = || World::new(documents, &Texts::new(), roots, encoding);
        let world = whole.as_ref().unwrap_or_else(|| self.world.get_or_insert_with(own));
        match method {
            ask::Formatting::METHOD => respond::<ask::Formatting>(params, |p| edits::format(world, &p)),
            ask::DocumentSymbolRequest::METHOD => {
                respond::<ask::DocumentSymbolRequest>(params, |p| symbols::symbols(world, &p))
            }
            ask::GotoDefinition::METHOD => {
                respond::<ask::GotoDefinition>(params, |p| symbols::definition(world, &p))
            }
            ask::References::METHOD => respond::<ask::References>(params, |p| symbols::references(world, &p)),
            ask::DocumentHighlightRequest::METHOD => {
                respond::<ask::DocumentHighlightRequest>(params, |p| symbols::highlights(world, &p))
            }
            ask::PrepareRenameRequest::METHOD => {
                respond::<ask::PrepareRenameRequest>(params, |p| edits::prepare_rename(world, &p))
            }
            ask::Rename::METHOD => match parameters::<ask::Rename>(params) {
                Ok(params) => {
                    let compiler = self.compiler;
                    let open = |path: &Path| documents.get(path).map(|document| document.text.clone());
                    let read = |path: &Path| open(path).or_else(|| compiler.text(path));
                    match edits::rename(world, &params, &read) {
                        Ok(edit) => Ok(value(&edit)),
                        Err(reason) => Err((ErrorCode::RequestFailed, reason)),
                    }
                }
                Err(error) => Err(error),
            },
            ask::HoverRequest::METHOD => {
                respond::<ask::HoverRequest>(params, |p| hover::hover(world, roots, &p))
            }
            ask::Completion::METHOD => respond::<ask::Completion>(params, |p| complete::complete(world, &p)),
            ask::InlayHintRequest::METHOD => {
                respond::<ask::InlayHintRequest>(params, |p| hints::hints(world, roots, &p))
            }
            ask::CodeActionRequest::METHOD => parameters::<ask::CodeActionRequest>(params)
                .map(|params| value(&actions::actions(world, documents, roots, &params))),
            _ => Err((ErrorCode::MethodNotFound, format!("there is no request `{method}`"))),
        }
    }

    fn initialize(&mut self, params: Value) -> Answer {
        let params: InitializeParams = parameters::<ask::Initialize>(params)?;
        let offered = params.capabilities.general.and_then(|general| general.position_encodings);
        if offered.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8)) {
            self.encoding = Encoding::Utf8;
        }
        let named = params.workspace_folders.map(|all| all.into_iter().map(|one| one.uri).collect());
        #[allow(deprecated, reason = "clients without folders name their root")]
        let named: Vec<Uri> = named.unwrap_or_else(|| params.root_uri.into_iter().collect());
        self.folders = named.iter().map(path_of).collect();
        self.state = State::Running;
        Ok(value(&InitializeResult {
            capabilities: capabilities(self.encoding),
            server_info: Some(ServerInfo {
                name: "aiec".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        }))
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            note::DidOpenTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<lsp_types::DidOpenTextDocumentParams>(params) {
                    let lsp_types::TextDocumentItem { uri, text, version, .. } = params.text_document;
                    let path = path_of(&uri);
                    self.documents.insert(path.clone(), Document { uri, text, version });
                    self.roots.entry(path.clone()).or_default();
                    self.touch(&path);
                }
            }
            note::DidChangeTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.change(params);
                }
            }
            note::DidCloseTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<lsp_types::DidCloseTextDocumentParams>(params) {
                    self.close(&path_of(&params.text_document.uri))?;
                }
            }
            note::DidSaveTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<lsp_types::DidSaveTextDocumentParams>(params) {
                    let path = path_of(&params.text_document.uri);
                    // Only a check knows what a design reads, and one may still wait.
                    self.check_changed()?;
                    self.inspect(|root| root.has_read(&path));
                }
            }
            note::DidChangeWorkspaceFolders::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidChangeWorkspaceFoldersParams>(params) {
                    for gone in params.event.removed {
                        self.folders.remove(&path_of(&gone.uri));
                    }
                    self.folders.extend(params.event.added.iter().map(|new| path_of(&new.uri)));
                }
            }
            note::DidChangeWatchedFiles::METHOD => {
                self.changed.extend(self.roots.keys().cloned());
                self.check_changed()?;
                self.inspect(|_| true);
            }
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let path = path_of(&params.text_document.uri);
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.version = params.text_document.version;
        for change in params.content_changes {
            match change.range {
                None => document.text = change.text,
                Some(range) => {
                    let bytes = Lines::new(&document.text, self.encoding).bytes(range);
                    document.text.replace_range(bytes, &change.text);
                }
            }
        }
        for root in self.roots.values_mut() {
            // Their places are those of the older text.
            root.inspected.remove(&path);
        }
        self.touch(&path);
    }

    /// Marks what depends on the text of a document.
    fn touch(&mut self, path: &Path) {
        self.world = None;
        let depends = self.roots.iter().filter(|(root, state)| *root == path || state.has_read(path));
        let depends: Vec<PathBuf> = depends.map(|(root, _)| root.clone()).collect();
        self.changed.extend(depends);
    }

    fn close(&mut self, path: &Path) -> io::Result<()> {
        self.documents.remove(path);
        self.roots.remove(path);
        self.changed.remove(path);
        // The file takes the place of the text for what imports it.
        self.touch(path);
        self.publish()
    }

    fn texts(&self) -> Texts {
        self.documents.iter().map(|(path, document)| (path.clone(), document.text.clone())).collect()
    }

    /// Starts checks with the C++ of kernels.
    fn inspect(&self, is_meant: impl Fn(&Root) -> bool) {
        let texts = self.texts();
        for (path, _) in self.roots.iter().filter(|(_, root)| is_meant(root)) {
            self.compiler.inspect(path, &texts);
        }
    }

    /// Checks the documents that changed, and publishes what is new.
    fn check_changed(&mut self) -> io::Result<()> {
        if self.changed.is_empty() {
            return Ok(());
        }
        let texts = self.texts();
        for path in std::mem::take(&mut self.changed) {
            let found = self.compiler.check(&path, &texts);
            let Some(root) = self.roots.get_mut(&path) else { continue };
            if !found.designs.is_empty() {
                root.designs.clone_from(&found.designs);
                root.sources = found.sources.clone();
            }
            root.found = found;
        }
        // Checks may have read further imports.
        self.world = None;
        self.publish()
    }

    /// Takes the result of a check with the C++ of kernels.
    fn inspected(&mut self, design: &Path, found: Box<Found>) -> io::Result<()> {
        let known = self.published_of(design);
        let (Some(document), Some(root)) = (self.documents.get(design), self.roots.get_mut(design)) else {
            return Ok(());
        };
        let all = published(
            &found.diagnostics,
            &found.sources,
            Address { path: design, uri: &document.uri },
            self.encoding,
        );
        let mut more = beyond(all, &known);
        // A document that changed since has other places.
        more.retain(|path, _| {
            let text = self.documents.get(path).map(|document| document.text.as_str());
            text.is_none() || found.sources.iter().any(|source| Some(source.text.as_str()) == text)
        });
        root.inspected = more;
        root.with_cxx = *found;
        self.publish()
    }

    /// The diagnostics of the last check of a design.
    fn published_of(&self, design: &Path) -> Published {
        match (self.documents.get(design), self.roots.get(design)) {
            (Some(document), Some(Root { found, .. })) => published(
                &found.diagnostics,
                &found.sources,
                Address { path: design, uri: &document.uri },
                self.encoding,
            ),
            _ => Published::new(),
        }
    }

    /// Publishes the diagnostics of all files, as far as they changed.
    fn publish(&mut self) -> io::Result<()> {
        let mut all: Published = self.documents.keys().map(|path| (path.clone(), Vec::new())).collect();
        for (design, root) in &self.roots {
            let found = self.published_of(design);
            for (path, found) in found.into_iter().chain(root.inspected.clone()) {
                add(all.entry(path).or_default(), found);
            }
        }
        let gone: Vec<PathBuf> =
            self.published.keys().filter(|path| !all.contains_key(*path)).cloned().collect();
        for path in gone {
            self.published.remove(&path);
            self.send(&path, Vec::new())?;
        }
        for (path, found) in all {
            if self.published.get(&path) != Some(&found) {
                self.published.insert(path.clone(), found.clone());
                self.send(&path, found)?;
            }
        }
        Ok(())
    }

    fn send(&mut self, path: &Path, diagnostics: Vec<lsp_types::Diagnostic>) -> io::Result<()> {
        let document = self.documents.get(path);
        let version = document.map(|document| document.version);
        let uri: Option<Uri> = document.map(|document| document.uri.clone()).or_else(|| uri_of(path));
        let Some(uri) = uri else { return Ok(()) };
        self.notify::<note::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version })
    }
}

/// Adds the diagnostics that a check found in a file. Several designs that import the file find one
/// fault there, each in its own words.
fn add(known: &mut Vec<lsp_types::Diagnostic>, found: Vec<lsp_types::Diagnostic>) {
    let others = known.len();
    for one in found {
        let is_known = |other: &lsp_types::Diagnostic| other.range == one.range && other.code == one.code;
        if !known[..others].iter().any(is_known) {
            known.push(one);
        }
    }
}

/// True if a cancellation of the request waits.
fn is_cancelled(id: &RequestId, pending: &VecDeque<Event>) -> bool {
    pending.iter().any(|event| match event {
        Event::Incoming(Incoming::Message(Message::Notification(notification))) => {
            notification.method == note::Cancel::METHOD
                && notification.params.get("id").cloned().and_then(|id| serde_json::from_value(id).ok())
                    == Some(id.clone())
        }
        _ => false,
    })
}

/// The parameters of a request.
fn parameters<R: ask::Request>(params: Value) -> Result<R::Params, (ErrorCode, String)>
where
    R::Params: DeserializeOwned,
{
    serde_json::from_value(params)
        .map_err(|error| (ErrorCode::InvalidParams, format!("the parameters of `{}`: {error}", R::METHOD)))
}

/// The answer that `make` gives for the parameters of a request.
fn respond<R: ask::Request>(params: Value, make: impl FnOnce(R::Params) -> R::Result) -> Answer {
    parameters::<R>(params).map(|params| value(&make(params)))
}

/// A result as JSON. No type of the protocol has keys that are no strings.
fn value(result: &impl Serialize) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned(), "\"".to_owned()]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

#[cfg(test)]
mod tests;
