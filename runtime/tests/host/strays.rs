//! Accesses beside buffers and after their release, through iterators and plain pointers, and
//! kernels that crash or never end. Each report names kernel, port, firing and line.

use crate::bench::{Case, Run};

fn stray(what: &str, more: &[(&str, &str)]) -> Run {
    let case = Case::new("strays");
    case.input("in.txt", &(1..=64).map(|i| format!("{i} ")).collect::<String>());
    case.run_with(&[&[("STRAY", what)], more].concat())
}

/// The line of the case that contains this text.
fn line_of(text: &str) -> String {
    let source = include_str!("../cases/strays.cpp");
    let at = source.lines().position(|line| line.contains(text)).expect("the case has this line");
    format!("strays.cpp:{}", at + 1)
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn accesses_up_to_the_last_byte_are_left_alone() {
    for harmless in ["nothing", "near misses", "around", "kept anew"] {
        stray(harmless, &[]).assert_clean();
    }
}

// UG1079, buffer ports: addressing is linear, so the memory behind a buffer belongs to another one.
#[test]
#[ignore = "long: compiles a program of its own"]
fn iterators_and_pointers_do_not_read_past_a_buffer() {
    let past = "kernel 1 (kernels/walk.cc), port in[0]: read past the end of the buffer, at byte 192 of 64";
    let before = "port in[0]: read before the start of the buffer";
    // The mistake, the message, and the named line of the case.
    let cases = [
        ("element far past", past, "one[48]"),
        ("before", before, "*--one"),
        ("pointer far past", past, "pointer[48]"),
    ];
    for (what, words, place) in cases {
        let run = stray(what, &[]);
        run.assert_fails(words);
        run.assert_fails(&line_of(place));
        let lenient = stray(what, &[("AIEC_SIM_LENIENT", "1")]);
        assert_eq!(lenient.code, 0, "{what}: {}", lenient.stderr);
        assert!(lenient.stderr.contains(words), "{what}: {}", lenient.stderr);
    }
}

// A loop that loads one vector ahead and drops it works on hardware. The tools tell of it only with
// `x86simulator --valgrind` and `aiesimulator --enable-memory-check` (UG1076).
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_read_of_one_vector_past_a_buffer_is_a_warning() {
    let words = "kernel 1 (kernels/walk.cc), port in[0]: read past the end of the buffer, by one vector at most; hardware gives";
    let cases = [
        ("element past", "one[16]"),
        ("vector past", "auto eight = "),
        ("half past", "pointer + 12"),
        ("pointer past", "sum += pointer[16];"),
        ("vector from pointer past", "load_v<8>(pointer + 16)"),
    ];
    for (what, place) in cases {
        let run = stray(what, &[]);
        assert_eq!(run.code, 0, "{what}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{what}: {}", run.stderr);
        assert!(run.stderr.contains(&line_of(place)), "{what}: {}", run.stderr);
        stray(what, &[("AIEC_SIM_STRICT", "1")]).assert_fails(words);
    }
}

// Each access is looked at, and not only the first one to the memory behind the buffer.
#[test]
#[ignore = "long: compiles a program of its own"]
#[cfg(target_arch = "x86_64")]
fn a_read_farther_past_is_an_error_behind_one_of_a_vector_too() {
    let run = stray("pointer ahead, then far", &[]);
    run.assert_fails("read past the end of the buffer, at byte 192 of 64, through a pointer");
    assert_eq!(run.stderr.matches("by one vector at most").count(), 1, "{}", run.stderr);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn nobody_writes_beside_a_buffer_lenient_or_not() {
    let past = "port out[0]: write past the end of the buffer, at byte ";
    for (what, words) in [
        ("write past", format!("kernel 0 (kernels/walk.cc), {past}64 of 64")),
        ("pointer beyond", format!("kernel 1 (kernels/walk.cc), {past}68 of 64, through a pointer")),
        ("pointer before", "port out[0]: memory next to the buffer was written".to_owned()),
    ] {
        stray(what, &[("AIEC_SIM_LENIENT", "1")]).assert_fails(&words);
    }
}

// The other end fills the buffer as soon as it is released.
#[test]
#[ignore = "long: compiles a program of its own"]
fn iterators_end_with_the_lock() {
    let words = "kernel 1 (kernels/walk.cc), port in[0]: read through an iterator ";
    stray("released", &[]).assert_fails(&format!("{words}while the buffer is not held"));
    stray("last time", &[]).assert_fails(&format!("{words}that was made before the last release"));
}

// A pointer that is taken anew after each acquire is left alone: "nothing" does that.
#[test]
#[ignore = "long: compiles a program of its own"]
fn pointers_end_with_the_lock() {
    for (what, words) in [
        ("pointer released", "in[0]: read through a pointer to the buffer, after the buffer was released"),
        ("pointer written", "out[0]: write through a pointer to the buffer, after the buffer was released"),
    ] {
        let run = stray(what, &[]);
        run.assert_fails(&format!("kernel 1 (kernels/walk.cc), port {words}, in iteration 0, at "));
        run.assert_fails(&line_of(what));
    }
    let first = stray("pointer first", &[]);
    first.assert_fails("kernel 1 (kernels/walk.cc), port in[0]: read through a pointer to the buffer, before it is acquired, in iteration 0, at ");
    let first = stray("iterator first", &[]);
    first.assert_fails("kernel 1 (kernels/walk.cc), port in[0]: read through an iterator while the buffer is not held, in iteration 0, at ");
    let early = stray("pointer early", &[]);
    early.assert_fails("kernel 1 (kernels/walk.cc), port in[0]: read through a pointer to the buffer, before it is acquired again, in iteration 1, at ");
    early.assert_fails(&line_of("pointer early"));
    let kept = stray("pointer kept", &[]);
    kept.assert_fails("kernel 0 (kernels/walk.cc), port out[0]: write through a pointer to the buffer, after the buffer was released, in iteration 1, at ");
    kept.assert_fails(&line_of("pointer kept"));
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn elements_that_nobody_has_written_are_seen_by_iterators() {
    let words = "kernel 1 (kernels/walk.cc), port in[0]: read of 4 bytes at byte 48, some of which the other end never wrote";
    let run = stray("unwritten", &[]);
    run.assert_fails(words);
    run.assert_fails(&line_of("one[12]"));
    let written = stray("around unwritten", &[]); // element 11 is there
    assert!(!written.stderr.contains("read of 4 bytes"), "{}", written.stderr);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn iterators_know_how_far_a_buffer_was_read() {
    let run = stray("short read", &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains(
            "note: kernel 1 (kernels/walk.cc), port in[0]: read short of the window: elements from 8 to 15"
        ),
        "{}",
        run.stderr
    );
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn a_kernel_that_crashes_or_never_ends_is_named() {
    for (what, words, place) in [
        ("far away", "access to address 0x40, where no memory is", Some("far away")),
        ("division", "division by zero", Some("division")),
        #[cfg(target_arch = "x86_64")]
        (
            "unaligned",
            "an access that the machine refuses, most likely of a vector that is not aligned to 16 bytes",
            Some("movaps"),
        ),
        ("abort", "abort was called; a failed assertion says why", Some("abort")),
        ("for ever", "still running after 3 seconds; a loop may have no end", None), // in the loop or what it calls
    ] {
        let run = stray(what, &[("AIEC_SIM_TIMEOUT", "3")]);
        run.assert_fails(&format!("kernel 1 (kernels/walk.cc): {words}, in iteration 0, at "));
        run.assert_fails(&place.map_or("strays.cpp:".to_owned(), line_of));
    }
}
