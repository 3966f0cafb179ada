//! The switch settings of a routed design as calls of AMD's driver aie-rt.
//!
//! Names and arguments of the calls are those of `xaie_ss.h`, `xaie_plif.h` and `xaiegbl.h` of
//! Xilinx/aie-rt, commit 1ad203de.

use std::collections::BTreeSet;

use aiec_router_model::{
    Bundle, InterfaceDirection, InterfaceEnd, ListedCircuit, ListedInterface, ListedSlot, ListedSwitch,
    NetId, Port, SwitchKind, WiringList,
};
use askama::Template;

use crate::lines::counted;

/// The fields of the template of `NAME_routes.c`.
#[derive(Template)]
#[template(path = "routes.c.askama", escape = "none")]
pub(crate) struct RoutesC<'a> {
    stamp: &'a str,
    design: &'a str,
    device: &'a str,
    counts: String,
    function: String,
    /// Lines of a comment about FIFOs that the settings leave out. Empty if there are none.
    left_out: Vec<String>,
    tiles: Vec<Tile>,
}

/// The settings of one switch.
struct Tile {
    column: u16,
    row: u16,
    kind: &'static str,
    lines: Vec<String>,
}

/// The file for these settings.
pub(crate) fn routes_c<'a>(list: &'a WiringList, stamp: &'a str) -> RoutesC<'a> {
    let tiles: Vec<Tile> = list.switches.iter().map(|switch| tile(list, switch)).collect();
    RoutesC {
        stamp,
        design: &list.design,
        device: &list.device,
        counts: format!(
            "{}, {}",
            counted(list.nets.len(), "net"),
            // `counted` knows regular nouns only.
            if tiles.len() == 1 { "1 switch".to_owned() } else { format!("{} switches", tiles.len()) }
        ),
        function: format!("{}_routes", identifier(&list.design)),
        left_out: left_out(list),
        tiles,
    }
}

/// What the settings leave out, and what helps.
fn left_out(list: &WiringList) -> Vec<String> {
    if list.open_fifos.is_empty() {
        return Vec::new();
    }
    let head = [
        "Left out: FIFOs of packets in memory, which loses TLAST. Ask for fewer words, which lie in",
        "stream switches:",
    ];
    let fifos = list.open_fifos.iter().map(|fifo| format!("- {} words of {}", fifo.words, fifo.connection));
    head.map(str::to_owned).into_iter().chain(fifos).collect()
}

/// A name of C. Names of graphs may have template arguments.
fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

fn tile(list: &WiringList, switch: &ListedSwitch) -> Tile {
    let kind = match switch.tile {
        SwitchKind::Shim => "shim",
        SwitchKind::Memory => "memory",
        SwitchKind::Core => "core",
    };
    let mut lines = Vec::new();
    switch.interface.iter().for_each(|port| interface(list, port, &mut lines));
    circuits(list, &switch.circuits, &mut lines);
    slots(list, &switch.slots, &mut lines);
    masters(list, switch, &mut lines);
    Tile { column: switch.column, row: switch.row, kind, lines }
}

/// A statement that calls `function` for the tile and returns its error.
fn call(function: &str, arguments: &[&str]) -> String {
    format!("TRY({function}(device, tile, {}));", arguments.join(", "))
}

fn names(list: &WiringList, nets: &[NetId]) -> impl Iterator<Item = String> {
    nets.iter().filter_map(|&net| list.nets.get(net.index())).map(|net| match net.id {
        Some(id) => format!("// packets {id}: {}", net.name),
        None => format!("// {}", net.name),
    })
}

fn interface(list: &WiringList, listed: &ListedInterface, lines: &mut Vec<String>) {
    use InterfaceDirection::{In, Out};
    lines.extend(names(list, &listed.nets));
    let port = listed.port.channel.to_string();
    match listed.end {
        InterfaceEnd::Dma { channel } => {
            let (function, what) = match listed.direction {
                In => ("XAie_EnableShimDmaToAieStrmPort", "MM2S"),
                Out => ("XAie_EnableAieToShimDmaStrmPort", "S2MM"),
            };
            lines.push(format!("{} // shim DMA, {what} {channel}", call(function, &[&port])));
        }
        InterfaceEnd::Pl { width, mux } => {
            let (select, enable) = match listed.direction {
                In => ("XAie_EnablePlToAieStrmPort", "XAie_PlToAieIntfEnable"),
                Out => ("XAie_EnableAieToPlStrmPort", "XAie_AieToPlIntfEnable"),
            };
            lines.extend(mux.then(|| call(select, &[&port])));
            lines.push(call(enable, &[&port, &format!("PLIF_WIDTH_{width}")]));
        }
    }
}

