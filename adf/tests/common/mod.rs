//! Descriptions of graphs, made in code: what `aiec_host_run` reads from a graph's constructors.

#![allow(dead_code, reason = "each test file uses its part")]

use aiec_adf::description::*;
use aiec_adf::{Adopted, Extent, Settings};
use aiec_collectives::{Direction, ElementType};
use aiec_diag::{SourceId, Span};
use aiec_ir::{Board, Design, Expanded, Release};
use aiec_test_support::Plain;

/// A graph under construction, with one global object `g` of class `Top`.
pub struct Graph {
    pub description: Description,
    line: u32,
}

pub const INT32: Option<ElementType> = Some(ElementType::Int32);

/// A window or buffer of `bytes`.
pub fn block(bytes: u64) -> PortType {
    PortType::Block { element: INT32, bytes: Some(bytes), margin: 0, is_buffer: true }
}

/// A window whose size the graph states.
pub fn window() -> PortType {
    PortType::Block { element: INT32, bytes: None, margin: 0, is_buffer: false }
}

pub fn stream() -> PortType {
    PortType::Stream { element: INT32 }
}

pub fn parameter() -> PortType {
    PortType::Parameter { element: INT32, elements: None, initial: None }
}

impl Graph {
    pub fn new() -> Self {
        let mut graph = Self { description: Description::default(), line: 0 };
        graph.graph("g", "Top", None);
        graph
    }

    /// The next line of the source. Each statement has its own.
    pub fn site(&mut self) -> Option<Site> {
        self.line += 10;
        let span = Span::new(SourceId(0), self.line, self.line + 5);
        Some(Site { span, calls: Vec::new() })
    }

    pub fn graph(&mut self, path: &str, class: &str, parent: Option<u32>) -> u32 {
        let site = self.site();
        let parent = parent.map(GraphIndex);
        self.description.graphs.push(aiec_adf::description::Graph {
            path: Some(path.to_owned()),
            class: class.to_owned(),
            parent,
            site,
        });
        self.description.graphs.len() as u32 - 1
    }

    fn port(&mut self, owner: Owner, direction: Direction, index: u32, carries: PortType) -> PortIndex {
        let is_inout = direction == Direction::Out && matches!(carries, PortType::Parameter { .. });
        self.description.ports.push(Port {
            owner,
            direction,
            is_inout,
            index,
            path: None,
            carries,
            is_async: false,
            is_sync: false,
            is_single: false,
            is_control: false,
            is_patterned: false,
            async_repetitions: None,
            sites: Vec::new(),
        });
        PortIndex(self.description.ports.len() as u32 - 1)
    }

    /// A kernel with inputs and outputs. Its function is called like its last name.
    pub fn kernel(&mut self, path: &str, function: &str, inputs: &[PortType], outputs: &[PortType]) -> K {
        let index = self.description.kernels.len() as u32;
        let owner = Owner::Kernel(KernelIndex(index));
        let inside = |graph: &mut Self, direction, carries: &[PortType]| -> Vec<PortIndex> {
            (0..).zip(carries).map(|(at, one)| graph.port(owner, direction, at, one.clone())).collect()
        };
        let ins = inside(self, Direction::In, inputs);
        let outs = inside(self, Direction::Out, outputs);
        let site = self.site();
        // The graph whose path begins that of the kernel, the innermost last.
        let graphs = (0..).zip(&self.description.graphs);
        let holds = |graph: &aiec_adf::description::Graph| {
            graph.path.as_ref().is_some_and(|outer| path.starts_with(&format!("{outer}.")))
        };
        let graph = graphs.filter(|(_, graph)| holds(graph)).map(|(at, _)| GraphIndex(at)).last();
        self.description.kernels.push(Kernel {
            path: (!path.is_empty()).then(|| path.to_owned()),
            graph,
            function: function.to_owned(),
            template: Vec::new(),
            is_class: false,
            arguments: None,
            source: format!("kernels/{function}.cc"),
            headers: Vec::new(),
            init: None,
            runtime: Some(0.5),
            stack: None,
            heap: None,
            repetitions: None,
            ports: ins.iter().chain(&outs).copied().collect(),
            site,
            sites: KernelSites::default(),
        });
        K { index, ins, outs }
    }

