//! The entries of the matrix: which there are, the design that has some of them, and the kernels.

use std::fmt::Write as _;

use aiec_ir::schedule::{Operation, Shape};

use crate::illegal::refusal;

/// One collective over a family of its own.
#[derive(Clone, Debug)]
pub struct Case {
    pub operation: Operation,
    pub shape: Shape,
    pub ranks: u32,
    pub element: Element,
    pub blocks: Blocks,
    /// Of operation and shape among those of this number of ranks.
    pub number: usize,
}

/// The element types, with their sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Int32,
    Float,
    Int16,
}

/// How a block goes through windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    OneWindow,
    SeveralWindows,
    WithTail,
}

impl Element {
    const ALL: [Self; 3] = [Self::Int32, Self::Float, Self::Int16];

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

impl Blocks {
    const ALL: [Self; 3] = [Self::OneWindow, Self::SeveralWindows, Self::WithTail];

    /// Bytes of a block and of a window: windows of one vector of 256 bits or of 128 bits, which is the smallest.
    const fn bytes(self) -> (u32, u32) {
        match self {
            Self::OneWindow => (32, 32),
            Self::SeveralWindows => (96, 32),
            Self::WithTail => (40, 16),
        }
    }
}

/// Operation and shape, as far as shapes are worth telling apart: trees of two arities, hubs of two numbers of heads.
pub fn shapes() -> Vec<(Operation, Shape)> {
    use Shape as S;
    let trees = [S::Tree(2), S::Tree(5), S::Binomial, S::Chain, S::Flat, S::Hub(2), S::Hub(7)];
    let of = |operation| match operation {
        Operation::Broadcast | Operation::Scatter => trees.to_vec(),
        Operation::Reduce | Operation::Gather => [&trees[..], &[S::Merge]].concat(),
        Operation::Allreduce => [&trees[..], &[S::Merge, S::Ring, S::Butterfly]].concat(),
        Operation::Barrier => [&trees[..], &[S::Merge, S::Dissemination]].concat(),
        Operation::Allgather => vec![S::Merge, S::Ring, S::Butterfly],
        Operation::ReduceScatter => vec![S::Ring, S::Butterfly],
        Operation::Alltoall => vec![S::Flat, S::Ring, S::Butterfly],
        Operation::Scan => vec![S::Chain, S::Butterfly],
        Operation::Sendrecv => vec![S::Direct],
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

/// All legal cases of so many ranks.
pub fn cases(ranks: u32) -> Vec<Case> {
    let legal = shapes().into_iter().filter(|&(operation, shape)| refusal(operation, shape, ranks).is_none());
    let variants = |(number, (operation, shape))| {
        let pairs = Element::ALL.into_iter().flat_map(|e| Blocks::ALL.into_iter().map(move |b| (e, b)));
        pairs.map(move |(element, blocks)| Case { operation, shape, ranks, element, blocks, number })
    };
    legal.enumerate().flat_map(variants).filter(is_exact).collect()
}

impl Case {
    /// A case for which type and blocks do not matter.
    pub const fn plain(operation: Operation, shape: Shape, ranks: u32) -> Self {
        Self { operation, shape, ranks, element: Element::Int32, blocks: Blocks::OneWindow, number: 0 }
    }

    /// The number of the element type and the kind of blocks among their nine pairs.
    pub fn variant(&self) -> usize {
        let element = Element::ALL.iter().position(|&element| element == self.element).unwrap_or(0);
        let blocks = Blocks::ALL.iter().position(|&blocks| blocks == self.blocks).unwrap_or(0);
        3 * element + blocks
    }

    /// The root: not always the first.
    fn root(&self) -> u32 {
        (self.number as u32) % self.ranks
    }

    fn is_exclusive(&self) -> bool {
        self.operation == Operation::Scan && self.number.is_multiple_of(2)
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
        if *operation != Operation::Barrier {
            let (data, window) = (self.elements(block), self.elements(window));
            let _ = write!(text, " data {}[{data}] window {}[{window}]", element.name(), element.name());
        }
        match shape {
            Shape::Direct => text.push_str(" shift 1"),
            shape => {
                let _ = write!(text, " shape {shape}");
            }
        }
        if operation.combines() {
            let _ = write!(text, " op {}", self.operator());
        }
        if operation.has_root() {
            let _ = write!(text, " root k{at}[{}]", self.root());
        }
        if self.is_exclusive() {
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
            Operation::Scan => format!("scan<{what}>(comm.c{at}, {})", self.is_exclusive()),
            Operation::Broadcast | Operation::Gather | Operation::Scatter => {
                format!("{operation}(comm.c{at}, {root})")
            }
            Operation::Barrier => format!("barrier<2, tag{at}>(comm.c{at})"),
            Operation::Allgather | Operation::Alltoall | Operation::Sendrecv => {
                format!("{operation}(comm.c{at})")
            }
        };
        let (block, _) = self.blocks.bytes();
        let test = format!("mpi::test<{}, {}, {}>", self.element.name(), self.elements(block), self.ranks);
        let text = format!(
            "#pragma once\n#include \"mpi.h\"\nstruct tag{at};\ntemplate <typename Comm>\nvoid k{at}(Comm &comm) {{ {test}::{call}; }}\n"
        );
        (format!("k{at}.cc"), text)
    }
}

/// A design with a family and a collective for each case.
pub fn design(cases: &[Case]) -> String {
    let declarations = cases.iter().enumerate().map(|(at, case)| case.declaration(at));
    format!("design matrix\ndevice xcvc1902\n{}", declarations.collect::<String>())
}
