//! Elements as numbers, and how operators combine them.
//!
//! Integers wrap in the element type. Floats are combined in single precision; a tree adds in
//! another order, so each expected float comes with the largest difference that any order can make.

use std::fmt;

use super::{ElementType, Rank, ReduceOp, text};

/// One element, as a number of its type. Integers hold what the type can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A signed integer of 8 to 64 bits.
    Int(i64),
    /// An unsigned integer of 8 to 64 bits.
    UInt(u64),
    /// A number of single precision.
    Float(f32),
    /// A complex integer: real and imaginary part.
    CInt(i64, i64),
    /// A complex float: real and imaginary part.
    CFloat(f32, f32),
}

/// What an element of an output must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// No rank sends it: any value of the type.
    Anything,
    /// A value, of which each float part may differ by at most `slack`; integers are exact.
    Near {
        /// What the definition gives.
        value: Value,
        /// Largest absolute difference of each float part; 0 for integers.
        slack: f32,
    },
}

/// A reduction has no value, or values are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceError {
    /// A formula has no value for this rank, element and call.
    Formula {
        /// The rank that the formula is for.
        rank: Rank,
        /// Index of the element.
        element: u32,
        /// Number of the call, from 0.
        call: u32,
        /// Why it has none.
        reason: String,
    },
    /// A call has data of another number of ranks than the collective.
    Ranks {
        /// Number of the call, from 0.
        call: usize,
        /// Ranks of which the call has data.
        found: usize,
    },
    /// A rank contributed another number of elements than the collective's data has.
    Elements {
        /// Number of the call, from 0.
        call: usize,
        /// The rank with the wrong data.
        rank: Rank,
        /// Elements that the rank contributed.
        found: usize,
    },
    /// A value is not of the element type.
    Kind,
    /// A word of a text is not a number of the element type.
    Word(String),
    /// The last complex value of a text has one part.
    HalfValue,
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Formula { rank, element, call, reason } => {
                write!(f, "{reason} for element {element} of rank {rank} in call {call}")
            }
            Self::Ranks { call, found } => write!(f, "call {call} has data of {found} ranks"),
            Self::Elements { call, rank, found } => {
                write!(f, "rank {rank} contributed {found} elements to call {call}")
            }
            Self::Kind => f.write_str("a value is not of the element type"),
            Self::Word(word) => write!(f, "`{word}` is not a number of the element type"),
            Self::HalfValue => f.write_str("the last complex value has one part, needs two"),
        }
    }
}

impl std::error::Error for ReferenceError {}

/// Bits of an integer, or of one part of a complex one.
const fn part_bits(element: ElementType) -> u32 {
    if element.is_complex() { element.bytes() * 4 } else { element.bytes() * 8 }
}

/// The low bits of `n` as a signed integer of the element type's parts.
const fn wrap_signed(element: ElementType, n: i64) -> i64 {
    let unused = 64 - part_bits(element);
    (n << unused) >> unused
}

/// The low bits of `n` as an unsigned integer of the element type.
const fn wrap_unsigned(element: ElementType, n: u64) -> u64 {
    let unused = 64 - part_bits(element);
    (n << unused) >> unused
}

const fn is_unsigned(element: ElementType) -> bool {
    matches!(element, ElementType::Uint8 | ElementType::Uint16 | ElementType::Uint32 | ElementType::Uint64)
}

impl Value {
    /// The integer `n` as an element: wrapped into integers, rounded to floats, the real part of
    /// complex numbers.
    pub const fn from_integer(element: ElementType, n: i64) -> Self {
        match element {
            ElementType::Float => Self::Float(n as f32),
            ElementType::Cfloat => Self::CFloat(n as f32, 0.0),
            ElementType::Cint16 | ElementType::Cint32 => Self::CInt(wrap_signed(element, n), 0),
            _ if is_unsigned(element) => Self::UInt(wrap_unsigned(element, n as u64)),
            _ => Self::Int(wrap_signed(element, n)),
        }
    }

