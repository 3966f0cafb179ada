//! The collective operations and the shapes they can take.

use std::fmt;

use serde::Serialize;

use super::Row;

/// The operations, each with the file of its row. The list gives the enum, its array and its rows.
macro_rules! operations {
    ($($(#[$about:meta])* $operation:ident in $file:ident,)*) => {
        /// What a collective does, in the words of MPI.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Operation {
            $($(#[$about])* $operation,)*
        }

        impl Operation {
            const COUNT: usize = [$(stringify!($operation)),*].len();

            /// Every operation, in the order of the list.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$operation),*];

            /// The row of the table.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Self::$operation => &super::$file::ROW,)*
                }
            }
        }
    };
}

operations! {
    /// The root gets the combination of all ranks' data.
    Reduce in reduce,
    /// Every rank gets it.
    Allreduce in allreduce,
    /// Every rank gets the root's data.
    Broadcast in broadcast,
    /// The root gets the data of all ranks, side by side.
    Gather in gather,
    /// Every rank gets it.
    Allgather in allgather,
    /// Every rank gets its block of the root's data.
    Scatter in scatter,
    /// Every rank gets its block of the combination of all ranks' data.
    ReduceScatter in reduce_scatter,
    /// Every rank sends one block to each rank.
    Alltoall in alltoall,
    /// Rank `r` gets the combination of the data of the ranks up to `r`.
    Scan in scan,
    /// No rank goes on before all have come.
    Barrier in barrier,
    /// Every rank learns by how much its counter is ahead of that of rank 0.
    Clock in clock,
    /// Every rank sends its data to one other, and receives from one.
    Sendrecv in sendrecv,
    /// Every rank sends elements to others while the kernels compute.
    Channel in channel,
    /// Every rank sends messages to the root while the kernels compute.
    Mailbox in mailbox,
    /// Every rank calls handlers of the root while the kernels compute.
    Active in active,
}

impl Operation {
    /// The word in designs.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The operation called `name`. Returns None when there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// The noun for one collective of this kind.
    pub const fn noun(self) -> &'static str {
        self.row().noun
    }

    /// True if one rank has a part of its own.
    pub const fn has_root(self) -> bool {
        self.row().has_root
    }

    /// True if an operator combines data.
    pub const fn combines(self) -> bool {
        self.row().combines
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The links between the ranks of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// A complete tree in heap order (thesis 4.4.3 for two): the root first, then the other ranks.
    /// The number is the arity, at least 1.
    Tree(u32),
    /// A binomial tree over the ranks counted from the root.
    Binomial,
    /// Neighbours in rank order; two arms towards a root in the middle.
    Chain,
    /// Every rank sends to the next one, the last to the first.
    Ring,
    /// Exchanges with ranks at distances 1, 2, 4 and so on.
    Butterfly,
    /// Every rank is linked to the root, or to all others where there is none.
    Flat,
    /// Every rank is linked to the root over one stream of packets into which all are merged, and
    /// the root to all others at once.
    Merge,
    /// The root, N heads below it, at least 1, and the other ranks below these.
    Hub(u32),
    /// Rounds of a barrier: in round `k` every rank signals the rank `2^k` further.
    Dissemination,
    /// A chain over the cascade streams between neighbouring cores.
    Cascade,
    /// Streams that cores read and write element by element: neighbours in rank order, or from the
    /// root of a broadcast to all others at once.
    Stream,
    /// The links that a `sendrecv` or `channel` names.
    Direct,
    /// Packets from any rank to any other go through the root: a channel to any peer.
    Relay,
    /// Packets of all other ranks are merged into one stream to the root.
    Mailbox,
    /// The same, and packets of the root are split to all others: active messages.
    Active,
}

impl Shape {
    /// One shape of each kind, simplest first. The number of those that have one is an example.
    pub const KINDS: [Self; 15] = [
        Self::Tree(2),
        Self::Binomial,
        Self::Chain,
        Self::Flat,
        Self::Merge,
        Self::Hub(2),
        Self::Ring,
        Self::Butterfly,
        Self::Dissemination,
        Self::Cascade,
        Self::Stream,
        Self::Direct,
        Self::Relay,
        Self::Mailbox,
        Self::Active,
    ];

    /// The kind of shape that `word` names, as in [`Shape::KINDS`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::KINDS.into_iter().find(|kind| kind.word() == word)
    }

    /// True if a design names the kind by one word alone: a tree and a hub have a number, `flat
    /// merge` is two words, a sendrecv or channel says it otherwise, and a mailbox or active
    /// messages have one shape.
    pub const fn is_one_word(self) -> bool {
        let has_number = matches!(self, Self::Tree(_) | Self::Hub(_));
        let is_only_one = matches!(self, Self::Direct | Self::Relay | Self::Mailbox | Self::Active);
        !has_number && !is_only_one && !matches!(self, Self::Merge)
    }

    /// The word of the language for this kind of shape.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tree(_) => "tree",
            Self::Binomial => "binomial",
            Self::Chain => "chain",
            Self::Ring => "ring",
            Self::Butterfly => "butterfly",
            Self::Flat => "flat",
            Self::Merge => "flat merge",
            Self::Hub(_) => "hub",
            Self::Dissemination => "dissemination",
            Self::Cascade => "cascade",
            Self::Stream => "stream",
            Self::Direct => "direct",
            Self::Relay => "relay",
            Self::Mailbox => "mailbox",
            Self::Active => "active",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(arity) => write!(f, "tree arity {arity}"),
            Self::Hub(heads) => write!(f, "hub {heads}"),
            other => f.write_str(other.word()),
        }
    }
}

impl Serialize for Shape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
