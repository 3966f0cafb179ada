//! Diagnostics as text (through miette) and as JSON.

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde::Serialize;

use crate::catalogue::Severity;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::excerpt::Excerpt;
use crate::source::{SourceId, Sources, Span};

/// The style of drawn diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct RenderStyle {
    /// Colours and styles for a terminal.
    pub color: bool,
    /// Width of the text in columns.
    pub width: usize,
}

impl RenderStyle {
    /// The style of golden files: no colour, 100 columns.
    pub const PLAIN: Self = Self { color: false, width: 100 };
}

/// Draws `diagnostics` one after the other, each followed by an empty line.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, style: RenderStyle) -> String {
    let theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_width(style.width);
    let mut text = String::new();
    for diagnostic in diagnostics {
        let report = Report::of(diagnostic, sources);
        if handler.render_report(&mut text, &report).is_err() {
            // Writing to a String does not fail. A source that cannot be drawn still leaves the
            // words.
            text.push_str(&format!("{}: {report}\n  help: {}\n", diagnostic.code.slug, diagnostic.help));
        }
        text.push('\n');
    }
    text
}

/// A diagnostic in miette's form: labels of one source, and labels of other sources as related
/// reports.
#[derive(Debug)]
struct Report<'a> {
    diagnostic: &'a Diagnostic,
    /// False for a related report, which shows only places.
    primary: bool,
    source: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
    related: Vec<Report<'a>>,
}

impl<'a> Report<'a> {
    fn of(diagnostic: &'a Diagnostic, sources: &Sources) -> Self {
        let mut files: Vec<SourceId> = Vec::new();
        for label in &diagnostic.labels {
            if !files.contains(&label.span.source) {
                files.push(label.span.source);
            }
        }
        let mut reports = files.iter().map(|&file| Self::in_file(diagnostic, file, sources));
        let mut report = reports.next().unwrap_or_else(|| Self::bare(diagnostic));
        report.primary = true;
        report.related = reports.collect();
        report
    }

    fn bare(diagnostic: &'a Diagnostic) -> Self {
        Self { diagnostic, primary: false, source: None, labels: Vec::new(), related: Vec::new() }
    }

    fn in_file(diagnostic: &'a Diagnostic, file: SourceId, sources: &Sources) -> Self {
        let mut report = Self::bare(diagnostic);
        let Some(source) = sources.get(file) else { return report };
        let labels = diagnostic.labels.iter().filter(|label| label.span.source == file);
        let excerpt = Excerpt::of(source, &labels.clone().map(|label| label.span).collect::<Vec<_>>());
        let first = diagnostic.labels.first().map(|label| label.span);
        for (label, range) in labels.zip(excerpt.labels.iter().cloned()) {
            let text = Some(label.text.clone());
            report.labels.push(if first == Some(label.span) {
                LabeledSpan::new_primary_with_span(text, range)
            } else {
                LabeledSpan::new_with_span(text, range)
            });
        }
        report.source = Some(excerpt);
        report
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.primary { &self.diagnostic.message } else { "see also, in another file" })
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.primary.then(|| Box::new(self.diagnostic.code.slug) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            _ if !self.primary => miette::Severity::Advice,
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.primary.then(|| Box::new(self.diagnostic.help.as_str()) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }

    fn related<'b>(&'b self) -> Option<Box<dyn Iterator<Item = &'b dyn miette::Diagnostic> + 'b>> {
        let related = self.related.iter().map(|report| report as &dyn miette::Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<dyn Iterator<Item = _>>)
    }
}

/// One diagnostic as data for editors and CI.
#[derive(Debug, Serialize)]
pub struct JsonDiagnostic<'a> {
    /// The slug of its catalogue entry.
    pub slug: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: &'a str,
    /// The places, primary first.
    pub labels: Vec<JsonLabel<'a>>,
    /// The file of a fault without a place in a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// The remedy to try.
    pub help: &'a str,
    /// Remedies as edits of the texts, each an alternative.
    pub fixes: Vec<JsonFix<'a>>,
}

/// One remedy as data.
#[derive(Debug, Serialize)]
pub struct JsonFix<'a> {
    /// The remedy as an imperative.
    pub title: &'a str,
    /// All of them together carry out the remedy.
    pub edits: Vec<JsonEdit<'a>>,
}

/// One replacement as data.
#[derive(Debug, Serialize)]
pub struct JsonEdit<'a> {
    /// Name of the source text.
    pub file: &'a str,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
    /// Line of the byte behind the last one, from 1.
    pub end_line: usize,
    /// Column of the byte behind the last one in characters, from 1.
    pub end_column: usize,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset past the last byte: `start` where text is inserted.
    pub end: u32,
    /// The text that takes the place of these bytes; empty to delete them.
    pub replacement: &'a str,
}

