//! `.gitignore`: the files of a project's folder that can be rebuilt.

use std::collections::BTreeSet;

use aiec_ir::Direction;
use askama::Template;

use super::Context;

/// The fields of the template of `.gitignore`.
#[derive(Template)]
#[template(path = "gitignore.askama", escape = "none")]
pub(crate) struct GitIgnore<'a> {
    stamp: &'a str,
    /// Files that host and simulators write, as patterns relative to the project's folder.
    outputs: Vec<String>,
}

/// Files that git must ignore: products of the tools by their names, and the files of outputs.
pub(crate) fn git_ignore<'a>(context: &'a Context<'_>) -> GitIgnore<'a> {
    let paths = |way: Direction| -> BTreeSet<String> {
        context.data_of(way).map(|data| context.file_of(data.end)).collect()
    };
    let outputs = paths(Direction::In).difference(&paths(Direction::Out)).map(|path| pattern(path)).collect();
    GitIgnore { stamp: &context.stamp, outputs }
}

/// A path as a pattern that means it and nothing else (gitignore(5)).
fn pattern(path: &str) -> String {
    let escaped = |c: char| if matches!(c, '*' | '?' | '[' | '\\' | ' ') { vec!['\\', c] } else { vec![c] };
    path.chars().flat_map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn a_pattern_means_one_path() {
        assert_eq!(pattern("data/sum.out.txt"), "data/sum.out.txt");
        assert_eq!(pattern("data/my [1].txt"), "data/my\\ \\[1].txt");
    }
}
