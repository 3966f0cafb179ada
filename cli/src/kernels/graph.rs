//! The faults of the project's graph with the headers of the design: what it cannot create, and
//! functions of classes with other ports.

use std::collections::BTreeSet;

use aiec_diag::{Diagnostic, Span};
use aiec_ir::FamilyId;
use aiec_ir::design::{Argument, Body, scoped};

use super::errors::{Complaint, Uncreated};
use super::headers::{Declared, Registered};
use super::said::{Fault, Given, Place};
use super::{Judge, KERNELS, errors, headers, key, said};

/// Path of the graph's class in the project.
const GRAPH: &str = "aie/graph.h";

/// A fault of the graph, and what all errors with one root cause have in common.
type Found = (String, Diagnostic);

impl<'a> Judge<'a> {
    /// Every fault that the compiler names for the graph, each root cause once: those of `seen` are
    /// reported already, and this joins them.
    pub(super) fn graph(&mut self, seen: &mut BTreeSet<String>) -> Vec<Diagnostic> {
        let all = self.all;
        let Some(answer) = all.graph.as_ref().and(self.answers.get(all.units.len())) else {
            return Vec::new();
        };
        let Some(words) = &answer.refused else { return Vec::new() };
        let is_alone = seen.is_empty();
        let mut faults = Vec::new();
        let mut lines = BTreeSet::new();
        for one in Fault::all(words) {
            let mut causes = [KERNELS, GRAPH].iter().filter_map(|file| Some((*file, one.cause(file)?)));
            // The first error of a line is its cause.
            if self.follows(&one, seen) || causes.next().is_some_and(|cause| !lines.insert(cause)) {
                continue;
            }
            let found =
                self.registered(one.text).or_else(|| self.in_kernels(&one)).or_else(|| self.in_graph(&one));
            let found = found.or_else(|| self.in_header(&one));
            // What only aiec's own files show may follow from another fault.
            let found = found.or_else(|| self.elsewhere(&one).filter(|_| is_alone && faults.is_empty()));
            faults.extend(found.filter(|(key, _)| seen.insert(key.clone())).map(|(_, fault)| fault));
        }
        faults
    }

