//! What a conversion assumed where the graph states nothing, and what it left out.

use aiec_diag::Span;

/// A value that the graph does not state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The property with the assumed value, such as `a stack of 1024 bytes`.
    pub what: String,
    /// The members without a value of their own.
    pub of: Vec<String>,
}

/// A statement of the graph that a design cannot express. No check, placement or route of aiec
/// takes it into account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The statement in words, such as `the address of the buffers of k.in[0]`.
    pub what: String,
    /// Source location of the statement.
    pub span: Span,
}

/// The notes of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Assumed values, in order of the first member without one.
    pub assumed: Vec<Assumption>,
    /// Statements left out, in source order.
    pub left_out: Vec<LeftOut>,
}

impl Notes {
    /// Adds that `what` was assumed of `member`.
    pub(crate) fn assume(&mut self, what: &str, member: &str) {
        match self.assumed.iter_mut().find(|one| one.what == what) {
            Some(one) => one.of.push(member.to_owned()),
            None => self.assumed.push(Assumption { what: what.to_owned(), of: vec![member.to_owned()] }),
        }
    }

    /// Adds a statement that was left out.
    pub(crate) fn leave_out(&mut self, what: String, span: Span) {
        self.left_out.push(LeftOut { what, span });
    }
}

/// As in a report: the value, and the members that have it.
impl std::fmt::Display for Assumption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.what, aiec_diag::listed(self.of.iter().cloned(), aiec_diag::LISTED))
    }
}
