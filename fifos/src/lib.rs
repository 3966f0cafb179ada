//! Places for the FIFOs in memory that a design leaves open.
//!
//! Takes a checked design, its device and a placement. Returns the places of all such FIFOs, or the
//! reason why one has none. A FIFO of `tools.fifo_threshold_words` and more lies in the memory of a
//! tile, unless the design says otherwise. It takes bytes in one piece, a DMA channel of each
//! direction and two buffer descriptors there (UG1079, "FIFO depth"), beside all that the placement
//! puts there. Its data make a detour: from the sender to the tile and on to the reader. The
//! detours are as short as possible in sum.
//!
//! Every connection gets a FIFO of its own: one before a fork would be full as soon as one branch
//! waits. A FIFO for which no free piece is large enough is divided into equal parts, which its
//! data pass in turn. FIFOs of packets stay open: memory loses the TLAST that ends a packet. So do
//! those of windows through shared memory, whose data pass no stream.

mod assign;
mod errors;
mod program;
mod room;
#[cfg(test)]
mod tests;
mod way;

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::Outcome;
use aiec_ilp::Solver;
use aiec_ir::expanded::Owner;
use aiec_ir::fifos::{FifoPlace, PLACED_WORDS, WORD_BYTES, without_place, words_of_part};
use aiec_ir::{Carries, ConnectionId, PortId};
use aiec_placer::{Placed, Placement, PortBuffers, verify};

use assign::{Module, Part, Position, Problem};

/// The places of the FIFOs in memory to which a design gives none, by connection.
pub type Places = BTreeMap<ConnectionId, Vec<FifoPlace>>;

/// Verifies `placement`, and gives places to all FIFOs in memory that it and the design leave open.
/// The result with these places is verified again.
///
/// # Errors
/// As [`verify`] and [`choose`].
pub fn complete(
    checked: &Checked,
    device: &Device,
    placement: Placement,
    solver: &dyn Solver,
) -> Outcome<Placed> {
    verify(checked, device, placement).and_then(|placed| {
        choose(checked, device, &placed, solver).and_then(|fifos| match fifos == placed.fifos {
            true => Outcome::ok(placed),
            false => verify(checked, device, Placement { fifos, ..(*placed).clone() }),
        })
    })
}

/// Chooses the places. Those that `placed` has already stay as they are.
///
/// The same arguments give the same places.
///
/// # Errors
/// Returns `place/gave-up` with a FIFO for which the placement leaves no room.
pub fn choose(checked: &Checked, device: &Device, placed: &Placed, solver: &dyn Solver) -> Outcome<Places> {
    let case = Case { checked, device, placed };
    let wanted: Vec<ConnectionId> =
        case.open().filter(|connection| !placed.fifos.contains_key(connection)).collect();
    if wanted.is_empty() {
        return Outcome::ok(placed.fifos.clone());
    }
    let (modules, tiles) = room::modules(checked, device, placed);
    let alignment = u64::from(device.memory.buffer_alignment).max(WORD_BYTES);
    let mut refusal = None;
    for pieces in case.divisions(&wanted, &modules) {
        let parts = pieces.iter().map(|piece| piece.part).collect();
        let problem = Problem { modules: modules.clone(), parts, alignment };
        match problem.assign(solver) {
            Ok(found) => return Outcome::ok(case.places(&pieces, &found, &tiles)),
            // The first division has the fewest parts.
            Err(unplaced) if refusal.is_none() => {
                let connection = pieces[unplaced.part].connection;
                let parts = pieces.iter().filter(|piece| piece.connection == connection).count();
                let numbers = [wanted.len(), parts];
                refusal = Some(errors::no_room(checked, &problem, &unplaced, connection, numbers));
            }
            Err(_) => {}
        }
    }
    Outcome::from_parts(None, refusal.into_iter().collect())
}

/// Limit on the divisions of FIFOs into parts that are tried.
const DIVISIONS: usize = 4;

/// A FIFO, or a part of one, before it has a place.
#[derive(Clone, Copy)]
struct Piece {
    connection: ConnectionId,
    words: u32,
    part: Part,
}

/// A design with a placement.
struct Case<'a> {
    checked: &'a Checked,
    device: &'a Device,
    placed: &'a Placed,
}

