//! The text of expressions, references and types.

use aiec_diag::Span;

use super::Printer;
use crate::ast::{BinaryOp, Bytes, Expr, ExprKind, Function, Index, Reference, Window};
use crate::tree::number_value;

impl Printer<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(value) => self.number(*value, expr.span),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Neg(inner) => match inner.kind {
                ExprKind::Binary(..) => format!("-({})", self.expr(inner)),
                _ => format!("-{}", self.expr(inner)),
            },
            ExprKind::Binary(op, left, right) => {
                let left = self.operand(left, |inner| inner < op.precedence());
                let right = self.operand(right, |inner| inner <= op.precedence());
                format!("{left} {} {right}", op.symbol())
            }
            ExprKind::Call(function, arguments) => {
                let name = match function {
                    Function::Min => "min",
                    Function::Max => "max",
                };
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{name}({})", arguments.join(", "))
            }
        }
    }

    /// An operand, in parentheses if it is a binary expression whose precedence needs them.
    fn operand(&self, expr: &Expr, parenthesize: impl Fn(u8) -> bool) -> String {
        let precedence = match &expr.kind {
            ExprKind::Binary(op, ..) => Some(BinaryOp::precedence(*op)),
            _ => None,
        };
        match precedence {
            Some(inner) if parenthesize(inner) => format!("({})", self.expr(expr)),
            _ => self.expr(expr),
        }
    }

    /// A number in its source spelling (hexadecimal, with separators), or in decimal if it has no
    /// source.
    fn number(&self, value: i64, span: Span) -> String {
        let written = self.text.get(span.start as usize..span.end as usize);
        match written.filter(|text| number_value(text) == Some(value)) {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        }
    }

    pub(super) fn dims(&self, dims: &[Expr]) -> String {
        dims.iter().map(|dim| format!("[{}]", self.expr(dim))).collect()
    }

    pub(super) fn window(&self, window: &Window) -> String {
        let unit = window.unit.as_ref().map_or_else(String::new, |unit| format!(" {}", unit.value.name()));
        format!("{}[{}{unit}]", window.element.value, self.expr(&window.size))
    }

    pub(super) fn bytes(&self, bytes: &Bytes) -> String {
        format!("{} {}", self.expr(&bytes.amount), bytes.unit.name())
    }

    pub(super) fn reference(&self, reference: &Reference) -> String {
        let mut text = reference.name.value.clone();
        for index in &reference.indices {
            text.push_str(&self.index(index));
        }
        if let Some(port) = &reference.port {
            text.push('.');
            text.push_str(&port.value);
        }
        if let Some(index) = &reference.port_index {
            text.push_str(&self.index(index));
        }
        text
    }

    fn index(&self, index: &Index) -> String {
        let side = |expr: &Option<Expr>| expr.as_ref().map_or_else(String::new, |expr| self.expr(expr));
        match index {
            Index::At(expr) => format!("[{}]", self.expr(expr)),
            Index::Range { from, to, .. } => format!("[{}..{}]", side(from), side(to)),
        }
    }
}
