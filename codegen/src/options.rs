//! What emission needs besides the design.

use aiec_diag::SourceId;

use crate::stamp::Origin;

/// A file of the user's C++: a kernel source, or something it includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSource {
    /// Its path as in the design.
    pub path: String,
    /// Its path from the nearest folder that holds the design and all sources. The project's copies
    /// lie to each other as the sources do, so that what they include is found.
    pub copy: String,
    /// The contents of the file.
    pub text: String,
    /// The same text as a source of diagnostics. None when labels do not point at it.
    pub file: Option<SourceId>,
}

impl UserSource {
    /// The file at `path` in the folder of a design whose sources all lie there.
    pub fn inside(path: impl Into<String>, text: impl Into<String>) -> Self {
        let path = path.into();
        Self { copy: path.clone(), path, text: text.into(), file: None }
    }
}

/// Data of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Its path as in the design.
    pub path: String,
    /// The contents of the file.
    pub text: String,
}

/// The location constraints of a project. Every project has the kernels' stack and heap sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locations {
    /// No locations: the vendor's mapper places everything.
    None,
    /// Tiles of kernels: the vendor's mapper places stacks, buffers, inputs and outputs.
    Kernels,
    /// Locations of kernels, stacks, buffers, inputs and outputs.
    #[default]
    All,
}

/// Inputs of code generation besides the design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmitOptions {
    /// The seed of the search, for the report.
    pub seed: u64,
    /// True if the search was stopped before its work was done, for the report.
    pub cut_short: bool,
    /// Kernel sources and their headers. Every source that a design names must be here.
    pub sources: Vec<UserSource>,
    /// Data of inputs. Inputs without data have no entry.
    pub data: Vec<DataFile>,
    /// The location constraints to emit.
    pub locations: Locations,
    /// The command and the inputs, for the stamps.
    pub origin: Origin,
}
