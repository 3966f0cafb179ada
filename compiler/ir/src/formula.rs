//! Integer formulas over the variables of a collective's contribution.

use std::fmt;

/// The value of element `i` of rank `rank` in call `call`, as an expression in which all other
/// names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A number.
    Int(i64),
    /// The rank within the group.
    Rank,
    /// The element's index within the rank's data.
    Element,
    /// The number of the call, from 0.
    Call,
    /// Negation.
    Neg(Box<Formula>),
    /// Addition.
    Add(Box<Formula>, Box<Formula>),
    /// Subtraction.
    Sub(Box<Formula>, Box<Formula>),
    /// Multiplication.
    Mul(Box<Formula>, Box<Formula>),
    /// Division, rounding towards zero.
    Div(Box<Formula>, Box<Formula>),
    /// Remainder with the sign of the left side.
    Rem(Box<Formula>, Box<Formula>),
    /// Shift to the left.
    Shl(Box<Formula>, Box<Formula>),
    /// Shift to the right, keeping the sign.
    Shr(Box<Formula>, Box<Formula>),
    /// The smaller of two.
    Min(Box<Formula>, Box<Formula>),
    /// The larger of two.
    Max(Box<Formula>, Box<Formula>),
}

/// A formula has no value: it overflows 64 bits or divides by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormulaError;

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the formula overflows 64 bits or divides by zero")
    }
}

impl Formula {
    /// The value for one rank, element and call.
    ///
    /// # Errors
    /// [`FormulaError`] on overflow, division by zero or a shift beyond 63 bits.
    pub fn eval(&self, rank: i64, element: i64, call: i64) -> Result<i64, FormulaError> {
        let value = |f: &Self| f.eval(rank, element, call);
        let binary = |a: &Self, b: &Self, op: fn(i64, i64) -> Option<i64>| -> Result<i64, FormulaError> {
            op(value(a)?, value(b)?).ok_or(FormulaError)
        };
        let shift = |bits: i64| u32::try_from(bits).ok().filter(|&bits| bits < 64);
        match self {
            Self::Int(n) => Ok(*n),
            Self::Rank => Ok(rank),
            Self::Element => Ok(element),
            Self::Call => Ok(call),
            Self::Neg(a) => value(a)?.checked_neg().ok_or(FormulaError),
            Self::Add(a, b) => binary(a, b, i64::checked_add),
            Self::Sub(a, b) => binary(a, b, i64::checked_sub),
            Self::Mul(a, b) => binary(a, b, i64::checked_mul),
            Self::Div(a, b) => binary(a, b, i64::checked_div),
            Self::Rem(a, b) => binary(a, b, i64::checked_rem),
            Self::Shl(a, b) => {
                let bits = shift(value(b)?).ok_or(FormulaError)?;
                i64::try_from(i128::from(value(a)?) << bits).map_err(|_| FormulaError)
            }
            Self::Shr(a, b) => Ok(value(a)? >> shift(value(b)?).ok_or(FormulaError)?),
            Self::Min(a, b) => Ok(value(a)?.min(value(b)?)),
            Self::Max(a, b) => Ok(value(a)?.max(value(b)?)),
        }
    }
}

/// The source form: every operation inside another one has parentheses.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binary = |f: &mut fmt::Formatter<'_>, a: &Self, op: &str, b: &Self| {
            write!(f, "{} {op} {}", Operand(a), Operand(b))
        };
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Rank => f.write_str("rank"),
            Self::Element => f.write_str("i"),
            Self::Call => f.write_str("call"),
            Self::Neg(a) => write!(f, "-{}", Operand(a)),
            Self::Add(a, b) => binary(f, a, "+", b),
            Self::Sub(a, b) => binary(f, a, "-", b),
            Self::Mul(a, b) => binary(f, a, "*", b),
            Self::Div(a, b) => binary(f, a, "/", b),
            Self::Rem(a, b) => binary(f, a, "%", b),
            Self::Shl(a, b) => binary(f, a, "<<", b),
            Self::Shr(a, b) => binary(f, a, ">>", b),
            Self::Min(a, b) => write!(f, "min({a}, {b})"),
            Self::Max(a, b) => write!(f, "max({a}, {b})"),
        }
    }
}

/// A formula as an operand of another one.
struct Operand<'a>(&'a Formula);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Formula::Int(0..) | Formula::Rank | Formula::Element | Formula::Call => write!(f, "{}", self.0),
            Formula::Min(..) | Formula::Max(..) => write!(f, "{}", self.0),
            _ => write!(f, "({})", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_printed_as_in_a_design() {
        let difference = Formula::Sub(Box::new(Formula::Element), Box::new(Formula::Int(-1)));
        let least = Formula::Min(Box::new(Formula::Call), Box::new(Formula::Int(2)));
        let formula = Formula::Mul(Box::new(difference), Box::new(least));
        assert_eq!(formula.to_string(), "(i - (-1)) * min(call, 2)");
    }

    #[test]
    fn a_formula_knows_rank_element_and_call() {
        let scaled = Formula::Mul(Box::new(Formula::Rank), Box::new(Formula::Int(100)));
        let formula = Formula::Add(Box::new(scaled), Box::new(Formula::Element));
        assert_eq!(formula.eval(3, 7, 0), Ok(307));
    }

    #[test]
    fn what_has_no_value_is_an_error() {
        let zero = Formula::Div(Box::new(Formula::Element), Box::new(Formula::Call));
        assert_eq!(zero.eval(0, 1, 0), Err(FormulaError));
        let shift = Formula::Shl(Box::new(Formula::Int(1)), Box::new(Formula::Int(63)));
        assert_eq!(shift.eval(0, 0, 0), Err(FormulaError));
    }
}
