//! Functions that a kernel needs and no source defines: the source has another one of that name, or
//! none.

use std::collections::BTreeSet;

use aiec_codegen::{Defined, KernelUnit};
use aiec_diag::{Diagnostic, Span, nearest};
use aiec_host_run::inspect::{Binding, Inspected, Symbol};
use aiec_ir::design::{Body, scoped};

use super::errors::{self, Unfit, Uninitialized};
use super::said::{self, Said};
use super::{Judge, base_name};

impl<'a> Judge<'a> {
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
        let Some((graph, answers)) = self.accepted_all() else { return Vec::new() };
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

    /// The faults of members that the graph needs from a class, while all sources compile and none
    /// defines them. Members of class templates are left out: a compiler may keep them local.
    pub(super) fn undefined_members(&mut self) -> Vec<Diagnostic> {
        let all = self.all;
        let Some((graph, answers)) = self.accepted_all() else { return Vec::new() };
        // A constructor has several names for the linker, of which one has the place.
        let others = answers.iter().flat_map(|answer| &answer.symbols);
        let defined: BTreeSet<&str> = others
            .filter(|symbol| symbol.binding != Binding::Needed)
            .map(|symbol| symbol.shown.as_str())
            .collect();
        let is_missing =
            |symbol: &&Symbol| symbol.binding == Binding::Needed && !defined.contains(symbol.shown.as_str());
        let missing: Vec<&str> =
            graph.symbols.iter().filter(is_missing).map(|symbol| base_name(&symbol.shown)).collect();
        let defined = all.units.iter().flat_map(|unit| &unit.defines);
        let classes = defined.filter(|defined| {
            let body = &defined.body;
            body.arguments.is_some() && body.template.is_empty() && body.header.is_some()
        });
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for Defined { family, body, .. } in classes {
            let members = missing.iter().filter(|name| scoped(name).0 == body.function);
            for member in members.filter(|member| seen.insert(**member)) {
                found.push((*family, body.clone(), (*member).to_owned()));
            }
        }
        let mut fault = |(family, body, member): (_, Body, String)| {
            let header = body.header.as_ref().map(|header| header.value.clone());
            let place = header.and_then(|header| self.function_in(&header, scoped(&member).1));
            errors::undefined_member(self.family(family), &body, &member, place)
        };
        found.into_iter().map(&mut fault).collect()
    }

    /// The place of the first word `name` with a bracket behind it in a file of the user's.
    pub(super) fn function_in(&mut self, file: &str, name: &str) -> Option<Span> {
        let copy = self.copy(file)?;
        self.texts.span(&copy.path, said::definition(&copy.text, name)?, 0)
    }

    /// The fault of an initialization function that no object defines for others.
    pub(super) fn initialization(&mut self, defined: &Defined, answer: &Inspected) -> Option<Diagnostic> {
        let Defined { family, body, .. } = defined;
        let init = body.init.as_ref()?;
        let name = init.value.as_str();
        let linkages = [mangled(name), name.to_owned(), scoped(name).1.to_owned()];
        let is_callable = |symbol: &Symbol| {
            matches!(symbol.binding, Binding::Strong | Binding::Weak) && linkages.contains(&symbol.linkage)
        };
        if self.answers.iter().flat_map(|answer| &answer.symbols).any(is_callable) {
            return None;
        }
        let own = || answer.symbols.iter().map(|symbol| base_name(&symbol.shown));
        let elsewhere = own().find(|other| *other != name && scoped(other).1 == scoped(name).1);
        let files: Vec<String> =
            std::iter::once(&body.source).chain(&body.header).map(|file| file.value.clone()).collect();
        let is_unread = files.iter().any(|file| self.copy(file).is_none());
        let place = self.function_in(&body.source.value, scoped(name).1);
        // The tools may call a function that the header of the kernel defines.
        let in_header = files[1..].iter().any(|file| self.function_in(file, scoped(name).1).is_some());
        let all_compile = self.answers.iter().all(|answer| answer.refused.is_none());
        let near = elsewhere.or_else(|| {
            let all = self.answers.iter().flat_map(|answer| &answer.symbols);
            let all = all.filter(|symbol| symbol.place.is_some());
            nearest(name, all.map(|symbol| base_name(&symbol.shown)))
        });
        let is_named = own().any(|other| other == name) || place.is_some() && elsewhere.is_none();
        let why = match is_named {
            true if all_compile => Uninitialized::Form(place),
            false if elsewhere.is_some() || !is_unread && !in_header => Uninitialized::Name(near),
            _ => return None,
        };
        Some(errors::initialization(self.family(*family), &body.source.value, init, &why))
    }

    /// The answers about the graph and the units, if the compiler takes all of them.
    fn accepted_all(&self) -> Option<(&'a Inspected, &'a [Inspected])> {
        let answers = &self.answers[..self.all.units.len()];
        let all_compile = answers.iter().all(|answer| answer.refused.is_none());
        self.accepted_graph().filter(|_| all_compile).map(|graph| (graph, answers))
    }

    /// The answer about the graph, if the compiler takes it.
    fn accepted_graph(&self) -> Option<&'a Inspected> {
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

/// The linker name of a function without parameters, which `name` gives with its namespaces
/// (Itanium C++ ABI, "External Names").
fn mangled(name: &str) -> String {
    let parts: String = name.split("::").map(|part| format!("{}{part}", part.len())).collect();
    if name.contains("::") { format!("_ZN{parts}Ev") } else { format!("_Z{parts}v") }
}

#[cfg(test)]
mod tests {
    use super::mangled;

    #[test]
    fn functions_without_parameters_have_the_names_of_the_linker() {
        assert_eq!((mangled("start").as_str(), mangled("dsp::go").as_str()), ("_Z5startv", "_ZN3dsp2goEv"));
    }
}
