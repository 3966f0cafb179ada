//! The shape of one message.

use crate::catalogue::{Code, Severity};
use crate::source::Span;

/// Most characters that are quoted of something.
const MOST_QUOTED: usize = 160;

/// Most characters between two quotations.
const MOST_BETWEEN: usize = 4096;

/// Characters kept at each end of a cropped quotation.
const KEPT: usize = 60;

/// A place in a source text, with its label text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes of the source text that it marks.
    pub span: Span,
    /// The label's text in a few words; never empty.
    pub text: String,
}

/// A replacement of some bytes of a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty where text is inserted.
    pub span: Span,
    /// The new text; empty where text is removed.
    pub replacement: String,
}

/// A remedy as edits of the source texts, for editors and programs.
///
/// The edits do not overlap and belong together: a part of them may leave a text with other faults.
/// They follow no layout, which `aiec fmt` restores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The remedy as an imperative, such as "write `buffer single`".
    pub title: String,
    /// What to replace; never empty.
    pub edits: Vec<Edit>,
}

/// A file by its name. Boxed, since most faults have none and a fault is often returned.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileName(String);

/// One message to the user: the fault, its place, the reason, and a remedy.
///
/// Only the constructor functions of each stage build one, from an entry of the
/// [catalogue](crate::catalogue). `message` must suffice alone. The first label describes the fault
/// at its place. Further labels show the places that conflict with it. `help` states what to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The catalogue entry: slug, usual severity, summary.
    pub code: &'static Code,
    /// That of the entry, unless the user denies the warning.
    pub severity: Severity,
    /// The fault, in the design's own terms.
    pub message: String,
    /// The places concerned; the first is the primary one.
    pub labels: Vec<Label>,
    /// The file of a fault that has no label. None when no file is known.
    file: Option<Box<FileName>>,
    /// A remedy to try; never empty.
    pub help: String,
    /// Those remedies that are edits of the design, the best one first. Each is an alternative.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic without labels yet. `help` states a remedy.
    pub fn new(code: &'static Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (cropped(message.into()), cropped(help.into()));
        Self {
            code,
            severity: code.severity,
            message,
            labels: Vec::new(),
            file: None,
            help,
            fixes: Vec::new(),
        }
    }

    /// Adds a label; the first one added is the primary label.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: cropped(text.into()) });
        self
    }

    /// Adds a label, unless there is no place to point at.
    #[must_use]
    pub fn label_at(self, span: Option<Span>, text: impl Into<String>) -> Self {
        match span {
            Some(span) => self.label(span, text),
            None => self,
        }
    }

    /// Names the file of a fault that has no place in a text, such as one that cannot be read. An
    /// earlier name stays.
    pub fn set_file(&mut self, name: impl Into<String>) {
        self.file.get_or_insert_with(|| Box::new(FileName(name.into())));
    }

    /// The same for a new fault.
    #[must_use]
    pub fn of_file(mut self, name: impl Into<String>) -> Self {
        self.set_file(name);
        self
    }

    /// The file of a fault that has no label. None when no file is known.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref().map(|name| name.0.as_str())
    }

    /// Adds a fix of several edits. Does nothing without an edit.
    #[must_use]
    pub fn fix(
        mut self,
        title: impl Into<String>,
        edits: impl IntoIterator<Item = (Span, impl Into<String>)>,
    ) -> Self {
        let edit = |(span, text): (Span, _)| Edit { span, replacement: Into::<String>::into(text) };
        let edits: Vec<Edit> = edits.into_iter().map(edit).collect();
        if !edits.is_empty() {
            self.fixes.push(Fix { title: title.into(), edits });
        }
        self
    }

    /// Adds the fix that writes `text` in place of `span`.
    #[must_use]
    pub fn replacing(self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.fix(format!("write `{}`", text.trim()), [(span, text)])
    }

    /// Adds the fix that writes `word` in place of `span`, if there is a word.
    #[must_use]
    pub fn suggesting(self, span: Span, word: Option<&str>) -> Self {
        match word {
            Some(word) => self.replacing(span, word),
            None => self,
        }
    }

    /// Adds the fix that writes `text` in place of `written`, or behind `otherwise` when nothing of
    /// its kind is written yet.
    #[must_use]
    pub fn setting(self, written: Option<Span>, otherwise: Span, text: &str) -> Self {
        let edit = match written {
            Some(span) => (span, text.to_owned()),
            None => (otherwise.behind(), format!(" {text}")),
        };
        self.fix(format!("write `{text}`"), [edit])
    }

    /// Adds the fix that removes `span`, which is `what`.
    #[must_use]
    pub fn removing(self, span: Span, what: &str) -> Self {
        self.fix(format!("remove `{what}`"), [(span, "")])
    }

    /// Appends another program's output to the message, uncropped, since cropping could change its
    /// meaning.
    #[must_use]
    pub fn quoting(mut self, words: &str) -> Self {
        self.message.push_str(words);
        self
    }

    /// True if this diagnostic keeps its stage from giving a result.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The primary place, by which diagnostics are sorted.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// `text` with its long quotations cropped. A name or path of the user may have any length, a
/// message may not.
fn cropped(text: String) -> String {
    if text.len() <= MOST_QUOTED {
        return text;
    }
    let part = |(number, part): (usize, &str)| {
        let most = if number % 2 == 1 { MOST_QUOTED } else { MOST_BETWEEN };
        ends(part, most).unwrap_or_else(|| part.to_owned())
    };
    text.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// The two ends of `text`, if it has more than `most` characters.
fn ends(text: &str, most: usize) -> Option<String> {
    text.char_indices().nth(most)?;
    let (start, _) = text.char_indices().nth(KEPT)?;
    let (end, _) = text.char_indices().nth_back(KEPT - 1)?;
    Some(format!("{}...{}", text.get(..start)?, text.get(end..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use crate::source::SourceId;

    fn said(quoted: &str) -> Diagnostic {
        let text = format!("`{quoted}` cannot be read");
        let span = Span::new(SourceId(0), 0, 1);
        Diagnostic::new(&catalogue::UNREADABLE_FILE, text.clone(), text.clone()).label(span, text)
    }

    #[test]
    fn long_quotations_are_cropped_everywhere() {
        let long = said(&format!("start{}end.cc", "\u{e4}".repeat(300_000)));
        for text in [&long.message, &long.help, &long.labels[0].text] {
            assert!(text.len() < 400, "{} bytes", text.len());
            assert!(
                text.starts_with("`start\u{e4}") && text.ends_with("\u{e4}end.cc` cannot be read"),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_of_ordinary_length_stays_as_it_is() {
        let path = "dir/".repeat(30) + "k.cc";
        assert!(said(&path).message.contains(&path));
        let text = format!("`a` holds {}", "word, ".repeat(100));
        assert_eq!(Diagnostic::new(&catalogue::UNREADABLE_FILE, text.clone(), "help").message, text);
    }

    #[test]
    fn a_quotation_with_quotes_in_it_is_cropped_too() {
        assert!(said(&format!("a`{}", "b".repeat(300_000))).message.len() < 400);
    }
}
