//! Run-time parameters at the host's end of an expanded design.

use aiec_collectives::{Buffering, Direction};
use aiec_diag::{Span, Spanned};

use super::Way;
use crate::design::HostValues;
use crate::ids::{ExternalFamilyId, PortId};

/// A run-time parameter that the host writes (an input) or reads (an output).
#[derive(Clone, Debug)]
pub struct HostParameter {
    /// The declaration that it is an instance of.
    pub family: ExternalFamilyId,
    /// Index within the declaration.
    pub index: u32,
    /// Its name, such as `gain[3]`.
    pub name: String,
    /// A C++ identifier for it, such as `gain_3`.
    pub identifier: String,
    /// `Out` for an input of the array, `In` for an output.
    pub direction: Direction,
    /// Its values. `{}` in the file name is replaced already.
    pub values: HostValues,
    /// The file of the values that an output is expected to get, relative to the design.
    pub golden: Option<Spanned<String>>,
    /// The ports of kernels that it is connected to.
    pub ports: Vec<PortId>,
    /// The buffers of each of them.
    pub buffering: Vec<Buffering>,
    /// The way to each of them.
    pub ways: Vec<Way>,
    /// Source location of the `connect` of each of them.
    pub connects: Vec<Span>,
    /// Source location of its whole declaration, if nothing else in the text mentions its name.
    pub alone: Option<Span>,
    /// Source location of the declaration's first words.
    pub span: Span,
}
