//! Cache of compiled objects by content. Takes a source and flags, and returns the path of an
//! object file. The key is the hash of the compiler's version, the flags and the preprocessed text,
//! so everything that can change the object is in it. Kept files are compared with their hashes
//! before use, once for each change ([`Store`]).
#![allow(clippy::disallowed_methods, reason = "this module starts compilers and keeps their results")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use aiec_cpp_text::with_plain_blanks;
use aiec_diag::Diagnostic;
use memchr::{memchr, memmem};
use sha2::{Digest, Sha256};

use crate::debug::SETTLED;
use crate::parts::Part;
use crate::precompiled::{begins_with_headers, of_the_headers, of_the_layout};
use crate::store::{Held, Store, open_store};
use crate::{casts, complaints, errors, loops, operations, timed};
use aiec_system::files;
use aiec_system::passing::children;

/// Leaves loop directives in preprocessed text, for `loops`.
const MARKED: &str = "-DAIEC_MARK_LOOPS";

/// Calls the runtime for every access through a pointer that is less aligned than its type needs
/// (`aie_api/detail/alignment.hpp`).
const ALIGNED: &str = "-fsanitize=alignment";

/// Has the compiler call the runtime for every access to memory of the kernels' own code, which no
/// header sees. Only the calls of that sanitizer are used; the program is not linked with it.
const ACCESSES: [&str; 2] = ["-fsanitize=thread", "-fno-threadsafe-statics"];

/// The runtime then defines the function that these calls need.
const ALIGNMENT_CHECKED: &str = "-DAIEC_CHECK_ALIGNMENT";

/// Prefixes of the macros that the runtime of a run depends on: whether it counts, whether it has
/// the function that checked casts call, and the architecture, which sets the alignment there.
const OF_THE_RUN: [&str; 3] = [aiec_runtime::TIMING, ALIGNMENT_CHECKED, "-D__AIE_ARCH__"];

/// The precompiled header that gcc looks for when a source includes `adf.h`, in a folder that comes
/// before that of the headers.
const PRECOMPILED: &str = "adf.h.gch";

/// The file beside it, for later includes: gcc remembers the folder in which it found the first
/// `adf.h`, and expects the file there.
const NEXT: (&str, &str) = ("adf.h", "#include_next <adf.h>\n");

/// Prefix of the names of such folders, and the number of them that the cache keeps: each takes 140
/// MB.
const PRECOMPILED_NAME: &str = "precompiled-";
const MOST_PRECOMPILED: usize = 8;

/// Prefix of the names of folders that note the flags of a first graph.
const FIRST_NAME: &str = "first-";

/// Prefix of the names of folders of programs that describe their graphs, the number of them that
/// the cache keeps, and the program in each.
const PROBE_NAME: &str = "probe-";
const MOST_PROBES: usize = 16;
const PROBE: &str = "probe";

/// The file of an object, and the file of the compiler's messages about it.
const OBJECT: &str = "object.o";
const SAID: &str = "said.txt";

/// The reason why a source has no object.
#[derive(Clone)]
pub(crate) enum Refusal {
    /// The compiler's messages. `ours` tells that aiec wrote the graph.
    Said { words: String, ours: bool },
    /// The compiler cannot be run, or the cache not be written.
    Other(Diagnostic),
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Other(diagnostic)
    }
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Said { words, ours: true } => errors::compile(&words),
            Refusal::Said { words, ours: false } => errors::graph_does_not_compile(&words),
            Refusal::Other(diagnostic) => diagnostic,
        }
    }
}

/// How a source gets the host headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Headers {
    /// From the precompiled header, if its flags fit.
    Precompiled,
    /// From their source files.
    Read,
}

/// A compiler with flags, and the store of its results.
pub(crate) struct Cache {
    /// The compiler command.
    cxx: String,
    /// Flags of every compilation.
    flags: Vec<String>,
    /// Store of results.
    store: Store,
    /// The compiler's version text.
    version: Vec<u8>,
    /// A folder with another path in every run. Keys hold paths relative to it.
    moving: Option<String>,
    /// Folders of the precompiled headers that this process has looked up, by flags. None when the
    /// compiler finds none.
    precompiled: Mutex<BTreeMap<Vec<String>, Option<Held>>>,
    /// Sources that the compiler has refused, by their preprocessed text and the flags that matter
    /// to it.
    refused: Mutex<BTreeMap<String, Refusal>>,
}

