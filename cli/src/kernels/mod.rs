//! The C++ sources of a design's kernels, compared with the design before anything is placed.
//!
//! Takes the checked design and the texts of its sources. The C++ compiler of this machine compiles
//! each source as `aiec sim` does, and a unit that needs every function as the project declares it.
//! The symbols of the objects then show what differs. Each fault becomes a diagnostic at the user's
//! own file and line.

mod errors;
mod graph;
mod headers;
mod said;
mod served;
mod undefined;

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::Path;

use aiec_codegen::{Defined, EmitOptions, KernelUnit, KernelUnits, OutputFile};
use aiec_diag::{Diagnostic, Span, count, nearest};
use aiec_host_run::inspect::{Binding, Inspected, Symbol, inspect};
use aiec_ir::design::{Body, Family, identifier, scoped};
use aiec_ir::{FamilyId, PortKind};

use self::errors::{Complaint, Definition, Unfit};
use self::headers::Declared;
use self::said::{Place, Said};
use crate::copies::Copies;
use crate::instances::label;
use crate::invocation::Invocation;
use crate::pipeline::Front;
use crate::search::Wait;
use aiec_system::files::folder_of;

/// Path of the header that compares the functions of classes with the design.
const KERNELS: &str = "aie/kernels.h";

/// How to compile the sources.
#[derive(Clone, Copy)]
pub(crate) struct Compiling<'a> {
    /// The path of the design's file.
    pub(crate) design: &'a Path,
    /// The device that the command line gives.
    pub(crate) device: Option<&'a str>,
    /// The command of the C++ compiler (`--cxx`).
    pub(crate) cxx: &'a str,
    /// Compilers at a time.
    pub(crate) jobs: Option<u16>,
}

/// Compares the sources in `user` with the design, and logs what differs. Returns a line for
/// everything that was not checked. Returns None when there is an error.
pub(crate) fn check(
    compiling: Compiling<'_>,
    front: &Front,
    user: &EmitOptions,
    invocation: &mut Invocation,
) -> Option<Vec<String>> {
    let mut open = missing(&compiling, front, user);
    let mut silent = served::check(front, &user.sources);
    silent.iter_mut().for_each(|fault| label(fault, &front.checked.subgraphs));
    invocation.log.add(silent);
    let all = invocation.log.take(aiec_codegen::kernel_units(&front.checked, &front.device, user))?;
    open.extend(not_compared(front, &all));
    if all.units.is_empty() && all.graph.is_none() {
        return Some(open);
    }
    let files: Vec<(&str, &str)> =
        all.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let units = all.units.iter().map(|unit| unit.path.as_str());
    let units: Vec<&str> = units.chain(all.graph.as_deref()).chain([all.declared.as_str()]).collect();
    let number = count(all.units.len() as u64, "source");
    let wait = Wait::new(format!("compiling {number} of kernels"), invocation.progress);
    let answers = inspect(compiling.cxx, &files, &units, compiling.jobs.map(usize::from));
    drop(wait);
    let faults = match answers {
        Ok(answers) => {
            let folder = folder_of(compiling.design).to_path_buf();
            let texts = Copies::new(&all.files, folder, &mut invocation.sources);
            let mut faults = Judge { front, all: &all, answers: &answers, texts }.faults();
            faults.iter_mut().for_each(|fault| label(fault, &front.checked.subgraphs));
            faults
        }
        Err(reason) => {
            let sources: BTreeSet<&str> = all.units.iter().map(|unit| unit.source.as_str()).collect();
            open.push(format!("not checked: the C++ of {}; {}", quoted(&sources), reason.message));
            Vec::new()
        }
    };
    let failed = invocation.log.add(faults);
    (!failed).then_some(open)
}

/// A line about what the compiler does not compare: the ports of functions that headers of the user
/// declare, but for those that the project states. Without these headers
/// (`is_constructed` is false), nothing that the graph constructs.
fn not_compared(front: &Front, all: &KernelUnits) -> Option<String> {
    let is_constructed = all.graph.is_some();
    let kernels = all.files.iter().find(|file| file.path == KERNELS);
    let is_compared = |body: &&Body| {
        let class = format!("<decltype(&::{}", body.function);
        is_constructed && kernels.is_some_and(|file| file.text.contains(&class))
    };
    let bodies = front.checked.families.iter().flat_map(|family| &family.bodies);
    let bodies = bodies.filter(|body| !is_compared(body));
    let headers: BTreeSet<&str> =
        bodies.filter_map(|body| body.header.as_ref()).map(|header| header.value.as_str()).collect();
    let what = if is_constructed { "the ports of the functions of" } else { "what the graph constructs of" };
    (!headers.is_empty()).then(|| format!("not checked: {what} {}", quoted(&headers)))
}

