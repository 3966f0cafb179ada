//! Constant tables from text files.

use aiec_diag::{Diagnostic, Spanned};
use aiec_ir::{Decimal, Design};

use crate::errors;
use crate::eval::Value;
use crate::modules::Texts;
use crate::scalar::{Scalar, table_of};

/// The numbers of the file at `path`, which is called `name` among the texts: decimal numbers
/// between blanks, commas and line ends.
///
/// # Errors
/// A diagnostic at the first word of the file that is no number, or at `path` in the design.
pub fn table(path: &Spanned<String>, name: &str, texts: Option<&Texts>) -> Result<Value, Diagnostic> {
    let file = match texts.and_then(|texts| texts.get(name)) {
        Some(Ok(file)) => file,
        Some(Err(reason)) => return Err(errors::unread_table(path.span, &path.value, reason)),
        None => return Err(errors::unread_table(path.span, &path.value, "only `aiec` itself reads files")),
    };
    let words = words(&file.text).map(|(start, word)| {
        let span = file.span_at(start..start + word.len());
        number(word).ok_or_else(|| errors::bad_number(span, word, path.span))
    });
    let numbers = words.take(Design::MAX_TABLE + 1).collect::<Result<Vec<Scalar>, _>>()?;
    match numbers.len() {
        0 => Err(errors::unread_table(path.span, &path.value, "it holds no number")),
        count if count > Design::MAX_TABLE => Err(errors::long_table(path.span, count)),
        _ => Ok(table_of(&numbers)),
    }
}

/// A whole number, or one with a point or an exponent.
fn number(word: &str) -> Option<Scalar> {
    match word.contains(['.', 'e', 'E']) {
        true => Decimal::parse(word).map(Scalar::Decimal),
        false => word.parse().ok().map(Scalar::Whole),
    }
}

/// The words of a text with their first bytes.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_gap = |c: char| c.is_ascii_whitespace() || c == ',' || c == '\u{FEFF}';
    let start = text.as_ptr() as usize;
    text.split(is_gap).filter(|word| !word.is_empty()).map(move |word| (word.as_ptr() as usize - start, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_diag::{SourceFile, SourceId, Span};

    fn read(text: &str) -> Result<Vec<String>, String> {
        let file = SourceFile { id: SourceId(1), name: "t.txt".into(), text: text.into() };
        let texts: Texts = [("t.txt".to_owned(), Ok(file))].into();
        let path = Spanned::new("t.txt".to_owned(), Span::new(SourceId(0), 0, 7));
        let place = |d: Diagnostic| d.span().map(|span| format!("{} at {}", d.message, span.start));
        table(&path, "t.txt", Some(&texts))
            .map(|table| match table {
                Value::Table(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Value::Decimals(numbers) => numbers.iter().map(|number| number.literal()).collect(),
                Value::Number(_) | Value::Decimal(_) => Vec::new(),
            })
            .map_err(|d| place(d).unwrap_or_default())
    }

    #[test]
    fn numbers_stand_between_blanks_commas_and_lines() {
        assert_eq!(
            read("3, -9,11\r\n\t4 +5,\n"),
            Ok(["3", "-9", "11", "4", "5"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn one_number_with_a_point_makes_decimals_of_all() {
        assert_eq!(read("0.25 -1 .5"), Err("`.5` is no number of this language at 8".into()));
        assert_eq!(read("0.25 -1"), Ok(["0.25f", "-1.0f"].map(str::to_owned).to_vec()));
        assert_eq!(read("5e-1 1e3"), Ok(["0.5f", "1000.0f"].map(str::to_owned).to_vec()));
    }

    #[test]
    fn a_bad_word_has_its_place() {
        assert_eq!(read("1\n2 x3"), Err("`x3` is no number of this language at 4".into()));
        assert_eq!(
            read("9223372036854775808"),
            Err("`9223372036854775808` does not fit 64 bits at 0".into())
        );
        assert_eq!(read("1e-99"), Err("`1e-99` has too many digits at 0".into()));
    }

    #[test]
    fn a_table_has_numbers_and_not_too_many() {
        assert!(read(" \n,").is_err_and(|message| message.contains("it holds no number")));
        assert!(read(&"1 ".repeat(Design::MAX_TABLE)).is_ok());
        assert!(read(&"1 ".repeat(Design::MAX_TABLE + 1)).is_err());
    }
}
