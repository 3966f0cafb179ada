//! Diagnostics of the stages of one run.

use std::collections::BTreeMap;

use aiec_adf::Adopted;
use aiec_diag::{Code, Diagnostic, Outcome, Severity, catalogue};
use aiec_ir::design::Design;

use crate::instances::Instances;

/// A warning that the user takes for an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// Every warning, but no note.
    Warnings,
    /// The diagnostics with this entry, also notes.
    One(&'static Code),
}

impl Denied {
    fn is(self, diagnostic: &Diagnostic) -> bool {
        match self {
            Self::Warnings => diagnostic.severity == Severity::Warning,
            Self::One(code) => diagnostic.code == code,
        }
    }
}

/// Collects the diagnostics of stages.
#[derive(Debug, Default)]
pub struct Log {
    /// All diagnostics so far, stage by stage.
    pub diagnostics: Vec<Diagnostic>,
    /// The components and sub-graphs of the design, as far as they are known. Diagnostics that name
    /// one of them get labels for it.
    pub(crate) instances: Box<Instances>,
    /// The warnings that the user or the design denies or allows, and whether notes are given.
    pub(crate) wanted: Box<Wanted>,
    /// The number of diagnostics that other components of the file gave, each by itself. A
    /// diagnostic of one of them is not repeated for an instance of that component.
    pub(crate) by_others: usize,
}

/// Which warnings are errors or left out, and whether there are notes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Warnings that are errors.
    pub(crate) denied: Vec<Denied>,
    /// Warnings that the design allows, which are left out.
    pub(crate) allowed: Vec<&'static Code>,
    /// True if notes about what is only slow are wanted.
    pub(crate) is_slow_noted: bool,
}

impl Wanted {
    /// True if notes about what is only slow are looked for: all, or one that is denied.
    pub(crate) fn has_notes(&self) -> bool {
        let is_note =
            |denied: &Denied| matches!(denied, Denied::One(code) if code.severity == Severity::Note);
        self.is_slow_noted || self.denied.iter().any(is_note)
    }
}

impl Log {
    /// Learns the components of a design, or with `graph` its sub-graphs, and what it allows.
    pub(crate) fn know(&mut self, design: &Design, graph: Option<&Adopted>) {
        *self.instances = Instances::of(design, graph);
        self.wanted.allowed = design.allowances.iter().map(|allowance| allowance.code.value).collect();
    }

    /// Adds notes about what is only slow, if they are wanted, and those that are errors here.
    pub(crate) fn note(&mut self, notes: impl FnOnce() -> Vec<Diagnostic>) {
        if !self.wanted.has_notes() {
            return;
        }
        let mut notes = notes();
        let is_denied = |note: &Diagnostic| self.wanted.denied.iter().any(|denied| denied.is(note));
        notes.retain(|note| self.wanted.is_slow_noted || is_denied(note));
        self.add(notes);
    }

    /// True if a diagnostic is an error, also a denied warning.
    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The value of a stage. Its diagnostics go to the log. Returns None when one of them is an
    /// error, also a denied warning.
    pub fn take<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        let (value, diagnostics) = outcome.into_parts();
        let failed = self.add(diagnostics);
        value.filter(|_| !failed)
    }

    /// Adds diagnostics, with labels for the instances that they name. A fault in the text of a
    /// component comes once, and names the instances that show it. A fault of a file of components
    /// comes once, though each component is checked by itself. Those of a graph lose
    /// their fixes, which are text of the language. Leaves out what the design allows. Returns true
    /// if one is an error.
    pub fn add(&mut self, diagnostics: Vec<Diagnostic>) -> bool {
        let mut failed = false;
        let mut also: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for mut diagnostic in diagnostics {
            if !diagnostic.is_error() && self.wanted.allowed.contains(&diagnostic.code) {
                continue;
            }
            if self.wanted.denied.iter().any(|denied| denied.is(&diagnostic)) {
                diagnostic.severity = Severity::Error;
            }
            failed |= diagnostic.is_error();
            self.instances.label(&mut diagnostic);
            if self.instances.of_graph.is_some() {
                diagnostic.fixes.clear();
            }
            let by_others = self.diagnostics.iter().take(self.by_others);
            let is_told = by_others
                .into_iter()
                .any(|told| differ_by_instance(told, &diagnostic) || is_same_line(told, &diagnostic));
            if is_told || self.diagnostics.contains(&diagnostic) {
                continue;
            }
            match self.in_another_instance(&diagnostic) {
                Some((first, name)) => also.entry(first).or_default().push(name),
                None => self.diagnostics.push(diagnostic),
            }
        }
        for (first, names) in also {
            let names = aiec_diag::listed(names.iter().map(|name| format!("`{name}`")), aiec_diag::LISTED);
            self.diagnostics[first].message += &format!("; and so in {names}");
        }
        failed
    }

    /// The position of a diagnostic that says the same of the same text in another instance, and
    /// the instance that `new` is about.
    fn in_another_instance(&self, new: &Diagnostic) -> Option<(usize, String)> {
        let instance = self.instances.named(new)?;
        // The names of instances are looked for last, since there may be many.
        let is_same = |told: &Diagnostic| {
            told.severity == new.severity
                && differ_by_instance(told, new)
                && of_component(&told.help) == of_component(&new.help)
                && self.instances.places(told) == self.instances.places(new)
                && self.instances.named(told).is_some_and(|other| other != instance)
        };
        Some((self.diagnostics.iter().position(is_same)?, instance.to_owned()))
    }
}

