//! Compiles the kernels' sources of a project without linking them, and tells what each defines.
//!
//! Takes the files of a project and the paths of its translation units. Returns for each unit the
//! compiler's complaint, or the symbols of its object with their places and the arrays of its
//! functions. The answers are kept by the hash of everything that decides them, so asking again
//! starts no compiler. `aiec sim` compiles the same units with the same flags and finds the
//! objects.
#![allow(clippy::disallowed_methods, reason = "this module starts compilers and reads their results")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use crate::build::{DEBUG, Recipe, STRICT, SYSTEMS, headers_of, is_plain};
use crate::cache::{Cache, Refusal, tool};
use crate::errors;
use crate::linking::with_instances;
use crate::stack::{self, Described, Folders};
use crate::store::{Store, open_store};
use crate::types::adf_types;
use aiec_system::Threads;
use aiec_system::files;

/// Prefix of the names of kept answers, and the file in each.
const KEPT: &str = "inspected-";
const ANSWER: &str = "answer.json";

/// How a symbol of an object is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Binding {
    /// Visible to other objects, and only one object may define it.
    Strong,
    /// Visible to other objects, and several may define it: templates and inline functions.
    Weak,
    /// Visible in this object only.
    Local,
    /// Defined elsewhere.
    Needed,
}

/// A function or variable of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The name for the linker, mangled as in C++.
    pub linkage: String,
    /// The name as C++ spells it.
    pub shown: String,
    /// How it is bound.
    pub binding: Binding,
    /// File of the project and line of its definition, such as `aie/kernels/fir.cc:12`.
    pub place: Option<String>,
    /// The arrays on the stack of a function.
    pub arrays: Option<Arrays>,
    /// True for a function that returns a value.
    pub returns: bool,
}

/// The arrays on the stack of a function and of all functions that it calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrays {
    /// Bytes of all of them on the deepest chain of calls.
    pub bytes: u64,
    /// The name of the largest array.
    pub largest: String,
    /// Size of that array.
    pub largest_bytes: u64,
    /// File of the project and line of the largest array.
    pub place: String,
}

/// The answer about one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// The compiler's messages if it makes no object of the unit. Paths are relative to the
    /// project.
    pub refused: Option<String>,
    /// The symbols of the user's functions and variables, and those that the unit needs.
    pub symbols: Vec<Symbol>,
    /// The linker name of the function to which a constant points, by the constant's name.
    #[serde(default)]
    pub pointers: BTreeMap<String, String>,
}

/// Compiles `units`, paths of `files`, on `jobs` threads. The project has the layout that aiec
/// emits.
///
/// # Errors
/// The compiler cannot be started, or the cache cannot be written.
pub fn inspect(
    cxx: &str,
    files: &[(&str, &str)],
    units: &[&str],
    jobs: Option<usize>,
) -> Result<Vec<Inspected>, Diagnostic> {
    let compiler = identity(cxx).ok_or_else(|| errors::compiler(cxx, "there is no such program"))?;
    let store = open_store()?;
    let common = hash_of_headers();
    let keys: Vec<String> = units.iter().map(|unit| key(&[&compiler, &common], files, units, unit)).collect();
    let mut known: Vec<Option<Inspected>> = keys.iter().map(|key| kept(&store, key)).collect();
    let open: Vec<usize> = (0..units.len()).filter(|&at| known[at].is_none()).collect();
    if !open.is_empty() {
        let folder = files::Folder::new(None)?;
        let root = crate::program::absolute(folder.path());
        let workshop = Workshop::new(cxx, &root, files)?;
        let answers = Threads::new(jobs).map(open.len(), |number| {
            let at = open[number];
            let answer = workshop.inspect(units[at], at)?;
            store.kept(&keys[at], |folder| {
                let text = serde_json::to_string(&answer).unwrap_or_default();
                files::write_all(folder, [(ANSWER, text.as_str())])
            })?;
            Ok::<_, Diagnostic>(answer)
        });
        for (at, answer) in open.into_iter().zip(answers) {
            known[at] = Some(answer?);
        }
    }
    Ok(known.into_iter().map(Option::unwrap_or_default).collect())
}

fn kept(store: &Store, key: &str) -> Option<Inspected> {
    let text = files::read_there(&store.there(key)?.join(ANSWER))?;
    serde_json::from_str(&text).ok()
}

