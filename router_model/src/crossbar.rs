//! The pairs of slave and master ports that the crossbar of a switch connects.
//!
//! Full on AIE1 (AM009) except for trace units. The device file lists the pairs that are not
//! connected (`forbidden`); AIE-ML has more of them.

use aiec_device::{Device, Forbidden, SwitchPorts};

use crate::fabric::{Side, ports_of};
use crate::net::{EndPort, NetEnd};
use crate::port::{Bundle, Port};

/// True if the crossbar connects `slave` to `master`.
pub(crate) fn connects(ports: &SwitchPorts, slave: Port, master: Port) -> bool {
    !ports.forbidden.iter().any(|&rule| forbids(rule, slave, master))
}

fn forbids(rule: Forbidden, slave: Port, master: Port) -> bool {
    let other = slave.channel != master.channel;
    let between = |from: Bundle, to: Bundle| slave.bundle == from && master.bundle == to;
    let trace_to = |open: &[Bundle]| slave.bundle == Bundle::Trace && !open.contains(&master.bundle);
    match rule {
        Forbidden::CoreToCore => between(Bundle::Core, Bundle::Core),
        Forbidden::DmaToOtherDma => between(Bundle::Dma, Bundle::Dma) && other,
        Forbidden::TurnBackToOtherChannel => {
            slave.bundle == master.bundle && Side::ALL.map(Bundle::from).contains(&slave.bundle) && other
        }
        Forbidden::TurnBackToOtherChannelExceptSouth => {
            slave.bundle != Bundle::South && forbids(Forbidden::TurnBackToOtherChannel, slave, master)
        }
        Forbidden::StraightToOtherChannel => {
            (between(Bundle::South, Bundle::North) || between(Bundle::North, Bundle::South)) && other
        }
        Forbidden::CtrlToCtrl => between(Bundle::Ctrl, Bundle::Ctrl),
        Forbidden::CtrlToDma => between(Bundle::Ctrl, Bundle::Dma),
        Forbidden::CtrlToDmaExcept5 => between(Bundle::Ctrl, Bundle::Dma) && master.channel != 5,
        Forbidden::TraceExceptFifoSouthDma0 => {
            trace_to(&[Bundle::Fifo, Bundle::South]) && master != Port::new(Bundle::Dma, 0)
        }
        Forbidden::TraceExceptSouthDma5 => trace_to(&[Bundle::South]) && master != Port::new(Bundle::Dma, 5),
        Forbidden::TraceExceptFifoSouth => trace_to(&[Bundle::Fifo, Bundle::South]),
        Forbidden::TraceExceptSouth => trace_to(&[Bundle::South]),
    }
}

/// For each side, in the order of [`Side::ALL`]: true if the crossbar connects a source to it.
pub(crate) fn exits(device: &Device, source: NetEnd) -> [bool; 4] {
    let ports = ports_of(device, source.switch.row);
    Side::ALL.map(|side| {
        let masters = (0..side.of(&ports.masters)).map(|channel| Port::new(side.into(), channel));
        masters.into_iter().any(|master| connects(ports, source.port.into(), master))
    })
}

/// True if the crossbar connects a source to a sink port of its own switch.
pub(crate) fn joins(device: &Device, source: NetEnd, sink: EndPort) -> bool {
    connects(ports_of(device, source.switch.row), source.port.into(), sink.into())
}

/// True if a stream that enters by `from` must leave by `to` on the same channel.
pub(crate) fn keeps_channel(ports: &SwitchPorts, from: Side, to: Side) -> bool {
    // Two different channels show the rule. A side with one channel has no choice.
    !connects(ports, Port::new(from.into(), 0), Port::new(to.into(), 1))
}
