//! The parts of a report that are compared, as `aiec report --json` writes them.
//!
//! They are fewer than those of `aiec_codegen::report`: a report of an older version lacks newer
//! fields, and is read all the same.

use std::collections::BTreeMap;

use aiec_vendor::renamed::Structure;
use serde::Deserialize;

/// The number of the format that this module reads.
const VERSION: u32 = 2;

/// A report. `docs/report.md` has its fields.
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    format: String,
    version: u32,
    pub(super) design: Design,
    pub(super) device: Device,
    pub(super) kernels: Vec<Kernel>,
    pub(super) externals: Vec<External>,
    pub(super) connections: Vec<Connection>,
    pub(super) collectives: Vec<Collective>,
    pub(super) totals: Totals,
    pub(super) tiles: Vec<TileUse>,
    pub(super) estimate: Estimate,
    #[serde(default)]
    pub(super) why: Why,
}

#[derive(Debug, Deserialize)]
pub(super) struct Design {
    pub(super) name: String,
    pub(super) iterations: u32,
    pub(super) vitis: String,
    pub(super) board: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) columns: u16,
    pub(super) rows: u16,
}

/// Column and core row of a tile.
pub(super) type Tile = (u16, u16);

#[derive(Debug, Deserialize)]
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) repetitions: u32,
    #[serde(default)]
    pub(super) runtime_thousandths: Option<u32>,
    pub(super) tile: Tile,
    pub(super) stack: Stack,
    pub(super) ports: Vec<Port>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Stack {
    pub(super) at: Spot,
    pub(super) stack_bytes: u32,
    pub(super) heap_bytes: u32,
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) tile: Tile,
    pub(super) offset: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct Port {
    pub(super) name: String,
    pub(super) buffers: Option<Vec<Spot>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct External {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) kind: String,
    pub(super) shim: Channel,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) column: u16,
    pub(super) channel: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct Connection {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) window: Option<Window>,
    pub(super) buffers: String,
    #[serde(default)]
    pub(super) carries: String,
    #[serde(default)]
    pub(super) fifo: Option<u32>,
    pub(super) by: String,
    pub(super) hops: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Window {
    pub(super) element: String,
    pub(super) elements: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Collective {
    pub(super) name: String,
    pub(super) operation: String,
    pub(super) op: Option<String>,
    pub(super) data: Window,
    pub(super) window: Window,
    pub(super) shape: String,
    pub(super) root: String,
    pub(super) ranks: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Totals {
    pub(super) cores: Use,
    pub(super) bytes: Use,
    pub(super) locks: Use,
    pub(super) bds: Use,
    pub(super) s2mm: Use,
    pub(super) mm2s: Use,
    pub(super) nets: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Use {
    pub(super) used: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct TileUse {
    pub(super) tile: Tile,
    pub(super) bytes: Use,
    pub(super) banks: Vec<Use>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Estimate {
    pub(super) profile: String,
    pub(super) resources: Resources,
    pub(super) routing: Routing,
    pub(super) collectives: Vec<CollectiveTimes>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Resources {
    pub(super) shared_connections: u64,
    pub(super) routed_connections: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Routing {
    pub(super) hops: u64,
    pub(super) longest_path: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct CollectiveTimes {
    pub(super) call_cycles: i64,
    pub(super) total_cycles: i64,
}

/// What the event model says, where it ran.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Why {
    pub(super) total_cycles: Option<f64>,
}

impl Report {
    /// The kernels, inputs and outputs with their connections.
    pub(super) fn structure(&self) -> Structure {
        let kernel = |one: &Kernel| (one.name.clone(), format!("kernel {}", one.source));
        let external = |one: &External| (one.name.clone(), one.kind.clone());
        let kernels = self.kernels.iter().map(kernel);
        let parts: BTreeMap<String, String> = kernels.chain(self.externals.iter().map(external)).collect();
        let end = |name: &String| match name.rsplit_once('.') {
            Some((kernel, port)) if parts.contains_key(kernel) => (kernel.to_owned(), port.to_owned()),
            _ => (name.clone(), String::new()),
        };
        let ways = self.connections.iter().map(|one| [end(&one.from), end(&one.to)]).collect();
        Structure { parts, ways }
    }

    /// The names that begin with the graph in the report of an ADF graph.
    pub(super) fn names(&mut self) -> impl Iterator<Item = &mut String> {
        let ends = self.connections.iter_mut().flat_map(|one| [&mut one.from, &mut one.to]);
        let externals = self.externals.iter_mut().map(|one| &mut one.name);
        self.kernels.iter_mut().map(|one| &mut one.name).chain(externals).chain(ends)
    }
}

/// Reads a report. The reason against it is a clause.
pub(super) fn read(text: &str) -> Result<Report, String> {
    let report: Report = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if report.format != "aiec-report" || report.version != VERSION {
        return Err(format!("it has version {} of `{}`", report.version, report.format));
    }
    Ok(report)
}