/// A line about the sources that do not exist.
fn missing(compiling: &Compiling<'_>, front: &Front, user: &EmitOptions) -> Vec<String> {
    let is_there = |path: &str| user.sources.iter().any(|source| source.path == path);
    let families = front.checked.families.enumerate().filter(|(_, family)| !family.is_outside());
    let files = families.flat_map(|(id, family)| {
        let files = family.bodies.iter().flat_map(|body| std::iter::once(&body.source).chain(&body.header));
        files.map(move |file| (id, family, file.value.as_str()))
    });
    let missing: Vec<(FamilyId, &Family, &str)> = files.filter(|(.., path)| !is_there(path)).collect();
    let names: BTreeSet<&str> = missing.iter().map(|(.., path)| *path).collect();
    let first = missing.iter().find(|(id, ..)| aiec_codegen::stubs(&front.checked, *id).is_ok());
    let stub = first.map_or_else(String::new, |(_, family, _)| {
        let device = compiling.device.map_or_else(String::new, |device| format!(" --device {device}"));
        format!("; `aiec new kernel {} {}{device}` writes a stub", family.name, compiling.design.display())
    });
    (!names.is_empty())
        .then(|| format!("not checked: {}, not there yet{stub}", quoted(&names)))
        .into_iter()
        .collect()
}

fn quoted(names: &BTreeSet<&str>) -> String {
    aiec_diag::listed(names.iter().map(|name| format!("`{name}`")), aiec_diag::LISTED)
}

/// The functions that run as a kernel.
enum Own {
    /// The one with this linker name.
    Function(String),
    /// Those of a class, whose linker names begin so.
    Members(String),
    /// The one that C++ spells so; of a class (true) its members.
    Shown(String, bool),
}

impl Own {
    fn has(&self, symbol: &Symbol) -> bool {
        match self {
            Self::Function(linkage) => symbol.linkage == *linkage,
            Self::Members(start) => symbol.linkage.starts_with(start),
            Self::Shown(name, false) => base_name(&symbol.shown) == name,
            Self::Shown(class, true) => scoped(base_name(&symbol.shown)).0 == class,
        }
    }
}

/// Turns the answers about units into faults.
struct Judge<'a> {
    front: &'a Front,
    all: &'a KernelUnits,
    /// The answers about the units, then about the graph if it is one, then about the unit that
    /// needs all functions.
    answers: &'a [Inspected],
    texts: Copies<'a>,
}

impl<'a> Judge<'a> {
    fn faults(mut self) -> Vec<Diagnostic> {
        let all = self.all;
        let mut faults: Vec<Diagnostic> = Vec::new();
        let mut seen = BTreeSet::new();
        // By the place of an error: the text of the kernel that shows it first, and its families in
        // all instances.
        let mut refused: BTreeMap<String, (Span, BTreeSet<FamilyId>)> = BTreeMap::new();
        for (unit, answer) in all.units.iter().zip(self.answers) {
            let Some(words) = &answer.refused else {
                let found = self.accepted(unit, answer).into_iter();
                let instance =
                    unit.defines.first().and_then(|defined| self.family(defined.family).instance());
                faults.extend(found.filter(|fault| seen.insert(without(&fault.message, instance))));
                continue;
            };
            for defined in in_each_instance(unit, self.at_error(unit, words)) {
                let Some((place, fault)) = self.refused(unit, defined, words) else { continue };
                seen.insert(place.clone());
                let text = defined.body.source.span;
                let (first, families) = refused.entry(place).or_insert_with(|| (text, BTreeSet::new()));
                // The log joins the faults of other instances to the first one.
                faults.extend((*first == text && families.insert(defined.family)).then_some(fault));
            }
        }
        faults.extend(self.stacks().into_iter().filter(|fault| seen.insert(fault.message.clone())));
        faults.extend(self.undefined());
        faults.extend(self.undefined_members());
        faults.extend(self.graph(&mut seen));
        faults.extend(self.unregistered(&mut seen));
        faults.extend(self.helpers().into_iter().filter(|fault| seen.insert(fault.message.clone())));
        faults
    }

    fn family(&self, id: FamilyId) -> &Family {
        &self.front.checked.families[id]
    }

