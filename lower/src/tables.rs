//! Constant tables from text files.

use aiec_diag::{Diagnostic, SourceFile, Span, Spanned};
use aiec_ir::Design;

use crate::errors;
use crate::eval::Table;
use crate::modules::Texts;

/// The numbers of the file at `path`, which is called `name` among the texts: whole numbers between
/// blanks, commas and line ends.
///
/// # Errors
/// A diagnostic at the first word of the file that is no number, or at `path` in the design.
pub fn table(path: &Spanned<String>, name: &str, texts: Option<&Texts>) -> Result<Table, Diagnostic> {
    let file = match texts.and_then(|texts| texts.get(name)) {
        Some(Ok(file)) => file,
        Some(Err(reason)) => return Err(errors::unread_table(path.span, &path.value, reason)),
        None => return Err(errors::unread_table(path.span, &path.value, "only `aiec` itself reads files")),
    };
    let words = words(&file.text).map(|(start, word)| {
        let span = span_of(file, start, start + word.len());
        word.parse::<i64>().map_err(|_| errors::bad_number(span, word, path.span))
    });
    let numbers = words.take(Design::MAX_TABLE + 1).collect::<Result<Vec<i64>, _>>()?;
    match numbers.len() {
        0 => Err(errors::unread_table(path.span, &path.value, "it holds no number")),
        count if count > Design::MAX_TABLE => Err(errors::long_table(path.span, count)),
        _ => Ok(numbers.into()),
    }
}

/// The words of a text with their first bytes.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_gap = |c: char| c.is_ascii_whitespace() || c == ',' || c == '\u{FEFF}';
    let start = text.as_ptr() as usize;
    text.split(is_gap).filter(|word| !word.is_empty()).map(move |word| (word.as_ptr() as usize - start, word))
}

fn span_of(file: &SourceFile, start: usize, end: usize) -> Span {
    let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(file.id, clip(start), clip(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_diag::SourceId;

    fn read(text: &str) -> Result<Vec<i64>, String> {
        let file = SourceFile { id: SourceId(1), name: "t.txt".into(), text: text.into() };
        let texts: Texts = [("t.txt".to_owned(), Ok(file))].into();
        let path = Spanned::new("t.txt".to_owned(), Span::new(SourceId(0), 0, 7));
        let place = |d: Diagnostic| d.span().map(|span| format!("{} at {}", d.message, span.start));
        table(&path, "t.txt", Some(&texts))
            .map(|table| table.to_vec())
            .map_err(|d| place(d).unwrap_or_default())
    }

    #[test]
    fn numbers_stand_between_blanks_commas_and_lines() {
        assert_eq!(read("3, -9,11\r\n\t4 +5,\n"), Ok(vec![3, -9, 11, 4, 5]));
    }

    #[test]
    fn a_bad_word_has_its_place() {
        assert_eq!(read("1\n2 x3"), Err("`x3` is no whole number of 64 bits at 4".into()));
        assert_eq!(read("1.5"), Err("`1.5` is no whole number of 64 bits at 0".into()));
        assert!(read("9223372036854775808").is_err());
    }

    #[test]
    fn a_table_has_numbers_and_not_too_many() {
        assert!(read(" \n,").is_err_and(|message| message.contains("it holds no number")));
        assert!(read(&"1 ".repeat(Design::MAX_TABLE)).is_ok());
        assert!(read(&"1 ".repeat(Design::MAX_TABLE + 1)).is_err());
    }
}