    /// The faults of classes that do not register the tables that they get, for families without a
    /// fault in `seen`.
    pub(super) fn unregistered(&mut self, seen: &mut BTreeSet<String>) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for (id, body) in self.bodies() {
            let tables = body.arguments.iter().flatten().filter_map(Argument::table).count();
            let Some(copy) = body.header.as_ref().and_then(|header| self.copy(&header.value)) else {
                continue;
            };
            let Some(found) = Registered::of(&copy.text, scoped(&body.function).1) else { continue };
            let is_told = |key: &String| *key == of_family(id) || key.starts_with(&ports_of(body));
            if found.parameters < tables && !seen.iter().any(is_told) && seen.insert(class_of(body)) {
                let place = self.texts.span(&copy.path, found.line, 0);
                faults.push(errors::unregistered(self.family(id), body, tables, &found, place));
            }
        }
        faults
    }

    /// True for an error that follows from one that is reported: in the same line of the user's, or
    /// in the creation of what a header with an error declares.
    fn follows(&self, one: &Fault<'_>, seen: &BTreeSet<String>) -> bool {
        let is_reported = |start: &str| seen.iter().any(|key| key.starts_with(start));
        if let Some(at) = one.at.filter(|at| self.texts.original(at.file).is_some()) {
            return is_reported(&format!("{}:{}:", at.file, at.line));
        }
        let statement = one.cause(GRAPH).and_then(|line| self.statement(line));
        let line = one.cause(KERNELS).and_then(|line| self.line(KERNELS, line)).map(str::to_owned);
        let body = statement.or(line).and_then(|text| self.created_by(&text)).map(|(_, body)| body);
        let copy = body.and_then(|body| self.copy(&body.header?.value));
        copy.is_some_and(|copy| is_reported(&format!("{}:", copy.path)))
    }

    /// The fault of a class that registers a function of another form: one that returns a value, or
    /// a static or constant one.
    pub(super) fn registered(&mut self, words: &str) -> Option<Found> {
        let (member, is_static) = said::registered(words)?;
        let is_it = |body: &Body| body.arguments.is_some() && body.function == scoped(member).0;
        let (id, body) = self.bodies().find(|(_, body)| is_it(body))?;
        let why = if is_static { "is `static`" } else { "returns a value or is `const`" };
        let place = self.function_in(&body.header.as_ref()?.value, scoped(member).1);
        let expected = aiec_codegen::expected_signature(&self.front.checked, id, member);
        let fault = errors::member_form(self.family(id), body, &expected, why, place);
        Some((format!("{}{member}", ports_of(body)), fault))
    }

    /// The fault of a line that compares a function with the ports of the design.
    fn in_kernels(&mut self, one: &Fault<'_>) -> Option<Found> {
        let line = self.line(KERNELS, one.cause(KERNELS)?)?;
        let is_assertion =
            one.text.starts_with("static assertion failed") || one.text.starts_with("static_assert");
        if let Some((types, given)) = said::constructed(line) {
            let (id, body) = self.created_by(types)?;
            let fault = if is_assertion {
                self.other_numbers(id, &body, given)
            } else {
                self.uncreated(id, &body, &named(&body), one)
            };
            return Some((of_family(id), fault));
        }
        let (types, expected) = said::compared(line)?;
        let (id, body) = self.created_by(types)?;
        if !is_assertion {
            return Some((of_family(id), self.uncreated(id, &body, &named(&body), one)));
        }
        let name = said::last_name(expected);
        let header = body.header.as_ref().map_or("", |header| header.value.as_str());
        let place =
            self.copy(header).and_then(|copy| Some((&copy.path, said::definition(&copy.text, name)?)));
        let place = place.and_then(|(path, line)| self.texts.span(path, line, 0));
        // Instances with other arguments of a template have the same fault.
        Some((
            format!("{}{expected}", ports_of(&body)),
            errors::member(self.family(id), &body, expected, place),
        ))
    }

    /// The fault of a statement that creates kernels, or of another one of the graph.
    fn in_graph(&mut self, one: &Fault<'_>) -> Option<Found> {
        let statement = self.statement(one.cause(GRAPH)?)?;
        if let Some(created) = said::created(&statement)
            && let Some((id, body)) = self.created_by(created)
        {
            return Some((of_family(id), self.uncreated(id, &body, created, one)));
        }
        let users = one.place_in(|file| self.texts.original(file).is_some());
        match users {
            Some(place) => self.at(place, one),
            None => self.emitted(GRAPH, &statement, one),
        }
    }

    /// The fault of a line of the user's.
    fn in_header(&mut self, one: &Fault<'_>) -> Option<Found> {
        let place = one.at.filter(|at| self.texts.original(at.file).is_some())?;
        self.at(place, one)
    }

    /// The fault of a line of aiec's.
    fn elsewhere(&self, one: &Fault<'_>) -> Option<Found> {
        let at = one.at?;
        self.emitted(at.file, self.line(at.file, at.line)?.trim(), one)
    }

    /// A fault at a place of the user's, for a kernel with that file or, else, with any header.
    fn at(&mut self, place: Place<'_>, one: &Fault<'_>) -> Option<Found> {
        let original = self.texts.original(place.file)?;
        let span = self.texts.span(place.file, place.line, place.column)?;
        let (id, body) = self.with_header(Some(original)).or_else(|| self.with_header(None))?;
        let shown = format!("{original}:{}", place.line);
        let complaint =
            Complaint { place: Some((shown.as_str(), span)), words: one.text, candidates: Vec::new() };
        let fault = errors::compile(self.family(id), &body, &complaint);
        Some((key(place, one.text), self.as_class(fault, one.text)))
    }

    fn emitted(&self, file: &str, statement: &str, one: &Fault<'_>) -> Option<Found> {
        let (_, body) = self.with_header(None)?;
        let fault = errors::emitted(file, statement, one.text, body.header.as_ref()?);
        Some((format!("{file} {}", said::kind(one.text)), self.as_class(fault, one.text)))
    }

    /// The bodies of all families.
    fn bodies(&self) -> impl Iterator<Item = (FamilyId, &'a Body)> + use<'a> {
        let all = self.front.checked.families.enumerate();
        all.flat_map(|(id, family)| family.bodies.iter().map(move |body| (id, body)))
    }

    /// The first body with the header `header`, or with any.
    fn with_header(&self, header: Option<&str>) -> Option<(FamilyId, Body)> {
        let has = |body: &Body| match (header, &body.header) {
            (Some(wanted), Some(own)) => own.value == wanted,
            (None, own) => own.is_some(),
            (Some(_), None) => false,
        };
        let (id, body) = self.bodies().find(|(_, body)| has(body))?;
        Some((id, body.clone()))
    }

    /// Why the graph cannot create the kernels of a family, by what its header declares.
    fn uncreated(&mut self, id: FamilyId, body: &Body, created: &str, one: &Fault<'_>) -> Diagnostic {
        let header = body.header.as_ref().map_or("", |header| header.value.as_str());
        let copy = self.copy(header);
        let declared = copy.and_then(|copy| Declared::of(&copy.text, scoped(&body.function).1));
        let why = match &declared {
            None if is_missing(one.text, scoped(&body.function).1) => {
                let known = copy.map(|copy| headers::names(&copy.text, body.arguments.is_some()));
                Uncreated::Missing(known.unwrap_or_default())
            }
            declared => reason(body, declared.as_ref(), one.text),
        };
        let place = match (&why, &declared, copy) {
            (Uncreated::Missing(_), ..) => {
                let header = body.header.as_ref().map(|header| header.span);
                header.and_then(|header| self.texts.property(header, "function", &body.function))
            }
            (Uncreated::Said(_), ..) | (_, None, _) | (_, _, None) => self.named(one),
            (_, Some(declared), Some(copy)) => self.texts.span(&copy.path, declared.line, 0),
        };
        errors::creation(self.family(id), body, created, place, &why)
    }

    /// The constructor of a family's class takes other tables or numbers than the design gives.
    fn other_numbers(&mut self, id: FamilyId, body: &Body, given: Given<'_>) -> Diagnostic {
        let header = body.header.as_ref().map_or("", |header| header.value.as_str());
        let copy = self.copy(header);
        let declared = copy.and_then(|copy| Declared::of(&copy.text, scoped(&body.function).1));
        let place = declared.as_ref().zip(copy).map(|(declared, copy)| (declared.line, &copy.path));
        let place = place.and_then(|(line, path)| self.texts.span(path, line, 0));
        errors::constructor(self.family(id), body, given, declared.as_ref(), place)
    }

    /// The first place of the user's that an error names.
    fn named(&mut self, one: &Fault<'_>) -> Option<Span> {
        let place = one.place_in(|file| self.texts.original(file).is_some())?;
        self.texts.span(place.file, place.line, place.column)
    }

    /// Line `line` (from 1) of a file of the project.
    pub(super) fn line(&self, path: &str, line: usize) -> Option<&'a str> {
        let all = self.all;
        let file = all.files.iter().find(|file| file.path == path)?;
        file.text.lines().nth(line.checked_sub(1)?)
    }

    /// The statement of the graph with line `line`.
    fn statement(&self, line: usize) -> Option<String> {
        let graph = self.all.files.iter().find(|file| file.path == GRAPH)?;
        said::statement(&graph.text.lines().collect::<Vec<_>>(), line)
    }

    /// The family whose function or class a statement of the graph names, of those with a header;
    /// of several bodies that with these template arguments.
    fn created_by(&self, created: &str) -> Option<(FamilyId, Body)> {
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let names =
            |name: &str| created.match_indices(name).any(|(at, _)| is_end(&created[at + name.len()..]));
        let named =
            self.bodies().filter(|(_, body)| body.header.is_some() && names(&format!("::{}", body.function)));
        let named: Vec<(FamilyId, &Body)> = named.collect();
        let whole = |body: &Body| format!("::{}", aiec_codegen::code_name(body));
        let exact = named.iter().find(|(_, body)| created.contains(&whole(body)));
        let (id, body) = exact.or_else(|| named.first())?;
        Some((*id, (*body).clone()))
    }
}

