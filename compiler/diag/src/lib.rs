//! Diagnostics: the one way every stage of aiec talks to the user.
//!
//! In come typed facts from a stage (see the constructor functions beside each stage); out go
//! [`Diagnostic`] values inside an [`Outcome`]. Nothing here prints: [`render`] turns diagnostics into
//! text, and the command line writes it.

pub mod catalogue;
mod diagnostic;
mod excerpt;
mod outcome;
mod render;
mod source;

pub use catalogue::{Code, Severity, Stage};
pub use diagnostic::{Diagnostic, Label};
pub use outcome::Outcome;
pub use render::{RenderStyle, render, to_json};
pub use source::{SourceFile, SourceId, Sources, Span, Spanned};
