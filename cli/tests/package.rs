//! `tools/package.sh`: the archive, unpacked and tried in a clean folder.
#![allow(clippy::disallowed_methods, reason = "tests read files and start programs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The archive of the compiled program, in `folder`.
fn packaged(folder: &Path) -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/package.sh");
    let ran = Command::new(script).arg(env!("CARGO_BIN_EXE_aiec")).arg(folder).output().expect("bash");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    PathBuf::from(String::from_utf8_lossy(&ran.stdout).trim())
}

/// What a program prints in `folder`.
fn said(program: &Path, folder: &Path, arguments: &[&str]) -> String {
    // Nothing of this machine's user is there.
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("HOME", folder).env_remove("AIEC_CACHE");
    let ran = command.output().expect("it starts");
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
#[ignore = "long: compresses the program"]
fn the_archive_works_in_a_clean_folder() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let archive = packaged(&folder.path().join("made"));
    let clean = folder.path().join("clean");
    fs::create_dir(&clean).expect("writable");
    let archive = archive.display().to_string();
    said(Path::new("tar"), &clean, &["-xzf", &archive, "--strip-components=1"]);
    let aiec = clean.join("bin/aiec");
    assert_eq!(said(&aiec, &clean, &["--version"]), format!("aiec {}\n", env!("CARGO_PKG_VERSION")));

    let documents = clean.join("share/doc/aiec");
    let checked = said(&aiec, &documents.join("examples"), &["check", "--no-cxx", "pipeline.dsl"]);
    assert!(checked.contains("no fault found"), "{checked}");
    said(&aiec, &clean, &["build", "share/doc/aiec/examples/pipeline.dsl"]);
    assert!(clean.join("build/pipeline/aie/graph.h").is_file());

    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/language.md"] {
        assert!(documents.join(file).is_file(), "{file}");
    }
    // Pages link to files of the repository, which lie in the same places.
    let mut links = 0;
    for page in fs::read_dir(documents.join("docs")).expect("documents") {
        let page = page.expect("a document").path();
        let Ok(text) = fs::read_to_string(&page) else { continue };
        for link in text.split("](../").skip(1) {
            let path = link.split(['#', ')']).next().unwrap_or_default();
            assert!(documents.join(path).exists(), "{} links to {path}", page.display());
            links += 1;
        }
    }
    assert!(links > 200, "{links} links");
    let completions = [
        "bash-completion/completions/aiec",
        "zsh/site-functions/_aiec",
        "fish/vendor_completions.d/aiec.fish",
    ];
    for file in completions {
        let script = fs::read_to_string(clean.join("share").join(file)).expect("a script");
        assert!(script.contains("doctor"), "{file}");
    }
    let pages = clean.join("share/man/man1");
    for (page, words) in
        [("aiec.1.gz", "aiec-build"), ("aiec-check.1.gz", "Check designs"), ("aiec-diff.1.gz", "OLD")]
    {
        let text = said(Path::new("gzip"), &pages, &["-dc", page]).replace("\\-", "-");
        assert!(text.starts_with(".ie") || text.contains(".TH"), "{page}");
        assert!(text.contains(words), "{page}: {text}");
    }
}
