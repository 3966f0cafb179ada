//! Names of components after classes of sub-graphs: those of one template have its arguments.

use std::collections::BTreeSet;

use crate::names::bare;

/// The longest text of template arguments in a name.
const LONGEST_ARGUMENTS: usize = 24;

/// The name for a component whose sub-graphs have the classes `own`, among `all` classes: `stage`
/// for `ns::stage<3>`, or `stage_3` if `all` has it with other arguments too. The arguments are
/// those in which they differ, or the first one that tells them all apart.
pub(super) fn named<'c>(own: impl Iterator<Item = &'c str>, all: &BTreeSet<&str>) -> String {
    let own: BTreeSet<&str> = own.collect();
    let Some(&first) = own.first() else { return String::new() };
    let name = bare(first);
    let others: Vec<Vec<&str>> = all.iter().filter(|of| bare(of) == name).map(|of| arguments(of)).collect();
    let mine = arguments(first);
    let differs = |at: &usize| others.iter().any(|other| other.get(*at) != mine.get(*at));
    // One argument is enough if no two classes have the same.
    let tells = |at: &usize| {
        let all: BTreeSet<Option<&&str>> = others.iter().map(|other| other.get(*at)).collect();
        all.len() == others.len()
    };
    let varying = (0..mine.len()).filter(differs);
    let used = varying.clone().find(tells).map_or_else(|| varying.collect(), |at| vec![at]);
    let words: Vec<String> =
        used.into_iter().map(|at| word(mine[at])).filter(|one| !one.is_empty()).collect();
    let text = words.join("_");
    let is_one = own.len() == 1 && !text.is_empty() && text.len() <= LONGEST_ARGUMENTS;
    if is_one { format!("{name}_{text}") } else { name.to_owned() }
}

/// The template arguments of a class.
fn arguments(class: &str) -> Vec<&str> {
    let inside = class.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>')).map_or("", |(all, _)| all);
    aiec_cpp_text::arguments(inside).into_iter().filter(|argument| !argument.is_empty()).collect()
}

/// An argument as a part of a name: `3` for `3u`, `m1` for `-1`.
fn word(argument: &str) -> String {
    let digits = argument.trim_end_matches(['u', 'l', 'U', 'L']);
    let is_number = digits.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
    let text = if is_number { digits.replace('-', "m") } else { argument.to_owned() };
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(own: &[&str], all: &[&str]) -> String {
        named(own.iter().copied(), &all.iter().copied().collect())
    }

    #[test]
    fn classes_of_one_template_have_the_arguments_that_differ() {
        let stages = ["stage<1>", "ns::stage<2u>", "stage<-3>", "Other"];
        assert_eq!(of(&["stage<1>"], &stages), "stage_1");
        assert_eq!(of(&["ns::stage<2u>"], &stages), "stage_2");
        assert_eq!(of(&["stage<-3>"], &stages), "stage_m3");
        assert_eq!(of(&["Other"], &stages), "Other");
        let filters = ["fir<short, std::array<int, 4>, 8>", "fir<short, std::array<int, 4>, 16>"];
        assert_eq!(of(&filters[1..], &filters), "fir_16");
        assert_eq!(of(&filters, &filters), "fir", "one component for both");
        assert_eq!(of(&["fir<short, 8>"], &["fir<short, 8>"]), "fir");
        let chains = ["chain<int, 3, false>", "chain<float, 2, true>"];
        assert_eq!(of(&chains[..1], &chains), "chain_int", "the first argument tells them apart");
        let grid = ["cell<0, 0>", "cell<0, 1>", "cell<1, 0>"];
        assert_eq!(of(&grid[1..2], &grid), "cell_0_1");
    }
}
