//! The host runtime: C++ headers that stand in for the vendor's ADF library, so that an emitted project compiles with
//! any C++17 compiler and runs as one process.
//!
//! In comes nothing; out go the texts of the headers. They promise a *functional* run of ADF graphs: windows, buffers,
//! streams, cascades, packets and run-time parameters between kernels, PLIO text files and GMIO memory, with the locks
//! and FIFO depths of the hardware; deadlocks and what breaks the hardware's rules are reported with kernel, port and
//! source line. Runs are deterministic: kernels are coroutines that take turns in creation order, or in an order that a
//! seed draws. They promise no timing. `docs/runtime.md` says more.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};

/// The source, among the headers, whose object a program needs if its own sources are compiled with [`LINKED`]. Both must be
/// compiled with the same options of the standard library and the same sanitizers.
pub const RUN: &str = "adf/sim/run.cc";

/// The flag that leaves out of a source what [`RUN`] has, which is half of what there is to compile.
pub const LINKED: &str = "-DAIEC_SIM_LINKED";

static INCLUDE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/include");

/// The header files: path below the include folder, with forward slashes, and text. Sorted by path.
pub static HEADERS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut headers = files(&INCLUDE);
    headers.sort_unstable();
    headers
});

/// All files below a folder.
fn files(folder: &'static Dir<'_>) -> Vec<(&'static str, &'static str)> {
    let own = folder.files().filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)));
    own.chain(folder.dirs().flat_map(files)).collect()
}
