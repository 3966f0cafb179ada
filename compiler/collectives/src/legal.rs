//! Which shapes an operation can take, whatever the device.

use super::{ElementType, Operator, Plan};

/// Why an operation cannot take a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The operation has no such shape.
    Unsupported,
    /// Only powers of two can be halved.
    NotAPowerOfTwo,
    /// Contributions are not combined in rank order, but the operator is not commutative.
    OutOfOrder,
    /// The cascade leads one way, so that the root is the last rank (AM009, cascade).
    RootNotLast,
    /// Packets are combined in the order in which they come, but that order changes the result.
    OrderOfArrival,
    /// Blocks of unknown sizes cannot be separated in a merged stream of packets.
    HeadedMerge,
    /// A stream has no windows, so none for headers.
    HeadedStream,
}

/// What is known of how contributions combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combining {
    /// Operands may change places.
    pub commutative: bool,
    /// Every order and every grouping gives the same bits, as with integers, and unlike with
    /// floats.
    pub exact: bool,
}

impl Combining {
    /// Any order will do, as where nothing is combined.
    pub const FREE: Self = Self { commutative: true, exact: true };

    /// How contributions of type `element` combine with `op`. Without an operator nothing is
    /// combined.
    pub fn of(op: Option<&Operator>, element: ElementType) -> Self {
        op.map_or(Self::FREE, |op| op.combining(element))
    }
}

/// Whether a plan computes what its operation says, with contributions that combine like this.
///
/// # Errors
/// The first reason why not.
pub fn legal(plan: &Plan, combining: Combining) -> Result<(), Illegal> {
    let row = plan.row();
    let algorithm = row.algorithm(plan.shape).ok_or(Illegal::Unsupported)?;
    if algorithm.power_of_two && !plan.size.is_power_of_two() {
        return Err(Illegal::NotAPowerOfTwo);
    }
    if plan.is_cascade() && plan.root.0 + 1 != plan.size {
        return Err(Illegal::RootNotLast);
    }
    if row.combines && !combining.commutative && !plan.keeps_rank_order() {
        return Err(Illegal::OutOfOrder);
    }
    if row.combines && !combining.exact && algorithm.as_packets_come {
        return Err(Illegal::OrderOfArrival);
    }
    if plan.headed && plan.is_merged() {
        return Err(Illegal::HeadedMerge);
    }
    if plan.headed && plan.is_opened() {
        return Err(Illegal::HeadedStream);
    }
    Ok(())
}
