//! Arrays on the stacks of kernels. Takes a program with debug information and the stack sizes that
//! the graph declares. Finds the kernels whose local arrays, with those of every function they
//! call, exceed their stack.
//!
//! Only arrays count, by themselves and in objects ([`crate::storage`]). Frames of the host hold
//! much data that lies in registers of an AI Engine, so their sizes mean nothing. An array that is
//! too large for the stack is too large on any machine. The compiler of the host may remove an
//! array whose elements are used where they are written; callers choose whether it counts, since
//! the vendor's compiler may keep it. Blocks side by side share their space. The analysis does not
//! see functions called through pointers, arrays whose length the run decides, and objects passed
//! by value. It reports recursive functions of the user, because their stack has no bound.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aiec_system::files;
use gimli::constants as dw;
use gimli::{AttributeValue, Dwarf, Operation, Unit, UnitOffset};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

use crate::conditional::host_lines;
use crate::debug::{self, Die, Entry, SETTLED, Slice};
use crate::storage::Sizes;

/// A local array, or an object that holds arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Array {
    pub(crate) name: String,
    /// Bytes of the array, or of all arrays in the object.
    pub(crate) bytes: u64,
    /// Source file and line.
    pub(crate) place: String,
}

/// The stack that a function's arrays take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Need {
    /// Bytes of arrays, including those of the deepest chain of calls.
    pub(crate) bytes: u64,
    /// The array with the most bytes.
    pub(crate) largest: Option<Array>,
    /// Names and places of functions that call each other in a cycle, this one or some that it
    /// calls. Empty without recursion.
    pub(crate) cycle: Vec<String>,
}

/// Path fragments that tell the runtime's, the system's and the user's files apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folders<'a> {
    /// The headers of the runtime.
    pub(crate) ours: &'a str,
    /// The headers of the system.
    pub(crate) systems: &'a [&'a str],
    /// True if places have the folder of their file.
    pub(crate) shown: bool,
    /// Tells by its place whether an array that the compiler has removed counts: one that is no
    /// static variable. None when none of them does.
    pub(crate) removed: Option<fn(&str) -> bool>,
    /// The folder for which [`SETTLED`] stands, if it does.
    pub(crate) moved: Option<&'a str>,
}

/// A file of the user's.
struct UserFile {
    name: String,
    /// Its lines that hosts alone compile.
    host_lines: BTreeSet<u64>,
}

/// The stack needs of all functions of the compilation units in `wanted`, per unit and function.
/// Names are linker names. Empty for programs without debug information.
pub(crate) fn needs(
    program: &[u8],
    wanted: &BTreeSet<String>,
    others: Folders<'_>,
) -> BTreeMap<String, BTreeMap<String, Need>> {
    read(program, wanted, others).unwrap_or_default()
}

fn read(
    program: &[u8],
    wanted: &BTreeSet<String>,
    others: Folders<'_>,
) -> Option<BTreeMap<String, BTreeMap<String, Need>>> {
    let mut found = BTreeMap::new();
    debug::units(program, |dwarf, unit| {
        let name = unit.name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if wanted.contains(&name) {
            found.insert(name, Functions::read(dwarf, unit, others)?.needs());
        }
        Some(())
    })?;
    Some(found)
}

/// What the debug information of one unit tells of its functions and variables, by linker name.
#[derive(Debug, Default)]
pub(crate) struct Described {
    /// The stack needs of its functions.
    pub(crate) needs: BTreeMap<String, Need>,
    /// File and line of the functions and global variables that the user wrote.
    pub(crate) places: BTreeMap<String, String>,
    /// The functions that return a value.
    pub(crate) valued: BTreeSet<String>,
}

/// Describes the only unit of an object file. Empty without debug information.
pub(crate) fn described(object: &[u8], others: Folders<'_>) -> Described {
    let mut found = Described::default();
    let mut read = |bytes: &[u8]| {
        debug::units(bytes, |dwarf, unit| {
            let functions = Functions::read(dwarf, unit, others)?;
            found.places.extend(functions.places());
            found.valued.extend(functions.valued());
            found.needs.extend(functions.needs());
            Some(())
        })
    };
    let _ = debug::settled(object).and_then(|bytes| read(&bytes));
    found
}

