//! Diagnostics in the forms of other tools: one line each, SARIF, and annotations of GitHub.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::catalogue::{Code, Severity};
use crate::diagnostic::{Diagnostic, Edit, Fix, Label};
use crate::source::{Sources, Span};

/// The web page of aiec, for readers of its SARIF logs.
const HOME: &str = env!("CARGO_PKG_REPOSITORY");

/// A place with its file, from 1, in characters; the end lies behind the last character.
struct Place<'a> {
    file: &'a str,
    start: (usize, usize),
    end: (usize, usize),
}

impl<'a> Place<'a> {
    fn of(span: Span, sources: &'a Sources) -> Option<Self> {
        let file = sources.get(span.source)?.name.as_str();
        let start = sources.position(span)?;
        let end = sources.position(span.behind()).unwrap_or(start);
        Some(Self { file, start, end })
    }

    /// The place as a region of SARIF.
    fn region(&self) -> Value {
        json!({
            "startLine": self.start.0,
            "startColumn": self.start.1,
            "endLine": self.end.0,
            "endColumn": self.end.1,
        })
    }
}

/// A line for each diagnostic, in the form of compilers: `FILE:LINE:COLUMN: error: MESSAGE [SLUG]`.
/// Line breaks inside a message become spaces.
pub fn short(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        if let Some(Place { file, start: (line, column), .. }) =
            diagnostic.span().and_then(|span| Place::of(span, sources))
        {
            let _ = write!(text, "{file}:{line}:{column}: ");
        }
        let message = diagnostic.message.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "{}: {message} [{}]", diagnostic.severity.word(), diagnostic.code.slug);
    }
    text
}

/// A line for each diagnostic that GitHub Actions shows beside the changed line (GitHub Docs,
/// "Workflow commands for GitHub Actions"). The remedy follows the message.
pub fn github(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let slug = diagnostic.code.slug;
        let mut properties = format!("title={}", property(slug));
        if let Some(place) = diagnostic.span().and_then(|span| Place::of(span, sources)) {
            let (file, (line, column), (end_line, end_column)) =
                (property(place.file), place.start, place.end);
            let _ = write!(properties, ",file={file},line={line},endLine={end_line}");
            // Columns count within one line only.
            if line == end_line {
                let _ = write!(properties, ",col={column},endColumn={end_column}");
            }
        } else if let Some(file) = diagnostic.file() {
            let _ = write!(properties, ",file={},line=1", property(file));
        }
        let words = format!("{}\nhelp: {}", diagnostic.message, diagnostic.help);
        let _ = writeln!(text, "::{} {properties}::{}", command(diagnostic.severity), data(&words));
    }
    text
}

/// The name of a workflow command.
const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// The text of a workflow command without its line breaks.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The diagnostics as a log in the Static Analysis Results Interchange Format (OASIS, SARIF Version
/// 2.1.0). `version` is that of aiec. Rules are the catalogue entries that occur.
pub fn sarif(diagnostics: &[Diagnostic], sources: &Sources, version: &str) -> Value {
    let codes: BTreeMap<&str, &Code> = diagnostics.iter().map(|one| (one.code.slug, one.code)).collect();
    let rules: Vec<Value> = codes.values().map(|code| rule(code)).collect();
    let result = |diagnostic: &Diagnostic| {
        let index = codes.keys().position(|slug| *slug == diagnostic.code.slug);
        result(diagnostic, index, sources)
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "aiec",
                "version": version,
                "informationUri": HOME,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn rule(code: &Code) -> Value {
    json!({
        "id": code.slug,
        "shortDescription": { "text": code.summary },
        "help": { "text": code.page, "markdown": code.page },
        "defaultConfiguration": { "level": code.severity.word() },
    })
}

fn result(diagnostic: &Diagnostic, rule: Option<usize>, sources: &Sources) -> Value {
    let location = |label: &Label| {
        let place = Place::of(label.span, sources)?;
        Some(json!({
            "physicalLocation": {
                "artifactLocation": { "uri": uri(place.file) },
                "region": place.region(),
            },
            "message": { "text": label.text },
        }))
    };
    let mut locations: Vec<Value> = diagnostic.labels.iter().filter_map(location).collect();
    if locations.is_empty() {
        locations.push(whole_file(diagnostic, sources));
    }
    let others = locations.split_off(1);
    json!({
        "ruleId": diagnostic.code.slug,
        "ruleIndex": rule,
        "level": diagnostic.severity.word(),
        "message": { "text": format!("{}\n\nhelp: {}", diagnostic.message, diagnostic.help) },
        "locations": locations,
        "relatedLocations": others,
        "fixes": diagnostic.fixes.iter().map(|one| fix(one, sources)).collect::<Vec<_>>(),
    })
}

/// The place of a fault of no line: its file, else the first one, or the folder where no file was
/// read. Services that show results refuse those without a place (GitHub, "SARIF support for code
/// scanning").
fn whole_file(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let first = sources.iter().next().map_or(".", |file| file.name.as_str());
    let name = diagnostic.file().unwrap_or(first);
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(name) }, "region": { "startLine": 1 } } })
}

