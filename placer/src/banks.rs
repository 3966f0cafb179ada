//! What a placement lets meet in one bank, for reports and tests.
//!
//! In come a design and a verified placement, whoever made it; out come the pairs of inputs of one kernel with buffers in one bank, the ports whose ping and
//! pong share one, and what straddles two banks although one would hold it. A bank serves one access in a cycle, others wait (AM009, memory chapter;
//! UG1076, memory stalls).

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::{KernelId, PortId};

use crate::placed::Placed;
use crate::verify::{self, Stored};

/// A bank of a module: its tile and its number, from 0.
pub type Bank = (Tile, u64);

/// What shares banks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankSharing {
    /// Pairs of inputs of one kernel, which it may read in one expression.
    pub pairs: u64,
    /// Those of the pairs that share a bank, each with the first one.
    pub shared_pairs: Vec<(PortId, PortId, Bank)>,
    /// Ports with two buffers, each port once also where two ports use the buffers.
    pub doubles: u64,
    /// Those whose two buffers share a bank, each with the first one.
    pub shared_doubles: Vec<(PortId, Bank)>,
    /// Buffers and stacks that a bank could hold.
    pub blocks: u64,
    /// Those that lie in two banks: what they are in words, and the first bank.
    pub straddling: Vec<(String, Bank)>,
}

/// What shares banks in a placement.
pub fn bank_sharing(checked: &Checked, device: &Device, placed: &Placed) -> BankSharing {
    let bank = u64::from(device.memory.bank_bytes()).max(1);
    let banks = |stored: &Stored| -> BTreeSet<Bank> {
        let last = stored.end().saturating_sub(1).max(stored.spot.offset.into());
        (u64::from(stored.spot.offset) / bank..=last / bank)
            .map(|number| (stored.spot.tile, number))
            .collect()
    };
    let mut sharing = BankSharing::default();
    let mut of_port: BTreeMap<PortId, Vec<BTreeSet<Bank>>> = BTreeMap::new();
    for stored in verify::stored(checked, device, placed.placement()) {
        let lies_in = banks(&stored);
        if stored.bytes <= bank {
            sharing.blocks += 1;
            if let Some(&first) = lies_in.first().filter(|_| lies_in.len() > 1) {
                sharing.straddling.push((stored.name(checked), first));
            }
        }
        if let Some(port) = stored.port {
            of_port.entry(port).or_default().push(lies_in);
        }
    }
    for (&port, halves) in of_port.iter().filter(|(_, halves)| halves.len() > 1) {
        sharing.doubles += 1;
        let common = halves[0].intersection(&halves[1]).next();
        sharing.shared_doubles.extend(common.map(|&bank| (port, bank)));
    }
    for kernel in checked.kernels.ids() {
        pairs_of(checked, kernel, &of_port, &mut sharing);
    }
    sharing
}

/// Adds the pairs of inputs of one kernel.
fn pairs_of(
    checked: &Checked,
    kernel: KernelId,
    of_port: &BTreeMap<PortId, Vec<BTreeSet<Bank>>>,
    sharing: &mut BankSharing,
) {
    let all = |port: &PortId| Some((*port, of_port.get(port)?.iter().flatten().collect::<BTreeSet<_>>()));
    let inputs: Vec<(PortId, BTreeSet<&Bank>)> =
        checked.kernels[kernel].inputs.iter().filter_map(all).collect();
    for (at, (a, banks)) in inputs.iter().enumerate() {
        for (b, others) in &inputs[at + 1..] {
            sharing.pairs += 1;
            sharing.shared_pairs.extend(banks.intersection(others).next().map(|&&bank| (*a, *b, bank)));
        }
    }
}
