//! Kernels in programmable logic (`fabric<pl>`). The array has their streams as inputs and outputs.
//!
//! Takes wires, and returns those with an end in the array, and the inputs and outputs that have
//! such a wire.

use std::collections::BTreeSet;

use crate::description::{Description, External, Owner, PortIndex};
use crate::wires::Wire;

/// The wires of the array, and its inputs and outputs.
pub(crate) struct Array {
    pub wires: Vec<Wire>,
    pub externals: Vec<External>,
}

/// The part of a graph in the array.
pub(crate) fn array(description: &Description, wires: Vec<Wire>) -> Array {
    let external = |port: PortIndex| match description.ports.get(port.0 as usize)?.owner {
        Owner::External(at) => description.externals.get(at.0 as usize),
        _ => None,
    };
    let is_outside = |wire: &Wire| {
        let ends = external(wire.from).zip(external(wire.to));
        ends.is_some_and(|(from, to)| from.is_of_logic || to.is_of_logic)
    };
    let ends = |wire: &Wire| [wire.from, wire.to];
    let (outside, inside): (Vec<Wire>, Vec<Wire>) = wires.into_iter().partition(is_outside);
    let outer: BTreeSet<PortIndex> = outside.iter().flat_map(ends).collect();
    let inner: BTreeSet<PortIndex> = inside.iter().flat_map(ends).collect();
    let is_kept = |external: &&External| {
        inner.contains(&external.port) || !(external.is_of_logic || outer.contains(&external.port))
    };
    let externals = description.externals.iter().filter(is_kept).cloned().collect();
    Array { wires: inside, externals }
}
