//! Mangled designs: a fixed number of inputs, made from the examples and from the designs in the
//! documentation by fixed steps. None may panic, take seconds, take more memory than a design
//! needs, or fail without a message. Each ends with a valid design or at least one diagnostic.
//!
//! Every input goes through the function of the fuzz target (`tests/src/fuzz.rs`); `fuzz/` runs it
//! on any number of inputs.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::alloc::System;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aiec_tests::fuzz::{Answer, front};
use aiec_tests::random::Random;
use aiec_tests::{Ran, aiec, root};
use cap::Cap;

/// Counts allocated bytes. An allocation that would exceed the limit fails and ends the test: a
/// number of 10^18 must never become a size.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, 2 * MOST_MEMORY);

/// Most bytes that one input may take, with what the tests hold beside it.
const MOST_MEMORY: usize = 256 << 20;

/// Mangled texts of each seed design: in `cargo test`, and in `xtask test long`. The fuzz target
/// goes on from there.
const FEW_ROUNDS: u64 = 1;
const ROUNDS: u64 = 3;
/// Numbers that `xtask test long` puts in each place: one in 16 of them, others in the next
/// place. `cargo test` puts 0 or -1 in one place of four.
const STRIDE: usize = 16;
/// No input may take longer; most take milliseconds. Generous, for slow machines and debug builds.
const LIMIT: Duration = Duration::from_secs(20);
/// Most bytes of diagnostics on one input.
const MOST_OUTPUT: usize = 4 << 20;

/// The examples, also those in folders, and every design in the language reference and the golden
/// cases.
fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = designs_in(&root().join("examples"));
    for stage in ["parse", "lower", "expand", "check"] {
        seeds.extend(designs_in(&root().join("tests/cases").join(stage)));
    }
    let manual = fs::read_to_string(root().join("docs/language.md")).expect("the language reference");
    let blocks =
        manual.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').map_or("", |(_, b)| b));
    seeds.extend(blocks.filter(|block| block.contains("kernel") || block.contains("const")).map(whole));
    seeds
}

/// A fragment of the documentation as a design.
fn whole(block: &str) -> String {
    if block.contains("design ") { block.to_owned() } else { format!("design d\ndevice xcvc1902\n{block}") }
}

fn designs_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory of designs").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let is_design = |path: &Path| path.extension().is_some_and(|extension| extension == "dsl");
    let texts = paths.iter().flat_map(|path| match path.is_dir() {
        true => designs_in(path),
        false if is_design(path) => vec![fs::read_to_string(path).expect("a design")],
        false => Vec::new(),
    });
    texts.collect()
}

/// Numbers that are too large, too small, or just at some border.
const NUMBERS: [&str; 17] = [
    "0",
    "-1",
    "-9223372036854775808",
    "9223372036854775807",
    "9223372036854775808",
    "4294967295",
    "4294967296",
    "2147483648",
    "1000000000",
    "16384",
    "16385",
    "65536",
    "1000000000000000000",
    "1000000000000000000000000000000",
    "99999999999999999999",
    "0xFFFFFFFFFFFFFFFF",
    "3",
];

/// Changes `text` in one way.
fn mangle(text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    match random.below(9) {
        0 => flip_bytes(text, random),
        1 => lines(&text, random, |lines, at, _| drop(lines.remove(at))),
        2 => lines(&text, random, |lines, at, _| lines.insert(at, lines[at].clone())),
        3 => lines(&text, random, |lines, at, other| lines.swap(at, other)),
        4 => tokens(&text, random, |_, token, _| token.clear()),
        5 => tokens(&text, random, |tokens, token, random| token.clone_from(random.pick(tokens))),
        6 => numbers(&text, random),
        7 => brackets(text, random),
        _ => cut(text, random),
    }
}

fn flip_bytes(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        let at = random.below(text.len());
        if let Some(byte) = text.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    text
}

/// Changes the list of lines at one of them, with another at hand.
fn lines(text: &[u8], random: &mut Random, change: impl Fn(&mut Vec<Vec<u8>>, usize, usize)) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if !lines.is_empty() {
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        change(&mut lines, at, other);
    }
    lines.concat()
}

/// Words, numbers and single other characters, which together are the text.
fn split(text: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    for &byte in text {
        match tokens.last_mut().filter(|last| is_word(byte) && last.last().copied().is_some_and(is_word)) {
            Some(word) => word.push(byte),
            None => tokens.push(vec![byte]),
        }
    }
    tokens
}

