//! The intermediate forms between the language and the back end, and the checks on them.
//!
//! [`Design`] holds what the user wrote with names resolved; [`Expanded`] one node per kernel instance and one edge per
//! connection, collectives lowered to roles and edges; [`Checked`] is an [`Expanded`] in which everything that can be
//! known before placement holds. Nothing here sees the syntax tree.

pub mod build;
pub mod c_names;
pub mod check;
mod checked;
pub mod constraints;
mod cores;
pub mod design;
mod dump;
mod errors;
pub mod expanded;
mod formula;
mod ids;
mod least;
pub mod reference;
mod relax;
pub mod repeats;
pub mod schedule;
mod types;

pub use aiec_device::{Board, Release, release};
pub use check::check;
pub use checked::Checked;
pub use constraints::Constraints;
pub use cores::{Alone, WHOLE_CORE};
pub use design::Design;
pub use dump::{dump_design, dump_expanded};
pub use expanded::Expanded;
pub use formula::{Formula, FormulaError};
pub use ids::{CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, IdVec, KernelId, PortId};
pub use least::least;
pub use relax::ConstraintKind;
pub use types::{Buffering, Direction, ElementType, Loops, Operator, PortKind, ReduceOp, WindowType};