    /// The fault of a unit that does not compile, behind its place and kind: one line of a source
    /// is one fault, in all roles and families that have it. The message names that of `defined`.
    fn refused(&mut self, unit: &KernelUnit, defined: &Defined, words: &str) -> Option<(String, Diagnostic)> {
        let Defined { family: id, body, .. } = defined;
        let id = *id;
        let first = Said::all(words).next();
        let text = first.as_ref().map_or("the compiler states no error", |said| said.text);
        let is_ours = first.as_ref().is_some_and(|said| said.file == unit.path);
        if is_ours && unit.defines.iter().any(|defined| defined.instance.is_some()) {
            return self.ambiguous(unit, defined);
        }
        if is_ours && unit.role.is_some() {
            let span = self.definition(unit, &body.function);
            let expected = aiec_codegen::expected_signature(&self.front.checked, id, &body.function);
            let unfit = match self.switch(unit) {
                Some(place) => Unfit::Switch(place),
                None => Unfit::Call(span, text),
            };
            let fault = errors::function(self.family(id), body, &expected, &unfit);
            return Some((format!("{} {} {}", unit.source, body.function, said::kind(text)), fault));
        }
        if let Some(found) = self.registered(text) {
            return Some(found);
        }
        // An error in a header is the user's if one of the lines names a source of the user.
        let place = Said::places(words).find(|place| self.texts.original(place.file).is_some());
        let shown = place.and_then(|place| {
            let original = self.texts.original(place.file)?;
            let span = self.texts.span(place.file, place.line, place.column)?;
            Some((format!("{original}:{}", place.line), span))
        });
        let key = place.map_or_else(|| format!("{} {text}", unit.source), |place| key(place, text));
        let complaint = Complaint {
            place: shown.as_ref().map(|(name, span)| (name.as_str(), *span)),
            words: text,
            candidates: self.candidates(words),
        };
        let mut fault = errors::compile(self.family(id), body, &complaint);
        if said::names_numbers(text) {
            let names = aiec_codegen::longer_names(&self.front.checked, self.family(id), text);
            fault.help = names.into_iter().chain([fault.help]).collect::<Vec<_>>().join("; ");
        }
        Some((key, self.as_class(fault, text)))
    }

    /// Adds to the fault with these words of a compiler that a class of the project has the name of
    /// a type in it.
    pub(super) fn as_class(&self, fault: Diagnostic, words: &str) -> Diagnostic {
        let checked = &self.front.checked;
        let components = checked.subgraphs.iter().map(|instance| ("component", instance.component.as_str()));
        let mut classes = iter::once(("design", checked.name.value.as_str())).chain(components);
        match classes.find(|(_, name)| said::names_type(words, name)) {
            Some((what, name)) => errors::class_of_project(fault, what, name),
            None => fault,
        }
    }

    /// The functions that the first error of a compiler names instead of the one that is called,
    /// as the files of the project declare them.
    fn candidates(&self, words: &str) -> Vec<String> {
        let declared = said::candidates(words).into_iter().filter_map(|at| {
            let file = self.all.files.iter().find(|file| file.path == at.file)?;
            said::declaration(&file.text, at.line)
        });
        let mut found: Vec<String> = Vec::new();
        for one in declared {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }

    /// The project's copy of a file of the user's.
    fn copy(&self, path: &str) -> Option<&'a OutputFile> {
        self.all.files.iter().find(|file| file.copy_of.as_deref() == Some(path))
    }

    /// The line at which a source asks whether ports are buffers, if they are and nothing that it
    /// includes can tell it.
    fn switch(&mut self, unit: &KernelUnit) -> Option<Span> {
        let copy = self.copy(&unit.source)?;
        let line = said::undefined_switch(&copy.text)?;
        let is_buffer = self.front.checked.port_kind == PortKind::Buffer;
        is_buffer.then(|| self.texts.span(&copy.path, line, 0)).flatten()
    }

    /// The place of the first word `name` with a bracket behind it in the source of a unit.
    fn definition(&mut self, unit: &KernelUnit, name: &str) -> Option<Span> {
        let copy = self.copy(&unit.source)?;
        let line = said::definition(&copy.text, scoped(name).1)?;
        self.texts.span(&copy.path, line, 0)
    }

