//! `docs/limits.md` says what the device files and the catalogue say: it cannot rot.

use std::collections::BTreeSet;

use aiec_diag::catalogue;
use toml::{Table, Value};

const PAGE: &str = include_str!("../../../docs/limits.md");

/// A row of the page's tables.
struct Row {
    number: &'static str,
    keys: Vec<&'static str>,
    confidence: &'static str,
    checked: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = PAGE.lines().filter(|line| line.starts_with("| "));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let rows: Vec<Row> = cells
        .filter(|cells| cells[0] != "limit")
        .map(|cells| {
            assert_eq!(cells.len(), 7, "{cells:?}");
            Row { number: cells[1], keys: quoted(cells[2]), confidence: cells[4], checked: cells[5] }
        })
        .collect();
    assert!(rows.len() > 50);
    rows
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn device() -> Table {
    aiec_device::builtin_text("xcvc1902").expect("built in").parse().expect("TOML")
}

fn value<'t>(table: &'t Table, key: &str) -> Option<&'t Value> {
    let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    match (table.get(first)?, rest) {
        (Value::Table(inner), Some(rest)) => value(inner, rest),
        (found, None) => Some(found),
        _ => None,
    }
}

/// The value as the page writes it, for values that are written out.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_integer().map(|number| number.to_string()))
            .collect::<Option<Vec<_>>>()
            .map(|numbers| numbers.join(", ")),
        _ => None,
    }
}

/// Every key of a device file down to where sections end.
fn keys(table: &Table, prefix: &str) -> Vec<String> {
    let section = |key: &str| matches!(key, "addresses" | "lock_ids" | "pl_columns" | "masters" | "slaves");
    let one = |(key, value): (&String, &Value)| match value {
        Value::Table(inner) if !section(key) => keys(inner, &format!("{prefix}{key}.")),
        _ => vec![format!("{prefix}{key}")],
    };
    table.iter().flat_map(one).collect()
}

#[test]
fn every_key_exists_and_has_the_number_of_the_page() {
    let device = device();
    for row in rows() {
        assert!(!row.keys.is_empty(), "no key for {}", row.number);
        let values =
            row.keys.iter().map(|key| value(&device, key).unwrap_or_else(|| panic!("no key `{key}`")));
        let Some(numbers) = values.map(written).collect::<Option<Vec<_>>>() else { continue };
        assert_eq!(row.number, numbers.join(" / "), "{:?}", row.keys);
    }
}

#[test]
fn every_key_of_a_device_file_is_on_the_page() {
    let about = ["name", "description", "arch", "supported", "support"];
    let said: BTreeSet<&str> = rows().into_iter().flat_map(|row| row.keys).chain(about).collect();
    let missing: Vec<String> =
        keys(&device(), "").into_iter().filter(|key| !said.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "docs/limits.md lacks {missing:?}");
}

#[test]
fn every_slug_is_in_the_catalogue() {
    for row in rows() {
        let slugs = quoted(row.checked);
        assert!(!slugs.is_empty() || row.checked == "not checked yet", "{:?}: {}", row.keys, row.checked);
        for slug in slugs {
            assert!(catalogue::find(slug).is_some(), "no diagnostic `{slug}`");
        }
    }
    for slug in quoted(PAGE).into_iter().filter(|text| text.contains('/') && !text.contains(' ')) {
        assert!(catalogue::find(slug).is_some(), "no diagnostic `{slug}`");
    }
}

#[test]
fn doubts_of_the_device_file_are_on_the_page() {
    let text = aiec_device::builtin_text("xcvc1902").expect("built in");
    let mut section = String::new();
    let mut doubts = Vec::new();
    for line in text.lines() {
        if let Some((name, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            section = format!("{name}.");
        }
        let doubt = ["one source", "inferred"].into_iter().find(|word| line.contains(&format!("{word}]")));
        if let (Some(doubt), Some((key, _)), false) = (doubt, line.split_once(" = "), line.starts_with('#')) {
            doubts.push((format!("{section}{key}"), doubt));
        }
    }
    assert!(doubts.len() >= 10, "{doubts:?}");
    for row in rows() {
        assert!(matches!(row.confidence, "certain" | "one source" | "inferred"), "{}", row.confidence);
        for (key, doubt) in doubts.iter().filter(|(key, _)| row.keys.contains(&key.as_str())) {
            assert_eq!(row.confidence, *doubt, "{key}");
        }
    }
}
