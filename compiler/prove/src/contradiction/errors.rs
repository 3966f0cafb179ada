//! Diagnostics of constraints that contradict each other.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::KernelId;

use super::statement::Statement;
use crate::pins::Pins;

/// Maximum number of statements shown.
const MOST_LABELS: usize = 8;

/// No tiles for `kernels` keep all of `statements`.
pub(super) fn contradiction(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    statements: &[Statement],
    kernels: &[KernelId],
) -> Diagnostic {
    let names: Vec<String> = kernels.iter().map(|&k| format!("`{}`", checked.kernels[k].name)).collect();
    let who = list(&names, 4);
    let what = list(&kinds(pins, statements), usize::MAX);
    let closed = match device.keepout.len() {
        0 => String::new(),
        tiles => format!(" ({} leaves {tiles} tiles free)", device.name),
    };
    let leave = if statements.len() == 1 { "leaves" } else { "leave" };
    let array = &device.name;
    let message = match kernels.len() {
        0 | 1 => format!("{who} cannot be placed: {what} {leave} it none of the tiles of {array}{closed}"),
        2 => format!(
            "{who} cannot both be placed: {what} {leave} no tiles of {array} for the two at once{closed}"
        ),
        all => format!(
            "{who} cannot all be placed: {what} {leave} no tiles of {array} for all {all} at once, for {} at most{closed}",
            all - 1
        ),
    };
    let diagnostic = Diagnostic::new(&catalogue::CONTRADICTION, message, help(checked, pins, statements));
    let mut shown: Vec<Statement> = statements.to_vec();
    // Entries of the placement file come first: they are the newest.
    shown.sort_by_key(|statement| !matches!(statement, Statement::Pin(_)));
    let labels = shown.iter().filter_map(|statement| statement.label(checked, pins)).take(MOST_LABELS);
    labels.fold(diagnostic, |d, (span, text)| d.label(span, text))
}

fn help(checked: &Checked, pins: &Pins, statements: &[Statement]) -> String {
    let pinned = statements.iter().find_map(|s| match s {
        Statement::Pin(kernel) => Some(&checked.kernels[*kernel].name),
        _ => None,
    });
    let constraint = statements.iter().find(|s| !matches!(s, Statement::Pin(_)));
    match (pinned, constraint) {
        (Some(name), Some(constraint)) => {
            let word = constraint.keyword();
            format!("take `{name}` out of the placement file `{}`, or change the `{word}`", pins.file)
        }
        (Some(name), None) => {
            format!("give `{name}` another tile in the placement file `{}`, or leave it out", pins.file)
        }
        (None, _) => ways_out(statements),
    }
}

/// Suggestions for resolving the conflict, one for each kind of statement.
fn ways_out(statements: &[Statement]) -> String {
    let mut ways: Vec<String> = Vec::new();
    for statement in statements {
        let way = match statement {
            Statement::Place(_) => "move a kernel that `place` puts on a tile",
            Statement::Offset(_) => "change a distance that `place` sets between kernels",
            Statement::Cascade(_) => "give the collective another `shape`",
            Statement::Region(_) => "make a `region` larger",
            Statement::Together(_) => "take a kernel out of a `together`",
            Statement::Apart(_) => "take a kernel out of an `apart`",
            Statement::Keepout(_) => "let a `keepout` close fewer tiles",
            Statement::Pin(_) => continue,
        };
        if !ways.iter().any(|known| known == way) {
            ways.push(way.to_owned());
        }
    }
    match ways.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{}, or {last}", rest.join(", ")),
        _ => ways.concat(),
    }
}

/// Number of statements of each kind: `2 place`, `the region`.
fn kinds(pins: &Pins, statements: &[Statement]) -> Vec<String> {
    let mut words: Vec<(&str, usize)> = Vec::new();
    for word in statements.iter().map(|s| s.keyword()) {
        match words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => words.push((word, 1)),
        }
    }
    let text = |(word, count): (&str, usize)| match (word, count) {
        ("", 1) => format!("1 tile of the placement file `{}`", pins.file),
        ("", count) => format!("{count} tiles of the placement file `{}`", pins.file),
        (word, count) => format!("{count} `{word}`"),
    };
    words.into_iter().map(text).collect()
}

/// `a, b and c`, or the first ones and the number of the others.
fn list(things: &[String], most: usize) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] if things.len() <= most => format!("{} and {last}", head.join(", ")),
        _ => format!("{} and {} more", things[..most].join(", "), things.len() - most),
    }
}
