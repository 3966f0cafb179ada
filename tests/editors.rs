//! The grammars for editors, compared with the grammar of the language.
#![allow(clippy::disallowed_methods, reason = "the tests read grammars and start a C compiler")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_diag::{SourceFile, SourceId};
use aiec_tests::{path, root};
use serde_json::Value;

/// The words of the language: keywords, operations and units of `grammar.pest`.
fn words() -> BTreeSet<String> {
    let grammar = fs::read_to_string(path("dsl/src/grammar.pest")).expect("the grammar");
    let keywords = grammar.lines().filter_map(|line| line.strip_prefix("kw_")?.split('"').nth(1));
    let operations = aiec_collectives::Operation::ALL.iter().map(|operation| operation.name());
    keywords.chain(operations).chain(["B", "KiB", "MiB", "auto", "min", "max"]).map(str::to_owned).collect()
}

#[test]
fn the_extension_colours_every_word_of_the_language() {
    let text = fs::read_to_string(path("editors/vscode/syntaxes/aiec.tmLanguage.json")).expect("a grammar");
    let grammar: Value = serde_json::from_str(&text).expect("JSON");
    let patterns = grammar["patterns"].as_array().expect("patterns");
    let coloured =
        patterns.iter().filter(|one| one["captures"].is_null()).filter_map(|one| one["match"].as_str());
    let is_word = |word: &&str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    // `\b(?:a|b)\b` holds the words between brackets and bars.
    let coloured: BTreeSet<String> = coloured
        .filter_map(|regex| regex.strip_prefix("\\b(?:")?.split(')').next())
        .flat_map(|words| words.split('|'))
        .filter(is_word)
        .map(str::to_owned)
        .collect();
    let missing: Vec<String> = words().difference(&coloured).cloned().collect();
    assert_eq!(missing, [""; 0], "words without a colour");
    let elements = aiec_collectives::ElementType::ALL.iter().map(|element| element.name());
    let known = words().into_iter().chain(elements.map(str::to_owned)).collect::<BTreeSet<_>>();
    let other = coloured.difference(&known).filter(|word| !word.contains("acc"));
    assert_eq!(other.collect::<Vec<_>>(), [""; 0], "words of no design");
}

#[test]
fn the_extension_is_packaged_by_the_same_commands_in_both_pages() {
    let commands = |page: &str| -> Vec<String> {
        let text = fs::read_to_string(root().join(page)).expect("the page");
        let lines = text.lines().map(|line| line.trim_start_matches(['$', ' ']).to_owned());
        lines.filter(|line| ["npm ", "npx ", "code "].iter().any(|word| line.starts_with(word))).collect()
    };
    let package: Value = serde_json::from_str(
        &fs::read_to_string(root().join("editors/vscode/package.json")).expect("the package"),
    )
    .expect("JSON");
    assert!(package["scripts"]["package"].as_str().is_some_and(|script| script.starts_with("vsce ")));
    let file = format!("aiec-{}.vsix", package["version"].as_str().expect("a version"));
    let expected = ["npm install", "npm run package", &format!("code --install-extension {file}")];
    for page in ["editors/vscode/README.md", "docs/lsp.md"] {
        assert_eq!(commands(page), expected, "{page}");
    }
}

/// Every design of the repository: files, and examples in pages.
fn designs(folder: &Path, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.display().to_string();
        if entry.is_dir() {
            designs(&entry, found);
        } else if name.ends_with(".dsl") {
            found.extend(fs::read_to_string(&entry).ok().map(|text| (name, text)));
        } else if name.ends_with(".md") {
            let text = fs::read_to_string(&entry).expect("a page");
            let blocks = text.split("\n```aiec").skip(1).filter_map(|block| {
                let (_, rest) = block.split_once('\n')?;
                let text = rest.split("\n```").next().unwrap_or(rest);
                // A block may be empty.
                (!text.starts_with("```")).then(|| text.to_owned())
            });
            found.extend(blocks.enumerate().map(|(at, block)| (format!("{name} ({at})"), block)));
        }
    }
}

/// True if aiec's own parser accepts a text.
fn parses(text: &str) -> bool {
    let file = SourceFile { id: SourceId(0), name: "d.dsl".into(), text: text.to_owned() };
    let faults = aiec_dsl::parse(&file).into_parts().1;
    // Limits of the language are no part of the grammar.
    faults.iter().all(|fault| fault.code.slug != "parse/syntax")
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
fn the_tree_sitter_grammar_accepts_what_the_parser_accepts() {
    let folder = tempfile::tempdir().expect("a folder");
    let grammar = root().join("editors/tree-sitter-aiec");
    let program = folder.path().join("parse");
    let built = Command::new("cc")
        .args(["-O1", "-w", "-I"])
        .arg(grammar.join("src"))
        .args([grammar.join("src/parser.c"), grammar.join("test/parse.c")])
        .args(["-ltree-sitter", "-o"])
        .arg(&program)
        .output();
    if !built.as_ref().is_ok_and(|built| built.status.success()) {
        eprintln!(
            "left out: the Tree-sitter grammar; libtree-sitter is not installed (Debian: libtree-sitter-dev)"
        );
        return;
    }
    let mut all = Vec::new();
    for place in ["examples", "docs", "compiler/diag/codes", "tests/cases"] {
        designs(&root().join(place), &mut all);
    }
    assert!(all.len() > 400, "{} designs", all.len());
    let files: Vec<PathBuf> = (0..all.len()).map(|at| folder.path().join(format!("{at}.dsl"))).collect();
    for (file, (_, text)) in files.iter().zip(&all) {
        fs::write(file, text).expect("written");
    }
    let ran = Command::new(&program).args(&files).output().expect("it runs");
    let verdicts = String::from_utf8_lossy(&ran.stdout);
    let verdicts: Vec<&str> = verdicts.lines().collect();
    assert_eq!(verdicts.len(), all.len());
    let differs =
        all.iter().zip(verdicts).filter(|((_, text), verdict)| parses(text) != (*verdict == "good"));
    let differs: Vec<String> = differs.map(|((name, _), verdict)| format!("{name}: {verdict}")).collect();
    assert!(differs.is_empty(), "{differs:#?}");
}
