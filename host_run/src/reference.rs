//! The definition of each collective, as the reference for simulated outputs.
//!
//! Takes the contributions of all ranks in rank order and returns each rank's data after the call:
//! the combination of ranks 0, 1, 2 and so on, element by element, or the elements of other ranks
//! in their places. No shape, step or window occurs here, so that an error in one of those cannot
//! hide. Integers wrap in the element type. Floats are combined in single precision. A tree adds in
//! another order, so each expected float comes with the largest difference that any order can make.

use aiec_collectives::value::{Expected, Value};
use aiec_collectives::{Definition, ElementType, Rank, ReferenceError};
use aiec_ir::Formula;
use aiec_ir::expanded::Collective;

/// What a rank contributes to a call, by the formula of the design.
///
/// # Errors
/// The element for which the formula has no value.
pub fn contribution(
    formula: &Formula,
    element_type: ElementType,
    elements: u64,
    rank: Rank,
    call: u32,
) -> Result<Vec<Value>, ReferenceError> {
    let value = |element: u32| {
        let n = formula.eval(rank.0.into(), element.into(), call.into());
        n.map(|n| Value::from_integer(element_type, n)).map_err(|error| ReferenceError::Formula {
            rank,
            element,
            call,
            reason: error.to_string(),
        })
    };
    (0..u32::try_from(elements).unwrap_or(u32::MAX)).map(value).collect()
}

/// Each rank's data after one call, from the data that each rank handed to it, by the definition of
/// the operation in MPI. An entry is None when the rank gets nothing. Returns None when the
/// operator is not one of the language.
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
    let definition = Definition { data: collective.arrays(), op: op.flatten(), given };
    Some(checked_ranks(collective, call, given).and_then(|()| definition.results()))
}

/// Checks that every rank gave as many elements as it hands to a call.
fn checked_ranks(collective: &Collective, call: usize, given: &[Vec<Value>]) -> Result<(), ReferenceError> {
    if given.len() != collective.ranks.len() {
        return Err(ReferenceError::Ranks { call, found: given.len() });
    }
    for (rank, values) in (0..).map(Rank).zip(given) {
        let elements = collective.given_elements(rank);
        let fewer = collective.plan.headed && (values.len() as u64) < elements;
        if values.len() as u64 != elements && !fewer {
            return Err(ReferenceError::Elements { call, rank, found: values.len() });
        }
        if !values.iter().all(|value| value.is_a(collective.data.value.element)) {
            return Err(ReferenceError::Kind);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_collectives::value::{first_difference, parse_values};
    use aiec_collectives::{ReduceOp, WindowType};
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
        let ranks = (0..).map(Rank).zip(&collective.ranks);
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
        let values = contribution(&formula, ElementType::Int8, 3, Rank(2), 0);
        assert_eq!(values, Ok(vec![Value::Int(-56), Value::Int(-55), Value::Int(-54)]));
        let zero = Formula::Rem(Box::new(Formula::Element), Box::new(Formula::Call));
        let error = ReferenceError::Formula {
            rank: Rank(2),
            element: 0,
            call: 0,
            reason: aiec_ir::FormulaError::Arithmetic.to_string(),
        };
        assert_eq!(contribution(&zero, ElementType::Int8, 3, Rank(2), 0), Err(error));
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
        let elements = ReferenceError::Elements { call: 0, rank: Rank(1), found: 1 };
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
