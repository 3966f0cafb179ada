//! The build files: `Makefile`, `aie/aiecompiler.cfg` and `vitis_component.py`, for one release and
//! board.
//!
//! Every command and option follows from a cell of `aiec_device::release`, which names its
//! document. A cell with an unknown value becomes a variable that the user must set for the
//! Makefile.

use std::collections::BTreeSet;

use aiec_device::release::{Board, ClockOption, GraphCompiler, Packaging, Platform};
use aiec_ir::Direction;
use askama::Template;

use super::Context;
use super::project::movers;

/// The fields of the template of `Makefile`.
#[derive(Template)]
#[template(path = "Makefile.askama", escape = "none")]
pub(crate) struct Makefile<'a> {
    stamp: &'a str,
    design: &'a str,
    release: &'static str,
    board: Board,
    /// True if the host is the device's own processor.
    embedded: bool,
    /// True for `v++ -c --mode aie`.
    vpp: bool,
    /// True for `--freqhz`.
    freqhz: bool,
    platform: Option<&'static str>,
    needs_platform: bool,
    packaging: Option<Packaging>,
    /// Variables without a default, each with the reason.
    unknown: Vec<(&'static str, String)>,
    /// The default clock in words.
    clock: String,
    pl_hz: u64,
    pl_mhz: String,
    /// The linker options that set the clock.
    link_clock: &'static str,
    /// The compiler's option for the folder of its results.
    work: &'static str,
    includes: Vec<&'static str>,
    movers: Vec<String>,
    /// Folders that the host reads and writes, quoted for the shell.
    folders: Vec<String>,
    files: Vec<String>,
}

/// The fields of the template of `aie/aiecompiler.cfg`.
#[derive(Template)]
#[template(path = "aiecompiler.cfg.askama", escape = "none")]
pub(crate) struct CompilerCfg<'a> {
    stamp: &'a str,
    stack: u32,
    heap: u32,
}

/// The fields of the template of `vitis_component.py`.
#[derive(Template)]
#[template(path = "vitis_component.py.askama", escape = "none")]
pub(crate) struct Component<'a> {
    stamp: &'a str,
    design: &'a str,
    release: &'static str,
    platform: Option<&'static str>,
    /// Why no platform is known.
    why: String,
    /// The document of the calls.
    source: &'static str,
    aie_files: Vec<&'static str>,
    /// The folders with data.
    folders: Vec<String>,
    /// The clock of programmable logic, in Hz.
    pl_hz: u64,
}