/// One label as data.
#[derive(Debug, Serialize)]
pub struct JsonLabel<'a> {
    /// Name of the source text.
    pub file: &'a str,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
    /// Line of the byte behind the last one, from 1.
    pub end_line: usize,
    /// Column of the byte behind the last one in characters, from 1.
    pub end_column: usize,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset past the last byte.
    pub end: u32,
    /// What the label says of the place.
    pub text: &'a str,
}

/// The diagnostics as serialisable data, in unchanged order.
pub fn to_json<'a>(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Vec<JsonDiagnostic<'a>> {
    diagnostics
        .iter()
        .map(|d| JsonDiagnostic {
            slug: d.code.slug,
            severity: d.severity,
            message: &d.message,
            labels: d.labels.iter().map(|label| json_label(label, sources)).collect(),
            file: d.file().filter(|_| d.labels.is_empty()),
            help: &d.help,
            fixes: d.fixes.iter().map(|fix| json_fix(fix, sources)).collect(),
        })
        .collect()
}

fn json_fix<'a>(fix: &'a Fix, sources: &'a Sources) -> JsonFix<'a> {
    let edit = |edit: &'a Edit| {
        let Edit { span, replacement } = edit;
        let [(line, column), (end_line, end_column)] = ends(*span, sources);
        JsonEdit {
            file: sources.get(span.source).map_or("", |file| file.name.as_str()),
            line,
            column,
            end_line,
            end_column,
            start: span.start,
            end: span.end,
            replacement,
        }
    };
    JsonFix { title: &fix.title, edits: fix.edits.iter().map(edit).collect() }
}

/// Line and column of the first byte and of the byte behind the last one.
fn ends(span: Span, sources: &Sources) -> [(usize, usize); 2] {
    let start = sources.position(span).unwrap_or((1, 1));
    [start, sources.position(span.behind()).unwrap_or(start)]
}

fn json_label<'a>(label: &'a crate::Label, sources: &'a Sources) -> JsonLabel<'a> {
    let [(line, column), (end_line, end_column)] = ends(label.span, sources);
    JsonLabel {
        file: sources.get(label.span.source).map_or("", |file| file.name.as_str()),
        line,
        column,
        end_line,
        end_column,
        start: label.span.start,
        end: label.span.end,
        text: &label.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn example() -> (Sources, Diagnostic) {
        let mut sources = Sources::default();
        let design = sources.add("a.dsl", "kernel a\nconnect a.x -> b.y\n");
        let other = sources.add("place.json", "{ }\n");
        let diagnostic = Diagnostic::new(&catalogue::UNKNOWN_NAME, "no kernel is called `b`", "declare it")
            .label(Span::new(design, 24, 25), "not declared")
            .label(Span::new(other, 0, 3), "placed here")
            .replacing(Span::new(design, 24, 25), "a");
        (sources, diagnostic)
    }

    #[test]
    fn a_report_shows_slug_message_labels_of_every_file_and_help() {
        let (sources, diagnostic) = example();
        let text = render(&[diagnostic], &sources, RenderStyle::PLAIN);
        for part in [
            "lower/unknown-name",
            "no kernel is called `b`",
            "not declared",
            "placed here",
            "see also, in another file",
            "declare it",
            "a.dsl:2:",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_long_line_is_shown_around_its_label_and_the_place_is_that_of_the_source() {
        let mut sources = Sources::default();
        let text = format!("const A = {} + B\n", "1 + ".repeat(250_000));
        let at = text.find('B').unwrap();
        let design = sources.add("a.dsl", text);
        let diagnostic = Diagnostic::new(&catalogue::UNKNOWN_NAME, "nothing is called `B`", "declare it")
            .label(Span::new(design, at as u32, at as u32 + 1), "not declared");
        let text = render(&[diagnostic], &sources, RenderStyle::PLAIN);
        assert!(text.contains(&format!("a.dsl:1:{}", at + 1)), "{text}");
        assert!(text.contains("1 + 1 +  + B") && text.len() < 1000, "{text}");
    }

    #[test]
    fn json_gives_line_and_column_of_both_ends() {
        let (sources, diagnostic) = example();
        let diagnostics = [diagnostic];
        let json = to_json(&diagnostics, &sources);
        let JsonLabel { line, column, end_line, end_column, .. } = json[0].labels[0];
        assert_eq!([line, column, end_line, end_column], [2, 16, 2, 17]);
        assert_eq!(json[0].slug, "lower/unknown-name");
        let fix = &json[0].fixes[0];
        assert_eq!((fix.title, fix.edits[0].replacement), ("write `a`", "a"));
        let JsonEdit { file, line, column, end_line, end_column, start, end, .. } = fix.edits[0];
        assert_eq!(
            (file, [line, column, end_line, end_column], [start, end]),
            ("a.dsl", [2, 16, 2, 17], [24, 25])
        );
    }
}
