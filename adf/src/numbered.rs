//! Members with numbers in their names as elements of arrays. Takes a description, and returns one
//! in which `k0`, `k1` and so on are `k[0]`, `k[1]`, and `k_3_4` is `k[3][4]`. A design of that has
//! a family for kernels, inputs and outputs, and one instance for sub-graphs, which a person reads
//! more easily; the graph has other names.
//!
//! Members become an array if their numbers fill it, if they are of one graph, and if they differ
//! in nothing but names, places and sizes that a family can state. Everything else keeps its name.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::design::position;

use crate::description::{Description, External, ExternalKind, Kernel, PortIndex};

/// The fewest members that become an array.
const FEWEST: usize = 3;

/// The most numbers of a name.
const MOST_NUMBERS: usize = 3;

/// The description with arrays. Returns None when it has no such members.
pub(crate) fn numbered(description: &Description) -> Option<Description> {
    let paths = |description: &Description| -> BTreeSet<String> {
        let graphs = description.graphs.iter().filter_map(|graph| graph.path.clone());
        let kernels = description.kernels.iter().filter_map(|kernel| kernel.path.clone());
        let externals = description.externals.iter().filter_map(|end| end.path.clone());
        graphs.chain(kernels).chain(externals).collect()
    };
    let before = paths(description);
    let graphs =
        arrays(&description.graphs, |graph| graph.path.as_deref(), &before, |a, b| a.parent == b.parent);
    let old = |at: usize| description.graphs[at].path.clone();
    let graphs = graphs.into_iter().filter_map(|(at, path)| Some((old(at)?, path))).collect();
    let mut found = description.clone();
    move_graphs(&mut found, &graphs);
    let description = &found.clone();
    let taken = paths(description);
    let kernels = arrays(
        &description.kernels,
        |kernel| kernel.path.as_deref(),
        &taken,
        |a, b| alike(description, a, b),
    );
    for (at, path) in kernels {
        found.kernels[at].path = Some(path);
    }
    let externals = arrays(&description.externals, |end| end.path.as_deref(), &taken, of_one_kind);
    for (at, path) in externals {
        found.externals[at].path = Some(path);
    }
    (paths(&found) != before).then_some(found)
}

/// Gives graphs other paths, and all that lies in them. Old and new paths differ in the last name.
fn move_graphs(description: &mut Description, graphs: &BTreeMap<String, String>) {
    let kernels = description.kernels.iter_mut().map(|kernel| &mut kernel.path);
    let externals = description.externals.iter_mut().map(|end| &mut end.path);
    let ports = description.ports.iter_mut().map(|port| &mut port.path);
    let tables = description.tables.iter_mut().map(|table| &mut table.path);
    let own = description.graphs.iter_mut().map(|graph| &mut graph.path);
    for path in own.chain(kernels).chain(externals).chain(ports).chain(tables).flatten() {
        *path = moved(path, graphs);
    }
    let hidden = std::mem::take(&mut description.hidden).into_iter();
    description.hidden = hidden.map(|(path, reason)| (moved(&path, graphs), reason)).collect();
    description.tuples = description.tuples.iter().map(|path| moved(path, graphs)).collect();
}

/// A path with the new names of the graphs on it.
fn moved(path: &str, graphs: &BTreeMap<String, String>) -> String {
    let (mut out, mut start) = (String::new(), 0);
    for end in path.match_indices('.').map(|(at, _)| at).chain([path.len()]) {
        let new = graphs.get(&path[..end]).and_then(|new| new.get(start..));
        out += new.unwrap_or(&path[start..end]);
        start = end;
    }
    out
}

/// The members that become elements of arrays, with their new paths. Names with many numbers come
/// first: of `fir_16_0` and `fir_16_1` the last number counts, since the first ones fill no array.
pub(crate) fn arrays<T>(
    members: &[T],
    path: impl Fn(&T) -> Option<&str>,
    taken: &BTreeSet<String>,
    alike: impl Fn(&T, &T) -> bool,
) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    for count in (1..=MOST_NUMBERS).rev() {
        let mut groups: BTreeMap<String, Vec<(Vec<u32>, usize)>> = BTreeMap::new();
        for (at, member) in members.iter().enumerate().filter(|(at, _)| !found.contains_key(at)) {
            if let Some((stem, numbers)) = path(member).and_then(|path| parts(path, count)) {
                groups.entry(stem.to_owned()).or_default().push((numbers, at));
            }
        }
        for (stem, mut group) in groups {
            group.sort();
            let (_, first) = group[0];
            let element = format!("{stem}[");
            let has_elements =
                taken.range(element.clone()..).next().is_some_and(|next| next.starts_with(&element));
            let is_free = !taken.contains(&stem) && !has_elements;
            let is_one = group.iter().all(|(_, at)| alike(&members[first], &members[*at]));
            if group.len() >= FEWEST && is_free && is_one && fill(&group) {
                found.extend(group.into_iter().map(|(numbers, at)| {
                    let indices: String = numbers.iter().map(|number| format!("[{number}]")).collect();
                    (at, format!("{stem}{indices}"))
                }));
            }
        }
    }
    found
}

