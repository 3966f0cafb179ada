//! The definition of each collective, as the reference for simulated outputs.
//!
//! Takes the contributions of all ranks in rank order and returns each rank's data after the call:
//! the combination of ranks 0, 1, 2 and so on, element by element, or the elements of other ranks
//! in their places. No shape, step or window occurs here, so that an error in one of those cannot
//! hide. Integers wrap in the element type. Floats are combined in single precision. A tree adds in
//! another order, so each expected float comes with the largest difference that any order can make.

use std::fmt;

use aiec_collectives::Operation;
use aiec_collectives::{ElementType, ReduceOp};
use aiec_ir::expanded::Collective;
use aiec_ir::{Formula, FormulaError};

/// One element, as a number of its type. Integers are in the range of the type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A signed integer of 8 to 64 bits.
    Int(i64),
    /// An unsigned integer of 8 to 64 bits.
    UInt(u64),
    /// A float.
    Float(f32),
    /// A complex integer: real and imaginary part.
    CInt(i64, i64),
    /// A complex float: real and imaginary part.
    CFloat(f32, f32),
}

/// The requirement on an element of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// No rank sends it: any value of the type.
    Anything,
    /// A value. Each float part may differ by at most `slack`; integers are exact.
    Near {
        /// The value.
        value: Value,
        /// Largest absolute difference of each float part; 0 for integers.
        slack: f32,
    },
}

/// The reason why a reduction has no value, or its inputs are invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceError {
    /// A formula has no value for this rank, element and call.
    Formula {
        /// The rank.
        rank: u32,
        /// Index of the element.
        element: u32,
        /// The call.
        call: u32,
    },
    /// A call has data of another number of ranks than the collective has.
    Ranks {
        /// The call.
        call: usize,
        /// Ranks with data.
        found: usize,
    },
    /// A rank contributed another number of elements than the collective's data has.
    Elements {
        /// The call.
        call: usize,
        /// The rank.
        rank: usize,
        /// Elements found.
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
            Self::Formula { rank, element, call } => {
                write!(f, "{FormulaError} for element {element} of rank {rank} in call {call}")
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
            (ElementType::Cfloat, [re, im]) => Some(Self::CFloat(re.parse().ok()?, im.parse().ok()?)),
            (ElementType::Cint16 | ElementType::Cint32, [re, im]) => {
                Some(Self::CInt(signed(re)?, signed(im)?))
            }
            (ElementType::Float, [word]) => word.parse().ok().map(Self::Float),
            (_, [word]) if is_unsigned(element) => unsigned(word).map(Self::UInt),
            (_, [word]) if !element.is_complex() => signed(word).map(Self::Int),
            _ => None,
        }
    }

    /// True if the value can be an element of this type.
    const fn is_a(self, element: ElementType) -> bool {
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

/// Decimal, as in the simulators' text files. A blank separates the parts of a complex number.
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
    /// This value; floats may differ by at most `relative` times its magnitude.
    pub fn within(value: Value, relative: f32) -> Self {
        Self::Near { value, slack: (value.magnitude() * f64::from(relative)) as f32 }
    }

    /// This value and no other.
    pub const fn exactly(value: Value) -> Self {
        Self::Near { value, slack: 0.0 }
    }

    /// True if `found` meets the requirement. An infinity or NaN must be the same.
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

/// Parses elements from blank-separated decimal numbers, two for a complex element, as the
/// simulators write them. Lines that start with `TLAST` hold no data.
///
/// # Errors
/// The first word that is no number of the type, or half a complex value at the end.
pub fn parse_values(element: ElementType, text: &str) -> Result<Vec<Value>, ReferenceError> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("TLAST"));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let value = |words: &[&str]| {
        Value::from_words(element, words).ok_or_else(|| match words {
            [word] if !element.is_complex() => ReferenceError::Word((*word).to_owned()),
            [_] => ReferenceError::HalfValue,
            words => ReferenceError::Word(words.join(" ")),
        })
    };
    words.chunks(if element.is_complex() { 2 } else { 1 }).map(value).collect()
}

