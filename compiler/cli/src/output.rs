//! Where results and diagnostics go.

use std::io::Write;

use aiec_diag::{Diagnostic, RenderStyle, Sources, render, to_json};

use crate::Terminal;
use crate::args::MessageFormat;

/// The two streams of a command. A closed pipe (`aiec ... | head`) ends the output, not the command.
pub(crate) struct Console<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

impl<'a> Console<'a> {
    pub(crate) fn new(terminal: Terminal, out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { terminal, out, err }
    }

    /// One line of result.
    pub(crate) fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    /// Result text that ends its own lines.
    pub(crate) fn text(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
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
