//! A component by itself: one instance with its default constants, whose ports lead outside.
//!
//! Windows, streams and packets lead to PLIO, and parameters to the host. A cascade leads from core
//! to core alone (AM009), so its outer end is a kernel, which every design around it has, too. An
//! output to which an input leads without a kernel inside has such a kernel as well. An instance
//! whose tile the designs around it choose lies in the middle of the array.

use aiec_diag::{Span, Spanned};
use aiec_ir::design::{Body, Endpoint, ExternalFamily, Family, FarEnd, HostValues, Node, Selection};
use aiec_ir::design::{Subgraph, UserPort};
use aiec_ir::{Buffering, Carries, Direction, ExternalFamilyId, FamilyId, SubgraphId};

use crate::Alone;
use crate::components::Interior;
use crate::errors;
use crate::lower::{Context, Sorted};
use crate::modules::{Known, OWN};
use crate::wires::{NO_TEXT, Pick, Wire};

/// Widths of the PLIO ports that stand for what lies outside, in bits.
const BITS_OF_WINDOWS: u32 = 64;
const BITS_OF_STREAMS: u32 = 32;

impl<'a> Context<'a> {
    /// Lowers the component `name` of the design's own file. `first` is the start of the file.
    pub fn alone(&mut self, items: &Sorted<'a>, Alone { component: name, extent }: &Alone, first: Span) {
        let Some(&Known { file, component }) =
            self.components.get(OWN).and_then(|known| known.get(name.as_str()))
        else {
            return self.report(errors::only_components(first));
        };
        self.name = Some(component.name.clone());
        self.lone_device(items, first);
        let span = component.name.span;
        let id = self.subgraphs.push(Subgraph {
            name: name.clone(),
            component: name.clone(),
            constants: Vec::new(),
            ports: Vec::new(),
            parent: None,
            families: Vec::new(),
            collectives: Vec::new(),
            span,
            placed: None,
        });
        self.interiors.push(None);
        let level = self.level(id, file, component, &[]);
        let outer = std::mem::replace(&mut self.at, level);
        self.chain.push(component);
        let ports = self.inside(id, component);
        self.chain.pop();
        let level = std::mem::replace(&mut self.at, outer);
        let Some(ports) = ports else { return };
        for (at, port) in (0..).zip(&ports) {
            let outside = match self.passes(id, at) {
                true => self.kernel_outside(port, span),
                false => self.outside(port, span),
            };
            let inside = Pick::Boundary(id, vec![at]);
            let (from, to) = match port.direction {
                Direction::In => (vec![outside], vec![inside]),
                Direction::Out => (vec![inside], vec![outside]),
            };
            let span = port.span;
            self.wires.push(Wire {
                from,
                to,
                buffering: Buffering::Pingpong,
                buffer: None,
                fifo: None,
                switch: None,
                first: 0,
                first_span: None,
                level: None,
                depth: NO_TEXT,
                span,
            });
        }
        self.interiors[id] = Some(Interior { scope: level.scope, ports });
        let array = self.device.as_ref().and_then(|device| extent(&device.value));
        self.place_freely(array);
    }

    /// The device of the file, or that of the command line.
    fn lone_device(&mut self, items: &Sorted<'a>, first: Span) {
        if items.devices.is_empty() {
            match self.given_device {
                Some(device) => self.device = Some(Spanned::new(device.to_owned(), first)),
                None => {
                    let example = "a line such as `device xcvc1902`, or the option `--device xcvc1902`";
                    let fault = errors::missing_item(first, "the file", "device", example);
                    self.report(
                        fault.fix("add `device xcvc1902`", [(first.before(), "device xcvc1902\n\n")]),
                    );
                }
            }
        }
    }

    /// True if an input of the component leads straight to its port `at`. Nothing inside says what
    /// passes, so a kernel outside does.
    fn passes(&self, id: SubgraphId, at: u32) -> bool {
        let is_own = |pick: &Pick| matches!(pick, Pick::Boundary(of, _) if *of == id);
        let ends_at =
            |pick: &Pick| matches!(pick, Pick::Boundary(of, ports) if *of == id && ports.contains(&at));
        self.wires.iter().any(|wire| wire.to.iter().any(ends_at) && wire.from.iter().any(is_own))
    }

    /// An input, output or kernel for a port.
    fn outside(&mut self, port: &UserPort, span: Span) -> Pick {
        if matches!(port.carries, Carries::Cascade(_)) {
            return self.kernel_outside(port, span);
        }
        let name = port.identifier();
        let bits = match port.carries {
            Carries::Window { .. } => BITS_OF_WINDOWS,
            _ => BITS_OF_STREAMS,
        };
        let end = match port.carries {
            Carries::Parameter(_) => FarEnd::Host(HostValues::default()),
            _ => FarEnd::Array(Endpoint::Plio {
                bits: Spanned::new(bits, port.span),
                file: format!("data/{name}.txt"),
                frequency: None,
            }),
        };
        let direction = opposite(port.direction);
        let id = ExternalFamilyId(u32::try_from(self.externals.len()).unwrap_or(u32::MAX));
        self.count_instances(1, span);
        self.externals.push(ExternalFamily {
            name,
            dims: Vec::new(),
            direction,
            end,
            golden: None,
            logical: Vec::new(),
            alone: None,
            span: port.span,
        });
        only_port(Node::External(id), port.span)
    }

    /// A kernel without a source for the port of a cascade.
    fn kernel_outside(&mut self, port: &UserPort, span: Span) -> Pick {
        let name = format!("outside_{}", port.identifier());
        let id = FamilyId(u32::try_from(self.families.len()).unwrap_or(u32::MAX));
        self.count_instances(1, span);
        self.kernels.push(None);
        self.families.push(Family {
            name: name.clone(),
            dims: Vec::new(),
            ports: vec![UserPort { direction: opposite(port.direction), ..port.clone() }],
            bodies: vec![Body::of(name, Spanned::new(String::new(), port.span))],
            span: port.span,
        });
        only_port(Node::Family(id), port.span)
    }
}

const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::In => Direction::Out,
        Direction::Out => Direction::In,
    }
}

/// The one port of the one instance of `node`.
fn only_port(node: Node, span: Span) -> Pick {
    Pick::Ports(Selection {
        node,
        ports: vec![0],
        instances: vec![0],
        asynchronous: false,
        windows: None,
        fifo: None,
        span,
    })
}
