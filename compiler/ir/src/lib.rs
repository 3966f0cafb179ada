//! The forms between the language and the back end, and what each of them guarantees.
//!
//! A design has three forms after parsing. None of them refers to the syntax tree.
//!
//! - [`Design`]: families as written, with names, constants and loops resolved. `aiec_lower::lower`
//!   makes it.
//! - [`Expanded`]: one [`Kernel`](expanded::Kernel) for each instance, its ports, and one
//!   [`Connection`](expanded::Connection) for each pair of ports. `aiec_lower::expand` makes it.
//! - `aiec_check::Checked`: the same `Expanded`, with the proof that it passed every check.
//!   `aiec_check::check` makes it.
//!
//! The module [`expanded`] states the invariants of the main form, with a worked example. This page
//! states what holds for all three.
//!
//! # Immutable data
//!
//! A form is plain data. Its fields are public, so that tests can break one invariant at a time. No
//! stage changes a form that it did not make. A stage that needs a variant clones the form, as
//! `aiec_check` does to find constraints that contradict each other. A variant has the same ids.
//!
//! # Ids
//!
//! An id, such as [`KernelId`], is the position of an entry in one table, an [`IdVec`]. Tables only
//! grow while `expand` runs, so an id stays valid from there to the emitted files.
//!
//! - Each kind of entry has its own id type. Ids of one type are dense: `0..table.len()`.
//! - The order of ids is part of the contract: it is the order of the source text, as far as the
//!   documentation of each table says. Stages break ties by this order, so results do not depend on
//!   the machine.
//! - [`FamilyId`], [`ExternalFamilyId`] and [`CollectiveId`] mean the same entry in the `Design`
//!   and in its `Expanded`. The other ids exist in the `Expanded` only.
//! - A result of a later stage is a table over these ids, such as the tile of each kernel. It fits
//!   only the design that it was made for, and no type prevents a mix-up of two designs.
//!   `aiec_placer::verify` compares the sizes of its tables with the design.
//! - Ids never leave the process. Files and messages have names ([`dump_expanded`], placement
//!   files), so an edit of the design does not renumber them.
//! - Indexing a table with a foreign id panics; [`IdVec::get`] returns `None`.
//!
//! # Spans
//!
//! An [`aiec_diag::Span`] is a range of bytes in one source text. Each entry of a form carries the
//! span of its construct, so a late error still points at the source.
//!
//! - All instances of a declaration have its span. So have all kernels, ports and connections that
//!   a collective or a `for` makes from one construct. A span is no identity.
//! - A [`Spanned`](aiec_diag::Spanned) value has the place of that value, if the text has one, else
//!   the place of its construct.
//! - Nothing but diagnostics depends on spans. Moving a design in its file changes no other output.
//!
//! # What a check adds
//!
//! `Checked` has one maker, `aiec_check::check`, and derefs to its `Expanded`. It guarantees, for
//! the device that was given to `check`:
//!
//! - The ends of a connection carry what can be connected: two windows, streams or packets in any
//!   pair, two cascades of one type, two parameters of one type. Windows of different sizes connect
//!   only user ports of kernels that run at different rates, or an input and its readers. Every
//!   window is large enough, a whole number of words, and fits a module.
//! - Every declared port, input and output is connected. At most one connection ends at a port that
//!   takes no packets. Every kernel has a port or takes part in a collective.
//! - Both ends of a connection between kernels pass equally many bytes in an iteration, as far as
//!   the design determines them ([`Expanded::bytes_per_run`]). Inputs and outputs at streams have a
//!   stated amount.
//! - No cycle of synchronous windows exists, and no rank of a collective waits forever in a run
//!   with tokens in place of windows. The check assumes that asynchronous user windows are there
//!   when needed, and that a run of more than 2 000 000 steps goes on.
//! - In one iteration no kernels wait for each other over streams of known amounts, in the order of
//!   reads and writes that goes furthest. The check assumes that a run of more than 2 000 000 steps
//!   goes on.
//! - No core has two cascades in or out, and cascades carry their type and fit the array. Merges of
//!   packets fit the ports of a switch and of a core, and the release of Vitis.
//! - PLIO widths exist, and the interface row has enough ports and wires.
//! - Tiles of `place`, `region` and `keepout` lie in the array. The constraints on one kernel, on
//!   kernels at fixed distances and on pairs have no contradiction; the placer proves more.
//! - The device has at least the tiles, memory, locks, buffer descriptors and channels that every
//!   placement needs.
//!
//! It does not guarantee that a placement or routes exist: lower bounds reject only the impossible.
//! It does not hold the device, so all later stages must get the device that `check` got. It does
//! not look into C++ sources.
//!
//! # Questions about a form
//!
//! A question whose answer follows from one form alone is asked here: [`rates::repetitions`],
//! [`Expanded::alone`], the methods of [`Collective`](expanded::Collective). `expand`, the checks
//! and later stages ask it, and all of them get the same answer. A rule that a design may break
//! belongs to `aiec_check`.
//!
//! # What later stages rely on, and must not assume
//!
//! - The **placer** relies on ids as indices, on one producer for each input port that joins no
//!   packets, and on tiles of constraints inside the array. It must not assume a core for each
//!   kernel ([`Expanded::alone`]), an acyclic graph, or one connection for an input of the array.
//! - The **router** relies on `Placed`, which says which connections are shared. It must not assume
//!   that a connection is a net: a broadcast is one net; a shared connection, a cascade and a
//!   parameter are none.
//! - The **event model** relies on the steps of each [`Plan`](aiec_collectives::Plan). It must not
//!   assume a known number of windows at each port: [`Expanded::windows_per_run`] may return
//!   `None`.
//! - The **code generator** relies on the order of ports, which is the order of C++ parameters, and
//!   on unique names. It must not assume that a name is free in C++, and takes names from its
//!   `Names`.
//! - The **host run** relies on operation, root, ranks, data and layout for its reference. It must
//!   not use links or steps, whose errors the reference has to find.

pub mod allowances;
pub mod blocks;
pub mod c_names;
mod carries;
mod cascades;
pub mod constraints;
mod cores;
mod decimal;
pub mod design;
mod dump;
pub mod expanded;
pub mod fifos;
mod formula;
mod ids;
mod links;
mod memory;
pub mod patterns;
pub mod rates;
pub mod ways;

pub use aiec_collectives::{
    Buffering, Direction, ElementType, Loops, Operator, PortKind, Rank, ReduceOp, WindowType,
};
pub use aiec_device::{Board, Release, release};
pub use blocks::Blocks;
pub use carries::{Accumulator, Carries, CascadeType, Flow, ParameterType};
pub use constraints::Constraints;
pub use cores::{Alone, WHOLE_CORE, stacks_and_heaps};
pub use decimal::Decimal;
pub use design::Design;
pub use dump::{dump_design, dump_expanded};
pub use expanded::Expanded;
pub use formula::{Comparison, Formula, FormulaError};
pub use ids::{
    CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, Id, IdVec, KernelId, ParameterId,
    PortId, SubgraphId, SwitchId,
};
