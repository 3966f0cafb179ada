//! The parts of a constraint file, with the faults of parts that have another form.
//!
//! Names that occur twice in one object count once, by their first occurrence.

use aiec_diag::json::{Fault, Field, Json, Value, field};
use aiec_diag::{SourceFile, Spanned};

/// A string, with its place.
pub(super) fn text(file: &SourceFile, value: &Json, path: &str) -> Result<Spanned<String>, Fault> {
    Ok(Spanned::new(value.text(path)?.to_owned(), file.span_at(value.at.clone())))
}

/// A list of strings.
pub(super) fn texts(file: &SourceFile, value: &Json, path: &str) -> Result<Vec<Spanned<String>>, Fault> {
    value.list(path)?.iter().map(|value| text(file, value, path)).collect()
}

/// A value that is `true` or `false`. Anything else is a fault.
pub(super) fn flag(value: &Json, path: &str) -> Result<bool, Fault> {
    match &value.value {
        Value::Word(word) if word == "true" => Ok(true),
        Value::Word(word) if word == "false" => Ok(false),
        _ => Err(value.unlike(path, "true or false")),
    }
}

/// The number of a field that may be absent.
pub(super) fn optional<T: TryFrom<u64>>(fields: &[Field], name: &str) -> Result<Option<T>, Fault> {
    field(fields, name).map(|value| value.number(&format!("`{name}`"))).transpose()
}

/// The number of a field of `whole`.
pub(super) fn required<T: TryFrom<u64>>(whole: &Json, fields: &[Field], name: &str) -> Result<T, Fault> {
    optional(fields, name)?
        .ok_or_else(|| Fault { at: whole.at.clone(), reason: format!("`{name}` is missing") })
}
