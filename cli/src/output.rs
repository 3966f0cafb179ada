//! The output streams for results and diagnostics.

use std::io::{self, Write};

use aiec_diag::{Diagnostic, RenderStyle, Sources, github, render, sarif, short, to_json};
use serde_json::Value;

use crate::values::MessageFormat;

/// Properties of the terminal that receives the diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// True if it shows colours.
    pub color: bool,
    /// Its width in characters.
    pub width: usize,
    /// True if a long search may show a progress bar on standard error.
    pub progress: bool,
}

/// Limit on the diagnostics that are drawn. No user reads more, and a slip in a large generated
/// design causes thousands, which take minutes to draw.
const MOST_SHOWN: usize = 50;

/// The diagnostics to draw, and the number of the others. Errors come first if some are left out.
fn worst(diagnostics: &[Diagnostic]) -> (Vec<Diagnostic>, usize) {
    let left = diagnostics.len().saturating_sub(MOST_SHOWN);
    let mut order: Vec<&Diagnostic> = diagnostics.iter().collect();
    if left > 0 {
        order.sort_by_key(|diagnostic| !diagnostic.is_error());
    }
    (order.into_iter().take(MOST_SHOWN).cloned().collect(), left)
}

/// The diagnostics as text, at most [`MOST_SHOWN`] of them.
pub(crate) fn drawn(diagnostics: &[Diagnostic], sources: &Sources, style: RenderStyle) -> String {
    let (shown, left) = worst(diagnostics);
    let mut text = render(&shown, sources, style);
    if left > 0 {
        text += &format!("aiec: {left} more like these are not shown; --message-format json gives all\n");
    }
    text
}

/// One list of diagnostics, or one log of SARIF with the runs of both.
fn joined(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => Value::Array([one, other].concat()),
        (Value::Object(mut log), Value::Object(mut other)) => {
            let runs = (log.get_mut("runs"), other.get_mut("runs"));
            if let (Some(Value::Array(runs)), Some(Value::Array(more))) = runs {
                runs.append(more);
            }
            Value::Object(log)
        }
        (one, _) => one,
    }
}

/// The two output streams of a command. A closed reader (`aiec ... | head`) is no error; a full
/// disk is.
pub(crate) struct Console<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// The reason why a result could not be written.
    failure: Option<io::Error>,
    /// True if results are left out, and only diagnostics are written.
    silent: bool,
    /// Documents of diagnostics that are written with those of the command, as one.
    held: Vec<Value>,
}

impl<'a> Console<'a> {
    pub(crate) fn new(terminal: Terminal, out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { terminal, out, err, failure: None, silent: false, held: Vec::new() }
    }

    /// True if a progress bar may be shown on standard error.
    pub(crate) const fn progress(&self) -> bool {
        self.terminal.progress
    }

    /// The terminal that gets the messages.
    pub(crate) const fn terminal(&self) -> Terminal {
        self.terminal
    }

    /// The stream of results, for a command that speaks a protocol.
    pub(crate) fn stream(&mut self) -> &mut dyn Write {
        self.out
    }

    /// Leaves out all results from now on.
    pub(crate) const fn silence(&mut self) {
        self.silent = true;
    }

    /// Writes one line of result.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(&format!("{text}\n"));
    }

    /// Writes result text, which has its own line ends.
    pub(crate) fn text(&mut self, text: &str) {
        if self.silent {
            return;
        }
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.failure =
            self.failure.take().or(written.err().filter(|e| e.kind() != io::ErrorKind::BrokenPipe));
    }

    /// The reason why a result could not be written. Called once, at the end.
    pub(crate) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Writes text to standard error.
    pub(crate) fn error(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes());
    }

    /// Keeps a document of the form JSON or SARIF, for the one that
    /// [`diagnostics`](Self::diagnostics) writes.
    pub(crate) fn hold(&mut self, document: Value) {
        self.held.push(document);
    }

    /// Writes `diagnostics`. The forms JSON and SARIF write an empty list, too, so that a reader
    /// always finds one.
    pub(crate) fn diagnostics(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        format: MessageFormat,
    ) {
        match format {
            MessageFormat::Human => {
                let style = RenderStyle { color: self.terminal.color, width: self.terminal.width };
                self.error(&drawn(diagnostics, sources, style));
            }
            MessageFormat::Short => self.error(&short(diagnostics, sources)),
            MessageFormat::Json => {
                let own = serde_json::to_value(to_json(diagnostics, sources));
                let own = own.unwrap_or_else(|error| Value::String(error.to_string()));
                let list = self.held.drain(..).fold(own, joined);
                self.error(&format!("{list:#}\n"));
            }
            MessageFormat::Sarif => {
                let own = sarif(diagnostics, sources, env!("CARGO_PKG_VERSION"));
                let log = self.held.drain(..).fold(own, joined);
                self.error(&format!("{log:#}\n"));
            }
            MessageFormat::Github => self.error(&github(diagnostics, sources)),
        }
    }
}

#[cfg(test)]
mod tests {
    use aiec_diag::{Code, Severity, catalogue};

    use super::*;

    static CAREFUL: Code = Code { severity: Severity::Warning, ..catalogue::UNKNOWN_NAME };

    fn warning() -> Diagnostic {
        Diagnostic::new(&CAREFUL, "a warning", "do better")
    }

    #[test]
    fn few_diagnostics_are_all_shown_in_their_order() {
        let error = Diagnostic::new(&catalogue::UNKNOWN_NAME, "an error", "fix it");
        let all = [warning(), error];
        assert_eq!(worst(&all), (all.to_vec(), 0));
    }

    #[test]
    fn of_very_many_diagnostics_errors_come_first_and_the_rest_is_counted() {
        let mut all = vec![warning(); 100];
        all.push(Diagnostic::new(&catalogue::UNKNOWN_NAME, "an error", "fix it"));
        let (shown, left) = worst(&all);
        assert!(shown[0].is_error());
        assert_eq!((shown.len(), left), (MOST_SHOWN, 51));
    }
}
