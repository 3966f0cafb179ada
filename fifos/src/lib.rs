//! Places for the FIFOs in memory that a design leaves open.
//!
//! Takes a checked design, its device and a placement. Returns the places of all such FIFOs, or the
//! reason why one has none. A FIFO of `tools.fifo_threshold_words` and more lies in the memory of a
//! tile. It takes bytes in one piece, a DMA channel of each direction and two buffer descriptors
//! there (UG1079, "FIFO depth"), beside all that the placement puts there. Its data make a detour:
//! from the sender to the tile and on to the reader. The detours are as short as possible in sum.
//!
//! Every connection gets a FIFO of its own: one before a fork would be full as soon as one branch
//! waits. A FIFO that no free piece of a module can hold is divided into equal parts, which its
//! data pass in turn. FIFOs of packets stay open: memory loses the TLAST that ends a packet. So do
//! those of windows through shared memory, whose data pass no stream.

mod assign;
mod errors;
mod program;
mod room;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::Outcome;
use aiec_ilp::Solver;
use aiec_ir::expanded::Owner;
use aiec_ir::fifos::{FifoPlace, PLACED_WORDS, WORD_BYTES, without_place};
use aiec_ir::{Carries, ConnectionId, PortId};
use aiec_placer::{Placed, Placement, PortBuffers, verify};

use assign::{Part, Position, Problem};

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
    let mut places = placed.fifos.clone();
    let wanted: Vec<ConnectionId> =
        open(checked, device, placed).filter(|connection| !places.contains_key(connection)).collect();
    if wanted.is_empty() {
        return Outcome::ok(places);
    }
    let (modules, tiles) = room::modules(checked, device, placed);
    let largest = modules.iter().filter(|module| module.fifos > 0).flat_map(|module| &module.gaps);
    let largest = largest.map(|gap| gap.bytes()).max().unwrap_or(0);
    let parts: Vec<Vec<u32>> = wanted.iter().map(|&id| parts_of(words_of(checked, id), largest)).collect();
    let each = wanted.iter().zip(&parts).flat_map(|(&id, parts)| {
        let ends = ends(checked, device, placed, id);
        parts.iter().map(move |&words| (id, Part { bytes: u64::from(words) * WORD_BYTES, ends }))
    });
    let (owners, parts_to_place): (Vec<ConnectionId>, Vec<Part>) = each.unzip();
    let alignment = u64::from(device.memory.buffer_alignment).max(WORD_BYTES);
    let problem = Problem { modules, parts: parts_to_place, alignment };
    let found = match problem.assign(solver) {
        Ok(found) => found,
        Err(unplaced) => {
            let connection = owners[unplaced.part];
            return Outcome::error(errors::no_room(checked, &problem, &unplaced, connection, wanted.len()));
        }
    };
    let mut found = found.into_iter();
    for (&id, parts) in wanted.iter().zip(&parts) {
        let [from, _] = ends(checked, device, placed, id);
        let mut spots: Vec<(Tile, u64, u32)> = parts
            .iter()
            .zip(found.by_ref())
            .map(|(&words, (module, offset))| (tiles[module], offset, words))
            .collect();
        // The data pass the parts in their order.
        spots.sort_by_key(|&(tile, offset, _)| (distance(from, position(device, tile)), tile, offset));
        places.insert(id, spots.into_iter().map(|spot| place(checked, id, spot)).collect());
    }
    Outcome::ok(places)
}

/// The connections whose FIFO lies in memory and has no place in the design.
fn open<'a>(
    checked: &'a Checked,
    device: &'a Device,
    placed: &'a Placed,
) -> impl Iterator<Item = ConnectionId> + 'a {
    let in_memory = |words: u32| device.tools.fifo_threshold_words.is_some_and(|least| words >= least);
    let all = without_place(checked).filter(move |(_, words)| in_memory(words.value));
    all.map(|(id, _)| id).filter(|&id| {
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

/// Words of the FIFO of a connection.
fn words_of(checked: &Checked, id: ConnectionId) -> u32 {
    checked.connections[id].fifo.as_ref().map_or(0, |words| words.value)
}

/// The words of each part of a FIFO, if the largest piece of free memory has `largest` bytes.
fn parts_of(words: u32, largest: u64) -> Vec<u32> {
    let most = u32::try_from(largest / WORD_BYTES).unwrap_or(u32::MAX) / PLACED_WORDS * PLACED_WORDS;
    let parts = if most == 0 { 1 } else { words.div_ceil(most).max(1) };
    let each = words.div_ceil(parts);
    vec![each.checked_next_multiple_of(PLACED_WORDS).unwrap_or(each); parts as usize]
}

/// Where the data of a connection come from and where they go.
fn ends(checked: &Checked, device: &Device, placed: &Placed, id: ConnectionId) -> [Position; 2] {
    let connection = &checked.connections[id];
    [connection.from, connection.to].map(|port| match (checked.ports[port].owner, &placed.buffers[port]) {
        (Owner::External(external), _) => (placed.shims[external].column.into(), 0),
        // A DMA of the module that holds the buffers sends and receives them.
        (Owner::Kernel(_), PortBuffers::Own(spots)) if !spots.is_empty() => position(device, spots[0].tile),
        (Owner::Kernel(kernel), _) => position(device, placed.kernels[kernel]),
    })
}

/// The position of a tile's switch.
fn position(device: &Device, tile: Tile) -> Position {
    (tile.column.into(), device.hardware_row(tile.row).into())
}

fn distance(a: Position, b: Position) -> u64 {
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
}

fn place(checked: &Checked, id: ConnectionId, (tile, offset, words): (Tile, u64, u32)) -> FifoPlace {
    let connection = &checked.connections[id];
    let span = connection.fifo.as_ref().map_or(connection.span, |words| words.span);
    FifoPlace::in_module(tile, u32::try_from(offset).unwrap_or(u32::MAX), words, span)
}
