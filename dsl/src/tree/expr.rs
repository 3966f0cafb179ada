//! Expressions.

use aiec_diag::Span;

use super::{Builder, Node, Parts};
use crate::ast::{BinaryOp, Expr, ExprKind, Function};
use crate::errors;
use crate::grammar::Rule;

/// Most operators and further arguments in one expression, which bounds the depth of its tree.
const MAX_OPERATORS: usize = 256;

impl Builder<'_> {
    /// The next part, an expression that is not part of another one.
    pub(super) fn expr(&mut self, parts: &mut Parts<'_>) -> Option<Expr> {
        let node = parts.next(Rule::expr)?;
        self.whole_expr(node)
    }

    pub(super) fn whole_expr(&mut self, node: Node<'_>) -> Option<Expr> {
        self.operators = 0;
        let span = self.span(&node);
        let expr = self.inner_expr(node);
        if self.operators > MAX_OPERATORS {
            self.diagnostics.push(errors::expression_too_long(span, MAX_OPERATORS));
            return Some(Expr { kind: ExprKind::Int(0), span });
        }
        expr
    }

    /// Counts one more operator. Returns None when there are too many, which stops the expression.
    fn count_operator(&mut self) -> Option<()> {
        self.operators += 1;
        (self.operators <= MAX_OPERATORS).then_some(())
    }

    /// An `expr`: operands and operators, combined by precedence.
    fn inner_expr(&mut self, node: Node<'_>) -> Option<Expr> {
        let mut parts = Parts::of(node);
        let mut operands = vec![self.operand(parts.any()?)?];
        let mut operators: Vec<BinaryOp> = Vec::new();
        while let Some(operator) = parts.next(Rule::operator) {
            self.count_operator()?;
            let sign = self.span(&operator);
            let operator = operator_of(operator.as_str())?;
            while let Some(last) = operators.last().filter(|last| last.precedence() >= operator.precedence())
            {
                if last.is_comparison() && operator.is_comparison() {
                    self.diagnostics.push(errors::chained_comparison(sign));
                }
                combine(&mut operands, &mut operators)?;
            }
            operators.push(operator);
            operands.push(self.operand(parts.any()?)?);
        }
        while !operators.is_empty() {
            combine(&mut operands, &mut operators)?;
        }
        operands.pop()
    }

    fn operand(&mut self, node: Node<'_>) -> Option<Expr> {
        let whole = self.span(&node);
        let mut signs = Vec::new();
        let mut primary = None;
        for part in node.into_inner() {
            if matches!(part.as_rule(), Rule::minus | Rule::not) {
                self.count_operator()?;
                signs.push((part.as_rule(), self.span(&part)));
            } else {
                primary = Some(part);
            }
        }
        let mut expr = self.primary(primary?)?;
        for (rule, sign) in signs.into_iter().rev() {
            let inner = Box::new(expr);
            let kind = if rule == Rule::minus { ExprKind::Neg(inner) } else { ExprKind::Not(inner) };
            expr = Expr { kind, span: Span { start: sign.start, ..whole } };
        }
        Some(expr)
    }

    fn primary(&mut self, node: Node<'_>) -> Option<Expr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::decimal => ExprKind::Decimal(node.as_str().to_owned()),
            Rule::number => ExprKind::Int(self.number(&node)),
            Rule::name => ExprKind::Name(node.as_str().to_owned()),
            Rule::call => self.call(node)?,
            Rule::len => ExprKind::Len(self.ident(&mut Parts::of(node))?),
            Rule::item_of => self.item_of(node)?,
            Rule::paren => return self.parenthesized(node, span),
            rule => return self.unknown(rule, span),
        };
        Some(Expr { kind, span })
    }

    /// What stands in parentheses; its span includes them, but for numbers and names.
    fn parenthesized(&mut self, node: Node<'_>, span: Span) -> Option<Expr> {
        let inner = Parts::of(node).any()?;
        let expr = self.inner_expr(inner)?;
        match expr.kind {
            ExprKind::Int(_) | ExprKind::Decimal(_) | ExprKind::Name(_) => Some(expr),
            kind => Some(Expr { kind, span }),
        }
    }

    fn item_of(&mut self, node: Node<'_>) -> Option<ExprKind> {
        self.count_operator()?;
        let mut parts = Parts::of(node);
        let table = self.ident(&mut parts)?;
        let index = self.inner_expr(parts.next(Rule::expr)?)?;
        Some(ExprKind::Item(table, Box::new(index)))
    }

    fn call(&mut self, node: Node<'_>) -> Option<ExprKind> {
        let mut parts = Parts::of(node);
        let function = match parts.next(Rule::min_max)?.as_str() {
            "min" => Function::Min,
            _ => Function::Max,
        };
        let mut arguments = Vec::new();
        while let Some(argument) = parts.next(Rule::expr) {
            self.count_operator()?;
            arguments.push(self.inner_expr(argument)?);
        }
        Some(ExprKind::Call(function, arguments))
    }

    /// The value of a number, 0 with a diagnostic if it is too large.
    fn number(&mut self, node: &Node<'_>) -> i64 {
        number_value(node.as_str()).unwrap_or_else(|| {
            self.diagnostics.push(errors::number_too_large(self.span(node)));
            0
        })
    }
}

/// Replaces the last two operands and the last operator by their combination.
fn combine(operands: &mut Vec<Expr>, operators: &mut Vec<BinaryOp>) -> Option<()> {
    let (right, left) = (operands.pop()?, operands.pop()?);
    let span = left.span.to(right.span);
    let kind = ExprKind::Binary(operators.pop()?, Box::new(left), Box::new(right));
    operands.push(Expr { kind, span });
    Some(())
}

fn operator_of(text: &str) -> Option<BinaryOp> {
    BinaryOp::ALL.into_iter().find(|operator| operator.symbol() == text)
}

/// The value of a number as written, if it is one and fits.
pub fn number_value(text: &str) -> Option<i64> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}
