//! Compiled objects, kept by the content they are made from: in go a source and flags, out comes the path of an object
//! file. The key is the hash of the compiler's version, the flags and the preprocessed text, so nothing that could
//! change the object is left out.
#![allow(clippy::disallowed_methods, reason = "this module starts compilers and keeps their results")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use aiec_diag::Diagnostic;
use sha2::{Digest, Sha256};

use crate::files;
use crate::sim::{casts, errors, loops};

/// What stands for the moving folder in keys and debug information.
const SETTLED: &str = "/aiec";

/// Leaves loop directives in preprocessed text, for `loops`.
const MARKED: &str = "-DAIEC_MARK_LOOPS";

/// Calls the runtime for every access through a pointer that is not aligned as its type needs (`aie_api/detail/alignment.hpp`).
const ALIGNED: &str = "-fsanitize=alignment";

/// The runtime has the function that is called then.
const ALIGNMENT_CHECKED: &str = "-DAIEC_CHECK_ALIGNMENT";

/// A compiler with flags, and where its results are kept.
pub(crate) struct Cache {
    /// The compiler command.
    cxx: String,
    /// Flags of every compilation.
    flags: Vec<String>,
    /// The cache's folder.
    folder: PathBuf,
    /// What the compiler says about itself.
    version: Vec<u8>,
    /// A folder that is elsewhere in every run: what lies in it is known by its place in it.
    moving: Option<String>,
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
        let folder = cache_folder();
        let output = Command::new(cxx).arg("--version").stdin(Stdio::null()).output();
        let version = output.map_err(|error| errors::compiler(cxx, &error.to_string()))?.stdout;
        let mut hasher = Sha256::new();
        for (path, text) in aiec_runtime::HEADERS {
            hasher.update(path.as_bytes());
            hasher.update(text.as_bytes());
        }
        let headers = folder.join(format!("headers-{}", &hex(hasher)[..16]));
        if !headers.exists() {
            files::appear(&headers, aiec_runtime::HEADERS.iter().copied())?;
        }
        let mut all = vec!["-isystem".to_owned(), headers.display().to_string()];
        all.extend(flags);
        // The compiler's own sanitizers have that function, too.
        if !all.iter().any(|flag| flag.starts_with("-fsanitize")) {
            all.push(ALIGNMENT_CHECKED.to_owned());
        }
        let moving = moving.map(|folder| folder.display().to_string());
        Ok(Self { cxx: cxx.to_owned(), flags: all, folder, version, moving })
    }

    /// The folder of the host headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.flags.get(1).map(PathBuf::from).unwrap_or_default()
    }

    /// Flags that the linker must have, too.
    pub(crate) fn link_flags(&self) -> impl Iterator<Item = String> {
        self.flags.iter().filter(|flag| flag.starts_with("-fsanitize")).cloned()
    }

    /// The part of the runtime that is compiled once for all programs: with what may change how its data lie in memory, but
    /// without the folders and macros of the user's own sources.
    pub(crate) fn run(&self) -> Result<Unit, Diagnostic> {
        let of_the_library = |flag: &String| !flag.starts_with("-D") || flag.starts_with("-D_");
        let (system, rest) = self.flags.split_at(self.flags.len().min(2));
        let kept = rest.iter().filter(|flag| !flag.starts_with("-I") && of_the_library(flag));
        let flags = system.iter().chain(kept).cloned().collect();
        let (cxx, folder, version) = (self.cxx.clone(), self.folder.clone(), self.version.clone());
        let alone = Self { cxx, flags, folder, version, moving: None };
        alone.compile(&self.headers().join(aiec_runtime::RUN), &[])
    }

    /// The compiler command.
    pub(crate) fn cxx(&self) -> &str {
        &self.cxx
    }

    fn is_clang(&self) -> bool {
        String::from_utf8_lossy(&self.version).contains("clang")
    }

    /// Compiles `source` unless that has been done before. `extra` flags are for this source alone.
    pub(crate) fn compile(&self, source: &Path, extra: &[String]) -> Result<Unit, Diagnostic> {
        let (preprocessed, _) = self.start(source, extra, &["-E"], None)?;
        let readable = std::str::from_utf8(&preprocessed).ok();
        let counted = readable.and_then(loops::counted);
        let checks = self.flags.iter().any(|flag| flag == ALIGNMENT_CHECKED);
        let aligned = (checks && readable.is_some_and(casts::to_pointers)).then(|| ALIGNED.to_owned());
        let extra: Vec<String> = extra.iter().cloned().chain(aligned).collect();
        let extra = extra.as_slice();
        let text = counted.as_ref().map_or(preprocessed.as_slice(), |text| text.as_bytes());
        let mut hasher = Sha256::new();
        for part in [&self.version, &self.settled(text)] {
            hasher.update(part.len().to_le_bytes());
            hasher.update(part);
        }
        for flag in self.flags.iter().chain(extra) {
            hasher.update(self.settled(flag.as_bytes()));
            hasher.update([0]);
        }
        let object = self.folder.join(format!("{}.o", hex(hasher)));
        let words = object.with_extension("said");
        if !object.exists() {
            // Under a name of its own, since others may compile the same source at this moment.
            let unwritable = |error: std::io::Error| errors::cannot_run(&error.to_string());
            let partial = tempfile::Builder::new().prefix("partial-").suffix(".o").tempfile_in(&self.folder);
            let partial = partial.map_err(unwritable)?.into_temp_path();
            let mode = ["-c", "-o", &partial.display().to_string()];
            let (_, said) = self.start(source, extra, &mode, counted.as_deref())?;
            fs::write(&words, self.settled(&said)).map_err(unwritable)?;
            partial.persist(&object).map_err(|error| unwritable(error.error))?;
        }
        let said = fs::read(&words).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).replace(SETTLED, self.moving.as_deref().unwrap_or(SETTLED));
        Ok(Unit { files: files_named_in(&preprocessed), object, said })
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
        let folder = self.folder.join(format!("source-{}", &hex(hasher)[..16]));
        if !folder.exists() {
            files::appear(&folder, [(name, text)])?;
        }
        Ok(folder.join(name))
    }

    /// Starts the compiler on a source, or on what is left of it after preprocessing; what it wrote to its outputs.
    fn start(
        &self,
        source: &Path,
        extra: &[String],
        mode: &[&str],
        preprocessed: Option<&str>,
    ) -> Result<(Vec<u8>, Vec<u8>), Diagnostic> {
        let renaming = self.moving.iter().map(|moving| format!("-ffile-prefix-map={moving}={SETTLED}"));
        let mut command = Command::new(&self.cxx);
        command.args(&self.flags).arg(MARKED).args(renaming).args(extra).args(mode).stdin(Stdio::null());
        let failed = |error: io::Error| errors::compiler(&self.cxx, &error.to_string());
        let mut kept = None;
        match preprocessed {
            Some(text) => {
                let file =
                    tempfile::Builder::new().suffix(".ii").tempfile_in(&self.folder).map_err(failed)?;
                fs::write(file.path(), text).map_err(failed)?;
                // clang complains about flags of a step that is over.
                command.args(self.is_clang().then_some("-Wno-unused-command-line-argument"));
                command.args(["-x", "c++-cpp-output"]).arg(file.path());
                kept = Some(file);
            }
            // Whatever the ending of its name says.
            None => drop(command.args(["-x", "c++"]).arg(source)),
        }
        let output = command.output().map_err(failed)?;
        drop(kept);
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
    let output = Command::new(name).args(arguments).stdin(Stdio::null()).output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(io::Error::other(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim())))
    }
}