/// A preprocessed source, with the path of its object.
pub(crate) struct Unit {
    /// Path of its object, which may not exist yet.
    pub(crate) object: PathBuf,
    /// Every file that it includes, and itself.
    pub(crate) files: BTreeSet<PathBuf>,
    /// The compiler's messages about it, kept with the object.
    pub(crate) said: String,
}

/// A preprocessed source for the compiler.
struct Translated {
    /// Its text with counters. None when it needs none: the compiler then reads the source.
    text: Option<String>,
    /// The key of the object.
    key: String,
}

impl Cache {
    /// Unpacks the host headers and asks the compiler for its version.
    pub(crate) fn open(cxx: &str, flags: Vec<String>, moving: Option<&Path>) -> Result<Self, Diagnostic> {
        let store = open_store()?;
        let output = children::output(Command::new(cxx).arg("--version"));
        let output = output.map_err(|error| errors::compiler(cxx, &error.to_string()))?;
        if !output.status.success() {
            return Err(errors::silent_compiler(cxx, "`--version`", output.status));
        }
        let version = output.stdout;
        let mut hasher = Sha256::new();
        for (path, text) in aiec_runtime::HEADERS.iter() {
            hasher.update(path.as_bytes());
            hasher.update(text.as_bytes());
        }
        let headers = store.kept(&format!("headers-{}", &hex(hasher)[..16]), |folder| {
            files::write_all(folder, aiec_runtime::HEADERS.iter().copied())
        })?;
        let mut all = vec!["-isystem".to_owned(), headers.display().to_string()];
        all.extend(flags);
        // The compiler's own sanitizers define that function, too.
        if !all.iter().any(|flag| flag.starts_with("-fsanitize")) {
            all.push(ALIGNMENT_CHECKED.to_owned());
        }
        let moving = moving.map(|folder| folder.display().to_string());
        Ok(Self {
            cxx: cxx.to_owned(),
            flags: all,
            store,
            version,
            moving,
            precompiled: Mutex::default(),
            refused: Mutex::default(),
        })
    }

