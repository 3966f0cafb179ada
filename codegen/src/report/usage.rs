//! What a placed and routed design uses of tiles, interface row and array.
//!
//! The crates that own the counts compute them; this module puts them beside the device's
//! capacities. A buffer, its lock, its buffer descriptor and its DMA channel are charged to the
//! module that holds the buffer, wherever its kernel runs (AM009, memory and DMA chapters).

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_collectives::Direction;
use aiec_device::Tile;
use aiec_ir::PortId;
use aiec_placer::{
    Account, ModuleUse, Placed, ShimUse, account_use, bank_use, module_use, shim_supply, shim_use,
};
use aiec_router_model::{Hop, Routed, Settings, Side, Switch, edge_table};

use super::model::{Charge, ShimEntry, StreamTotals, Streams, TileEntry, Totals, Use};
use crate::context::Context;

/// The design whose use of the array is computed.
pub(super) struct Usage<'a> {
    pub context: &'a Context<'a>,
    pub checked: &'a Checked,
    pub placed: &'a Placed,
    pub routed: &'a Routed,
}

/// Modules and nets, indexed by their users.
pub(super) struct Charges {
    modules: BTreeMap<Account, ModuleUse>,
    nets: BTreeMap<Account, u64>,
}

impl Charges {
    /// The resources charged to an account. Zero if it has no entry.
    pub fn of(&self, account: Account) -> Charge {
        let ModuleUse { bytes, locks, bds, s2mm, mm2s } =
            self.modules.get(&account).copied().unwrap_or_default();
        let nets = self.nets.get(&account).copied().unwrap_or(0);
        Charge { bytes, locks, bds, s2mm, mm2s, nets }
    }
}

