//! Compares aiec with a baseline on each design and counts the wins.
//!
//! Takes the answers of aiec and of a baseline, returns sentences for the end of the table. Answers
//! are compared like placements (`docs/placement.md`): legal with routes first, then by the terms
//! of the usual objective in their order.

use std::cmp::Ordering;
use std::fmt;

use aiec_placer::{Objective, Term, Terms};

/// The result of one method for a design.
pub enum Answer {
    /// A legal placement with routes.
    Routed(Terms),
    /// Tiles that need this many connections through DMA and cannot be packed or routed.
    Refused { connections: u64, why: String },
    /// No tiles.
    Nothing,
}

impl Answer {
    /// Less is better.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Routed(a), Self::Routed(b)) => a.score(&Objective::USUAL).cmp(&b.score(&Objective::USUAL)),
            (Self::Refused { connections: a, .. }, Self::Refused { connections: b, .. }) => a.cmp(b),
            _ => self.kind().cmp(&other.kind()),
        }
    }

    const fn kind(&self) -> u32 {
        match self {
            Self::Routed(_) => 0,
            Self::Refused { .. } => 1,
            Self::Nothing => 2,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Routed(terms) => write!(f, "{}, routed", terms.dma),
            Self::Refused { connections, why } => write!(f, "{connections}, {why}"),
            Self::Nothing => f.write_str("-"),
        }
    }
}

/// Number of designs on which aiec is better than, as good as, and worse than a baseline.
pub struct Tally {
    baseline: &'static str,
    better: usize,
    equal: usize,
    /// Designs on which aiec is worse, each with the first term that differs.
    worse: Vec<String>,
}

impl Tally {
    pub const fn new(baseline: &'static str) -> Self {
        Self { baseline, better: 0, equal: 0, worse: Vec::new() }
    }

    pub fn count(&mut self, design: &str, ours: &Answer, other: &Answer) {
        match ours.cmp(other) {
            Ordering::Less => self.better += 1,
            Ordering::Equal => self.equal += 1,
            Ordering::Greater => self.worse.push(format!("{design} ({})", difference(ours, other))),
        }
    }
}

/// The first thing in which the answers differ, with both values.
fn difference(ours: &Answer, other: &Answer) -> String {
    let (Answer::Routed(a), Answer::Routed(b)) = (ours, other) else { return format!("{ours}; {other}") };
    let differs = Objective::USUAL.terms().find(|&term| a.value(term) != b.value(term));
    let term = differs.unwrap_or(Term::Dma);
    format!("{}: {}, not {}", term.name(), a.value(term), b.value(term))
}

/// A sentence for each baseline.
pub fn summary(tallies: &[Tally]) -> String {
    let mut text = "Legal and routed placements first, then by `dma,bytes,path,wire,compact`, the designs on which aiec is better and worse:\n\n".to_owned();
    for Tally { baseline, better, equal, worse } in tallies {
        let (count, names) = (worse.len(), worse.join(", "));
        let names = if names.is_empty() { String::new() } else { format!(": {names}") };
        text.push_str(&format!(
            "* against the {baseline}: better on {better}, as good on {equal}, worse on {count}{names}\n"
        ));
    }
    text
}
