//! The names of ports: `S_SHIM_SOUTH_ch0_C24` in the router's files, `AIE_SWITCH_S_SOUTH_CH0_PIN`
//! of `AIE_INTF_B3_CORE_X24Y0` in solutions.
//!
//! `S` enters a switch, `M` leaves it. In names, `R` counts core rows and the shim has none; tiles
//! count hardware rows.

use aiec_device::Device;

use crate::net::{EndPort, NetEnd};
use crate::port::{Bundle, Port, SwitchPort};
use crate::switch::Switch;

/// A port of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) switch: Switch,
    pub(super) port: Port,
    /// True for a slave port, which enters the switch.
    pub(super) slave: bool,
}

impl Node {
    /// The net end at this port. Returns None when nets cannot end at such a port.
    pub(super) fn end(&self) -> Option<NetEnd> {
        let port = match self.port.bundle {
            Bundle::Dma => EndPort::Dma(self.port.channel),
            Bundle::Core => EndPort::Core(self.port.channel),
            Bundle::Trace if self.slave => EndPort::Trace(self.port.channel),
            Bundle::Ctrl => EndPort::Ctrl(self.port.channel),
            Bundle::South if self.switch.row == 0 => EndPort::South(self.port.channel),
            _ => return None,
        };
        Some(NetEnd { switch: self.switch, port })
    }

    /// The port with its switch, whichever way it leads.
    pub(super) const fn at(&self) -> SwitchPort {
        SwitchPort { switch: self.switch, port: self.port }
    }
}

/// The port called `name` in `router.input` and `router_soln.json`.
pub(super) fn node(name: &str, device: &Device) -> Result<Node, String> {
    let unknown = || {
        format!(
            "`{name}` is not the name of a port: S_ or M_, SHIM_ at the shim, what it leads to, _ch, _C and _R with numbers"
        )
    };
    let (slave, rest) = way(name).ok_or_else(unknown)?;
    let (shim, rest) = rest.strip_prefix("SHIM_").map_or((false, rest), |rest| (true, rest));
    let (kind, rest) = rest.split_once("_ch").ok_or_else(unknown)?;
    let mut numbers = rest.split('_');
    let channel = numbers.next().and_then(|n| n.parse().ok()).ok_or_else(unknown)?;
    let mut after = |letter: char| numbers.next()?.strip_prefix(letter)?.parse::<u16>().ok();
    let column = after('C').ok_or_else(unknown)?;
    let row =
        if shim { 0 } else { after('R').ok_or_else(unknown)?.saturating_add(device.first_hardware_row) };
    let switch = on_device(Switch { column, row }, name, device)?;
    Ok(Node { switch, port: port(kind, channel, switch, slave, device).ok_or_else(unknown)?, slave })
}

/// The port of a tile that `wire` names, where sideways ports are called `NEXT` and `PREV` (seen in
/// six public `*_routed.aiesol` files). Returns None when the wire is no port of a switch.
pub(super) fn pin(tile: &str, wire: &str, device: &Device) -> Result<Option<Node>, String> {
    let Some(rest) = wire.strip_prefix("AIE_SWITCH_") else { return Ok(None) };
    let Some((slave, rest)) = way(rest.trim_end_matches("_PIN")) else { return Ok(None) };
    let place = || {
        let (column, row) = tile.rsplit_once("_X")?.1.split_once('Y')?;
        Some(Switch { column: column.parse().ok()?, row: row.parse().ok()? })
    };
    let switch = place()
        .ok_or_else(|| format!("`{tile}` does not end in the column and row of a tile, such as _X24Y1"))?;
    let switch = on_device(switch, tile, device)?;
    let port = rest.rsplit_once("_CH").and_then(|(kind, channel)| {
        port(sideways(kind, switch, device), channel.parse().ok()?, switch, slave, device)
    });
    let port = port.ok_or_else(|| format!("`{wire}` is not a port of a switch that aiec knows"))?;
    Ok(Some(Node { switch, port, slave }))
}

/// The direction that `NEXT` or `PREV` means. Tiles of even core rows and of the shim have `NEXT`
/// in the east. Tiles of odd core rows are mirrored (`AIE_TILE_MY`) and have it in the west.
fn sideways<'a>(kind: &'a str, switch: Switch, device: &Device) -> &'a str {
    let core_row = switch.row.checked_sub(device.first_hardware_row);
    let mirrored = core_row.is_some_and(|row| row % 2 == 1);
    match kind {
        "NEXT" if mirrored => "WEST",
        "PREV" if mirrored => "EAST",
        "NEXT" => "EAST",
        "PREV" => "WEST",
        _ => kind,
    }
}

fn way(name: &str) -> Option<(bool, &str)> {
    let slave = name.strip_prefix("S_").map(|rest| (true, rest));
    slave.or_else(|| name.strip_prefix("M_").map(|rest| (false, rest)))
}

fn on_device(switch: Switch, name: &str, device: &Device) -> Result<Switch, String> {
    let rows = device.first_hardware_row.saturating_add(device.rows);
    if switch.column < device.columns && switch.row < rows {
        return Ok(switch);
    }
    Err(format!(
        "`{name}` is not on the {}, which has {} columns and {} rows of cores",
        device.name, device.columns, device.rows
    ))
}

/// The switch port for a name. South ports reach the DMA of a shim; the device file names them.
fn port(kind: &str, channel: u32, switch: Switch, slave: bool, device: &Device) -> Option<Port> {
    let bundle = match kind {
        "NORTH" => Bundle::North,
        "SOUTH" => Bundle::South,
        "EAST" => Bundle::East,
        "WEST" => Bundle::West,
        "MM2S_DMA" | "MM2S" if slave => Bundle::Dma,
        "S2MM_DMA" | "S2MM" if !slave => Bundle::Dma,
        "DMA" => Bundle::Dma,
        "AIE_IN" | "AIE_OUT" | "CORE_IN" | "CORE_OUT" | "CORE" => Bundle::Core,
        "FIFO" => Bundle::Fifo,
        "CTRL" => Bundle::Ctrl,
        _ if kind.starts_with("TRACE") => Bundle::Trace,
        _ => return None,
    };
    if bundle == Bundle::Dma && switch.row == 0 {
        let ports = if slave { &device.shim.gmio_in_ports } else { &device.shim.gmio_out_ports };
        return Some(Port::new(Bundle::South, *ports.get(usize::try_from(channel).ok()?)?));
    }
    Some(Port::new(bundle, channel))
}

/// The slave port that a master port leads to: a neighbour's of the same number (AM009), or the
/// FIFO's own return. Returns None when the net leaves the network.
pub(super) fn beyond(master: SwitchPort) -> Option<SwitchPort> {
    let SwitchPort { switch, port } = master;
    let Switch { column, row } = switch;
    let (to, bundle) = match port.bundle {
        Bundle::Fifo => (switch, Bundle::Fifo),
        Bundle::North => (Switch { column, row: row.checked_add(1)? }, Bundle::South),
        Bundle::South => (Switch { column, row: row.checked_sub(1)? }, Bundle::North),
        Bundle::East => (Switch { column: column.checked_add(1)?, row }, Bundle::West),
        Bundle::West => (Switch { column: column.checked_sub(1)?, row }, Bundle::East),
        Bundle::Core | Bundle::Dma | Bundle::Ctrl | Bundle::Trace => return None,
    };
    Some(SwitchPort { switch: to, port: Port::new(bundle, port.channel) })
}
