//! Where traffic runs: a grid of an array, or a network.

use serde::Serialize;

/// The nodes of a command.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Place {
    /// A rectangle of cores.
    Array {
        /// The name of the device.
        device: String,
        /// Columns and rows.
        grid: String,
        /// Column and row of the node in the south-west corner.
        corner: [u16; 2],
        /// Wires of a side of a switch, if the command line limits them.
        #[serde(skip_serializing_if = "Option::is_none")]
        links: Option<u32>,
    },
    /// The nodes of a profile.
    Network {
        /// Routers of each dimension.
        routers: Vec<u32>,
        /// Nodes of each router.
        nodes: u32,
        /// Links between neighbours.
        links: u32,
        /// Nanoseconds of a cycle.
        cycle_ns: f64,
    },
}

impl Place {
    /// True for nodes of a network.
    pub(super) const fn is_network(&self) -> bool {
        matches!(self, Self::Network { .. })
    }

    /// The nodes, as the title of a plot names them.
    pub(super) fn nodes(&self) -> String {
        match self {
            Self::Array { grid, .. } => grid.clone(),
            Self::Network { routers, nodes, .. } => format!("{} of {nodes}", by(routers)),
        }
    }

    /// The first line of the summary, without the profile.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Array { device, grid, corner: [column, row], links } => {
                let links =
                    links.map(|links| format!(", wires of a side: at most {links}")).unwrap_or_default();
                format!("{grid} nodes of {device} from tile ({column}, {row}){links}")
            }
            Self::Network { routers, nodes, links, cycle_ns } => format!(
                "a network of {} routers with {nodes} nodes each, links: {links}, a cycle: {cycle_ns} ns",
                by(routers)
            ),
        }
    }
}

fn by(routers: &[u32]) -> String {
    routers.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}
