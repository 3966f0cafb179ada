//! From a design to a program on this machine: emitted without places, all roles compiled as one translation unit.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec::pipeline::{self, Front, Log, Options};
use aiec_codegen::{EmitOptions, UserSource, emit_unplaced, translation_units};
use aiec_device::Device;
use aiec_diag::{SourceFile, SourceId, Sources};

/// An array as wide as the largest design needs, otherwise a VC1902.
fn device() -> Device {
    let mut device =
        aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
    device.columns = 400;
    device
}

/// A design up to its check; or the codes of what is wrong with it.
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

/// A compiled design.
pub struct Program {
    folder: PathBuf,
}

impl Program {
    /// Compiles a design with its kernel sources and a header that they include.
    #[track_caller]
    pub fn compile(
        name: &str,
        design: &str,
        sources: &[(String, String)],
        (header, text): (&str, &str),
    ) -> Self {
        let front = checked(design, Some(device())).expect("the cases are legal");
        let user = sources.iter().map(|(path, text)| UserSource { path: path.clone(), text: text.clone() });
        let options = EmitOptions { sources: user.collect(), ..EmitOptions::default() };
        let files =
            emit_unplaced(&front.checked, &front.device, &options).into_parts().0.expect("sources are given");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix").join(name);
        let write = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        files.iter().for_each(|file| write(&file.path, &file.text));
        write(&format!("aie/kernels/{header}"), text);
        write("all.cpp", &in_one(&translation_units(&front.checked, &options.sources)));
        for (path, text) in aiec_runtime::HEADERS {
            write(&format!("include/{path}"), text);
        }
        let program = Self { folder };
        program.build();
        program
    }

    fn build(&self) {
        let mut command = Command::new("g++");
        command.current_dir(&self.folder);
        command.args([
            "-std=c++20",
            "-O0",
            "-D__X86SIM__",
            "-D__AIE_ARCH__=10",
            "-rdynamic",
            "-Iinclude",
            "-Iaie",
        ]);
        command.args(["-Iaie/include", "-Iaie/kernels", "all.cpp", "-o", "program"]);
        let output = command.output().expect("g++ is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// What the program says; `seed` draws the order in which kernels take turns.
    pub fn run(&self, seed: u64) -> String {
        let mut command = Command::new(self.folder.join("program"));
        command.current_dir(&self.folder).env("AIEC_SIM_SEED", seed.to_string()).env("AIEC_SIM_STRICT", "1");
        let output = command.output().expect("the compiled program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let faults = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && faults.is_empty(), "{}: {said}{faults}", output.status);
        said
    }
}

/// All translation units in one. Each wrapper has a `communicator` of its own, which thus get different names.
fn in_one(units: &[String]) -> String {
    let mut text = String::new();
    for (at, unit) in units.iter().enumerate() {
        let _ =
            writeln!(text, "#define communicator communicator{at}\n#include \"{unit}\"\n#undef communicator");
    }
    text
}