    /// The faults of a unit that compiles: missing functions.
    fn accepted(&mut self, unit: &KernelUnit, answer: &Inspected) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for defined in &unit.defines {
            // The header of the user declares the others, and the compiler compares the two.
            if unit.role.is_none() && defined.body.header.is_none() {
                faults.extend(self.missing(unit, defined, answer));
            }
            faults.extend(self.initialization(defined, answer));
        }
        faults
    }

    /// A plain function as the project declares it.
    fn needed(&self, name: &str) -> Option<&'a Symbol> {
        let symbols = &self.answers.last()?.symbols;
        let is_it = |symbol: &&Symbol| symbol.binding == Binding::Needed && base_name(&symbol.shown) == name;
        symbols.iter().find(is_it)
    }

    /// The fault of a source without the function of a family.
    fn missing(&mut self, unit: &KernelUnit, defined: &Defined, answer: &Inspected) -> Option<Diagnostic> {
        let Defined { family: id, body, .. } = defined;
        let family = self.family(*id).clone();
        let name = body.function.as_str();
        let needed = self.needed(name)?;
        let own = answer.symbols.iter().filter(|symbol| symbol.place.is_some());
        let own: Vec<&Symbol> = own.filter(|symbol| symbol.binding != Binding::Needed).collect();
        let is_local = match own.iter().find(|symbol| symbol.linkage == needed.linkage) {
            Some(symbol) if symbol.binding != Binding::Local => {
                let span = symbol.place.as_deref().filter(|_| symbol.returns)?;
                let unfit = Unfit::Returns(self.texts.place(span)?);
                let expected = aiec_codegen::expected_signature(&self.front.checked, *id, name);
                return Some(errors::function(&family, body, &expected, &unfit));
            }
            other => other.is_some(),
        };
        let hidden = self.copy(&unit.source).and_then(|copy| {
            let line = said::static_definition(&copy.text, scoped(name).1)?;
            self.texts.span(&copy.path, line, 0)
        });
        let named = own.iter().find(|symbol| base_name(&symbol.shown) == name);
        let place = |texts: &mut Copies<'_>, symbol: &Symbol| texts.place(symbol.place.as_deref()?);
        let unfit = match named.and_then(|symbol| place(&mut self.texts, symbol)) {
            Some(span) if is_local => Unfit::Static(span),
            Some(span) if named.is_some_and(|symbol| self.is_of_c(unit, symbol)) => Unfit::OfC(span),
            Some(span) if named.is_some_and(|symbol| differ_by_extents(&symbol.shown, &needed.shown)) => {
                Unfit::Extents(span)
            }
            Some(span) => self.switch(unit).map_or(Unfit::Parameters(span), Unfit::Switch),
            None => hidden.map_or(Unfit::Name(None), Unfit::Static),
        };
        let names = || own.iter().map(|symbol| base_name(&symbol.shown));
        // The same function in another namespace, or in none.
        let elsewhere = names().find(|other| scoped(other).1 == scoped(name).1);
        let is_elsewhere = elsewhere.is_some();
        let near = elsewhere.or_else(|| nearest(name, names()));
        let near = near.and_then(|near| {
            let symbol = own.iter().find(|symbol| base_name(&symbol.shown) == near)?;
            Some((near, place(&mut self.texts, symbol)?))
        });
        let head = self.template(unit, name);
        let is_template = named.is_none_or(|symbol| symbol.shown.contains(&format!("{name}<")));
        let unfit = match (&head, unfit) {
            (Some(head), _) if is_template => Unfit::Template(head, self.definition(unit, name)),
            (_, Unfit::Name(None)) => match self.definition(unit, name).filter(|_| !is_elsewhere) {
                Some(span) => Unfit::Hidden(span),
                None => Unfit::Name(near),
            },
            (_, other) => other,
        };
        let expected = aiec_codegen::expected_signature(&self.front.checked, *id, name);
        Some(errors::function(&family, body, &expected, &unfit))
    }

    /// True for a symbol with the name that C gives it, in a source that asks for such names.
    fn is_of_c(&self, unit: &KernelUnit, symbol: &Symbol) -> bool {
        let is_asked = |copy: &OutputFile| copy.text.contains("extern \"C\"");
        symbol.linkage == base_name(&symbol.shown) && self.copy(&unit.source).is_some_and(is_asked)
    }

    /// The head of the function template `name` in the source of a unit.
    fn template(&self, unit: &KernelUnit, name: &str) -> Option<String> {
        let declared = Declared::of(&self.copy(&unit.source)?.text, scoped(name).1)?;
        declared.head().filter(|_| !declared.is_class)
    }

    /// The faults of stacks: for each kernel in the text, that of the role with the largest arrays.
    fn stacks(&mut self) -> Vec<Diagnostic> {
        let all = self.all;
        let mut worst: BTreeMap<Span, (u64, Diagnostic)> = BTreeMap::new();
        for (unit, answer) in all.units.iter().zip(self.answers) {
            for defined in &unit.defines {
                let Some((bytes, fault)) = self.stack(unit, defined, answer) else { continue };
                let kept = worst.entry(defined.body.source.span).or_insert_with(|| (bytes, fault.clone()));
                if kept.0 < bytes {
                    *kept = (bytes, fault);
                }
            }
        }
        worst.into_values().map(|(_, fault)| fault).collect()
    }

    /// The fault of a family whose arrays exceed the smallest stack of its kernels, with their
    /// bytes.
    fn stack(
        &mut self,
        unit: &KernelUnit,
        defined: &Defined,
        answer: &Inspected,
    ) -> Option<(u64, Diagnostic)> {
        let Defined { family: id, body, .. } = defined;
        let id = *id;
        let checked = &self.front.checked;
        let default = self.front.device.memory.default_stack;
        let kernels = checked.kernels.enumerate().filter(|(_, kernel)| kernel.family == id);
        let bytes = kernels.map(|(kernel, _)| checked.stack_bytes(kernel, default)).min()?;
        let own = self.own_functions(unit, defined, answer)?;
        // The graph has the functions that a header defines.
        let graph = self.all.graph.as_ref().and(self.answers.get(self.all.units.len()));
        let symbols = answer.symbols.iter().chain(graph.into_iter().flat_map(|graph| &graph.symbols));
        let arrays = symbols.filter(|symbol| own.has(symbol)).filter_map(|symbol| symbol.arrays.as_ref());
        let arrays = arrays.max_by_key(|arrays| arrays.bytes)?;
        if arrays.bytes <= u64::from(bytes) {
            return None;
        }
        let place = self.texts.place(&arrays.place);
        Some((arrays.bytes, errors::stack(self.family(id), body, arrays, bytes, place)))
    }

    /// The functions that run as the kernels of a family. Returns None when the object has no such
    /// name.
    fn own_functions(&self, unit: &KernelUnit, defined: &Defined, answer: &Inspected) -> Option<Own> {
        let Defined { body, instance, .. } = defined;
        if let Some(class) = &unit.role {
            return Some(Own::Members(format!("_ZN{}{class}", class.len())));
        }
        let is_class = body.arguments.is_some();
        match instance {
            Some(constant) if is_class => {
                let (class, _) = answer.pointers.get(constant)?.split_once("19registerKernelClass")?;
                Some(Own::Members(class.to_owned()))
            }
            Some(constant) => answer.pointers.get(constant).cloned().map(Own::Function),
            None if body.header.is_none() => {
                self.needed(&body.function).map(|needed| Own::Function(needed.linkage.clone()))
            }
            None => Some(Own::Shown(body.function.clone(), is_class)),
        }
    }

    /// Definitions that several objects have: wrappers of one source, the sources of two kernels,
    /// or sources that include one header.
    fn helpers(&mut self) -> Vec<Diagnostic> {
        let mut all: BTreeMap<&str, Vec<(&KernelUnit, &Symbol)>> = BTreeMap::new();
        for (unit, answer) in self.all.units.iter().zip(self.answers) {
            for symbol in answer.symbols.iter().filter(|symbol| symbol.binding == Binding::Strong) {
                let file = symbol.place.as_deref().and_then(|place| place.rsplit_once(':'));
                if file.is_some_and(|(file, _)| self.texts.original(file).is_some()) {
                    all.entry(&symbol.linkage).or_default().push((unit, symbol));
                }
            }
        }
        all.into_values().filter_map(|found| self.repeated(&found)).collect()
    }

    /// The fault of a definition that is found several times.
    fn repeated(&mut self, found: &[(&KernelUnit, &Symbol)]) -> Option<Diagnostic> {
        let [(unit, symbol), others @ ..] = found else { return None };
        let first = unit.defines.first()?;
        let mut span = |symbol: &Symbol| self.texts.place(symbol.place.as_deref()?);
        let place = span(symbol);
        let name = base_name(&symbol.shown);
        let elsewhere = others.iter().find(|(other, _)| other.source != unit.source);
        if let Some((other, _)) = elsewhere.filter(|(_, second)| second.place == symbol.place) {
            let file =
                symbol.place.as_deref().and_then(|place| self.texts.original(place.rsplit_once(':')?.0));
            let sources = [&first.body, &other.defines.first()?.body].map(|body| &body.source);
            return Some(errors::shared_definition(name, file.unwrap_or("a header"), sources, place));
        }
        if let Some((other, symbol)) = elsewhere {
            return Some(errors::clash(
                name,
                [
                    Definition { body: &first.body, place },
                    Definition { body: &other.defines.first()?.body, place: span(symbol) },
                ],
            ));
        }
        if others.is_empty() {
            return None;
        }
        let wrappers: Vec<&KernelUnit> =
            found.iter().map(|(unit, _)| *unit).filter(|unit| unit.role.is_some()).collect();
        let families: BTreeSet<FamilyId> =
            wrappers.iter().filter_map(|unit| Some(unit.defines.first()?.family)).collect();
        let families: Vec<&str> = families.into_iter().map(|id| self.family(id).name.as_str()).collect();
        // The object of the source itself, if kernels outside of collectives have it, too.
        let plain = found.iter().map(|(unit, _)| *unit).find(|unit| unit.role.is_none());
        let kernel = plain
            .and_then(|unit| unit.defines.iter().find(|defined| scoped(&defined.body.function).1 == name));
        let copies = errors::Copies { symbol: name, place, wrappers: wrappers.len(), families: &families };
        Some(match kernel {
            Some(kernel) => errors::kernel_in_wrappers(self.family(kernel.family), &kernel.body, &copies),
            None => errors::helper(&first.body, &copies, plain.is_some()),
        })
    }
}

