//! Connections between neighbours whose ends have two stated places.

use std::collections::BTreeMap;

use aiec_ir::blocks::{Block, BlockPlace};
use aiec_ir::design::Instance;

use super::{Adoption, at};
use crate::assumed::Notes;
use crate::description::{Owner, PortIndex, PortType, Subject};
use crate::wires::Wire;

impl Adoption<'_> {
    /// Leaves out the place of a producer's buffers whose only reader has them elsewhere in the
    /// same module, in another bank or at another address: there the two share their buffers.
    /// Places in two modules are those of two buffers, between which a DMA copies.
    ///
    /// No document says which place holds. A copy would take channels of the module's DMA, which a
    /// public graph with such places does not have (marcneu/vck190-caloclusternet-demo,
    /// a7b8f7b53eb4).
    pub(super) fn share(&mut self, wires: &[Wire], notes: &mut Notes) {
        let mut readers: BTreeMap<PortIndex, Vec<PortIndex>> = BTreeMap::new();
        for wire in wires {
            readers.entry(wire.from).or_default().push(wire.to);
        }
        for (&from, readers) in &readers {
            let &[to] = readers.as_slice() else { continue };
            let share = self.are_two_kernels(from, to) && !self.have_two_sizes(from, to);
            if !share || !self.differ_in_a_module(from, to) {
                continue;
            }
            let [own, others] = [from, to].map(|port| self.name(Subject::Port(port)));
            let Some(port) = self.port(from, self.ports.file) else { continue };
            let (places, rest): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.found.blocks.places).into_iter().partition(|one| is_of(one, &port));
            self.found.blocks.places = rest;
            for place in places {
                notes.leave_out(format!("the place of {own}, which are {others}"), place.span);
            }
        }
    }

    fn are_two_kernels(&self, from: PortIndex, to: PortIndex) -> bool {
        let owner = |port: PortIndex| self.description().ports[port.0 as usize].owner;
        matches!((owner(from), owner(to)), (Owner::Kernel(from), Owner::Kernel(to)) if from != to)
    }

    /// True if the blocks of the two ports have different sizes. Each then has buffers of its own.
    fn have_two_sizes(&self, from: PortIndex, to: PortIndex) -> bool {
        let bytes = |port: PortIndex| match self.description().ports[port.0 as usize].carries {
            PortType::Block { bytes, .. } => bytes,
            _ => None,
        };
        bytes(from).zip(bytes(to)).is_some_and(|(from, to)| from != to)
    }

    fn place_of(&self, port: PortIndex) -> Option<&BlockPlace<Instance, (Instance, u32)>> {
        let port = self.port(port, self.ports.file)?;
        self.found.blocks.places.iter().find(|one| is_of(one, &port))
    }

    fn differ_in_a_module(&self, from: PortIndex, to: PortIndex) -> bool {
        let Some((from, to)) = self.place_of(from).zip(self.place_of(to)) else { return false };
        let spots = || [0, 1].map(|number| (from.spot_of(number), to.spot_of(number)));
        let in_one = spots().iter().all(|(from, to)| from.module.is_none() || from.module == to.module);
        in_one && spots().iter().any(|(from, to)| from.differs(*to))
    }
}

fn is_of(place: &BlockPlace<Instance, (Instance, u32)>, port: &(Instance, u32)) -> bool {
    matches!(&place.block, Block::Buffers((of, number)) if (at(of), *number) == (at(&port.0), port.1))
}
