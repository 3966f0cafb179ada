//! The table of operations and shapes.
//!
//! Each operation is one [`Row`], in the file that has its name. A row lists the shapes that the
//! operation can take, one [`Algorithm`] each. Every stage asks the table: the front end for
//! properties and defaults, the checks for waiting, the code generator for classes and connections,
//! the host run for the definition. Nothing else matches on pairs of operation and shape, but for
//! what the thesis measured (`aiec_timing::Basis`).

use super::data::Found;
use super::{Class, Data, Definition, Link, Phase, Plan, Rank, Seat, Shape, Tree};

/// In which directions data goes along a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// From the leaves to the root.
    Up,
    /// From the root to the leaves.
    Down,
    /// To the root, then back to the leaves.
    Both,
}

/// The arrays that a rank hands to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// No array: no data moves.
    Plain,
    /// One, which also gets the result.
    InPlace,
    /// One to send, and another one to receive.
    SendReceive,
    /// None: the kernel opens its links, which are streams, and moves element by element. Or it
    /// sends and receives messages.
    Opened,
}

/// What a rank waits for before it leaves a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// The ranks that send to it.
    Senders,
    /// The contribution of the one rank that sends to it, not the end of that rank's call.
    Partner,
    /// The contributions of all ranks.
    All,
    /// No rank: the kernel waits at single elements, which the check of streams follows.
    Nobody,
}

/// In which order contributions are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The order of the ranks.
    Ranks,
    /// The order of the tree, which may be that of the ranks.
    Tree,
    /// Another one: the operator must be commutative.
    Any,
}

/// One call that connects the ports of a list of ranks: a function `connect_NAME` of
/// `aiec/connect.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A function without further arguments.
    Plain(&'static str),
    /// A function for a rooted tree.
    Rooted {
        /// The part of its name behind `connect_`.
        function: &'static str,
        /// Its number: arity, heads, or the root of a chain.
        number: Option<u32>,
        /// The directions it connects.
        ways: Ways,
    },
    /// From the root to all other ranks at once.
    Multicast,
    /// From all other ranks to the root, as one stream of packets.
    Merge,
    /// Along the cascade.
    Cascade,
}

/// How an operation works in one shape.
#[derive(Debug)]
pub struct Algorithm {
    /// The word of the language for the shape.
    pub word: &'static str,
    /// The links of a plan. [`Plan::ends`] numbers their ports.
    pub(crate) links: fn(&Plan, &Tree) -> Vec<Link>,
    /// What a rank does in one call.
    pub(crate) program: fn(&Plan, &Tree, Rank) -> Vec<Phase>,
    /// The tree of a rooted shape. None when the shape is not rooted.
    pub(crate) tree: Option<fn(&Plan) -> Tree>,
    /// True if the root sends to all other ranks over one net.
    pub(crate) multicast: bool,
    /// In which order contributions are combined.
    pub(crate) order: Order,
    /// True if contributions are combined in the order in which their packets come.
    pub(crate) as_packets_come: bool,
    /// True if the connecting functions list the ranks of a tree in rank order. False for an order
    /// from the root down.
    pub(crate) lists_by_rank: bool,
    /// True if links are streams that cores read and write themselves, and not windows.
    pub opened: bool,
    /// True if the number of ranks must be a power of two.
    pub power_of_two: bool,
    /// True if each rank combines one part of the data, so that a block of the schedule is a part.
    pub parts: bool,
    /// An upper bound on the links between N ranks.
    pub(crate) most_links: fn(Ways, u64) -> u64,
    /// An upper bound on the steps of one rank among N.
    pub(crate) most_steps: fn(u64) -> u64,
    /// What a rank waits for.
    pub waits: Waits,
    /// The header of the library with its classes, without `.h`.
    pub header: fn(&Plan) -> &'static str,
    /// The class of a rank.
    pub class: fn(&Seat<'_>) -> Class,
    /// The class of a kernel outside the group, whose family has ranks.
    pub outside: &'static str,
    /// The calls that connect the ranks. Empty where the design names the connections.
    pub wires: fn(&Plan) -> Vec<Wire>,
}

/// The part that algorithms have in common: no links and no steps.
pub(crate) const NOTHING: Algorithm = Algorithm {
    word: "",
    links: |_, _| Vec::new(),
    program: |_, _, _| Vec::new(),
    tree: None,
    multicast: false,
    order: Order::Ranks,
    as_packets_come: false,
    lists_by_rank: false,
    opened: false,
    power_of_two: false,
    parts: false,
    most_links: |_, ranks| ranks,
    most_steps: |_| 16,
    waits: Waits::All,
    header: |plan| plan.operation.name(),
    class: |_| Class::new("", []),
    outside: "outside",
    wires: |_| Vec::new(),
};

/// What stages ask about an operation.
#[derive(Debug)]
pub struct Row {
    /// The word in designs.
    pub name: &'static str,
    /// The function that ranks call, if it has another name than the operation.
    pub call_name: Option<&'static str>,
    /// The noun for one collective of this kind.
    pub noun: &'static str,
    /// True if one rank has a part of its own.
    pub has_root: bool,
    /// True if a design may name the root: an operation without one may still go through a rank.
    pub names_root: bool,
    /// True if an operator combines data.
    pub combines: bool,
    /// The arrays of a call.
    pub call: Call,
    /// True if a design may leave out each rank's own data: `exclusive`.
    pub excludes: bool,
    /// True if a header may state the size of each block: `headed`.
    pub heads: bool,
    /// True if a design says whom each rank sends to: `shift` or `to`.
    pub names_partners: bool,
    /// True if ranks send messages to the root. The largest follows from `max` or from handlers.
    /// The root is a rank even if the group does not list it.
    pub takes_messages: bool,
    /// True if runs may leave out calls: what a call finds holds in later runs, too.
    pub leaves_out_calls: bool,
    /// True if the collective may have a port for the root's result.
    pub has_result: bool,
    /// The shape for operators that are not commutative, where contributions are combined.
    pub ordered: Shape,
    /// True if blocks of the root's array may have counts and strides.
    pub lays_out: bool,
    /// The directions of data along a tree.
    pub ways: Ways,
    /// The shape of a collective that names none.
    pub default: Shape,
    /// The algorithms, in the order in which messages list their shapes.
    pub algorithms: &'static [Algorithm],
    /// Elements of the arrays that a rank hands to a call: what it reads and, apart from that, what
    /// it writes.
    pub(crate) arrays: fn(&Data<'_>, Rank) -> (u64, u64),
    /// What a rank has after a call, by the definition in MPI. It returns None when the rank gets
    /// nothing.
    pub(crate) result: fn(&Definition<'_>, Rank) -> Option<Found>,
    /// What it does, in a sentence: `{root}`, `{ranks}`, `{block}` and `{with}` (the operator) are
    /// filled in.
    pub sentence: &'static str,
}

/// The part that rows have in common.
pub(crate) const PLAIN: Row = Row {
    name: "",
    call_name: None,
    noun: "",
    has_root: false,
    names_root: false,
    combines: false,
    call: Call::SendReceive,
    excludes: false,
    heads: false,
    names_partners: false,
    takes_messages: false,
    leaves_out_calls: false,
    has_result: false,
    ordered: Shape::Chain,
    lays_out: false,
    ways: Ways::Up,
    default: Shape::Tree(2),
    algorithms: &[],
    arrays: |_, _| (0, 0),
    result: |_, _| None,
    sentence: "",
};

impl Row {
    /// The algorithm for a shape. Returns None when the operation has no such shape.
    pub fn algorithm(&self, shape: Shape) -> Option<&'static Algorithm> {
        self.algorithms.iter().find(|algorithm| algorithm.word == shape.word())
    }

    /// The function in C++ that ranks call.
    pub fn called(&self) -> &'static str {
        self.call_name.unwrap_or(self.name)
    }

