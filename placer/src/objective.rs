//! What makes one placement better than another: an order of terms, chosen by the user.

/// Something that is counted in a placement, the less the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// Connections through DMA, those to inputs and outputs included.
    Dma,
    /// Bytes of the windows of these connections.
    Bytes,
    /// Longest way of data through each collective, in 1/100 cycles; the sum over all collectives.
    Path,
    /// Tiles between the ends of connections through DMA.
    Wire,
    /// Columns that cores in use lie off their middle column; the sum over these cores.
    Compact,
}

impl Term {
    /// All terms, in the usual order.
    pub const ALL: [Self; 5] = [Self::Dma, Self::Bytes, Self::Path, Self::Wire, Self::Compact];

    /// Its name on the command line.
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

/// The terms by which placements are compared, the most important first: a later one decides only between placements that are equal
/// in all before it.
///
/// Above all of them stand that a placement is legal, and that no more nets cross a line than it has wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Each term at most once, then nothing.
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

    /// These terms in this order; none if there is no term, or one twice. Terms that are left out are not looked at.
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

    /// The place of `term`, from 0; none if it is not looked at.
    pub(crate) fn place(&self, term: Term) -> Option<usize> {
        self.terms().position(|other| other == term)
    }

    /// True if `first` is looked at, and before any of `others`.
    pub(crate) fn prefers(&self, first: Term, others: &[Term]) -> bool {
        let before = |at: usize| others.iter().filter_map(|&other| self.place(other)).all(|other| at < other);
        self.place(first).is_some_and(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_each_term_at_most_once() {
        assert_eq!(Objective::new(&Term::ALL), Some(Objective::USUAL));
        assert_eq!(Objective::new(&[]), None);
        assert_eq!(Objective::new(&[Term::Wire, Term::Dma, Term::Wire]), None);
        let two = Objective::new(&[Term::Wire, Term::Dma]).expect("an order");
        assert_eq!(two.terms().collect::<Vec<_>>(), [Term::Wire, Term::Dma]);
    }

    #[test]
    fn a_term_that_is_left_out_is_preferred_to_nothing() {
        let two = Objective::new(&[Term::Wire, Term::Dma]).expect("an order");
        assert!(
            two.prefers(Term::Wire, &[Term::Dma, Term::Compact]) && two.prefers(Term::Dma, &[Term::Path])
        );
        assert!(!two.prefers(Term::Dma, &[Term::Wire]) && !two.prefers(Term::Compact, &[]));
    }
}
