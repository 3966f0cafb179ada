//! `docs/limits.md` agrees with the device files and the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::catalogue;
use toml::{Table, Value};

const PAGE: &str = include_str!("../../../docs/limits.md");

/// A row of the page's tables.
struct Row {
    number: &'static str,
    keys: Vec<&'static str>,
    source: &'static str,
    confidence: &'static str,
    checked: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = PAGE.lines().filter(|line| line.starts_with("| "));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let rows: Vec<Row> = cells
        .filter(|cells| cells[0] != "limit" && cells.len() != 6) // limits without a key and connections
        .map(|cells| {
            assert_eq!(cells.len(), 7, "{cells:?}");
            Row {
                number: cells[1],
                keys: quoted(cells[2]),
                source: cells[3],
                confidence: cells[4],
                checked: cells[5],
            }
        })
        .collect();
    assert!(rows.len() > 50);
    rows
}

/// The texts between backticks.
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
    let section =
        |key: &str| matches!(key, "addresses" | "bd_bits" | "lock_ids" | "pl_columns" | "masters" | "slaves");
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

/// The device file's comment on a key: at the end of its line, or else the comment of its section.
fn remarks() -> BTreeMap<String, String> {
    let text = aiec_device::builtin_text("xcvc1902").expect("built in");
    let (mut section, mut about, mut remarks) = (String::new(), "", BTreeMap::new());
    for line in text.lines() {
        let (said, comment) = line.split_once(" #").unwrap_or((line, ""));
        if let Some((name, _)) = said.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            (section, about) = (format!("{name}."), comment);
        } else if let Some(comment) = line.strip_prefix('#') {
            about = comment;
        } else if let Some((key, _)) = said.split_once(" = ") {
            let remark = if comment.is_empty() { about } else { comment };
            remarks.insert(format!("{section}{key}"), remark.to_owned());
        }
    }
    assert!(remarks.len() > 80, "{remarks:?}");
    remarks
}

/// The doubt that a remark states in brackets, if it states one.
fn doubt(remark: &str) -> &'static str {
    let doubts = ["one source", "inferred"];
    doubts.into_iter().find(|word| remark.contains(&format!("{word}]"))).unwrap_or("certain")
}

#[test]
fn the_page_has_the_confidence_of_the_device_file() {
    let remarks = remarks();
    let doubts: BTreeSet<&str> = remarks.values().map(|remark| doubt(remark)).collect();
    assert_eq!(doubts.len(), 3, "all three levels occur");
    for row in rows() {
        for key in &row.keys {
            assert_eq!(row.confidence, doubt(&remarks[*key]), "{key}: {}", remarks[*key]);
        }
    }
}

/// The sources of the page's introduction by a word that names each.
const SOURCES: [&str; 13] = [
    "AM009",
    "UG1076",
    "UG1079",
    "DS957",
    "aie-rt",
    "mlir-aie",
    "XRT",
    "aiecompiler",
    "router",
    "thesis",
    "wrappers",
    "counted",
    "arithmetic",
];

fn sources(text: &str) -> BTreeSet<&'static str> {
    SOURCES.into_iter().filter(|source| text.contains(source)).collect()
}

#[test]
fn the_page_has_the_sources_of_the_device_file() {
    let remarks = remarks();
    let mut wrong = Vec::new();
    for row in rows() {
        let file: BTreeSet<&str> = row.keys.iter().flat_map(|key| sources(&remarks[*key])).collect();
        let page = sources(row.source);
        if page != file || page.is_empty() {
            wrong.push(format!("{:?}: page {page:?}, device file {file:?}", row.keys));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
