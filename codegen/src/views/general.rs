//! One text for a template that several kernels have with other arguments: where their texts
//! differ by an argument, its parameter stands.

use aiec_ir::design::{Argument, Body};
use aiec_ir::{Expanded, FamilyId};

use super::declared::template_parameters;

/// A body, and all others with the same template. The first is the one that was asked for.
pub(super) type Alike<'a> = Vec<(FamilyId, &'a Body)>;

/// The bodies of a design with the function or class of `body`, which is one of family `id`.
pub(super) fn alike<'a>(design: &'a Expanded, id: FamilyId, body: &'a Body) -> Alike<'a> {
    let header = |body: &Body| body.header.as_ref().map(|header| header.value.clone());
    let kinds = |body: &Body| template_parameters(body).map(|one| one.kind).collect::<Vec<_>>();
    let is_it = |other: &Body| {
        other.function == body.function
            && header(other) == header(body)
            && kinds(other) == kinds(body)
            && other.arguments.is_some() == body.arguments.is_some()
    };
    let all = design.families.enumerate();
    let all = all.flat_map(|(id, family)| family.bodies.iter().map(move |body| (id, body)));
    std::iter::once((id, body)).chain(all.filter(|(_, other)| is_it(other))).collect()
}

/// The text `of` the first body that holds for all; that of the first alone where there is none.
pub(super) fn text(all: &Alike<'_>, of: impl Fn(FamilyId, &Body) -> String) -> String {
    let texts: Vec<String> = all.iter().map(|&(id, body)| of(id, body)).collect();
    let own = texts[0].clone();
    if texts.iter().all(|text| *text == own) {
        return own;
    }
    let words: Vec<Vec<&str>> = texts.iter().map(|text| words(text)).collect();
    if words.iter().any(|other| other.len() != words[0].len()) {
        return own;
    }
    let names: Vec<String> = template_parameters(all[0].1).map(|one| one.name).collect();
    let word = |at: usize| {
        let first = words[0][at];
        if words.iter().all(|words| words[at] == first) {
            return Some(first);
        }
        let is_it = |parameter: &usize| {
            let mut bodies = all.iter().zip(&words);
            bodies.all(|((_, body), words)| spelled(&body.template[*parameter]) == words[at])
        };
        (0..names.len()).find(is_it).map(|parameter| names[parameter].as_str())
    };
    let general: Option<String> = (0..words[0].len()).map(word).collect();
    general.unwrap_or(own)
}

/// The words and numbers of a text, and what lies between them.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

/// An argument of a template as a word of C++. Empty for what is none.
fn spelled(argument: &Argument) -> String {
    match argument {
        Argument::Number { value, .. } => value.to_string(),
        Argument::Type(class) => class.name().to_owned(),
        Argument::Table { .. } | Argument::Decimals(_) => String::new(),
    }
}
