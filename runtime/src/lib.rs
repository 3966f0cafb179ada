//! The host runtime: C++ headers that stand in for the vendor's ADF library, so that an emitted
//! project compiles with any C++17 compiler and runs as one process.
//!
//! The crate holds the texts of the headers. They give a *functional* run of ADF graphs: windows,
//! buffers, streams, cascades, packets and run-time parameters between kernels, PLIO text files and
//! GMIO memory, with the locks and FIFO depths of the hardware. The runtime reports deadlocks and
//! violations of the hardware's rules with kernel, port and source line. Runs are deterministic:
//! kernels are coroutines that take turns in creation order, or in an order that a seed draws.
//! There is no timing; a mode counts what kernels execute (`docs/timing.md`). `docs/runtime.md` has
//! the details.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};

/// The source, among the headers, whose object a program needs if its own sources are compiled with
/// [`LINKED`]. Both need the same options of the standard library and the same sanitizers.
pub const RUN: &str = "adf/sim/run.cc";

/// The source, among the headers, whose object takes the place of that of [`RUN`] in a program that
/// describes its graph and never runs it.
pub const DESCRIBE: &str = "adf/sim/describe.cc";

/// The flag that leaves out of a source the definitions that [`RUN`] has: two thirds of the work of
/// the compiler.
pub const LINKED: &str = "-DAIEC_SIM_LINKED";

/// The flag of the mode in which the headers count what kernels execute (`adf/counts.h`).
pub const TIMING: &str = "-DAIEC_SIM_TIMING";

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
