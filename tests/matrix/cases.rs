//! The entries of the matrix: their list, the design for some of them, and the kernels.

use std::fmt::{self, Write as _};

use aiec_collectives::{Operation, Shape};

use crate::illegal::refusal;

/// One collective over a separate family.
#[derive(Clone, Debug)]
pub struct Case {
    pub operation: Operation,
    pub shape: Shape,
    /// The partners of a sendrecv.
    pub map: Option<Map>,
    /// For a scan: without the rank's own data.
    pub exclusive: bool,
    pub ranks: u32,
    pub element: Element,
    pub blocks: Blocks,
    /// Number of operation and shape among those of this number of ranks.
    pub number: usize,
}

/// The partners in a sendrecv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// To the next rank, from the last to the first.
    Next,
    /// To a rank further away, wrapping around, by a shift that gives every rank a different
    /// sender.
    Far,
    /// Ranks 2i and 2i + 1 exchange; a last one without a partner is left out.
    Pairs,
    /// To the rank before. The first rank does not send, and the last one does not receive.
    Down,
}

/// The element types, with their sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Int32,
    Float,
    Int16,
}

/// The division of a block into windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    OneWindow,
    SeveralWindows,
    WithTail,
}

impl Element {
    const fn name(self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::Float => "float",
            Self::Int16 => "int16",
        }
    }

    const fn bytes(self) -> u32 {
        match self {
            Self::Int32 | Self::Float => 4,
            Self::Int16 => 2,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneWindow => "one",
            Self::SeveralWindows => "several",
            Self::WithTail => "tail",
        })
    }
}

impl Map {
    const ALL: [Self; 4] = [Self::Next, Self::Far, Self::Pairs, Self::Down];

    /// The property of the language.
    const fn property(self) -> &'static str {
        match self {
            Self::Next => "shift 1",
            Self::Far => "shift RANKS / 2",
            Self::Pairs => "to rank + 1 - rank % 2 * 2",
            Self::Down => "to rank - 1",
        }
    }

    /// C++ for the rank that rank `me` of `size` receives from. Any other number means no rank.
    const fn source(self) -> &'static str {
        match self {
            Self::Next => "(me + size - 1) % size",
            Self::Far => "(me + size - size / 2) % size",
            Self::Pairs => "me % 2 == 0 ? me + 1 : me - 1",
            Self::Down => "me + 1",
        }
    }
}

impl Blocks {
    /// Bytes of a block and of a window: windows of one vector of 256 bits or of 128 bits, the
    /// smallest one.
    const fn bytes(self) -> (u32, u32) {
        match self {
            Self::OneWindow => (32, 32),
            Self::SeveralWindows => (96, 32),
            Self::WithTail => (40, 16),
        }
    }
}

/// Operation and shape. Shapes have parameters where they matter: trees of two arities, hubs of two
/// numbers of heads.
pub fn shapes() -> Vec<(Operation, Shape)> {
    use Shape as S;
    let trees = [S::Tree(2), S::Tree(5), S::Binomial, S::Chain, S::Flat, S::Hub(2), S::Hub(7)];
    let of = |operation| match operation {
        Operation::Broadcast | Operation::Scatter => trees.to_vec(),
        Operation::Reduce => [&trees[..], &[S::Merge, S::Cascade]].concat(),
        Operation::Gather => [&trees[..], &[S::Merge]].concat(),
        Operation::Allreduce => [&trees[..], &[S::Merge, S::Ring, S::Butterfly]].concat(),
        Operation::Barrier => [&trees[..], &[S::Merge, S::Dissemination]].concat(),
        Operation::Clock => {
            let trees = trees.iter().filter(|&&shape| shape != S::Flat);
            trees.chain(&[S::Butterfly]).copied().collect()
        }
        Operation::Allgather => vec![S::Merge, S::Ring, S::Butterfly],
        Operation::ReduceScatter => vec![S::Ring, S::Butterfly],
        Operation::Alltoall => vec![S::Flat, S::Ring, S::Butterfly],
        Operation::Scan => vec![S::Chain, S::Butterfly],
        Operation::Sendrecv => vec![S::Direct],
        // `tests/channels.rs` has its cases.
        Operation::Channel | Operation::Mailbox | Operation::Active => Vec::new(),
    };
    Operation::ALL
        .into_iter()
        .flat_map(|operation| of(operation).into_iter().map(move |shape| (operation, shape)))
        .collect()
}

/// Packets are combined as they come, which floats do not stand.
pub fn is_exact(case: &Case) -> bool {
    !(case.operation.combines() && case.shape == Shape::Merge && case.element == Element::Float)
}

