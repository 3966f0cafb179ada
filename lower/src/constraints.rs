//! Placement constraints: `place`, `region`, `together`, `apart` and `keepout`.
//!
//! Takes statements, returns constraints on instances. Only their number is bounded here. Later
//! stages, which know the device, check whether they can hold.

use aiec_diag::Span;
use aiec_dsl::ast::{self, At, Reference};
use aiec_ir::Design;
use aiec_ir::constraints::{Area, Group, Keepout, Offset, Region};
use aiec_ir::design::{Instance, Place};

use crate::errors;
use crate::frames::Framed;
use crate::lower::Context;
use crate::selections::{count, instances};

impl Context<'_> {
    /// Lowers a `place`.
    pub fn place(&mut self, place: &ast::Place, span: Span) {
        if self.names_instance(&place.reference) {
            return self.anchor(place, span);
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
        }
    }

    /// `place REF at REF + (columns, rows)`: one kernel by another, or as many by as many.
    fn relative(&mut self, placed: &Reference, of: &Reference, offset: Option<&ast::Pair>, span: Span) {
        let (shape, anchor) = (self.kernels(placed), self.kernels(of));
        let offset = offset.map_or(Some((0, 0)), |offset| self.pair(offset));
        let (Some(shape), Some(anchor), Some((columns, rows))) = (shape, anchor, offset) else { return };
        if count(&shape) != count(&anchor) {
            let (left, right) = ((placed.span, count(&shape)), (of.span, count(&anchor)));
            return self.report(errors::place_mismatch(left, right));
        }
        if !self.count_named(count(&shape), span) {
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
            let region = Region { kernels, area, span };
            self.regions.push(Framed { frame: self.at.subgraph, what: region });
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
        if let Some(group) = self.companions(references, span) {
            self.constraints.apart.push(group);
        }
    }

    /// Lowers a `keepout`.
    pub fn keepout(&mut self, area: &ast::Area, span: Span) {
        if let Some(area) = self.area(area).filter(|_| self.count_named(1, span)) {
            self.keepouts.push(Framed { frame: self.at.subgraph, what: Keepout { area, span } });
        }
    }

    /// At least two kernels, within the limit on pairs.
    fn companions(&mut self, references: &[Reference], span: Span) -> Option<Group<Instance>> {
        let kernels = self.named_kernels(references, span)?;
        if kernels.len() < 2 {
            self.report(errors::lonely_group(span));
            return None;
        }
        let count = kernels.len() as u64;
        self.pairs = self.pairs.saturating_add(count.saturating_mul(count - 1) / 2);
        if self.pairs > Design::MAX_PAIRS {
            self.report(errors::too_many_pairs(span, Design::MAX_PAIRS));
            self.stopped = true;
            return None;
        }
        Some(Group { kernels, span })
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

    pub fn pair(&mut self, pair: &ast::Pair) -> Option<(i64, i64)> {
        let (column, row) = (self.value(&pair.column), self.value(&pair.row));
        column.zip(row)
    }
}
