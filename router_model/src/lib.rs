//! Routing on the stream switches, and the costs of a routed design in cycles.
//!
//! [`nets`] lists the nets of a placed design. [`route`] finds trees of hops for all of them, or
//! the reason why there are none. [`verify()`] re-derives everything from the result alone and is
//! the only maker of [`Routed`]. [`estimate()`] predicts cycles with a
//! [`TimingProfile`](aiec_timing::TimingProfile). Streams are circuit-switched. On AIE1 the
//! crossbar of a switch is full for data, so a set of routes is legal exactly when no edge between
//! switches carries more nets than it has wires and no two nets share an end port (AM009).

mod certificate;
mod crossbar;
mod cuts;
mod dump;
mod errors;
mod estimate;
mod exact;
mod fabric;
mod grow;
mod hot;
mod implementation;
mod import;
mod lanes;
mod local;
mod net;
mod nets;
mod pathfinder;
mod polish;
mod port;
mod request;
mod route;
mod routed;
mod routes;
mod steiner;
mod switch;
mod trace;
mod verify;
mod wiring;

pub use cuts::{Boundary, Crossing, lines};
pub use dump::{dump_estimate, dump_routes, dump_wiring};
pub use estimate::{
    CollectiveEstimate, ConnectionEstimate, CutUse, EdgeUse, Estimate, Resources, RoutingUse, Way, cut_table,
    edge_table, estimate, estimate_with, kernel_distance,
};
pub use fabric::{Side, SwitchKind};
pub use hot::hot_lines;
pub use implementation::Implementation;
pub use import::{Arc, Review, VendorEnds, VendorNet, import, review};
pub use net::{EndPort, Hop, Net, NetEnd};
pub use nets::nets;
pub use pathfinder::{EdgeLoad, Refusal, RouteOptions, Routing, route_requests};
pub use polish::least_hops;
pub use port::{Bundle, Port};
pub use request::{NetId, NetKind, Request, SinkId};
pub use route::{explain, route, route_nets};
pub use routed::{Routed, detour_cycles, way_cycles};
pub use routes::{Route, Routes};
pub use switch::Switch;
pub use trace::trace_requests;
pub use verify::verify;
pub use wiring::{
    Arbitrated, Fault, InterfaceDirection, InterfaceEnd, ListedCircuit, ListedEnd, ListedInterface,
    ListedMaster, ListedNet, ListedSlot, ListedSwitch, OpenFifo, Rule, Settings, Shortage, Wiring,
    WiringList, check_crossing, check_wiring, wire, wiring_list,
};
