//! The objective: a lexicographic order of terms that the user chooses.

/// A quantity of a placement to minimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// Connections through DMA, including those to inputs and outputs.
    Dma,
    /// Bytes of the windows of these connections.
    Bytes,
    /// Longest data path through each collective, in 1/100 cycles; summed over all collectives.
    Path,
    /// Tiles between the ends of connections through DMA.
    Wire,
    /// Distance in columns of each used core from the middle column of the used cores; summed.
    Compact,
}

impl Term {
    /// All terms, in the usual order.
    pub const ALL: [Self; 5] = [Self::Dma, Self::Bytes, Self::Path, Self::Wire, Self::Compact];

    /// The name of the term on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dma => "dma",
            Self::Bytes => "bytes",
            Self::Path => "path",
            Self::Wire => "wire",
            Self::Compact => "compact",
        }
    }
}

/// The terms that compare placements, the most important first. A later term decides only between
/// placements that are equal in all earlier ones.
///
/// Two criteria precede all terms: the placement is legal, and no line has more nets than wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Each term at most once; the unused rest is None.
    order: [Option<Term>; Term::ALL.len()],
}

impl Default for Objective {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Objective {
    /// All terms in the order of [`Term::ALL`].
    pub const USUAL: Self = {
        let [a, b, c, d, e] = Term::ALL;
        Self { order: [Some(a), Some(b), Some(c), Some(d), Some(e)] }
    };

    /// Builds the order from `terms`. Returns None when `terms` is empty or holds a term twice. The
    /// objective ignores absent terms.
    pub fn new(terms: &[Term]) -> Option<Self> {
        let mut order = [None; Term::ALL.len()];
        for (at, &term) in terms.iter().enumerate() {
            if terms[..at].contains(&term) {
                return None;
            }
            *order.get_mut(at)? = Some(term);
        }
        (!terms.is_empty()).then_some(Self { order })
    }

    /// The terms, the most important first.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.order.iter().flatten().copied()
    }

    /// Position of `term`, from 0. Returns None when the objective ignores it.
    pub(crate) fn place(&self, term: Term) -> Option<usize> {
        self.terms().position(|other| other == term)
    }

    /// True if the objective contains `first`, and before any of `others`.
    pub(crate) fn prefers(&self, first: Term, others: &[Term]) -> bool {
        let before = |at: usize| others.iter().filter_map(|&other| self.place(other)).all(|other| at < other);
        self.place(first).is_some_and(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_is_left_out_is_preferred_to_nothing() {
        let two = Objective::new(&[Term::Wire, Term::Dma]).expect("an order");
        assert!(
            two.prefers(Term::Wire, &[Term::Dma, Term::Compact]) && two.prefers(Term::Dma, &[Term::Path])
        );
        assert!(!two.prefers(Term::Dma, &[Term::Wire]) && !two.prefers(Term::Compact, &[]));
    }
}