/// A rank's contribution to a call, by the formula of the design.
///
/// # Errors
/// The element for which the formula has no value.
pub fn contribution(
    formula: &Formula,
    element_type: ElementType,
    elements: u64,
    rank: u32,
    call: u32,
) -> Result<Vec<Value>, ReferenceError> {
    let value = |element: u32| {
        let n = formula.eval(rank.into(), element.into(), call.into());
        n.map(|n| Value::from_integer(element_type, n)).map_err(|FormulaError| ReferenceError::Formula {
            rank,
            element,
            call,
        })
    };
    (0..u32::try_from(elements).unwrap_or(u32::MAX)).map(value).collect()
}

/// Each rank's data after one call, from the data that each rank handed to it, by the definition of
/// the operation in MPI. None for a rank that gets nothing. Returns None when the operator is not
/// one of the language.
///
/// # Errors
/// If there are too few or too many ranks, a rank has too few or too many elements, or a value is
/// not of the type.
pub fn results(
    collective: &Collective,
    call: usize,
    given: &[Vec<Value>],
) -> Option<Result<Vec<Option<Vec<Expected>>>, ReferenceError>> {
    let op = collective.op.as_ref().map(|op| op.value.builtin());
    if op == Some(None) {
        return None;
    }
    let definition = Definition { collective, op: op.flatten(), given };
    Some(checked_ranks(collective, call, given).and_then(|()| definition.all()))
}

/// Checks that every rank gave as many elements as it hands to a call.
fn checked_ranks(collective: &Collective, call: usize, given: &[Vec<Value>]) -> Result<(), ReferenceError> {
    if given.len() != collective.ranks.len() {
        return Err(ReferenceError::Ranks { call, found: given.len() });
    }
    for (rank, values) in (0..).zip(given) {
        let elements = collective.given_elements(rank);
        let fewer = collective.plan.headed && (values.len() as u64) < elements;
        if values.len() as u64 != elements && !fewer {
            return Err(ReferenceError::Elements { call, rank: rank as usize, found: values.len() });
        }
        if !values.iter().all(|value| value.is_a(collective.data.value.element)) {
            return Err(ReferenceError::Kind);
        }
    }
    Ok(())
}

/// One call, as MPI defines it.
struct Definition<'a> {
    collective: &'a Collective,
    op: Option<ReduceOp>,
    given: &'a [Vec<Value>],
}

