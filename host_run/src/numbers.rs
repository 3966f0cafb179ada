//! Compares files of numbers: a run's output against the expected output. Integers must be equal
//! and floats close, unless a tolerance allows more. Layout, TLAST marks and the time stamps of
//! other simulators do not count.

use std::path::Path;

use aiec_collectives::text;

/// The tolerance for numbers of a golden file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Floats: the largest difference relative to their magnitude, below 1.
    Share(f64),
    /// Integers: the largest difference, in units.
    Units(u64),
}

impl Tolerance {
    /// Parses the argument of `--tolerance`: a share below 1, or units.
    ///
    /// # Errors
    /// The expected format, if `text` is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share)).map(Self::Share);
        share.or_else(|| text.parse().ok().map(Self::Units)).ok_or_else(|| {
            "a share below 1 by which floats may differ, such as 1e-3, or a whole number of units for integers".to_owned()
        })
    }
}

/// The number of leading values of an output that are not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The name of the output. None when it is every output.
    pub output: Option<String>,
    /// Number of values at the start that are not compared.
    pub values: usize,
}

impl Skip {
    /// Parses the argument of `--skip`: `[OUTPUT=]N`.
    ///
    /// # Errors
    /// If N is not a number.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (output, values) =
            text.rsplit_once('=').map_or((None, text), |(name, n)| (Some(name.to_owned()), n));
        let values = values.parse().map_err(|_| format!("`{values}` is no number of values"))?;
        Ok(Self { output, values })
    }
}

/// Largest difference of a float from a golden file, relative to its magnitude. Golden files have
/// few digits.
const USUAL: f64 = 1e-5;

/// The tolerances for one output against its golden file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowed {
    /// Difference of floats, relative to their magnitude.
    pub share: f64,
    /// Difference of integers, in units.
    pub units: u64,
    /// Number of leading values that are not compared.
    pub skip: usize,
}

impl Allowed {
    /// No difference is allowed, and no value is skipped.
    pub const NOTHING: Self = Self { share: 0.0, units: 0, skip: 0 };

    /// The options for one output; `is_it` tells whether a name is the output's. The last option
    /// holds, and an option that names this output precedes options for all outputs.
    pub fn of(tolerance: &[Tolerance], skip: &[Skip], is_it: impl Fn(&str) -> bool) -> Self {
        let mut allowed = Self { share: USUAL, ..Self::NOTHING };
        for tolerance in tolerance {
            match *tolerance {
                Tolerance::Share(share) => allowed.share = share,
                Tolerance::Units(units) => allowed.units = units,
            }
        }
        let about = |named: bool| {
            skip.iter()
                .rev()
                .find(|skip| skip.output.is_some() == named && skip.output.as_deref().is_none_or(&is_it))
        };
        allowed.skip = about(true).or_else(|| about(false)).map_or(0, |skip| skip.values);
        allowed
    }

    /// A line that tells what was equal, of `count` values with those that are left out.
    pub fn equal(&self, output: &str, count: usize, golden: &Path) -> String {
        let (golden, skip) = (golden.display(), self.skip);
        match count.saturating_sub(skip) {
            _ if skip == 0 => format!("{output}: {count} values equal {golden}"),
            0 => format!(
                "{output}: --skip {skip} leaves out all {count} values, none is compared with {golden}"
            ),
            compared => format!("{output}: {compared} values after the first {skip} equal {golden}"),
        }
    }
}

/// One number, as the file spells it.
#[derive(Clone, Debug, PartialEq)]
enum Number {
    Integer(i128),
    Real(f64),
}

/// The result of a comparison.
#[derive(Debug, PartialEq)]
pub enum Comparison {
    /// All numbers agree; their count, with those that are left out.
    Equal(usize),
    /// The first difference, as text.
    Different(String),
}

/// Compares the texts `found` and `expected`.
pub fn compare(found: &str, expected: &str, allowed: Allowed) -> Comparison {
    let (found, expected) = match (parse(found), parse(expected)) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(word), _) => return Comparison::Different(format!("`{word}` in the output is no number")),
        (_, Err(word)) => return Comparison::Different(format!("`{word}` in the golden file is no number")),
    };
    let pairs = found.iter().zip(&expected).enumerate().skip(allowed.skip);
    let wrong: Vec<_> = pairs.filter(|(_, (f, e))| !agree(f, e, allowed)).collect();
    if let Some((at, (f, e))) = wrong.first() {
        let more = if wrong.len() > 1 { format!(" ({} differ in all)", wrong.len()) } else { String::new() };
        return Comparison::Different(format!(
            "element {at} is {}, expected {}{more}",
            spelled(f),
            spelled(e)
        ));
    }
    if found.len() != expected.len() {
        return Comparison::Different(format!(
            "there are {} values, expected {}",
            found.len(),
            expected.len()
        ));
    }
    Comparison::Equal(found.len())
}

