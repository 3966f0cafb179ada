//! The C++ sources of a design's kernels, compared with the design before anything is placed.
//!
//! Takes the checked design and the texts of its sources. The C++ compiler of this machine compiles
//! each source as `aiec sim` does, and a unit that needs every function as the project declares it.
//! The symbols of the objects then show what differs. Each fault becomes a diagnostic at the user's
//! own file and line.

mod errors;
mod said;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aiec_codegen::{Defined, EmitOptions, KernelUnit, KernelUnits};
use aiec_diag::{Diagnostic, Span, nearest};
use aiec_host_run::inspect::{Binding, Inspected, Symbol, inspect};
use aiec_ir::design::{Body, Family, identifier};
use aiec_ir::{FamilyId, PortKind};

use self::errors::Unfit;
use self::said::Said;
use crate::copies::Copies;
use crate::instances::label;
use crate::invocation::Invocation;
use crate::pipeline::Front;
use aiec_system::files::folder_of;

/// How to compile the sources.
#[derive(Clone, Copy)]
pub(crate) struct Compiling<'a> {
    /// The design's file.
    pub(crate) design: &'a Path,
    /// The C++ compiler.
    pub(crate) cxx: &'a str,
    /// Compilers at a time.
    pub(crate) jobs: Option<u16>,
}

/// Compares the sources in `user` with the design, and logs what differs. Returns a line for
/// everything that was not checked; None when there is an error.
pub(crate) fn check(
    compiling: Compiling<'_>,
    front: &Front,
    user: &EmitOptions,
    invocation: &mut Invocation,
) -> Option<Vec<String>> {
    let mut open = missing(compiling.design, front, user);
    open.extend(not_compared(front));
    let all = invocation.log.take(aiec_codegen::kernel_units(&front.checked, &front.device, user))?;
    if all.units.is_empty() {
        return Some(open);
    }
    let files: Vec<(&str, &str)> =
        all.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let units = all.units.iter().map(|unit| unit.path.as_str());
    let units: Vec<&str> = units.chain([all.declared.as_str()]).collect();
    let faults = match inspect(compiling.cxx, &files, &units, compiling.jobs.map(usize::from)) {
        Ok(answers) => {
            let folder = folder_of(compiling.design).to_path_buf();
            let texts = Copies::new(&all.files, folder, &mut invocation.sources);
            let mut faults = Judge { front, all: &all, answers: &answers, texts }.faults();
            faults.iter_mut().for_each(|fault| label(fault, &front.checked.subgraphs));
            faults
        }
        Err(reason) => {
            let sources: BTreeSet<&str> = all.units.iter().map(|unit| unit.source.as_str()).collect();
            open.push(format!("not checked: the C++ of {}; {}", listed(&sources), reason.message));
            Vec::new()
        }
    };
    let failed = faults.iter().any(Diagnostic::is_error);
    invocation.log.diagnostics.extend(faults);
    (!failed).then_some(open)
}

/// A line about what the compiler sees only with the graph: classes and templates, whose headers
/// the user writes, and initialization functions.
fn not_compared(front: &Front) -> Option<String> {
    let bodies = || front.checked.families.iter().flat_map(|family| &family.bodies);
    let headers: BTreeSet<&str> =
        bodies().filter_map(|body| body.header.as_ref()).map(|header| header.value.as_str()).collect();
    let inits: BTreeSet<&str> =
        bodies().filter_map(|body| body.init.as_ref()).map(|init| init.value.as_str()).collect();
    let parts = [("what the graph constructs of ", headers), ("initialization functions ", inits)];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what}{}", listed(names)))
        .collect();
    (!parts.is_empty()).then(|| format!("not checked: {}; `aiec sim` compiles them", parts.join(", ")))
}

/// A line about the sources that do not exist. `design` is the design's file.
fn missing(design: &Path, front: &Front, user: &EmitOptions) -> Vec<String> {
    let is_there = |path: &str| user.sources.iter().any(|source| source.path == path);
    let families = front.checked.families.iter().filter(|family| !family.is_outside());
    let files = families.flat_map(|family| {
        let files = family.bodies.iter().flat_map(|body| std::iter::once(&body.source).chain(&body.header));
        files.map(move |file| (family, file.value.as_str()))
    });
    let missing: Vec<(&Family, &str)> = files.filter(|(_, path)| !is_there(path)).collect();
    let names: BTreeSet<&str> = missing.iter().map(|(_, path)| *path).collect();
    let is_plain = |family: &Family| family.bodies.iter().all(|body| body.header.is_none());
    let plain = missing.iter().map(|(family, _)| *family).find(|family| is_plain(family));
    let stub = plain.map_or_else(String::new, |family| {
        format!("; `aiec new kernel {} {}` writes a stub", family.name, design.display())
    });
    (!names.is_empty())
        .then(|| format!("not checked: {}, not there yet{stub}", listed(&names)))
        .into_iter()
        .collect()
}

