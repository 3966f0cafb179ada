//! Compiled objects, kept by the content they are made from: in go a source and flags, out comes the path of an object
//! file. The key is the hash of the compiler's version, the flags and the preprocessed text, so nothing that could
//! change the object is left out. What is kept is compared with its hash before it is used ([`Store`]).
#![allow(clippy::disallowed_methods, reason = "this module starts compilers and keeps their results")]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use aiec_diag::Diagnostic;
use sha2::{Digest, Sha256};

use crate::store::Store;
use crate::{casts, errors, loops};
use aiec_system::files;
use aiec_system::passing::children;

/// What stands for the moving folder in keys and debug information.
const SETTLED: &str = "/aiec";

/// Leaves loop directives in preprocessed text, for `loops`.
const MARKED: &str = "-DAIEC_MARK_LOOPS";

/// Calls the runtime for every access through a pointer that is not aligned as its type needs (`aie_api/detail/alignment.hpp`).
const ALIGNED: &str = "-fsanitize=alignment";

/// The runtime has the function that is called then.
const ALIGNMENT_CHECKED: &str = "-DAIEC_CHECK_ALIGNMENT";

/// Flags of the runtime's own object.
const RUN_FLAGS: [&str; 6] =
    ["-std=c++20", "-O1", "-g1", "-fno-strict-aliasing", "-D__X86SIM__", "-D__AIE_ARCH__=10"];

/// How flags start with which data lie elsewhere in memory, by the manuals of gcc ("C++ Dialect Options", "Code Generation Options") and of
/// libstdc++ ("Macros"), or for another target.
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

/// Options that say where files are or what a macro is; their value may be the next argument.
const OF_THE_SOURCE: [&str; 7] = ["-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include"];

/// How the macros start that the headers know.
const KNOWN: [&str; 3] = ["-DAIEC_", "-D__X86SIM__", "-D__AIE_ARCH__"];

/// What gcc looks for when a source includes `adf.h`, in a folder that comes before that of the headers.
const PRECOMPILED: &str = "adf.h.gch";

/// The file beside it, which later sources include: gcc remembers the folder in which it found the first `adf.h`, and expects it there.
const NEXT: (&str, &str) = ("adf.h", "#include_next <adf.h>\n");

/// How the names of such folders begin, and how many are kept: each takes 140 MB.
const PRECOMPILED_NAME: &str = "precompiled-";
const MOST_PRECOMPILED: usize = 4;

/// The file of an object, and that of what the compiler said about it.
const OBJECT: &str = "object.o";
const SAID: &str = "said.txt";

/// How a source gets the headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Headers {
    /// From the precompiled ones, if they fit.
    Precompiled,
    /// From their files.
    Read,
}

/// A compiler with flags, and where its results are kept.
pub(crate) struct Cache {
    /// The compiler command.
    cxx: String,
    /// Flags of every compilation.
    flags: Vec<String>,
    /// Where results are kept.
    store: Store,
    /// What the compiler says about itself.
    version: Vec<u8>,
    /// A folder that is elsewhere in every run: what lies in it is known by its place in it.
    moving: Option<String>,
    /// The folders of the precompiled headers that this process has looked for, by flags.
    precompiled: Mutex<BTreeMap<Vec<String>, Option<PathBuf>>>,
}

/// A preprocessed source.
pub(crate) struct Unit {
    /// Where its object is, or will be.
    pub(crate) object: PathBuf,
    /// Every file it was made from.
    pub(crate) files: BTreeSet<PathBuf>,
    /// What the compiler said about it, which is kept with the object.
    pub(crate) said: String,
}

impl Cache {
    /// Unpacks the host headers and asks the compiler for its version.
    pub(crate) fn open(cxx: &str, flags: Vec<String>, moving: Option<&Path>) -> Result<Self, Diagnostic> {
        let store = Store::open(cache_folder())?;
        let output = children::output(Command::new(cxx).arg("--version"));
        let version = output.map_err(|error| errors::compiler(cxx, &error.to_string()))?.stdout;
        let mut hasher = Sha256::new();
        for (path, text) in aiec_runtime::HEADERS {
            hasher.update(path.as_bytes());
            hasher.update(text.as_bytes());
        }
        let headers = store.kept(&format!("headers-{}", &hex(hasher)[..16]), |folder| {
            files::write_all(folder, aiec_runtime::HEADERS.iter().copied())
        })?;
        let mut all = vec!["-isystem".to_owned(), headers.display().to_string()];
        all.extend(flags);
        // The compiler's own sanitizers have that function, too.
        if !all.iter().any(|flag| flag.starts_with("-fsanitize")) {
            all.push(ALIGNMENT_CHECKED.to_owned());
        }
        let moving = moving.map(|folder| folder.display().to_string());
        Ok(Self { cxx: cxx.to_owned(), flags: all, store, version, moving, precompiled: Mutex::default() })
    }

