//! Places in the interface row, and places of FIFOs.

use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, FifoAt, Reference};
use aiec_dsl::print_reference;
use aiec_ir::ExternalFamilyId;
use aiec_ir::constraints::ShimPlace;
use aiec_ir::design::{Endpoint, FarEnd, Node};
use aiec_ir::fifos::{FifoKind, FifoPlace, words_of_part};

use crate::errors::{self, Placed};
use crate::frames::Framed;
use crate::lower::Context;
use crate::names::Symbol;
use crate::wires::Fifo;

impl Context<'_> {
    /// `place REF at shim COLUMN channel CHANNEL`
    pub fn shim_place(&mut self, reference: &Reference, shim: &ast::Shim, span: Span) {
        if let Some(placed) = self.without_column(reference) {
            let of_kernel = reference.parts.len() - usize::from(self.port_of(reference).is_some());
            let parts = reference.parts.iter().take(of_kernel).cloned().collect();
            let name = print_reference(&Reference { parts, span: reference.span });
            let in_component = self.at.subgraph.is_some();
            return self.report(errors::shim_of_other(reference.span, &name, placed, in_component));
        }
        let externals = self.externals_of(reference);
        let column = self.value(&shim.column);
        let channel = match &shim.channel {
            Some(channel) => self.number(channel, "the number of a channel", 0).map(Some),
            None => Some(None),
        };
        let (Some(externals), Some(column), Some(channel)) = (externals, column, channel) else { return };
        if !self.count_named(externals.len() as u64, span) {
            return;
        }
        for external in externals {
            let end = self.externals.get(external.0).map(|family| &family.end);
            match (end, &shim.channel) {
                (Some(FarEnd::Host(_)), _) => {
                    let diagnostic = errors::shim_of_parameter(reference.span);
                    return self.report(diagnostic);
                }
                (Some(FarEnd::Array(Endpoint::Gmio { .. })), Some(channel)) => {
                    let diagnostic = errors::channel_of_gmio(channel.span);
                    return self.report(diagnostic);
                }
                _ => {}
            }
            let what = ShimPlace::at(external, column, channel, span);
            self.shim_places.push(Framed { frame: self.at.subgraph, what });
        }
    }

    /// What a reference names that is no input or output. None when it may be one, or when nothing
    /// in the design has the name. A component has none at all.
    fn without_column(&self, reference: &Reference) -> Option<Placed> {
        let placed = self.placed(reference);
        match placed {
            Placed::Kernel if self.is_kernel_within(reference) => Some(placed),
            Placed::Kernel if self.at.subgraph.is_some() => Some(Placed::PortOfInstance),
            Placed::Instance | Placed::PortOfInstance => Some(placed),
            Placed::Kernel | Placed::External => None,
        }
    }

    /// The inputs and outputs that a reference names.
    fn externals_of(&mut self, reference: &Reference) -> Option<Vec<(ExternalFamilyId, u32)>> {
        let mut all = Vec::new();
        for target in self.targets(reference)? {
            let node = self.node(&target, errors::EXTERNAL)?;
            let Node::External(id) = node else {
                let (name, kind) = (target.name, Symbol::Node(node).kind());
                self.report(errors::wrong_kind(name.span, &name.value, kind, errors::EXTERNAL));
                return None;
            };
            if let Some(port) = target.port {
                self.report(errors::no_port_here(port.span, &target.name.value, Symbol::Node(node).kind()));
                return None;
            }
            all.extend(self.shape(&target, node)?.instances().into_iter().map(|index| (id, index)));
        }
        Some(all)
    }

    /// `fifo WORDS at PLACE, PLACE`. The places in memory share the words.
    pub fn fifo(&mut self, property: &Spanned<&ast::Fifo>) -> Option<Fifo> {
        let (written, span) = (property.value, property.span);
        let depth = self.number(&written.words, "the depth of a FIFO in words", 1)?;
        let in_memory = written.places.iter().filter(|place| matches!(place.at, FifoAt::Memory(..)));
        let words = words_of_part(depth, u32::try_from(in_memory.count()).unwrap_or(u32::MAX));
        let places: Vec<_> = written.places.iter().map(|place| self.fifo_place(place, words)).collect();
        let places = places.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Fifo { words: Spanned::new(depth, written.words.span), places, span, frame: self.at.subgraph })
    }

    fn fifo_place(&mut self, place: &ast::FifoPlace, words: u32) -> Option<FifoPlace> {
        let (what, span) = ("the number of a FIFO", place.span);
        Some(match &place.at {
            FifoAt::Memory(tile, offset) => {
                let (column, row) = self.pair(tile)?;
                let offset = self.number(offset, "an offset in bytes", 0)?;
                FifoPlace { column, row: Some(row), kind: FifoKind::Dma { offset, words }, span }
            }
            FifoAt::Switch(tile, number) => {
                let (column, row) = self.pair(tile)?;
                let number = self.number(number, what, 0)?;
                FifoPlace { column, row: Some(row), kind: FifoKind::Switch { number }, span }
            }
            FifoAt::Shim(column, number) => {
                let column = self.value(column)?;
                let number = self.number(number, what, 0)?;
                FifoPlace { column, row: None, kind: FifoKind::Switch { number }, span }
            }
        })
    }
}
