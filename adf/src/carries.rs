//! What the ports of kernels carry: their C++ types, completed by the `connect` statements and by
//! the ports at the other ends.

use aiec_collectives::{ElementType, WindowType};
use aiec_ir::{Accumulator, Carries, CascadeType, Direction, Flow, ParameterType};

use crate::assumed::Notes;
use crate::description::{Description, EndType, Owner, Port, PortIndex, PortType};
use crate::wires::Wire;

/// Bytes of a window whose size nothing states: the least that a design may have (UG1079).
const LEAST_WINDOW: u64 = 32;

/// The wires of each port.
pub(crate) struct Touching<'a> {
    description: &'a Description,
    wires: &'a [Wire],
    of: Vec<Vec<usize>>,
}

/// What the statements between a port and its other end say.
struct Said {
    /// Bytes and margin.
    block: Option<(u64, u64)>,
    is_packets: bool,
    word: EndType,
}

impl<'a> Touching<'a> {
    pub(crate) fn of(description: &'a Description, wires: &'a [Wire]) -> Self {
        let mut of = vec![Vec::new(); description.ports.len()];
        for (at, wire) in wires.iter().enumerate() {
            for port in [wire.from, wire.to] {
                if let Some(list) = of.get_mut(port.0 as usize) {
                    list.push(at);
                }
            }
        }
        Self { description, wires, of }
    }

