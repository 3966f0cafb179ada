//! A pattern as a design of the language.

use aiec_timing::network::Barrier;

use crate::pattern::{Grid, Pattern};

/// Streams of packets that one port takes: the ids of a header have 5 bits (AM009).
pub(crate) const BRANCHES: usize = 32;
/// Bytes of an element, `int32`.
pub(crate) const ELEMENT: u64 = 4;

/// How often and how fast nodes send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    /// Messages of each node.
    pub(crate) messages: u32,
    /// Array cycles between two messages besides those of locks.
    pub(crate) cycles: u64,
}

/// A single burst: each node sends one message at once.
pub(crate) const BURST: Pace = Pace { messages: 1, cycles: 0 };

/// A pattern on its place in the array.
#[derive(Clone, Debug)]
pub(crate) struct Traffic<'a> {
    /// The rule that gives each sending node its destination.
    pub(crate) pattern: Pattern,
    /// The rectangle of nodes, each on a core.
    pub(crate) grid: Grid,
    /// Columns of the array on the left of the grid.
    pub(crate) left: u16,
    /// The name of the device.
    pub(crate) device: &'a str,
    /// The destination of each node.
    pub(crate) to: Vec<usize>,
}

impl Traffic<'_> {
    /// The nodes that send, in order.
    pub(crate) fn senders(&self) -> Vec<usize> {
        (0..self.to.len()).filter(|&node| self.to[node] != node).collect()
    }

    /// The design for messages of some bytes.
    pub(crate) fn text(&self, bytes: u64, pace: Pace) -> String {
        let senders = match self.pattern {
            Pattern::Barrier(_) => (0..self.grid.nodes()).collect(),
            _ => self.senders(),
        };
        let does = match self.pattern {
            Pattern::Barrier(_) => "Each node waits for all others once",
            _ => "Each node sends one window",
        };
        let body = match self.pattern {
            Pattern::Barrier(barrier) => self.barrier(barrier),
            Pattern::Hotspot => self.hotspot(&senders, pace),
            _ => self.permutation(&senders),
        };
        let name: String =
            self.pattern.to_string().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let iterations =
            if pace.messages > 1 { format!("iterations {}\n", pace.messages) } else { String::new() };
        let size = match self.pattern {
            Pattern::Barrier(_) => String::new(),
            _ => format!("const BYTES = {bytes}\n"),
        };
        format!(
            "// The pattern {} on {} nodes. {does} in a run.\n\
             design {name}\n\
             device {}\n\
             {iterations}\n\
             {size}\
             const N = {}\n\
             const COLUMN = {:?}\n\
             const ROW = {:?}\n\
             {body}",
            self.pattern,
            self.grid,
            self.device,
            senders.len(),
            senders.iter().map(|&node| self.place(node).0).collect::<Vec<_>>(),
            senders.iter().map(|&node| self.place(node).1).collect::<Vec<_>>(),
        )
    }

    /// Column and row in the array.
    fn place(&self, node: usize) -> (usize, usize) {
        let (column, row) = self.grid.place(node);
        (column + usize::from(self.left), row)
    }

    /// Nodes that send and then receive. Windows form cycles, so they are asynchronous.
    fn permutation(&self, senders: &[usize]) -> String {
        // A permutation moves nodes only among themselves.
        let rank = |node: usize| senders.binary_search(&node).unwrap_or_default();
        let to: Vec<usize> = senders.iter().map(|&node| rank(self.to[node])).collect();
        format!(
            "const TO = {to:?}\n\n\
             kernel node[N](in x: window int32[BYTES / 4], out y: window int32[BYTES / 4]) {{\n    \
             source \"kernels/node.cc\" // sends y, then receives x\n}}\n\n\
             for k in 0..N {{\n    \
             connect async node[k].y windows 1 -> async node[TO[k]].x windows 1 buffer single\n    \
             place node[k] at (COLUMN[k], ROW[k])\n}}\n"
        )
    }

    /// Nodes that wait for each other, by the collective of the nearest shape.
    fn barrier(&self, barrier: Barrier) -> String {
        let shape = match barrier {
            Barrier::Flat => "flat merge".to_owned(),
            Barrier::Hub => format!("hub {}", self.grid.rows),
            Barrier::Hypercube => "dissemination".to_owned(),
        };
        format!(
            "\nkernel node[N] {{ source \"kernels/node.cc\" }} // calls comm.all.barrier()\n\n\
             barrier all over node {{ shape {shape} }}\n\n\
             for k in 0..N {{ place node[k] at (COLUMN[k], ROW[k]) }}\n"
        )
    }

    /// Nodes that send packets to one node, in groups of at most 32.
    fn hotspot(&self, senders: &[usize], pace: Pace) -> String {
        let cycles = if pace.cycles > 0 { format!("    cycles {}\n", pace.cycles) } else { String::new() };
        let (column, row) = self.place(self.to.first().copied().unwrap_or_default());
        let groups = senders.len().div_ceil(BRANCHES);
        // Two buffers let a node go on while its message leaves.
        let single = if pace.messages > 1 { "" } else { " buffer single" };
        let merges: String = (0..groups)
            .map(|group| {
                let (from, to) = (group * BRANCHES, senders.len().min((group + 1) * BRANCHES));
                let switch = if to - from > 1 { "merge " } else { "" };
                let number = to - from;
                format!(
                    "connect node[{from}..{to}].y -> {switch}async hot.x[{group}] windows {number}{single}\n"
                )
            })
            .collect();
        format!(
            "\nkernel node[N](out y: window int32[BYTES / 4]) {{\n    source \"kernels/node.cc\"\n{cycles}}}\n\
             kernel hot(in x[{groups}]: window int32[BYTES / 4]) {{ source \"kernels/hot.cc\" }}\n\n\
             {merges}\n\
             for k in 0..N {{ place node[k] at (COLUMN[k], ROW[k]) }}\n\
             place hot at ({column}, {row})\n"
        )
    }
}