/// The platform of a project. Otherwise the reason why none is known.
pub(super) fn platform(context: &Context<'_>) -> Result<&'static str, String> {
    let (release, board) = (context.design.release, context.design.board);
    if context.device.name != board.device() {
        return Err(format!(
            "the {board} has an {}, the design is for {}",
            board.device(),
            context.device.name
        ));
    }
    let cell = release.platform(board);
    match cell.value {
        Some(Platform::Named(name)) => Ok(name),
        Some(Platform::None) | None => Err(format!(
            "no document names the platform of Vitis {release} for the {board} ({})",
            cell.source
        )),
    }
}

/// The variables that have no default, with the reasons.
pub(super) fn unknown(context: &Context<'_>) -> Vec<(&'static str, String)> {
    let (release, board) = (context.design.release, context.design.board);
    let packaging = release.packaging(board);
    let platform = platform(context).err().map(|why| ("PLATFORM", why));
    let packaging = packaging.value.is_none().then(|| {
        let why = format!(
            "no document settles how Vitis {release} packages for the {board} ({})",
            packaging.source
        );
        ("PACKAGE_OPTIONS", why)
    });
    platform.into_iter().chain(packaging).collect()
}

/// The build of the project, with the options of its release and board.
pub(crate) fn makefile<'a>(context: &'a Context<'a>) -> Makefile<'a> {
    let (release, board) = (context.design.release, context.design.board);
    let (clocks, embedded) = (&context.device.clock, board == Board::Vck190);
    let khz = pl_khz(context);
    let vpp = is_vpp(context);
    let freqhz = release.clock.value == Some(ClockOption::Freqhz);
    let movers = movers(context).into_iter().map(|(direction, bits)| format!("{direction}_{bits}"));
    Makefile {
        stamp: &context.stamp,
        design: &context.design.name.value,
        release: release.name,
        board,
        embedded,
        vpp,
        freqhz,
        platform: platform(context).ok(),
        needs_platform: platform(context).is_err(),
        packaging: release.packaging(board).value,
        unknown: unknown(context).into_iter().map(|(name, why)| (name, make_text(&why))).collect(),
        clock: if embedded {
            format!(
                "1/{} of the array's {} MHz, the default of the AI Engine compiler",
                clocks.pl_divisor, clocks.array_mhz
            )
        } else {
            "the default of the platform".to_owned()
        },
        pl_hz: u64::from(khz) * 1000,
        pl_mhz: megahertz(khz),
        link_clock: match (freqhz, embedded) {
            (true, _) => "--freqhz=$(PL_HZ)",
            (false, true) => "--clock.defaultFreqHz $(PL_HZ)",
            (false, false) => "--kernel_frequency $(PL_MHZ)",
        },
        work: if vpp { "--work_dir" } else { "--workdir" },
        includes: INCLUDES.to_vec(),
        movers: movers.collect(),
        folders: folders(context).iter().map(|path| shell_word(path)).collect(),
        files: root_inputs(context).iter().map(|path| shell_word(path)).collect(),
    }
}

/// The options file of the compiler, for releases in which it is `v++`.
pub(crate) fn compiler_cfg<'a>(context: &'a Context<'a>) -> Option<CompilerCfg<'a>> {
    let memory = &context.device.memory;
    is_vpp(context).then(|| CompilerCfg {
        stamp: &context.stamp,
        stack: memory.default_stack,
        heap: memory.default_heap,
    })
}

/// The script that makes a component of the IDE, for releases that have the call.
pub(crate) fn component<'a>(context: &'a Context<'a>) -> Option<Component<'a>> {
    let cell = context.design.release.component;
    let placement = super::place::told(context).map(|_| "placement.h");
    (is_vpp(context) && cell.value == Some(true)).then(|| Component {
        stamp: &context.stamp,
        design: &context.design.name.value,
        release: context.design.release.name,
        platform: platform(context).ok(),
        why: platform(context).err().unwrap_or_default().replace(['"', '\\'], ""),
        source: cell.source,
        aie_files: ["graph.cpp", "graph.h", "kernels.h", "kernels", "include"]
            .into_iter()
            .chain(placement)
            .collect(),
        folders: folders(context).into_iter().collect(),
        pl_hz: u64::from(pl_khz(context)) * 1000,
    })
}

/// True if `v++` compiles the graph. Older releases use `aiecompiler`, and so do releases where no
/// document says which.
fn is_vpp(context: &Context<'_>) -> bool {
    context.design.release.compiler.value == Some(GraphCompiler::Vpp)
}

/// The folders of headers.
const INCLUDES: [&str; 3] = ["aie", "aie/include", "aie/kernels"];

/// The project's clock of programmable logic, in kHz.
fn pl_khz(context: &Context<'_>) -> u32 {
    let clock = &context.device.clock;
    context.design.board.pl_khz(clock.array_mhz, clock.pl_divisor)
}

/// Kilohertz as a number of MHz, without zeros at its end.
pub(super) fn megahertz(khz: u32) -> String {
    let fraction = format!("{:03}", khz % 1000);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{}", khz / 1000) } else { format!("{}.{fraction}", khz / 1000) }
}

/// The top-level folders of the project that hold data of inputs or outputs. The board needs them
/// too.
fn folders(context: &Context<'_>) -> BTreeSet<String> {
    let files = [Direction::Out, Direction::In].into_iter().flat_map(|way| context.data_of(way));
    let paths = files.map(|data| context.file_of(data.end));
    let golden = context.names.golden.values().cloned();
    let folder = |path: String| Some(path.split_once('/')?.0.to_owned());
    paths.chain(golden).filter_map(folder).collect()
}

/// The data files of inputs that lie in no folder.
fn root_inputs(context: &Context<'_>) -> BTreeSet<String> {
    let paths = context.data_of(Direction::Out).map(|data| context.file_of(data.end));
    paths.filter(|path| !path.contains('/')).collect()
}

/// `text` as the value of a variable of a Makefile.
fn make_text(text: &str) -> String {
    text.replace('$', "$$").replace('#', "\\#")
}

/// `path` as one word of a shell command in a Makefile, which doubles dollars.
fn shell_word(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+' | '=' | ',' | '@' | '%');
    // No option, and no file of options.
    let path = if path.starts_with(['-', '@']) { format!("./{path}") } else { path.to_owned() };
    if path.trim_start_matches("./").chars().all(plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', "'\\''").replace('$', "$$"))
    }
}

#[cfg(test)]
mod tests {
    use super::{make_text, megahertz, shell_word};

    #[test]
    fn a_path_is_one_word_of_the_shell() {
        assert_eq!(shell_word("in_0.txt"), "in_0.txt");
        assert_eq!(shell_word("my data"), "'my data'");
        assert_eq!(shell_word("5$.txt"), "'5$$.txt'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word("-f"), "./-f");
        assert_eq!(shell_word("@f"), "./@f");
    }

    #[test]
    fn a_clock_is_a_plain_number_of_megahertz() {
        assert_eq!(megahertz(312_500), "312.5");
        assert_eq!(megahertz(300_000), "300");
        assert_eq!(megahertz(262_505), "262.505");
    }

    #[test]
    fn a_reason_is_the_value_of_a_make_variable() {
        assert_eq!(make_text("mlir-aie#1902 costs 5$"), "mlir-aie\\#1902 costs 5$$");
    }
}
