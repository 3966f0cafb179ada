//! FIFOs of files. A file names the port at the end of a connection, which may lead through the
//! ports of graphs; the graph states places at each `connect` statement on the way.

use aiec_diag::Span;
use aiec_vendor::aiecst::{Address, Fifo};

use super::Adding;
use crate::description::{
    ConnectionIndex, Description, DmaFifo, Location, Place, PortIndex, Subject, SwitchFifo,
};
use crate::wires::{self, Wire};

/// States the FIFOs of each connection at its last statement, those of all statements on the way in
/// their order. So a file replaces them all, and other readers behind the same port keep them.
pub(super) fn gather(description: &mut Description) {
    let locations = std::mem::take(&mut description.locations);
    let (fifos, mut kept): (Vec<Location>, Vec<Location>) =
        locations.into_iter().partition(|one| matches!(one.subject, Subject::Fifo(_)));
    let wires = wires::wires(description);
    let is_passed = |one: &Location| wires.iter().any(|wire| wire.path.iter().any(|&at| is_of(one, at)));
    for wire in &wires {
        let Some(&last) = wire.path.last() else { continue };
        let on_way = || wire.path.iter().flat_map(|&at| fifos.iter().filter(move |one| is_of(one, at)));
        let Some(first) = on_way().next() else { continue };
        let places = on_way().flat_map(|one| one.places.iter().cloned()).collect();
        kept.push(Location { subject: Subject::Fifo(last), places, site: first.site.clone() });
    }
    kept.extend(fifos.iter().filter(|one| !is_passed(one)).cloned());
    description.locations = kept;
}

fn is_of(location: &Location, connection: ConnectionIndex) -> bool {
    location.subject == Subject::Fifo(connection)
}

impl Adding<'_> {
    /// The FIFOs of the connection to a port, or of what the only statement at it leads to. They
    /// belong to the last statement on the way, as after [`gather`].
    pub(super) fn fifo(&mut self, port: PortIndex, fifos: &[&Fifo], span: Span) {
        let bank_bytes = self.device.memory.bank_bytes();
        let Some(places) = fifos.iter().map(|fifo| place(fifo, bank_bytes)).collect::<Option<Vec<Place>>>()
        else {
            let what = "a FIFO in memory outside the cores, or without its numbers".to_owned();
            return self.leave_out(what, span);
        };
        let (to, from): (Vec<&Wire>, Vec<&Wire>) = self
            .wires
            .iter()
            .filter(|wire| [wire.from, wire.to].contains(&port))
            .partition(|wire| wire.to == port);
        let is_one = |wires: &[&Wire]| wires.windows(2).all(|two| two[0].path.first() == two[1].path.first());
        let own = match (&to[..], &from[..]) {
            ([only], _) => vec![*only],
            ([], [_, ..]) if is_one(&from) => from,
            _ => return self.leave_out("a FIFO of a port with several connections".to_owned(), span),
        };
        if fifos.iter().any(|fifo| fifo.dma && !is_whole_word(fifo)) {
            let what = "that a FIFO begins inside a word: the DMA counts in words (AM009)".to_owned();
            self.leave_out(what, span);
        }
        for subject in own.iter().filter_map(|wire| wire.path.last()).map(|&last| Subject::Fifo(last)) {
            // A second file, or the port at the other end, may say the same again.
            let is_stated = |one: &Location| one.subject == subject && one.places == places;
            if !self.added.locations.iter().any(is_stated) {
                self.locate(subject, places.clone(), span);
            }
        }
    }
}

/// Bytes of a word of a stream.
const WORD: u32 = 4;

/// True unless the offset is inside a word. UG1079 has such offsets in its example ("FIFO
/// Constraint", 2025.2), and does not say what they count.
fn is_whole_word(fifo: &Fifo) -> bool {
    fifo.offset.is_none_or(|offset| offset.is_multiple_of(WORD))
}

/// The place of a FIFO, from the start of a word. Returns None when the memory is outside the
/// cores, or a number is missing.
fn place(fifo: &Fifo, bank_bytes: u32) -> Option<Place> {
    let (column, row) = (i64::from(fifo.tile.column), i64::from(fifo.tile.row));
    let row = match fifo.tile_type.as_deref() {
        None | Some("core") => Some(row),
        Some("shim") if !fifo.dma => None,
        Some(_) => return None,
    };
    if !fifo.dma {
        return Some(Place::SwitchFifo(Some(SwitchFifo { column, row, id: fifo.channel? })));
    }
    let offset = fifo.offset.map(|offset| offset / WORD * WORD);
    let address = Address { module: None, bank: fifo.bank, offset }.in_module(bank_bytes)?;
    Some(Place::DmaFifo(Some(DmaFifo { column, row, address, words: fifo.words? })))
}
