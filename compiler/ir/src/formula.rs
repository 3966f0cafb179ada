//! Integer formulas over the variables of a collective's contribution.

use std::fmt;
use std::sync::Arc;

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// True if `a` compares so with `b`.
    pub const fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Different => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Greater => a > b,
            Self::AtLeast => a >= b,
        }
    }

    /// The operator as a design writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Different => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

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
    /// 1 if the operand is 0, else 0.
    Not(Box<Formula>),
    /// The bits that both have.
    And(Box<Formula>, Box<Formula>),
    /// The bits that one of the two has.
    Xor(Box<Formula>, Box<Formula>),
    /// The bits that at least one has.
    Or(Box<Formula>, Box<Formula>),
    /// 1 if the comparison holds, else 0.
    Compare(Comparison, Box<Formula>, Box<Formula>),
    /// A number of each rank, such as the index of its kernel in a dimension of the family.
    OfRank {
        /// The name of the index.
        name: String,
        /// The number of each rank.
        values: Arc<[i64]>,
    },
    /// A number of a constant table.
    Item {
        /// The name of the table.
        table: String,
        /// The numbers of the table, in order.
        values: Arc<[i64]>,
        /// Which of them, from 0.
        index: Box<Formula>,
    },
}

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaError {
    /// It overflows 64 bits, divides by zero or shifts by more than 63 bits.
    Arithmetic,
    /// It reads outside a table.
    Outside {
        /// The name of the table.
        table: String,
        /// The position that it reads, from 0.
        index: i64,
        /// Numbers of the table.
        length: usize,
    },
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arithmetic => f.write_str("the formula overflows 64 bits or divides by zero"),
            Self::Outside { table, index, length } => write!(
                f,
                "the formula reads `{table}[{index}]`, outside of the {length} numbers of `{table}`,"
            ),
        }
    }
}

impl Formula {
    /// The value for one rank, element and call.
    ///
    /// # Errors
    /// [`FormulaError`] on overflow, division by zero, a shift beyond 63 bits or an index outside
    /// a table.
    pub fn eval(&self, rank: i64, element: i64, call: i64) -> Result<i64, FormulaError> {
        let value = |f: &Self| f.eval(rank, element, call);
        let binary = |a: &Self, b: &Self, op: fn(i64, i64) -> Option<i64>| -> Result<i64, FormulaError> {
            op(value(a)?, value(b)?).ok_or(FormulaError::Arithmetic)
        };
        let shift = |bits: i64| u32::try_from(bits).ok().filter(|&bits| bits < 64);
        match self {
            Self::Int(n) => Ok(*n),
            Self::Rank => Ok(rank),
            Self::Element => Ok(element),
            Self::Call => Ok(call),
            Self::Neg(a) => value(a)?.checked_neg().ok_or(FormulaError::Arithmetic),
            Self::Add(a, b) => binary(a, b, i64::checked_add),
            Self::Sub(a, b) => binary(a, b, i64::checked_sub),
            Self::Mul(a, b) => binary(a, b, i64::checked_mul),
            Self::Div(a, b) => binary(a, b, i64::checked_div),
            Self::Rem(a, b) => binary(a, b, i64::checked_rem),
            Self::Shl(a, b) => {
                let bits = shift(value(b)?).ok_or(FormulaError::Arithmetic)?;
                i64::try_from(i128::from(value(a)?) << bits).map_err(|_| FormulaError::Arithmetic)
            }
            Self::Shr(a, b) => Ok(value(a)? >> shift(value(b)?).ok_or(FormulaError::Arithmetic)?),
            Self::Min(a, b) => Ok(value(a)?.min(value(b)?)),
            Self::Max(a, b) => Ok(value(a)?.max(value(b)?)),
            Self::Not(a) => Ok(i64::from(value(a)? == 0)),
            Self::And(a, b) => Ok(value(a)? & value(b)?),
            Self::Xor(a, b) => Ok(value(a)? ^ value(b)?),
            Self::Or(a, b) => Ok(value(a)? | value(b)?),
            Self::Compare(comparison, a, b) => Ok(i64::from(comparison.holds(value(a)?, value(b)?))),
            Self::OfRank { name, values } => item(name, values, rank),
            Self::Item { table, values, index } => item(table, values, value(index)?),
        }
    }
}

/// The number at `index` of a table.
fn item(table: &str, values: &[i64], index: i64) -> Result<i64, FormulaError> {
    let found = usize::try_from(index).ok().and_then(|index| values.get(index));
    let outside = || FormulaError::Outside { table: table.to_owned(), index, length: values.len() };
    found.copied().ok_or_else(outside)
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
            Self::Not(a) => write!(f, "!{}", Operand(a)),
            Self::And(a, b) => binary(f, a, "&", b),
            Self::Xor(a, b) => binary(f, a, "^", b),
            Self::Or(a, b) => binary(f, a, "|", b),
            Self::Compare(comparison, a, b) => binary(f, a, comparison.symbol(), b),
            Self::OfRank { name, .. } => f.write_str(name),
            Self::Item { table, index, .. } => write!(f, "{table}[{index}]"),
        }
    }
}

/// A formula as an operand of another one.
struct Operand<'a>(&'a Formula);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Formula::Int(0..) | Formula::Rank | Formula::Element | Formula::Call => write!(f, "{}", self.0),
            Formula::Min(..) | Formula::Max(..) | Formula::OfRank { .. } | Formula::Item { .. } => {
                write!(f, "{}", self.0)
            }
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
        assert_eq!(zero.eval(0, 1, 0), Err(FormulaError::Arithmetic));
        let shift = Formula::Shl(Box::new(Formula::Int(1)), Box::new(Formula::Int(63)));
        assert_eq!(shift.eval(0, 0, 0), Err(FormulaError::Arithmetic));
    }

    #[test]
    fn tables_and_indices_of_ranks_are_looked_up() {
        let column = Formula::OfRank { name: "c".into(), values: [0, 1, 0, 1].into() };
        let odd = Formula::Compare(Comparison::Equal, Box::new(column), Box::new(Formula::Int(1)));
        let taps = Formula::Item { table: "TAPS".into(), values: [7, -9].into(), index: Box::new(odd) };
        assert_eq!((taps.eval(2, 0, 0), taps.eval(3, 0, 0)), (Ok(7), Ok(-9)));
        let outside = FormulaError::Outside { table: "c".into(), index: 4, length: 4 };
        assert_eq!(taps.eval(4, 0, 0), Err(outside), "there is no rank 4");
        assert_eq!(taps.to_string(), "TAPS[c == 1]");
    }
}
