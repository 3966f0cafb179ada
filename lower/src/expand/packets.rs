//! Splits and merges of packets, and what the inputs and outputs at them carry.

use std::collections::BTreeMap;

use aiec_ir::design::{Link, Selection};
use aiec_ir::expanded::{Owner, PacketSwitch, SwitchKind};
use aiec_ir::{Carries, ConnectionId, Flow, PortId, SwitchId};

use super::{Expansion, Selected, way};

impl Expansion<'_> {
    /// The split or merge of a link, if it has one and its trunk is a port.
    pub(super) fn packet_switch(
        &mut self,
        link: &Link,
        producers: &[(Selected, &Selection)],
        consumers: &[(Selected, &Selection)],
    ) -> Option<SwitchId> {
        let kind = link.switch?;
        let trunk = if kind == SwitchKind::Split { producers.first()? } else { consumers.first()? };
        let (Selected::Port(trunk), _) = *trunk else { return None };
        let way = way(link, producers.len().max(consumers.len()));
        let (branches, first, first_span) = (Vec::new(), link.first, link.first_span);
        let switch = PacketSwitch { kind, trunk, branches, first, first_span, way, span: link.span };
        let id = self.switches.push(switch);
        self.ports[trunk].switch.get_or_insert(id);
        Some(id)
    }

    /// Inputs and outputs at a split or merge carry packets.
    pub(super) fn lend_packets(&mut self, switch: SwitchId) {
        let PacketSwitch { kind, trunk, branches, .. } = &self.switches[switch];
        let far = |id: &ConnectionId| match kind {
            SwitchKind::Split => self.connections[*id].to,
            SwitchKind::Merge | SwitchKind::OrderedMerge => self.connections[*id].from,
        };
        let (trunk, far): (PortId, Vec<PortId>) = (*trunk, branches.iter().map(far).collect());
        let is_outside = |port: &PortId| matches!(self.ports[*port].owner, Owner::External(_));
        let element_at = |ports: &[PortId]| {
            ports.iter().find_map(|&port| self.ports[port].carries.and_then(Carries::element))
        };
        let lent: Vec<(PortId, Carries)> = match is_outside(&trunk) {
            true => {
                let per_run = self.packets_at(trunk);
                let flow = element_at(&far).map(|element| Flow { element, per_run });
                flow.map(|flow| (trunk, Carries::Packets(flow))).into_iter().collect()
            }
            false => {
                let flow = element_at(&[trunk]).map(|element| Flow { element, per_run: None });
                let outside = far.iter().copied().filter(is_outside);
                outside.filter_map(|port| Some((port, Carries::Packets(flow?)))).collect()
            }
        };
        for (port, carries) in lent {
            self.ports[port].carries = Some(carries);
        }
    }

    /// The elements of one packet for each branch of the splits and merges at a trunk so far: a
    /// header word and the data. Of branches that share an id, the largest counts. Returns None
    /// when a branch does not state its elements.
    fn packets_at(&self, trunk: PortId) -> Option<u32> {
        let here = self.switches.iter().filter(|switch| switch.trunk == trunk);
        let mut packets: BTreeMap<u32, u32> = BTreeMap::new();
        for (id, branch) in here.flat_map(PacketSwitch::numbered) {
            let port = self.connections[branch].other(trunk);
            let largest = packets.entry(id).or_default();
            *largest = (*largest).max(self.packet(port)?);
        }
        packets.values().try_fold(0u32, |sum, &packet| sum.checked_add(packet))
    }

    /// The elements of a packet at the port of a branch.
    fn packet(&self, port: PortId) -> Option<u32> {
        let carries = self.ports[port].carries?;
        let header = match carries {
            Carries::Window { window, .. } => 4 / window.element.bytes().min(4),
            _ => 0,
        };
        carries.per_run()?.elements.checked_add(header)
    }
}
