//! Small pieces of a syntax tree that no text contains.

use aiec_diag::{SourceId, Span, Spanned};
use aiec_dsl::ast::{BinaryOp, Bytes, Expr, ExprKind, Ident, Index, Item, ItemKind, Part, Reference, Unit};
use aiec_ir::Decimal;

/// A source location in no text.
pub(super) const NOWHERE: Span = Span::new(SourceId(u32::MAX), 0, 0);

pub(super) const fn at<T>(value: T) -> Spanned<T> {
    Spanned::new(value, NOWHERE)
}

pub(super) fn ident(name: &str) -> Ident {
    at(name.to_owned())
}

pub(super) const fn item(kind: ItemKind) -> Item {
    Item { kind, span: NOWHERE }
}

pub(super) const fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

pub(super) fn number(value: i64) -> Expr {
    if value < 0 {
        let positive = value.checked_neg().unwrap_or(i64::MAX);
        return expr(ExprKind::Neg(Box::new(expr(ExprKind::Int(positive)))));
    }
    expr(ExprKind::Int(value))
}

/// A number that may have digits behind the point.
pub(super) fn decimal(value: Decimal) -> Expr {
    match value.whole() {
        Some(whole) => number(whole),
        None if value < Decimal::from(0) => {
            expr(ExprKind::Neg(Box::new(expr(ExprKind::Decimal(value.negated().with_point())))))
        }
        None => expr(ExprKind::Decimal(value.with_point())),
    }
}

pub(super) fn name(name: &str) -> Expr {
    expr(ExprKind::Name(name.to_owned()))
}

pub(super) fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

/// A size in bytes, in KiB where it is a whole number of them.
pub(super) fn bytes(size: u32) -> Bytes {
    let (amount, unit) =
        if size.is_multiple_of(1024) { (size / 1024, Unit::KiB) } else { (size, Unit::Byte) };
    Bytes { amount: number(amount.into()), unit, span: NOWHERE }
}

/// `name[indices].name[indices]`
pub(super) fn reference(parts: Vec<(&str, Vec<Index>)>) -> Reference {
    let parts = parts.into_iter().map(|(name, indices)| Part { name: ident(name), indices });
    Reference { parts: parts.collect(), span: NOWHERE }
}
