//! Numbers with digits behind the point, kept exactly as the design writes them.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A number with at most [`Decimal::MOST_DIGITS`] digits, at most [`Decimal::MOST_PLACES`] of them
/// behind the point: `digits / 10^places`, without zeros at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    digits: i128,
    places: u32,
}

impl Decimal {
    /// Most digits from the first one that is no zero, of a whole number to its point: ten to this
    /// power fits 128 bits.
    pub const MOST_DIGITS: u32 = 36;
    /// Most digits behind the point. The smallest `float` has 45 zeros there; programs write up to
    /// 19 digits of a number.
    pub const MOST_PLACES: u32 = 64;

    /// The number that `text` is: digits, perhaps with a sign in front, a point among them and an
    /// exponent behind them. Returns None when the text is no number, or has too many digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = parts(text)?;
        let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{behind}");
        let digits = all.trim_end_matches('0');
        let zeros = i32::try_from(all.len() - digits.len()).ok()?;
        let power = exponent?.checked_add(zeros)?.checked_sub(i32::try_from(behind.len()).ok()?)?;
        let significant = digits.trim_start_matches(['-', '+', '0']);
        if significant.is_empty() {
            return Some(Self { digits: 0, places: 0 });
        }
        let behind_point = u32::try_from(-power.min(0)).ok().filter(|&places| places <= Self::MOST_PLACES)?;
        let more = u32::try_from(power.max(0)).ok().filter(|&zeros| zeros <= Self::MOST_DIGITS)?;
        if u32::try_from(significant.len()).ok()? + more > Self::MOST_DIGITS {
            return None;
        }
        Some(Self { digits: digits.parse::<i128>().ok()? * 10_i128.pow(more), places: behind_point })
    }

    /// True if `text` is a number, also one with too many digits.
    pub fn is_number(text: &str) -> bool {
        parts(text).is_some()
    }

    /// The number with the other sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self { digits: -self.digits, ..self }
    }

    /// The whole number of 64 bits that it is, if it is one.
    pub fn whole(self) -> Option<i64> {
        i64::try_from(self.digits).ok().filter(|_| self.places == 0)
    }

    /// The number with a point, as the language writes it.
    pub fn with_point(self) -> String {
        format!("{self}{}", if self.places == 0 { ".0" } else { "" })
    }

    /// The nearest number of 64 bits of floating point.
    pub fn nearest(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// A literal of the C++ type `float`, such as `0.25f`.
    pub fn literal(self) -> String {
        format!("{}f", self.with_point())
    }
}

/// The digits of a number with their sign and point, and the exponent behind them: None when it is
/// out of all range. Returns None when the text is no number.
fn parts(text: &str) -> Option<(&str, Option<i32>)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let unsigned = |part: &str| part.strip_prefix(['-', '+']).unwrap_or(part).to_owned();
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let all = is_digits(&unsigned(whole)) && is_digits(behind) && is_digits(&unsigned(exponent));
    all.then(|| (mantissa, exponent.parse().ok()))
}

impl From<i64> for Decimal {
    fn from(digits: i64) -> Self {
        Self { digits: digits.into(), places: 0 }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = self.places as usize;
        let digits = format!("{:0>1$}", self.digits.unsigned_abs(), places + 1);
        let (whole, behind) = digits.split_at(digits.len() - places);
        let sign = if self.digits < 0 { "-" } else { "" };
        let point = if places == 0 { "" } else { "." };
        write!(f, "{sign}{whole}{point}{behind}")
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(self.nearest()),
        }
    }
}

/// A constant of numbers with a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decimals {
    /// One number.
    One(Decimal),
    /// A table, which is not empty.
    Table(Arc<[Decimal]>),
}

impl Decimals {
    /// Its numbers in their order.
    pub fn numbers(&self) -> &[Decimal] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Table(numbers) => numbers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn decimals_are_exact_and_have_no_zeros_at_the_end() {
        for (text, printed, literal) in [
            ("0.5", "0.5", "0.5f"),
            ("-12.250", "-12.25", "-12.25f"),
            ("-0.05", "-0.05", "-0.05f"),
            ("3.0", "3", "3.0f"),
            ("7", "7", "7.0f"),
            ("0.000000000000000001", "0.000000000000000001", "0.000000000000000001f"),
            // As numpy.savetxt writes them.
            ("1.000000000000000021e-03", "0.001000000000000000021", "0.001000000000000000021f"),
            ("-9.499999999999999556e-01", "-0.9499999999999999556", "-0.9499999999999999556f"),
            ("2.500000000000000000e+02", "250", "250.0f"),
            ("1E30", "1000000000000000000000000000000", "1000000000000000000000000000000.0f"),
            ("0e99", "0", "0.0f"),
        ] {
            let decimal = Decimal::parse(text).expect("a decimal");
            assert_eq!((decimal.to_string(), decimal.literal()), (printed.to_owned(), literal.to_owned()));
            assert_eq!(Decimal::parse(printed), Some(decimal), "{text}");
        }
    }

    #[test]
    fn other_text_is_no_decimal() {
        for text in ["", ".", "1.", ".5", "1e", "1e+-3", "e3", "--1", "+-1.0", "0x10", "1.5f"] {
            assert_eq!((Decimal::parse(text), Decimal::is_number(text)), (None, false), "{text}");
        }
        for text in ["1e36", "1e-65", "1e99999999999", "1234567890123456789012345678901234567.5"] {
            assert_eq!((Decimal::parse(text), Decimal::is_number(text)), (None, true), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_decimals_and_back() {
        assert_eq!(Decimal::from(-3).whole(), Some(-3));
        assert_eq!(Decimal::parse("2.50").and_then(Decimal::whole), None);
        assert_eq!(Decimal::parse("1e30").and_then(Decimal::whole), None, "more than 64 bits");
        assert_eq!(Decimal::parse("1.5").map(Decimal::negated), Decimal::parse("-1.5"));
    }
}
