//! Diagnostics of FIFOs without room.

use aiec_check::Checked;
use aiec_diag::{Diagnostic, catalogue, count};
use aiec_ir::ConnectionId;

use crate::assign::{Problem, Unplaced};

/// One of `fifos` FIFOs, which is divided into `parts`, finds no module.
pub(crate) fn no_room(
    checked: &Checked,
    problem: &Problem,
    unplaced: &Unplaced,
    id: ConnectionId,
    [fifos, parts]: [usize; 2],
) -> Diagnostic {
    let (connection, bytes) = (&checked.connections[id], problem.parts[unplaced.part].bytes);
    let name = checked.connection_name(id);
    let (modules, room) = (&problem.modules, unplaced.modules);
    let left: usize = modules.iter().map(|module| module.fifos).sum();
    let served = modules.iter().filter(|module| module.fifos > 0);
    let largest = served.flat_map(|module| &module.gaps).map(|gap| gap.bytes()).max().unwrap_or(0);
    let (divided, what) = match parts {
        0 | 1 => (String::new(), "FIFO"),
        parts => (format!(" is divided into {parts} parts, and each"), "part"),
    };
    let message = format!(
        "the placement that was found leaves no room for {} in memory: that of `{name}`{divided} needs {} of a module \
         in one piece, a DMA channel of each direction and 2 buffer descriptors; the DMAs of the {} serve {left} more, \
         the largest free piece beside them has {}, and {} room for this {what} alone",
        count(fifos as u64, "FIFO"),
        count(bytes, "byte"),
        count(modules.len() as u64, "open module"),
        count(largest, "byte"),
        if room == 1 { "1 module has".to_owned() } else { format!("{room} modules have") },
    );
    let words = if connection.collective.is_some() { "`depth`" } else { "`fifo`" };
    let help = format!(
        "write fewer words behind {words}, of which 39 lie in stream switches; or use fewer windows with DMA, or try \
         another seed"
    );
    let span = connection.fifo.as_ref().map_or(connection.span, |words| words.span);
    let label = match (unplaced.proved, fifos) {
        (false, _) => "no room was found for it",
        (true, 1) => "this FIFO has no room",
        (true, _) => "this FIFO has no room beside the others",
    };
    Diagnostic::new(&catalogue::GAVE_UP, message, help).label(span, label)
}
