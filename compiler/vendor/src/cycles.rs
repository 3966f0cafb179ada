//! `profile_funct_C_R.xml`: the functions of the core at column C and row R, with the cycles that
//! `aiesimulator --profile` counted (UG1076, "AI Engine Simulation-Based Profiling").
//!
//! The form is undocumented. This follows what AMD's Vitis Libraries and public projects read from
//! it: an element `function` for each function, with `function_name`, `calls`, and
//! `function_and_descendants_time` with `total_cycle_count`.

use aiec_device::Tile;
use aiec_diag::{Outcome, SourceFile};
use roxmltree::{Document, Node};

use crate::errors::bad_cycle_report;

/// What the simulator counted on one core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreCycles {
    /// The core, by the name of the file.
    pub tile: Tile,
    /// All functions that ran.
    pub functions: Vec<FunctionCycles>,
}

/// A function that ran, with what its calls took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCycles {
    /// Its name with its scopes, without arguments.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// Cycles of all calls, with the functions that it called.
    pub cycles: u64,
}

/// The core of a file with this name, if it is a profile of functions.
pub fn tile_of(file: &str) -> Option<Tile> {
    let name = file.rsplit(['/', '\\']).next()?;
    let (column, row) = name.strip_prefix("profile_funct_")?.strip_suffix(".xml")?.split_once('_')?;
    Some(Tile { column: column.parse().ok()?, row: row.parse().ok()? })
}

/// Reads a profile of functions.
pub fn parse(file: &SourceFile) -> Outcome<CoreCycles> {
    let Some(tile) = tile_of(&file.name) else {
        let reason = "the name is not `profile_funct_COLUMN_ROW.xml`";
        return Outcome::error(bad_cycle_report(file.span(), reason));
    };
    let document = match Document::parse(&file.text) {
        Ok(document) => document,
        Err(error) => return Outcome::error(bad_cycle_report(file.span(), &error.to_string())),
    };
    let mut functions = Vec::new();
    for node in document.descendants().filter(|node| node.has_tag_name("function")) {
        match function(node) {
            Ok(function) => functions.extend(function),
            Err(reason) => return Outcome::error(bad_cycle_report(file.span_at(node.range()), reason)),
        }
    }
    if functions.is_empty() {
        return Outcome::error(bad_cycle_report(file.span(), "there is no function that ran"));
    }
    Outcome::ok(CoreCycles { tile, functions })
}

/// A function. Returns None when it was never called.
fn function(node: Node<'_, '_>) -> Result<Option<FunctionCycles>, &'static str> {
    let name = text(node, "function_name").ok_or("a function has no `function_name`")?;
    let calls = number(node, "calls").ok_or("a function has no number of `calls`")?;
    let time = child(node, "function_and_descendants_time").ok_or("a function has no time")?;
    let cycles = number(time, "total_cycle_count").ok_or("a function has no number of cycles")?;
    let function = FunctionCycles { name: without_arguments(name).to_owned(), calls, cycles };
    Ok((calls > 0).then_some(function))
}

fn child<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Option<Node<'a, 'b>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn text<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    child(node, name)?.text().map(str::trim).filter(|text| !text.is_empty())
}

fn number(node: Node<'_, '_>, name: &str) -> Option<u64> {
    text(node, name)?.parse().ok()
}

/// `ns::fir` of `void ns::fir<4>(input_window<int>*)`. Operators have no kernels.
fn without_arguments(name: &str) -> &str {
    let end = name.find(['(', '<']).unwrap_or(name.len());
    name[..end].trim().rsplit(' ').next().unwrap_or(name)
}

impl CoreCycles {
    /// Cycles of one call of a function, on average. `function` is its name without scopes, and
    /// kernels of a class run its member of the same name. Returns None when it did not run here.
    pub fn per_call(&self, function: &str) -> Option<f64> {
        let is_it = |name: &str| name.rsplit("::").next() == Some(function);
        let own: Vec<&FunctionCycles> = self.functions.iter().filter(|one| is_it(&one.name)).collect();
        let calls: u64 = own.iter().map(|one| one.calls).sum();
        let cycles: u64 = own.iter().map(|one| one.cycles).fold(0, u64::saturating_add);
        (calls > 0).then(|| cycles as f64 / calls as f64)
    }
}

#[cfg(test)]
mod tests {
    use aiec_diag::Sources;

    use super::*;

    fn read(name: &str, text: &str) -> Outcome<CoreCycles> {
        let mut sources = Sources::default();
        let id = sources.add(name.to_owned(), text.to_owned());
        parse(sources.get(id).expect("it was added"))
    }

    const FUNCTION: &str = "<p><total_cycle_count>900</total_cycle_count>
    <function><function_name>main</function_name><calls>1</calls>
        <function_and_descendants_time><total_cycle_count>850</total_cycle_count></function_and_descendants_time></function>
    <function><function_name>void f::fir&lt;4&gt;(input_window&lt;int&gt; *)</function_name><calls>4</calls>
        <function_time><total_cycle_count>1</total_cycle_count></function_time>
        <function_and_descendants_time><total_cycle_count>802</total_cycle_count></function_and_descendants_time></function>
    <function><function_name>idle</function_name><calls>0</calls>
        <function_and_descendants_time><total_cycle_count>0</total_cycle_count></function_and_descendants_time></function></p>";

    #[test]
    fn cycles_of_a_call_are_those_of_all_calls_with_descendants() {
        let core = read("out/profile_funct_24_1.xml", FUNCTION).into_parts().0.expect("it is a profile");
        assert_eq!(core.tile, Tile { column: 24, row: 1 });
        assert_eq!(
            (core.per_call("fir"), core.per_call("f"), core.per_call("idle")),
            (Some(200.5), None, None)
        );
        assert_eq!(core.functions.len(), 2, "{core:?}");
    }

    #[test]
    fn what_is_no_profile_is_refused() {
        for (name, text) in [
            ("profile_instr_24_1.xml", FUNCTION),
            ("profile_funct_24_1.xml", "<p>"),
            ("profile_funct_24_1.xml", "<p></p>"),
            ("profile_funct_24_1.xml", &FUNCTION.replace("<calls>4", "<calls>four")),
        ] {
            let (core, faults) = read(name, text).into_parts();
            assert!(core.is_none() && faults.len() == 1, "{name}: {text}");
        }
    }
}
