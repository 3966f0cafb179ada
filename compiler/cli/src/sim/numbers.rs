//! Files of numbers: what a run wrote against what it should have written. Integers must be equal, floats close; the
//! layout, TLAST marks and the time stamps of other simulators do not matter.

/// One number as the file spells it.
#[derive(Clone, Debug, PartialEq)]
enum Number {
    Integer(i128),
    Real(f64),
}

/// How two files of numbers compare.
#[derive(Debug, PartialEq)]
pub(crate) enum Comparison {
    /// All of that many numbers agree.
    Equal(usize),
    /// Where they do not, in words.
    Different(String),
}

/// Compares the texts `found` and `expected`; floats may differ by `tolerance` relative to their magnitude.
pub(crate) fn compare(found: &str, expected: &str, tolerance: f64) -> Comparison {
    let (found, expected) = match (parse(found), parse(expected)) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(word), _) => return Comparison::Different(format!("`{word}` in the output is no number")),
        (_, Err(word)) => return Comparison::Different(format!("`{word}` in the golden file is no number")),
    };
    let pairs = found.iter().zip(&expected).enumerate();
    let wrong: Vec<_> = pairs.filter(|(_, (f, e))| !agree(f, e, tolerance)).collect();
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
    let data = text.lines().filter(|line| {
        let first = line.trim_start();
        !first.starts_with("TLAST") && !first.starts_with("T ") && !first.starts_with('#')
    });
    let words = data.flat_map(|line| line.split([' ', '\t', '\r', ','])).filter(|word| !word.is_empty());
    words.map(|word| number(word).ok_or_else(|| word.to_owned())).collect()
}

fn number(word: &str) -> Option<Number> {
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return i128::from_str_radix(digits, 16).ok().map(Number::Integer);
    }
    word.parse().map(Number::Integer).or_else(|_| word.parse().map(Number::Real)).ok()
}

/// A word of packet data may be spelled signed or unsigned: integers that differ by 2^32 are the same bits.
fn agree(found: &Number, expected: &Number, tolerance: f64) -> bool {
    match (found, expected) {
        (Number::Integer(f), Number::Integer(e)) => f == e || (f - e).unsigned_abs() == 1 << 32,
        _ => close(real(found), real(expected), tolerance),
    }
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    if found.is_nan() || expected.is_nan() {
        return found.is_nan() && expected.is_nan();
    }
    // The golden file has few digits: near zero the magnitude says nothing.
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

    #[test]
    fn layout_and_marks_do_not_matter() {
        assert_eq!(compare("1 2\n3 4\n", "T 12 ns\n1\n2\nTLAST\n3\n4", 0.0), Comparison::Equal(4));
    }

    #[test]
    fn integers_are_compared_exactly_and_floats_closely() {
        assert_eq!(
            compare("16777217", "16777216", 1.0),
            Comparison::Different("element 0 is 16777217, expected 16777216".into())
        );
        assert_eq!(compare("0.1000001 nan", "0.1 nan", 1e-5), Comparison::Equal(2));
        assert_eq!(
            compare("0.11", "0.1", 1e-5),
            Comparison::Different("element 0 is 0.11, expected 0.1".into())
        );
    }

    #[test]
    fn signed_and_unsigned_headers_are_the_same_bits() {
        assert_eq!(compare("2147483648", "-2147483648", 0.0), Comparison::Equal(1));
    }

    #[test]
    fn a_different_number_of_values_is_a_difference() {
        assert_eq!(compare("1 2", "1", 0.0), Comparison::Different("there are 2 values, expected 1".into()));
    }
}
