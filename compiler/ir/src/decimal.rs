//! Numbers with digits behind the point, kept exactly as the design writes them.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A number of at most 18 digits behind the point: `digits / 10^places`, without zeros at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    digits: i64,
    places: u32,
}

/// Most digits behind the point: ten to this power fits 64 bits, and a `float` has fewer digits.
const MOST_PLACES: u32 = 18;

impl Decimal {
    /// The number that `text` is: digits, perhaps with a sign in front and a point among them.
    /// Returns None when the text is no number, or has more digits than 64 bits hold.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, behind) = text.split_once('.').unwrap_or((text, "0"));
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole.trim_start_matches(['-', '+'])) || !all_digits(behind) {
            return None;
        }
        let behind = behind.trim_end_matches('0');
        let places = u32::try_from(behind.len()).ok().filter(|&places| places <= MOST_PLACES)?;
        let digits = format!("{whole}{behind}").parse().ok()?;
        Some(Self { digits, places })
    }

    /// The number with the other sign. Returns None when 64 bits do not hold it.
    #[must_use]
    pub fn negated(self) -> Option<Self> {
        self.digits.checked_neg().map(|digits| Self { digits, ..self })
    }

    /// The whole number that it is, if it is one.
    pub const fn whole(self) -> Option<i64> {
        if self.places == 0 { Some(self.digits) } else { None }
    }

    /// The nearest number of 64 bits of floating point.
    pub fn nearest(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// A literal of the C++ type `float`, such as `0.25f`.
    pub fn literal(self) -> String {
        let point = if self.places == 0 { ".0" } else { "" };
        format!("{self}{point}f")
    }
}

impl From<i64> for Decimal {
    fn from(digits: i64) -> Self {
        Self { digits, places: 0 }
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
        ] {
            let decimal = Decimal::parse(text).expect("a decimal");
            assert_eq!((decimal.to_string(), decimal.literal()), (printed.to_owned(), literal.to_owned()));
            assert_eq!(Decimal::parse(printed), Some(decimal), "{text}");
        }
    }

    #[test]
    fn other_text_is_no_decimal() {
        for text in ["", ".", "1.", ".5", "1e3", "--1", "+-1.0", "0x10", "9999999999999999999.5"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::parse("0.0000000000000000001"), None);
    }

    #[test]
    fn whole_numbers_are_decimals_and_back() {
        assert_eq!(Decimal::from(-3).whole(), Some(-3));
        assert_eq!(Decimal::parse("2.50").and_then(Decimal::whole), None);
        assert_eq!(Decimal::parse("1.5").and_then(Decimal::negated), Decimal::parse("-1.5"));
        assert_eq!(Decimal::from(i64::MIN).negated(), None);
    }
}
