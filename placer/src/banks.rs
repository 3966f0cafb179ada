//! Bank sharing of a placement from any source, for reports and tests.
//!
//! Lists buffers that share banks and blocks that straddle two. A bank serves one access per cycle;
//! other accesses wait (AM009, memory chapter; UG1076, memory stalls).

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::{KernelId, PortId};

use crate::errors;
use crate::placed::Placed;
use crate::placement::Bank;
use crate::verify;

/// Counts and lists of buffers that share banks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankSharing {
    /// Number of pairs of inputs of one kernel. The kernel may read both in one expression.
    pub pairs: u64,
    /// The pairs that share a bank, each with the first such bank.
    pub shared_pairs: Vec<(PortId, PortId, Bank)>,
    /// Number of ports with two buffers. A port counts once even if two ports use the buffers.
    pub doubles: u64,
    /// The double-buffered ports whose buffers share a bank, each with the first such bank.
    pub shared_doubles: Vec<(PortId, Bank)>,
    /// Number of buffers and stacks that fit one bank.
    pub blocks: u64,
    /// The blocks that lie in two banks: a description and the first bank.
    pub straddling: Vec<(String, Bank)>,
}

/// Lists the buffers that share banks in a placement.
pub fn bank_sharing(checked: &Checked, device: &Device, placed: &Placed) -> BankSharing {
    let bank = u64::from(device.memory.bank_bytes()).max(1);
    let mut sharing = BankSharing::default();
    let mut of_port: BTreeMap<PortId, Vec<BTreeSet<Bank>>> = BTreeMap::new();
    for stored in verify::stored(checked, device, placed) {
        let lies_in = stored.in_banks(bank);
        if stored.bytes <= bank {
            sharing.blocks += 1;
            if let Some(&first) = lies_in.first().filter(|_| lies_in.len() > 1) {
                sharing.straddling.push((stored.name(checked), first));
            }
        }
        if let Some(port) = stored.port.filter(|_| !stored.is_selector()) {
            of_port.entry(port).or_default().push(lies_in);
        }
    }
    for (&port, halves) in of_port.iter().filter(|(_, halves)| halves.len() > 1) {
        sharing.doubles += 1;
        let common = halves[0].intersection(&halves[1]).next();
        sharing.shared_doubles.extend(common.map(|&bank| (port, bank)));
    }
    checked.kernels.iter().for_each(|kernel| add_pairs(&kernel.inputs, &of_port, &mut sharing));
    sharing
}

/// Notes about inputs of one kernel that share a bank: one for each kernel.
pub fn bank_notes(checked: &Checked, device: &Device, placed: &Placed) -> Vec<Diagnostic> {
    let mut of_kernel: BTreeMap<KernelId, (PortId, PortId, Bank)> = BTreeMap::new();
    for (a, b, bank) in bank_sharing(checked, device, placed).shared_pairs {
        if let Some(kernel) = checked.kernel_of(a) {
            of_kernel.entry(kernel).or_insert((a, b, bank));
        }
    }
    of_kernel.into_values().map(|(a, b, bank)| errors::shared_bank(checked, [a, b], bank)).collect()
}

/// Adds the pairs of inputs of one kernel.
fn add_pairs(inputs: &[PortId], of_port: &BTreeMap<PortId, Vec<BTreeSet<Bank>>>, sharing: &mut BankSharing) {
    let all = |port: &PortId| Some((*port, of_port.get(port)?.iter().flatten().collect::<BTreeSet<_>>()));
    let inputs: Vec<(PortId, BTreeSet<&Bank>)> = inputs.iter().filter_map(all).collect();
    for (at, (a, banks)) in inputs.iter().enumerate() {
        for (b, others) in &inputs[at + 1..] {
            sharing.pairs += 1;
            sharing.shared_pairs.extend(banks.intersection(others).next().map(|&&bank| (*a, *b, bank)));
        }
    }
}
