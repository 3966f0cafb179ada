//! JSON values that know their byte ranges.
//!
//! Takes the text of a file. Returns its value, each part with its bytes in the text, or the fault
//! and its position. Objects keep duplicate names, in order.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Maximum nesting of objects and lists: more than any file of aiec has, and few enough for any
/// stack.
const DEEPEST: usize = 32;

/// A value and its bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// Its bytes in the text.
    pub at: Range<usize>,
    /// What these bytes spell.
    pub value: Value,
}

/// The kind and content of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Names with values, in the order of the text.
    Object(Vec<Field>),
    /// Values in brackets, in order.
    List(Vec<Json>),
    /// A string without its quotes and escapes.
    Text(String),
    /// As written.
    Number(String),
    /// `true`, `false` or `null`, as written.
    Word(String),
}

/// A name of an object with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name without its quotes and escapes.
    pub name: String,
    /// The bytes of the name.
    pub at: Range<usize>,
    /// What stands behind the colon.
    pub value: Json,
}

/// The longest part of a text that a message quotes, in characters.
const MOST_QUOTED: usize = 40;

/// The content of a value that must have one form. `path` names the value in the fault of a value
/// that has another form, as in `` `stack` of `worker[0]` ``.
impl Json {
    /// The fields of an object.
    ///
    /// # Errors
    /// Returns the fault of a value that is no object.
    pub fn object(&self, path: &str) -> Result<&[Field], Fault> {
        match &self.value {
            Value::Object(fields) => Ok(fields),
            _ => Err(self.unlike(path, "an object")),
        }
    }

    /// The elements of a list.
    ///
    /// # Errors
    /// Returns the fault of a value that is no list.
    pub fn list(&self, path: &str) -> Result<&[Self], Fault> {
        match &self.value {
            Value::List(values) => Ok(values),
            _ => Err(self.unlike(path, "a list")),
        }
    }

    /// A string.
    ///
    /// # Errors
    /// Returns the fault of a value that is no string.
    pub fn text(&self, path: &str) -> Result<&str, Fault> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.unlike(path, "a string")),
        }
    }

    /// A whole number that fits the unsigned type `T`.
    ///
    /// # Errors
    /// Returns the fault of a value that is no such number.
    pub fn number<T: TryFrom<u64>>(&self, path: &str) -> Result<T, Fault> {
        let whole = match &self.value {
            Value::Number(number) => number.parse::<u64>().ok().and_then(|number| T::try_from(number).ok()),
            _ => None,
        };
        let most = u64::MAX >> (64 - 8 * size_of::<T>().min(8));
        whole.ok_or_else(|| self.unlike(path, &format!("a whole number from 0 to {most}")))
    }

    /// The fault of a value that is not `expected`.
    pub fn unlike(&self, path: &str, expected: &str) -> Fault {
        let quoted = |text: &str| text.chars().take(MOST_QUOTED).collect::<String>();
        let is = match &self.value {
            Value::Object(_) => "an object".to_owned(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Text(text) => format!("the string \"{}\"", quoted(text).escape_debug()),
            Value::Number(number) => format!("the number {}", quoted(number)),
            Value::Word(word) => format!("`{}`", quoted(word)),
        };
        Fault { at: self.at.clone(), reason: format!("{path} is {is}, where {expected} is expected") }
    }
}

/// The value of the first field called `name`.
pub fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Json> {
    fields.iter().find(|field| field.name == name).map(|field| &field.value)
}

/// The fault in a text, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes of the text that are at fault.
    pub at: Range<usize>,
    /// The reason, as a clause.
    pub reason: String,
}

/// Parses `text`.
///
/// # Errors
/// Returns the first fault of a text that is no JSON, or whose values are nested too deep.
pub fn parse(text: &str) -> Result<Json, Fault> {
    json(text, part(text, text)?, 0)
}

/// The value of a part of `text`.
fn json(text: &str, raw: &RawValue, depth: usize) -> Result<Json, Fault> {
    let at = range(text, raw);
    if depth > DEEPEST {
        let reason = format!("objects and lists are nested more than {DEEPEST} deep");
        return Err(Fault { at: at.start..at.start + 1, reason });
    }
    let written = raw.get();
    let value = match written.as_bytes().first() {
        Some(b'{') => {
            let field = |(name, value): (&RawValue, &RawValue)| {
                let at = range(text, name);
                Ok(Field { name: part(text, name.get())?, at, value: json(text, value, depth + 1)? })
            };
            let Entries(entries) = part(text, written)?;
            Value::Object(entries.into_iter().map(field).collect::<Result<_, Fault>>()?)
        }
        Some(b'[') => {
            let list: Vec<&RawValue> = part(text, written)?;
            let values = list.into_iter().map(|value| json(text, value, depth + 1));
            Value::List(values.collect::<Result<_, Fault>>()?)
        }
        Some(b'"') => Value::Text(part(text, written)?),
        Some(b'-' | b'0'..=b'9') => Value::Number(written.to_owned()),
        _ => Value::Word(written.to_owned()),
    };
    Ok(Json { at, value })
}

/// The bytes of a part of `text`.
fn range(text: &str, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + raw.get().len()
}

/// What the parser says, without its place: it counts lines from the text that it was given.
pub fn reason(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.split(" at line ").next().unwrap_or(&words).to_owned()
}

/// Reads a part of `text`.
fn part<'a, T: Deserialize<'a>>(text: &str, part: &'a str) -> Result<T, Fault> {
    serde_json::from_str(part).map_err(|error| {
        let before = part.as_ptr().addr() - text.as_ptr().addr();
        let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
        let from = before + lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let last = text.trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
        let start = (0..=from.min(last)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let length = text[start..].chars().next().map_or(0, char::len_utf8);
        Fault { at: start..start + length, reason: reason(&error) }
    })
}

/// The names and values of an object.
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fault, and the faulty text.
    fn fault(text: &str) -> (String, String) {
        let fault = parse(text).expect_err("no JSON");
        (fault.reason, text[fault.at].to_owned())
    }

    #[test]
    fn values_know_where_they_stand() {
        let text = r#" {"a": [1, "é\n"], "a": null} "#;
        let Value::Object(fields) = parse(text).expect("JSON").value else { unreachable!("an object") };
        let parts: Vec<(&str, &str)> =
            fields.iter().map(|f| (&text[f.at.clone()], &text[f.value.at.clone()])).collect();
        assert_eq!(parts, [("\"a\"", r#"[1, "é\n"]"#), ("\"a\"", "null")], "names that occur twice are kept");
        let Value::List(list) = &fields[0].value.value else { unreachable!("a list") };
        assert_eq!(list[1].value, Value::Text("é\n".to_owned()));
    }

    #[test]
    fn what_is_no_json_is_pointed_at() {
        let cases = [
            ("", "EOF while parsing a value", ""),
            ("{\n\"a\": [1, 2}", "expected `,` or `]`", "}"),
            ("{\"a\": é}", "expected value", "é"),
            ("{a: 1}", "key must be a string", "a"),
            ("[] []", "trailing characters", "["),
        ];
        for (text, reason, at) in cases {
            assert_eq!(fault(text), (reason.to_owned(), at.to_owned()), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(fault(&deep).0.contains("nested more than 32 deep"));
    }
}