impl Usage<'_> {
    /// Use of the whole array.
    pub fn totals(&self) -> Totals {
        let device = self.context.device;
        let modules = self.modules();
        let tiles = u64::from(device.columns) * u64::from(device.rows);
        let all = |of: fn(&ModuleUse) -> u64, each: u32| Use {
            used: modules.values().map(of).sum(),
            available: tiles * u64::from(each),
        };
        let shims = shim_use(self.checked, device, self.placed);
        let supply: Vec<ShimUse> = (0..device.columns).map(|column| shim_supply(device, column)).collect();
        let ports = |of: fn(&ShimUse) -> u32| Use {
            used: shims.values().map(|shim| u64::from(of(shim))).sum(),
            available: supply.iter().map(|shim| u64::from(of(shim))).sum(),
        };
        Totals {
            cores: Use { used: self.cores().len() as u64, available: tiles },
            bytes: all(|module| module.bytes, device.memory.module_bytes),
            locks: all(|module| module.locks.into(), device.tile.locks),
            bds: all(|module| module.bds.into(), device.tile.bds),
            s2mm: all(|module| module.s2mm.into(), device.tile.s2mm),
            mm2s: all(|module| module.mm2s.into(), device.tile.mm2s),
            shim_inputs: ports(|shim| shim.inputs),
            shim_outputs: ports(|shim| shim.outputs),
            nets: self.routed.routes.len() as u64,
            streams: self.streams_of_all(tiles),
        }
    }

    /// What streams, cascades and packets take of an array with `tiles` cores. None when the
    /// design has none of them.
    fn streams_of_all(&self, tiles: u64) -> Option<StreamTotals> {
        let (design, device) = (self.context.design, self.context.device);
        let ports = |direction: Direction, each: u32| {
            let is_one = |&port: &PortId| design.is_stream(port) && design.ports[port].direction == direction;
            Use { used: design.ports.ids().filter(is_one).count() as u64, available: tiles * u64::from(each) }
        };
        let cores =
            (0..device.columns).flat_map(|column| (0..device.rows).map(move |row| Tile { column, row }));
        let steps = cores.map(|core| device.cascade_targets(core).len().min(1) as u64);
        let wiring = &self.routed.wiring;
        let ids: BTreeSet<u32> = wiring.ids.iter().flatten().copied().collect();
        let arbiters = |settings: &Settings| {
            let used: BTreeSet<u32> = settings.arbitrated.values().map(|port| port.arbiter).collect();
            used.len() as u64
        };
        let all = StreamTotals {
            core_inputs: ports(Direction::In, device.tile.streams_in),
            core_outputs: ports(Direction::Out, device.tile.streams_out),
            cascades: Use { used: design.cascades.len() as u64, available: steps.sum() },
            packet_ids: Use { used: ids.len() as u64, available: device.switch.packet.ids.into() },
            arbiters: Use {
                used: wiring.switches.values().map(arbiters).max().unwrap_or(0),
                available: device.switch.packet.arbiters.into(),
            },
        };
        let is_used = [all.core_inputs, all.core_outputs, all.cascades, all.packet_ids];
        is_used.iter().any(|amount| amount.used > 0).then_some(all)
    }

    /// Tiles that run a kernel or whose module holds a buffer or stack.
    pub fn tiles(&self) -> Vec<TileEntry> {
        let modules = self.modules();
        let banks = bank_use(self.checked, self.context.device, self.placed);
        let cores = self.cores();
        let edges = edge_table(self.routed, self.context.device);
        let loads: BTreeMap<Hop, u32> =
            edges.iter().map(|edge| (Hop { from: edge.from, to: edge.to }, edge.used)).collect();
        let tiles: BTreeSet<Tile> = modules.keys().chain(cores.keys()).copied().collect();
        let entry = |tile: Tile| {
            let module = modules.get(&tile).copied().unwrap_or_default();
            let banks = banks.get(&tile).map_or(&[][..], Vec::as_slice);
            self.tile(tile, module, banks, cores.get(&tile).map_or(&[][..], Vec::as_slice), &loads)
        };
        tiles.into_iter().map(entry).collect()
    }

    fn tile(
        &self,
        tile: Tile,
        module: ModuleUse,
        banks: &[u64],
        kernels: &[String],
        loads: &BTreeMap<Hop, u32>,
    ) -> TileEntry {
        let device = self.context.device;
        let bank = |number: u32| banks.get(number as usize).copied().unwrap_or(0);
        TileEntry {
            tile,
            kernels: kernels.to_vec(),
            bytes: Use { used: module.bytes, available: device.memory.module_bytes.into() },
            banks: (0..device.memory.banks)
                .map(|number| Use { used: bank(number), available: device.memory.bank_bytes().into() })
                .collect(),
            locks: use_of(module.locks, device.tile.locks),
            bds: use_of(module.bds, device.tile.bds),
            s2mm: use_of(module.s2mm, device.tile.s2mm),
            mm2s: use_of(module.mm2s, device.tile.mm2s),
            streams: self.streams(tile, loads),
        }
    }

    /// Wires that leave the switch of `tile`. Zero towards a side where the array ends.
    fn streams(&self, tile: Tile, loads: &BTreeMap<Hop, u32>) -> Streams {
        let device = self.context.device;
        // The interface row and memory tiles lie below the cores (UG1076).
        let from = Switch { column: tile.column, row: device.hardware_row(tile.row) };
        let wires = |side: Side, to: Option<Switch>| {
            let inside = to.filter(|to| to.column < device.columns && to.row <= device.rows);
            let load = |to: Switch| loads.get(&Hop { from, to }).copied().unwrap_or(0);
            inside.map_or_else(Use::default, |to| use_of(load(to), side.wires(device, from.row)))
        };
        let column = |column: u16| Switch { column, ..from };
        let row = |row: u16| Switch { row, ..from };
        Streams {
            north: wires(Side::North, from.row.checked_add(1).map(row)),
            south: wires(Side::South, from.row.checked_sub(1).map(row)),
            east: wires(Side::East, from.column.checked_add(1).map(column)),
            west: wires(Side::West, from.column.checked_sub(1).map(column)),
        }
    }

    /// Columns of the interface row that are in use.
    pub fn shim(&self) -> Vec<ShimEntry> {
        let device = self.context.device;
        let columns = shim_use(self.checked, device, self.placed).into_iter();
        let entry = |(column, used): (u16, ShimUse)| {
            let supply = shim_supply(device, column);
            let (inputs, outputs) =
                (use_of(used.inputs, supply.inputs), use_of(used.outputs, supply.outputs));
            ShimEntry { column, inputs, outputs }
        };
        columns.map(entry).collect()
    }

    /// Resources used on all tiles together, by account.
    pub fn charges(&self) -> Charges {
        let context = self.context;
        let mut nets: BTreeMap<Account, u64> = BTreeMap::new();
        for route in &self.routed.routes {
            let collective = context.design.collective_of(route.net.from);
            *nets.entry(collective.map_or(Account::Windows, Account::Collective)).or_default() += 1;
        }
        Charges { modules: account_use(self.checked, context.device, self.placed), nets }
    }

    fn modules(&self) -> BTreeMap<Tile, ModuleUse> {
        module_use(self.checked, self.context.device, self.placed)
    }

    /// The kernels on each core that runs any.
    fn cores(&self) -> BTreeMap<Tile, Vec<String>> {
        let mut cores: BTreeMap<Tile, Vec<String>> = BTreeMap::new();
        for (id, kernel) in self.context.design.kernels.enumerate() {
            cores.entry(self.placed.kernels[id]).or_default().push(kernel.name.clone());
        }
        cores
    }
}

fn use_of(used: u32, available: u32) -> Use {
    Use { used: used.into(), available: available.into() }
}
