//! The intermediate representations between the language and the back end.
//!
//! [`Design`] holds the user's source with names resolved. [`Expanded`] has one node per kernel
//! instance and one edge per connection; its collectives are lowered to roles and edges. Nothing
//! here sees the syntax tree.

pub mod c_names;
pub mod constraints;
mod cores;
pub mod design;
mod dump;
pub mod expanded;
mod formula;
mod ids;
pub mod repeats;

pub use aiec_collectives::{
    Buffering, Direction, ElementType, Loops, Operator, PortKind, ReduceOp, WindowType,
};
pub use aiec_device::{Board, Release, release};
pub use constraints::Constraints;
pub use cores::{Alone, WHOLE_CORE};
pub use design::Design;
pub use dump::{dump_design, dump_expanded};
pub use expanded::Expanded;
pub use formula::{Formula, FormulaError};
pub use ids::{CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, IdVec, KernelId, PortId};
