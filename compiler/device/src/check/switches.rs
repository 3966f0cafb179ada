//! Rules about stream switches: every wire has two ends.

use super::{Faults, MAX_PORTS};
use crate::Device;
use crate::model::{Forbidden, Ports, SwitchPorts};

/// The kinds of switches of a device, by their keys.
fn kinds(device: &Device) -> impl Iterator<Item = (&'static str, &SwitchPorts)> {
    let switch = &device.switch;
    let memory = switch.memory.as_ref().map(|ports| ("switch.memory", ports));
    [("switch.core", &switch.core), ("switch.shim", &switch.shim)].into_iter().chain(memory)
}

/// A port count of a switch: the key, and the number.
type End = (String, u32);

fn end(kind: &str, direction: &str, side: &str, value: u32) -> End {
    (format!("{kind}.{direction}.{side}"), value)
}

/// The ports of each switch add up to their total.
pub(super) fn ports(device: &Device, faults: &mut Faults) {
    for (kind, switch) in kinds(device) {
        for (direction, ports) in [("masters", &switch.masters), ("slaves", &switch.slaves)] {
            let key = |side| format!("{kind}.{direction}.{side}");
            for (side, value) in sides(ports) {
                faults.require(value <= MAX_PORTS, &key(side), || {
                    format!("{value} are more than {MAX_PORTS} ports")
                });
            }
            let sum = sides(ports).iter().map(|(_, value)| u64::from(*value)).sum::<u64>();
            let total = ports.total;
            faults.require(sum == u64::from(total), &key("total"), || {
                format!("it is {total}, but the ports are {sum}")
            });
        }
    }
}

