//! Buffers that share a bank of memory, and buffers that lie in two banks.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_placer::{Bank, Placed, bank_sharing};

use super::model::{BanksEntry, Clash, Clashes};

/// Clashes that are named; the others are only counted.
const NAMED: usize = 32;

/// The banks of a placement.
pub(super) fn banks(checked: &Checked, device: &Device, placed: &Placed) -> BanksEntry {
    let sharing = bank_sharing(checked, device, placed);
    let name = |port| checked.port_name(port);
    let pairs = sharing.shared_pairs.iter().map(|&(a, b, bank)| (vec![name(a), name(b)], bank));
    let doubles = sharing.shared_doubles.iter().map(|&(port, bank)| (vec![name(port)], bank));
    let blocks = sharing.straddling.iter().map(|(what, bank)| (vec![what.clone()], *bank));
    BanksEntry {
        input_pairs: clashes(sharing.pairs, pairs.collect()),
        ping_pong: clashes(sharing.doubles, doubles.collect()),
        blocks: clashes(sharing.blocks, blocks.collect()),
    }
}

fn clashes(all: u64, found: Vec<(Vec<String>, Bank)>) -> Clashes {
    let clashing = found.len() as u64;
    let entry = |(what, (tile, bank))| Clash { what, tile, bank };
    Clashes { all, clashing, named: found.into_iter().take(NAMED).map(entry).collect() }
}
