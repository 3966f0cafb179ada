//! Costs of blocks that share a bank. A bank serves one access per cycle; other accesses wait
//! (AM009, memory chapter; UG1076, memory stalls).

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_ir::blocks::Block;
use aiec_ir::{Direction, IdVec, KernelId, PortId};

use super::parts::BlockId;
use crate::layout::Fault;

/// Costs of pairs of blocks in one bank.
#[derive(Debug, Default)]
pub(super) struct Clashes {
    /// By the lower block, then the higher one.
    pairs: BTreeMap<(BlockId, BlockId), u64>,
}

/// The stack of the core of each kernel, and the buffers of each port that has its own.
pub(super) type Blocks = BTreeMap<Block<KernelId, PortId>, Vec<BlockId>>;

impl Clashes {
    /// The clashes of a design.
    pub(super) fn new(checked: &Checked, blocks: &Blocks) -> Self {
        let mut pairs: BTreeMap<(BlockId, BlockId), u64> = BTreeMap::new();
        let mut add = |some: &[BlockId], others: &[BlockId], cost: u64| {
            let all = some.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
            for (a, b) in all.filter(|(a, b)| a != b) {
                *pairs.entry((a.min(b), a.max(b))).or_default() += cost;
            }
        };
        let stored = |port: PortId| used(checked, blocks, Block::Buffers(port));
        for kernel in checked.kernels.ids() {
            let ports: Vec<PortId> = checked.ports_of(kernel).collect();
            for (at, &port) in ports.iter().enumerate() {
                add(used(checked, blocks, Block::Stack(kernel)), stored(port), Fault::Stack.cost());
                for &other in &ports[at + 1..] {
                    let cost = cost_of(checked.ports[port].direction, checked.ports[other].direction);
                    add(stored(port), stored(other), cost);
                }
            }
        }
        for (both, _) in checked.blocks.in_no_bank() {
            let [a, b] = both.map(|block| used(checked, blocks, block));
            add(a, b, Fault::Apart.cost());
        }
        for halves in blocks.values() {
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
    blocks: &Blocks,
    all: impl Iterator<Item = BlockId>,
) -> IdVec<BlockId, BlockId> {
    let mut first: IdVec<BlockId, BlockId> = all.collect();
    for both in &checked.blocks.one_bank {
        let [some, others] = both.blocks.map(|block| used(checked, blocks, block));
        for (&a, &b) in some.iter().zip(others) {
            let (from, to) = (first[a], first[b]);
            first = first.iter().map(|&one| if one == from { to } else { one }).collect();
        }
    }
    first
}

/// The blocks of a stack, or those that a port uses: its own, or its one consumer's.
fn used<'b>(checked: &Checked, blocks: &'b Blocks, block: Block<KernelId, PortId>) -> &'b [BlockId] {
    let of_consumer = |port: PortId| {
        let connection = &checked.connections[*checked.ports[port].connections.first()?];
        blocks.get(&Block::Buffers(connection.to)).filter(|_| connection.from == port)
    };
    let used = blocks.get(&block).or_else(|| match block {
        Block::Buffers(port) => of_consumer(port),
        Block::Stack(_) => None,
    });
    used.map_or(&[], Vec::as_slice)
}

const fn cost_of(a: Direction, b: Direction) -> u64 {
    match (a, b) {
        (Direction::In, Direction::In) => Fault::Inputs.cost(),
        (Direction::Out, Direction::Out) => 0,
        _ => Fault::Across.cost(),
    }
}
