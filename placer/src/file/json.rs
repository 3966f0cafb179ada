//! A JSON parser whose values know their byte ranges.
//!
//! Takes the text of a file. Returns its value, each part with its bytes in the text, or the fault
//! and its position. Objects keep duplicate names, in order. The grammar is RFC 8259, nested at
//! most [`DEEPEST`] deep.

use std::ops::Range;

/// Maximum nesting of objects and lists: more than any file of aiec has, and few enough for any
/// stack.
const DEEPEST: usize = 32;

/// A value and its bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Json {
    pub(super) at: Range<usize>,
    pub(super) value: Value,
}

/// The kind and content of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Object(Vec<Field>),
    List(Vec<Json>),
    Text(String),
    /// As written.
    Number(String),
    /// `true`, `false` or `null`, as written.
    Word(&'static str),
}

/// A name of an object with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    /// The bytes of the name.
    pub(super) at: Range<usize>,
    pub(super) value: Json,
}

/// The fault in a text, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: Range<usize>,
    pub(super) reason: String,
}

/// Parses `text`.
pub(super) fn parse(text: &str) -> Result<Json, Fault> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0, "a value")?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.expected("the end of the file")),
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Offset of the next byte.
    at: usize,
}

impl Reader<'_> {
    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text[self.at..].chars().next()
    }

    /// The fault that `what` was expected here.
    fn expected(&mut self, what: &str) -> Fault {
        match self.peek() {
            None => {
                let last = self.text.trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
                let reason = format!("the text ends where {what} is expected");
                Fault { at: last..self.text.len(), reason }
            }
            Some(found) => {
                let shown =
                    if found.is_control() { found.escape_debug().to_string() } else { found.to_string() };
                let reason = format!("`{shown}` stands where {what} is expected");
                Fault { at: self.at..self.at + found.len_utf8(), reason }
            }
        }
    }

    fn value(&mut self, depth: usize, what: &str) -> Result<Json, Fault> {
        let start = self.peek().map(|first| (self.at, first));
        let value = match start {
            Some((at, '{' | '[')) if depth >= DEEPEST => {
                let reason = format!("objects and lists are nested more than {DEEPEST} deep");
                return Err(Fault { at: at..at + 1, reason });
            }
            Some((_, '{')) => self.object(depth)?,
            Some((_, '[')) => self.list(depth)?,
            Some((_, '"')) => Value::Text(self.text(what)?),
            Some((_, '-' | '0'..='9')) => self.number()?,
            _ => self.word(what)?,
        };
        let from = start.map_or(self.at, |(at, _)| at);
        Ok(Json { at: from..self.at, value })
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut fields = Vec::new();
        self.at += 1;
        if self.take('}') {
            return Ok(Value::Object(fields));
        }
        loop {
            self.peek();
            let from = self.at;
            let name = self.text("a name in quotes")?;
            let at = from..self.at;
            if !self.take(':') {
                return Err(self.expected("`:`"));
            }
            let value = self.value(depth + 1, &format!("the value of `{name}`"))?;
            fields.push(Field { name, at, value });
            if self.take('}') {
                return Ok(Value::Object(fields));
            }
            if !self.take(',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut values = Vec::new();
        self.at += 1;
        if self.take(']') {
            return Ok(Value::List(values));
        }
        loop {
            values.push(self.value(depth + 1, "a value")?);
            if self.take(']') {
                return Ok(Value::List(values));
            }
            if !self.take(',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    /// Consumes `c` if it is next. Returns true if so.
    fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += if there { c.len_utf8() } else { 0 };
        there
    }

    /// A string in quotes, with its escapes resolved.
    fn text(&mut self, what: &str) -> Result<String, Fault> {
        if self.peek() != Some('"') {
            return Err(self.expected(what));
        }
        let (from, mut escaped) = (self.at, false);
        let end = self.text[from + 1..].char_indices().find(|&(_, c)| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let Some((length, _)) = end else {
            return Err(Fault {
                at: from..from + 1,
                reason: "the quotes that open here are not closed".to_owned(),
            });
        };
        self.at = from + 1 + length + 1;
        let at = from..self.at;
        serde_json::from_str(&self.text[at.clone()]).map_err(|_| {
            let reason = "this text has a line break or an escape that JSON does not have".to_owned();
            Fault { at, reason }
        })
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let from = self.at;
        let rest = &self.text[from..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
        self.at = from + end.unwrap_or(rest.len());
        let number = &self.text[from..self.at];
        match serde_json::from_str::<serde_json::Number>(number) {
            Ok(_) => Ok(Value::Number(number.to_owned())),
            Err(_) => Err(Fault { at: from..self.at, reason: format!("`{number}` is no number") }),
        }
    }

    fn word(&mut self, what: &str) -> Result<Value, Fault> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let known = ["true", "false", "null"].into_iter().find(|word| *word == &rest[..end]);
        let Some(word) = known else { return Err(self.expected(what)) };
        self.at += end;
        Ok(Value::Word(word))
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
            ("", "the text ends where a value is expected", ""),
            ("{\"a\": [1, 2}", "`}` stands where `,` or `]` is expected", "}"),
            ("{\"a\": 1", "the text ends where `,` or `}` is expected", "1"),
            ("{\"a\": one}", "`o` stands where the value of `a` is expected", "o"),
            ("{a: 1}", "`a` stands where a name in quotes is expected", "a"),
            ("{\"a\" 1}", "`1` stands where `:` is expected", "1"),
            ("[1.]", "`1.` is no number", "1."),
            ("[\"a", "the quotes that open here are not closed", "\""),
            ("[\"\\x\"]", "this text has a line break or an escape that JSON does not have", "\"\\x\""),
            ("[] []", "`[` stands where the end of the file is expected", "["),
        ];
        for (text, reason, at) in cases {
            assert_eq!(fault(text), (reason.to_owned(), at.to_owned()), "{text}");
        }
        assert!(fault(&"[".repeat(100_000)).0.contains("nested more than 32 deep"));
    }
}
