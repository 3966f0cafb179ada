//! Loops that are legal and surely not meant.
//!
//! Takes the items of a file, and gives a warning for each loop between two written numbers that
//! never runs, and for each whose variable nothing in it mentions. The statements of a design state
//! facts, so a second time changes nothing.

use aiec_diag::{Diagnostic, Span};
use aiec_dsl::ast::{
    Area, At, ConnectEnd, ConnectProperty, Expr, ExprKind, FifoAt, For, Index, Item, ItemKind, Pair,
    Reference, Spot, Within,
};

use crate::errors;
use crate::eval::mentions;

/// The warnings about loops among these items and within them.
pub fn warnings(items: &[Item]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::For(body) => {
                found.extend(warning(body, item.span));
                found.extend(warnings(&body.body));
            }
            ItemKind::If(choice) => {
                let blocks = choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise);
                blocks.for_each(|block| found.extend(warnings(&block.items)));
            }
            ItemKind::Component(component) => found.extend(warnings(&component.body.items)),
            _ => {}
        }
    }
    found
}

/// `whole` is the place of the loop.
fn warning(body: &For, whole: Span) -> Option<Diagnostic> {
    let (from, to) = (written(&body.from), written(&body.to));
    if let Some((from, to)) = from.zip(to).filter(|(from, to)| from >= to) {
        return Some(errors::empty_loop(body.from.span.to(body.to.span), from, to, whole));
    }
    let name = body.variable.value.as_str();
    let is_used = expressions(&body.body).into_iter().any(|expr| mentions(expr, name));
    (!is_used && !body.body.is_empty()).then(|| errors::idle_variable(body.variable.span, name))
}

/// True if a statement uses the number called `name`.
pub fn uses(item: &Item, name: &str) -> bool {
    expressions(std::slice::from_ref(item)).into_iter().any(|expr| mentions(expr, name))
}

/// The number that an expression is, without any name in it.
fn written(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Neg(inner) => written(inner)?.checked_neg(),
        _ => None,
    }
}

/// All expressions of statements.
fn expressions(items: &[Item]) -> Vec<&Expr> {
    let mut found = Found::default();
    items.iter().for_each(|item| found.item(item));
    found.0
}

/// Expressions so far.
#[derive(Default)]
struct Found<'a>(Vec<&'a Expr>);

impl<'a> Found<'a> {
    fn item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Connect(connect) => {
                connect.from.iter().chain(&connect.to).for_each(|end| self.end(end));
                self.0.extend(&connect.first);
                connect.properties.iter().for_each(|property| self.property(&property.value));
            }
            ItemKind::Place(place) => {
                self.reference(&place.reference);
                self.at(&place.at);
            }
            ItemKind::Region(region) => {
                region.references.iter().for_each(|one| self.reference(one));
                region.areas.iter().for_each(|area| self.area(area));
            }
            ItemKind::Together(kernels) => kernels.iter().for_each(|one| self.reference(one)),
            ItemKind::Apart(apart) => apart.references.iter().for_each(|one| self.reference(one)),
            ItemKind::KeepOut(area) => self.area(area),
            ItemKind::For(body) => {
                self.0.extend([&body.from, &body.to]);
                body.body.iter().for_each(|item| self.item(item));
            }
            ItemKind::If(choice) => {
                self.0.extend(choice.branches.iter().map(|branch| &branch.condition));
                let blocks = choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise);
                blocks.flat_map(|block| &block.items).for_each(|item| self.item(item));
            }
            ItemKind::Assert(assertion) => self.0.push(&assertion.condition),
            // Declarations are never in a loop.
            _ => {}
        }
    }

    fn end(&mut self, end: &'a ConnectEnd) {
        self.reference(&end.reference);
        self.0.extend(&end.windows);
    }

    fn property(&mut self, property: &'a ConnectProperty) {
        let ConnectProperty::Fifo(fifo) = property else { return };
        self.0.push(&fifo.words);
        for place in &fifo.places {
            match &place.at {
                FifoAt::Memory(tile, number) | FifoAt::Switch(tile, number) => {
                    self.pair(tile);
                    self.0.push(number);
                }
                FifoAt::Shim(column, number) => self.0.extend([column, number]),
            }
        }
    }

    fn reference(&mut self, reference: &'a Reference) {
        for index in reference.parts.iter().flat_map(|part| &part.indices) {
            match index {
                Index::At(expr) => self.0.push(expr),
                Index::Range { from, to, step, .. } => self.0.extend([from, to, step].into_iter().flatten()),
            }
        }
    }

    fn at(&mut self, at: &'a At) {
        match at {
            At::Tile(tile) => self.pair(tile),
            At::Memory(spots) => spots.iter().for_each(|spot| self.spot(spot)),
            At::Offsets(offsets) => self.0.extend(offsets),
            At::Shim(shim) => self.0.extend([&shim.column].into_iter().chain(&shim.channel)),
            At::Kernel { of, offset } => {
                self.reference(of);
                let distances = offset.iter().flat_map(|offset| [&offset.columns, &offset.rows]);
                self.0.extend(distances.flatten());
            }
        }
    }

    fn spot(&mut self, spot: &'a Spot) {
        self.pair(&spot.tile);
        match &spot.within {
            Within::Module => {}
            Within::Banks(numbers) | Within::Offsets(numbers) => self.0.extend(numbers),
        }
    }

    fn area(&mut self, area: &'a Area) {
        self.pair(&area.from);
        area.to.iter().for_each(|to| self.pair(to));
    }

    fn pair(&mut self, pair: &'a Pair) {
        self.0.extend([&pair.column, &pair.row]);
    }
}