impl<'a> Case<'a> {
    /// The connections whose FIFO lies in memory and has no place in the design.
    fn open(&self) -> impl Iterator<Item = ConnectionId> + use<'a> {
        let Self { checked, device, placed } = *self;
        let all = without_place(checked).map(|(id, _)| id);
        all.filter(move |&id| checked.connections[id].lies_in_memory(device)).filter(move |&id| {
            let connection = &checked.connections[id];
            let passes = |port: PortId| {
                !matches!(checked.ports[port].carries, Some(Carries::Packets(_) | Carries::Parameter(_)))
            };
            let is_packets = connection.switch.is_some()
                || checked.splits_packets(connection.from)
                || checked.joins_packets(connection.to);
            passes(connection.from)
                && passes(connection.to)
                && !is_packets
                && !checked.goes_by_cascade(id)
                && !placed.is_shared(checked, id)
        })
    }

    /// Divisions of the FIFOs of `wanted` into parts that the largest free piece of `modules` can
    /// hold, then the next smaller one and so on: each has more parts than the one before.
    fn divisions(&self, wanted: &[ConnectionId], modules: &[Module]) -> Vec<Vec<Piece>> {
        let served = modules.iter().filter(|module| module.fifos > 0);
        let mut sizes: Vec<u64> = served.flat_map(|module| &module.gaps).map(|gap| gap.bytes()).collect();
        sizes.sort_unstable_by_key(|&bytes| std::cmp::Reverse(bytes));
        sizes.dedup();
        if sizes.is_empty() {
            sizes.push(0);
        }
        let mut found: Vec<Vec<Piece>> = Vec::new();
        for size in sizes {
            let pieces: Vec<Piece> = wanted.iter().flat_map(|&id| self.pieces(id, size)).collect();
            if found.last().is_none_or(|last| last.len() < pieces.len()) {
                found.push(pieces);
            }
            if found.len() == DIVISIONS {
                break;
            }
        }
        found
    }

    /// The equal parts of a FIFO, none larger than `most` bytes.
    fn pieces(&self, connection: ConnectionId, most: u64) -> Vec<Piece> {
        let words = self.checked.connections[connection].fifo.as_ref().map_or(0, |words| words.value);
        let ends = self.ends(connection);
        let piece = |words: u32| {
            let part = Part { bytes: u64::from(words) * WORD_BYTES, ends };
            Piece { connection, words, part }
        };
        parts_of(words, most).into_iter().map(piece).collect()
    }

    /// Where the data of a connection come from and where they go.
    fn ends(&self, id: ConnectionId) -> [Position; 2] {
        let Self { checked, device, placed } = self;
        let connection = &checked.connections[id];
        [connection.from, connection.to].map(|port| {
            match (checked.ports[port].owner, &placed.buffers[port]) {
                (Owner::External(external), _) => (placed.shims[external].column.into(), 0),
                // A DMA of the module that holds the buffers sends and receives them.
                (Owner::Kernel(_), PortBuffers::Own(spots)) if !spots.is_empty() => {
                    position(device, spots[0].tile)
                }
                (Owner::Kernel(kernel), _) => position(device, placed.kernels[kernel]),
            }
        })
    }

    /// The places of the placement, and of `pieces` in the modules `found` and at their offsets.
    fn places(&self, pieces: &[Piece], found: &[(usize, u64)], tiles: &[Tile]) -> Places {
        let mut places = self.placed.fifos.clone();
        let mut found = found.iter();
        for parts in pieces.chunk_by(|a, b| a.connection == b.connection) {
            let Piece { connection, part, .. } = parts[0];
            let mut spots: Vec<(Tile, u64, u32)> = (parts.iter().zip(found.by_ref()))
                .map(|(piece, &(module, offset))| (tiles[module], offset, piece.words))
                .collect();
            // The parts are equal, so the data may pass them in any order.
            spots.sort_by_key(|&(tile, offset, _)| (tile, offset));
            let spots = way::short(spots, part.ends, |&(tile, ..)| position(self.device, tile));
            let link = &self.checked.connections[connection];
            let span = link.fifo.as_ref().map_or(link.span, |words| words.span);
            let place = |(tile, offset, words)| {
                FifoPlace::in_module(tile, u32::try_from(offset).unwrap_or(u32::MAX), words, span)
            };
            places.insert(connection, spots.into_iter().map(place).collect());
        }
        places
    }
}

/// The words of each part of a FIFO of `words`, if a part has at most `most` bytes.
fn parts_of(words: u32, most: u64) -> Vec<u32> {
    let most = u32::try_from(most / WORD_BYTES).unwrap_or(u32::MAX) / PLACED_WORDS * PLACED_WORDS;
    let parts = if most == 0 { 1 } else { words.div_ceil(most).max(1) };
    vec![words_of_part(words, parts); parts as usize]
}

/// The position of a tile's switch.
fn position(device: &Device, tile: Tile) -> Position {
    (tile.column.into(), device.hardware_row(tile.row).into())
}