    /// The folder of the host headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.flags.get(1).map(PathBuf::from).unwrap_or_default()
    }

    /// Flags that the linker must have, too.
    pub(crate) fn link_flags(&self) -> impl Iterator<Item = String> {
        self.flags.iter().filter(|flag| flag.starts_with("-fsanitize")).cloned()
    }

    /// The object of the part of the runtime that is compiled once for a machine and a compiler: of all flags of a graph only those matter
    /// that decide how data lie in memory, and neither its folders nor its macros. The compiler's own headers are as its version says.
    pub(crate) fn run(&self) -> Result<PathBuf, Diagnostic> {
        let headers = self.headers();
        let mut flags = vec!["-isystem".to_owned(), headers.display().to_string()];
        flags.extend(RUN_FLAGS.map(str::to_owned));
        flags.extend(of_the_layout(&self.flags));
        let kept = self.store.kept(&self.key(&[], &flags), |folder| {
            let mut command = self.compiler();
            let source = headers.join(aiec_runtime::RUN);
            command.args(&flags).args(["-c", "-o"]).arg(folder.join(OBJECT)).args(["-x", "c++"]).arg(source);
            self.succeed(command.current_dir(&headers)).map(|_| ())
        })?;
        Ok(kept.join(OBJECT))
    }

    /// The folder of the precompiled headers for these flags; `None` for a compiler that does not find any by itself.
    ///
    /// gcc compares the flags and macros of a source with those of the precompiled header, and reads the header itself where it does
    /// not fit or where something else is included before (GCC manual, "Using Precompiled Headers"): nothing here decides it.
    fn precompiled(&self, flags: &[String]) -> Option<PathBuf> {
        if self.is_clang() {
            return None;
        }
        let flags = of_the_headers(flags);
        let mut known = self.precompiled.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(flags).or_insert_with_key(|flags| self.precompile(flags).ok()).clone()
    }

    fn precompile(&self, flags: &[String]) -> Result<PathBuf, Diagnostic> {
        let headers = self.headers();
        let of_the_headers = headers.display().to_string();
        let name =
            format!("{PRECOMPILED_NAME}{}", self.key(format!("{of_the_headers} {NEXT:?}").as_bytes(), flags));
        self.store.kept_lately(&name, PRECOMPILED_NAME, MOST_PRECOMPILED, |folder| {
            let mut command = self.compiler();
            command.arg("-isystem").arg(&headers).args(flags).arg(MARKED).arg("-w");
            command.args(["-x", "c++-header"]).arg(headers.join("adf.h"));
            self.succeed(command.arg("-o").arg(folder.join(PRECOMPILED)))?;
            files::write_all(folder, [NEXT])
        })
    }

    /// What a source's text and flags, and the compiler, are known by.
    fn key(&self, text: &[u8], flags: &[String]) -> String {
        let mut hasher = Sha256::new();
        for part in [&self.version, &self.settled(text)] {
            hasher.update(part.len().to_le_bytes());
            hasher.update(part);
        }
        for flag in flags {
            hasher.update(self.settled(flag.as_bytes()));
            hasher.update([0]);
        }
        hex(hasher)
    }

    /// The compiler, with its passing files in this process's own folder: who ends it ends it before it can remove them (GCC manual,
    /// "Environment Variables Affecting GCC").
    fn compiler(&self) -> Command {
        let mut command = Command::new(&self.cxx);
        command.env("TMPDIR", self.store.work());
        command
    }

    /// Runs the linker, by way of the compiler; what it said is the error if it did not end well.
    pub(crate) fn link(&self, arguments: &[String]) -> io::Result<()> {
        well(self.compiler().args(arguments)).map(|_| ())
    }

    fn is_clang(&self) -> bool {
        String::from_utf8_lossy(&self.version).contains("clang")
    }

    /// Compiles `source` unless that has been done before. `extra` flags are for this source alone.
    pub(crate) fn compile(&self, source: &Path, extra: &[&str]) -> Result<Unit, Diagnostic> {
        if !files::bytes_there(source).is_some_and(|text| begins_with_headers(&text)) {
            return self.compile_with(source, extra, Headers::Read);
        }
        let unit = self.compile_with(source, extra, Headers::Precompiled);
        // Another process may have removed the precompiled headers meanwhile.
        if unit.is_ok() { unit } else { self.compile_with(source, extra, Headers::Read) }
    }

    fn compile_with(&self, source: &Path, extra: &[&str], headers: Headers) -> Result<Unit, Diagnostic> {
        let mut extra: Vec<String> = extra.iter().map(|&flag| flag.to_owned()).collect();
        let preprocess =
            |extra: &[String]| self.start(source, extra, &["-E"], None, headers).map(|(text, _)| text);
        let mut preprocessed = preprocess(&extra)?;
        let checks = self.flags.iter().any(|flag| flag == ALIGNMENT_CHECKED);
        if checks && std::str::from_utf8(&preprocessed).is_ok_and(casts::to_pointers) {
            extra.push(ALIGNED.to_owned());
            // The text names the precompiled headers, which have that check, too.
            preprocessed = preprocess(&extra)?;
        }
        self.object(source, &extra, &preprocessed, headers)
    }

    /// The object of a preprocessed source.
    fn object(
        &self,
        source: &Path,
        extra: &[String],
        preprocessed: &[u8],
        headers: Headers,
    ) -> Result<Unit, Diagnostic> {
        let counted = std::str::from_utf8(preprocessed).ok().and_then(loops::counted);
        let text = counted.as_ref().map_or(preprocessed, |text| text.as_bytes());
        let all: Vec<String> = self.flags.iter().chain(extra).cloned().collect();
        let kept = self.store.kept(&self.key(text, &all), |folder| {
            let mode = ["-c", "-o", &folder.join(OBJECT).display().to_string()];
            let (_, said) = self.start(source, extra, &mode, counted.as_deref(), headers)?;
            let said = String::from_utf8_lossy(&self.settled(&said)).into_owned();
            files::write_all(folder, [(SAID, said.as_str())])
        })?;
        let said = fs::read(kept.join(SAID)).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).replace(SETTLED, self.moving.as_deref().unwrap_or(SETTLED));
        Ok(Unit { files: files_named_in(preprocessed), object: kept.join(OBJECT), said })
    }

    /// The text with the name of the moving folder replaced by one that stays.
    fn settled(&self, text: &[u8]) -> Vec<u8> {
        let Some(moving) = self.moving.as_ref().filter(|moving| !moving.is_empty()) else {
            return text.to_vec();
        };
        let mut settled = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.windows(moving.len()).position(|window| window == moving.as_bytes()) {
            settled.extend_from_slice(&rest[..at]);
            settled.extend_from_slice(SETTLED.as_bytes());
            rest = &rest[at + moving.len()..];
        }
        settled.extend_from_slice(rest);
        settled
    }

    /// How the debug information of a program calls a source.
    pub(crate) fn name_in_program(&self, source: &Path) -> String {
        let name = source.display().to_string();
        String::from_utf8_lossy(&self.settled(name.as_bytes())).into_owned()
    }

    /// A file of the cache with this name and text, for sources that aiec writes itself.
    pub(crate) fn written(&self, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
        let mut hasher = Sha256::new();
        hasher.update(text.as_bytes());
        let name_of_folder = format!("source-{}", &hex(hasher)[..16]);
        let folder = self.store.kept(&name_of_folder, |folder| files::write_all(folder, [(name, text)]))?;
        Ok(folder.join(name))
    }

    /// Starts the compiler on a source, or on what is left of it after preprocessing; what it wrote to its outputs.
    fn start(
        &self,
        source: &Path,
        extra: &[String],
        mode: &[&str],
        preprocessed: Option<&str>,
        headers: Headers,
    ) -> Result<(Vec<u8>, Vec<u8>), Diagnostic> {
        let renaming = self.moving.iter().map(|moving| format!("-ffile-prefix-map={moving}={SETTLED}"));
        let flags: Vec<String> = self.flags.iter().chain(extra).cloned().collect();
        let mut command = self.compiler();
        if headers == Headers::Precompiled
            && let Some(folder) = self.precompiled(&flags)
        {
            command.arg("-isystem").arg(folder).arg("-fpch-preprocess");
        }
        command.args(&flags).arg(MARKED).args(renaming).args(mode);
        match preprocessed {
            Some(text) => {
                let file = self.store.passing(".ii");
                fs::write(&file, text).map_err(|error| errors::compiler(&self.cxx, &error.to_string()))?;
                // clang complains about flags of a step that is over.
                command.args(self.is_clang().then_some("-Wno-unused-command-line-argument"));
                command.args(["-x", "c++-cpp-output"]).arg(file);
            }
            // Whatever the ending of its name says.
            None => drop(command.args(["-x", "c++"]).arg(source)),
        }
        self.succeed(&mut command)
    }

    /// What a compiler wrote to its outputs; its words are the diagnostic if it did not end well.
    fn succeed(&self, command: &mut Command) -> Result<(Vec<u8>, Vec<u8>), Diagnostic> {
        let output =
            children::output(command).map_err(|error| errors::compiler(&self.cxx, &error.to_string()))?;
        if output.status.success() {
            return Ok((output.stdout, output.stderr));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(if self.moving.is_some() {
            errors::compile(&said)
        } else {
            errors::graph_does_not_compile(&said)
        })
    }
}

