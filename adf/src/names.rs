//! Names: where members lie, and which of them form a family.

use std::collections::{BTreeMap, BTreeSet};

use crate::description::{Description, Kernel};

/// The most extents of a family.
const MOST_EXTENTS: usize = 3;

/// A member by its path from the global object, without that object's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    /// The path without the indices at its end, such as `left.first.k`.
    pub stem: String,
    /// The indices at its end.
    pub indices: Vec<u32>,
}

impl Member {
    /// The member at `path`.
    pub(crate) fn of(path: &str) -> Self {
        let mut stem = path;
        let mut indices = Vec::new();
        while let Some((front, index)) = last_index(stem) {
            indices.insert(0, index);
            stem = front;
        }
        Self { stem: stem.to_owned(), indices }
    }

    /// The whole path, such as `left.first.k[0]`.
    pub(crate) fn name(&self) -> String {
        self.indices.iter().fold(self.stem.clone(), |name, index| format!("{name}[{index}]"))
    }
}

/// `k[1]` and 2 for `k[1][2]`.
fn last_index(path: &str) -> Option<(&str, u32)> {
    let (front, index) = path.strip_suffix(']')?.rsplit_once('[')?;
    Some((front, index.parse().ok()?))
}

/// The names of a description.
#[derive(Debug)]
pub(crate) struct Names {
    /// The one global object, whose name stands in front of no member.
    global: Option<String>,
    /// The names given so far.
    taken: BTreeSet<String>,
}

impl Names {
    /// No name yet. Names begin with the global object only if there are several.
    pub(crate) fn of(description: &Description) -> Self {
        let globals = description.graphs.iter().filter(|graph| graph.parent.is_none());
        let globals: BTreeSet<&str> = globals.filter_map(|graph| graph.path.as_deref()).collect();
        let only = globals.first().filter(|_| globals.len() == 1);
        Self { global: only.map(|&path| path.to_owned()), taken: BTreeSet::new() }
    }

    /// `path` without the global object, as a reader of the class would write it.
    pub(crate) fn local(&self, path: &str) -> String {
        let path = path.replace("->", ".");
        let inside = self.global.as_ref().and_then(|global| path.strip_prefix(global)?.strip_prefix('.'));
        inside.map_or_else(|| path.clone(), str::to_owned)
    }

    /// The member at `path`, or a new one called after `otherwise`, with a number. Every member has
    /// a name of its own.
    pub(crate) fn member(&mut self, path: Option<&str>, otherwise: &str) -> Member {
        let path = path.map(|path| self.local(path)).filter(|path| !self.taken.contains(path));
        let name = path.unwrap_or_else(|| self.numbered(otherwise));
        self.taken.insert(name.clone());
        Member::of(&name)
    }

    /// True if a member has this name, or an element of an array has it without its indices.
    pub(crate) fn has(&self, name: &str) -> bool {
        let element = format!("{name}[");
        let next = self.taken.range(element.clone()..).next();
        self.taken.contains(name) || next.is_some_and(|next| next.starts_with(&element))
    }

    /// The name of the one global object. Empty if there are several.
    pub(crate) fn object(&self) -> &str {
        self.global.as_deref().unwrap_or("")
    }

    /// `stem` with the first number that makes a new name, counted from 0.
    fn numbered(&self, stem: &str) -> String {
        let numbers = (0..).map(|number: u64| format!("{stem}{number}"));
        numbers.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_default()
    }
}

/// The members that are kernels, in order of creation.
pub(crate) fn kernels(description: &Description, names: &mut Names) -> Vec<Member> {
    let member = |kernel: &Kernel| {
        let otherwise = unnamed(description, names, kernel);
        names.member(kernel.path.as_deref(), &otherwise)
    };
    description.kernels.iter().map(member).collect()
}

/// The stem of the name of a kernel that is no member: its function, behind its graph's path.
fn unnamed(description: &Description, names: &Names, kernel: &Kernel) -> String {
    let graph = kernel.graph.and_then(|at| description.graphs.get(at.0 as usize));
    let path = graph.filter(|graph| graph.parent.is_some()).and_then(|graph| graph.path.as_deref());
    let function = bare(&kernel.function);
    path.map_or_else(|| function.to_owned(), |path| format!("{}.{function}", names.local(path)))
}

/// The name of the global object, with which hierarchical names begin. Empty if there are several:
/// then the names of members begin with theirs.
pub(crate) fn object(description: &Description) -> String {
    Names::of(description).object().to_owned()
}

/// The hierarchical name of a member, as reports and constraints files spell it.
pub(crate) fn hierarchical(object: &str, member: &str) -> String {
    if object.is_empty() { member.to_owned() } else { format!("{object}.{member}") }
}