impl Definition<'_> {
    fn all(&self) -> Result<Vec<Option<Vec<Expected>>>, ReferenceError> {
        (0..self.given.len()).map(|rank| self.of(rank).transpose()).collect()
    }

    fn of(&self, rank: usize) -> Option<Result<Vec<Expected>, ReferenceError>> {
        let (block, ranks) = (self.collective.data.value.elements as usize, self.given.len());
        let at_root = rank == self.collective.plan.root as usize;
        match self.collective.operation() {
            Operation::Reduce if !at_root => None,
            Operation::Reduce | Operation::Allreduce => Some(self.combined(0..ranks, 0, block)),
            Operation::ReduceScatter => Some(self.combined(0..ranks, rank * block, block)),
            Operation::Scan if self.collective.plan.exclusive && rank == 0 => None,
            Operation::Scan if self.collective.plan.exclusive => Some(self.combined(0..rank, 0, block)),
            Operation::Scan => Some(self.combined(0..rank + 1, 0, block)),
            Operation::Broadcast => {
                Some(Ok(exact(self.given[self.collective.plan.root as usize].iter().copied())))
            }
            Operation::Gather if !at_root => None,
            Operation::Gather => Some(Ok(self.gathered())),
            Operation::Allgather => Some(Ok(exact(self.given.iter().flatten().copied()))),
            Operation::Scatter => Some(Ok(self.scattered(rank))),
            Operation::Alltoall => {
                let from = self.given.iter().flat_map(|values| &values[rank * block..(rank + 1) * block]);
                Some(Ok(exact(from.copied())))
            }
            Operation::Barrier => None,
            Operation::Sendrecv => {
                let to = u32::try_from(rank).ok()?;
                let from = self.collective.plan.partners.iter().position(|&partner| partner == Some(to))?;
                Some(Ok(exact(self.given[from].iter().copied())))
            }
        }
    }

    /// Elements `first..first + count` of some ranks, combined in rank order.
    fn combined(
        &self,
        ranks: std::ops::Range<usize>,
        first: usize,
        count: usize,
    ) -> Result<Vec<Expected>, ReferenceError> {
        let op = self.op.ok_or(ReferenceError::Kind)?;
        let element = self.collective.data.value.element;
        let ranks = &self.given[ranks];
        (first..first + count).map(|i| reduce_element(op, element, ranks.iter().map(move |r| r[i]))).collect()
    }

    fn position(&self, rank: usize, i: usize) -> usize {
        let position = match &self.collective.layout {
            Some(layout) => layout.position(narrow(rank), narrow(i)),
            None => rank as u64 * u64::from(self.collective.data.value.elements) + i as u64,
        };
        usize::try_from(position).unwrap_or(usize::MAX)
    }

    /// The root's array. Elements that no rank sends may be anything.
    fn gathered(&self) -> Vec<Expected> {
        let (_, whole) = self.collective.array_elements(self.collective.plan.root);
        let mut found = vec![Expected::Anything; usize::try_from(whole).unwrap_or(0)];
        for (rank, values) in self.given.iter().enumerate() {
            for (i, &value) in values.iter().enumerate() {
                if let Some(place) = found.get_mut(self.position(rank, i)) {
                    *place = Expected::exactly(value);
                }
            }
        }
        found
    }

    fn scattered(&self, rank: usize) -> Vec<Expected> {
        let (_, count) = self.collective.array_elements(narrow(rank));
        let whole = &self.given[self.collective.plan.root as usize];
        let count = usize::try_from(count).unwrap_or(0);
        exact((0..count).filter_map(|i| whole.get(self.position(rank, i)).copied()))
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn exact(values: impl Iterator<Item = Value>) -> Vec<Expected> {
    values.map(Expected::exactly).collect()
}

/// Combines one element of every rank, in order.
fn reduce_element(
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
/// unit roundoff u (Higham, Accuracy and Stability, sections 3.1 and 4.2). Two orders differ by at
/// most twice that, and a complex product rounds four times per step. One more factor of two covers
/// higher orders.
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

/// `a op b` in the element type. Returns None when a value is of another type, or when the operator
/// has no meaning for the type.
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

/// `a op b` on the bits of integers. Returns None for operators that are not bitwise.
const fn bitwise(op: ReduceOp, a: u64, b: u64) -> Option<u64> {
    match op {
        ReduceOp::And => Some(a & b),
        ReduceOp::Or => Some(a | b),
        ReduceOp::Xor => Some(a ^ b),
        _ => None,
    }
}

/// `a op b` on ordered numbers. Returns None for bitwise operators.
fn ordered<T: PartialOrd>(op: ReduceOp, a: T, b: T, add: fn(T, T) -> T, mul: fn(T, T) -> T) -> Option<T> {
    match op {
        ReduceOp::Sum => Some(add(a, b)),
        ReduceOp::Prod => Some(mul(a, b)),
        ReduceOp::Min => Some(if b < a { b } else { a }),
        ReduceOp::Max => Some(if b > a { b } else { a }),
        ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => None,
    }
}

/// The first index at which `found` differs from `expected`, or at which one of them ends. Returns
/// None when they agree.
pub fn first_difference(expected: &[Expected], found: &[Value]) -> Option<usize> {
    let differs = expected.iter().zip(found).position(|(expected, &found)| !expected.accepts(found));
    differs.or_else(|| (expected.len() != found.len()).then(|| expected.len().min(found.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_collectives::WindowType;
    use aiec_test_support::{Builder, Reduce};

    const fn window(element: ElementType, elements: u32) -> WindowType {
        WindowType { element, elements }
    }

    fn collective(ranks: u32, op: ReduceOp, data: WindowType) -> Collective {
        let reduce = Reduce::over("total", &["worker"], data).op(op).reference(Formula::Rank);
        let mut builder = Builder::new("test", "toy");
        let design = builder.kernels("worker", &[ranks], &[]).reduce(reduce).expanded().unwrap();
        design.collectives.as_slice()[0].clone()
    }

    /// The root's data after a call.
    fn at_root(collective: &Collective, given: &[Vec<Value>]) -> Result<Vec<Expected>, ReferenceError> {
        let found = results(collective, 0, given).expect("an operator of the language");
        found.map(|ranks| ranks[0].clone().expect("the root has the result"))
    }

    /// The first element of the reduction of one value per rank.
    fn reduced(op: ReduceOp, element: ElementType, values: &[Value]) -> Expected {
        let collective = collective(values.len() as u32, op, window(element, 1));
        let given: Vec<Vec<Value>> = values.iter().map(|&value| vec![value]).collect();
        at_root(&collective, &given).unwrap()[0]
    }

    /// The expected value of that element.
    fn combined(op: ReduceOp, element: ElementType, values: &[Value]) -> Value {
        value_of(reduced(op, element, values))
    }

    fn value_of(expected: Expected) -> Value {
        match expected {
            Expected::Near { value, .. } => value,
            Expected::Anything => panic!("a reduction defines every element"),
        }
    }

    /// Every rank's contribution to a call, in rank order, by the formula of the design. Returns
    /// None when the design has no formula.
    fn contributions(collective: &Collective, call: u32) -> Option<Result<Vec<Vec<Value>>, ReferenceError>> {
        let formula = collective.reference.as_ref()?;
        let ranks = (0..).zip(&collective.ranks);
        let given = |rank| {
            contribution(formula, collective.data.value.element, collective.given_elements(rank), rank, call)
        };
        Some(ranks.map(|(rank, _)| given(rank)).collect())
    }

    #[test]
    fn integers_wrap_in_the_element_type() {
        use Value::{Int, UInt};
        let sum = |element, values: &[Value]| combined(ReduceOp::Sum, element, values);
        assert_eq!(sum(ElementType::Int8, &[Int(100), Int(100)]), Int(-56));
        assert_eq!(sum(ElementType::Uint16, &[UInt(65535), UInt(2)]), UInt(1));
        assert_eq!(sum(ElementType::Int64, &[Int(i64::MAX), Int(1)]), Int(i64::MIN));
        let product = |element, values: &[Value]| combined(ReduceOp::Prod, element, values);
        assert_eq!(product(ElementType::Int32, &[Int(1 << 20), Int(1 << 11)]), Int(-(1 << 31)));
        assert_eq!(product(ElementType::Uint64, &[UInt(u64::MAX), UInt(u64::MAX)]), UInt(1));
    }

    #[test]
    fn unsigned_numbers_have_no_sign_in_min_and_max() {
        use Value::UInt;
        let values = [UInt(1), UInt(u64::MAX), UInt(7)];
        assert_eq!(combined(ReduceOp::Max, ElementType::Uint64, &values), UInt(u64::MAX));
        assert_eq!(combined(ReduceOp::Min, ElementType::Uint64, &values), UInt(1));
        let signed = [Value::Int(1), Value::Int(-1)];
        assert_eq!(combined(ReduceOp::Max, ElementType::Int8, &signed), Value::Int(1));
    }

    #[test]
    fn complex_products_are_complex() {
        let i = Value::CInt(0, 1);
        assert_eq!(combined(ReduceOp::Prod, ElementType::Cint16, &[i, i]), Value::CInt(-1, 0));
        let values = [Value::CInt(300, 2), Value::CInt(300, -1)];
        assert_eq!(combined(ReduceOp::Prod, ElementType::Cint16, &values), Value::CInt(90002 - 65536, 300));
        let floats = [Value::CFloat(1.0, 2.0), Value::CFloat(3.0, -4.0)];
        assert_eq!(combined(ReduceOp::Prod, ElementType::Cfloat, &floats), Value::CFloat(11.0, 2.0));
    }

    #[test]
    fn any_order_of_float_additions_is_accepted_and_a_missing_rank_is_not() {
        let values: Vec<f32> =
            (0..63).map(|i| 1.0 / (i as f32 + 0.7) * if i % 3 == 0 { -1e4 } else { 1.0 }).collect();
        let typed: Vec<Value> = values.iter().map(|&x| Value::Float(x)).collect();
        let expected = reduced(ReduceOp::Sum, ElementType::Float, &typed);
        let backwards: f32 = values.iter().rev().sum();
        assert!(expected.accepts(Value::Float(backwards)));
        let without_one: f32 = values.iter().skip(1).sum();
        assert!(!expected.accepts(Value::Float(without_one)));
    }

    #[test]
    fn what_no_rank_sends_may_be_anything_of_any_type() {
        for found in [Value::Int(99), Value::CInt(1, -1), Value::Float(f32::NAN)] {
            assert!(Expected::Anything.accepts(found));
        }
        assert!(!Expected::exactly(Value::Int(0)).accepts(Value::Int(99)));
    }

    #[test]
    fn float_minimum_is_exact() {
        let values = [Value::Float(2.5), Value::Float(-0.5)];
        let expected = reduced(ReduceOp::Min, ElementType::Float, &values);
        assert_eq!(expected, Expected::exactly(Value::Float(-0.5)));
    }

    #[test]
    fn contributions_follow_the_formula_and_wrap() {
        let scaled = Formula::Mul(Box::new(Formula::Rank), Box::new(Formula::Int(100)));
        let formula = Formula::Add(Box::new(scaled), Box::new(Formula::Element));
        let values = contribution(&formula, ElementType::Int8, 3, 2, 0);
        assert_eq!(values, Ok(vec![Value::Int(-56), Value::Int(-55), Value::Int(-54)]));
        let zero = Formula::Rem(Box::new(Formula::Element), Box::new(Formula::Call));
        let error = ReferenceError::Formula { rank: 2, element: 0, call: 0 };
        assert_eq!(contribution(&zero, ElementType::Int8, 3, 2, 0), Err(error));
    }

    #[test]
    fn the_sum_of_ranks_is_their_triangle_number() {
        let collective = collective(7, ReduceOp::Sum, window(ElementType::Int32, 4));
        let contributions = contributions(&collective, 0).expect("has a formula").unwrap();
        let result = at_root(&collective, &contributions).unwrap();
        assert!(result.iter().all(|&expected| value_of(expected) == Value::Int(21)));
    }

    #[test]
    fn missing_ranks_and_elements_are_errors() {
        let collective = collective(2, ReduceOp::Sum, window(ElementType::Int32, 2));
        let (one, short) = (vec![Value::Int(1), Value::Int(2)], vec![Value::Int(1)]);
        let reduce = |call: Vec<Vec<Value>>| at_root(&collective, &call).err();
        assert_eq!(reduce(vec![one.clone()]), Some(ReferenceError::Ranks { call: 0, found: 1 }));
        let elements = ReferenceError::Elements { call: 0, rank: 1, found: 1 };
        assert_eq!(reduce(vec![one.clone(), short]), Some(elements));
        assert_eq!(reduce(vec![one, vec![Value::UInt(1), Value::UInt(1)]]), Some(ReferenceError::Kind));
    }

    #[test]
    fn values_are_read_as_they_are_printed() {
        let text = "1 -2\nTLAST\n-32768\t32767\n";
        let values = parse_values(ElementType::Cint16, text).unwrap();
        assert_eq!(values, [Value::CInt(1, -2), Value::CInt(-32768, 32767)]);
        let printed: Vec<String> = values.iter().map(Value::to_string).collect();
        assert_eq!(parse_values(ElementType::Cint16, &printed.join("\n")), Ok(values));
        let float = 1.0e-7f32 / 3.0;
        assert_eq!(
            parse_values(ElementType::Float, &Value::Float(float).to_string()),
            Ok(vec![Value::Float(float)])
        );
    }

    #[test]
    fn what_is_no_number_of_the_type_is_an_error() {
        let word = |word: &str| Err(ReferenceError::Word(word.into()));
        assert_eq!(parse_values(ElementType::Int8, "1 128"), word("128"));
        assert_eq!(parse_values(ElementType::Uint32, "-1"), word("-1"));
        assert_eq!(parse_values(ElementType::Int32, "1.5"), word("1.5"));
        assert_eq!(parse_values(ElementType::Cint32, "1 2 3"), Err(ReferenceError::HalfValue));
    }

    #[test]
    fn the_first_difference_is_found_and_so_is_a_missing_end() {
        let expected: Vec<Expected> = (0..4).map(|n| Expected::within(Value::Int(n), 0.0)).collect();
        let values = |ns: &[i64]| ns.iter().map(|&n| Value::Int(n)).collect::<Vec<_>>();
        assert_eq!(first_difference(&expected, &values(&[0, 1, 2, 3])), None);
        assert_eq!(first_difference(&expected, &values(&[0, 1, 5, 6])), Some(2));
        assert_eq!(first_difference(&expected, &values(&[0, 1, 2])), Some(3));
        assert_eq!(first_difference(&expected, &values(&[0, 1, 2, 3, 4])), Some(4));
    }
}