fn tokens(
    text: &[u8],
    random: &mut Random,
    change: impl Fn(&[Vec<u8>], &mut Vec<u8>, &mut Random),
) -> Vec<u8> {
    let mut tokens = split(text);
    let known = tokens.clone();
    for _ in 0..=random.below(3) {
        let at = random.below(tokens.len());
        if let Some(token) = tokens.get_mut(at) {
            change(&known, token, random);
        }
    }
    tokens.concat()
}

/// Replaces one number.
fn numbers(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut tokens = split(text);
    let is_number = |token: &Vec<u8>| token.first().is_some_and(u8::is_ascii_digit);
    let found: Vec<usize> = (0..tokens.len()).filter(|&at| is_number(&tokens[at])).collect();
    if !found.is_empty() {
        let at = *random.pick(&found);
        tokens[at] = random.pick(&NUMBERS).as_bytes().to_vec();
    }
    tokens.concat()
}

/// Removes or doubles one bracket or quote.
fn brackets(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let found: Vec<usize> = (0..text.len()).filter(|&at| b"[](){}\"".contains(&text[at])).collect();
    if !found.is_empty() {
        let at = *random.pick(&found);
        if random.below(2) == 0 {
            text.remove(at);
        } else {
            text.insert(at, text[at]);
        }
    }
    text
}

/// Ends the text early.
fn cut(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    text.truncate(random.below(text.len()));
    text
}

/// One input at a time, so that the memory is that of one.
static TURN: Mutex<()> = Mutex::new(());

/// Checks one text and returns the faults of the answer.
fn fault(file: &Path, text: &[u8]) -> Result<Ran, String> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    fs::write(file, text).expect("writable");
    let argument = file.display().to_string();
    let start = Instant::now();
    let ask = || (front(text), aiec(["check", "--no-cxx", &argument]));
    let (answer, ran) = catch_unwind(AssertUnwindSafe(ask)).map_err(|_| "it panics".to_owned())?;
    if start.elapsed() > LIMIT {
        return Err(format!("it takes {:?}", start.elapsed()));
    }
    if ran.err.len() + ran.out.len() > MOST_OUTPUT {
        return Err(format!("it says {} bytes", ran.err.len() + ran.out.len()));
    }
    if MEMORY.max_allocated() > MOST_MEMORY {
        return Err(format!("it or one before it takes {} MiB", MEMORY.max_allocated() >> 20));
    }
    // The command also looks for the kernels' sources, so it may refuse a valid design.
    // A file of components alone is no design, and the command checks each of them.
    let is_design = String::from_utf8_lossy(text).contains("design");
    if answer == Answer::Refused && ran.status == 0 && is_design {
        return Err("the fuzz target refuses it, the command does not".to_owned());
    }
    match (ran.status, ran.out.is_empty(), ran.err.trim().is_empty()) {
        (0, false, _) | (1, true, false) => Ok(ran),
        // One component is sound, and another one is not.
        (1, false, false) if !is_design => Ok(ran),
        (status, ..) => Err(format!("exit status {status}, output `{}`, diagnostics `{}`", ran.out, ran.err)),
    }
}

/// A directory in which the kernels of the examples are where they should be.
fn workplace() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let kernels = directory.path().join("kernels");
    fs::create_dir(&kernels).expect("writable");
    for entry in fs::read_dir(root().join("examples/kernels")).expect("kernels").flatten() {
        fs::copy(entry.path(), kernels.join(entry.file_name())).expect("writable");
    }
    directory
}

/// Mangles every seed in `rounds` ways; `steps` changes at once.
fn mangle_all(seed: u64, steps: usize, rounds: u64) {
    let directory = workplace();
    let file = directory.path().join("a.dsl");
    let (mut valid, mut refused) = (0, 0);
    for (number, text) in (0..).zip(seeds()) {
        for round in 0..rounds {
            let mut random = Random(seed ^ (number << 32) ^ round);
            let mangled = (0..steps).fold(text.clone().into_bytes(), |text, _| mangle(text, &mut random));
            match fault(&file, &mangled) {
                Ok(ran) if ran.status == 0 => valid += 1,
                Ok(_) => refused += 1,
                Err(fault) => {
                    panic!(
                        "seed design {number}, round {round}: {fault}:\n{}",
                        String::from_utf8_lossy(&mangled)
                    )
                }
            }
        }
    }
    // Of several changes at once, few texts survive: too rare to ask of a few rounds.
    assert!(
        refused > valid && (valid > 0 || rounds < ROUNDS),
        "{valid} valid, {refused} refused: the changes do not bite, or bite too hard"
    );
}

#[test]
fn one_change_to_a_design_gives_a_design_or_a_reason() {
    mangle_all(1, 1, FEW_ROUNDS);
}

#[test]
#[ignore = "long: checks thousands of designs"]
fn one_change_to_a_design_gives_a_design_or_a_reason_in_all_rounds() {
    mangle_all(1, 1, ROUNDS);
}