    /// The element that the words spell: one number, or real and imaginary part.
    fn from_words(element: ElementType, words: &[&str]) -> Option<Self> {
        let signed = |word: &str| word.parse().ok().filter(|&n| wrap_signed(element, n) == n);
        let unsigned = |word: &str| word.parse().ok().filter(|&n| wrap_unsigned(element, n) == n);
        match (element, words) {
            (ElementType::Cfloat, [re, im]) => Some(Self::CFloat(text::float(re)?, text::float(im)?)),
            (ElementType::Cint16 | ElementType::Cint32, [re, im]) => {
                Some(Self::CInt(signed(re)?, signed(im)?))
            }
            (ElementType::Float, [word]) => text::float(word).map(Self::Float),
            (_, [word]) if is_unsigned(element) => unsigned(word).map(Self::UInt),
            (_, [word]) if !element.is_complex() => signed(word).map(Self::Int),
            _ => None,
        }
    }

    /// True if the value can be an element of this type.
    pub const fn is_a(self, element: ElementType) -> bool {
        match self {
            Self::Int(n) => {
                !is_unsigned(element)
                    && !element.is_complex()
                    && !element.is_float()
                    && wrap_signed(element, n) == n
            }
            Self::UInt(n) => is_unsigned(element) && wrap_unsigned(element, n) == n,
            Self::Float(_) => matches!(element, ElementType::Float),
            Self::CInt(re, im) => {
                matches!(element, ElementType::Cint16 | ElementType::Cint32)
                    && wrap_signed(element, re) == re
                    && wrap_signed(element, im) == im
            }
            Self::CFloat(..) => matches!(element, ElementType::Cfloat),
        }
    }

    /// The sum of the magnitudes of the parts; 0 for integers, which are exact.
    fn magnitude(self) -> f64 {
        match self {
            Self::Float(x) => f64::from(x).abs(),
            Self::CFloat(re, im) => f64::from(re).abs() + f64::from(im).abs(),
            _ => 0.0,
        }
    }
}

/// Decimal, as in the simulators' text files; the parts of a complex number are separated by a
/// blank.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::UInt(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x}"),
            Self::CInt(re, im) => write!(f, "{re} {im}"),
            Self::CFloat(re, im) => write!(f, "{re} {im}"),
        }
    }
}

/// The value, or "anything".
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Near { value, .. } => value.fmt(f),
            Self::Anything => f.write_str("anything"),
        }
    }
}

impl Expected {
    /// This value and, for floats, what differs from it by at most `relative` times its magnitude.
    pub fn within(value: Value, relative: f32) -> Self {
        Self::Near { value, slack: (value.magnitude() * f64::from(relative)) as f32 }
    }

    /// This value and no other.
    pub const fn exactly(value: Value) -> Self {
        Self::Near { value, slack: 0.0 }
    }

    /// True if `found` is what is expected. Infinities and what is not a number are expected as
    /// such.
    pub fn accepts(&self, found: Value) -> bool {
        let &Self::Near { value, slack } = self else { return true };
        let near = |a: f32, b: f32| {
            a == b || (a.is_nan() && b.is_nan()) || (a.is_finite() && (a - b).abs() <= slack)
        };
        match (value, found) {
            (Value::Float(a), Value::Float(b)) => near(a, b),
            (Value::CFloat(ar, ai), Value::CFloat(br, bi)) => near(ar, br) && near(ai, bi),
            (value, found) => value == found,
        }
    }
}

/// Reads elements from a text of numbers, two for a complex element ([`text`]).
///
/// # Errors
/// The first word that is no number of the type, or half a complex value at the end.
pub fn parse_values(element: ElementType, text: &str) -> Result<Vec<Value>, ReferenceError> {
    let words: Vec<&str> = text::words(text).map(|word| word.text).collect();
    parse_words(element, &words)
}

/// Reads elements from the words of a text.
///
/// # Errors
/// Those of [`parse_values`].
pub fn parse_words(element: ElementType, words: &[&str]) -> Result<Vec<Value>, ReferenceError> {
    let value = |words: &[&str]| {
        Value::from_words(element, words).ok_or_else(|| match words {
            [word] if !element.is_complex() => ReferenceError::Word((*word).to_owned()),
            [_] => ReferenceError::HalfValue,
            words => ReferenceError::Word(words.join(" ")),
        })
    };
    words.chunks(element.parts() as usize).map(value).collect()
}

/// Combines one element of every rank, in order.
pub(crate) fn reduce_element(
    op: ReduceOp,
    element: ElementType,
    values: impl Iterator<Item = Value> + Clone,
) -> Result<Expected, ReferenceError> {
    let mut rest = values.clone();
    let mut value = rest.next().filter(|first| first.is_a(element)).ok_or(ReferenceError::Kind)?;
    for next in rest {
        value = combine(op, element, value, next).ok_or(ReferenceError::Kind)?;
    }
    Ok(Expected::Near { value, slack: slack(op, value, values) })
}

