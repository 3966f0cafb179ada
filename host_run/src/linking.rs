//! Links the objects of a graph and its kernels: finds the missing template instances, and gives
//! each kernel source's writable data a section of its own.
#![allow(clippy::disallowed_methods, reason = "this module looks for kernel sources")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cache::tool;
use aiec_system::files;

/// Names that an object defines for others and names it needs, as C++ spells them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbols {
    pub(crate) defined: BTreeSet<String>,
    pub(crate) needed: BTreeSet<String>,
}

impl Symbols {
    /// Reads the symbols of `object` with `nm`.
    pub(crate) fn of(object: &Path) -> std::io::Result<Self> {
        tool("nm", &["-C".into(), object.display().to_string()]).map(|text| Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let mut symbols = Self::default();
        for line in text.lines() {
            // `0000000000000000 T name` or `                 U name`.
            let Some((kind, name)) = line.get(16..).and_then(|rest| rest.trim_start().split_once(' ')) else {
                continue;
            };
            match kind {
                "U" => symbols.needed.insert(name.to_owned()),
                // Local ones.
                "b" | "d" | "r" | "t" => false,
                _ => symbols.defined.insert(name.to_owned()),
            };
        }
        symbols
    }
}

/// The linker's names of those symbols of `wanted` that `object` needs. A constructor has one for
/// whole objects and one for bases.
pub(crate) fn linker_names(object: &Path, wanted: &BTreeSet<String>) -> std::io::Result<BTreeSet<String>> {
    let listed = |flags: &str| tool("nm", &[flags.into(), object.display().to_string()]);
    let (names, spelled) = (listed("-pu")?, listed("-puC")?);
    let symbol = |line: &str| line.trim_start().split_once(' ').map(|(_, name)| name.to_owned());
    let both = names.lines().map(symbol).zip(spelled.lines().map(symbol));
    Ok(both
        .filter(|(_, text)| text.as_ref().is_some_and(|text| wanted.contains(text)))
        .filter_map(|(name, _)| name)
        .collect())
}

/// The explicit instantiation that makes `symbol` (as `nm -C` spells it), and the name of the
/// template. Returns None when `symbol` is no template instance.
pub(crate) fn instantiation(symbol: &str) -> Option<(String, String)> {
    let open = symbol.find('<')?;
    let close = matching(symbol, open)?;
    let name = symbol[..open].rsplit([' ', ':']).next()?.to_owned();
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name(&name) || name.starts_with("operator") {
        return None;
    }
    // `void f<int>(...)` is a function; `C<int>::run(...)` belongs to a class.
    let statement = if symbol[close + 1..].starts_with("::") {
        format!("template class {};", &symbol[..=close])
    } else if symbol[..open].contains(' ') {
        format!("template {symbol};")
    } else {
        return None;
    };
    Some((name, statement))
}

/// Position of the bracket that closes the one at `open`.
fn matching(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// True if `text` has `name` as a whole word.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name)
        .any(|(at, _)| !word(text[..at].chars().next_back()) && !word(text[at + name.len()..].chars().next()))
}

/// Copies `object` to `copy` with its writable data in sections `aiec_data_K` and `aiec_bss_K`. The
/// aliases of [`with_aliases`] become `names`.
pub(crate) fn separate_statics(
    object: &Path,
    copy: &Path,
    number: usize,
    names: &BTreeSet<String>,
) -> std::io::Result<()> {
    let headers = tool("objdump", &["-h".into(), "-w".into(), object.display().to_string()])?;
    let renamed = names.iter().enumerate().map(|(at, name)| format!("--redefine-sym={ALIAS}{at}={name}"));
    let mut arguments: Vec<String> = renamed.collect();
    for section in headers.lines().filter_map(|line| line.split_whitespace().nth(1)) {
        let Some(kind) = writable(section) else { continue };
        arguments.push("--rename-section".into());
        arguments.push(format!("{section}=aiec_{kind}_{number}"));
    }
    arguments.extend([object.display().to_string(), copy.display().to_string()]);
    tool("objcopy", &arguments).map(|_| ())
}

/// The section kind if `section` holds writable data of the user's code. Returns None when it holds
/// constants that need relocation, or data of the host runtime's headers or the standard library.
fn writable(section: &str) -> Option<&'static str> {
    let others = ["3adf", "3aie", "_ZZNSt", "_ZNSt", "_ZGVNSt", "_ZGVZNSt"];
    if section.starts_with(".data.rel.ro") || others.iter().any(|other| section.contains(other)) {
        return None;
    }
    let of = |kind: &str| section == kind || section.starts_with(&format!("{kind}."));
    if of(".data") {
        Some("data")
    } else if of(".bss") {
        Some("bss")
    } else {
        None
    }
}

