//! Parts of two sides that differ in their names alone. Takes what is known of the parts of each
//! side besides their names, and returns pairs of names.
//!
//! A name with the letters and digits of one name on the other side is that name: an import writes
//! `k_0` for the member `k[0]`. For the rest the method is colour refinement (Weisfeiler and Leman,
//! 1968). A part that both sides name has its name as its colour, and every other part its kind. In
//! each round the colour of such a part takes in its ports with the colours behind them. A colour
//! of one part on each side is one part under two names. N parts with E ways cost O(N (N + E) log
//! N) at most.

use std::collections::{BTreeMap, BTreeSet};

/// A part and one of its ports.
pub type End = (String, String);

/// The parts of a side, and how they are connected.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// The kind of each part by its name, such as the file of a kernel.
    pub parts: BTreeMap<String, String>,
    /// The connections, each with the end that writes first.
    pub ways: Vec<[End; 2]>,
}

/// The parts under two names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renamed {
    /// The names on both sides, in the order of the first side.
    pub pairs: Vec<[String; 2]>,
    /// How many parts without a counterpart both sides have that are alike, so that none can be
    /// told from the others.
    pub alike: usize,
}

/// Pairs the parts that one side alone names. A part without a connection has no counterpart.
pub fn renamed(sides: [&Structure; 2]) -> Renamed {
    let [one, other] = sides;
    let parts = sides.map(|side| side.parts.iter().map(|(name, kind)| (name.as_str(), kind.as_str())));
    let parts = parts.map(Iterator::collect::<Vec<Part<'_>>>);
    let mut found = Renamed { pairs: respelled(parts.each_ref().map(Vec::as_slice)), alike: 0 };
    // Both spellings of a name by that of the first side.
    let spelled: [BTreeMap<&str, &str>; 2] =
        [0, 1].map(|at| found.pairs.iter().map(|pair| (pair[at].as_str(), pair[0].as_str())).collect());
    let common = [(0, other), (1, one)].map(|(at, there)| -> BTreeMap<&str, &str> {
        let key = |name: &'_ String| -> Option<&str> { spelled[at].get(name.as_str()).copied() };
        let names = sides[at].parts.keys();
        let exact = names.clone().filter(|name| there.parts.contains_key(*name));
        let exact = exact.map(|name| (name.as_str(), name.as_str()));
        exact.chain(names.filter_map(|name| Some((name.as_str(), key(name)?)))).collect()
    });
    let mut rounds = Rounds::default();
    let ends = sides.map(ends);
    let mut colours: [Colours<'_>; 2] = [0, 1].map(|at| {
        let key = |(name, kind): (&String, &String)| match common[at].get(name.as_str()) {
            Some(&name) => (name.to_owned(), String::new()),
            None => (String::new(), kind.clone()),
        };
        let parts = sides[at].parts.iter();
        parts.map(|part| (part.0.as_str(), rounds.colour(Key::First(key(part))))).collect()
    });
    for _ in 0..one.parts.len().max(other.parts.len()) {
        let before = count(&colours);
        colours = [0, 1].map(|at| {
            let is_common = |name: &str| common[at].contains_key(name);
            rounds.refined(&colours[at], &ends[at], &is_common)
        });
        if count(&colours) == before {
            break;
        }
    }
    let mut classes: BTreeMap<usize, [Vec<&str>; 2]> = BTreeMap::new();
    for at in [0, 1] {
        let open = colours[at].iter().filter(|(name, _)| ends[at].contains_key(*name));
        for (name, colour) in open.filter(|(name, _)| !common[at].contains_key(*name)) {
            classes.entry(*colour).or_default()[at].push(name);
        }
    }
    for [here, there] in classes.into_values() {
        match (here.as_slice(), there.as_slice()) {
            ([here], [there]) => found.pairs.push([(*here).to_owned(), (*there).to_owned()]),
            (here, there) => found.alike += here.len().min(there.len()),
        }
    }
    found.pairs.sort();
    found
}

/// A name and a kind.
type Part<'a> = (&'a str, &'a str);