/// True for one fault of one text that two instances show: their names in the message may differ.
fn differ_by_instance(a: &Diagnostic, b: &Diagnostic) -> bool {
    let place = |one: &Diagnostic| one.labels.first().map(|label| label.span);
    a.code == b.code && place(a) == place(b) && of_component(&a.message) == of_component(&b.message)
}

/// A message without what differs between instances: their names, and tiles, which count from the
/// tile of the instance.
fn of_component(message: &str) -> String {
    without_tiles(&without_paths(message))
}

/// A message with `()` in place of a tile such as `(3, 0)`.
fn without_tiles(message: &str) -> String {
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    let is_tile = |inside: &str| {
        inside.split_once(", ").is_some_and(|(column, row)| is_number(column) && is_number(row))
    };
    let mut parts = message.split('(');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once(')') {
        Some((inside, rest)) if is_tile(inside) => text + "()" + rest,
        _ => text + "(" + part,
    })
}

/// True for two messages about C++ that stops the compiler at one place, for whichever kernels.
fn is_same_line(a: &Diagnostic, b: &Diagnostic) -> bool {
    let is_of_compiler = |one: &Diagnostic| one.code.slug == catalogue::KERNEL_COMPILE.slug;
    is_of_compiler(a) && is_of_compiler(b) && a.labels.len() > 1 && a.labels.first() == b.labels.first()
}

/// A message with `mac` in place of `bank[2].mac`.
fn without_paths(message: &str) -> String {
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    let words = message.split_inclusive(|c: char| !is_path(c));
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let last = |word| str::rsplit(word, '.').next().filter(|last| last.len() > 1 && !is_number(word));
    words.map(|word| last(word).unwrap_or(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use aiec_adf::Called;
    use aiec_adf::description::{Call, Site};
    use aiec_diag::{SourceId, Span};
    use aiec_ir::design::Subgraph;
    use aiec_ir::{IdVec, SubgraphId};

    #[test]
    fn names_lose_their_instances_and_numbers_keep_their_digits() {
        let short = without_paths("`bank[2].mac` takes 1.25 of 3.5 KiB");
        assert_eq!(short, "`mac` takes 1.25 of 3.5 KiB");
    }

    #[test]
    fn tiles_of_instances_are_alike() {
        let said = |text| of_component(text);
        assert_eq!(said("`b[0].k` is at (3, 0)"), said("`b[1].k` is at (12, -1)"));
        assert_ne!(said("`b[0].k` (3 words)"), said("`b[1].k` (4 words)"));
    }

    fn line(start: u32) -> Span {
        Span::new(SourceId(0), start, start + 4)
    }

    #[test]
    fn components_of_a_file_tell_a_fault_of_their_common_source_once() {
        let fault = |kernel: &str, place: u32| {
            let message = format!("the C++ of kernel `{kernel}` does not compile");
            let source = Diagnostic::new(&catalogue::KERNEL_COMPILE, message, "correct it");
            source.label(line(place), "the compiler stops here").label(line(90), "the source")
        };
        let mut log = Log::default();
        log.add(vec![fault("one.k", 10)]);
        log.by_others = log.diagnostics.len();
        assert!(log.add(vec![fault("two.l", 10), fault("two.l", 30)]), "it fails all the same");
        assert_eq!(log.diagnostics, [fault("one.k", 10), fault("two.l", 30)]);
    }

    /// A log of a graph with a member `left`, whose constructor states the location of `left.k`.
    fn of_a_graph() -> Log {
        let subgraphs: IdVec<SubgraphId, Subgraph> = [Subgraph {
            name: "left".to_owned(),
            component: "Stage<2>".to_owned(),
            constants: Vec::new(),
            parent: None,
            families: Vec::new(),
            collectives: Vec::new(),
            ports: Vec::new(),
            span: line(20),
            placed: None,
        }]
        .into_iter()
        .collect();
        let call = Call { function: "Stage<2>::Stage".to_owned(), span: Some(line(30)) };
        let site = Site { span: line(10), calls: vec![call] };
        let calls = vec![Called { of: Vec::new(), site }];
        Log {
            instances: Box::new(Instances { subgraphs, calls, of_graph: Some(BTreeSet::new()) }),
            ..Log::default()
        }
    }

    #[test]
    fn messages_of_every_stage_name_the_member_and_the_calls() {
        for code in [&catalogue::BAD_PLACEMENT, &catalogue::GAVE_UP, &catalogue::OVERFULL] {
            let fault =
                Diagnostic::new(code, "no room for `left.k`", "move it").label(line(10), "stated here");
            let mut log = of_a_graph();
            assert!(log.take::<()>(Outcome::error(fault)).is_none());
            let labels = log.diagnostics[0].labels.iter().map(|label| (label.span, label.text.as_str()));
            let expected = [
                (line(10), "stated here"),
                (line(30), "in `Stage<2>::Stage`, which is called here"),
                (line(20), "`left` is an instance of `Stage<2>`"),
            ];
            assert_eq!(labels.collect::<Vec<_>>(), expected, "{}", code.slug);
        }
    }
}
