//! What the characters and numbers of a floorplan's text stand for.

use super::plan::{Floorplan, KernelMark};

/// Limit on the entries of a legend of numbers.
const ENTRIES: usize = 16;

/// One character for each group of kernels.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Longest line of a legend.
const WIDTH: usize = 100;

/// The numbers of the kernels and their names, those of arrays together: `0-1 left.k, 2 sum`.
pub(crate) fn numbers(plan: &Floorplan) -> String {
    let mut ranges: Vec<(usize, usize, &str)> = Vec::new();
    for (at, kernel) in plan.kernels.iter().enumerate() {
        match ranges.last_mut() {
            Some((_, last, name)) if *name == stem(&kernel.name) => *last = at,
            _ => ranges.push((at, at, stem(&kernel.name))),
        }
    }
    let entries = ranges.iter().map(|(first, last, name)| match first == last {
        true => format!("{first} {}", plan.kernels[*first].name),
        false => format!("{first}-{last} {name}"),
    });
    lines("kernels by number", entries.collect(), ENTRIES)
}

/// Kernels of one part of the graph share a character.
pub(crate) struct Letters<'a> {
    /// The parts: the names of kernels up to some member.
    parts: Vec<&'a str>,
    depth: usize,
}

impl<'a> Letters<'a> {
    /// The smallest parts of which there are no more than letters. Returns None when even the
    /// outermost are more.
    pub(crate) fn of(plan: &'a Floorplan) -> Option<Self> {
        let deepest = plan.kernels.iter().map(|kernel| kernel.name.split('.').count()).max()?;
        let parts = |depth: usize| {
            let mut parts: Vec<&str> = Vec::new();
            for kernel in &plan.kernels {
                let part = part_of(&kernel.name, depth);
                if !parts.contains(&part) {
                    parts.push(part);
                }
                if parts.len() > LETTERS.len() {
                    return None;
                }
            }
            Some(Self { parts, depth })
        };
        (1..=deepest).rev().find_map(parts)
    }

    /// The character of a kernel.
    pub(crate) fn letter(&self, kernel: &KernelMark) -> String {
        let part = part_of(&kernel.name, self.depth);
        let at = self.parts.iter().position(|&other| other == part);
        at.and_then(|at| LETTERS.get(at)).map_or('#', |&letter| char::from(letter)).to_string()
    }

    /// What the characters stand for, with the number of kernels.
    pub(crate) fn legend(&self, plan: &Floorplan) -> String {
        let entry = |(part, letter): (&&str, &u8)| {
            let is_in = |kernel: &&KernelMark| part_of(&kernel.name, self.depth) == *part;
            let count = plan.kernels.iter().filter(is_in).count();
            format!("{} {part} ({count})", char::from(*letter))
        };
        let entries = self.parts.iter().zip(LETTERS).map(entry).collect();
        lines("each character a kernel of", entries, LETTERS.len())
    }
}

/// A name without the indices at its end.
fn stem(name: &str) -> &str {
    let mut stem = name;
    while let Some((front, _)) = stem.strip_suffix(']').and_then(|front| front.rsplit_once('[')) {
        stem = front;
    }
    stem
}

/// The first members of a path, without the indices at the end.
fn part_of(name: &str, depth: usize) -> &str {
    let end = name.match_indices('.').nth(depth.saturating_sub(1)).map_or(name.len(), |(at, _)| at);
    stem(&name[..end])
}

/// At most `most` entries behind a title, on lines that are not too long.
fn lines(title: &str, entries: Vec<String>, most: usize) -> String {
    let more = entries.len().saturating_sub(most);
    let mut text = format!("{title}:");
    let mut width = text.chars().count();
    let shown = entries.into_iter().take(most).chain((more > 0).then(|| format!("{more} more")));
    for (at, entry) in shown.enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let long = entry.chars().count() + comma.len() + 1;
        let is_full = at > 0 && width + long > WIDTH;
        text += comma;
        text += if is_full { "\n    " } else { " " };
        width = if is_full { 4 + long } else { width + long };
        text += &entry;
    }
    text + "\n"
}
