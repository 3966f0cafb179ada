//! The parts of a JSON text, with the faults of parts that have another form.
//!
//! Names that occur twice in one object count once, by their first occurrence.

use aiec_diag::json::{Fault, Field, Json, Value};
use aiec_diag::{SourceFile, Spanned};

/// The longest part of a text that a message quotes, in characters.
const MOST_QUOTED: usize = 40;

/// The fields of an object. `path` names the object in messages.
pub(super) fn object<'a>(value: &'a Json, path: &str) -> Result<&'a [Field], Fault> {
    match &value.value {
        Value::Object(fields) => Ok(fields),
        _ => Err(unlike(value, path, "an object")),
    }
}

/// The elements of a list.
pub(super) fn list<'a>(value: &'a Json, path: &str) -> Result<&'a [Json], Fault> {
    match &value.value {
        Value::List(values) => Ok(values),
        _ => Err(unlike(value, path, "a list")),
    }
}

/// A string, with its place.
pub(super) fn text(file: &SourceFile, value: &Json, path: &str) -> Result<Spanned<String>, Fault> {
    match &value.value {
        Value::Text(text) => Ok(Spanned::new(text.clone(), file.span_at(value.at.clone()))),
        _ => Err(unlike(value, path, "a string")),
    }
}

/// A list of strings.
pub(super) fn texts(file: &SourceFile, value: &Json, path: &str) -> Result<Vec<Spanned<String>>, Fault> {
    list(value, path)?.iter().map(|value| text(file, value, path)).collect()
}

/// A value that is `true` or `false`. Anything else is a fault.
pub(super) fn flag(value: &Json, path: &str) -> Result<bool, Fault> {
    match &value.value {
        Value::Word(word) if word == "true" => Ok(true),
        Value::Word(word) if word == "false" => Ok(false),
        _ => Err(unlike(value, path, "true or false")),
    }
}

/// A whole number that fits `T`.
pub(super) fn number<T: TryFrom<u64>>(value: &Json, path: &str) -> Result<T, Fault> {
    let number = match &value.value {
        Value::Number(number) => number.parse::<u64>().ok().and_then(|number| T::try_from(number).ok()),
        _ => None,
    };
    number.ok_or_else(|| unlike(value, path, "a whole number of the array's size"))
}

/// The value of the first field called `name`.
pub(super) fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Json> {
    fields.iter().find(|field| field.name == name).map(|field| &field.value)
}

/// The number of a field that may be absent.
pub(super) fn optional<T: TryFrom<u64>>(fields: &[Field], name: &str) -> Result<Option<T>, Fault> {
    field(fields, name).map(|value| number(value, &format!("`{name}`"))).transpose()
}

/// The number of a field of `whole`.
pub(super) fn required<T: TryFrom<u64>>(whole: &Json, fields: &[Field], name: &str) -> Result<T, Fault> {
    optional(fields, name)?
        .ok_or_else(|| Fault { at: whole.at.clone(), reason: format!("`{name}` is missing") })
}

/// The fault of a value that is not `expected`.
fn unlike(value: &Json, path: &str, expected: &str) -> Fault {
    let is = match &value.value {
        Value::Object(_) => "an object".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Text(text) => format!("the string \"{}\"", text.chars().take(MOST_QUOTED).collect::<String>()),
        Value::Number(word) | Value::Word(word) => word.chars().take(MOST_QUOTED).collect(),
    };
    Fault { at: value.at.clone(), reason: format!("{path} is {is}, where {expected} is expected") }
}