/// The entries of a unit, sorted by offset.
struct Functions {
    offsets: Vec<UnitOffset>,
    dies: Vec<Die>,
    /// Sizes of types, by entry.
    sizes: Sizes,
    /// Variables of which some instance lies in a frame.
    framed: BTreeSet<usize>,
    /// Variables of which some instance has a place or a value.
    kept: BTreeSet<usize>,
    /// See [`Folders::removed`].
    removed: Option<fn(&str) -> bool>,
}

impl Functions {
    fn read<'a>(dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>, others: Folders<'_>) -> Option<Self> {
        let files = files(dwarf, unit, others);
        let mut all = Self {
            offsets: Vec::new(),
            dies: Vec::new(),
            sizes: Sizes::default(),
            framed: BTreeSet::new(),
            kept: BTreeSet::new(),
            removed: others.removed,
        };
        let mut path: Vec<(isize, usize)> = Vec::new();
        let mut cursor = unit.entries();
        while let Some(entry) = cursor.next_dfs().ok()? {
            let depth = entry.depth();
            while path.last().is_some_and(|(above, _)| *above >= depth) {
                path.pop();
            }
            let die = die(dwarf, unit, &files, entry, path.last().map(|(_, at)| *at));
            path.push((depth, all.dies.len()));
            all.offsets.push(entry.offset());
            all.dies.push(die);
        }
        let located = (0..all.dies.len()).filter(|&at| all.dies[at].in_frame);
        all.framed = located.map(|at| all.canonical(at)).collect();
        let kept = (0..all.dies.len()).filter(|&at| all.dies[at].is_kept);
        all.kept = kept.map(|at| all.canonical(at)).collect();
        all.sizes = Sizes::of(&all.offsets, &all.dies);
        Some(all)
    }

    fn at(&self, offset: UnitOffset) -> Option<usize> {
        self.offsets.binary_search(&offset).ok()
    }

    /// The entry itself, or the entry of which it is an instance.
    fn canonical(&self, mut at: usize) -> usize {
        for _ in 0..8 {
            match self.dies[at].origin.and_then(|offset| self.at(offset)) {
                Some(next) if next != at => at = next,
                _ => break,
            }
        }
        at
    }

    /// The nearest function around an entry, inlined instances included.
    fn function_around(&self, mut at: usize) -> Option<usize> {
        loop {
            at = self.dies[at].parent?;
            if matches!(self.dies[at].tag, dw::DW_TAG_subprogram | dw::DW_TAG_inlined_subroutine) {
                return Some(self.canonical(at));
            }
        }
    }

    fn needs(&self) -> BTreeMap<String, Need> {
        let mut own: BTreeMap<usize, Need> = BTreeMap::new();
        let mut calls: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut names: BTreeMap<usize, String> = BTreeMap::new();
        for at in 0..self.dies.len() {
            let die = &self.dies[at];
            match die.tag {
                dw::DW_TAG_subprogram => {
                    let name = die.linkage.clone().or_else(|| die.name.clone());
                    if let Some(name) = name {
                        names.entry(self.canonical(at)).or_insert(name);
                    }
                    if !own.contains_key(&self.canonical(at)) || die.parent.is_some() {
                        self.arrays_of(at, &mut own);
                    }
                }
                dw::DW_TAG_inlined_subroutine | dw::DW_TAG_call_site | dw::DW_TAG_GNU_call_site => {
                    let callee = self.canonical(at);
                    if let (Some(caller), true) = (self.function_around(at), callee != at) {
                        calls.entry(caller).or_default().insert(callee);
                    }
                }
                _ => {}
            }
        }
        let mut needs = chains(&own, &calls, &|function| self.users(function));
        names.into_iter().map(|(at, name)| (name, needs.remove(&at).unwrap_or_default())).collect()
    }

    /// Places of the functions and global variables that the user wrote, by linker name.
    fn places(&self) -> impl Iterator<Item = (String, String)> {
        let outside = |at: usize| self.function_around(at).is_none();
        let named = (0..self.dies.len()).filter(move |&at| {
            matches!(self.dies[at].tag, dw::DW_TAG_subprogram | dw::DW_TAG_variable) && outside(at)
        });
        named.filter_map(|at| {
            let whole = &self.dies[self.canonical(at)];
            let name = self.dies[at].linkage.as_ref().or(whole.linkage.as_ref()).or(whole.name.as_ref())?;
            Some((name.clone(), whole.place.clone()?))
        })
    }

    /// The functions that return a value, by linker name. That of `void` has no type in DWARF.
    fn valued(&self) -> impl Iterator<Item = String> {
        let functions = (0..self.dies.len()).filter(|&at| self.dies[at].tag == dw::DW_TAG_subprogram);
        functions.filter_map(|at| {
            let whole = &self.dies[self.canonical(at)];
            whole.of_type?;
            self.dies[at].linkage.as_ref().or(whole.linkage.as_ref()).cloned()
        })
    }

    /// Name and place of a function that the user wrote.
    fn users(&self, function: usize) -> Option<String> {
        let die = &self.dies[function];
        Some(format!("`{}` ({})", die.name.as_ref()?, die.place.as_ref()?))
    }

    /// Adds the arrays of a function with a body.
    fn arrays_of(&self, function: usize, own: &mut BTreeMap<usize, Need>) {
        let need = self.block(function);
        let known = own.entry(self.canonical(function)).or_default();
        if need.bytes > known.bytes {
            *known = need;
        }
    }

    /// The arrays of a block, and those of the largest block in it.
    fn block(&self, block: usize) -> Need {
        let mut need = Need::default();
        let mut inner = Need::default();
        let depth_of = |at: usize| self.dies[at].parent;
        for at in block + 1..self.dies.len() {
            let Some(parent) = depth_of(at) else { break };
            if parent < block {
                break;
            }
            if parent != block {
                continue;
            }
            match self.dies[at].tag {
                dw::DW_TAG_variable => self.add(at, &mut need),
                dw::DW_TAG_lexical_block => {
                    let one = self.block(at);
                    if one.bytes > inner.bytes {
                        inner = one;
                    }
                }
                _ => {}
            }
        }
        joined(need, &inner)
    }

    fn add(&self, variable: usize, need: &mut Need) {
        let at = self.canonical(variable);
        let whole = &self.dies[at];
        if whole.for_hosts {
            return;
        }
        let (Some(place), Some(name)) = (whole.place.clone(), whole.name.clone()) else { return };
        let bytes = self.sizes.arrays(whole.of_type);
        let counts = self.framed.contains(&at) || self.is_removed(at, &place);
        if bytes > 0 && counts && !self.is_returned(variable) {
            let one = Need { bytes, largest: Some(Array { name, bytes, place }), cycle: Vec::new() };
            *need = joined(std::mem::take(need), &one);
        }
    }

    /// True for an array that the compiler has removed, and that counts all the same: another
    /// compiler may keep it. Objects, and arrays of constants, do not count.
    fn is_removed(&self, variable: usize, place: &str) -> bool {
        let is_array = self.sizes.is_array(self.dies[variable].of_type);
        is_array && !self.kept.contains(&variable) && self.removed.is_some_and(|counts| counts(place))
    }

    /// True for a variable of the function's return type: it may lie in the caller's result, which
    /// the caller counts.
    fn is_returned(&self, variable: usize) -> bool {
        let of_variable = self.sizes.class(self.dies[self.canonical(variable)].of_type);
        let function = self.function_around(variable).map(|function| &self.dies[function]);
        of_variable.is_some()
            && function.is_some_and(|function| self.sizes.class(function.of_type) == of_variable)
    }
}

