//! `.gitignore`: the files of a project's folder that can be rebuilt.

use std::collections::BTreeSet;

use askama::Template;

use super::Context;
use super::graph_cpp::is_output;

/// `.gitignore`
#[derive(Template)]
#[template(path = "gitignore.askama", escape = "none")]
pub(crate) struct GitIgnore<'a> {
    stamp: &'a str,
    /// Files that host and simulators write, as patterns relative to the project's folder.
    outputs: Vec<String>,
}

/// Files that git must ignore: products of the tools by their names, and the files of outputs.
pub(crate) fn git_ignore<'a>(context: &'a Context<'_>) -> GitIgnore<'a> {
    let paths = |output: bool| -> BTreeSet<&str> {
        let used = context.used_externals().filter(|(id, _)| is_output(context, *id) == output);
        used.map(|(id, _)| context.names.data[id].as_str()).collect()
    };
    let outputs = paths(true).difference(&paths(false)).map(|path| pattern(path)).collect();
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
