//! Validation against JSON Schema: the keywords that the schemas of the tests use. Others are
//! refused, so that no rule is left out in silence.

use serde_json::{Map, Value};

/// Every place where `value` breaks the schema `root`.
///
/// ```
/// let schema = serde_json::json!({ "type": "array", "items": { "type": "string" } });
/// assert!(aiec_tests::schema::faults(&schema, &serde_json::json!(["a"]), "list").is_empty());
/// assert_eq!(aiec_tests::schema::faults(&schema, &serde_json::json!(["a", 1]), "list").len(), 1);
/// ```
///
/// # Panics
/// If the schema has a keyword or reference that is not known here.
pub fn faults(root: &Value, value: &Value, at: &str) -> Vec<String> {
    Validation { root }.faults(root, value, at)
}

struct Validation<'a> {
    root: &'a Value,
}

#[allow(clippy::expect_used, clippy::panic, reason = "the schemas are those of the tests")]
impl Validation<'_> {
    fn faults(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let rules = schema.as_object().expect("a schema is an object");
        rules.iter().flat_map(|(keyword, rule)| self.fault(rules, keyword, rule, value, at)).collect()
    }

    fn fault(
        &self,
        rules: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        value: &Value,
        at: &str,
    ) -> Vec<String> {
        let require =
            |holds: bool| if holds { vec![] } else { vec![format!("{at}: {value} breaks {keyword} {rule}")] };
        let fitting =
            || rule.as_array().into_iter().flatten().filter(|one| self.faults(one, value, at).is_empty());
        let number = |compare: fn(&f64, &f64) -> bool| match (value.as_f64(), rule.as_f64()) {
            (Some(value), Some(rule)) => compare(&value, &rule),
            _ => true,
        };
        let length = value.as_array().map(|items| items.len() as u64);
        match keyword {
            "$schema" | "$id" | "$defs" | "definitions" | "title" | "description" | "default" => vec![],
            "$ref" => {
                let pointer = rule.as_str().and_then(|rule| rule.strip_prefix('#'));
                let of = pointer.and_then(|pointer| self.root.pointer(pointer));
                self.faults(of.expect("the reference leads somewhere"), value, at)
            }
            "type" => require(match rule {
                Value::Array(types) => types.iter().any(|one| is_of(one, value)),
                one => is_of(one, value),
            }),
            "const" => require(value == rule),
            "enum" => require(rule.as_array().is_some_and(|allowed| allowed.contains(value))),
            "minimum" => require(number(f64::ge)),
            "maximum" => require(number(f64::le)),
            "minItems" => require(length.is_none_or(|length| Some(length) >= rule.as_u64())),
            "maxItems" => require(length.is_none_or(|length| Some(length) <= rule.as_u64())),
            "uniqueItems" => {
                require(rule == &Value::Bool(false) || value.as_array().is_none_or(|all| is_set(all)))
            }
            "format" => require(value.as_str().is_none_or(|text| has_format(rule, text))),
            "anyOf" => require(fitting().count() > 0),
            "oneOf" => require(fitting().count() == 1),
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.flat_map(|(i, item)| self.faults(rule, item, &format!("{at}[{i}]"))).collect()
            }
            "required" => {
                let names = rule.as_array().expect("a list").iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                missing.map(|name| format!("{at}: {name} is missing")).collect()
            }
            "properties" => {
                let known = rule.as_object().expect("an object").iter();
                let there = known.filter_map(|(name, schema)| Some((name, schema, value.get(name)?)));
                let faults = there
                    .flat_map(|(name, schema, value)| self.faults(schema, value, &format!("{at}.{name}")));
                // A schema that allows fields of later versions describes all of this version.
                let others = rules.get("additionalProperties").is_none();
                let described = rule.as_object().expect("an object");
                let fields = value.as_object().into_iter().flat_map(Map::keys);
                let unknown = fields.filter(|name| others && !described.contains_key(*name));
                faults.chain(unknown.map(|name| format!("{at}: {name} is not described"))).collect()
            }
            "additionalProperties" => {
                let described = rules.get("properties").and_then(Value::as_object);
                let fields = value.as_object().into_iter().flatten();
                let others =
                    fields.filter(|(name, _)| described.is_none_or(|known| !known.contains_key(*name)));
                let fault = |(name, value): (&String, &Value)| match rule {
                    Value::Bool(true) => vec![],
                    Value::Bool(false) => vec![format!("{at}: {name} is not described")],
                    schema => self.faults(schema, value, &format!("{at}.{name}")),
                };
                others.flat_map(fault).collect()
            }
            _ => panic!("{at}: the schema uses {keyword}, which is not known here"),
        }
    }
}

#[allow(clippy::panic, reason = "the schemas are those of the tests")]
fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => panic!("unknown type {name}"),
    }
}

fn is_set(items: &[Value]) -> bool {
    items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
}

/// The characters of RFC 3986, and for `uri` a scheme.
#[allow(clippy::panic, reason = "the schemas are those of the tests")]
fn has_format(name: &Value, text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(c);
    let is_escaped = |rest: &str| rest.get(..2).is_some_and(|two| u8::from_str_radix(two, 16).is_ok());
    let mut parts = text.split('%');
    let is_reference = parts.next().is_some_and(|first| first.chars().all(is_plain))
        && parts.all(|rest| is_escaped(rest) && rest.chars().all(is_plain));
    match name.as_str() {
        Some("uri") => is_reference && text.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/')),
        Some("uri-reference") => is_reference,
        _ => panic!("unknown format {name}"),
    }
}

/// Every place where a text is no log of SARIF 2.1.0 (`tests/sarif/schema.json`).
#[allow(clippy::expect_used, reason = "the schema is that of the tests")]
pub fn faults_of_sarif(text: &str) -> Vec<String> {
    let schema = serde_json::from_str(include_str!("../sarif/schema.json")).expect("JSON");
    match serde_json::from_str(text) {
        Ok(log) => faults(&schema, &log, "log"),
        Err(error) => vec![format!("{error}: {text}")],
    }
}