/// The name of an answer: a hash of the compiler, the runtime's headers, the unit, and every file
/// that it may include. Another unit counts only if the text names its file.
fn key(common: &[&str], files: &[(&str, &str)], units: &[&str], unit: &str) -> String {
    let text = files.iter().find(|(path, _)| *path == unit).map_or("", |(_, text)| *text);
    let is_read = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        path == unit || !units.contains(&path) || text.contains(name)
    };
    let read = files.iter().filter(|(path, _)| is_read(path));
    let environment = ["CPATH", "CPLUS_INCLUDE_PATH"].map(|name| env::var(name).unwrap_or_default());
    let words = common.iter().copied().chain([env!("CARGO_PKG_VERSION"), unit]);
    let words = words.chain(environment.iter().map(String::as_str));
    let words = words.chain(read.flat_map(|(path, text)| [*path, *text]));
    let mut all = Vec::new();
    for word in words {
        all.extend_from_slice(&word.len().to_le_bytes());
        all.extend_from_slice(word.as_bytes());
    }
    format!("{KEPT}{:032x}", XxHash3_128::oneshot(&all))
}

fn hash_of_headers() -> String {
    let texts = aiec_runtime::HEADERS
        .iter()
        .map(|(path, text)| format!("{path} {:032x}", XxHash3_128::oneshot(text.as_bytes())));
    texts.collect::<Vec<_>>().join("\n")
}

/// Path, size and time of the program behind the command `cxx`: another compiler has others.
/// Returns None when there is no such program.
fn identity(cxx: &str) -> Option<String> {
    let path = if cxx.contains('/') {
        PathBuf::from(cxx)
    } else {
        let folders = env::var_os("PATH")?;
        env::split_paths(&folders).map(|folder| folder.join(cxx)).find(|path| path.is_file())?
    };
    let path = fs::canonicalize(path).ok()?;
    let metadata = fs::metadata(&path).ok()?;
    let time = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", path.display(), metadata.len(), time.as_nanos()))
}

/// A folder with the project, and the compiler for it.
struct Workshop<'a> {
    root: &'a Path,
    project: PathBuf,
    cache: Cache,
}

impl<'a> Workshop<'a> {
    fn new(cxx: &str, root: &'a Path, files: &[(&str, &str)]) -> Result<Self, Diagnostic> {
        let project = root.join("project");
        files::write_all(&project, files.iter().copied())?;
        let recipe = Recipe {
            cxx,
            graph: &project.join("aie/graph.cpp"),
            include: &[project.join("aie"), project.join("aie/include")],
            flags: STRICT.map(str::to_owned).to_vec(),
            root,
            ours: true,
            stack: None,
            directory: Path::new("."),
            known: &|_| Ok(()),
        };
        let cache = Cache::open(cxx, recipe.all_flags(), Some(root))?;
        Ok(Self { root, cache, project })
    }