fn listed(names: &BTreeSet<&str>) -> String {
    aiec_diag::listed(names.iter().map(|name| format!("`{name}`")), aiec_diag::LISTED)
}

/// Turns the answers about units into faults.
struct Judge<'a> {
    front: &'a Front,
    all: &'a KernelUnits,
    /// The answers about the units, then about the unit that needs all functions.
    answers: &'a [Inspected],
    texts: Copies<'a>,
}

impl Judge<'_> {
    fn faults(mut self) -> Vec<Diagnostic> {
        let all = self.all;
        let mut faults: Vec<Diagnostic> = Vec::new();
        let mut seen = BTreeSet::new();
        for (unit, answer) in all.units.iter().zip(self.answers) {
            let found = match &answer.refused {
                Some(words) => self.refused(unit, words).into_iter().collect(),
                None => self.accepted(unit, answer),
            };
            let instance = unit.defines.first().and_then(|defined| self.family(defined.family).instance());
            faults.extend(found.into_iter().filter(|fault| seen.insert(without(&fault.message, instance))));
        }
        faults.extend(self.helpers().into_iter().filter(|fault| seen.insert(fault.message.clone())));
        faults
    }

    fn family(&self, id: FamilyId) -> &Family {
        &self.front.checked.families[id]
    }

    /// The fault of a unit that does not compile.
    fn refused(&mut self, unit: &KernelUnit, words: &str) -> Option<Diagnostic> {
        let Defined { family: id, body } = unit.defines.first()?;
        let id = *id;
        let first = Said::all(words).next();
        let is_call = unit.role.is_some() && first.as_ref().is_some_and(|said| said.file == unit.path);
        if let (true, Some(said)) = (is_call, &first) {
            let span = self.definition(unit, &body.function);
            let expected = aiec_codegen::expected_signature(&self.front.checked, id, &body.function);
            let unfit = match self.switch(unit) {
                Some(place) => Unfit::Switch(place),
                None => Unfit::Call(span, said.text),
            };
            return Some(errors::function(self.family(id), body, &expected, &unfit));
        }
        let text = first.map_or("the compiler states no error", |said| said.text);
        // An error in a header is the user's if one of the lines names a source of the user.
        let place = Said::places(words).find(|place| self.texts.original(place.file).is_some());
        let place = place.and_then(|place| {
            let original = self.texts.original(place.file)?.to_owned();
            let span = self.texts.span(place.file, place.line, place.column)?;
            Some((format!("{original}:{}", place.line), span))
        });
        let place = place.as_ref().map(|(name, span)| (name.as_str(), *span));
        Some(errors::compile(self.family(id), body, place, text))
    }

    /// The line at which a source asks whether ports are buffers, if they are and nothing that it
    /// includes can tell it.
    fn switch(&mut self, unit: &KernelUnit) -> Option<Span> {
        let copy = |file: &&aiec_codegen::OutputFile| file.copy_of.as_deref() == Some(unit.source.as_str());
        let copy = self.all.files.iter().find(copy)?;
        let line = said::undefined_switch(&copy.text)?;
        let is_buffer = self.front.checked.port_kind == PortKind::Buffer;
        is_buffer.then(|| self.texts.span(&copy.path, line, 0)).flatten()
    }

    /// The place of the first word `name` with a bracket behind it in the source of a unit.
    fn definition(&mut self, unit: &KernelUnit, name: &str) -> Option<Span> {
        let copy = |file: &&aiec_codegen::OutputFile| file.copy_of.as_deref() == Some(unit.source.as_str());
        let copy = self.all.files.iter().find(copy)?;
        let line = said::definition(&copy.text, name)?;
        self.texts.span(&copy.path, line, 0)
    }

    /// The faults of a unit that compiles: missing functions, and large arrays.
    fn accepted(&mut self, unit: &KernelUnit, answer: &Inspected) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for defined in &unit.defines {
            // The header of the user declares the others, and the compiler compares the two.
            if unit.role.is_none() && defined.body.header.is_none() {
                faults.extend(self.missing(unit, defined, answer));
            }
            faults.extend(self.stack(unit, defined, answer));
        }
        faults
    }

    /// The linker name of a plain function as the project declares it.
    fn needed(&self, name: &str) -> Option<&str> {
        let symbols = &self.answers.last()?.symbols;
        let is_it = |symbol: &&Symbol| symbol.binding == Binding::Needed && base_name(&symbol.shown) == name;
        symbols.iter().find(is_it).map(|symbol| symbol.linkage.as_str())
    }

    /// The fault of a source without the function of a family.
    fn missing(&mut self, unit: &KernelUnit, defined: &Defined, answer: &Inspected) -> Option<Diagnostic> {
        let Defined { family: id, body } = defined;
        let family = self.family(*id).clone();
        let name = body.function.as_str();
        let needed = self.needed(name)?;
        let own = answer.symbols.iter().filter(|symbol| symbol.place.is_some());
        let own: Vec<&Symbol> = own.filter(|symbol| symbol.binding != Binding::Needed).collect();
        let is_local = match own.iter().find(|symbol| symbol.linkage == needed) {
            Some(symbol) if symbol.binding != Binding::Local => return None,
            other => other.is_some(),
        };
        let named = own.iter().find(|symbol| base_name(&symbol.shown) == name);
        let place = |texts: &mut Copies<'_>, symbol: &Symbol| texts.place(symbol.place.as_deref()?);
        let unfit = match named.and_then(|symbol| place(&mut self.texts, symbol)) {
            Some(span) if is_local => Unfit::Static(span),
            Some(span) => self.switch(unit).map_or(Unfit::Parameters(span), Unfit::Switch),
            None => Unfit::Name(None),
        };
        let near = nearest(name, own.iter().map(|symbol| base_name(&symbol.shown)));
        let near = near.and_then(|near| {
            let symbol = own.iter().find(|symbol| base_name(&symbol.shown) == near)?;
            Some((near, place(&mut self.texts, symbol)?))
        });
        let unfit = if matches!(unfit, Unfit::Name(None)) { Unfit::Name(near) } else { unfit };
        let expected = aiec_codegen::expected_signature(&self.front.checked, *id, name);
        Some(errors::function(&family, body, &expected, &unfit))
    }

    /// The fault of a family whose arrays exceed the smallest stack of its kernels.
    fn stack(&mut self, unit: &KernelUnit, defined: &Defined, answer: &Inspected) -> Option<Diagnostic> {
        let Defined { family: id, body } = defined;
        let id = *id;
        let checked = &self.front.checked;
        let default = self.front.device.memory.default_stack;
        let kernels = checked.kernels.enumerate().filter(|(_, kernel)| kernel.family == id);
        let bytes = kernels.map(|(kernel, _)| checked.stack_bytes(kernel, default)).min()?;
        let needed = self.needed(&body.function);
        let is_of = |symbol: &&Symbol| match &unit.role {
            Some(class) => symbol.linkage.starts_with(&format!("_ZN{}{class}", class.len())),
            None => Some(symbol.linkage.as_str()) == needed,
        };
        let arrays = answer.symbols.iter().filter(is_of).filter_map(|symbol| symbol.arrays.as_ref());
        let arrays = arrays.max_by_key(|arrays| arrays.bytes)?;
        if arrays.bytes <= u64::from(bytes) {
            return None;
        }
        let place = self.texts.place(&arrays.place);
        Some(errors::stack(self.family(id), body, arrays, bytes, place))
    }

    /// Definitions in the sources of collectives that several wrappers repeat.
    fn helpers(&mut self) -> Vec<Diagnostic> {
        let mut all: BTreeMap<&str, (usize, (FamilyId, &Body), &Symbol)> = BTreeMap::new();
        for (unit, answer) in self.all.units.iter().zip(self.answers) {
            let Some(Defined { family, body }) = unit.defines.first() else { continue };
            for symbol in answer.symbols.iter().filter(|symbol| symbol.binding == Binding::Strong) {
                let file = symbol.place.as_deref().and_then(|place| place.rsplit_once(':'));
                if file.is_some_and(|(file, _)| self.texts.original(file) == Some(unit.source.as_str())) {
                    all.entry(&symbol.linkage).or_insert((0, (*family, body), symbol)).0 += 1;
                }
            }
        }
        let repeated = all.into_values().filter(|(units, _, _)| *units > 1);
        let one = |(units, (family, body), symbol): (usize, (FamilyId, &Body), &Symbol)| {
            let place = symbol.place.as_deref().and_then(|place| self.texts.place(place));
            errors::helper(&self.front.checked.families[family], body, base_name(&symbol.shown), place, units)
        };
        repeated.map(one).collect()
    }
}

/// A message without the instance of a component that its names begin with: equal faults of equal
/// instances are equal texts.
fn without(message: &str, instance: Option<&str>) -> String {
    let Some(instance) = instance else { return message.to_owned() };
    message.replace(&format!("{instance}."), "").replace(&format!("{}_", identifier(instance)), "")
}

/// The name of a function without its type, its parameters and its template arguments.
fn base_name(shown: &str) -> &str {
    let name = shown.split(['(', '<']).next().unwrap_or(shown);
    name.rsplit(' ').next().unwrap_or(name)
}
