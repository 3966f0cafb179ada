//! The parts of the runtime that are compiled once per machine and compiler, with their flags.

/// Flags of every part.
const FLAGS: [&str; 3] = ["-fno-strict-aliasing", "-D__X86SIM__", "-D__AIE_ARCH__=10"];

/// A part of the runtime.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Its source among the headers.
    pub(crate) source: &'static str,
    /// Flags besides [`FLAGS`].
    own: &'static [&'static str],
}

/// What a program needs that runs its graph.
pub(crate) const RUN: Part = Part { source: aiec_runtime::RUN, own: &["-std=c++20", "-O1", "-g1"] };

/// What a program needs that only describes its graph. It works for milliseconds, so the flags are
/// those with the least work for the compiler.
pub(crate) const DESCRIBE: Part = Part { source: aiec_runtime::DESCRIBE, own: &["-std=c++17", "-O0"] };

impl Part {
    /// All flags of its compilation, in the order of the command line.
    pub(crate) fn flags(self) -> impl Iterator<Item = &'static str> {
        self.own.iter().copied().chain(FLAGS)
    }
}
