//! The switch settings of a routed design as plain data with names: the content of `aiec route
//! --emit=wiring`, and of the calls of AMD's driver that `aiec_codegen` makes of it.
//!
//! Takes verified routes, so every setting has a net. The same design gives the same bytes. The
//! format is described in `docs/routing.md`, "Routes apart from code".

use std::collections::BTreeMap;

use aiec_ir::PortId;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::Owner;
use serde::Serialize;

use super::Settings;
use super::passed::{Passed, number};
use crate::fabric::{SwitchKind, kind_of};
use crate::implementation::Implementation;
use crate::net::{EndPort, Net, NetEnd};
use crate::port::{Port, SwitchPort};
use crate::request::{NetId, numbered};
use crate::routes::Routes;
use crate::switch::Switch;

/// All switch settings of a routed design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WiringList {
    /// The name of the design or graph.
    pub design: String,
    /// The name of the device.
    pub device: String,
    /// The nets. A setting names them by their positions here, from 0.
    pub nets: Vec<ListedNet>,
    /// The switches that carry a net, by column and row.
    pub switches: Vec<ListedSwitch>,
    /// FIFOs in memory that no setting leads to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_fifos: Vec<OpenFifo>,
}

/// A FIFO of packets in memory, which has no place: memory loses TLAST (UG1079, "FIFO depth"). The
/// routes leave it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenFifo {
    /// The connection with the FIFO: its sending and its receiving port.
    pub connection: String,
    /// Words that the design asks for.
    pub words: u32,
}

/// A net: what the settings connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedNet {
    /// Its ports in the design.
    pub name: String,
    /// The number in the headers of its packets. None when it is a circuit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// The slave port where it enters the switches.
    pub source: ListedEnd,
    /// The master ports where it leaves them.
    pub sinks: Vec<ListedEnd>,
}

/// A port where a net enters or leaves the switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedEnd {
    /// Column of the switch, 0 in the west.
    pub column: u16,
    /// Hardware row of the switch, 0 for the shim.
    pub row: u16,
    /// A slave port at a source, a master port at a sink.
    pub port: Port,
    /// The ports of the design that are served there. Several connections may enter one FIFO.
    pub serves: Vec<String>,
}

/// The settings of one switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedSwitch {
    /// Column, 0 in the west.
    pub column: u16,
    /// Hardware row, 0 for the shim.
    pub row: u16,
    /// The kind of its tile.
    pub tile: SwitchKind,
    /// Ports between the shim switch and what lies below the array.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interface: Vec<ListedInterface>,
    /// Circuits, by master port.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub circuits: Vec<ListedCircuit>,
    /// Packet slots, by slave port and slot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<ListedSlot>,
    /// Master ports that send packets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masters: Vec<ListedMaster>,
}

/// A South port of a shim switch and its setting below the array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedInterface {
    /// `in`: a slave port, into the array. `out`: a master port, out of it.
    pub direction: InterfaceDirection,
    /// The South port of the shim switch.
    pub port: Port,
    /// What lies beyond the port.
    #[serde(flatten)]
    pub end: InterfaceEnd,
    /// The nets through the port.
    pub nets: Vec<NetId>,
}

/// The direction of a port of the interface row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InterfaceDirection {
    /// Into the array.
    In,
    /// Out of the array.
    Out,
}

/// What a South port of a shim switch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "end", rename_all = "lowercase")]
pub enum InterfaceEnd {
    /// Programmable logic.
    Pl {
        /// Bits of the interface: 32, 64 or 128 (UG1079).
        width: u32,
        /// True if the port has a mux (or demux), which then selects the logic. Only the ports that
        /// the NoC can take have one (aie-rt `xaie_plif.c`).
        mux: bool,
    },
    /// The shim DMA. The mux (or demux) of the port selects it.
    Dma {
        /// Its channel: MM2S into the array, S2MM out of it.
        channel: u32,
    },
}

