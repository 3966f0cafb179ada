//! Every built-in device is sound, and every rule of the self-check can fail.

use std::collections::BTreeSet;

use aiec_diag::{Outcome, SourceFile, SourceId};

use super::{RULES, TOTALS, broken, faults};
use crate::{Device, builtin, builtin_names, builtin_text, parse};

/// A device, a part of its file, the replacement, the rule that must fail and the key it must name.
type Spoil = (String, String, String, String, String);

const VC: &str = "xcvc1902";

fn spoils() -> Vec<Spoil> {
    let table: toml::Table = include_str!("spoils.toml").parse().expect("TOML");
    table["spoils"].clone().try_into().expect("rows of five texts")
}

fn device(name: &str) -> Device {
    builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

fn load(text: String) -> (SourceFile, Outcome<Device>) {
    let source = SourceFile { id: SourceId(0), name: "mine.toml".to_owned(), text };
    let outcome = parse(&source);
    (source, outcome)
}

fn spoiled((name, from, to, ..): &Spoil) -> String {
    let text = builtin_text(name).expect("built in");
    assert!(text.contains(from), "{name} has no `{from}`");
    text.replacen(from, to, 1)
}

#[test]
fn every_built_in_device_is_sound() {
    for name in builtin_names() {
        let outcome = builtin(name).expect("listed");
        let said: Vec<&str> = outcome.diagnostics().iter().map(|d| d.message.as_str()).collect();
        assert!(said.is_empty(), "{name}: {said:#?}");
        assert_eq!(outcome.value().map(|d| d.name.as_str()), Some(name));
    }
}

#[test]
fn every_device_counts_its_cores_and_cuts() {
    for name in builtin_names() {
        let text = format!("{:?}", device(name).expect);
        assert!(!text.contains("None"), "{name}: {text}");
    }
}

#[test]
fn each_spoiled_number_is_found_and_its_key_named() {
    for spoil in spoils() {
        let (_, outcome) = load(spoiled(&spoil));
        let (_, from, to, _, key) = spoil;
        let named = |d: &aiec_diag::Diagnostic| d.message.contains(&format!("`{key}"));
        assert!(outcome.value().is_none(), "`{from}` as `{to}` is accepted");
        assert!(outcome.diagnostics().iter().any(named), "`{to}`: {:#?}", outcome.diagnostics());
    }
}

#[test]
fn each_rule_of_the_self_check_can_fail() {
    let mut failed = BTreeSet::new();
    for spoil in spoils() {
        let device: Device = toml::from_str(&spoiled(&spoil)).expect("a device file");
        for rule in RULES.iter().chain(TOTALS) {
            let sound = RULES.iter().all(|other| broken(&device, &[*other]).is_empty());
            let asked = RULES.contains(rule) || sound;
            if asked && broken(&device, &[*rule]).iter().any(|fault| fault.key == spoil.4) {
                failed.insert(rule.0);
            }
        }
        assert!(failed.contains(spoil.3.as_str()), "rule `{}` does not see `{}`", spoil.3, spoil.2);
    }
    let never: Vec<&str> =
        RULES.iter().chain(TOTALS).map(|rule| rule.0).filter(|rule| !failed.contains(rule)).collect();
    assert!(never.is_empty(), "never fails: {never:?}");
}

#[test]
fn a_fault_points_at_the_value() {
    let text = builtin_text(VC).expect("built in");
    for (from, to, at) in [
        ("last = 44", "last = 60", "{ first = 6, last = 60 }"),
        ("gmio_bds = 4", "gmio_bds = 8", "8"),
        ("total = 25", "total = 26", "26"),
    ] {
        let (source, outcome) = load(text.replacen(from, to, 1));
        let span = outcome.diagnostics()[0].span().expect("labelled");
        assert_eq!(&source.text[span.start as usize..span.end as usize], at);
    }
}

#[test]
fn an_unknown_key_is_named() {
    let (_, outcome) = load(builtin_text(VC).expect("built in").replace("plio_widths", "plio_width"));
    assert!(outcome.diagnostics()[0].message.contains("unknown field `plio_width`"), "{outcome:?}");
}

#[test]
fn numbers_that_do_not_fit_are_no_crash() {
    let text = builtin_text(VC).expect("built in");
    for line in text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')) {
        let (key, _) = line.split_once(" = ").expect("filtered");
        for value in [
            "0",
            "1",
            "65535",
            "4294967295",
            "18446744073709551616",
            "-1",
            "[]",
            "\"x\"",
            "[65535]",
            "[[4294967295, 0]]",
        ] {
            let (_, outcome) = load(text.replacen(line, &format!("{key} = {value}"), 1));
            assert!(outcome.value().is_some() || !outcome.diagnostics().is_empty(), "{key} = {value}");
        }
    }
}

#[test]
fn a_device_need_not_expect_anything() {
    let text = builtin_text(VC).expect("built in");
    let (head, _) = text.split_once("[expect]").expect("a section");
    let (_, outcome) = load(head.replace("columns = 50", "columns = 60"));
    assert_eq!(outcome.value().map(|device| device.columns), Some(60), "{:#?}", outcome.diagnostics());
}

#[test]
fn what_a_text_smuggles_is_not_repeated() {
    for (from, to) in
        [("name = \"xcvc1902\"", "name = \"\\u001b[2J\""), ("grade = \"-2", "grade = \"\\u001b[2J")]
    {
        let (_, outcome) = load(builtin_text(VC).expect("built in").replacen(from, to, 1));
        let said: String = outcome.diagnostics().iter().map(|d| format!("{}{}", d.message, d.help)).collect();
        assert!(!said.is_empty() && !said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn what_is_not_known_of_the_columns_with_plio_is_not_printed_as_zero() {
    let sideways = |name| {
        let groups = crate::groups(&device(name));
        let facts = groups.iter().flat_map(|group| &group.facts);
        facts.filter(|fact| fact.name.contains("sideways")).map(|fact| fact.value.clone()).collect::<Vec<_>>()
    };
    assert_eq!(sideways("xcvc1902"), ["8 / 8"]);
    assert_eq!(sideways("xcve2302"), ["not known"]);
}

#[test]
fn a_sound_device_has_no_faults_and_all_its_numbers_are_printed() {
    for name in builtin_names() {
        let device = device(name);
        assert_eq!(faults(&device), []);
        let groups = crate::groups(&device);
        assert!(groups.iter().all(|group| !group.facts.is_empty()));
        let cut = groups
            .iter()
            .flat_map(|group| &group.facts)
            .find(|fact| fact.name.starts_with("column to column"));
        assert!(cut.is_some_and(|fact| fact.value.contains(&device.cuts().east.to_string())), "{name}");
    }
}
