//! The names that `<adf.h>` declares at file scope, which kernels cannot have.
//! `compiler/ir/src/adf_names.txt` lists them. This test reads them from the preprocessed headers.
//! With `AIEC_BLESS` set it rewrites the list.
#![allow(
    clippy::disallowed_methods,
    reason = "the test runs the preprocessor and reads files of the repository"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_ir::c_names;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_path_buf()
}

/// The headers without comments and with their macro definitions. Lines from other headers are left
/// out.
fn preprocessed() -> String {
    let include = root().join("runtime/include");
    let here = tempfile::tempdir().expect("a folder");
    let file = here.path().join("all.cpp");
    std::fs::write(&file, "#include <adf.h>\n#include <aie_api/aie.hpp>\n#include <aie_api/aie_adf.hpp>\n")
        .expect("writable");
    let run = Command::new("g++")
        .args(["-std=c++20", "-E", "-dD", "-D__X86SIM__", "-D__AIE_ARCH__=10", aiec_runtime::LINKED, "-I"])
        .arg(&include)
        .arg(&file)
        .output()
        .expect("g++ runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let ours = include.display().to_string();
    let (mut text, mut inside) = (String::new(), false);
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        match line.strip_prefix("# ").and_then(|mark| mark.split_once('"')) {
            Some((_, path)) => inside = path.starts_with(&ours),
            None if inside => text += &format!("{line}\n"),
            None => {}
        }
    }
    text
}

/// Words, and every other character for itself; literals are one word.
fn tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(&c) = letters.get(at) {
        let from = at;
        at += 1;
        if of_word(c) {
            while letters.get(at).is_some_and(|&c| of_word(c)) {
                at += 1;
            }
        } else if c == '"' || c == '\'' {
            while letters.get(at).is_some_and(|&l| l != c) {
                at += 1 + usize::from(letters.get(at) == Some(&'\\'));
            }
            at += 1;
        } else if c.is_whitespace() {
            continue;
        }
        found.push(letters.iter().skip(from).take(at - from).collect());
    }
    found
}

/// The declarations at file scope. Bodies are left out except those of enumerations, whose names
/// are at file scope too.
fn declarations(tokens: &[String]) -> Vec<Vec<&str>> {
    let (mut all, mut one, mut depth) = (Vec::new(), Vec::new(), 0_usize);
    for token in tokens {
        let enumerators = one.first() == Some(&"enum") && one.get(1) != Some(&"class");
        match token.as_str() {
            "{" => {
                depth += 1;
                if depth == 1 {
                    one.push("{");
                }
            }
            "}" => {
                depth -= 1;
                // A type goes on to its semicolon; a function and a namespace end here.
                let head = without_brackets(&one);
                let is_type = head
                    .first()
                    .is_some_and(|word| ["struct", "class", "union", "enum", "typedef"].contains(word));
                let is_value = head.windows(2).any(|two| two == ["=", "{"]);
                if depth == 0 && !is_type && !is_value {
                    all.push(std::mem::take(&mut one));
                }
            }
            ";" if depth == 0 => all.push(std::mem::take(&mut one)),
            word if depth == 0 || enumerators => one.push(word),
            _ => {}
        }
    }
    all
}

/// The names that a declaration declares.
fn declared(words: &[&str]) -> Vec<String> {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let words = without_brackets(words);
    let last = |words: &[&str]| words.iter().rev().find(|word| is_name(word)).map(|word| (*word).to_owned());
    match words.as_slice() {
        ["namespace" | "static_assert" | "extern", ..] | [] => Vec::new(),
        ["using", "namespace", ..] => Vec::new(),
        ["using", name, "=", ..] => vec![(*name).to_owned()],
        ["using" | "typedef", rest @ ..] => last(rest).into_iter().collect(),
        ["enum", name, rest @ ..] => {
            let behind = rest.iter().skip_while(|word| **word != "{");
            let body: Vec<&str> = behind.copied().collect();
            let each = body.split(|word| *word == "," || *word == "{");
            std::iter::once((*name).to_owned())
                .chain(each.filter_map(|one| Some((*one.first()?).to_owned())))
                .collect()
        }
        ["struct" | "class" | "union", name, ..] => vec![(*name).to_owned()],
        words => {
            let end =
                words.iter().position(|word| ["(", "=", "[", "{"].contains(word)).unwrap_or(words.len());
            last(words.get(..end).unwrap_or_default()).into_iter().collect()
        }
    }
}

