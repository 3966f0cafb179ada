//! Values of `-D NAME=VALUES`: numbers and ranges between commas, and the product of all constants.

use std::collections::BTreeSet;

use aiec_diag::Diagnostic;
use aiec_lower::Scalar;
use aiec_system::files::hash;

use crate::asked::number;
use crate::errors;

/// Limit on the points of a sweep. Points of a second each take three hours on one processor.
pub(crate) const MOST_POINTS: u128 = 10_000;
/// Limit on the bytes of a file's name before its ending. Linux allows 255 in all.
const LONGEST_NAME: usize = 200;
/// Hexadecimal digits that stand for a longer name.
const DIGITS: usize = 32;

/// A constant with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The name of the constant.
    pub(crate) name: String,
    /// Its values, each once, in the order given.
    pub(crate) values: Vec<Scalar>,
    /// True if a range multiplies, and all values are positive.
    pub(crate) geometric: bool,
}

/// Constants with their values, in the order of the command line.
pub(crate) type Point = Vec<(String, Scalar)>;

/// One part of the values of a constant.
enum Part {
    /// A number.
    One(Scalar),
    /// `from..to+step`
    Steps { from: i64, to: i64, step: i64 },
    /// `from..to*factor`
    Powers { from: i64, to: i64, factor: i64 },
}

impl Part {
    fn count(&self) -> u128 {
        match *self {
            Self::One(_) => 1,
            Self::Steps { from, to, step } => {
                ((i128::from(to) - i128::from(from)) / i128::from(step)).unsigned_abs() + 1
            }
            Self::Powers { .. } => self.values().len() as u128,
        }
    }

    fn values(&self) -> Vec<Scalar> {
        let numbers = |from: i64, to: i64, next: &dyn Fn(i64) -> Option<i64>| {
            let all = std::iter::successors(Some(from), |&number| next(number));
            all.take_while(|&number| number <= to).map(Scalar::Whole).collect()
        };
        match *self {
            Self::One(scalar) => vec![scalar],
            Self::Steps { from, to, step } => numbers(from, to, &|number| number.checked_add(step)),
            Self::Powers { from, to, factor } => numbers(from, to, &|number| number.checked_mul(factor)),
        }
    }
}

/// The constants of a sweep. Fails for a wrong value, a constant that is given twice, and for more
/// than [`MOST_POINTS`] points.
pub(crate) fn axes(defines: &[String]) -> Result<Vec<Axis>, Diagnostic> {
    let mut all: Vec<(&str, Vec<Part>)> = Vec::new();
    for define in defines {
        let bad = |reason: &str| errors::bad_values(define, reason);
        let (name, values) = define.split_once('=').ok_or_else(|| bad("a constant and `=` come first"))?;
        if name.is_empty() {
            return Err(bad("a constant comes before `=`"));
        }
        if all.iter().any(|(other, _)| *other == name) {
            return Err(bad(&format!("`{name}` has values already; write them in one list")));
        }
        all.push((name, parts(values).map_err(|reason| bad(&reason))?));
    }
    let points = all.iter().map(|(_, parts)| count(parts)).fold(1, u128::saturating_mul);
    if points > MOST_POINTS {
        return Err(errors::too_many_points(points, MOST_POINTS));
    }
    Ok(all.into_iter().map(|(name, parts)| axis(name, &parts)).collect())
}

/// The values of a list such as `16..8192*2` as an axis without a name. Fails with a reason.
pub(crate) fn numbers(text: &str) -> Result<Axis, String> {
    let parts = parts(text)?;
    let count = count(&parts);
    if count > MOST_POINTS {
        return Err(format!("`{text}` has {count} values, and at most {MOST_POINTS} are possible"));
    }
    Ok(axis("", &parts))
}

fn axis(name: &str, parts: &[Part]) -> Axis {
    let mut known = BTreeSet::new();
    let values = parts.iter().flat_map(Part::values);
    let values: Vec<Scalar> = values.filter(|value| known.insert(value.to_string())).collect();
    let multiplies = parts.iter().any(|part| matches!(part, Part::Powers { .. }));
    let geometric = multiplies && values.iter().all(|value| value.decimal().nearest() > 0.0);
    Axis { name: name.to_owned(), values, geometric }
}

/// Parses numbers and ranges between commas. Fails with a reason.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    text.split(',').map(part).collect()
}

/// The number of values, with those that occur twice.
fn count(parts: &[Part]) -> u128 {
    parts.iter().map(Part::count).fold(0, u128::saturating_add)
}

