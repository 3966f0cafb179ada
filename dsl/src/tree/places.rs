//! What places kernels, memory, inputs, outputs and FIFOs.

use super::{Builder, Node, Parts, TilePair, has};
use crate::ast::{
    Apart, Area, At, Distance, Expr, Fifo, FifoAt, FifoPlace, Place, Region, Shim, Spot, Within,
};
use crate::grammar::Rule;

impl Builder<'_> {
    pub(super) fn place(&mut self, mut parts: Parts<'_>) -> Option<Place> {
        let reference = self.reference(parts.next(Rule::selection)?)?;
        Some(Place { reference, at: self.at(&mut parts)? })
    }

    fn at(&mut self, parts: &mut Parts<'_>) -> Option<At> {
        if let Some(offsets) = parts.next(Rule::offset) {
            return Some(At::Offsets(self.expressions(offsets)?));
        }
        if let Some(shim) = parts.next(Rule::shim) {
            return Some(At::Shim(self.shim(Parts::of(shim))?));
        }
        if let Some(anchor) = parts.next(Rule::anchor) {
            let mut anchor = Parts::of(anchor);
            let of = self.reference(anchor.next(Rule::selection)?)?;
            let offset = anchor.next(Rule::distance).map(|node| self.distance(node));
            return Some(At::Kernel { of, offset });
        }
        let mut spots = Vec::new();
        while let Some(spot) = parts.next(Rule::spot) {
            spots.push(self.spot(Parts::of(spot))?);
        }
        match spots.as_slice() {
            [Spot { tile, within: Within::Module }] => Some(At::Tile(tile.clone())),
            [] => None,
            _ => Some(At::Memory(spots)),
        }
    }

    fn spot(&mut self, mut parts: Parts<'_>) -> Option<Spot> {
        let tile = self.pair(&mut parts)?;
        let within = if let Some(banks) = parts.next(Rule::bank) {
            Within::Banks(self.expressions(banks)?)
        } else if let Some(offsets) = parts.next(Rule::offset) {
            Within::Offsets(self.expressions(offsets)?)
        } else {
            Within::Module
        };
        Some(Spot { tile, within })
    }

    fn shim(&mut self, mut parts: Parts<'_>) -> Option<Shim> {
        let column = self.expr(&mut parts)?;
        Some(Shim { column, channel: self.expr_in(parts.next(Rule::channel)) })
    }

    /// `(columns, rows)`: the two numbers in order, where a `*` stands for none.
    fn distance(&mut self, node: Node<'_>) -> Distance {
        let is_number = |part: &Node<'_>| matches!(part.as_rule(), Rule::expr | Rule::sym_star);
        let mut numbers = node.into_inner().filter(is_number);
        let mut next = || {
            let part = numbers.next().filter(|part| part.as_rule() == Rule::expr)?;
            self.whole_expr(part)
        };
        Distance { columns: next(), rows: next() }
    }

    /// All expressions of a list such as `bank 0, 1`.
    fn expressions(&mut self, list: Node<'_>) -> Option<Vec<Expr>> {
        let (mut list, mut all) = (Parts::of(list), Vec::new());
        while let Some(one) = list.next(Rule::expr) {
            all.push(self.whole_expr(one)?);
        }
        Some(all)
    }

    /// The next part, if it is a `(column, row)`.
    pub(super) fn pair(&mut self, parts: &mut Parts<'_>) -> Option<TilePair> {
        let mut parts = Parts::of(parts.next(Rule::tile)?);
        Some(TilePair { column: self.expr(&mut parts)?, row: self.expr(&mut parts)? })
    }

    pub(super) fn area(&mut self, parts: &mut Parts<'_>) -> Option<Area> {
        let mut parts = Parts::of(parts.next(Rule::area)?);
        Some(Area { from: self.pair(&mut parts)?, to: self.pair(&mut parts) })
    }

    pub(super) fn region(&mut self, mut parts: Parts<'_>) -> Option<Region> {
        let references = self.references(&mut parts)?;
        let mut areas = Vec::new();
        while let Some(area) = self.area(&mut parts) {
            areas.push(area);
        }
        Some(Region { references, areas })
    }

    pub(super) fn apart(&mut self, node: &Node<'_>, mut parts: Parts<'_>) -> Option<Apart> {
        let by_core = has(node, Rule::by);
        Some(Apart { references: self.references(&mut parts)?, by_core })
    }

    pub(super) fn fifo(&mut self, mut parts: Parts<'_>) -> Option<Fifo> {
        let words = self.expr(&mut parts)?;
        let mut places = Vec::new();
        while let Some(place) = parts.next(Rule::fifo_place) {
            places.push(self.fifo_place(place)?);
        }
        Some(Fifo { words, places })
    }

    fn fifo_place(&mut self, node: Node<'_>) -> Option<FifoPlace> {
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        if let Some(tile) = self.pair(&mut parts) {
            let offset = self.expr_in(parts.next(Rule::byte_offset))?;
            return Some(FifoPlace { at: FifoAt::Memory(tile, offset), span });
        }
        if let Some(switch) = parts.next(Rule::in_switch) {
            let tile = self.pair(&mut Parts::of(switch))?;
            let number = self.expr_in(parts.next(Rule::number_of))?;
            return Some(FifoPlace { at: FifoAt::Switch(tile, number), span });
        }
        let column = self.expr(&mut parts)?;
        let number = self.expr_in(parts.next(Rule::number_of))?;
        Some(FifoPlace { at: FifoAt::Shim(column, number), span })
    }

    /// The expression of a part such as `channel 2`, if that is there.
    fn expr_in(&mut self, part: Option<Node<'_>>) -> Option<Expr> {
        part.and_then(|part| self.expr(&mut Parts::of(part)))
    }
}
