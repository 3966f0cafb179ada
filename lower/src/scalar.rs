//! Values that may have digits behind the point: constants, arguments and initial values. All other
//! expressions are whole numbers.

use std::fmt;
use std::sync::Arc;

use aiec_dsl::ast::{Expr, ExprKind};
use aiec_ir::Decimal;

use crate::eval::{Fault, Lookup, Value, outside, value};

/// A number as an argument or a constant has it, or `-D` gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number.
    Whole(i64),
    /// A number that is written with a point or an exponent.
    Decimal(Decimal),
}

impl Scalar {
    /// The number, whole or not.
    pub fn decimal(self) -> Decimal {
        match self {
            Self::Whole(number) => Decimal::from(number),
            Self::Decimal(decimal) => decimal,
        }
    }
}

/// The value of `expr`: a decimal alone, with a sign, or by the name of a constant; or an
/// expression of whole numbers.
pub fn scalar(expr: &Expr, lookup: &impl Fn(&str) -> Lookup) -> Result<Scalar, Fault> {
    match &expr.kind {
        ExprKind::Decimal(text) => {
            let found = Decimal::parse(text).map(Scalar::Decimal);
            found.ok_or_else(|| Fault::Digits(text.clone(), expr.span))
        }
        ExprKind::Neg(inner) => match scalar(inner, lookup)? {
            Scalar::Decimal(positive) => Ok(Scalar::Decimal(positive.negated())),
            Scalar::Whole(_) => value(expr, lookup).map(Scalar::Whole),
        },
        ExprKind::Name(name) => match lookup(name) {
            Lookup::Decimal(found) => Ok(Scalar::Decimal(found)),
            _ => value(expr, lookup).map(Scalar::Whole),
        },
        ExprKind::Item(name, index) => match lookup(&name.value) {
            Lookup::Decimals(all) => {
                let at = value(index, lookup)?;
                let found = usize::try_from(at).ok().and_then(|at| all.get(at)).copied();
                found.map(Scalar::Decimal).ok_or_else(|| outside(name, index, at, all.len()))
            }
            _ => value(expr, lookup).map(Scalar::Whole),
        },
        _ => value(expr, lookup).map(Scalar::Whole),
    }
}

impl fmt::Display for Scalar {
    /// As the language writes it: a decimal has a point.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Decimal(decimal) => f.write_str(&decimal.with_point()),
        }
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Whole(number) => Self::Number(number),
            Scalar::Decimal(decimal) => Self::Decimal(decimal),
        }
    }
}

/// A table of these numbers: of decimals if one of them is written with a point.
pub fn table_of(numbers: &[Scalar]) -> Value {
    let whole = numbers.iter().map(|number| match number {
        Scalar::Whole(number) => Some(*number),
        Scalar::Decimal(_) => None,
    });
    match whole.collect::<Option<Arc<[i64]>>>() {
        Some(whole) => Value::Table(whole),
        None => Value::Decimals(numbers.iter().map(|number| number.decimal()).collect()),
    }
}
