//! Placement constraints on kernels and memory: `place`, `region`, `together`, `apart` and
//! `keepout`.
//!
//! Takes statements, returns constraints on instances. Only their number is bounded here. Later
//! stages, which know the device, check whether they can hold.

use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, At, Reference};
use aiec_ir::Design;
use aiec_ir::FamilyId;
use aiec_ir::blocks::{Block, BlockPlace, BlockSpot, BuffersApart, Within};
use aiec_ir::constraints::{Aligned, Area, Axis, Group, Keepout, Offset, Region};
use aiec_ir::design::{Family, Instance, Node, Place};

use crate::errors;
use crate::frames::Framed;
use crate::lower::Context;
use crate::names::Symbol;
use crate::selections::{Target, count, instances, last_name};

impl Context<'_> {
    /// Lowers a `place` of kernels, memory, inputs, outputs or instances. Reports its faults.
    pub fn place(&mut self, place: &ast::Place, span: Span) {
        if let At::Shim(shim) = &place.at {
            return self.shim_place(&place.reference, shim, span);
        }
        if let Some(port) = self.port_of(&place.reference) {
            return self.block_place(place, &port.value, span);
        }
        if let At::Memory(_) | At::Offsets(_) = &place.at {
            return self.report(errors::memory_of_other(
                place.reference.span,
                last_name(&place.reference),
                self.placed(&place.reference),
            ));
        }
        if self.names_instance(&place.reference) {
            return self.anchor(place, span);
        }
        if self.names_external(&place.reference) {
            let name = last_name(&place.reference);
            return self.report(errors::place_of_external(place.reference.span, name));
        }
        match &place.at {
            At::Tile(tile) => {
                let instance = self.one_kernel(&place.reference, "what is placed");
                if let (Some(instance), Some((column, row))) = (instance, self.pair(tile)) {
                    let place = Place { instance, column, row, span };
                    self.places.push(Framed { frame: self.at.subgraph, what: place });
                }
            }
            At::Kernel { of, offset } => self.relative(&place.reference, of, offset.as_ref(), span),
            At::Memory(_) | At::Offsets(_) | At::Shim(_) => {}
        }
    }

    /// `place REF.PORT at (column, row) bank B`: the buffers of one port, or a stack.
    fn block_place(&mut self, place: &ast::Place, port: &str, span: Span) {
        if let At::Kernel { .. } = &place.at {
            return self.report(errors::block_at_kernel(place.reference.span, port));
        }
        let blocks = self.blocks(&place.reference);
        let spots = self.spots(&place.at);
        let (Some(blocks), Some(spots)) = (blocks, spots) else { return };
        if self.count_named(blocks.len() as u64, span) {
            let place = |block| BlockPlace { block, spots: spots.clone(), beside: None, span };
            let frame = self.at.subgraph;
            let framed = blocks.into_iter().map(|block| Framed { frame, what: place(block) });
            self.block_places.extend(framed);
        }
    }

    /// The positions of memory that a `place` states: one for all blocks, or one for each.
    fn spots(&mut self, at: &At) -> Option<Vec<BlockSpot>> {
        match at {
            At::Tile(tile) => {
                let module = Some(self.pair(tile)?);
                Some(vec![BlockSpot { module, within: Within::Module }])
            }
            At::Offsets(offsets) => self.numbered(None, offsets, "an offset in bytes", Within::Offset),
            At::Memory(spots) => {
                let spots: Vec<_> = spots.iter().map(|spot| self.spot(spot)).collect();
                Some(spots.into_iter().collect::<Option<Vec<_>>>()?.concat())
            }
            At::Shim(_) | At::Kernel { .. } => None,
        }
    }

    fn spot(&mut self, spot: &ast::Spot) -> Option<Vec<BlockSpot>> {
        let module = Some(self.pair(&spot.tile)?);
        match &spot.within {
            ast::Within::Module => Some(vec![BlockSpot { module, within: Within::Module }]),
            ast::Within::Banks(banks) => self.numbered(module, banks, "the number of a bank", Within::Bank),
            ast::Within::Offsets(offsets) => {
                self.numbered(module, offsets, "an offset in bytes", Within::Offset)
            }
        }
    }

    /// One spot for each of the numbers.
    fn numbered(
        &mut self,
        module: Option<(i64, i64)>,
        numbers: &[ast::Expr],
        what: &str,
        within: fn(u32) -> Within,
    ) -> Option<Vec<BlockSpot>> {
        let numbers: Vec<Option<u32>> = numbers.iter().map(|number| self.number(number, what, 0)).collect();
        let spot = |number: Option<u32>| Some(BlockSpot { module, within: within(number?) });
        numbers.into_iter().map(spot).collect()
    }

    /// The buffers or stacks that a reference with a port names.
    fn blocks(&mut self, reference: &Reference) -> Option<Vec<Block<Instance, (Instance, u32)>>> {
        let targets = self.targets(reference)?;
        let blocks: Option<Vec<_>> = targets.iter().map(|target| self.blocks_at(target)).collect();
        Some(blocks?.concat())
    }

    /// `stack` is the stack of a kernel without a port of that name.
    fn blocks_at(&mut self, target: &Target<'_>) -> Option<Vec<Block<Instance, (Instance, u32)>>> {
        let port = target.port?;
        let id = match self.node(target, errors::KERNEL)? {
            Node::Family(id) => id,
            other => {
                let (name, kind) = (target.name, Symbol::Node(other).kind());
                self.report(errors::wrong_kind(name.span, &name.value, kind, errors::KERNEL));
                return None;
            }
        };
        let is_port = |family: &Family| family.ports.iter().any(|p| p.declared_name() == port.value);
        let is_stack = port.value == "stack" && !self.families.get(id).is_some_and(is_port);
        let ports = if is_stack { Vec::new() } else { self.ports_named(target, id)? };
        let shape = self.shape(target, Node::Family(id))?;
        let count = shape.count().saturating_mul(ports.len().max(1) as u64);
        if !self.count_named(count, target.span) {
            return None;
        }
        let block = |instance: Instance| {
            let stack = is_stack.then_some(Block::Stack(instance));
            let buffers = ports.iter().map(move |&port| Block::Buffers((instance, port)));
            stack.into_iter().chain(buffers).collect::<Vec<_>>()
        };
        Some(instances(&[shape], target.span).flat_map(block).collect())
    }

    /// `apart a.x, b.y`: buffers that share no bank.
    fn buffers_apart(&mut self, references: &[Reference], span: Span) {
        let (mut ports, mut is_whole) = (Vec::new(), true);
        for reference in references {
            let Some(port) = self.port_of(reference) else {
                return self.report(errors::kernel_among_buffers(reference.span, last_name(reference)));
            };
            let blocks = self.blocks(reference);
            is_whole &= blocks.is_some();
            for block in blocks.into_iter().flatten() {
                match block {
                    Block::Buffers(port) => ports.push(port),
                    Block::Stack(_) => return self.report(errors::stack_apart(port.span)),
                }
            }
        }
        if is_whole && self.count_pairs(ports.len(), "port", span) {
            self.blocks.apart.push(BuffersApart { ports, span });
        }
    }

    /// `place REF at REF + (columns, rows)`: one kernel by another, or as many by as many.
    fn relative(&mut self, placed: &Reference, of: &Reference, offset: Option<&ast::Distance>, span: Span) {
        let (shape, anchor) = (self.kernels(placed), self.kernels(of));
        let offset = offset.map_or(Some((Some(0), Some(0))), |offset| self.distance(offset));
        let (Some(shape), Some(anchor), Some(offset)) = (shape, anchor, offset) else { return };
        if count(&shape) != count(&anchor) {
            let (left, right) =
                (Spanned::new(count(&shape), placed.span), Spanned::new(count(&anchor), of.span));
            return self.report(errors::place_mismatch("kernel", left, right));
        }
        if !self.count_named(count(&shape), span) {
            return;
        }
        let pairs = instances(&shape, placed.span).zip(instances(&anchor, of.span));
        let along = |axis, distance| move |(kernel, from)| Aligned { kernel, from, axis, distance, span };
        match offset {
            (Some(columns), Some(rows)) => {
                let offset = |(kernel, from)| Offset { kernel, from, columns, rows, span };
                self.constraints.offsets.extend(pairs.map(offset));
            }
            (Some(columns), None) => self.constraints.aligned.extend(pairs.map(along(Axis::Column, columns))),
            (None, Some(rows)) => self.constraints.aligned.extend(pairs.map(along(Axis::Row, rows))),
            (None, None) => self.report(errors::no_distance(span)),
        }
    }

    /// Columns and rows of a distance. A number that is left open is None. Returns None when one
    /// has no value.
    pub fn distance(&mut self, offset: &ast::Distance) -> Option<(Option<i64>, Option<i64>)> {
        let mut number = |number: &Option<ast::Expr>| match number {
            Some(number) => self.value(number).map(Some),
            None => Some(None),
        };
        let (columns, rows) = (number(&offset.columns), number(&offset.rows));
        columns.zip(rows)
    }

    /// Lowers a `region`, whose tiles count from the instance around it.
    pub fn region(&mut self, region: &ast::Region, span: Span) {
        let kernels = self.region_kernels(&region.references, span);
        let areas: Vec<Option<Area>> = region.areas.iter().map(|area| self.area(area)).collect();
        if let (Some(kernels), Some(areas)) = (kernels, areas.into_iter().collect()) {
            let region = Region { kernels, areas, span };
            self.regions.push(Framed { frame: self.at.subgraph, what: region });
        }
    }

    /// Lowers a `together` of at least two kernels.
    pub fn together(&mut self, references: &[Reference], span: Span) {
        if let Some(group) = self.companions(references, span) {
            self.constraints.together.push(group);
        }
    }

    /// Lowers an `apart` of kernels or buffers, or an `apart ... by core`.
    pub fn apart(&mut self, apart: &ast::Apart, span: Span) {
        let references = &apart.references;
        if apart.by_core {
            let group = self.companions(references, span);
            return self.constraints.distinct.extend(group);
        }
        if references.iter().any(|reference| self.port_of(reference).is_some()) {
            return self.buffers_apart(references, span);
        }
        if let Some(group) = self.companions(references, span) {
            self.constraints.apart.push(group);
        }
    }

    /// Lowers a `keepout`, whose tiles count from the instance around it.
    pub fn keepout(&mut self, area: &ast::Area, span: Span) {
        if let Some(area) = self.area(area).filter(|_| self.count_named(1, span)) {
            self.keepouts.push(Framed { frame: self.at.subgraph, what: Keepout { area, span } });
        }
    }

    /// At least two kernels, within the limit on pairs.
    fn companions(&mut self, references: &[Reference], span: Span) -> Option<Group<Instance>> {
        let kernels = self.named_kernels(references, span)?;
        self.count_pairs(kernels.len(), "kernel", span).then_some(Group { kernels, span })
    }

    /// Counts the pairs of a group of `members`, each a `what`. Returns false and reports a
    /// diagnostic if there is none, or for the first pair above the limit.
    fn count_pairs(&mut self, members: usize, what: &str, span: Span) -> bool {
        if members < 2 {
            self.report(errors::lonely_group(what, span));
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

    /// The kernels of a `region`: those that references name, and all of instances of components.
    fn region_kernels(&mut self, references: &[Reference], span: Span) -> Option<Vec<Instance>> {
        let mut kernels = Vec::new();
        for reference in references {
            if !self.names_instance(reference) {
                kernels.extend(self.named_kernels(std::slice::from_ref(reference), span)?);
                continue;
            }
            let within = self.instances_of(reference)?;
            let families = self.families_within(&within);
            let sizes = families.iter().filter_map(|&id| Some((id, self.families.get(id)?.instances())));
            let sizes: Vec<(FamilyId, u32)> = sizes.collect();
            if !self.count_named(sizes.iter().map(|&(_, size)| u64::from(size)).sum(), span) {
                return None;
            }
            let all =
                |(family, size)| (0..size).map(move |index| Instance { family, index, span: reference.span });
            kernels.extend(sizes.into_iter().flat_map(all));
        }
        Some(kernels)
    }

    fn named_kernels(&mut self, references: &[Reference], span: Span) -> Option<Vec<Instance>> {
        let mut kernels = Vec::new();
        for reference in references {
            let shape = self.kernels(reference)?;
            if !self.count_named(count(&shape), span) {
                return None;
            }
            kernels.extend(instances(&shape, reference.span));
        }
        Some(kernels)
    }

    /// Counts the kernels that the design's constraints name. Returns false above the limit, which
    /// is reported once.
    pub fn count_named(&mut self, count: u64, span: Span) -> bool {
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

    /// The values of column and row. Returns None when one has a fault, which is reported.
    pub fn pair(&mut self, pair: &ast::Pair) -> Option<(i64, i64)> {
        let (column, row) = (self.value(&pair.column), self.value(&pair.row));
        column.zip(row)
    }
}