/// A fix with its replacements, file by file.
fn fix(fix: &Fix, sources: &Sources) -> Value {
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for Edit { span, replacement } in &fix.edits {
        let Some(place) = Place::of(*span, sources) else { continue };
        files.entry(place.file).or_default().push(json!({
            "deletedRegion": place.region(),
            "insertedContent": { "text": replacement },
        }));
    }
    let changes = files.into_iter().map(|(file, replacements)| {
        json!({ "artifactLocation": { "uri": uri(file) }, "replacements": replacements })
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": changes.collect::<Vec<_>>(),
    })
}

/// A path as a reference of RFC 3986: relative as it is, absolute with the scheme `file`. All bytes
/// but those of names and `/` are escaped.
pub fn uri(path: &str) -> String {
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into());
            }
            _ => _ = write!(text, "%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn example() -> (Sources, Vec<Diagnostic>) {
        let mut sources = Sources::default();
        let design = sources.add("my designs/a.dsl", "kernel \u{e4}\nconnect \u{e4}.x -> b.y\n");
        let other = sources.add("/tmp/place.json", "{ }\n");
        let diagnostic =
            Diagnostic::new(&catalogue::UNKNOWN_NAME, "50 % of `b`:\nnot declared", "declare it")
                .label(Span::new(design, 26, 27), "not declared")
                .label(Span::new(other, 0, 3), "placed here")
                .fix("write `c`", [(Span::new(design, 26, 27), "c"), (Span::new(other, 3, 3), " ")]);
        let placeless = Diagnostic::new(&catalogue::UNREADABLE_FILE, "no file `a`", "name another one");
        let other = Diagnostic::new(&catalogue::UNREADABLE_FILE, "no file `c`", "name another one");
        (sources, vec![diagnostic, placeless, other.of_file("my designs/c.dsl")])
    }

    #[test]
    fn a_short_line_has_the_place_in_front_as_compilers_write_it() {
        let (sources, diagnostics) = example();
        assert_eq!(
            short(&diagnostics, &sources),
            "my designs/a.dsl:2:16: error: 50 % of `b`: not declared [lower/unknown-name]\n\
             error: no file `a` [input/unreadable-file]\n\
             error: no file `c` [input/unreadable-file]\n"
        );
    }

    #[test]
    fn an_annotation_escapes_what_separates_its_parts() {
        let (sources, diagnostics) = example();
        assert_eq!(
            github(&diagnostics, &sources),
            "::error title=lower/unknown-name,file=my designs/a.dsl,line=2,endLine=2,col=16,endColumn=17::50 \
             %25 of `b`:%0Anot declared%0Ahelp: declare it\n\
             ::error title=input/unreadable-file::no file `a`%0Ahelp: name another one\n\
             ::error title=input/unreadable-file,file=my designs/c.dsl,line=1::no file `c`%0Ahelp: name another \
             one\n"
        );
        assert_eq!(property("C:\\a,b"), "C%3A\\a%2Cb");
    }

    #[test]
    fn a_result_of_sarif_names_its_rule_and_regions() {
        let (sources, diagnostics) = example();
        let log = sarif(&diagnostics, &sources, "1.2.3");
        let run = &log["runs"][0];
        let first = &run["results"][0];
        let placeless = &run["results"][1]["locations"][0]["physicalLocation"];
        assert_eq!(placeless["artifactLocation"]["uri"], "my%20designs/a.dsl", "a fault of no line");
        assert_eq!(placeless["region"], json!({ "startLine": 1 }));
        let unread = &run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(unread, "my%20designs/c.dsl", "its own file");
        let place = &first["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20designs/a.dsl");
        assert_eq!(
            place["region"],
            json!({ "startLine": 2, "startColumn": 16, "endLine": 2, "endColumn": 17 })
        );
        let related = &first["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(related, "file:///tmp/place.json");
        let changes = &first["fixes"][0]["artifactChanges"];
        assert_eq!(changes[0]["artifactLocation"]["uri"], "file:///tmp/place.json");
        assert_eq!(changes[1]["replacements"][0]["deletedRegion"], place["region"]);
        assert_eq!(changes[1]["replacements"][0]["insertedContent"]["text"], "c");
        for result in run["results"].as_array().expect("results") {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        }
    }
}
