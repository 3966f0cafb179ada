//! Costs of blocks that share a bank. A bank serves one access per cycle; other accesses wait
//! (AM009, memory chapter; UG1076, memory stalls).

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_ir::blocks::Block;
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, IdVec, KernelId, PortId};

use super::parts::BlockId;
use crate::layout::Fault;

/// Costs of pairs of blocks in one bank.
#[derive(Debug, Default)]
pub(super) struct Clashes {
    /// By the lower block, then the higher one.
    pairs: BTreeMap<(BlockId, BlockId), u64>,
}

impl Clashes {
    /// The clashes of a design, by the blocks of each port, and the stack of each kernel.
    pub(super) fn new(
        checked: &Checked,
        of_port: &BTreeMap<PortId, Vec<BlockId>>,
        stack_of: &dyn Fn(KernelId) -> Option<BlockId>,
    ) -> Self {
        let mut pairs: BTreeMap<(BlockId, BlockId), u64> = BTreeMap::new();
        let mut add = |some: &[BlockId], others: &[BlockId], cost: u64| {
            let all = some.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
            for (a, b) in all.filter(|(a, b)| a != b) {
                *pairs.entry((a.min(b), a.max(b))).or_default() += cost;
            }
        };
        let stored =
            |port: PortId| of_port.get(&stored_at(checked, port, of_port)).map_or(&[][..], Vec::as_slice);
        for kernel in checked.kernels.ids() {
            let ports: Vec<PortId> = checked.ports_of(kernel).collect();
            for (at, &port) in ports.iter().enumerate() {
                let blocks = stored(port);
                add(stack_of(kernel).as_slice(), blocks, Fault::Stack.cost());
                for &other in &ports[at + 1..] {
                    let cost = cost_of(checked.ports[port].direction, checked.ports[other].direction);
                    add(blocks, stored(other), cost);
                }
            }
        }
        for (both, _) in checked.blocks.in_no_bank() {
            let [a, b] = both.map(|block| blocks_of(checked, of_port, stack_of, block));
            add(&a, &b, Fault::Apart.cost());
        }
        for halves in of_port.values() {
            for (at, &ping) in halves.iter().enumerate() {
                add(&[ping], &halves[at + 1..], Fault::Halves.cost());
            }
        }
        Self { pairs }
    }

    /// Cost of two blocks in one bank.
    pub(super) fn between(&self, a: BlockId, b: BlockId) -> u64 {
        self.pairs.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
    }
}

/// Representative of each block's bank group: blocks joined by `one_bank` map to one block.
pub(super) fn one_bank(
    checked: &Checked,
    of_port: &BTreeMap<PortId, Vec<BlockId>>,
    stack_of: &dyn Fn(KernelId) -> Option<BlockId>,
    blocks: impl Iterator<Item = BlockId>,
) -> IdVec<BlockId, BlockId> {
    let mut first: IdVec<BlockId, BlockId> = blocks.collect();
    for both in &checked.blocks.one_bank {
        let [some, others] = both.blocks.map(|block| blocks_of(checked, of_port, stack_of, block));
        for (a, b) in some.into_iter().zip(others) {
            let (from, to) = (first[a], first[b]);
            first = first.iter().map(|&one| if one == from { to } else { one }).collect();
        }
    }
    first
}

/// The parts of a stack, or of the buffers of a port.
fn blocks_of(
    checked: &Checked,
    of_port: &BTreeMap<PortId, Vec<BlockId>>,
    stack_of: &dyn Fn(KernelId) -> Option<BlockId>,
    block: Block<KernelId, PortId>,
) -> Vec<BlockId> {
    match block {
        Block::Stack(kernel) => stack_of(kernel).into_iter().collect(),
        Block::Buffers(port) => of_port.get(&stored_at(checked, port, of_port)).cloned().unwrap_or_default(),
    }
}

/// The port whose buffers `port` uses: its own, or its one consumer's.
fn stored_at(checked: &Checked, port: PortId, of_port: &BTreeMap<PortId, Vec<BlockId>>) -> PortId {
    if of_port.contains_key(&port) {
        return port;
    }
    let connection = checked.ports[port].connections.first().map(|&id| &checked.connections[id]);
    let consumer = connection.filter(|c| c.from == port).map(|c| c.to);
    consumer.filter(|&to| matches!(checked.ports[to].owner, Owner::Kernel(_))).unwrap_or(port)
}

const fn cost_of(a: Direction, b: Direction) -> u64 {
    match (a, b) {
        (Direction::In, Direction::In) => Fault::Inputs.cost(),
        (Direction::Out, Direction::Out) => 0,
        _ => Fault::Across.cost(),
    }
}