/// Two needs at the same time.
fn joined(a: Need, b: &Need) -> Need {
    let size = |need: &Need| need.largest.as_ref().map_or(0, |largest| largest.bytes);
    let largest = if size(b) > size(&a) { b.largest.clone() } else { a.largest };
    let cycle = if a.cycle.is_empty() { b.cycle.clone() } else { a.cycle };
    Need { bytes: a.bytes.saturating_add(b.bytes), largest, cycle }
}

/// Each function's need: its own arrays and those of the deepest chain of calls, over the strongly
/// connected components of the call graph. Functions of a cycle need the arrays of all of them
/// once, since the number of rounds is unknown. If `users` names some of them, the cycle is
/// recorded.
fn chains(
    own: &BTreeMap<usize, Need>,
    calls: &BTreeMap<usize, BTreeSet<usize>>,
    users: &dyn Fn(usize) -> Option<String>,
) -> BTreeMap<usize, Need> {
    let edges = calls.iter().flat_map(|(&from, callees)| callees.iter().map(move |&to| (from, to)));
    let mut graph: DiGraphMap<usize, ()> = DiGraphMap::from_edges(edges);
    for &function in own.keys() {
        graph.add_node(function);
    }
    let mut needs: BTreeMap<usize, Need> = BTreeMap::new();
    // Kosaraju's algorithm gives callees before their callers.
    for mut cycle in kosaraju_scc(&graph) {
        cycle.sort_unstable();
        let arrays = cycle.iter().filter_map(|function| own.get(function));
        let mut arrays = arrays.fold(Need::default(), joined);
        if cycle.len() > 1 || cycle.iter().any(|&function| graph.contains_edge(function, function)) {
            arrays.cycle = cycle.iter().filter_map(|&function| users(function)).collect();
        }
        // Functions of the cycle have no need yet.
        let callees = cycle.iter().flat_map(|&function| graph.neighbors(function));
        let callees: Vec<&Need> = callees.filter_map(|callee| needs.get(&callee)).collect();
        let deepest = callees.iter().max_by_key(|need| need.bytes);
        let mut need = deepest.map_or_else(|| arrays.clone(), |deepest| joined(arrays.clone(), deepest));
        // A cycle matters on a chain that is not the deepest, too.
        let cycles = callees.iter().map(|need| &need.cycle);
        if let Some(below) = cycles.filter(|_| need.cycle.is_empty()).find(|cycle| !cycle.is_empty()) {
            need.cycle.clone_from(below);
        }
        needs.extend(cycle.into_iter().map(|function| (function, need.clone())));
    }
    needs
}

