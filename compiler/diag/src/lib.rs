//! Diagnostics: the one way every stage of aiec reports to the user.
//!
//! Stages pass typed facts to the constructor functions in their `errors` modules, which return
//! [`Diagnostic`] values inside an [`Outcome`]. Nothing here prints: [`render`] turns diagnostics
//! into text, and the command line writes it.

pub mod catalogue;
mod diagnostic;
mod excerpt;
mod formats;
pub mod json;
mod list;
mod nearest;
mod outcome;
mod render;
mod source;

pub use catalogue::{Code, Severity, Stage};
pub use diagnostic::{Diagnostic, Edit, Fix, Label};
pub use formats::{github, sarif, short, uri};
pub use list::{LISTED, choice, count, listed, size};
pub use nearest::nearest;
pub use outcome::{Outcome, Reported};
pub use render::{RenderStyle, render, to_json};
pub use source::{SourceFile, SourceId, Sources, Span, Spanned};