    /// The folder of the host headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.flags.get(1).map(PathBuf::from).unwrap_or_default()
    }

    /// Flags that the linker needs, too.
    pub(crate) fn link_flags(&self) -> impl Iterator<Item = String> {
        self.flags.iter().filter(|flag| flag.starts_with("-fsanitize")).cloned()
    }

    /// The object of a part of the runtime. Of the flags of a graph it uses only those that change
    /// the layout of data and [`OF_THE_RUN`], and no folders. The compiler's version stands for the
    /// compiler's own headers.
    pub(crate) fn runtime(&self, part: Part) -> Result<PathBuf, Diagnostic> {
        let headers = self.headers();
        let mut flags = vec!["-isystem".to_owned(), headers.display().to_string()];
        flags.extend(part.flags().map(str::to_owned));
        flags.extend(of_the_layout(&self.flags));
        if part.source == aiec_runtime::RUN {
            let matters = |flag: &&String| OF_THE_RUN.iter().any(|start| flag.starts_with(start));
            flags.extend(self.flags.iter().filter(matters).cloned());
        }
        let kept = self.store.kept(&self.key(part.source.as_bytes(), &flags), |folder| {
            let mut command = self.compiler();
            let source = headers.join(part.source);
            command.args(&flags).args(["-c", "-o"]).arg(folder.join(OBJECT)).args(["-x", "c++"]).arg(source);
            self.succeed(command.current_dir(&headers)).map(|_| ()).map_err(Diagnostic::from)
        })?;
        Ok(kept.join(OBJECT))
    }

    /// The folder of the precompiled headers for these flags. Returns None when the compiler is
    /// clang, which finds none by itself.
    ///
    /// gcc compares the flags and macros of a source with those of the precompiled header. It reads
    /// the source of the header where they do not fit or where something else is included before
    /// (GCC manual, "Using Precompiled Headers"). So this function need not decide that.
    fn precompiled(&self, flags: &[String]) -> Option<Held> {
        if self.is_clang() {
            return None;
        }
        let flags = of_the_headers(flags);
        let mut known = self.precompiled.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(flags).or_insert_with_key(|flags| self.precompile(flags).ok()).clone()
    }

    fn precompile(&self, flags: &[String]) -> Result<Held, Diagnostic> {
        let headers = self.headers();
        let name = format!("{PRECOMPILED_NAME}{}", self.key_of_precompiled(flags));
        self.store.kept_lately(&name, PRECOMPILED_NAME, MOST_PRECOMPILED, |folder| {
            let mut command = self.compiler();
            command.arg("-isystem").arg(&headers).args(flags).arg(MARKED).arg("-w");
            command.args(["-x", "c++-header"]).arg(headers.join("adf.h"));
            self.succeed(command.arg("-o").arg(folder.join(PRECOMPILED)))?;
            files::write_all(folder, [NEXT])
        })
    }

    /// The key of the precompiled headers for flags that matter to them.
    fn key_of_precompiled(&self, flags: &[String]) -> String {
        self.key(format!("{} {NEXT:?}", self.headers().display()).as_bytes(), flags)
    }

    /// The key: a hash of text, flags and compiler version.
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

    /// The compiler, with its temporary files in this process's own folder. A compiler that is
    /// killed cannot remove them itself (GCC manual, "Environment Variables Affecting GCC").
    fn compiler(&self) -> Command {
        let mut command = Command::new(&self.cxx);
        command.env("TMPDIR", self.store.work());
        command
    }

    /// Links through the compiler. A failure carries the linker's messages.
    pub(crate) fn link(&self, arguments: &[String], linker: Linker) -> io::Result<()> {
        let choice = (linker == Linker::Gold).then_some("-fuse-ld=gold");
        well(self.compiler().args(choice).args(arguments)).map(|_| ())
    }

    /// True in the mode that counts what kernels execute.
    pub(crate) fn counts(&self) -> bool {
        self.flags.iter().any(|flag| flag == aiec_runtime::TIMING)
    }

    /// Flags for kernels in that mode. Basic blocks are counted where gcc writes instructions of
    /// x86-64.
    pub(crate) fn counting_flags(&self) -> Vec<&'static str> {
        let is_other = |flag: &String| flag.starts_with("-m32") || flag.starts_with("-mx32");
        let knows = cfg!(target_arch = "x86_64") && !self.is_clang() && !self.flags.iter().any(is_other);
        let accesses = if self.counts() { &ACCESSES[..] } else { &[] };
        let blocks = [operations::BLOCKS].into_iter().chain(operations::CALLS);
        accesses.iter().copied().chain(blocks.filter(|_| self.counts() && knows)).collect()
    }

    fn is_clang(&self) -> bool {
        String::from_utf8_lossy(&self.version).contains("clang")
    }

    /// Compiles `source` unless the store has its object. `extra` flags are for this source alone.
    pub(crate) fn compile(&self, source: &Path, extra: &[&str]) -> Result<Unit, Refusal> {
        if !self.takes_precompiled(source) {
            return self.compile_with(source, extra, Headers::Read);
        }
        let unit = self.compile_with(source, extra, Headers::Precompiled);
        unit.or_else(|refusal| match self.is_of_precompiled(&refusal) {
            true => self.compile_with(source, extra, Headers::Read),
            false => Err(refusal),
        })
    }

    /// True if a refusal may be due to precompiled headers: the compiler names their file, or
    /// somebody has removed it meanwhile.
    fn is_of_precompiled(&self, refusal: &Refusal) -> bool {
        let is_named = matches!(refusal, Refusal::Said { words, .. } if words.contains(PRECOMPILED));
        let known = self.precompiled.lock().unwrap_or_else(PoisonError::into_inner);
        is_named || known.values().flatten().any(|folder| !folder.path().join(PRECOMPILED).is_file())
    }

    /// Like [`compile`](Self::compile), for a graph alone, without checks of casts. Its precompiled
    /// headers take longer to make than a graph to compile: they save that time from the second
    /// graph on.
    pub(crate) fn compile_as_written(&self, source: &Path, extra: &[&str]) -> Result<Unit, Refusal> {
        let extra: Vec<String> = extra.iter().map(|&flag| flag.to_owned()).collect();
        let preprocess = |headers| self.preprocessed(source, &extra, headers);
        let read = || self.object(source, &extra, &preprocess(Headers::Read)?, Headers::Read);
        if !self.takes_precompiled(source) {
            return read();
        }
        let flags: Vec<String> = self.flags.iter().chain(&extra).cloned().collect();
        let key = self.key_of_precompiled(&of_the_headers(&flags));
        let has = |prefix: &str| self.store.has(&format!("{prefix}{key}"));
        if !has(PRECOMPILED_NAME) {
            let text = preprocess(Headers::Read)?;
            let translated = self.translated(&text, &extra);
            let is_known = self.store.there(&translated.key).is_some();
            if is_known || !has(FIRST_NAME) {
                let unit = self.object_of(source, &extra, (&text, translated), Headers::Read)?;
                self.store.kept(&format!("{FIRST_NAME}{key}"), |_| Ok::<(), Refusal>(()))?;
                return Ok(unit);
            }
        }
        let precompiled = preprocess(Headers::Precompiled)
            .and_then(|text| self.object(source, &extra, &text, Headers::Precompiled));
        precompiled.or_else(|refusal| if self.is_of_precompiled(&refusal) { read() } else { Err(refusal) })
    }

    /// True if gcc can take the headers of a source from precompiled ones.
    fn takes_precompiled(&self, source: &Path) -> bool {
        // gcc looks for a header that the command line includes in the current folder first.
        !self.is_clang() && begins_with_headers(source) && !Path::new("adf.h").exists()
    }

    /// The program of these objects, which `link` makes at a path. The cache keeps the latest.
    /// `recipe` stands for what `link` adds to the objects, so that another version of aiec takes
    /// no program that this one linked.
    pub(crate) fn probe(
        &self,
        objects: &[PathBuf],
        recipe: &str,
        link: impl Fn(&Path) -> Result<(), Diagnostic>,
    ) -> Result<Held, Diagnostic> {
        let names = objects.iter().map(|object| object.display().to_string());
        let parts: Vec<String> = names.chain([recipe.to_owned()]).collect();
        let name = format!("{PROBE_NAME}{}", self.key(parts.join("\n").as_bytes(), &[]));
        let kept =
            self.store.kept_lately(&name, PROBE_NAME, MOST_PROBES, |folder| link(&folder.join(PROBE)))?;
        Ok(kept.file(PROBE))
    }

    fn compile_with(&self, source: &Path, extra: &[&str], headers: Headers) -> Result<Unit, Refusal> {
        let mut extra: Vec<String> = extra.iter().map(|&flag| flag.to_owned()).collect();
        let mut preprocessed = self.preprocessed(source, &extra, headers)?;
        let checks = self.flags.iter().any(|flag| flag == ALIGNMENT_CHECKED);
        if checks && std::str::from_utf8(&preprocessed).is_ok_and(casts::to_pointers) {
            extra.push(ALIGNED.to_owned());
            // The text names the precompiled headers, which have that check, too.
            preprocessed = self.preprocessed(source, &extra, headers)?;
        }
        self.object(source, &extra, &preprocessed, headers)
    }

    /// The preprocessed text of a source. [`translated`](Self::translated) makes plain blanks of
    /// the white space that g++ refuses.
    fn preprocessed(&self, source: &Path, extra: &[String], headers: Headers) -> Result<Vec<u8>, Refusal> {
        let run = |mode: &[&str]| self.start(source, extra, mode, None, headers).map(|(text, _)| text);
        run(&["-E"]).or_else(|refusal| match &refusal {
            Refusal::Said { words, .. } if complaints::is_of_character(words) => {
                run(&["-E", complaints::AS_BYTES]).map_err(|_| refusal)
            }
            _ => Err(refusal),
        })
    }

    /// The object of a preprocessed source.
    fn object(
        &self,
        source: &Path,
        extra: &[String],
        preprocessed: &[u8],
        headers: Headers,
    ) -> Result<Unit, Refusal> {
        self.object_of(source, extra, (preprocessed, self.translated(preprocessed, extra)), headers)
    }

    /// The same of a text that is translated already.
    fn object_of(
        &self,
        source: &Path,
        extra: &[String],
        (preprocessed, translated): (&[u8], Translated),
        headers: Headers,
    ) -> Result<Unit, Refusal> {
        let Translated { text, key } = translated;
        // Macros have done their work.
        let others = || self.flags.iter().chain(extra).filter(|flag| !is_macro(flag)).cloned();
        let same = || self.key(preprocessed, &others().collect::<Vec<String>>());
        let refused = || self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if !refused().is_empty()
            && let Some(refusal) = refused().get(&same())
        {
            return Err(refusal.clone());
        }
        let kept = self.store.kept(&key, |folder| {
            let object = folder.join(OBJECT);
            let counts = extra.iter().any(|flag| flag == operations::BLOCKS);
            let made = if counts { self.store.passing(".s") } else { object.clone() };
            let mode = [if counts { "-S" } else { "-c" }, "-o", &made.display().to_string()];
            let compiled = |text: Option<&str>| self.start(source, extra, &mode, text, headers);
            // What `preprocessed` passed on may be gone with its directive.
            let own = std::str::from_utf8(preprocessed).ok().filter(|_| text.is_none());
            let (_, said) = compiled(text.as_deref()).or_else(|refusal| match (&refusal, own) {
                (Refusal::Said { words, .. }, Some(own)) if complaints::is_of_character(words) => {
                    compiled(Some(own)).map_err(|_| refusal)
                }
                _ => Err(refusal),
            })?;
            if counts {
                self.assemble(&made, &object)?;
            }
            let said = String::from_utf8_lossy(&self.settled(&said)).into_owned();
            Ok::<(), Refusal>(files::write_all(folder, [(SAID, said.as_str())])?)
        });
        let kept = kept.inspect_err(|refusal| {
            refused().insert(same(), refusal.clone());
        })?;
        let said = fs::read(kept.join(SAID)).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).replace(SETTLED, self.moving.as_deref().unwrap_or(SETTLED));
        Ok(Unit { files: files_named_in(preprocessed), object: kept.join(OBJECT), said })
    }

    /// Makes an object of assembly text whose basic blocks are to be counted.
    fn assemble(&self, assembly: &Path, object: &Path) -> Result<(), Refusal> {
        let failed = |error: io::Error| errors::compiler(&self.cxx, &error.to_string());
        let text = fs::read_to_string(assembly).map_err(failed)?;
        let headers = self.headers().display().to_string();
        fs::write(assembly, operations::counted(&text, &headers)).map_err(failed)?;
        self.succeed(self.compiler().arg("-c").arg("-o").arg(object).arg(assembly)).map(|_| ())
    }

    /// The text that the compiler gets for a preprocessed source, and the key of its object.
    fn translated(&self, preprocessed: &[u8], extra: &[String]) -> Translated {
        let own = std::str::from_utf8(preprocessed).ok();
        let plain = own.and_then(with_plain_blanks);
        let own = plain.as_deref().or(own);
        let timed = own.filter(|_| self.counts()).map(timed::timed);
        let text = timed.as_deref().or(own).and_then(loops::counted).or(timed).or(plain);
        let mut all: Vec<String> = self.flags.iter().chain(extra).cloned().collect();
        if extra.iter().any(|flag| flag == operations::BLOCKS) {
            all.push(operations::VERSION.to_owned());
        }
        let key = self.key(text.as_ref().map_or(preprocessed, |text| text.as_bytes()), &all);
        Translated { text, key }
    }

    /// The text with the path of the moving folder replaced by [`SETTLED`].
    fn settled(&self, text: &[u8]) -> Vec<u8> {
        let Some(moving) = self.moving.as_ref().filter(|moving| !moving.is_empty()) else {
            return text.to_vec();
        };
        let mut settled = Vec::with_capacity(text.len());
        let mut copied = 0;
        for at in memmem::find_iter(text, moving.as_bytes()) {
            settled.extend_from_slice(&text[copied..at]);
            settled.extend_from_slice(SETTLED.as_bytes());
            copied = at + moving.len();
        }
        settled.extend_from_slice(&text[copied..]);
        settled
    }

    /// The folder for which [`SETTLED`] stands in programs.
    pub(crate) fn moving(&self) -> Option<&str> {
        self.moving.as_deref()
    }

    /// The name of a source in the debug information of a program.
    pub(crate) fn name_in_program(&self, source: &Path) -> String {
        let name = source.display().to_string();
        String::from_utf8_lossy(&self.settled(name.as_bytes())).into_owned()
    }

    /// A file of the cache with this name and text, for sources that aiec writes itself.
    pub(crate) fn written(&self, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
        self.store.written(name, text)
    }

    /// Runs the compiler on a source or on preprocessed text, and returns its outputs.
    fn start(
        &self,
        source: &Path,
        extra: &[String],
        mode: &[&str],
        preprocessed: Option<&str>,
        headers: Headers,
    ) -> Result<(Vec<u8>, Vec<u8>), Refusal> {
        let renaming = self.moving.iter().map(|moving| format!("-ffile-prefix-map={moving}={SETTLED}"));
        let flags: Vec<String> = self.flags.iter().chain(extra).cloned().collect();
        let mut command = self.compiler();
        if headers == Headers::Precompiled
            && let Some(folder) = self.precompiled(&flags)
        {
            command.arg("-isystem").arg(folder.path()).args(["-include", "adf.h", "-fpch-preprocess"]);
        }
        command.args(&flags).arg(MARKED).args(renaming).args(mode);
        match preprocessed {
            Some(text) => {
                let file = self.store.passing(".ii");
                fs::write(&file, text).map_err(|error| errors::compiler(&self.cxx, &error.to_string()))?;
                // clang warns about flags of a stage that does not run.
                command.args(self.is_clang().then_some("-Wno-unused-command-line-argument"));
                command.args(["-x", "c++-cpp-output"]).arg(file);
            }
            // C++, whatever the extension of its name.
            None => drop(command.args(["-x", "c++"]).arg(source)),
        }
        self.succeed(&mut command)
    }

    /// Standard output and standard error of a compiler. A failure has its messages.
    fn succeed(&self, command: &mut Command) -> Result<(Vec<u8>, Vec<u8>), Refusal> {
        let output =
            children::output(command).map_err(|error| errors::compiler(&self.cxx, &error.to_string()))?;
        if output.status.success() {
            return Ok((output.stdout, output.stderr));
        }
        let words = complaints::with_code_points(&String::from_utf8_lossy(&output.stderr));
        if words.trim().is_empty() {
            return Err(errors::silent_compiler(&self.cxx, "a source", output.status).into());
        }
        Err(Refusal::Said { words, ours: self.moving.is_some() })
    }
}

/// Which linker a compiler starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linker {
    /// `gold` of the binutils, which links a graph in a third of the time. Not every system has it.
    Gold,
    /// The compiler's own choice.
    Default,
}

/// True for a flag that defines a macro, or removes one.
fn is_macro(flag: &str) -> bool {
    ["-D", "-U"].iter().any(|begin| flag.starts_with(begin))
}

/// The files that the line markers (`# 1 "file"`) of preprocessed text name.
fn files_named_in(text: &[u8]) -> BTreeSet<PathBuf> {
    let name = |start: usize| -> Option<&str> {
        let rest = &text[start..];
        let line = std::str::from_utf8(&rest[..memchr(b'\n', rest).unwrap_or(rest.len())]).ok()?;
        let (_, rest) = line.split_once('"')?;
        rest.rsplit_once('"').map(|(file, _)| file)
    };
    let first = text.starts_with(b"# ").then_some(0);
    let markers = first.into_iter().chain(memmem::find_iter(text, b"\n# ").map(|end| end + 1));
    let names: BTreeSet<&str> = markers.filter_map(name).collect();
    names.into_iter().filter_map(|file| fs::canonicalize(file).ok()).collect()
}

fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a tool of the binutils and returns its standard output.
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