/// A circuit through a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedCircuit {
    /// The port by which it leaves.
    pub master: Port,
    /// The port by which it enters.
    pub slave: Port,
    /// The net that it carries.
    pub net: NetId,
}

/// A packet slot of a slave port. Packets whose number agrees with `id` in the bits of `mask` go to
/// select `msel` of the arbiter (AM009, packet switching).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedSlot {
    /// The port by which packets enter.
    pub slave: Port,
    /// The number of the slot at this port, from 0.
    pub slot: u32,
    /// The number compared with.
    pub id: u32,
    /// The bits of the number that are compared with `id`.
    pub mask: u32,
    /// The arbiter of the switch.
    pub arbiter: u32,
    /// The select of the arbiter.
    pub msel: u32,
    /// The nets whose packets it takes.
    pub nets: Vec<NetId>,
}

/// A master port that sends packets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedMaster {
    /// The port by which packets leave.
    pub master: Port,
    /// The arbiter that it listens to.
    pub arbiter: u32,
    /// Bit `n` is set if it sends packets of select `n`.
    pub msels: u32,
    /// True if it drops the header of a packet.
    pub drop_header: bool,
    /// The nets that it sends.
    pub nets: Vec<NetId>,
}

/// The switch settings of a routed design, with the nets of each.
pub fn wiring_list(whole: &Implementation<'_>) -> WiringList {
    let routes = whole.routed.routes();
    let passed = Passed::of(routes);
    let mut interface = interface(whole);
    let switches = routes.wiring.switches.iter().map(|(&switch, settings)| ListedSwitch {
        column: switch.column,
        row: switch.row,
        tile: kind_of(whole.device, switch.row),
        interface: interface.remove(&switch).unwrap_or_default().into_values().collect(),
        circuits: circuits(settings, switch, &passed),
        slots: slots(settings, switch, &passed, routes),
        masters: masters(settings, switch, &passed),
    });
    let nets = numbered(&routes.routes).map(|(id, route)| listed(whole, id, &route.net));
    WiringList {
        design: whole.checked.name.value.clone(),
        device: whole.checked.device.value.clone(),
        switches: switches.collect(),
        nets: nets.collect(),
        open_fifos: open_fifos(whole),
    }
}

fn open_fifos(whole: &Implementation<'_>) -> Vec<OpenFifo> {
    let sinks = whole.routed.routes().routes.iter().flat_map(|route| &route.net.sinks);
    let open = sinks.filter_map(|&(id, _)| {
        let connection = &whole.checked.connections[id];
        let is_open = whole.placed.fifo_places(whole.checked, id).is_empty();
        let words = connection.fifo.as_ref().filter(|_| is_open)?.value;
        let fifo = OpenFifo { connection: whole.checked.connection_name(id), words };
        connection.lies_in_memory(whole.device).then_some(fifo)
    });
    open.collect()
}

fn listed(whole: &Implementation<'_>, id: NetId, net: &Net) -> ListedNet {
    let name = |port: PortId| whole.checked.port_name(port);
    let mut sinks: Vec<ListedEnd> = Vec::new();
    for &(connection, end) in &net.sinks {
        let to = name(whole.checked.connections[connection].to);
        match sinks.iter_mut().find(|sink| sink.is(end)) {
            Some(sink) => sink.serves.push(to),
            None => sinks.push(ListedEnd::new(end, to)),
        }
    }
    ListedNet {
        name: net.name(whole.checked),
        id: number(whole.routed.routes(), id),
        source: ListedEnd::new(net.source, name(net.from)),
        sinks,
    }
}

impl ListedEnd {
    fn new(end: NetEnd, serves: String) -> Self {
        let Switch { column, row } = end.switch;
        Self { column, row, port: Port::from(end.port), serves: vec![serves] }
    }