/// Circuits, those of one net behind one comment.
fn circuits(list: &WiringList, circuits: &[ListedCircuit], lines: &mut Vec<String>) {
    let mut sorted: Vec<&ListedCircuit> = circuits.iter().collect();
    sorted.sort_by_key(|circuit| circuit.net);
    let mut last = None;
    for circuit in sorted {
        if last != Some(circuit.net) {
            lines.extend(names(list, &[circuit.net]));
            last = Some(circuit.net);
        }
        let ends = [circuit.slave, circuit.master].map(port);
        lines.push(call("XAie_StrmConnCctEnable", &[&ends[0], &ends[1]]));
    }
}

/// Slave ports that take packets, each with its slots.
fn slots(list: &WiringList, slots: &[ListedSlot], lines: &mut Vec<String>) {
    let mut last = None;
    for slot in slots {
        let slave = port(slot.slave);
        if last != Some(slot.slave) {
            lines.push(call("XAie_StrmPktSwSlavePortEnable", &[&slave]));
            last = Some(slot.slave);
        }
        lines.extend(names(list, &slot.nets));
        // The type of a packet takes no part in the comparison.
        let packet = format!("XAie_PacketInit({}, 0)", slot.id);
        let numbers = [slot.slot, slot.mask, slot.msel, slot.arbiter].map(|number| number.to_string());
        let [number, mask, msel, arbiter] = &numbers;
        let arguments = [&slave, number, &packet, mask, msel, arbiter].map(String::as_str);
        lines.push(call("XAie_StrmPktSwSlaveSlotEnable", &arguments));
    }
}

/// Master ports that send packets.
fn masters(list: &WiringList, switch: &ListedSwitch, lines: &mut Vec<String>) {
    for listed in &switch.masters {
        let ids: BTreeSet<u32> =
            listed.nets.iter().filter_map(|&net| list.nets.get(net.index())?.id).collect();
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        lines.push(format!("// packets {}", ids.join(", ")));
        let header = match listed.drop_header {
            true => "XAIE_SS_PKT_DROP_HEADER",
            false => "XAIE_SS_PKT_DONOT_DROP_HEADER",
        };
        let [arbiter, msels] = [listed.arbiter, listed.msels].map(|number| number.to_string());
        let arguments = [&port(listed.master), header, &arbiter, &msels];
        lines.push(call("XAie_StrmPktSwMstrPortEnable", &arguments));
    }
}

/// The two arguments for a port.
fn port(port: Port) -> String {
    let bundle = match port.bundle {
        Bundle::Core => "CORE",
        Bundle::Dma => "DMA",
        Bundle::Ctrl => "CTRL",
        Bundle::Fifo => "FIFO",
        Bundle::South => "SOUTH",
        Bundle::West => "WEST",
        Bundle::North => "NORTH",
        Bundle::East => "EAST",
        Bundle::Trace => "TRACE",
    };
    format!("{bundle}, {}", port.channel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::routes_file;
    use crate::stamp::Origin;

    fn list(column: u16) -> WiringList {
        let switch = ListedSwitch {
            column,
            row: 0,
            tile: SwitchKind::Shim,
            interface: Vec::new(),
            circuits: Vec::new(),
            slots: Vec::new(),
            masters: Vec::new(),
        };
        WiringList {
            design: "d<int, 2>".to_owned(),
            device: "wide".to_owned(),
            nets: Vec::new(),
            switches: vec![switch],
            open_fifos: Vec::new(),
        }
    }

    #[test]
    fn a_function_has_a_name_of_c() {
        let text = routes_file(&list(255), &Origin::default()).into_parts().0.expect("a file");
        assert!(
            text.contains("AieRC d_int__2__routes(XAie_DevInst *device)\n{\n    TRY(tile_255_0(device));")
        );
        assert_eq!(identifier("2d"), "_2d");
    }

    // aie-rt `XAie_TileLoc`: columns and rows are of 8 bits.
    #[test]
    fn a_column_that_the_driver_cannot_name_is_refused() {
        let refused = routes_file(&list(256), &Origin::default());
        let said: Vec<&str> = refused.diagnostics().iter().map(|one| one.message.as_str()).collect();
        assert!(refused.value().is_none() && said[0].contains("the switch (256, 0) of wide"), "{said:?}");
    }
}
