//! Which shapes an operation can take, whatever the device.

use super::{Operation, Plan, Shape};

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
    /// Blocks of unknown sizes cannot be told apart in a merged stream of packets.
    HeadedMerge,
}

/// What is known of how contributions combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combining {
    /// Operands may change places.
    pub commutative: bool,
    /// Every order and every grouping gives the same bits, as with integers, and unlike with floats.
    pub exact: bool,
}

impl Combining {
    /// Any order will do, as where nothing is combined.
    pub const FREE: Self = Self { commutative: true, exact: true };
}

/// The kinds of shape an operation can take, by the words of the language; sendrecv has its own.
pub const fn shapes_of(operation: Operation) -> &'static [&'static str] {
    match operation {
        Operation::Reduce => &["tree", "binomial", "chain", "flat", "flat merge", "hub", "cascade"],
        Operation::Gather => &["tree", "binomial", "chain", "flat", "flat merge", "hub"],
        Operation::Broadcast | Operation::Scatter => &["tree", "binomial", "chain", "flat", "hub"],
        Operation::Allreduce => {
            &["tree", "binomial", "chain", "ring", "butterfly", "flat", "flat merge", "hub"]
        }
        Operation::Barrier => &["tree", "binomial", "chain", "flat", "flat merge", "hub", "dissemination"],
        Operation::Allgather => &["ring", "butterfly", "flat merge"],
        Operation::ReduceScatter => &["ring", "butterfly"],
        Operation::Alltoall => &["flat", "ring", "butterfly"],
        Operation::Scan => &["chain", "butterfly"],
        Operation::Sendrecv => &["direct"],
    }
}

/// The word of the language for a kind of shape.
const fn word(shape: Shape) -> &'static str {
    match shape {
        Shape::Tree(_) => "tree",
        Shape::Binomial => "binomial",
        Shape::Chain => "chain",
        Shape::Ring => "ring",
        Shape::Butterfly => "butterfly",
        Shape::Flat => "flat",
        Shape::Merge => "flat merge",
        Shape::Hub(_) => "hub",
        Shape::Dissemination => "dissemination",
        Shape::Cascade => "cascade",
        Shape::Direct => "direct",
    }
}

/// Whether a plan computes what its operation says, with contributions that combine like this.
///
/// # Errors
/// The first reason why not.
pub fn legal(plan: &Plan, combining: Combining) -> Result<(), Illegal> {
    if !shapes_of(plan.operation).contains(&word(plan.shape)) {
        return Err(Illegal::Unsupported);
    }
    if (plan.operation, plan.shape) == (Operation::ReduceScatter, Shape::Butterfly)
        && !plan.size.is_power_of_two()
    {
        return Err(Illegal::NotAPowerOfTwo);
    }
    if plan.is_cascade() && plan.root + 1 != plan.size {
        return Err(Illegal::RootNotLast);
    }
    if plan.operation.combines() && !combining.commutative && !plan.keeps_rank_order() {
        return Err(Illegal::OutOfOrder);
    }
    if plan.operation.combines() && !combining.exact && plan.is_merged() {
        return Err(Illegal::OrderOfArrival);
    }
    if plan.headed && plan.is_merged() {
        return Err(Illegal::HeadedMerge);
    }
    Ok(())
}