/// True if a source includes `adf.h` before everything else but comments. gcc looks for precompiled headers also after declarations and
/// pragmas, but takes them from preprocessed text only as its first word; from an included file it takes none.
fn begins_with_headers(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    loop {
        let after = if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n')
        } else if rest.starts_with(b"/*") {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4)
        } else {
            break;
        };
        rest = after.map_or(&[][..], |after| rest[after..].trim_ascii_start());
    }
    let name = rest.strip_prefix(b"#").and_then(|rest| rest.trim_ascii_start().strip_prefix(b"include"));
    name.is_some_and(|name| {
        let name = name.trim_ascii_start();
        name.starts_with(b"<adf.h>") || name.starts_with(b"\"adf.h\"")
    })
}

/// The flags that decide how data lie in memory, which all objects of a program must have alike, and the sanitizers.
fn of_the_layout(flags: &[String]) -> Vec<String> {
    joined(flags).filter(|flag| LAYOUT.iter().any(|start| flag.starts_with(start))).collect()
}

/// The flags that decide how the headers are parsed: without those that say where a design's files are, and without its macros.
fn of_the_headers(flags: &[String]) -> Vec<String> {
    let matters = |flag: &String| {
        let is_of_the_source = OF_THE_SOURCE.iter().any(|start| flag.starts_with(start));
        !is_of_the_source || LAYOUT.iter().chain(&KNOWN).any(|start| flag.starts_with(start))
    };
    joined(flags).filter(matters).collect()
}