/// The words without contents of angle brackets, attributes, and words that declare no name.
fn without_brackets<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let (mut left, mut angles, mut rounds, mut attribute) = (Vec::new(), 0_usize, 0_usize, false);
    for (i, word) in words.iter().enumerate() {
        let opens = *word == "<" && words.get(i.wrapping_sub(1)).is_some_and(|before| *before != "operator");
        match *word {
            "(" if angles > 0 || attribute => rounds += 1,
            ")" if angles > 0 || attribute => {
                rounds -= 1;
                attribute = attribute && rounds > 0;
            }
            "<" if opens && rounds == 0 && left.last() != Some(&"=") => angles += 1,
            ">" if angles > 0 && rounds == 0 => angles -= 1,
            "__attribute__" => attribute = true,
            "template" | "inline" | "constexpr" | "static" | "__extension__" if angles == 0 && !attribute => {
            }
            "class" if left.last() == Some(&"enum") => {}
            word if angles == 0 && !attribute => left.push(word),
            _ => {}
        }
    }
    left
}

fn names() -> BTreeSet<String> {
    let text = preprocessed();
    let (macros, code): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    let words = tokens(&code.join("\n"));
    let mut found: BTreeSet<String> = declarations(&words).iter().flat_map(|one| declared(one)).collect();
    let macro_name = |line: &str, word: &str| -> Option<String> {
        let rest = line.strip_prefix(word)?;
        Some(rest.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect())
    };
    for line in macros {
        if let Some(name) = macro_name(line, "#define ") {
            found.insert(name);
        } else if let Some(name) = macro_name(line, "#undef ") {
            found.remove(&name);
        }
    }
    found.retain(|name| {
        !name.starts_with('_')
            && !["AIEC_", "ADF_SIM_", "AIE_SIM_"].iter().any(|own| name.starts_with(own))
            && name != "operator"
    });
    found
}

#[test]
fn a_kernel_may_not_be_called_like_anything_that_adf_h_declares() {
    let found = names();
    for known in [
        "mac8",
        "lmul4_sym_ct",
        "fft_data_incr",
        "getl_scd",
        "rnd_floor",
        "input_stream",
        "READINCRW",
        "fpcmp_nrm",
        "aie_stream_resource_in",
        "v8int32",
        "upd_w0",
    ] {
        assert!(found.contains(known), "{known} is not found in the headers");
    }
    // Names covered by a rule of `c_names` need no entry, nor do names of the compiler itself or
    // the C library.
    let listed: Vec<&String> = found
        .iter()
        .filter(|name| {
            !c_names::is_of_adf_by_rule(name) && !c_names::is_word(name) && !c_names::is_of_chess(name)
        })
        .collect();
    let text: String = listed.iter().map(|name| format!("{name}\n")).collect();
    let path = root().join("compiler/ir/src/adf_names.txt");
    if std::env::var_os("AIEC_BLESS").is_some() {
        std::fs::write(&path, &text).expect("writable");
    }
    let now = std::fs::read_to_string(&path).expect("the list is there");
    let (want, have): (BTreeSet<&str>, BTreeSet<&str>) = (text.lines().collect(), now.lines().collect());
    assert!(
        want == have,
        "AIEC_BLESS=1 writes the list anew; not listed: {:?}; listed and not declared: {:?}",
        want.difference(&have).collect::<Vec<_>>(),
        have.difference(&want).collect::<Vec<_>>()
    );
    for name in &found {
        assert!(
            c_names::is_of_adf(name) || c_names::is_word(name) || c_names::is_of_chess(name),
            "{name} is taken for free"
        );
    }
}
