//! Instances of templates that a kernel source has and another object needs. Takes the objects of a
//! graph and its kernels, tells which instances are missing, and compiles a source with them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use crate::cache::Refusal;
use crate::linking::{Symbols, instantiation, mentions, with_aliases, with_instances};
use aiec_system::files::{self, MAX_TEXT};

/// A compiled kernel source: the compiled text, which may be a wrapper, and the object.
pub(crate) struct CompiledUnit {
    pub(crate) source: PathBuf,
    pub(crate) object: PathBuf,
    pub(crate) said: String,
    /// Linker names of functions for which the object has aliases.
    pub(crate) aliases: BTreeSet<String>,
}

/// What other objects need of a kernel source.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Functions, as C++ spells them.
    symbols: BTreeSet<String>,
    /// The explicit instantiations that make them.
    statements: BTreeSet<String>,
}

impl Wanted {
    /// Compiles the source with these instances. Adds aliases for functions that the compiler makes
    /// local all the same. `names` gives the linker names of functions.
    pub(crate) fn compile(
        &self,
        source: &Path,
        compiled: impl Fn(&str) -> Result<CompiledUnit, Refusal>,
        names: impl Fn(&BTreeSet<String>) -> BTreeSet<String>,
    ) -> Result<CompiledUnit, Refusal> {
        let plain = compiled(&with_instances(source, &self.statements));
        let made = plain.as_ref().ok().and_then(|unit| Symbols::of(&unit.object).ok()).unwrap_or_default();
        let missing: BTreeSet<String> = self.symbols.difference(&made.defined).cloned().collect();
        if missing.is_empty() {
            return plain;
        }
        // The source may have an instantiation of its own, and a second one is an error.
        let none = BTreeSet::new();
        let statements = if plain.is_ok() { &self.statements } else { &none };
        let aliases = names(&missing);
        match compiled(&with_aliases(source, statements, &aliases)) {
            Ok(unit) => Ok(CompiledUnit { aliases, ..unit }),
            Err(_) => plain,
        }
    }
}

/// What the graph's object and those of the sources need of templates in the sources, by the number
/// of the source.
pub(crate) fn wanted(
    graph: &Path,
    sources: &[(String, PathBuf)],
    units: &[CompiledUnit],
) -> io::Result<BTreeMap<usize, Wanted>> {
    let mut all = Symbols::default();
    for object in std::iter::once(graph).chain(units.iter().map(|unit| unit.object.as_path())) {
        let symbols = Symbols::of(object)?;
        all.defined.extend(symbols.defined);
        all.needed.extend(symbols.needed);
    }
    let mut wanted: BTreeMap<usize, Wanted> = BTreeMap::new();
    for symbol in all.needed.difference(&all.defined) {
        let Some((name, statement)) = instantiation(symbol) else { continue };
        let holds =
            |path: &Path| files::read_source(path, MAX_TEXT, None).is_ok_and(|text| mentions(&text, &name));
        if let Some(at) = sources.iter().position(|(_, path)| holds(path)) {
            let of_source = wanted.entry(at).or_default();
            of_source.symbols.insert(symbol.clone());
            of_source.statements.insert(statement);
        }
    }
    Ok(wanted)
}
