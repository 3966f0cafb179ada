//! The differences between a folder and a planned project, as unified diffs of limited length.

use aiec_diag::count;
use similar::TextDiff;

use super::manifest::MANIFEST;
use super::plan::{Change, Kind, Plan};
use aiec_system::files::read_there;

/// Limit on the lines shown of one file.
const OF_FILE: usize = 60;
/// Limit on the lines shown of all files together.
const OF_ALL: usize = 240;
/// Limit on the lines of a file that is compared line by line: time and memory grow with the square
/// of the differences.
const COMPARED: usize = 5000;

/// Which files are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Files that are not as aiec wrote them.
    Edited,
    /// All files that would change.
    All,
}

/// The changes of a build in the folder: `-` for present lines, `+` for planned ones. Ends with a
/// line break.
pub(crate) fn differences(plan: &Plan<'_>, shown: Shown) -> String {
    let changes = plan.changes.iter().filter(|change| shown == Shown::All || change.edited);
    let mut parts: Vec<(String, Vec<String>)> = changes.map(|change| of_file(plan, change)).collect();
    if shown == Shown::All && plan.changes_list() {
        let name = plan.directory.join(MANIFEST).display().to_string();
        parts.push((name.clone(), unified(&name, &plan.manifest_there, &plan.manifest)));
    }
    capped(parts)
}

/// Name and lines of one file.
fn of_file(plan: &Plan<'_>, change: &Change<'_>) -> (String, Vec<String>) {
    let path = plan.directory.join(&change.path);
    let name = path.display().to_string();
    let (there, wanted) = (read_there(&path), change.text.unwrap_or_default());
    let size = |text: &str| count(text.lines().count() as u64, "line");
    let lines = match (change.kind, there) {
        (Kind::New, _) => vec![format!("would be written: {name} ({})", size(wanted))],
        (Kind::Removed, Some(there)) => vec![format!("would be removed: {name} ({})", size(&there))],
        (Kind::Removed, None) => vec![format!("would be removed: {name}")],
        (Kind::Changed, None) => vec![format!("differs: {name} is no text")],
        (Kind::Changed, Some(there)) => unified(&name, &there, wanted),
    };
    (name, lines)
}

/// The lines of a unified diff.
fn unified(name: &str, there: &str, wanted: &str) -> Vec<String> {
    let (lines, wanted_lines) = (there.lines().count(), wanted.lines().count());
    if lines.max(wanted_lines) > COMPARED {
        let same = there.lines().zip(wanted.lines()).take_while(|(there, wanted)| there == wanted).count();
        return vec![format!(
            "differs: {name}, from line {} on ({lines} lines there, {wanted_lines} to be written)",
            same + 1
        )];
    }
    let diff = TextDiff::from_lines(there, wanted);
    let (old, new) = (format!("{name}\tthere"), format!("{name}\tto be written"));
    diff.unified_diff().context_radius(3).header(&old, &new).to_string().lines().map(str::to_owned).collect()
}

/// The parts within both limits, and the number of the lines left out.
fn capped(parts: Vec<(String, Vec<String>)>) -> String {
    let (mut text, mut left, mut unseen) = (String::new(), OF_ALL, Vec::new());
    for (name, lines) in parts {
        if left == 0 {
            unseen.push(name);
            continue;
        }
        let most = OF_FILE.min(left);
        let shown = most.min(lines.len());
        lines[..shown].iter().for_each(|line| text += &format!("{line}\n"));
        left -= shown;
        if lines.len() > shown {
            text += &format!(
                "... {} more lines of the difference in {name} are not shown\n",
                lines.len() - shown
            );
        }
    }
    if !unseen.is_empty() {
        text += &format!(
            "... {} more files differ: {}\n",
            unseen.len(),
            aiec_diag::listed(unseen, aiec_diag::LISTED)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<String> {
        (0..count).map(|line| format!("{line}")).collect()
    }

    #[test]
    fn a_difference_is_a_unified_diff() {
        let diff = unified("out/a.h", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n");
        let expected =
            "--- out/a.h\tthere\n+++ out/a.h\tto be written\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6";
        assert_eq!(diff.join("\n"), expected);
    }

    #[test]
    fn long_differences_are_cut_and_what_is_left_out_is_counted() {
        let text = capped(vec![("a".into(), lines(100)), ("b".into(), lines(3))]);
        assert!(
            text.contains("59\n... 40 more lines of the difference in a are not shown\n0\n1\n2\n"),
            "{text}"
        );
        let many: Vec<_> = (0..10).map(|file| (format!("f{file}"), lines(60))).collect();
        let text = capped(many);
        assert!(text.ends_with("... 6 more files differ: f4, f5, f6, f7, f8 and 1 more\n"), "{text}");
        assert_eq!(text.lines().count(), 4 * 60 + 1);
    }

    #[test]
    fn very_long_files_are_not_compared_line_by_line() {
        let (there, wanted) = ("same\n".repeat(6000), format!("{}other\n", "same\n".repeat(10)));
        let expected = ["differs: x, from line 11 on (6000 lines there, 11 to be written)"];
        assert_eq!(unified("x", &there, &wanted), expected);
    }
}