/// Parses a number or a range. Fails with a reason.
fn part(text: &str) -> Result<Part, String> {
    let scalar = |text: &str| number(text).ok_or_else(|| format!("`{text}` is no number"));
    let Some((from, rest)) = text.split_once("..") else { return Ok(Part::One(scalar(text)?)) };
    let whole = |text: &str| match scalar(text)? {
        Scalar::Whole(number) => Ok(number),
        Scalar::Decimal(_) => Err(format!("ranges have whole numbers, so list decimals such as `{text}`")),
    };
    let (to, by, multiplies) = match (rest.split_once('+'), rest.split_once('*')) {
        (Some((to, step)), _) => (to, step, false),
        (None, Some((to, factor))) => (to, factor, true),
        (None, None) => (rest, "1", false),
    };
    let (from, to, by) = (whole(from)?, whole(to)?, whole(by)?);
    if from > to {
        return Err(format!("the range `{text}` is empty, since {from} is above {to}"));
    }
    match multiplies {
        true if by < 2 => Err(format!("the factor of `{text}` is {by}, and must be at least 2")),
        true if from < 1 => Err(format!("`{text}` multiplies {from}, and must start at 1 or above")),
        true => Ok(Part::Powers { from, to, factor: by }),
        false if by < 1 => Err(format!("the step of `{text}` is {by}, and must be at least 1")),
        false => Ok(Part::Steps { from, to, step: by }),
    }
}

/// The product of all values: the last constant changes first.
pub(crate) fn points(axes: &[Axis]) -> Vec<Point> {
    axes.iter().fold(vec![Vec::new()], |points: Vec<Point>, axis| {
        let with = |point: &Point, value: Scalar| [&point[..], &[(axis.name.clone(), value)]].concat();
        let all = points.iter().flat_map(|point| axis.values.iter().map(move |&value| with(point, value)));
        all.collect()
    })
}

/// The constants of a point as one word, sorted by name: `N=15,WINDOW=64`.
pub(crate) fn word(point: &[(String, Scalar)]) -> String {
    let mut words: Vec<String> = point.iter().map(|(name, value)| format!("{name}={value}")).collect();
    words.sort();
    words.join(",")
}

/// The name of a point's file without its ending: its constants, or a hash of them if they are too
/// long.
pub(crate) fn file_name(point: &[(String, Scalar)]) -> String {
    let word = word(point);
    if word.len() <= LONGEST_NAME { word } else { hash(word.as_bytes())[..DIGITS].to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of one constant.
    fn values(text: &str) -> Vec<String> {
        let axes = axes(&[format!("N={text}")]).unwrap_or_else(|d| panic!("{}", d.message));
        axes[0].values.iter().map(ToString::to_string).collect()
    }

    /// The reason against the values of one constant.
    fn reason(text: &str) -> String {
        axes(&[format!("N={text}")]).expect_err(text).message
    }

    #[test]
    fn values_are_numbers_and_ranges_in_the_order_given() {
        for (text, expected) in [
            ("7", "7"),
            ("15,0x1f,-3,1_000,0.50,1e-3", "15 31 -3 1000 0.5 0.001"),
            ("2..5", "2 3 4 5"),
            ("5..5", "5"),
            ("-2..2+2", "-2 0 2"),
            ("64..4096*4", "64 256 1024 4096"),
            ("3..20*2,1..3", "3 6 12 1 2"),
            ("0..10+4", "0 4 8"),
        ] {
            assert_eq!(values(text).join(" "), expected, "{text}");
        }
        assert_eq!(values(&format!("{}..{}*2", i64::MAX / 2, i64::MAX)).len(), 2, "no overflow");
        assert_eq!(values(&format!("{0}..{0}", i64::MAX)).len(), 1, "no overflow");
    }

    #[test]
    fn wrong_values_have_a_reason() {
        for (text, expected) in [
            ("", "`` is no number"),
            ("1,,2", "`` is no number"),
            ("1e", "`1e` is no number"),
            ("1..", "`` is no number"),
            ("1...3", "`.3` is no number"),
            ("9..3", "is empty, since 9 is above 3"),
            ("1..8*1", "the factor of `1..8*1` is 1"),
            ("0..8*2", "must start at 1 or above"),
            ("1..8+0", "the step of `1..8+0` is 0"),
            ("0.5..2", "list decimals such as `0.5`"),
        ] {
            assert!(reason(text).contains(expected), "{text}: {}", reason(text));
        }
    }

    #[test]
    fn too_many_points_are_refused_before_any_value_is_made() {
        assert!(reason("0..9_223_372_036_854_775_807").contains("10000"));
        let many = ["A=1..101", "B=1..100"].map(str::to_owned);
        assert!(axes(&many).is_err_and(|d| d.message.contains("10100")));
        assert!(axes(&["A=1..100", "B=1..100"].map(str::to_owned)).is_ok());
    }

    #[test]
    fn the_last_constant_changes_first() {
        let axes = axes(&["B=1,2", "A=5,3"].map(str::to_owned)).expect("values");
        let words: Vec<String> = points(&axes).iter().map(|point| word(point)).collect();
        assert_eq!(words, ["A=5,B=1", "A=3,B=1", "A=5,B=2", "A=3,B=2"]);
    }

    #[test]
    fn a_long_name_of_a_file_becomes_a_hash() {
        let long = vec![("A".repeat(300), Scalar::Whole(1))];
        assert_eq!(file_name(&long).len(), DIGITS);
        assert_eq!(file_name(&[("N".to_owned(), Scalar::Whole(1))]), "N=1");
    }
}
