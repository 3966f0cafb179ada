//! Single kernels of one kind as a family. Takes the families of a graph, and joins those of one
//! kernel whose members are elements of one array or differ in their last numbers, where all else
//! that a declaration states is the same. A graph keeps their names; a design has the family's.
//!
//! Such kernels are the elements of an array with several functions, or `k1`, `k2` and `k5`, whose
//! numbers leave gaps.

use std::collections::{BTreeMap, BTreeSet};

use crate::bodies::constructed_all;
use crate::description::Kernel;
use crate::names::{Family, Member, bare};

/// The fewest kernels that become a family.
const FEWEST: usize = 3;

/// The families with joined ones among them, in order of their first members. `alike` compares what
/// the kernels' declarations state besides what [`Kernel`] does. No joined family has a name that
/// is `taken`.
pub(crate) fn regrouped(
    families: Vec<Family>,
    (members, kernels): (&[Member], &[Kernel]),
    mut taken: BTreeSet<String>,
    alike: impl Fn(usize, usize) -> bool,
) -> Vec<Family> {
    let (mut found, single): (Vec<Family>, Vec<Family>) =
        families.into_iter().partition(|family| family.members.len() > 1);
    taken.extend(members.iter().map(|member| member.stem.clone()));
    let mut stems: BTreeMap<Place<'_>, Vec<Vec<(Numbers, usize)>>> = BTreeMap::new();
    let mut rest = Vec::new();
    for family in single {
        let at = family.members[0];
        let Some((place, numbers)) = Place::of(&members[at]) else {
            rest.push(family);
            continue;
        };
        let kinds = stems.entry(place).or_default();
        let is_like = |kind: &&mut Vec<(Numbers, usize)>| {
            declared(&kernels[kind[0].1]) == declared(&kernels[at]) && alike(kind[0].1, at)
        };
        match kinds.iter_mut().find(is_like) {
            Some(kind) => kind.push((numbers, at)),
            None => kinds.push(vec![(numbers, at)]),
        }
    }
    for (place, kinds) in stems {
        for mut kind in kinds {
            let name = place.names(&kernels[kind[0].1]).into_iter().find(|name| !taken.contains(name));
            match name.filter(|_| kind.len() >= FEWEST) {
                Some(name) => {
                    taken.insert(name.clone());
                    kind.sort();
                    let of: Vec<usize> = kind.into_iter().map(|(_, at)| at).collect();
                    let dims = u32::try_from(of.len()).into_iter().collect();
                    found.push(Family { name, dims, members: of });
                }
                None => rest.extend(kind.into_iter().map(|(_, at)| Family::single(members, at))),
            }
        }
    }
    found.extend(rest);
    found.sort_by_key(|family| family.members.iter().min().copied());
    found
}

/// The numbers at the end of a member's name: those in it, and its indices.
type Numbers = Vec<u64>;

/// What members of one family have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    /// The path of the graph, with a point behind it.
    graph: &'a str,
    /// The name without numbers at its end.
    stem: &'a str,
}

impl<'a> Place<'a> {
    /// Returns None for a member without a number.
    fn of(member: &'a Member) -> Option<(Self, Numbers)> {
        let (graph, name) = match member.stem.rfind('.') {
            Some(point) => member.stem.split_at(point + 1),
            None => ("", member.stem.as_str()),
        };
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let own = name[stem.len()..].parse().ok();
        let numbers: Numbers = own.into_iter().chain(member.indices.iter().map(|&at| at.into())).collect();
        (!numbers.is_empty() && !stem.is_empty()).then_some((Self { graph, stem }, numbers))
    }

    /// Names for a family, the best first: the function of its kernels, and that with the stem.
    fn names(&self, first: &Kernel) -> [String; 2] {
        let (graph, function, stem) = (self.graph, bare(&first.function), self.stem.trim_end_matches('_'));
        [format!("{graph}{function}"), format!("{graph}{stem}_{function}")]
    }
}

/// What the declaration of a kernel states besides its ports and tables.
fn declared(kernel: &Kernel) -> impl PartialEq {
    // Without words for them, a declaration states none.
    let arguments = kernel.arguments.as_deref().and_then(constructed_all);
    let code = (&kernel.function, &kernel.template, kernel.is_class, arguments);
    let files = (&kernel.source, &kernel.headers, &kernel.init);
    let sizes = (kernel.runtime.map(f64::to_bits), kernel.stack, kernel.heap, kernel.repetitions);
    (kernel.graph, code, files, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_name_and_of_its_indices() {
        let place = |path: &str| {
            let member = Member::of(path);
            Place::of(&member).map(|(place, numbers)| (format!("{}|{}", place.graph, place.stem), numbers))
        };
        assert_eq!(place("g.k7"), Some(("g.|k".to_owned(), vec![7])));
        assert_eq!(place("left.m[2][3]"), Some(("left.|m".to_owned(), vec![2, 3])));
        assert_eq!(place("alone"), None);
    }
}