    /// True if data moves at all.
    pub const fn has_data(&self) -> bool {
        !matches!(self.call, Call::Plain)
    }

    /// True if the kernels open the links and move elements or messages, without calls.
    pub const fn is_channel(&self) -> bool {
        matches!(self.call, Call::Opened)
    }

    /// True if calls move arrays.
    pub const fn moves_arrays(&self) -> bool {
        self.has_data() && !self.is_channel()
    }

    /// The words for the shapes that combine in the same order in every run.
    pub fn shapes_of_fixed_order(&self) -> Vec<&'static str> {
        let fixed = self.algorithms.iter().filter(|algorithm| !algorithm.as_packets_come);
        fixed.map(|algorithm| algorithm.word).collect()
    }

    /// The words for the shapes.
    pub fn shapes(&self) -> Vec<&'static str> {
        self.algorithms.iter().map(|algorithm| algorithm.word).collect()
    }

    /// An upper bound on the links between `ranks` ranks. Of a shape that the compiler chooses,
    /// that of a tree.
    pub fn most_links(&self, shape: Option<Shape>, ranks: u64) -> u64 {
        let algorithm = shape.and_then(|shape| self.algorithm(shape)).unwrap_or(&super::rooted::ROOTED);
        (algorithm.most_links)(self.ways, ranks)
    }

    /// True if the last rank to have something at the end of a call is the root.
    pub fn ends_at_root(&self) -> bool {
        self.has_root && self.ways == Ways::Up
    }

    /// True if the root alone has data at the begin of a call.
    pub fn starts_at_root(&self) -> bool {
        self.has_root && self.ways == Ways::Down
    }
}

impl Plan {
    /// The row of its operation.
    pub const fn row(&self) -> &'static Row {
        self.operation.row()
    }

    /// Its algorithm. An operation without the shape has one that does nothing;
    /// [`legal`](super::legal) refuses it.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.row().algorithm(self.shape).unwrap_or(&NOTHING)
    }

    /// True if links are streams that cores read and write themselves, and not windows.
    pub fn is_opened(&self) -> bool {
        self.algorithm().opened
    }

    /// True if functions of the library connect the ranks. False where the design names the
    /// connections.
    pub fn has_wires(&self) -> bool {
        !(self.algorithm().wires)(self).is_empty()
    }

    /// The ranks in the order in which the connecting functions take them.
    pub fn wired_order(&self) -> Vec<Rank> {
        match self.algorithm().lists_by_rank {
            true => Rank::all(self.size).collect(),
            false => self.order(),
        }
    }
}