/// The largest difference that the order of `values` can make in a float.
///
/// Any order of n additions in single precision is off by at most n u times the sum of the
/// magnitudes, of n multiplications by n u times the product's magnitude, to first order in the
/// unit roundoff u (Higham, Accuracy and Stability, sections 3.1 and 4.2); twice that lies between
/// two orders, and a complex product rounds four times a step. One more factor of two covers higher
/// orders.
fn slack(op: ReduceOp, result: Value, values: impl Iterator<Item = Value>) -> f32 {
    let magnitudes: Vec<f64> = values.map(Value::magnitude).collect();
    let magnitude: f64 = match op {
        ReduceOp::Sum => magnitudes.iter().sum(),
        ReduceOp::Prod => magnitudes.iter().product(),
        ReduceOp::Min | ReduceOp::Max | ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => 0.0,
    };
    let rounds = if matches!(result, Value::CFloat(..)) { 4.0 } else { 1.0 };
    let unit = f64::from(f32::EPSILON) / 2.0;
    (4.0 * rounds * magnitudes.len() as f64 * unit * magnitude) as f32
}

/// `a op b` in the element type. Returns None when one is of another type or the operator has no
/// meaning for it.
pub fn combine(op: ReduceOp, element: ElementType, a: Value, b: Value) -> Option<Value> {
    if !a.is_a(element) || !b.is_a(element) {
        return None;
    }
    let wrapped = |n: i64| wrap_signed(element, n);
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => {
            let bits = bitwise(op, a as u64, b as u64).map(|bits| bits as i64);
            Value::Int(wrapped(
                bits.map_or_else(|| ordered(op, a, b, i64::wrapping_add, i64::wrapping_mul), Some)?,
            ))
        }
        (Value::UInt(a), Value::UInt(b)) => {
            let value =
                bitwise(op, a, b).or_else(|| ordered(op, a, b, u64::wrapping_add, u64::wrapping_mul))?;
            Value::UInt(wrap_unsigned(element, value))
        }
        (Value::Float(a), Value::Float(b)) => Value::Float(ordered(op, a, b, |a, b| a + b, |a, b| a * b)?),
        (Value::CInt(ar, ai), Value::CInt(br, bi)) => {
            let (re, im) = match op {
                ReduceOp::Sum => (ar.wrapping_add(br), ai.wrapping_add(bi)),
                ReduceOp::Prod => (
                    ar.wrapping_mul(br).wrapping_sub(ai.wrapping_mul(bi)),
                    ar.wrapping_mul(bi).wrapping_add(ai.wrapping_mul(br)),
                ),
                _ => return None,
            };
            Value::CInt(wrapped(re), wrapped(im))
        }
        (Value::CFloat(ar, ai), Value::CFloat(br, bi)) => match op {
            ReduceOp::Sum => Value::CFloat(ar + br, ai + bi),
            ReduceOp::Prod => Value::CFloat(ar * br - ai * bi, ar * bi + ai * br),
            _ => return None,
        },
        _ => return None,
    })
}

/// The bits of whole numbers, for the operators that combine these.
const fn bitwise(op: ReduceOp, a: u64, b: u64) -> Option<u64> {
    match op {
        ReduceOp::And => Some(a & b),
        ReduceOp::Or => Some(a | b),
        ReduceOp::Xor => Some(a ^ b),
        _ => None,
    }
}

/// One step over numbers that have an order, for the operators that need no bits.
fn ordered<T: PartialOrd>(op: ReduceOp, a: T, b: T, add: fn(T, T) -> T, mul: fn(T, T) -> T) -> Option<T> {
    match op {
        ReduceOp::Sum => Some(add(a, b)),
        ReduceOp::Prod => Some(mul(a, b)),
        ReduceOp::Min => Some(if b < a { b } else { a }),
        ReduceOp::Max => Some(if b > a { b } else { a }),
        ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => None,
    }
}

/// The first index at which `found` is not what is expected: another value, or one too few or too
/// many.
pub fn first_difference(expected: &[Expected], found: &[Value]) -> Option<usize> {
    let differs = expected.iter().zip(found).position(|(expected, &found)| !expected.accepts(found));
    differs.or_else(|| (expected.len() != found.len()).then(|| expected.len().min(found.len())))
}
