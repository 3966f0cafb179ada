//! Errors of DMA FIFOs.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Spanned, catalogue};

use super::{count, labelled};
use aiec_ir::ConnectionId;
use aiec_ir::expanded::{Connection, Expanded, SwitchKind};
use aiec_ir::fifos::{FifoKind, FifoPlace, WORD_BYTES};

/// A FIFO that a DMA keeps in the memory of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DmaFifo {
    /// The connection that states its depth.
    pub connection: ConnectionId,
    /// Words of the FIFO.
    pub words: u64,
}

impl DmaFifo {
    /// Bytes of memory that its words take.
    pub(crate) const fn bytes(self) -> u64 {
        self.words * WORD_BYTES
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
    let of_channel = |fifo: &DmaFifo| design.connections[fifo.connection].collective.is_some();
    let words = match (fifos.iter().any(of_channel), fifos.iter().all(of_channel)) {
        (false, _) => "`fifo`",
        (true, true) => "`depth`",
        (true, false) => "`fifo` and `depth`",
    };
    let help = format!(
        "write smaller numbers behind {words}: below 40 words a FIFO lies in stream switches and takes none of this"
    );
    let mut deepest: Vec<&DmaFifo> = fifos.iter().collect();
    deepest.sort_by_key(|fifo| (std::cmp::Reverse(fifo.words), fifo.connection));
    let labels = deepest.into_iter().map(|fifo| {
        let depth = design.connections[fifo.connection].fifo.as_ref();
        let span = depth.map_or(design.connections[fifo.connection].span, |depth| depth.span);
        let words = count(fifo.words, "word");
        (span, format!("{words} for `{}`", design.connection_name(fifo.connection)))
    });
    labelled(Diagnostic::new(&catalogue::FIFO_ROOM, message, help), labels)
}

/// `(3, 2)` or `shim 3`.
fn tile(place: &FifoPlace) -> String {
    place.row.map_or_else(|| format!("shim {}", place.column), |row| format!("({}, {row})", place.column))
}

/// The tile lies outside the array.
pub(crate) fn outside(place: &FifoPlace, device: &Device) -> Diagnostic {
    let (columns, rows) = (device.columns, device.rows);
    Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!("a FIFO is placed at {}, but {} has no such tile", tile(place), device.name),
        format!(
            "use a column from 0 to {} and a core row from 0 to {}",
            columns.saturating_sub(1),
            rows.saturating_sub(1)
        ),
    )
    .label(place.span, format!("the array has {columns} columns and {rows} core rows"))
}

/// The switch has no FIFO of this number.
pub(crate) fn no_such_fifo(place: &FifoPlace, number: u32, fifos: u32) -> Diagnostic {
    Diagnostic::new(
        &catalogue::FIFO_PLACE,
        format!("the switch at {} has {fifos} FIFOs, and the design states number {number}", tile(place)),
        format!("write a number below {fifos}"),
    )
    .label(place.span, format!("there is no FIFO {number}"))
}

/// The FIFO does not lie in an open module.
pub(crate) fn not_in_module(place: &FifoPlace, end: u64, device: &Device) -> Diagnostic {
    Diagnostic::new(
        &catalogue::FIFO_PLACE,
        format!(
            "a FIFO ends at byte {end} of the module at {}, but it must begin at a whole word and end within the {} \
             bytes of an open module",
            tile(place),
            device.memory.module_bytes
        ),
        "choose an offset that leaves room for its words, in a module that no `keepout` closes",
    )
    .label(place.span, place_in_module(place, end))
}

/// Why a place is not in its module: where it begins, if that is no whole word, or where it ends.
fn place_in_module(place: &FifoPlace, end: u64) -> String {
    match place.kind {
        FifoKind::Dma { offset, .. } if !u64::from(offset).is_multiple_of(WORD_BYTES) => {
            format!("begins at byte {offset}, not a multiple of {WORD_BYTES}")
        }
        _ => format!("ends at byte {end}"),
    }
}

/// The FIFOs of switches at the stated places hold `held` words, fewer than the connection asks
/// for.
pub(crate) fn too_shallow(connection: &Connection, held: u64) -> Diagnostic {
    let asked = connection.fifo.as_ref().map_or(0, |fifo| fifo.value);
    let message = format!("the design asks for {asked} words, and the stated FIFOs of switches hold {held}");
    let help = format!("write `fifo {held}`, or state more places");
    let diagnostic = Diagnostic::new(&catalogue::FIFO_PLACE, message, help);
    let labels = connection.fifo_places.iter().map(|place| (place.span, "one of these places".to_owned()));
    labelled(diagnostic, labels)
}