/// Pairs of parts of one kind whose names have the same letters and digits, if no other part of a
/// side has them.
pub(crate) fn respelled(sides: [&[Part<'_>]; 2]) -> Vec<[String; 2]> {
    let [one, other] = sides;
    let open = |of: &[Part<'_>], there: &[Part<'_>]| {
        let known: BTreeSet<&str> = there.iter().map(|(name, _)| *name).collect();
        let mut all: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (name, kind) in of.iter().filter(|(name, _)| !known.contains(name)) {
            let letters = name.chars().filter(char::is_ascii_alphanumeric).collect();
            all.entry((letters, (*kind).to_owned())).or_default().push((*name).to_owned());
        }
        all
    };
    let mut there = open(other, one);
    let both = open(one, other).into_iter().filter_map(|(key, here)| Some((here, there.remove(&key)?)));
    let single = |(here, there): (Vec<String>, Vec<String>)| match (here.as_slice(), there.as_slice()) {
        ([here], [there]) => Some([here.clone(), there.clone()]),
        _ => None,
    };
    both.filter_map(single).collect()
}

/// The colour of each part by its name.
type Colours<'a> = BTreeMap<&'a str, usize>;

/// A port of a part, and the part and port behind it.
type Neighbours<'a> = BTreeMap<&'a str, Vec<(&'a str, &'a str, &'a str)>>;

fn count(colours: &[Colours<'_>; 2]) -> usize {
    colours.iter().flat_map(BTreeMap::values).collect::<BTreeSet<_>>().len()
}

fn ends(side: &Structure) -> Neighbours<'_> {
    let mut all = Neighbours::new();
    for [(from, port), (to, there)] in &side.ways {
        all.entry(from).or_default().push((port, to, there));
        all.entry(to).or_default().push((there, from, port));
    }
    all
}

/// What a colour stands for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The name or the kind.
    First((String, String)),
    /// The colour before, and the ports with the colours and ports behind them.
    Next(usize, Vec<(String, Option<usize>, String)>),
}

/// The colours of both sides, which share them.
#[derive(Default)]
struct Rounds {
    known: BTreeMap<Key, usize>,
}

impl Rounds {
    fn colour(&mut self, key: Key) -> usize {
        let next = self.known.len();
        *self.known.entry(key).or_insert(next)
    }

    /// The colours of the next round.
    fn refined<'a>(
        &mut self,
        colours: &Colours<'a>,
        ends: &Neighbours<'_>,
        is_common: &impl Fn(&str) -> bool,
    ) -> Colours<'a> {
        let next = |(&name, &colour): (&&'a str, &usize)| {
            if is_common(name) {
                return (name, colour);
            }
            let behind = |(port, other, there): &(&str, &str, &str)| {
                ((*port).to_owned(), colours.get(other).copied(), (*there).to_owned())
            };
            let mut around: Vec<_> = ends.get(name).into_iter().flatten().map(behind).collect();
            around.sort();
            (name, self.colour(Key::Next(colour, around)))
        };
        colours.iter().map(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A structure of kernels of one kind and of the ways `a > b` between them.
    fn of(ways: &[(&str, &str)]) -> Structure {
        let end = |name: &str, port: &str| (name.to_owned(), port.to_owned());
        let names = ways.iter().flat_map(|(from, to)| [from, to]);
        Structure {
            parts: names.map(|name| ((*name).to_owned(), "k.cc".to_owned())).collect(),
            ways: ways.iter().map(|(from, to)| [end(from, "out[0]"), end(to, "in[0]")]).collect(),
        }
    }

    #[test]
    fn a_chain_of_other_names_is_paired_from_its_ends() {
        let one = of(&[("i", "a"), ("a", "b"), ("b", "c"), ("c", "o")]);
        let other = of(&[("i", "x"), ("x", "y"), ("y", "z"), ("z", "o")]);
        let found = renamed([&one, &other]);
        let pairs: Vec<[&str; 2]> = found.pairs.iter().map(|[a, b]| [a.as_str(), b.as_str()]).collect();
        assert_eq!((pairs, found.alike), (vec![["a", "x"], ["b", "y"], ["c", "z"]], 0));
    }

    #[test]
    fn names_of_the_same_letters_and_digits_are_one() {
        let one = of(&[("in", "q[0].k[1]"), ("in", "q[1].k[1]"), ("q[1].k[1]", "x")]);
        let other = of(&[("in", "q[0].k_1"), ("in", "q[1].k_1"), ("q[1].k_1", "y")]);
        let found = renamed([&one, &other]);
        let pairs: Vec<[&str; 2]> = found.pairs.iter().map(|[a, b]| [a.as_str(), b.as_str()]).collect();
        assert_eq!(pairs, [["q[0].k[1]", "q[0].k_1"], ["q[1].k[1]", "q[1].k_1"], ["x", "y"]]);
        let two = of(&[("in", "k[1][1]"), ("in", "k[11]")]);
        let one = of(&[("in", "k_11"), ("in", "other")]);
        assert_eq!(renamed([&two, &one]), Renamed { pairs: Vec::new(), alike: 2 }, "either may be it");
    }

    #[test]
    fn parts_that_nothing_tells_apart_stay_alone() {
        let one = of(&[("i", "a"), ("i", "b")]);
        let other = of(&[("i", "x"), ("i", "y")]);
        assert_eq!(renamed([&one, &other]), Renamed { pairs: Vec::new(), alike: 2 });
    }

    #[test]
    fn another_kind_or_another_neighbour_makes_another_part() {
        let one = of(&[("i", "a"), ("a", "o")]);
        let mut other = of(&[("i", "x"), ("x", "o")]);
        other.parts.insert("x".to_owned(), "other.cc".to_owned());
        assert_eq!(renamed([&one, &other]), Renamed::default());
        let one = of(&[("i", "a"), ("a", "o"), ("p", "q")]);
        let other = of(&[("p", "x"), ("x", "o"), ("i", "q")]);
        assert_eq!(renamed([&one, &other]), Renamed::default());
        assert_eq!(renamed([&one, &one]), Renamed::default());
    }
}