/// The stem of a path and the `count` numbers at its end: `g.k` and 3, 4 for `g.k_3_4`. Returns
/// None when it ends in fewer numbers, or one begins with a zero.
fn parts(path: &str, count: usize) -> Option<(&str, Vec<u32>)> {
    let mut stem = path;
    let mut numbers = Vec::new();
    for at in 0..count {
        let front = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &stem[front.len()..];
        if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        numbers.insert(0, digits.parse().ok()?);
        let is_last = at + 1 == count;
        stem = match front.strip_suffix('_') {
            Some(front) => front,
            None if is_last => front,
            None => return None,
        };
    }
    let is_name = stem.ends_with(|c: char| c.is_ascii_alphanumeric());
    is_name.then_some((stem, numbers))
}

/// True if sorted numbers are the positions of an array, each once.
fn fill(group: &[(Vec<u32>, usize)]) -> bool {
    let Some((last, _)) = group.last() else { return false };
    let dims: Option<Vec<u32>> = last.iter().map(|&index| index.checked_add(1)).collect();
    let Some(dims) = dims else { return false };
    let count = dims.iter().try_fold(1_u32, |count, &extent| count.checked_mul(extent));
    count.is_some_and(|count| count as usize == group.len())
        && (0..).zip(group).all(|(at, (numbers, _))| *numbers == position(&dims, at))
}

/// True if two kernels run the same function with like ports.
fn alike(description: &Description, a: &Kernel, b: &Kernel) -> bool {
    let code =
        |kernel: &Kernel| (kernel.graph, kernel.is_class, kernel.function.clone(), kernel.source.clone());
    let ports = |kernel: &Kernel| {
        let one = |index: &PortIndex| {
            let port = &description.ports[index.0 as usize];
            (
                port.direction,
                port.is_inout,
                port.index,
                port.carries.clone(),
                port.is_async,
                port.is_sync,
                port.is_control,
            )
        };
        kernel.ports.iter().map(one).collect::<Vec<_>>()
    };
    code(a) == code(b) && ports(a) == ports(b)
}

/// True if two inputs or outputs are of one kind and direction.
fn of_one_kind(a: &External, b: &External) -> bool {
    let is_plio = |end: &External| matches!(end.kind, ExternalKind::Plio { .. });
    (a.direction, is_plio(a), a.is_of_logic) == (b.direction, is_plio(b), b.is_of_logic)
}

#[cfg(test)]
mod tests {
    use super::{arrays, moved, parts};
    use std::collections::BTreeSet;

    fn renamed(paths: &[&str]) -> Vec<String> {
        let taken: BTreeSet<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let found = arrays(paths, |path| Some(*path), &taken, |_, _| true);
        (0..paths.len()).map(|at| found.get(&at).cloned().unwrap_or_else(|| paths[at].to_owned())).collect()
    }

    #[test]
    fn numbers_at_the_end_of_names_are_indices_if_they_fill_an_array() {
        assert_eq!(renamed(&["g.k0", "g.k2", "g.k1"]), ["g.k[0]", "g.k[2]", "g.k[1]"]);
        let grid = ["k_0_0", "k_0_1", "k_1_0", "k_1_1"];
        assert_eq!(renamed(&grid), ["k[0][0]", "k[0][1]", "k[1][0]", "k[1][1]"]);
        assert_eq!(renamed(&["fir_16_0", "fir_16_1", "fir_16_2"]), ["fir_16[0]", "fir_16[1]", "fir_16[2]"]);
    }

    #[test]
    fn what_lies_in_a_graph_moves_with_it() {
        let graphs = [("g.a_0", "g.a[0]"), ("g.a_0.b_1", "g.a_0.b[1]")];
        let graphs = graphs.map(|(old, new)| (old.to_owned(), new.to_owned())).into();
        let all = ["g.a_0", "g.a_0.b_1.k_2", "g.a_0.in_1", "g.a_00.k", "a_0"];
        assert_eq!(
            all.map(|path| moved(path, &graphs)),
            ["g.a[0]", "g.a[0].b[1].k_2", "g.a[0].in_1", "g.a_00.k", "a_0"]
        );
    }

    #[test]
    fn other_names_stay() {
        for paths in [
            &["k0", "k1"][..],
            &["k1", "k2", "k3"],
            &["k0", "k1", "k2", "k"],
            &["k0", "k1", "k2", "k[0]"],
            &["k00", "k01", "k02"],
            &["_0", "_1", "_2"],
        ] {
            assert_eq!(renamed(paths), paths);
        }
        assert_eq!(parts("g.a_3_4", 2), Some(("g.a", vec![3, 4])));
        assert_eq!(parts("g.a3_4", 2), Some(("g.a", vec![3, 4])));
        assert_eq!(parts("g.a34", 2), None);
    }
}
