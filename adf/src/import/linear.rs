//! Numbers that grow with the variables of loops.

use aiec_dsl::ast::{BinaryOp, Expr, ExprKind};
use aiec_ir::design::position;

use super::tree::{binary, expr, name, number};

/// A number, and its factors of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    /// Its value where all variables are 0.
    pub constant: i64,
    /// What it gains with each variable, that of the outermost loop first.
    factors: Vec<i64>,
}

impl Linear {
    pub(super) const fn constant(value: i64) -> Self {
        Self { constant: value, factors: Vec::new() }
    }

    pub(super) const fn new(constant: i64, factors: Vec<i64>) -> Self {
        Self { constant, factors }
    }

    /// True for a number that no variable changes.
    pub(super) fn is_constant(&self) -> bool {
        self.factors.iter().all(|&factor| factor == 0)
    }

    /// The number within one more loop.
    pub(super) fn within(&self, factor: i64) -> Self {
        let factors = self.factors.iter().copied().chain([factor]).collect();
        Self { constant: self.constant, factors }
    }

    /// The sum with `value`. Returns None when it is too large.
    pub(super) fn plus(&self, value: i64) -> Option<Self> {
        Some(Self { constant: self.constant.checked_add(value)?, factors: self.factors.clone() })
    }

    /// Its shortest form, with these names of the variables.
    pub(super) fn written(&self, variables: &[String]) -> Expr {
        let terms = variables.iter().zip(&self.factors).filter(|(_, factor)| **factor != 0);
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for (variable, &factor) in terms {
            let size = i64::try_from(factor.unsigned_abs()).unwrap_or(i64::MAX);
            let product = match size {
                1 => name(variable),
                _ => binary(BinaryOp::Mul, number(size), name(variable)),
            };
            if factor > 0 { plus.push(product) } else { minus.push(product) }
        }
        let constant = self.constant;
        let mut parts = plus.into_iter();
        let Some(first) = parts.next() else { return falling(constant, minus) };
        let sum = parts.fold(first, |sum, part| binary(BinaryOp::Add, sum, part));
        let rest = minus.into_iter().fold(sum, |sum, part| binary(BinaryOp::Sub, sum, part));
        match constant {
            0 => rest,
            i64::MIN..0 => binary(BinaryOp::Sub, rest, number(constant.saturating_neg())),
            _ => binary(BinaryOp::Add, rest, number(constant)),
        }
    }
}

/// The steps with each index of an array of these extents, whose values are given row by row.
/// Returns None when they differ.
pub(super) fn even_steps(values: &[i64], dims: &[u32]) -> Option<Vec<i64>> {
    let first = *values.first()?;
    let mut stride = values.len();
    let mut steps = Vec::new();
    for &extent in dims {
        stride /= usize::try_from(extent).ok().filter(|&extent| extent > 0)?;
        let step = if extent > 1 { values.get(stride)?.checked_sub(first)? } else { 0 };
        steps.push(step);
    }
    let fits = |(index, &value): (u32, &i64)| {
        let gains = position(dims, index).into_iter().zip(&steps);
        let sum = gains.fold(i128::from(first), |sum, (at, &step)| sum + i128::from(at) * i128::from(step));
        sum == i128::from(value)
    };
    (0..).zip(values).all(fits).then_some(steps)
}

/// A number that no variable makes larger.
fn falling(constant: i64, minus: Vec<Expr>) -> Expr {
    let mut parts = minus.into_iter();
    let first = match (constant, parts.len()) {
        (0, 1..) => parts.next().map(|first| expr(ExprKind::Neg(Box::new(first)))),
        _ => None,
    };
    let first = first.unwrap_or_else(|| number(constant));
    parts.fold(first, |sum, part| binary(BinaryOp::Sub, sum, part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::print;
    use crate::import::tree::{ident, item};
    use aiec_dsl::ast::{Constant, ItemKind};

    #[test]
    fn sums_are_written_as_a_person_would() {
        let text = |constant: i64, factors: &[i64]| {
            let value = Linear::new(constant, factors.to_vec()).written(&["i".to_owned(), "j".to_owned()]);
            let item = item(ItemKind::Const { name: ident("N"), value: Constant::Number(value) });
            print(vec![item]).trim().trim_start_matches("const N = ").to_owned()
        };
        assert_eq!(text(3, &[0, 0]), "3");
        assert_eq!(text(3, &[4, 1]), "4 * i + j + 3");
        assert_eq!(text(-3, &[-1, 2]), "2 * j - i - 3");
        assert_eq!(text(15, &[0, -1]), "15 - j");
        assert_eq!(text(0, &[-2, -1]), "-(2 * i) - j");
        assert_eq!(text(0, &[0, 1]), "j");
    }
}