    fn is(&self, end: NetEnd) -> bool {
        let switch = Switch { column: self.column, row: self.row };
        SwitchPort { switch, port: self.port } == SwitchPort::from(end)
    }
}

fn circuits(settings: &Settings, switch: Switch, passed: &Passed) -> Vec<ListedCircuit> {
    let circuits = settings.circuits.iter().filter_map(|(&master, &slave)| {
        // A wire has one circuit, as `verify` has checked.
        let net = *passed.master(SwitchPort { switch, port: master }).first()?;
        Some(ListedCircuit { master, slave, net })
    });
    circuits.collect()
}

fn slots(settings: &Settings, switch: Switch, passed: &Passed, routes: &Routes) -> Vec<ListedSlot> {
    let mut next: BTreeMap<Port, u32> = BTreeMap::new();
    let slots = settings.rules.iter().map(|rule| {
        let slot = next.entry(rule.slave).or_default();
        *slot += 1;
        let takes = |&net: &NetId| number(routes, net).is_some_and(|id| rule.takes(id));
        ListedSlot {
            slave: rule.slave,
            slot: *slot - 1,
            id: rule.id,
            mask: rule.mask,
            arbiter: rule.arbiter,
            msel: rule.select,
            nets: passed.slave(SwitchPort { switch, port: rule.slave }).into_iter().filter(takes).collect(),
        }
    });
    slots.collect()
}

fn masters(settings: &Settings, switch: Switch, passed: &Passed) -> Vec<ListedMaster> {
    let masters = settings.arbitrated.iter().map(|(&master, sends)| ListedMaster {
        master,
        arbiter: sends.arbiter,
        msels: sends.selects,
        drop_header: sends.drop_header,
        nets: passed.master(SwitchPort { switch, port: master }),
    });
    masters.collect()
}

/// Inputs before outputs, by port.
type Interface = BTreeMap<(InterfaceDirection, Port), ListedInterface>;

/// The ports of the shim switches where nets enter and leave the array.
fn interface(whole: &Implementation<'_>) -> BTreeMap<Switch, Interface> {
    use InterfaceDirection::{In, Out};
    let mut found: BTreeMap<Switch, Interface> = BTreeMap::new();
    for (net, route) in numbered(&whole.routed.routes().routes) {
        let Net { from, source, sinks, .. } = &route.net;
        let outs = sinks.iter().map(|&(id, end)| (Out, whole.checked.connections[id].to, end));
        for (direction, port, end) in [(In, *from, *source)].into_iter().chain(outs) {
            let Some(beyond) = beyond_the_shim(whole, direction, port, end) else { continue };
            let ports = found.entry(end.switch).or_default();
            let port = Port::from(end.port);
            let nets = Vec::new();
            let listed = ports.entry((direction, port));
            let listed = listed.or_insert(ListedInterface { direction, port, end: beyond, nets });
            if listed.nets.last() != Some(&net) {
                listed.nets.push(net);
            }
        }
    }
    found
}

/// What lies beyond the end of a net. Returns None when the end is inside the array.
fn beyond_the_shim(
    whole: &Implementation<'_>,
    direction: InterfaceDirection,
    port: PortId,
    end: NetEnd,
) -> Option<InterfaceEnd> {
    let (EndPort::South(south), Owner::External(external)) = (end.port, whole.checked.ports[port].owner)
    else {
        return None;
    };
    let shim = &whole.device.shim;
    let muxes = match direction {
        InterfaceDirection::In => &shim.noc_in_ports,
        InterfaceDirection::Out => &shim.noc_out_ports,
    };
    Some(match &whole.checked.externals[external].endpoint {
        Endpoint::Plio { bits, .. } => InterfaceEnd::Pl {
            width: bits.value,
            mux: shim.noc_columns.contains(&end.switch.column) && muxes.contains(&south),
        },
        Endpoint::Gmio { .. } => InterfaceEnd::Dma { channel: whole.placed.shims[external].channel },
    })
}