/// The last name of a function or class: `stage` for `ns::stage<int>`.
pub(crate) fn bare(function: &str) -> &str {
    let plain = function.split('<').next().unwrap_or(function);
    plain.rsplit("::").next().unwrap_or(plain).trim()
}

/// Members that form one declaration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// The members' name without indices.
    pub name: String,
    /// Extents: empty for a single member.
    pub dims: Vec<u32>,
    /// The members' numbers in the given list, row by row.
    pub members: Vec<usize>,
}

impl Family {
    /// The family of one member.
    pub(crate) fn single(members: &[Member], at: usize) -> Self {
        Self { name: members[at].name(), dims: Vec::new(), members: vec![at] }
    }
}

/// Groups members into families: an array all of whose elements are there and `alike`. All others
/// are families of one member, in order of their first members.
pub(crate) fn families(members: &[Member], alike: impl Fn(&[usize]) -> bool) -> Vec<Family> {
    let mut arrays: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, member) in members.iter().enumerate() {
        arrays.entry(&member.stem).or_default().push(at);
    }
    let mut found = Vec::new();
    for (stem, mut of) in arrays {
        of.sort_by(|&a, &b| members[a].indices.cmp(&members[b].indices));
        match extents(members, &of).filter(|_| alike(&of)) {
            Some(dims) => found.push(Family { name: stem.to_owned(), dims, members: of }),
            None => found.extend(of.into_iter().map(|at| Family::single(members, at))),
        }
    }
    found.sort_by_key(|family| family.members.iter().min().copied());
    found
}

/// The extents of a full array, whose elements `of` names in row-major order.
fn extents(members: &[Member], of: &[usize]) -> Option<Vec<u32>> {
    let last = &members[*of.last()?].indices;
    let dims: Vec<u32> = last.iter().map(|&index| index.checked_add(1)).collect::<Option<_>>()?;
    let count = dims.iter().try_fold(1u32, |count, &extent| count.checked_mul(extent))?;
    let right =
        |(at, &member): (u32, &usize)| members[member].indices == aiec_ir::design::position(&dims, at);
    (dims.len() <= MOST_EXTENTS && count as usize == of.len() && (0..).zip(of).all(right)).then_some(dims)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(paths: &[&str], alike: bool) -> Vec<(String, Vec<u32>, Vec<usize>)> {
        let members: Vec<Member> = paths.iter().map(|path| Member::of(path)).collect();
        let all = families(&members, |_| alike);
        all.into_iter().map(|family| (family.name, family.dims, family.members)).collect()
    }

    #[test]
    fn the_indices_at_the_end_of_a_path_are_those_of_the_family() {
        let member = Member::of("bank[2].k[0][3]");
        assert_eq!((member.stem.as_str(), member.indices.as_slice()), ("bank[2].k", &[0, 3][..]));
        assert_eq!(member.name(), "bank[2].k[0][3]");
        assert_eq!(Member::of("k").indices, [0; 0]);
    }

    #[test]
    fn a_full_array_of_like_members_is_one_family_in_row_order() {
        let paths = ["m[1][0]", "m[0][1]", "single", "m[0][0]", "m[1][1]"];
        let expected =
            [("m".to_owned(), vec![2, 2], vec![3, 1, 0, 4]), ("single".to_owned(), vec![], vec![2])];
        assert_eq!(grouped(&paths, true), expected);
    }

    #[test]
    fn arrays_with_gaps_and_unlike_members_are_single_families() {
        let single = |name: &str, at: usize| (name.to_owned(), vec![], vec![at]);
        assert_eq!(grouped(&["k[0]", "k[2]"], true), [single("k[0]", 0), single("k[2]", 1)]);
        assert_eq!(grouped(&["k[0]", "k[1]"], false), [single("k[0]", 0), single("k[1]", 1)]);
        assert_eq!(grouped(&["k[0]", "k[0][1]"], true), [single("k[0]", 0), single("k[0][1]", 1)]);
    }

    #[test]
    fn members_without_a_path_are_numbered_after_their_function() {
        let mut names = Names { global: Some("g".into()), taken: BTreeSet::new() };
        assert_eq!(names.member(Some("g.stage0"), "stage").name(), "stage0");
        assert_eq!(names.member(None, "stage").name(), "stage1");
        assert_eq!(names.member(Some("g.stage0"), "stage").name(), "stage2");
        assert_eq!(names.member(Some("other.k"), "stage").name(), "other.k");
        assert_eq!((bare("ns::stage<a::b>"), bare("stage")), ("stage", "stage"));
    }
}
