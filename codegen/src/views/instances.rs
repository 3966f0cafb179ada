//! The unit that makes the instances of a source's templates. It is part of no project: a check of
//! kernels compiles it, since a compiler looks into no template without its arguments.

use askama::Template;

/// A unit that makes the instances of a source's templates.
#[derive(Template)]
#[template(path = "instances.cc.askama", escape = "none")]
pub(crate) struct Instances<'a> {
    /// The line that identifies the project.
    pub(crate) stamp: &'a str,
    /// The source in the folder of kernels.
    pub(crate) source: &'a str,
    /// The functions, with the arguments of their templates.
    pub(crate) names: Vec<String>,
}