    pub(crate) fn port(&self, port: PortIndex) -> &'a Port {
        &self.description.ports[port.0 as usize]
    }

    fn wires_at(&self, port: PortIndex) -> impl Iterator<Item = &'a Wire> + '_ {
        self.of.get(port.0 as usize).into_iter().flatten().map(|&at| &self.wires[at])
    }

    /// The ports at the other ends.
    fn others(&self, port: PortIndex) -> impl Iterator<Item = PortIndex> + '_ {
        self.wires_at(port).map(move |wire| if wire.from == port { wire.to } else { wire.from })
    }

    /// What the statements say about `port`: the nearest first, and of each the near end first.
    fn said(&self, port: PortIndex) -> Said {
        let mut said = Said { block: None, is_packets: false, word: EndType::Open };
        for wire in self.wires_at(port) {
            let is_producer = wire.from == port;
            let mut path = wire.path.clone();
            if !is_producer {
                path.reverse();
            }
            let nearest = path.first().copied();
            for at in path {
                let connection = &self.description.connections[at.0 as usize];
                let ends = [connection.left, connection.right];
                let [near, far] = if is_producer { ends } else { [ends[1], ends[0]] };
                if let (EndType::Window { bytes, margin }, None) = (near, said.block) {
                    said.block = Some((bytes, margin));
                }
                said.is_packets |= near == EndType::Packets && Some(at) == nearest;
                let word = if near == EndType::Open { far } else { near };
                if said.word == EndType::Open {
                    said.word = word;
                }
            }
        }
        said
    }

    /// True if the port is at a split or merge.
    fn is_switched(&self, port: PortIndex) -> bool {
        self.others(port).any(|other| matches!(self.port(other).owner, Owner::Switch(_)))
    }

    /// What the port of a kernel carries. Notes what had to be assumed.
    pub(crate) fn carries(&self, index: PortIndex, name: &str, notes: &mut Notes) -> Carries {
        let port = self.port(index);
        let said = self.said(index);
        let element_or = |element: Option<ElementType>, otherwise: ElementType, notes: &mut Notes| {
            if element.is_none() {
                notes.assume(&format!("elements of type {otherwise}"), name);
            }
            element.unwrap_or(otherwise)
        };
        let carries = match &port.carries {
            PortType::Open => match said.word {
                EndType::Window { .. } | EndType::Open => {
                    PortType::Block { element: None, bytes: None, margin: 0, is_buffer: false }
                }
                EndType::Stream => PortType::Stream { element: None },
                EndType::Packets => PortType::Packets { element: None },
                EndType::Cascade => PortType::Cascade { lanes: None },
                EndType::Parameter => PortType::Parameter { element: None, elements: None, initial: None },
            },
            known => known.clone(),
        };
        match carries {
            PortType::Stream { element } => {
                let flow = Flow { element: element_or(element, ElementType::Int32, notes), per_run: None };
                let packets = said.is_packets || self.is_switched(index);
                if packets { Carries::Packets(flow) } else { Carries::Stream(flow) }
            }
            PortType::Packets { element } => Carries::Packets(Flow {
                element: element_or(element, ElementType::Int32, notes),
                per_run: None,
            }),
            PortType::Cascade { lanes } => Carries::Cascade(self.lanes(index, lanes.as_deref())),
            PortType::Parameter { element, elements, .. } => {
                let element = element_or(element, ElementType::Int32, notes);
                Carries::Parameter(ParameterType { element, elements: elements.map(|count| count.max(1)) })
            }
            PortType::Open | PortType::Block { .. } => self.window(index, &carries, &said, name, notes),
        }
    }

    fn window(
        &self,
        index: PortIndex,
        block: &PortType,
        said: &Said,
        name: &str,
        notes: &mut Notes,
    ) -> Carries {
        let (element, bytes, margin) = match block {
            PortType::Block { element, bytes, margin, .. } => (*element, *bytes, *margin),
            _ => (None, None, 0),
        };
        let of_other = |&other: &PortIndex| match self.port(other).carries {
            PortType::Block { bytes, .. } => bytes.or(self.said(other).block.map(|(bytes, _)| bytes)),
            _ => None,
        };
        let known = bytes.or(said.block.map(|(bytes, _)| bytes));
        let known = known.or_else(|| self.others(index).collect::<Vec<_>>().iter().find_map(of_other));
        let bytes = known.filter(|&bytes| bytes > 0).unwrap_or_else(|| {
            // A window that nobody reads is no wait by itself.
            let waits = self.port(index).direction == Direction::In && self.others(index).next().is_none();
            let open = match waits {
                false => "",
                true => " and no connection, at which a kernel that runs may wait for ever,",
            };
            notes.assume(&format!("a size of {LEAST_WINDOW} bytes{open}"), name);
            LEAST_WINDOW
        });
        let margin = if margin > 0 { margin } else { said.block.map_or(0, |(_, margin)| margin) };
        let fits = |element: &ElementType| {
            let one = u64::from(element.bytes());
            bytes.is_multiple_of(one) && margin.is_multiple_of(one)
        };
        let element = element.filter(fits).unwrap_or_else(|| {
            let words = [ElementType::Int32, ElementType::Int16, ElementType::Int8];
            let found = words.into_iter().find(fits).unwrap_or(ElementType::Int8);
            notes.assume(&format!("elements of type {found}"), name);
            found
        });
        let count = |bytes: u64| u32::try_from(bytes / u64::from(element.bytes())).unwrap_or(u32::MAX);
        let is_input = self.port(index).direction == Direction::In;
        let window = WindowType { element, elements: count(bytes).max(1) };
        Carries::Window { window, margin: if is_input { count(margin) } else { 0 } }
    }

    /// The lanes of a cascade: those of its type, or those at the other end. All have the same
    /// width on the array, so the type of an unknown one is that of the widest use (AM009,
    /// cascade).
    fn lanes(&self, index: PortIndex, lanes: Option<&str>) -> CascadeType {
        let of_other = |other: PortIndex| match &self.port(other).carries {
            PortType::Cascade { lanes } => lanes.as_deref().and_then(CascadeType::from_name),
            _ => None,
        };
        let own = lanes.and_then(CascadeType::from_name);
        let found = own.or_else(|| self.others(index).find_map(of_other));
        found.unwrap_or(CascadeType::Accumulator(Accumulator::Acc48))
    }
}
