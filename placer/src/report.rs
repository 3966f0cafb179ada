//! Figures of a placement, for reports.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::{Checked, south_ports};
use aiec_device::{Device, Tile};
use aiec_ir::{CollectiveId, ConnectionId, Direction};

use crate::placed::Placed;
use crate::verify::{self, ModuleUse, Stored};

/// Number of connections through DMA, including those to inputs and outputs.
pub fn dma_connections(checked: &Checked, placed: &Placed) -> usize {
    let by_dma = |&id: &ConnectionId| checked.may_use_dma(id) && !placed.is_shared(checked, id);
    checked.connections.ids().filter(by_dma).count()
}

/// The resource use of every memory module that holds anything.
pub fn module_use(checked: &Checked, device: &Device, placed: &Placed) -> BTreeMap<Tile, ModuleUse> {
    verify::uses(device, &verify::stored(checked, device, placed), &verify::all_reserved(checked, placed))
}

/// The part of the design that a module's resources serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// Stack, heap and sync area of kernels.
    Kernels,
    /// Windows of a collective: those of its tree, its result and its cycle counts, at both ends.
    Collective(CollectiveId),
    /// All other windows.
    Windows,
    /// FIFOs with places in memory.
    Fifos,
}

/// The resource use of all modules together, by account. The accounts add up to [`module_use`]:
/// each buffer is on one account, and a DMA channel serves the buffers of one port.
pub fn account_use(checked: &Checked, device: &Device, placed: &Placed) -> BTreeMap<Account, ModuleUse> {
    let mut accounts: BTreeMap<Account, Vec<Stored>> = BTreeMap::new();
    for stored in verify::stored(checked, device, placed) {
        let account = stored.port.map_or(Account::Kernels, |port| {
            checked.collective_of(port).map_or(Account::Windows, Account::Collective)
        });
        accounts.entry(account).or_default().push(stored);
    }
    let sum = |uses: BTreeMap<Tile, ModuleUse>| uses.into_values().sum();
    let fifos = sum(verify::uses(device, &[], &verify::all_reserved(checked, placed)));
    let accounts = accounts.into_iter().map(|(account, all)| (account, sum(verify::uses(device, &all, &[]))));
    accounts.chain([(Account::Fifos, fifos)]).collect()
}

/// Bytes in each bank of every module that holds anything. A buffer may cross the border between
/// two banks (UG1076). Each bank counts its own part.
pub fn bank_use(checked: &Checked, device: &Device, placed: &Placed) -> BTreeMap<Tile, Vec<u64>> {
    let size = u64::from(device.memory.bank_bytes());
    let (stored, fifos) = (verify::stored(checked, device, placed), verify::all_reserved(checked, placed));
    let stored = stored.iter().map(|stored| (stored.spot, stored.end()));
    let fifos = fifos.iter().map(|fifo| (fifo.spot, fifo.end()));
    let mut modules: BTreeMap<Tile, Vec<u64>> = BTreeMap::new();
    for (spot, end) in stored.chain(fifos) {
        let banks = modules.entry(spot.tile).or_insert_with(|| vec![0; device.memory.banks as usize]);
        for (bank, bytes) in (0..).zip(banks) {
            let first = u64::from(spot.offset).max(bank * size);
            *bytes += end.min((bank + 1) * size).saturating_sub(first);
        }
    }
    modules
}

/// South ports of a column's shim switch that the array's inputs and outputs take. A PLIO of 128
/// bits takes two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShimUse {
    /// Ports into the array.
    pub inputs: u32,
    /// Ports out of the array.
    pub outputs: u32,
}

/// The port use of every used column of the interface row.
pub fn shim_use(checked: &Checked, device: &Device, placed: &Placed) -> BTreeMap<u16, ShimUse> {
    let mut columns: BTreeMap<u16, ShimUse> = BTreeMap::new();
    for (id, external) in checked.externals.enumerate() {
        let spot = placed.shims[id];
        // Every channel of a verified placement exists.
        let Ok(ports) = south_ports(external, device, spot.column, spot.channel) else { continue };
        let ports = u32::try_from(ports.len()).unwrap_or(u32::MAX);
        let column = columns.entry(spot.column).or_default();
        match external.direction {
            Direction::Out => column.inputs += ports,
            Direction::In => column.outputs += ports,
        }
    }
    columns
}

/// South ports of a column that PLIO and GMIO can use. A shim DMA channel and a PLIO channel can be
/// the same port (port tables of aie-rt).
pub fn shim_supply(device: &Device, column: u16) -> ShimUse {
    let shim = &device.shim;
    let ports = |channels: u32, gmio: &[u32]| {
        let plio = if shim.has_plio(column) { 0..channels } else { 0..0 };
        let gmio = if shim.noc_columns.contains(&column) { gmio } else { &[] };
        let ports: BTreeSet<u32> = plio.chain(gmio.iter().copied()).collect();
        u32::try_from(ports.len()).unwrap_or(u32::MAX)
    };
    ShimUse {
        inputs: ports(shim.plio_in_channels, &shim.gmio_in_ports),
        outputs: ports(shim.plio_out_channels, &shim.gmio_out_ports),
    }
}
