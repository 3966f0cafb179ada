//! The operations of the header library's loops in each turn equal those that estimates use.
//!
//! `collectives/loops.cpp` runs passes over windows against vectors that count loads, stores and
//! operations like a core of AIE. It does not compile if the library uses features that AIE lacks,
//! or the circular functions of windows.

#![allow(clippy::disallowed_methods, reason = "this test compiles and runs a C++ program")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_codegen::headers::{BUFFER_VARIANTS, HEADERS};
use aiec_ir::{ElementType, Loops, Operator, ReduceOp, WindowType};
use aiec_timing::{Moves, TimingProfile, Turn};

/// A pass and the total counts of one of its loops.
#[derive(Debug)]
struct Counted {
    loops: Loops,
    moves: Moves,
    turns: u32,
    loads: u32,
    stores: u32,
    operations: u32,
}

/// Vectors of 256 bits in each window of the program.
const VECTORS: u32 = 5;

/// Compiles `name` against vectors and streams that count.
fn program(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/collectives");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (path, text) in HEADERS.iter() {
        let path = folder.join("include").join(path);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    }
    let program = folder.join("program");
    let mut command = Command::new("g++");
    command.args(["-std=c++20", "-Wall", "-Wextra", "-Werror", "-O0", "-I"]).arg(folder.join("include"));
    command
        .arg("-I")
        .arg(tests.join("counting"))
        .arg(tests.join(name).with_extension("cpp"))
        .arg("-o")
        .arg(&program);
    let output = command.output().expect("g++ is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn counted(line: &str) -> Counted {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| words[at].parse::<u32>().expect("a number");
    let element = ElementType::from_name(words[0]).expect("an element type");
    let op = ReduceOp::from_name(words[1]).expect("an operator");
    let window = WindowType { element, elements: VECTORS * 32 / element.bytes() };
    let (taken, given) = (number(2), number(3));
    Counted {
        loops: Loops::of(window, false, Some(&Operator::Builtin(op))),
        moves: Moves { taken, given, stores: given + number(4), combines: taken > 0 },
        turns: number(5),
        loads: number(6),
        stores: number(7),
        operations: number(8),
    }
}

#[test]
#[ignore = "long: compiles every loop"]
fn turns_do_what_estimates_count_with() {
    let output = Command::new(program("loops")).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let profile = TimingProfile::thesis();
    let mut passes = BTreeSet::new();
    let mut cycles = 0;
    let mut vectors = 0;
    for line in text.lines() {
        let all = counted(line);
        passes.insert(line.split(' ').take(5).collect::<Vec<_>>());
        if all.loops.vector_bytes(all.moves.combines).is_none() {
            assert_eq!((all.loads, all.stores, all.operations), (0, 0, 0), "{line}: no vectors");
            assert_eq!(all.turns, all.loops.window.elements, "{line}: one element a turn");
            continue;
        }
        let pairs = all.moves.combines && all.moves.taken > 1 && all.turns == VECTORS / 2;
        let turn = Turn::of(all.loops, &all.moves, if pairs { 2 } else { 1 });
        let expected = [turn.loads, turn.stores, turn.operations].map(|count| count * all.turns);
        assert_eq!([all.loads, all.stores, all.operations], expected, "{line}");
        vectors += turn.vectors * all.turns;
        cycles += i64::try_from(turn.cycles(&profile.hardware) * u64::from(all.turns)).expect("few");
        if vectors == VECTORS {
            assert_eq!(cycles, profile.work(all.loops, &all.moves), "{line}: all loops of the pass");
            (vectors, cycles) = (0, 0);
        }
    }
    assert_eq!(vectors, 0, "no pass leaves a vector out");
    assert_eq!(passes.len(), 8 * (8 * 7 + 9), "every pass has loops");
    // A node of a binary tree: 6 loads of 256 bits, 2 stores and 2 additions of 512 bits, for two
    // vectors in 3 cycles.
    assert!(text.contains("int32 sum 2 1 0 2 12 4 4\n"), "two turns of two vectors");
    // The root with a window for the result stores twice.
    assert!(text.contains("int32 sum 2 1 1 2 12 8 4\n"));
    assert!(text.contains("int32 xor 2 1 0 40 0 0 0\n"), "bits go element by element");
}

#[test]
#[ignore = "long: compiles"]
fn a_push_is_one_access_to_the_stream_and_a_counter() {
    let output = Command::new(program("pushes")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The fields and the parity of headers: AM009 and UG1079, "Packet Processing". The accesses are
/// those of the table in `docs/messages.md`.
#[test]
#[ignore = "long: compiles"]
fn packets_of_a_channel_to_any_peer_have_the_words_and_accesses_that_are_documented() {
    let output = Command::new(program("packets")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The same of messages, with elements of one, four and eight bytes, in pieces or not.
#[test]
#[ignore = "long: compiles"]
fn messages_of_a_mailbox_have_the_words_and_accesses_that_are_documented() {
    let output = Command::new(program("mailbox")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The same of requests and replies, with arguments of every type and arrays of every length.
#[test]
#[ignore = "long: compiles"]
fn active_messages_have_the_words_and_accesses_that_are_documented() {
    let output = Command::new(program("active")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Chess compiles kernels with `-fno-builtin-memcpy`, so that `memcpy` is a call; circular
/// functions cost more than pointers.
#[test]
#[ignore = "long: compiles every loop"]
fn no_loop_calls_memcpy_or_goes_round_a_window() {
    for (name, text) in HEADERS.iter().chain(BUFFER_VARIANTS.iter()) {
        for word in ["memcpy", "memset", "window_read", "window_write", "window_incr"] {
            assert!(!text.contains(word), "{name} has {word}");
        }
    }
}

/// Compilers keep `__restrict` of parameters; members and elements of arrays lose it.
#[test]
fn loops_have_restricted_pointers_as_parameters() {
    let text = |wanted: &str| HEADERS.iter().find(|(name, _)| *name == wanted).expect("it is there").1;
    // The loop's parameters are places, of which pointers are restricted.
    for parameter in ["each<In, i>... in, each<Out, o>... out", "using place_of = typename parameter<"] {
        assert!(text("aiec/windows.h").contains(parameter), "{parameter}");
    }
    assert!(text("aiec/memory.h").contains("using type = Element *__restrict;"));
    for (name, text) in HEADERS.iter() {
        for line in text.lines().filter(|line| line.contains("__restrict")) {
            assert!(!line.trim_end().ends_with("_;"), "{name}: {line} is a member");
        }
    }
}