/// A placement chose places with `held` words for a connection that asks for more, or for no FIFO
/// without places.
pub(crate) fn chosen_wrongly(
    design: &Expanded,
    id: ConnectionId,
    asked: Option<&Spanned<u32>>,
    held: u64,
) -> Diagnostic {
    let (has, span) = match (design.connections.get(id), asked) {
        (Some(_), Some(asked)) => {
            (format!("`{}` asks for {} words", design.connection_name(id), asked.value), asked.span)
        }
        (Some(link), None) => {
            (format!("`{}` asks for no FIFO, or states its places", design.connection_name(id)), link.span)
        }
        (None, _) => ("the design has no such connection".to_owned(), design.name.span),
    };
    let message = format!("the placement has a FIFO of {held} words, but {has}");
    let help = "use a placement that was made for this design, or leave its FIFOs out";
    Diagnostic::new(&catalogue::FIFO_PLACE, message, help)
        .label(span, "the FIFO of the placement is for this")
}

/// A FIFO in memory lies on the way of packets.
pub(crate) fn loses_tlast(
    design: &Expanded,
    id: ConnectionId,
    fifo: &Spanned<u32>,
    threshold: u32,
) -> Diagnostic {
    let message = format!(
        "the FIFO of `{}` has {} words in the memory of a tile, and loses the TLAST that ends each packet",
        design.connection_name(id),
        fifo.value
    );
    let most = threshold.saturating_sub(1);
    let write = match design.connections[id].collective {
        Some(_) => format!("`depth {most}`"),
        None => format!("`fifo {most}`"),
    };
    let help = format!(
        "write {write} or less without a place: up to {most} words lie in stream switches, which keep TLAST"
    );
    Diagnostic::new(&catalogue::FIFO_PLACE, message, help).label(fifo.span, "packets pass this FIFO")
}

/// A branch of a split or merge has a FIFO with a stated place.
pub(crate) fn branch_with_place(
    design: &Expanded,
    id: ConnectionId,
    kind: SwitchKind,
    places: &[FifoPlace],
) -> Diagnostic {
    let word = kind.word();
    let message = format!(
        "`{}` is a branch of a {word}, whose branches share wires: a FIFO at a stated place serves 1 connection, and \
         there it would hold the packets of several",
        design.connection_name(id)
    );
    let words = design.connections[id].fifo.as_ref().map_or(0, |fifo| fifo.value);
    let help = format!("write `fifo {words}` without a place: the tools choose one for each branch");
    let labels = places.iter().map(|place| (place.span, format!("no place for a branch of a {word}")));
    labelled(Diagnostic::new(&catalogue::FIFO_PLACE, message, help), labels)
}

/// More FIFOs lie in a module than its tile has channels or descriptors for.
pub(crate) fn module_full(places: &[&FifoPlace], most: u64, device: &Device) -> Diagnostic {
    let (here, dma) = (places.first().map_or_else(String::new, |place| tile(place)), &device.tile);
    let message = format!(
        "{} FIFOs are placed in the module at {here}, and its DMA serves {most} ({} S2MM and {} MM2S channels, {} \
         buffer descriptors)",
        places.len(),
        dma.s2mm,
        dma.mm2s,
        dma.bds
    );
    let diagnostic = Diagnostic::new(&catalogue::FIFO_PLACE, message, "place some of them in other modules");
    let labels = places.iter().map(|place| (place.span, "one of them".to_owned()));
    labelled(diagnostic, labels)
}

/// Two FIFOs have bytes in common.
pub(crate) fn fifos_overlap(first: &FifoPlace, second: &FifoPlace) -> Diagnostic {
    Diagnostic::new(
        &catalogue::FIFO_PLACE,
        format!("two FIFOs overlap in the module at {}", tile(second)),
        "choose offsets that lie apart; connections of one sender share a FIFO of the same offset and depth",
    )
    .label(second.span, "begins before the other ends")
    .label(first.span, "the other FIFO")
}

/// Two senders have the same FIFO. The first has passed the places `first` up to it.
pub(crate) fn taken(first: &[FifoPlace], second: &FifoPlace) -> Diagnostic {
    let message = format!("the FIFO at {} is to serve 2 senders, and a FIFO serves 1", tile(second));
    if first.last().is_some_and(|first| first.span == second.span) {
        let help = "write a statement for each connection, with a place of its own";
        let diagnostic = Diagnostic::new(&catalogue::FIFO_PLACE, message, help);
        return diagnostic.label(second.span, "one place for several connections");
    }
    twice(message, "give one of them another place", first, second, "the first sender's")
}

/// One sender's data enter the same FIFO by two ways. The first has passed the places `first` up to
/// it.
pub(crate) fn entered_twice(first: &[FifoPlace], second: &FifoPlace) -> Diagnostic {
    let message = format!("the FIFO at {} is entered by 2 ways, and a FIFO has 1 input", tile(second));
    let help = "state the same places before it on each connection, or another place for one of them";
    twice(message, help, first, second, "entered here first")
}

fn twice(message: String, help: &str, first: &[FifoPlace], second: &FifoPlace, who: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(&catalogue::FIFO_PLACE, message, help);
    let diagnostic = diagnostic.label(second.span, "the same FIFO again");
    first.last().map(|place| place.span).into_iter().fold(diagnostic, |all, span| all.label(span, who))
}
