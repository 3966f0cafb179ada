//! Where results and diagnostics go.

use std::io::{self, Write};

use aiec_diag::{Diagnostic, RenderStyle, Sources, render, to_json};

use crate::Terminal;
use crate::args::MessageFormat;

/// The two streams of a command. A reader that goes away (`aiec ... | head`) is no fault; a full disk is.
pub(crate) struct Console<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Why a result could not be written, if it could not.
    failure: Option<io::Error>,
}

impl<'a> Console<'a> {
    pub(crate) fn new(terminal: Terminal, out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { terminal, out, err, failure: None }
    }

    /// One line of result.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(&format!("{text}\n"));
    }

    /// Result text that ends its own lines.
    pub(crate) fn text(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.failure =
            self.failure.take().or(written.err().filter(|e| e.kind() != io::ErrorKind::BrokenPipe));
    }

    /// Why a result could not be written, if it could not; asked once, at the end.
    pub(crate) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Text for standard error.
    pub(crate) fn error(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes());
    }

    /// Writes `diagnostics`; in JSON form also an empty list, so that a reader always finds an array.
    pub(crate) fn diagnostics(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        format: MessageFormat,
    ) {
        match format {
            MessageFormat::Human => {
                let style = RenderStyle { color: self.terminal.color, width: self.terminal.width };
                self.error(&render(diagnostics, sources, style));
            }
            MessageFormat::Json => {
                let json = serde_json::to_string_pretty(&to_json(diagnostics, sources));
                self.error(&format!("{}\n", json.unwrap_or_else(|error| format!("\"{error}\""))));
            }
        }
    }
}
