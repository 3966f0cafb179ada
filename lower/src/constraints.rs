//! Placement constraints: `place`, `region`, `together`, `apart` and `keepout`.
//!
//! Takes statements, returns constraints on instances. Only their number is bounded here. Later
//! stages, which know the device, check whether they can hold.

use aiec_diag::Span;
use aiec_dsl::ast::{self, At, Reference};
use aiec_ir::Design;
use aiec_ir::blocks::{Block, BlockPlace, BuffersApart};
use aiec_ir::constraints::{Area, Group, Keepout, Offset, Region};
use aiec_ir::design::{Family, Instance, Node, Place};

use crate::errors;
use crate::lower::Context;
use crate::names::Symbol;
use crate::selections::instances;

impl Context<'_> {
    /// Lowers a `place`.
    pub fn place(&mut self, place: &ast::Place, span: Span) {
        if let Some(port) = &place.reference.port {
            return self.block_place(place, port, span);
        }
        if let Some(bank) = place.banks.first() {
            return self.report(errors::bank_of_kernel(bank.span, &place.reference.name.value));
        }
        match &place.at {
            At::Tile(tile) => {
                let instance = self.one_kernel(&place.reference, "what is placed");
                if let (Some(instance), Some((column, row))) = (instance, self.pair(tile)) {
                    self.places.push(Place { instance, column, row, span });
                }
            }
            At::Kernel { of, offset } => self.relative(&place.reference, of, offset.as_ref(), span),
        }
    }

    /// `place REF.PORT at (column, row) bank B`: the buffers of one port, or a stack.
    fn block_place(&mut self, place: &ast::Place, port: &ast::Ident, span: Span) {
        let At::Tile(tile) = &place.at else {
            return self.report(errors::block_at_kernel(place.reference.span, &port.value));
        };
        let blocks = self.blocks(&place.reference, port);
        let position = self.pair(tile);
        let number = |this: &mut Self, bank| this.number(bank, "the number of a bank", 0);
        let banks: Vec<Option<u32>> = place.banks.iter().map(|bank| number(self, bank)).collect();
        let banks: Option<Vec<u32>> = banks.into_iter().collect();
        let (Some(blocks), Some((column, row)), Some(banks)) = (blocks, position, banks) else { return };
        if self.count_named(blocks.len() as u64, span) {
            let place = |block| BlockPlace { block, column, row, banks: banks.clone(), span };
            self.blocks.places.extend(blocks.into_iter().map(place));
        }
    }

    /// The buffers or stacks that a reference with a port names. `stack` is the stack of a kernel
    /// without a port of that name.
    fn blocks(
        &mut self,
        reference: &Reference,
        port: &ast::Ident,
    ) -> Option<Vec<Block<Instance, (Instance, u32)>>> {
        let id = match self.node(reference, "a kernel")? {
            Node::Family(id) => id,
            other => {
                let (name, kind) = (&reference.name, Symbol::Node(other).kind());
                self.report(errors::wrong_kind(name.span, &name.value, kind, "a kernel"));
                return None;
            }
        };
        let is_port = |family: &Family| family.ports.iter().any(|p| p.declared_name() == port.value);
        let is_stack = port.value == "stack" && !self.families.get(id).is_some_and(is_port);
        let ports = if is_stack { Vec::new() } else { self.ports_named(reference, port, id)? };
        let shape = self.shape(reference, Node::Family(id))?;
        let count = shape.count().saturating_mul(ports.len().max(1) as u64);
        if !self.count_named(count, reference.span) {
            return None;
        }
        let block = |instance: Instance| {
            let stack = is_stack.then_some(Block::Stack(instance));
            let buffers = ports.iter().map(move |&port| Block::Buffers((instance, port)));
            stack.into_iter().chain(buffers).collect::<Vec<_>>()
        };
        Some(instances(&shape, reference.span).flat_map(block).collect())
    }

    /// `apart a.x, b.y`: buffers that share no bank.
    fn buffers_apart(&mut self, references: &[Reference], span: Span) {
        let mut ports = Vec::new();
        for reference in references {
            let Some(port) = &reference.port else {
                return self.report(errors::kernel_among_buffers(reference.span, &reference.name.value));
            };
            for block in self.blocks(reference, port).into_iter().flatten() {
                match block {
                    Block::Buffers(port) => ports.push(port),
                    Block::Stack(_) => return self.report(errors::stack_apart(port.span)),
                }
            }
        }
        if self.count_pairs(ports.len(), span) {
            self.blocks.apart.push(BuffersApart { ports, span });
        }
    }

    /// `place REF at REF + (columns, rows)`: one kernel by another, or as many by as many.
    fn relative(&mut self, placed: &Reference, of: &Reference, offset: Option<&ast::Pair>, span: Span) {
        let (shape, anchor) = (self.kernels(placed), self.kernels(of));
        let offset = offset.map_or(Some((0, 0)), |offset| self.pair(offset));
        let (Some(shape), Some(anchor), Some((columns, rows))) = (shape, anchor, offset) else { return };
        if shape.count() != anchor.count() {
            let (left, right) = ((placed.span, shape.count()), (of.span, anchor.count()));
            return self.report(errors::place_mismatch(left, right));
        }
        if !self.count_named(shape.count(), span) {
            return;
        }
        let pairs = instances(&shape, placed.span).zip(instances(&anchor, of.span));
        let offsets = pairs.map(|(kernel, from)| Offset { kernel, from, columns, rows, span });
        self.constraints.offsets.extend(offsets);
    }

    /// Lowers a `region`.
    pub fn region(&mut self, region: &ast::Region, span: Span) {
        let kernels = self.named_kernels(&region.references, span);
        if let (Some(kernels), Some(area)) = (kernels, self.area(&region.area)) {
            self.constraints.regions.push(Region { kernels, area, span });
        }
    }

    /// Lowers a `together`.
    pub fn together(&mut self, references: &[Reference], span: Span) {
        if let Some(group) = self.companions(references, span) {
            self.constraints.together.push(group);
        }
    }

    /// Lowers an `apart`.
    pub fn apart(&mut self, references: &[Reference], span: Span) {
        if references.iter().any(|reference| reference.port.is_some()) {
            return self.buffers_apart(references, span);
        }
        if let Some(group) = self.companions(references, span) {
            self.constraints.apart.push(group);
        }
    }

    /// Lowers a `keepout`.
    pub fn keepout(&mut self, area: &ast::Area, span: Span) {
        if let Some(area) = self.area(area).filter(|_| self.count_named(1, span)) {
            self.constraints.keepouts.push(Keepout { area, span });
        }
    }

    /// At least two kernels, within the limit on pairs.
    fn companions(&mut self, references: &[Reference], span: Span) -> Option<Group<Instance>> {
        let kernels = self.named_kernels(references, span)?;
        self.count_pairs(kernels.len(), span).then_some(Group { kernels, span })
    }

    /// Counts the pairs of a group of `members`. Returns false and reports a diagnostic if there is
    /// none, or for the first pair above the limit.
    fn count_pairs(&mut self, members: usize, span: Span) -> bool {
        if members < 2 {
            self.report(errors::lonely_group(span));
            return false;
        }
        let count = members as u64;
        self.pairs = self.pairs.saturating_add(count.saturating_mul(count - 1) / 2);
        let fits = self.pairs <= Design::MAX_PAIRS;
        if !fits {
            self.report(errors::too_many_pairs(span, Design::MAX_PAIRS));
            self.stopped = true;
        }
        fits
    }

    fn named_kernels(&mut self, references: &[Reference], span: Span) -> Option<Vec<Instance>> {
        let mut kernels = Vec::new();
        for reference in references {
            let shape = self.kernels(reference)?;
            if !self.count_named(shape.count(), span) {
                return None;
            }
            kernels.extend(instances(&shape, reference.span));
        }
        Some(kernels)
    }

    /// Counts the kernels that the design's constraints name. Returns false above the limit, which
    /// is reported once.
    fn count_named(&mut self, count: u64, span: Span) -> bool {
        self.named = self.named.saturating_add(count);
        if self.named <= Design::MAX_CONNECTIONS {
            return true;
        }
        if !self.stopped {
            self.report(errors::too_many_constraints(span, Design::MAX_CONNECTIONS));
        }
        self.stopped = true;
        false
    }

    fn area(&mut self, area: &ast::Area) -> Option<Area> {
        let from = self.pair(&area.from);
        let to = area.to.as_ref().map_or(from, |to| self.pair(to));
        Some(Area::between(from?, to?))
    }

    fn pair(&mut self, pair: &ast::Pair) -> Option<(i64, i64)> {
        let (column, row) = (self.value(&pair.column), self.value(&pair.row));
        column.zip(row)
    }
}
