//! From a design to a program on this machine: emitted without placement, all roles compiled as one
//! translation unit.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use aiec::pipeline::{self, Front, Log, Options};
use aiec_codegen::{EmitOptions, UserSource, emit_unplaced, translation_units};
use aiec_device::Device;
use aiec_diag::{SourceFile, SourceId, Sources};

/// An array as wide as the largest design needs, otherwise a VC1902.
fn device() -> Device {
    let mut device =
        aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
    device.columns = 800;
    device
}

/// A design up to its check, or the codes of its faults.
pub fn checked(design: &str, device: Option<Device>) -> Result<Front, Vec<&'static str>> {
    let mut sources = Sources::default();
    let id: SourceId = sources.add("matrix.dsl", design);
    let source: SourceFile = sources.get(id).expect("added above").clone();
    let mut log = Log::default();
    let options = Options { device, ..Options::default() };
    let front = pipeline::front(&source, &options, &mut log);
    front.ok_or_else(|| {
        let mut codes: Vec<&str> = log.diagnostics.iter().map(|diagnostic| diagnostic.code.slug).collect();
        codes.dedup(); // several kernels may have too many windows
        codes
    })
}

/// The checks of the runtime while a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Every rule, and the memory beside windows and behind locks.
    All,
    /// Every rule of ports and locks.
    OfPorts,
}

/// A compiled design.
pub struct Program {
    folder: PathBuf,
}

/// Shared parts of all programs of a test run, compiled once.
struct Shared {
    folder: PathBuf,
}

impl Shared {
    /// The headers of the host runtime and `mpi.h`, precompiled for the flags of all programs, and
    /// the object of the runtime.
    fn get() -> &'static Self {
        static SHARED: OnceLock<Shared> = OnceLock::new();
        SHARED.get_or_init(|| {
            let shared = Self { folder: matrix().join("shared") };
            for (path, text) in aiec_runtime::HEADERS.iter() {
                write(&shared.folder.join(path), text);
            }
            write(&shared.folder.join("mpi.h"), include_str!("mpi.h"));
            let header = ["-x", "c++-header", "mpi.h", "-o", "mpi.h.gch"];
            compile(&shared.folder, ["-O0", aiec_runtime::LINKED].into_iter().chain(header));
            // Optimised, since it runs most of the time.
            compile(&shared.folder, ["-O2", "-c", aiec_runtime::RUN, "-o", "run.o"]);
            shared
        })
    }
}

fn matrix() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
    fs::write(path, text).expect("writable");
}

/// Runs the compiler in a folder.
#[track_caller]
fn compile<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) {
    let mut command = Command::new("g++");
    command.current_dir(folder).args(["-std=c++20", "-w", "-D__X86SIM__", "-D__AIE_ARCH__=10", "-I."]);
    let output = command.args(arguments).output().expect("g++ is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

impl Program {
    /// Compiles a design with its kernel sources, which may use `mpi.h`.
    #[track_caller]
    pub fn compile(name: &str, design: &str, sources: &[(String, String)]) -> Self {
        let front = checked(design, Some(device())).expect("the cases are legal");
        let user = sources.iter().map(|(path, text)| UserSource::inside(path, text));
        let options = EmitOptions { sources: user.collect(), ..EmitOptions::default() };
        let files =
            emit_unplaced(&front.checked, &front.device, &options).into_parts().0.expect("sources are given");
        let folder = matrix().join(name);
        files.iter().for_each(|file| write(&folder.join(&file.path), &file.text));
        write(&folder.join("all.cpp"), &in_one(&translation_units(&front.checked, &options.sources)));
        let shared = Shared::get().folder.to_string_lossy().into_owned();
        let header = format!("{shared}/mpi.h");
        let run = format!("{shared}/run.o");
        let folders = ["-isystem", &shared, "-Iaie", "-Iaie/include", "-Iaie/kernels", "-include", &header];
        let flags = ["-O0", aiec_runtime::LINKED, "all.cpp", &run, "-o", "program"];
        compile(&folder, folders.into_iter().chain(flags));
        Self { folder }
    }

    /// The program's output. `seed` sets the order in which kernels take turns.
    pub fn run(&self, seed: u64, checks: Checks) -> String {
        let mut command = Command::new(self.folder.join("program"));
        command.current_dir(&self.folder).env("AIEC_SIM_SEED", seed.to_string()).env("AIEC_SIM_STRICT", "1");
        command.env("AIEC_SIM_CHECKS", if checks == Checks::All { "1" } else { "0" });
        let output = command.output().expect("the compiled program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let faults = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && faults.is_empty(), "{}: {said}{faults}", output.status);
        said
    }
}

/// All translation units in one. Each wrapper has its own `communicator`, so these get different
/// names.
fn in_one(units: &[String]) -> String {
    let mut text = String::new();
    for (at, unit) in units.iter().enumerate() {
        let _ =
            writeln!(text, "#define communicator communicator{at}\n#include \"{unit}\"\n#undef communicator");
    }
    text
}
