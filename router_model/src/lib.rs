//! Routing on the stream switches, and what a routed design costs in cycles.

mod routes;

pub use routes::{EndPort, Hop, Net, NetEnd, Route, Routes, Switch};