    /// A PLIO of 32 bits.
    pub fn plio(&mut self, path: &str, direction: Direction, file: &str) -> PortIndex {
        let index = ExternalIndex(self.description.externals.len() as u32);
        let port = self.port(Owner::External(index), direction, 0, PortType::Open);
        let site = self.site();
        let kind = ExternalKind::Plio { bits: 32, file: file.to_owned(), megahertz: None };
        let path = Some(path.to_owned());
        self.description.externals.push(External {
            path,
            logical: String::new(),
            kind,
            direction,
            port,
            is_of_logic: false,
            site,
        });
        port
    }

    /// A port of a graph.
    pub fn gate(&mut self, path: &str, direction: Direction) -> PortIndex {
        let port = self.port(Owner::Graph, direction, 0, PortType::Open);
        self.at(port).path = Some(path.to_owned());
        port
    }

    pub fn at(&mut self, port: PortIndex) -> &mut Port {
        &mut self.description.ports[port.0 as usize]
    }

    pub fn of(&mut self, kernel: &K) -> &mut Kernel {
        &mut self.description.kernels[kernel.index as usize]
    }

    pub fn switch(&mut self, kind: SwitchKind, branches: u32) -> (PortIndex, Vec<PortIndex>) {
        let owner = Owner::Switch(SwitchIndex(self.description.switches.len() as u32));
        let (near, far) = match kind {
            SwitchKind::Split => (Direction::In, Direction::Out),
            SwitchKind::Merge | SwitchKind::OrderedMerge => (Direction::Out, Direction::In),
        };
        let trunk = self.port(owner, near, 0, PortType::Open);
        let branches: Vec<PortIndex> =
            (0..branches).map(|at| self.port(owner, far, at, PortType::Open)).collect();
        let site = self.site();
        self.description.switches.push(Switch { kind, trunk, branches: branches.clone(), site });
        (trunk, branches)
    }

    pub fn connect(&mut self, from: PortIndex, to: PortIndex) -> &mut Connection {
        let site = self.site();
        let (left, right) = (EndType::Open, EndType::Open);
        self.description.connections.push(Connection {
            from,
            to,
            left,
            right,
            fifo: None,
            site,
            fifo_site: None,
        });
        self.description.connections.last_mut().expect("pushed above")
    }

    pub fn locate(&mut self, subject: Subject, places: &[Place]) {
        let site = self.site();
        self.description.locations.push(Location { subject, places: places.to_vec(), site });
    }

    /// The design, which must have no faults.
    pub fn adopted(&self) -> Adopted {
        let (adopted, diagnostics) = aiec_adf::design(&self.description, &settings()).into_parts();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        adopted.expect("no faults")
    }

    pub fn expanded(&self) -> Expanded {
        expanded(&self.adopted().design)
    }

    /// The fault of the conversion.
    pub fn fault(&self) -> String {
        let outcome = aiec_adf::design(&self.description, &settings());
        outcome.diagnostics().iter().map(|fault| format!("{}: {}", fault.code.slug, fault.message)).collect()
    }

    /// The connections by the names of their ports.
    pub fn wires(&self) -> Vec<String> {
        let design = self.expanded();
        let name = |port| design.port_name(port);
        design.connections.iter().map(|wire| format!("{} -> {}", name(wire.from), name(wire.to))).collect()
    }
}

/// The instances of a design without faults.
pub fn expanded(design: &Design) -> Expanded {
    let (expanded, diagnostics) = aiec_lower::expand(design, &Plain).into_parts();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    expanded.expect("no faults")
}

/// A kernel and its ports.
pub struct K {
    pub index: u32,
    pub ins: Vec<PortIndex>,
    pub outs: Vec<PortIndex>,
}

impl K {
    pub const fn index(&self) -> KernelIndex {
        KernelIndex(self.index)
    }
}

/// `in -> g.k -> out` with blocks of 64 bytes.
pub fn pass() -> (Graph, K) {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "pass", &[block(64)], &[block(64)]);
    let (input, output) =
        (graph.plio("g.in", Direction::Out, "in.txt"), graph.plio("g.out", Direction::In, "out.txt"));
    graph.connect(input, kernel.ins[0]);
    graph.connect(kernel.outs[0], output);
    (graph, kernel)
}

pub fn settings() -> Settings<'static> {
    Settings {
        file: Span::new(SourceId(0), 0, 1),
        device: "xcvc1902",
        array: Extent { columns: 50, rows: 8 },
        release: Release::standard(),
        stated: None,
        board: Board::default(),
        stack: None,
        heap: None,
        usual: (1024, 512),
        header: &|_| None,
        of_functions: false,
        as_text: true,
    }
}