/// The files of a unit by number: the name if the user wrote the file, None when it is of the
/// runtime. System files are left out.
fn files(
    dwarf: &Dwarf<Slice<'_>>,
    unit: &Unit<Slice<'_>>,
    others: Folders<'_>,
) -> BTreeMap<u64, Option<UserFile>> {
    let mut files = BTreeMap::new();
    let Some(program) = &unit.line_program else { return files };
    let header = program.header();
    let text = |value| dwarf.attr_string(unit, value).map(|text| text.to_string_lossy().into_owned()).ok();
    for number in 0..=header.file_names().len() as u64 {
        let Some(file) = header.file(number) else { continue };
        let folder = file.directory(header).and_then(text).unwrap_or_default();
        let Some(name) = text(file.path_name()) else { continue };
        // Compilers write the folder by itself or as a part of the name.
        let path = format!("{folder}/{name}");
        if path.contains(others.ours) {
            files.insert(number, None);
        } else if !others.systems.iter().any(|other| path.contains(other)) {
            let is_whole = !others.shown || name.starts_with('/');
            let whole = if name.starts_with('/') { &name } else { &path };
            let host_lines = text_of(whole, others.moved).map(|text| host_lines(&text)).unwrap_or_default();
            files.insert(number, Some(UserFile { name: if is_whole { name } else { path }, host_lines }));
        }
    }
    files
}

/// The text of a file that a program names.
fn text_of(path: &str, moved: Option<&str>) -> Option<String> {
    let behind = moved.and_then(|moved| Some(format!("{moved}{}", path.strip_prefix(SETTLED)?)));
    files::read_there(Path::new(behind.as_deref().unwrap_or(path)))
}

/// True if an expression is the address of something in memory: a register, such as the frame's,
/// and an offset. A longer expression follows a pointer in the frame, as for arrays whose length
/// the run decides, or computes a value.
fn is_in_memory(expression: gimli::Expression<Slice<'_>>, unit: &Unit<Slice<'_>>) -> bool {
    let mut operations = expression.operations(unit.encoding());
    let frame =
        |operation| matches!(operation, Operation::FrameOffset { .. } | Operation::RegisterOffset { .. });
    operations.next().is_ok_and(|first| first.is_some_and(frame))
        && operations.next().is_ok_and(|more| more.is_none())
}