fn parse(text: &str) -> Result<Vec<Number>, String> {
    text::words(text).map(|word| number(word.text).ok_or_else(|| word.text.to_owned())).collect()
}

fn number(word: &str) -> Option<Number> {
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return i128::from_str_radix(digits, 16).ok().map(Number::Integer);
    }
    word.parse().map(Number::Integer).or_else(|_| word.parse().map(Number::Real)).ok()
}

/// Packet data may be written signed or unsigned: integers that differ by 2^32 have the same bits.
fn agree(found: &Number, expected: &Number, allowed: Allowed) -> bool {
    match (found, expected) {
        (Number::Integer(f), Number::Integer(e)) => {
            let apart = f.abs_diff(*e);
            apart.min(apart.abs_diff(1 << 32)) <= allowed.units.into()
        }
        _ => close(real(found), real(expected), allowed.share),
    }
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    if found.is_nan() || expected.is_nan() {
        return found.is_nan() && expected.is_nan();
    }
    // The golden file has few digits, so near zero the relative difference means nothing.
    found == expected || (found - expected).abs() <= tolerance * found.abs().max(expected.abs()).max(1e-3)
}

#[allow(clippy::cast_precision_loss, reason = "floats are compared with a tolerance")]
const fn real(number: &Number) -> f64 {
    match number {
        Number::Integer(value) => *value as f64,
        Number::Real(value) => *value,
    }
}

fn spelled(number: &Number) -> String {
    match number {
        Number::Integer(value) => value.to_string(),
        Number::Real(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOATS: Allowed = Allowed { share: 1e-5, ..Allowed::NOTHING };

    #[test]
    fn integers_may_differ_by_units_and_floats_by_a_share() {
        let units = Allowed { units: 1, ..Allowed::NOTHING };
        assert_eq!(compare("-1 7 4294967295", "0 6 0", units), Comparison::Equal(3));
        assert!(matches!(compare("8", "6", units), Comparison::Different(_)));
        assert!(matches!(compare("0.5", "0.6", units), Comparison::Different(_)));
        assert_eq!(Tolerance::parse("1"), Ok(Tolerance::Units(1)));
        assert_eq!(Tolerance::parse("0"), Ok(Tolerance::Share(0.0)));
        assert_eq!(Tolerance::parse("1e-3"), Ok(Tolerance::Share(1e-3)));
        assert!(
            Tolerance::parse("1.5").is_err()
                && Tolerance::parse("-1").is_err()
                && Tolerance::parse("nan").is_err()
        );
    }

    #[test]
    fn the_first_values_can_be_left_out() {
        let two = Allowed { skip: 2, ..Allowed::NOTHING };
        assert_eq!(compare("9 9 3", "1 2 3", two), Comparison::Equal(3));
        assert!(
            matches!(compare("9 9 4", "1 2 3", two), Comparison::Different(how) if how.starts_with("element 2 is 4"))
        );
        assert!(matches!(compare("9 9 3 4", "1 2 3", two), Comparison::Different(_)));
        assert_eq!(two.equal("o", 9, Path::new("g")), "o: 7 values after the first 2 equal g");
        let none = "o: --skip 2 leaves out all 2 values, none is compared with g";
        assert_eq!(two.equal("o", 2, Path::new("g")), none);
        let skips = ["7", "a=1", "b=2"].map(|text| Skip::parse(text).expect("a number"));
        assert_eq!(Allowed::of(&[], &skips, |name| name == "b").skip, 2);
        assert_eq!(Allowed::of(&[], &skips, |name| name == "c").skip, 7);
        assert!(Skip::parse("a=").is_err());
    }

    #[test]
    fn layout_and_marks_do_not_matter() {
        assert_eq!(
            compare("1 2\n3 4\n", "T 12 ns\n1\n2\nTLAST\n3\n4", Allowed::NOTHING),
            Comparison::Equal(4)
        );
    }

    #[test]
    fn integers_are_compared_exactly_and_floats_closely() {
        assert_eq!(
            compare("16777217", "16777216", FLOATS),
            Comparison::Different("element 0 is 16777217, expected 16777216".into())
        );
        assert_eq!(compare("0.1000001 nan", "0.1 nan", FLOATS), Comparison::Equal(2));
        assert_eq!(
            compare("0.11", "0.1", FLOATS),
            Comparison::Different("element 0 is 0.11, expected 0.1".into())
        );
    }

    #[test]
    fn signed_and_unsigned_headers_are_the_same_bits() {
        assert_eq!(compare("2147483648", "-2147483648", Allowed::NOTHING), Comparison::Equal(1));
    }

    #[test]
    fn a_different_number_of_values_is_a_difference() {
        assert_eq!(
            compare("1 2", "1", Allowed::NOTHING),
            Comparison::Different("there are 2 values, expected 1".into())
        );
    }
}