/// All legal cases over this number of ranks, with an element type and a kind of block.
pub fn cases(ranks: u32, element: Element, blocks: Blocks) -> Vec<Case> {
    let legal = shapes().into_iter().filter(|&(operation, shape)| refusal(operation, shape, ranks).is_none());
    let kinds = |operation| match operation {
        Operation::Sendrecv => Map::ALL.map(|map| (Some(map), false)).to_vec(),
        Operation::Scan => vec![(None, false), (None, true)],
        _ => vec![(None, false)],
    };
    let each = legal.flat_map(|(operation, shape)| {
        kinds(operation).into_iter().map(move |kind| (operation, shape, kind))
    });
    let case = |(number, (operation, shape, (map, exclusive)))| Case {
        operation,
        shape,
        map,
        exclusive,
        ranks,
        element,
        blocks,
        number,
    };
    each.enumerate().map(case).filter(is_exact).collect()
}

impl Case {
    /// A case for which type and blocks do not matter.
    pub fn plain(operation: Operation, shape: Shape, ranks: u32) -> Self {
        let map = (operation == Operation::Sendrecv).then_some(Map::Next);
        let (element, blocks) = (Element::Int32, Blocks::OneWindow);
        Self { operation, shape, map, exclusive: false, ranks, element, blocks, number: 0 }
    }

    /// False if it only signals.
    pub fn moves_data(&self) -> bool {
        self.operation.row().has_data()
    }

    /// The root: not always the first; of a cascade the last, since it can be no other.
    fn root(&self) -> u32 {
        if self.shape == Shape::Cascade { self.ranks - 1 } else { (self.number as u32) % self.ranks }
    }

    fn operator(&self) -> &'static str {
        if self.number.is_multiple_of(3) { "max" } else { "sum" }
    }

    fn elements(&self, bytes: u32) -> u32 {
        bytes / self.element.bytes()
    }

    /// Kernel family `k<at>` and the collective `c<at>` over it.
    pub fn declaration(&self, at: usize) -> String {
        let Self { operation, shape, ranks, element, .. } = self;
        let (block, window) = self.blocks.bytes();
        let mut text = format!("kernel k{at}[{ranks}] {{ source \"k{at}.cc\" stack 16 KiB }}\n");
        let _ = write!(text, "{operation} c{at} over k{at} {{ calls 2");
        if self.moves_data() {
            let (data, window) = (self.elements(block), self.elements(window));
            let _ = write!(text, " data {}[{data}] window {}[{window}]", element.name(), element.name());
        }
        let _ = match self.map {
            Some(map) => write!(text, " {}", map.property().replace("RANKS", &ranks.to_string())),
            None => write!(text, " shape {shape}"),
        };
        if operation.combines() {
            let _ = write!(text, " op {}", self.operator());
        }
        if operation.has_root() {
            let _ = write!(text, " root k{at}[{}]", self.root());
        }
        if self.exclusive {
            text.push_str(" exclusive");
        }
        text.push_str(if self.number.is_multiple_of(2) { " buffer single }\n" } else { " }\n" });
        text
    }

    /// Name and text of the kernel's source.
    pub fn source(&self, at: usize) -> (String, String) {
        let (operation, root) = (self.operation, self.root());
        let what = format!("mpi::{}", self.operator());
        let call = match operation {
            Operation::Reduce => format!("reduce<{what}>(comm.c{at}, {root})"),
            Operation::Allreduce | Operation::ReduceScatter => format!("{operation}<{what}>(comm.c{at})"),
            Operation::Scan => format!("scan<{what}>(comm.c{at}, {})", self.exclusive),
            Operation::Broadcast | Operation::Gather | Operation::Scatter => {
                format!("{operation}(comm.c{at}, {root})")
            }
            Operation::Barrier => format!("barrier<2, tag{at}>(comm.c{at})"),
            Operation::Clock => format!("clock<tag{at}>(comm.c{at})"),
            Operation::Allgather | Operation::Alltoall => format!("{operation}(comm.c{at})"),
            Operation::Sendrecv => format!("sendrecv<tag{at}>(comm.c{at})"),
            Operation::Channel | Operation::Mailbox | Operation::Active => String::new(),
        };
        let from = self.map.map_or(String::new(), |map| {
            format!("static unsigned of(unsigned me, unsigned size) {{ return {}; }}", map.source())
        });
        let (block, _) = self.blocks.bytes();
        let test = format!("mpi::test<{}, {}, {}>", self.element.name(), self.elements(block), self.ranks);
        let text = format!(
            "#pragma once\n#include \"mpi.h\"\nstruct tag{at} {{ {from} }};\ntemplate <typename Comm>\nvoid k{at}(Comm &comm) {{ {test}::{call}; }}\n"
        );
        (format!("k{at}.cc"), text)
    }
}

/// A design with a family and a collective for each case.
pub fn design(cases: &[Case]) -> String {
    let declarations = cases.iter().enumerate().map(|(at, case)| case.declaration(at));
    format!("design matrix\ndevice xcvc1902\n{}", declarations.collect::<String>())
}