/// What a unit that does not compile defines first, or the part with the error, for its kernel in
/// each instance of a component. An instance of a template with other arguments may be sound.
fn in_each_instance<'u>(
    unit: &'u KernelUnit,
    faulty: Option<&'u Defined>,
) -> impl Iterator<Item = &'u Defined> {
    let first = faulty.or(unit.defines.first());
    let is_alike = move |other: &&Defined| {
        let text = |defined: &Defined| defined.body.source.span;
        first.is_some_and(|first| text(first) == text(other) && first.instance == other.instance)
    };
    unit.defines.iter().filter(is_alike)
}

/// The place and the kind of an error: what makes it one fault in several units.
fn key(place: Place<'_>, text: &str) -> String {
    format!("{}:{}:{} {}", place.file, place.line, place.column, said::kind(text))
}

/// A message without the instance of a component that its names begin with: equal faults of equal
/// instances are equal texts.
fn without(message: &str, instance: Option<&str>) -> String {
    let Some(instance) = instance else { return message.to_owned() };
    message.replace(&format!("{instance}."), "").replace(&format!("{}_", identifier(instance)), "")
}

/// How the type of a buffer says that it has extents.
const EXTENTS: &str = ", adf::extents<";

/// True if two functions have the same parameters but for the extents of buffers, which `one`
/// states.
fn differ_by_extents(one: &str, other: &str) -> bool {
    one != other && one.contains(EXTENTS) && without_extents(one) == without_extents(other)
}

