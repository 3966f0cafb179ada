//! Errors of DMA FIFOs.

use aiec_diag::{Diagnostic, catalogue};

use super::{connection, count, labelled};
use aiec_ir::ConnectionId;
use aiec_ir::expanded::Expanded;

/// Bytes of a word of the stream network (AM009).
const WORD: u64 = 4;

/// A DMA FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DmaFifo {
    /// The connection that states its depth.
    pub connection: ConnectionId,
    /// Words of the FIFO.
    pub words: u64,
}

impl DmaFifo {
    /// Bytes of memory.
    pub(crate) const fn bytes(self) -> u64 {
        self.words * WORD
    }
}

/// A resource of which windows and DMA FIFOs together need more than the array has.
pub(crate) struct Lack {
    /// Its name in the singular.
    pub resource: &'static str,
    /// Least demand of everything else.
    pub windows: u64,
    /// Demand of the DMA FIFOs.
    pub fifos: u64,
    /// What all modules have.
    pub supply: u64,
}

/// The array has no room for all DMA FIFOs.
pub(crate) fn no_room(design: &Expanded, fifos: &[DmaFifo], lack: &Lack) -> Diagnostic {
    let message = format!(
        "the design needs at least {}, {} of them for {}, but {} has {}",
        count(lack.windows + lack.fifos, lack.resource),
        lack.fifos,
        count(fifos.len() as u64, "DMA FIFO"),
        design.device.value,
        lack.supply
    );
    let help = "write smaller depths behind `fifo`: below 40 words a FIFO lies in stream switches and takes none of this";
    let mut deepest: Vec<&DmaFifo> = fifos.iter().collect();
    deepest.sort_by_key(|fifo| (std::cmp::Reverse(fifo.words), fifo.connection));
    let labels = deepest.into_iter().map(|fifo| {
        let depth = design.connections[fifo.connection].fifo.as_ref();
        let span = depth.map_or(design.connections[fifo.connection].span, |depth| depth.span);
        let words = count(fifo.words, "word");
        (span, format!("{words} for `{}`", connection(design, fifo.connection)))
    });
    labelled(Diagnostic::new(&catalogue::FIFO_ROOM, message, help), labels)
}
