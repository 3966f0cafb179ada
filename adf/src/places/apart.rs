//! What lies apart: as a statement says, or without one. Without one these are kernels of different
//! graph objects, and the buffers at the ends of a DMA that an access pattern asks for.

use aiec_diag::Span;
use aiec_ir::blocks::{Anchor, Block, BlockTie, BuffersApart, OneBank};
use aiec_ir::constraints::Group;
use aiec_ir::design::Instance;

use super::Adoption;
use crate::assumed::Notes;
use crate::description::{PortIndex, Subject};
use crate::strangers::strangers;
use crate::wires::Wire;

/// A kernel's core, or blocks in memory.
type End = Anchor<Instance, (Instance, u32)>;

impl Adoption<'_> {
    /// Both sides of a `not_equal`, or of what a file lets not be colocated (UG1079, "Node
    /// Constraints", "Port Constraints"). Kernels run on different tiles. A block and a kernel also
    /// are on different tiles. Two blocks lie in different banks.
    pub(super) fn apart(&mut self, a: End, b: End, span: Span) {
        let blocks = &mut self.found.blocks;
        match (a, b) {
            (Anchor::Core(a), Anchor::Core(b)) => {
                self.found.constraints.distinct.push(Group { kernels: vec![a, b], span });
            }
            (from @ Anchor::Core(_), Anchor::Block(block))
            | (Anchor::Block(block), from @ Anchor::Core(_)) => {
                blocks.ties.push(BlockTie { block, from, distance: None, span });
            }
            (Anchor::Block(Block::Buffers(a)), Anchor::Block(Block::Buffers(b))) => {
                blocks.apart.push(BuffersApart { ports: vec![a, b], span });
            }
            (Anchor::Block(a), Anchor::Block(b)) => blocks.no_bank.push(OneBank { blocks: [a, b], span }),
        }
    }

    /// Kernels of different graph objects share no core. Notes that beyond the limit on pairs.
    pub(super) fn strangers(&mut self, notes: &mut Notes) {
        let found = strangers(self.ports.description);
        for &(a, b, site) in &found.pairs {
            let span = self.span(site);
            let kernels: Vec<Instance> = [a, b].iter().filter_map(|&one| self.kernel(one, span)).collect();
            self.found.constraints.distinct.push(Group { kernels, span });
        }
        if let Some(site) = found.more {
            let what = "that kernels of different graph objects share no core: they are too many pairs";
            notes.leave_out(what.to_owned(), self.span(site));
        }
    }

    /// The buffers at both ends of a wire are apart where a DMA moves their elements in an order of
    /// their own: the tools put a DMA between them (UG1079, "Tiling Parameters Specification").
    /// Notes the order itself.
    pub(super) fn patterned(&mut self, wires: &[Wire], notes: &mut Notes) {
        let port = |at: PortIndex| &self.ports.description.ports[at.0 as usize];
        let mut apart = Vec::new();
        for wire in wires.iter().filter(|wire| [wire.from, wire.to].iter().any(|&at| port(at).is_patterned)) {
            let span = wire.span(self.ports.description, self.ports.file);
            if let [Some(from), Some(to)] = [wire.from, wire.to].map(|at| self.port(at, span)) {
                apart.push(BuffersApart { ports: vec![from, to], span });
            }
        }
        self.found.blocks.apart.extend(apart);
        for (at, patterned) in (0..).map(PortIndex).zip(&self.ports.description.ports) {
            if patterned.is_patterned {
                let name = self.name(Subject::Port(at));
                let what = format!(
                    "the order in which a DMA moves {name}: it counts as one buffer descriptor for each buffer"
                );
                notes.leave_out(what, self.span(patterned.sites.last()));
            }
        }
    }
}
