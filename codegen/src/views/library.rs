//! The headers of `aie/include/aiec`: the same in every project but for their stamp.

use askama::Template;

/// Operators of collectives.
#[derive(Template)]
#[template(path = "ops.h.askama", escape = "none")]
pub(crate) struct Ops<'a> {
    pub stamp: &'a str,
}

/// Properties of element types.
#[derive(Template)]
#[template(path = "element.h.askama", escape = "none")]
pub(crate) struct Element<'a> {
    pub stamp: &'a str,
}

/// The reduction.
#[derive(Template)]
#[template(path = "reduce.h.askama", escape = "none")]
pub(crate) struct Reduce<'a> {
    pub stamp: &'a str,
}

/// Trees in the graph.
#[derive(Template)]
#[template(path = "connect_tree.h.askama", escape = "none")]
pub(crate) struct ConnectTree<'a> {
    pub stamp: &'a str,
}

/// Windows as text files.
#[derive(Template)]
#[template(path = "text_file.h.askama", escape = "none")]
pub(crate) struct TextFile<'a> {
    pub stamp: &'a str,
}
