//! From the syntax tree to instances.
//!
//! [`lower()`] resolves names, constants, sizes and loops: an `aiec_dsl` tree becomes a
//! [`Design`] of families. [`expand()`] makes every instance, port and connection
//! explicit and turns collectives into trees: the design becomes an
//! [`Expanded`](aiec_ir::Expanded). Both establish the invariants of these types, and report all
//! errors at once. Checks that need the device or only concern instances are in `aiec_ir`.

mod allowances;
mod alone;
mod blame;
mod bodies;
mod choices;
mod collective_ports;
mod collectives;
mod components;
mod constants;
mod constraints;
mod errors;
mod eval;
mod expand;
mod families;
mod frames;
mod handlers;
mod identifiers;
mod loops;
mod lower;
mod mailboxes;
mod meant;
mod modules;
mod name_ranges;
mod names;
mod operators;
mod partners;
mod scalar;
mod selections;
mod shims;
mod statements;
mod tables;
mod target;
mod validate;
mod wanted;
mod wires;

use std::collections::BTreeMap;

pub(crate) use aiec_diag::Reported;
use aiec_diag::{Outcome, SourceFile};
use aiec_dsl::ast::Program;
use aiec_ir::Design;

pub use collectives::has_property;
pub use constants::{Constants, constants};
pub use expand::expand;
pub use handlers::{Served, taken_names};
pub use modules::{components, library};
pub use names::{LONGEST_NAME, Use, identifier_problem};
pub use scalar::Scalar;
pub use validate::validate_expanded;

/// Resolves a tree to a design.
pub fn lower(program: &Program, options: &Options) -> Outcome<Design> {
    let (design, diagnostics) = lower::lower(program, options).into_parts();
    Outcome::from_parts(design, choices::without_consequences(diagnostics))
}

/// True if a kernel, input or output of a design may be called `name`, unless another is.
pub fn is_name(name: &str) -> bool {
    names::identifier_problem(name, names::Use::Function).is_none() && !aiec_dsl::RESERVED.contains(&name)
}

/// Options of lowering, from the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Constants given with `-D` and the values that replace those of the design. The last one of a
    /// name counts.
    pub overrides: Vec<(String, Scalar)>,
    /// The release of Vitis that replaces the design's.
    pub release: Option<&'static aiec_ir::Release>,
    /// The board that replaces the design's.
    pub board: Option<aiec_ir::Board>,
    /// The texts of the files that constant tables name ([`aiec_dsl::table_files`]), by their paths
    /// as written; or why there is none, such as `it does not exist`.
    pub tables: BTreeMap<String, Result<SourceFile, String>>,
    /// The texts of the files that the design and its imports import ([`aiec_dsl::imports`]), by
    /// their paths ([`aiec_dsl::beside`]); or why there is none. Two spellings of one file have the
    /// same text.
    pub imports: BTreeMap<String, Result<SourceFile, String>>,
    /// A component of the file to be lowered by itself.
    pub alone: Option<Alone>,
    /// The device of a component by itself, if its file names none.
    pub device: Option<String>,
}

/// A component to be lowered by itself: one instance with its default constants, whose ports lead
/// outside.
#[derive(Clone, Debug)]
pub struct Alone {
    /// Its name in the design's own file.
    pub component: String,
    /// The columns and core rows of the array with this name. None when the array is unknown.
    pub extent: fn(&str) -> Option<(i64, i64)>,
}

/// A value, or an error that was reported.
pub(crate) type Lowered<T> = Result<T, Reported>;