/// C++ that tells the runtime which section belongs to which source.
pub(crate) fn statics_table(sources: &[String]) -> String {
    let mut text =
        "// Where the writable data of each kernel source lies.\n#include \"adf/sim/static_section.h\"\n\n"
            .to_owned();
    for (number, source) in sources.iter().enumerate() {
        for kind in ["data", "bss"] {
            text += &format!(
                "extern \"C\" __attribute__((weak)) char __start_aiec_{kind}_{number}[], __stop_aiec_{kind}_{number}[];\n\
                 static const adf::sim::declare_static_section {kind}_{number}{{{}, __start_aiec_{kind}_{number}, \
                 __stop_aiec_{kind}_{number}}};\n",
                quoted(source)
            );
        }
    }
    text
}

/// C++ that includes a kernel source and makes these instances of its templates.
pub(crate) fn with_instances(source: &Path, instances: &BTreeSet<String>) -> String {
    let source = source.display();
    // The name of a header has no escapes.
    let mut text = if source.to_string().contains('"') {
        format!("#include <{source}>\n")
    } else {
        format!("#include \"{source}\"\n")
    };
    for statement in instances {
        text += statement;
        text.push('\n');
    }
    text
}

/// The beginning of the names of aliases.
const ALIAS: &str = "aiec_alias_";

/// As [`with_instances`], with an alias for each function of this source by its linker name.
///
/// Before gcc 14, a member of a class template is local to its source if its type names a constant
/// with internal linkage, such as `int (&)[N]` (GCC bug 110323). gcc leaves it out if nothing in
/// the source calls it. An alias keeps it.
pub(crate) fn with_aliases(source: &Path, instances: &BTreeSet<String>, names: &BTreeSet<String>) -> String {
    let mut text = with_instances(source, instances);
    // The types differ, and nobody calls the alias by this one.
    text += "#pragma GCC diagnostic ignored \"-Wattribute-alias\"\n";
    for (at, name) in names.iter().enumerate() {
        text += &format!("extern \"C\" void {ALIAS}{at}() __attribute__((alias(\"{name}\")));\n");
    }
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Finds `source` in the folders of kernel sources: next to the graph, above it, and in the include
/// folders.
pub fn find_source(source: &str, graph: &Path, include: &[PathBuf]) -> Option<PathBuf> {
    let beside = files::folder_of(graph);
    let above = beside.join("..");
    let folders = [beside, above.as_path()].into_iter().map(Path::to_path_buf).chain(include.iter().cloned());
    let here = std::iter::once(PathBuf::from("."));
    folders.chain(here).map(|folder| folder.join(source)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nm_says_what_is_defined_and_what_is_needed() {
        let symbols = Symbols::parse(
            "0000000000000000 T main\n0000000000000010 t tab<2>::tab(int (&) [8])\n                 U copy(input_window<int>*)\n",
        );
        assert!(symbols.defined.contains("main"));
        assert!(symbols.needed.contains("copy(input_window<int>*)"));
        assert_eq!((symbols.defined.len(), symbols.needed.len()), (1, 1), "a local name is for nobody else");
    }

    #[test]
    fn template_functions_and_classes_get_instances() {
        let function = instantiation("void fir<int, 16u>(input_window<int>*, output_window<int>*)");
        let wanted = "template void fir<int, 16u>(input_window<int>*, output_window<int>*);";
        assert_eq!(function, Some(("fir".into(), wanted.into())));
        let class =
            instantiation("dsp::filter<8>::run(adf::io_buffer<int, (adf::direction)0, false, false>&)");
        assert_eq!(class, Some(("filter".into(), "template class dsp::filter<8>;".into())));
        assert_eq!(instantiation("copy(input_window<int>*)"), None);
    }

    #[test]
    fn functions_have_aliases_in_the_order_of_their_linker_names() {
        let set = |of: &[&str]| of.iter().map(|&text| text.to_owned()).collect::<BTreeSet<String>>();
        let text = with_aliases(Path::new("k.cc"), &set(&["template class C<2>;"]), &set(&["_ZC2", "_ZC1"]));
        let aliases: Vec<&str> = text.lines().filter(|line| line.contains("alias_")).collect();
        assert!(text.starts_with("#include \"k.cc\"\ntemplate class C<2>;\n"), "{text}");
        let of =
            |at, name| format!("extern \"C\" void aiec_alias_{at}() __attribute__((alias(\"{name}\")));");
        assert_eq!(aliases, [of(0, "_ZC1"), of(1, "_ZC2")]);
    }

    #[test]
    fn names_are_found_as_whole_words() {
        assert!(mentions("template <typename T> void fir(T x)", "fir"));
        assert!(!mentions("void fir_wide(int x)", "fir"));
    }

    // The runtime's own static variables must not be swapped with the kernel's.
    #[test]
    fn only_the_users_data_is_private_to_a_kernel() {
        assert_eq!(writable(".bss"), Some("bss"));
        assert_eq!(writable(".data.rel.local"), Some("data"));
        assert_eq!(writable(".bss._ZZ3firIiEvvE5state"), Some("bss"));
        assert_eq!(writable(".bss._ZZN3adf3sim7journal3getEvE4only"), None);
        assert_eq!(writable(".data.rel.ro._ZTV1A"), None);
        assert_eq!(writable(".rodata"), None);
    }
}
