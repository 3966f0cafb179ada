//! Diagnostics of FIFOs without room.

use aiec_check::Checked;
use aiec_diag::{Diagnostic, catalogue, count};
use aiec_ir::ConnectionId;

use crate::assign::{Problem, Unplaced};

/// One of `fifos` FIFOs finds no module.
pub(crate) fn no_room(
    checked: &Checked,
    problem: &Problem,
    unplaced: &Unplaced,
    id: ConnectionId,
    fifos: usize,
) -> Diagnostic {
    let (connection, bytes) = (&checked.connections[id], problem.parts[unplaced.part].bytes);
    let name = checked.connection_name(id);
    let with_channels = problem.modules.iter().filter(|module| module.fifos > 0);
    let largest = with_channels.clone().flat_map(|module| &module.gaps).map(|gap| gap.bytes()).max();
    let supply = format!(
        "of {} modules {} have these channels and descriptors left, at most {} in one piece, and {} have all of it \
         for this FIFO alone",
        problem.modules.len(),
        with_channels.count(),
        count(largest.unwrap_or(0), "byte"),
        unplaced.modules
    );
    let message = format!(
        "the placement that was found leaves no room for all {}: that of `{name}` needs {} of a module, a DMA channel \
         of each direction and 2 buffer descriptors; {supply}",
        count(fifos as u64, "DMA FIFO"),
        count(bytes, "byte"),
    );
    let words = if connection.collective.is_some() { "`depth`" } else { "`fifo`" };
    let help = format!(
        "write at most 39 words behind {words}, which lie in stream switches; or use fewer windows with DMA, or try \
         another seed"
    );
    let span = connection.fifo.as_ref().map_or(connection.span, |words| words.span);
    let label =
        if unplaced.proved { "this FIFO has no room beside the others" } else { "no room was found for it" };
    Diagnostic::new(&catalogue::GAVE_UP, message, help).label(span, label)
}
