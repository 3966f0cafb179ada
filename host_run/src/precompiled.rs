//! The sources and flags that fit precompiled headers. Takes a source or flags, and returns whether
//! gcc can use the headers for it, or the flags that the headers need.
#![allow(clippy::disallowed_methods, reason = "this module looks for headers beside a source")]

use std::path::Path;

use aiec_cpp_text::{Directive, Kind, tokens};
use aiec_system::files;

/// Prefixes of flags that change the layout of data in memory, by the manuals of gcc ("C++ Dialect
/// Options", "Code Generation Options") and of libstdc++ ("Macros"), or that select another target.
const LAYOUT: [&str; 14] = [
    "-D_GLIBCXX",
    "-U_GLIBCXX",
    "-D_LIBCPP",
    "-D_FILE_OFFSET_BITS",
    "-D_TIME_BITS",
    "-fsanitize",
    "-fabi-version",
    "-fshort-enums",
    "-fpack-struct",
    "-stdlib=",
    "--target=",
    "-m32",
    "-m64",
    "-mx32",
];

/// Options for paths and macros, whose value may be the next argument.
const OF_THE_SOURCE: [&str; 7] = ["-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include"];

/// Prefix of the flags that choose warnings; none are about the headers.
const WARNINGS: &str = "-W";

/// Prefixes of the macros that the headers read.
const KNOWN: [&str; 3] = ["-DAIEC_", "-D__X86SIM__", "-D__AIE_ARCH__"];

/// Headers between a source and `adf.h` that [`begins_with_headers`] looks into.
const MOST_BETWEEN: usize = 8;

/// True if a source includes `adf.h` before everything else, itself or through headers beside it.
/// gcc takes precompiled headers only as the first word of a text, and never from an included file;
/// but for such a source the command line may as well include them.
pub(crate) fn begins_with_headers(source: &Path) -> bool {
    let mut file = source.to_owned();
    for _ in 0..MOST_BETWEEN {
        let Some(bytes) = files::bytes_there(&file) else { return false };
        let text = String::from_utf8_lossy(&bytes);
        let Some(name) = first_included(&text) else { return false };
        file.set_file_name(name.trim_matches('"'));
        if name == "<adf.h>" || name == "\"adf.h\"" && !file.exists() {
            return true;
        }
    }
    false
}

/// True for the headers of the standard library that `adf.h` includes before its own text: either
/// may come first.
fn is_brought(name: &str) -> bool {
    let headers = aiec_runtime::HEADERS.iter().find(|(path, _)| *path == "adf.h");
    headers.is_some_and(|(_, text)| name.starts_with('<') && text.contains(&format!("#include {name}\n")))
}

/// The file that a text includes before everything else but comments, the guard of a header and
/// what `adf.h` brings, with its quotation marks or brackets.
fn first_included(text: &str) -> Option<&str> {
    let mut guard = None;
    for token in tokens(text).filter(|token| token.kind != Kind::Comment) {
        let directive = Directive::of(text, token)?;
        match (directive.name, directive.words().as_slice()) {
            ("include", [name]) if guard.is_none() && is_brought(name) => {}
            ("include", [name]) if guard.is_none() => return Some(name),
            ("pragma", ["once"]) => {}
            ("ifndef", [name]) => guard = Some(*name),
            ("define", [name]) if guard == Some(*name) => guard = None,
            _ => return None,
        }
    }
    None
}

/// The flags that change the layout of data in memory, which all objects of a program must share,
/// and the sanitizers.
pub(crate) fn of_the_layout(flags: &[String]) -> Vec<String> {
    joined(flags).filter(|flag| LAYOUT.iter().any(|start| flag.starts_with(start))).collect()
}

/// The flags that change how the headers are parsed: without the folders, the macros and the
/// warnings of a design.
pub(crate) fn of_the_headers(flags: &[String]) -> Vec<String> {
    let matters = |flag: &String| {
        let is_of_the_source = OF_THE_SOURCE.iter().chain(&[WARNINGS]).any(|start| flag.starts_with(start));
        !is_of_the_source || LAYOUT.iter().chain(&KNOWN).any(|start| flag.starts_with(start))
    };
    joined(flags).filter(matters).collect()
}

/// The flags, each joined with its value if that is the next argument.
fn joined(flags: &[String]) -> impl Iterator<Item = String> {
    let mut flags = flags.iter();
    std::iter::from_fn(move || {
        let flag = flags.next()?;
        let value = if OF_THE_SOURCE.contains(&flag.as_str()) { flags.next() } else { None };
        Some(format!("{flag}{}", value.map_or("", String::as_str)))
    })
}

#[cfg(test)]
mod tests {
    use super::{begins_with_headers, of_the_headers, of_the_layout};

    #[test]
    fn precompiled_headers_are_for_sources_that_begin_with_them() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).expect("writable");
            file
        };
        write("once.h", "// a\n#pragma once\n\n#include <adf.h>\nint x;");
        write("guarded.h", "#ifndef GUARDED\r\n#define GUARDED\r\n#include \"once.h\"\r\n#endif");
        write("itself.h", "#pragma once\n#include \"itself.h\"\n#include <adf.h>");
        let begins = |text: &str| begins_with_headers(&write("source.cc", text));
        for text in [
            "#include <adf.h>\nint x;",
            "\n// a\n/* b // */ # include \"adf.h\"",
            "/**/#include<adf.h>",
            "#pragma once\n#include <string>\n#include <adf.h>",
            "#include \"once.h\"",
            "#include \"guarded.h\"\n",
        ] {
            assert!(begins(text), "{text}");
        }
        for text in [
            "",
            "// #include <adf.h>",
            "/*/ #include <adf.h>",
            "int x;\n#include <adf.h>",
            "#include \"a.h\"",
            "#include \"itself.h\"",
            "#include <once.h>",
            "#include <random>\n#include <adf.h>",
            "/* ",
            "#define x\n#include <adf.h>",
            "#ifndef x\n#include <adf.h>\n#endif",
            "#ifndef x\n#define x 1\n#endif\n#include <adf.h>",
        ] {
            assert!(!begins(text), "{text}");
        }
        write("adf.h", "");
        assert!(begins("#include <adf.h>") && !begins("#include \"adf.h\""), "a header of the user's");
    }

    #[test]
    fn macros_folders_and_warnings_of_a_design_do_not_matter_to_the_headers() {
        let flags =
            "-isystem h -std=c++20 -Iwhere -DN=3 -D _GLIBCXX_DEBUG -D M -DAIEC_X -include f.h -Wall -O1 -g";
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        assert_eq!(of_the_headers(&flags), ["-std=c++20", "-D_GLIBCXX_DEBUG", "-DAIEC_X", "-O1", "-g"]);
    }

    #[test]
    fn of_a_graphs_flags_the_runtime_takes_those_that_lay_out_data() {
        let flags = "-isystem h -std=c++17 -O3 -Iwhere -DN=3 -D _GLIBCXX_DEBUG -D M -Wall -w -g -fsanitize=address -m32";
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        assert_eq!(of_the_layout(&flags), ["-D_GLIBCXX_DEBUG", "-fsanitize=address", "-m32"]);
    }
}