#[test]
fn several_changes_to_a_design_give_a_design_or_a_reason() {
    mangle_all(2, 4, FEW_ROUNDS);
}

#[test]
#[ignore = "long: checks thousands of designs"]
fn several_changes_to_a_design_give_a_design_or_a_reason_in_all_rounds() {
    mangle_all(2, 4, ROUNDS);
}

#[test]
fn numbers_blown_up_are_refused_or_carried_out() {
    blow_up(|place| if place % 4 == 0 { vec![NUMBERS[place / 4 % 2]] } else { Vec::new() });
}

#[test]
#[ignore = "long: checks thousands of designs"]
fn numbers_blown_up_everywhere_are_refused_or_carried_out() {
    blow_up(|place| NUMBERS.iter().copied().skip(place % STRIDE).step_by(STRIDE).collect());
}

/// Replaces each number of each example by each of the `numbers` for its place.
fn blow_up(numbers: impl Fn(usize) -> Vec<&'static str>) {
    let directory = workplace();
    let file = directory.path().join("a.dsl");
    for text in designs_in(&root().join("examples")) {
        let tokens = split(text.as_bytes());
        let places = (0..tokens.len()).filter(|&at| tokens[at].first().is_some_and(u8::is_ascii_digit));
        for at in places {
            for number in numbers(at) {
                let mut tokens = tokens.clone();
                tokens[at] = number.as_bytes().to_vec();
                let mangled = tokens.concat();
                if let Err(fault) = fault(&file, &mangled) {
                    panic!("{fault}:\n{}", String::from_utf8_lossy(&mangled));
                }
            }
        }
    }
}

#[test]
fn random_bytes_are_refused() {
    let directory = workplace();
    let file = directory.path().join("a.dsl");
    let mut random = Random(3);
    for _ in 0..200 {
        let text: Vec<u8> = (0..random.below(300)).map(|_| random.next().to_le_bytes()[0]).collect();
        let ran = fault(&file, &text).unwrap_or_else(|fault| panic!("{fault}: {text:?}"));
        assert_eq!(ran.status, 1);
    }
}

/// Texts of up to a megabyte through 2 to the power of `less`, most of them on one line; shorter
/// ones if every word costs work.
fn long_lines(less: u32) -> Vec<(&'static str, String)> {
    let design = |rest: String| format!("design d\ndevice xcvc1902\n{rest}\n");
    let long = "a".repeat(1 << (20 - less));
    vec![
        ("one word", long.clone()),
        ("a sum", design(format!("const A = {}B", "1 + ".repeat(1 << (15 - less))))),
        ("a number", design(format!("const A = {}", "1".repeat(1 << (20 - less))))),
        ("a name", design(format!("const {long} = B"))),
        ("a device", format!("design d\ndevice {long}\n")),
        ("a string without an end", design(format!("kernel k {{ source \"{long}"))),
        ("a comment without an end", design(format!("/* {long}"))),
        ("a wide name", design(format!("place {} at (1, 1)", "\u{fc}\u{5bbd}".repeat(1 << (18 - less))))),
        ("wrong signs", design(format!("const A = 1 {}", "@".repeat(1 << (20 - less))))),
        ("brackets", design(format!("const A = {}", "(".repeat(1 << (20 - less))))),
        ("minus signs", design(format!("const A = {}1", "-".repeat(1 << (17 - less))))),
        (
            "loops in loops",
            design(format!("{}connect a.x -> b.y", "for i in 0..9 { ".repeat(1 << (16 - less)))),
        ),
        (
            "loops beside loops",
            design("for i in 0..1000000000 { place a at (i, i) } ".repeat(1 << (11 - less))),
        ),
        ("kernels of one name", design("kernel k { source \"x.cc\" } ".repeat(1 << (12 - less)))),
        ("lines", design("kernel\n".repeat(1 << (14 - less)))),
    ]
}

#[test]
fn long_lines_are_refused_in_a_few_lines() {
    refused_in_a_few_lines(long_lines(4));
}

#[test]
#[ignore = "long: reads megabytes"]
fn very_long_lines_are_refused_in_a_few_lines() {
    refused_in_a_few_lines(long_lines(0));
}

fn refused_in_a_few_lines(texts: Vec<(&str, String)>) {
    let directory = workplace();
    let file = directory.path().join("a.dsl");
    for (name, text) in texts {
        let ran = fault(&file, text.as_bytes()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(ran.status, 1, "{name}");
        let longest = ran.err.lines().map(|line| line.chars().count()).max();
        assert!(longest < Some(700) && ran.err.len() < 64 << 10, "{name}: {longest:?} of {}", ran.err.len());
    }
}