const fn sides(ports: &Ports) -> [(&'static str, u32); 9] {
    [
        ("core", ports.core),
        ("dma", ports.dma),
        ("ctrl", ports.ctrl),
        ("fifo", ports.fifo),
        ("south", ports.south),
        ("west", ports.west),
        ("north", ports.north),
        ("east", ports.east),
        ("trace", ports.trace),
    ]
}

/// A switch has a port for each stream of its tile.
pub(super) fn endpoints(device: &Device, faults: &mut Faults) {
    let (core, shim, tile) = (&device.switch.core, &device.switch.shim, &device.tile);
    faults.same("tile.s2mm", tile.s2mm, "switch.core.masters.dma", core.masters.dma);
    faults.same("tile.mm2s", tile.mm2s, "switch.core.slaves.dma", core.slaves.dma);
    faults.same("tile.streams_in", tile.streams_in, "switch.core.masters.core", core.masters.core);
    faults.same("tile.streams_out", tile.streams_out, "switch.core.slaves.core", core.slaves.core);
    let plio = (device.shim.plio_in_channels, device.shim.plio_out_channels);
    faults.same("shim.plio_in_channels", plio.0, "switch.shim.slaves.south", shim.slaves.south);
    faults.same("shim.plio_out_channels", plio.1, "switch.shim.masters.south", shim.masters.south);
    for (kind, switch) in kinds(device) {
        // A FIFO has as many outputs as inputs.
        let key = format!("{kind}.masters.fifo");
        faults.same(&key, switch.masters.fifo, &format!("{kind}.slaves.fifo"), switch.slaves.fifo);
    }
    let (tiles, switch) = (&device.memory_tiles, &device.switch.memory);
    faults.require(tiles.is_some() == switch.is_some(), "memory_tiles", || {
        "`memory_tiles` and `switch.memory` belong together".to_owned()
    });
    if let (Some(tiles), Some(switch)) = (tiles, switch) {
        faults.same("memory_tiles.s2mm", tiles.s2mm, "switch.memory.masters.dma", switch.masters.dma);
        faults.same("memory_tiles.mm2s", tiles.mm2s, "switch.memory.slaves.dma", switch.slaves.dma);
    }
}

/// The wires that leave a switch on one side equal those that enter its neighbour.
pub(super) fn wires(device: &Device, faults: &mut Faults) {
    let mut joints: Vec<(End, End)> = Vec::new();
    for (kind, switch) in kinds(device) {
        let (masters, slaves) = (switch.masters, switch.slaves);
        joints.push((end(kind, "masters", "east", masters.east), end(kind, "slaves", "west", slaves.west)));
        joints.push((end(kind, "masters", "west", masters.west), end(kind, "slaves", "east", slaves.east)));
    }
    for ((lower, below), (upper, above)) in stacked(device) {
        let (up, down) = (below.masters.north, above.masters.south);
        joints.push((end(lower, "masters", "north", up), end(upper, "slaves", "south", above.slaves.south)));
        joints
            .push((end(upper, "masters", "south", down), end(lower, "slaves", "north", below.slaves.north)));
    }
    for ((key, value), (other, expected)) in joints {
        faults.same(&key, value, &other, expected);
    }
}

/// A kind of switch, by its key.
type Kind<'d> = (&'static str, &'d SwitchPorts);

/// Pairs of kinds of switches that lie above each other.
fn stacked(device: &Device) -> Vec<(Kind<'_>, Kind<'_>)> {
    let (core, shim) = (("switch.core", &device.switch.core), ("switch.shim", &device.switch.shim));
    let Some(memory) = device.switch.memory.as_ref().map(|ports| ("switch.memory", ports)) else {
        return vec![(shim, core), (core, core)];
    };
    vec![(shim, memory), (memory, memory), (memory, core), (core, core)]
}

/// `switch.north` and the other sides hold for every row: the router uses one number of wires for
/// each direction.
pub(super) fn uniform(device: &Device, faults: &mut Faults) {
    let (switch, core, shim) = (&device.switch, &device.switch.core.masters, &device.switch.shim.masters);
    for (side, wires, core) in [
        ("north", switch.north, core.north),
        ("south", switch.south, core.south),
        ("east", switch.east, core.east),
        ("west", switch.west, core.west),
    ] {
        faults.same(&format!("switch.{side}"), wires, &format!("switch.core.masters.{side}"), core);
    }
    // The shim's wires to the south lead to the interfaces, not to another switch.
    for (side, wires, shim) in [
        ("north", switch.north, shim.north),
        ("east", switch.east, shim.east),
        ("west", switch.west, shim.west),
    ] {
        faults.same(&format!("switch.shim.masters.{side}"), shim, &format!("switch.{side}"), wires);
    }
}

/// Packet numbers are a power of two, and every switch that can arbitrate has selects and rules.
pub(super) fn packet(device: &Device, faults: &mut Faults) {
    let packet = &device.switch.packet;
    faults.require(packet.ids.is_power_of_two(), "switch.packet.ids", || {
        format!("{} is not a power of two", packet.ids)
    });
    for (key, value) in [
        ("switch.packet.arbiters", packet.arbiters),
        ("switch.packet.selects", packet.selects),
        ("switch.packet.rules", packet.rules),
    ] {
        faults.positive(key, value);
    }
    let nets = device.tools.slave_nets;
    faults.require(nets.is_none_or(|nets| (1..=packet.ids).contains(&nets)), "tools.slave_nets", || {
        format!("{} nets on a port need as many of the {} numbers", nets.unwrap_or(0), packet.ids)
    });
}

/// A rule of a crossbar is listed once, and names only ports that the switch has.
pub(super) fn crossbar(device: &Device, faults: &mut Faults) {
    for (kind, switch) in kinds(device) {
        let key = format!("{kind}.forbidden");
        for (i, &rule) in switch.forbidden.iter().enumerate() {
            faults.require(!switch.forbidden[..i].contains(&rule), &key, || {
                format!("{rule:?} is listed twice")
            });
            faults.require(applies(rule, switch), &key, || {
                format!("{rule:?} names ports that the switch lacks")
            });
        }
    }
}

const fn applies(rule: Forbidden, switch: &SwitchPorts) -> bool {
    let (masters, slaves) = (&switch.masters, &switch.slaves);
    match rule {
        Forbidden::CoreToCore => masters.core > 0 && slaves.core > 0,
        Forbidden::DmaToOtherDma => masters.dma > 1 && slaves.dma > 1,
        Forbidden::TurnBackToOtherChannel
        | Forbidden::TurnBackToOtherChannelExceptSouth
        | Forbidden::StraightToOtherChannel => slaves.north > 1,
        Forbidden::CtrlToCtrl => masters.ctrl > 0 && slaves.ctrl > 0,
        Forbidden::CtrlToDma => slaves.ctrl > 0 && masters.dma > 0,
        Forbidden::CtrlToDmaExcept5 => slaves.ctrl > 0 && masters.dma > 5,
        Forbidden::TraceExceptFifoSouthDma0 => slaves.trace > 0 && masters.fifo > 0 && masters.dma > 0,
        Forbidden::TraceExceptSouthDma5 => slaves.trace > 0 && masters.dma > 5,
        Forbidden::TraceExceptFifoSouth => slaves.trace > 0 && masters.fifo > 0,
        Forbidden::TraceExceptSouth => slaves.trace > 0 && masters.south > 0,
    }
}