    fn inspect(&self, unit: &str, number: usize) -> Result<Inspected, Diagnostic> {
        let path = self.project.join(unit);
        let path = if is_plain(&path) {
            path
        } else {
            let name = format!("named{number}.cc");
            let text = with_instances(&path, &std::collections::BTreeSet::new());
            files::write_all(self.root, [(name.as_str(), text.as_str())])?;
            self.root.join(name)
        };
        match self.cache.compile(&path, &DEBUG) {
            Ok(compiled) => Ok(self.accepted(&compiled.object)),
            Err(Refusal::Said { words, .. }) if words.contains("error:") => {
                Ok(Inspected { refused: Some(self.relative(&words)), ..Inspected::default() })
            }
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// The text with paths relative to the project, and types as ADF spells them.
    fn relative(&self, text: &str) -> String {
        let project = format!("{}/", self.project.display());
        let text = text.replace(&project, "").replace(&self.cache.name_in_program(Path::new(&project)), "");
        adf_types(&text)
    }

    fn accepted(&self, object: &Path) -> Inspected {
        let bytes = fs::read(object).unwrap_or_default();
        Inspected { refused: None, symbols: self.symbols(&bytes), pointers: pointers_of(&bytes) }
    }

    fn symbols(&self, bytes: &[u8]) -> Vec<Symbol> {
        let headers = headers_of(&self.cache);
        let others = Folders {
            ours: headers.as_str(),
            systems: &SYSTEMS,
            shown: true,
            removed: Some(is_automatic),
            moved: self.cache.moving(),
        };
        let described = stack::described(bytes, others);
        let mut symbols = symbols_of(bytes, &described);
        for symbol in &mut symbols {
            symbol.place = symbol.place.take().map(|place| self.relative(&place));
            for arrays in symbol.arrays.iter_mut() {
                arrays.place = self.relative(&arrays.place);
            }
        }
        let names: Vec<String> = symbols.iter().map(|symbol| symbol.linkage.clone()).collect();
        let shown = tool("c++filt", &names).unwrap_or_default();
        for (symbol, shown) in symbols.iter_mut().zip(shown.lines()) {
            shown.clone_into(&mut symbol.shown);
        }
        symbols.retain(|symbol| symbol.binding != Binding::Needed || is_users(&symbol.shown));
        symbols
    }
}

/// True if the line of a variable's declaration, `FILE:LINE`, does not say that it is static.
fn is_automatic(place: &str) -> bool {
    let line = place.rsplit_once(':').and_then(|(file, line)| {
        let text = fs::read_to_string(file).ok()?;
        text.lines().nth(line.parse::<usize>().ok()?.checked_sub(1)?).map(str::to_owned)
    });
    line.is_some_and(|line| !line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "static"))
}

/// True for a needed function that may be the user's: a C++ function outside the namespaces of
/// libraries.
fn is_users(shown: &str) -> bool {
    let name = shown.split('(').next().unwrap_or(shown);
    let libraries = ["std::", "__", "adf::", "aie::", "aiec::", "operator"];
    shown.contains('(') && !libraries.iter().any(|library| name.contains(library))
}

/// The symbols of the user's functions and variables, and those that the object needs.
fn symbols_of(object: &[u8], described: &Described) -> Vec<Symbol> {
    let Ok(file) = object::File::parse(object) else { return Vec::new() };
    let one = |symbol: object::Symbol<'_, '_>| {
        let linkage = symbol.name().ok()?.to_owned();
        let place = described.places.get(&linkage).cloned();
        let binding = if symbol.is_undefined() {
            Binding::Needed
        } else if symbol.is_weak() {
            Binding::Weak
        } else if symbol.is_global() {
            Binding::Strong
        } else {
            Binding::Local
        };
        if linkage.is_empty() || place.is_none() && binding != Binding::Needed {
            return None;
        }
        let need = described.needs.get(&linkage);
        let arrays = need.and_then(|need| {
            let largest = need.largest.as_ref()?;
            Some(Arrays {
                bytes: need.bytes,
                largest: largest.name.clone(),
                largest_bytes: largest.bytes,
                place: largest.place.clone(),
            })
        });
        let returns = described.valued.contains(&linkage);
        Some(Symbol { linkage, shown: String::new(), binding, place, arrays, returns })
    };
    file.symbols().filter_map(one).collect()
}

/// The functions to which pointers in the data of an object are set, by the pointers' names: the
/// compiler leaves their addresses to the linker.
fn pointers_of(object: &[u8]) -> BTreeMap<String, String> {
    let Ok(file) = object::File::parse(object) else { return BTreeMap::new() };
    let name = |symbol: &object::Symbol<'_, '_>| symbol.name().ok().map(str::to_owned);
    let pointer = |symbol: object::Symbol<'_, '_>| {
        let section = file.section_by_index(symbol.section_index()?).ok()?;
        let (_, set) = section.relocations().find(|(at, _)| *at == symbol.address())?;
        let RelocationTarget::Symbol(target) = set.target() else { return None };
        Some((name(&symbol)?, name(&file.symbol_by_index(target).ok()?)?))
    };
    let data = file.symbols().filter(|symbol| symbol.kind() == object::SymbolKind::Data);
    data.filter(object::Symbol::is_global).filter_map(pointer).collect()
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn an_answer_depends_on_what_the_unit_may_include_and_on_no_other_unit() {
        let units = ["a.cc", "b.cc", "c.cc"];
        let of = |a: &str, b: &str, h: &str| {
            let files = [("a.cc", a), ("b.cc", b), ("c.cc", "#include \"b.cc\""), ("h.h", h)];
            ["a.cc", "c.cc"].map(|unit| key(&["g++"], &files, &units, unit))
        };
        let first = of("int a;", "int b;", "");
        assert_eq!(of("int a;", "int b;", ""), first);
        assert!(of("int a;", "int b;", "1").iter().zip(&first).all(|(new, old)| new != old));
        assert!(of("int x;", "int b;", "")[0] != first[0] && of("int x;", "int b;", "")[1] == first[1]);
        assert!(of("int a;", "int x;", "")[0] == first[0] && of("int a;", "int x;", "")[1] != first[1]);
    }
}
