//! Any text through parse, lower, expand and check. `tests/src/fuzz.rs` states the required
//! properties.
#![no_main]
#![allow(clippy::disallowed_methods, reason = "the macro of libFuzzer writes files")]

use aiec_tests::fuzz::{Answer, front};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|input: &[u8]| -> Corpus {
    if front(input) == Answer::NotText { Corpus::Reject } else { Corpus::Keep }
});
