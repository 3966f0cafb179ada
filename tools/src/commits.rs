//! Tests of the hook `tools/hooks/commit-msg`, which refuses messages that are not as
//! CONTRIBUTING.md asks.

use std::fs;
use std::process::Command;

use crate::root;

/// What the hook prints about a message. Returns None when the hook accepts it.
fn refusal(message: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("message");
    fs::write(&file, message).expect("writable");
    let ran = Command::new("sh").arg(root().join("tools/hooks/commit-msg")).arg(&file).output();
    let ran = ran.expect("sh runs");
    (!ran.status.success()).then(|| String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn a_message_with_area_and_reason_is_accepted() {
    let message =
        "placer: evict and re-place kernels when packing fails\n\nA full module ended the search.\n";
    assert_eq!(refusal(message), None);
    assert_eq!(refusal(&format!("# a comment of git\n{message}")), None);
    assert_eq!(refusal("Merge branch 'main'\n"), None);
}

#[test]
fn a_message_without_area_reason_or_room_is_refused() {
    let long = format!("placer: {}\n\nWhy.\n", "a".repeat(65));
    for (message, reason) in [
        ("Evict kernels\n\nWhy.\n", "not 'area: imperative'"),
        ("placer: evict kernels\n", "no body"),
        ("placer: evict kernels\n# a comment of git\n\n", "no body"),
        ("placer: evict kernels\nWhy.\n", "second line"),
        (long.as_str(), "more than 72"),
    ] {
        assert!(refusal(message).is_some_and(|text| text.contains(reason)), "{message}");
    }
}