/// The function or class of a body, as the graph names it.
fn named(body: &Body) -> String {
    format!("::{}", aiec_codegen::code_name(body))
}

/// True if a compiler says that it knows no `name`.
fn is_missing(words: &str, name: &str) -> bool {
    let (gcc, clang) = (format!("‘{name}’"), format!("'{name}"));
    let names = words.contains(&gcc) || words.contains(&clang);
    let unknown =
        ["is not a member of", "has not been declared", "was not declared", "no member named", "undeclared"];
    names && unknown.iter().any(|unknown| words.contains(unknown))
}

/// The root cause of errors in what a family's header declares.
fn of_family(id: FamilyId) -> String {
    format!("created {}", id.0)
}

/// The class of a body with its header: what makes a fault of the class one.
fn class_of(body: &Body) -> String {
    let header = body.header.as_ref().map_or("", |header| header.value.as_str());
    format!("class {} {header}", body.function)
}

/// How the root cause begins that a function or class of a header has other ports.
fn ports_of(body: &Body) -> String {
    format!("ports of {} ", class_of(body))
}

/// Why the graph cannot create a kernel with this body.
fn reason<'r>(body: &Body, declared: Option<&'r Declared>, words: &'r str) -> Uncreated<'r> {
    let Some(declared) = declared else { return Uncreated::Said(words) };
    match &body.arguments {
        None if declared.is_class => return Uncreated::IsClass(declared),
        Some(_) if !declared.is_class => return Uncreated::IsFunction,
        _ => {}
    }
    if declared.refuses(&body.template) {
        return Uncreated::Template(declared);
    }
    let calls = ["no matching function for call to", "no matching constructor", "array_argument"];
    if declared.is_class && calls.iter().any(|call| words.contains(call)) {
        return Uncreated::Constructor(declared);
    }
    match declared.head() {
        Some(_) if words.contains("cannot resolve address of overloaded function") => {
            Uncreated::Argument(declared)
        }
        _ => Uncreated::Said(words),
    }
}