/// The name of a function without the extents of its buffers.
fn without_extents(shown: &str) -> String {
    let mut parts = shown.split(EXTENTS);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole += part.split_once('>').map_or(part, |(_, rest)| rest);
    }
    whole.replace(" >", ">")
}

/// The name of a function without its type, its parameters and its template arguments.
fn base_name(shown: &str) -> &str {
    let name = shown.split(['(', '<']).next().unwrap_or(shown);
    name.rsplit(' ').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::differ_by_extents;

    #[test]
    fn functions_differ_by_extents_if_nothing_else_does() {
        let buffer =
            |options: &str| format!("f(adf::io_buffer<short, (adf::sim::direction)0, false{options}>&, int)");
        let (plain, with) = (buffer(""), buffer(", adf::extents<64u> "));
        assert!(differ_by_extents(&with, &plain) && !differ_by_extents(&plain, &plain));
        let margin = buffer(", adf::extents<0u>, adf::margin<8u> ");
        assert!(differ_by_extents(&margin, &buffer(", adf::extents<64u>, adf::margin<8u> ")));
        assert!(!differ_by_extents(&margin, &buffer(", adf::extents<0u>, adf::margin<4u> ")));
        assert!(!differ_by_extents(&with.replace("int)", "long)"), &plain));
        assert!(!differ_by_extents(&buffer(", adf::margin<8u> "), &margin), "it states none");
    }
}
