//! A language server for designs: the protocol of editors on one side, the compiler on the other.
//!
//! [`serve`] takes events, which are messages of the client and results of the background, and
//! writes answers. It reads no files and starts nothing: a [`Compiler`] does. One thread analyses;
//! it takes the newest text of a document. Names come from syntax trees of the texts as they are,
//! which may have errors. Values and sizes come from the last check that got as far as instances.

mod actions;
mod complete;
mod edits;
mod facts;
mod frames;
mod hints;
mod hover;
mod kernels;
mod names;
mod publish;
mod server;
mod symbols;
mod text;
mod uri;
mod world;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::{Diagnostic, Sources};
use aiec_ir::Expanded;
use aiec_lower::Options;

pub use frames::{Incoming, read};
pub use server::serve;

/// Texts by the paths of their files.
pub type Texts = BTreeMap<PathBuf, String>;

/// The compiler that the server calls to check designs.
pub trait Compiler {
    /// Checks the design, or the file of components, at a path, as `aiec check` does without the
    /// C++ of kernels. Open documents take the place of files.
    fn check(&self, design: &Path, open: &Texts) -> Found;

    /// The texts of the designs and files of components in a folder and in those below it.
    fn texts(&self, folder: &Path) -> Texts;

    /// The text of a file that a design names, such as the C++ of a kernel. Returns None when it
    /// cannot be read.
    fn text(&self, path: &Path) -> Option<String>;

    /// Starts the whole check with the C++ of kernels, and returns at once. Its result comes as an
    /// [`Event::Inspected`].
    fn inspect(&self, design: &Path, open: &Texts);
}

/// What a check found.
#[derive(Debug, Default)]
pub struct Found {
    /// The texts that were read, by their paths.
    pub sources: Sources,
    /// Errors and warnings, in the order of stages.
    pub diagnostics: Vec<Diagnostic>,
    /// The instances of the design, or of each component of a file by itself. Empty if a fault
    /// comes before them.
    pub designs: Vec<Expanded>,
    /// With what it was lowered.
    pub options: Options,
}

/// What the server waits for.
#[derive(Debug)]
pub enum Event {
    /// From the client.
    Incoming(Incoming),
    /// The end of the client's stream.
    Closed,
    /// The check that [`Compiler::inspect`] started for this design has ended.
    Inspected(PathBuf, Box<Found>),
}