/// The flags, each with its value where that is the next argument.
fn joined(flags: &[String]) -> impl Iterator<Item = String> {
    let mut flags = flags.iter();
    std::iter::from_fn(move || {
        let flag = flags.next()?;
        let value = if OF_THE_SOURCE.contains(&flag.as_str()) { flags.next() } else { None };
        Some(format!("{flag}{}", value.map_or("", String::as_str)))
    })
}

/// `$XDG_CACHE_HOME/aiec`, `~/.cache/aiec`, or a folder among the temporary files.
fn cache_folder() -> PathBuf {
    let named = env::var_os("AIEC_CACHE").map(PathBuf::from);
    let xdg = env::var_os("XDG_CACHE_HOME").map(|folder| PathBuf::from(folder).join("aiec"));
    let home = env::var_os("HOME").map(|folder| PathBuf::from(folder).join(".cache/aiec"));
    let folder = named.or(xdg).or(home).unwrap_or_else(|| env::temp_dir().join("aiec-cache"));
    std::path::absolute(&folder).unwrap_or(folder)
}

/// The files that the line markers (`# 1 "file"`) of preprocessed text name.
fn files_named_in(text: &[u8]) -> BTreeSet<PathBuf> {
    let named = |line: &[u8]| -> Option<PathBuf> {
        let line = std::str::from_utf8(line.strip_prefix(b"# ")?).ok()?;
        let (_, rest) = line.split_once('"')?;
        let (file, _) = rest.rsplit_once('"')?;
        fs::canonicalize(file).ok()
    };
    let mut seen = BTreeSet::new();
    let markers = text
        .split(|byte| *byte == b'\n')
        .filter(|line| line.starts_with(b"# ") && seen.insert(line.to_vec()));
    markers.filter_map(named).collect()
}

fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a tool of the binutils; its standard output, if it ended well.
pub(crate) fn tool(name: &str, arguments: &[String]) -> io::Result<String> {
    well(Command::new(name).args(arguments))
}

fn well(command: &mut Command) -> io::Result<String> {
    let output = children::output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let name = command.get_program().display();
    Err(io::Error::other(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

#[cfg(test)]
mod tests {
    use super::{begins_with_headers, of_the_headers, of_the_layout};

    #[test]
    fn precompiled_headers_are_for_sources_that_begin_with_them() {
        for text in
            ["#include <adf.h>\nint x;", "\n// a\n/* b // */ # include \"adf.h\"", "/**/#include<adf.h>"]
        {
            assert!(begins_with_headers(text.as_bytes()), "{text}");
        }
        let others = [
            "",
            "// #include <adf.h>",
            "/*/ #include <adf.h>",
            "int x;\n#include <adf.h>",
            "#include \"a.h\"",
            "/* ",
        ];
        for text in
            others.into_iter().chain(["#pragma once\n#include <adf.h>", "#define x\n#include <adf.h>"])
        {
            assert!(!begins_with_headers(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn macros_and_folders_of_a_design_do_not_matter_to_the_headers() {
        let flags = "-isystem h -std=c++20 -Iwhere -DN=3 -D _GLIBCXX_DEBUG -D M -DAIEC_X -include f.h -O1 -g";
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
