//! Functions that a header declares and no source defines: the source has another one of that name,
//! or none.

use aiec_codegen::{Defined, KernelUnit};
use aiec_diag::Diagnostic;
use aiec_host_run::inspect::{Binding, Inspected, Symbol};

use super::errors::{self, Unfit};
use super::said::Said;
use super::{Judge, base_name};

impl Judge<'_> {
    /// The function or class whose instance a unit cannot make, by the line of its first error.
    pub(super) fn at_error<'u>(&self, unit: &'u KernelUnit, words: &str) -> Option<&'u Defined> {
        let place = Said::places(words).next().filter(|place| place.file == unit.path)?;
        let line = self.line(place.file, place.line)?;
        let names = |constant: &str| line.split_whitespace().any(|word| word == constant);
        unit.defines.iter().find(|defined| defined.instance.as_deref().is_some_and(names))
    }

    /// The fault of a template whose instance a unit cannot make. The graph needs the same instance
    /// from the header alone, so if it gets that, the source has another template of the name.
    pub(super) fn ambiguous(&mut self, unit: &KernelUnit, defined: &Defined) -> Option<(String, Diagnostic)> {
        self.accepted_graph()?;
        let Defined { family, body, instance } = defined;
        if instance.is_none() || body.arguments.is_some() {
            return None;
        }
        let expected = aiec_codegen::expected_signature(&self.front.checked, *family, &body.function);
        let unfit = Unfit::Parameters(self.definition(unit, &body.function)?);
        let fault = errors::function(self.family(*family), body, &expected, &unfit);
        Some((format!("{} {} undefined", unit.source, body.function), fault))
    }

    /// The faults of functions that the graph needs from a header, while all sources compile and
    /// none defines them.
    pub(super) fn undefined(&mut self) -> Vec<Diagnostic> {
        let all = self.all;
        let Some(graph) = self.accepted_graph() else { return Vec::new() };
        let answers = &self.answers[..all.units.len()];
        if answers.iter().any(|answer| answer.refused.is_some()) {
            return Vec::new();
        }
        let of_header = all.units.iter().zip(answers).filter(|(unit, _)| unit.role.is_none());
        let of_header = of_header.flat_map(|(unit, answer)| {
            let is_function =
                |defined: &&Defined| defined.body.header.is_some() && defined.body.arguments.is_none();
            unit.defines.iter().filter(is_function).map(move |defined| (unit, defined, answer))
        });
        let missing = of_header.filter(|(_, defined, answer)| {
            let needed = needed(graph, defined, answer);
            needed.is_some_and(|needed| !answers.iter().any(|answer| defines(answer, needed)))
        });
        let missing: Vec<_> = missing.collect();
        missing.into_iter().filter_map(|(unit, defined, answer)| self.not_in(unit, defined, answer)).collect()
    }

    /// The answer about the graph, if the compiler takes it.
    fn accepted_graph(&self) -> Option<&'_ Inspected> {
        let graph = self.all.graph.as_ref().and(self.answers.get(self.all.units.len()));
        graph.filter(|graph| graph.refused.is_none())
    }

    /// The fault of a source without a function of its header. Returns None when the source names
    /// the function, but defines no other one: it may be inline.
    fn not_in(&mut self, unit: &KernelUnit, defined: &Defined, answer: &Inspected) -> Option<Diagnostic> {
        let Defined { family, body, .. } = defined;
        let other = answer
            .symbols
            .iter()
            .find(|symbol| symbol.binding != Binding::Needed && base_name(&symbol.shown) == body.function);
        let unfit = match (other, self.definition(unit, &body.function)) {
            (Some(other), place) => {
                Unfit::Parameters(other.place.as_deref().and_then(|at| self.texts.place(at)).or(place)?)
            }
            (None, None) => Unfit::Name(None),
            (None, Some(_)) => return None,
        };
        let expected = aiec_codegen::expected_signature(&self.front.checked, *family, &body.function);
        Some(errors::function(self.family(*family), body, &expected, &unfit))
    }
}

/// The linker name of a function of a header that the graph needs from elsewhere.
fn needed<'a>(graph: &'a Inspected, defined: &Defined, answer: &'a Inspected) -> Option<&'a str> {
    let mut symbols = graph.symbols.iter().filter(|symbol| symbol.binding == Binding::Needed);
    let instance = defined.instance.as_ref().map(|constant| answer.pointers.get(constant));
    let found = symbols.find(|symbol| match instance {
        Some(linkage) => linkage == Some(&symbol.linkage),
        None => base_name(&symbol.shown) == defined.body.function,
    });
    found.map(|symbol| symbol.linkage.as_str())
}

/// True if an object defines a symbol for others.
fn defines(answer: &Inspected, linkage: &str) -> bool {
    let is_it = |symbol: &Symbol| symbol.linkage == linkage && symbol.binding != Binding::Needed;
    answer.symbols.iter().any(is_it)
}