fn die<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    files: &BTreeMap<u64, Option<UserFile>>,
    entry: &Entry<'a>,
    parent: Option<usize>,
) -> Die {
    let text = |name| debug::text(dwarf, unit, entry, name);
    let reference = |name| debug::reference(entry, name);
    let number = |name| debug::number(entry, name);
    let in_frame = matches!(entry.attr_value(dw::DW_AT_location),
        Some(AttributeValue::Exprloc(expression)) if is_in_memory(expression, unit));
    let file = match entry.attr_value(dw::DW_AT_decl_file) {
        Some(AttributeValue::FileIndex(number)) => files.get(&number),
        _ => None,
    };
    let users = file.and_then(Option::as_ref);
    let line = number(dw::DW_AT_decl_line).unwrap_or(0);
    let place = users.map(|file| format!("{}:{line}", file.name));
    Die {
        tag: entry.tag(),
        parent,
        name: text(dw::DW_AT_name),
        linkage: text(dw::DW_AT_linkage_name),
        of_type: reference(dw::DW_AT_type),
        origin: reference(dw::DW_AT_abstract_origin)
            .or_else(|| reference(dw::DW_AT_specification))
            .or_else(|| reference(dw::DW_AT_call_origin)),
        bytes: number(dw::DW_AT_byte_size),
        count: number(dw::DW_AT_count)
            .or_else(|| number(dw::DW_AT_upper_bound).map(|last| last.saturating_add(1))),
        constant: number(dw::DW_AT_const_value),
        elsewhere: entry.attr_value(dw::DW_AT_declaration).is_some(),
        ours: file.is_some_and(Option::is_none),
        place,
        for_hosts: users.is_some_and(|file| file.host_lines.contains(&line)),
        in_frame,
        is_kept: [dw::DW_AT_location, dw::DW_AT_const_value]
            .into_iter()
            .any(|name| entry.attr_value(name).is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(bytes: u64) -> Need {
        Need { bytes, ..Need::default() }
    }

    /// The need of function 0 if each function has arrays of four bytes and calls these functions.
    fn of_calls(calls: &[(usize, &[usize])]) -> u64 {
        let own = (0..64).map(|at| (at, need(4))).collect();
        let calls = calls.iter().map(|(at, callees)| (*at, callees.iter().copied().collect())).collect();
        chains(&own, &calls, &|_| None)[&0].bytes
    }

    // Two functions on each of thirty levels, each calling both of the next level, the last ones
    // themselves: 2^29 chains.
    #[test]
    fn functions_that_share_callees_are_looked_at_once() {
        let level = |n: usize| [2 * n, 2 * n + 1];
        let callees: Vec<[usize; 2]> = (1..=30).map(|n| level(n.min(29))).collect();
        let calls: Vec<(usize, &[usize])> = (0..60).map(|at| (at, callees[at / 2].as_slice())).collect();
        assert_eq!(of_calls(&calls), 31 * 4); // the last level calls its other function, too
    }

    #[test]
    fn recursion_counts_once() {
        assert_eq!(of_calls(&[(0, &[1]), (1, &[0, 2]), (2, &[2])]), 3 * 4);
        assert_eq!(
            of_calls(&[(0, &[1, 2]), (1, &[2]), (2, &[1])]),
            3 * 4,
            "1 and 2, whichever is called first"
        );
    }

    #[test]
    fn cycles_of_the_users_functions_are_named_wherever_they_are_called_from() {
        let own = BTreeMap::from([(1, need(64))]);
        let calls = [(0, vec![1, 2]), (2, vec![3]), (3, vec![2]), (4, vec![4])];
        let calls = calls.map(|(from, to)| (from, to.into_iter().collect())).into();
        let needs = chains(&own, &calls, &|function| (function < 4).then(|| function.to_string()));
        assert_eq!(needs[&0], Need { bytes: 64, largest: None, cycle: vec!["2".into(), "3".into()] });
        assert!(needs[&1].cycle.is_empty());
        assert!(needs[&4].cycle.is_empty(), "not the user's");
    }
}
