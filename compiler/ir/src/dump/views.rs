//! The forms of the dumps: what serde writes as JSON.

use aiec_collectives::{Buffering, Direction, Operation, PortKind};
use serde::Serialize;

use crate::decimal::Decimal;

#[derive(Serialize)]
pub(super) struct DesignView<'a> {
    pub(super) name: &'a str,
    pub(super) device: &'a str,
    pub(super) vitis: &'a str,
    pub(super) board: &'a str,
    pub(super) iterations: u32,
    pub(super) ports: PortKind,
    pub(super) constants: Vec<ConstantView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tables: Vec<TableView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) decimals: Vec<DecimalsView<'a>>,
    pub(super) kernels: Vec<FamilyView<'a>>,
    pub(super) externals: Vec<FamilyExternalView<'a>>,
    pub(super) collectives: Vec<WrittenCollectiveView<'a>>,
    pub(super) connections: Vec<WrittenConnectionView>,
    pub(super) places: Vec<PlaceView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) constraints: Vec<ConstraintView>,
}

#[derive(Serialize)]
pub(super) struct ExpandedView<'a> {
    pub(super) name: &'a str,
    pub(super) device: &'a str,
    pub(super) vitis: &'a str,
    pub(super) board: &'a str,
    pub(super) iterations: u32,
    pub(super) ports: PortKind,
    pub(super) kernels: Vec<KernelView<'a>>,
    pub(super) externals: Vec<ExternalView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) parameters: Vec<ParameterView<'a>>,
    pub(super) collectives: Vec<ScheduledView<'a>>,
    pub(super) connections: Vec<ConnectionView<'a>>,
    pub(super) places: Vec<PlaceView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) constraints: Vec<ConstraintView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) blocks: Vec<BlockView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) shims: Vec<ShimView>,
}

#[derive(Serialize)]
pub(super) struct ConstantView<'a> {
    pub(super) name: &'a str,
    pub(super) value: i64,
}

#[derive(Serialize)]
pub(super) struct TableView<'a> {
    pub(super) name: &'a str,
    pub(super) values: &'a [i64],
}

#[derive(Serialize)]
pub(super) struct DecimalsView<'a> {
    pub(super) name: &'a str,
    pub(super) values: &'a [Decimal],
}

#[derive(Serialize)]
pub(super) struct FamilyView<'a> {
    pub(super) name: &'a str,
    pub(super) dims: &'a [u32],
    /// What all instances have.
    #[serde(flatten)]
    pub(super) body: Option<BodyView<'a>>,
    /// What each instance has, if they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) instances: Vec<BodyView<'a>>,
    pub(super) ports: Vec<UserPortView<'a>>,
}

#[derive(Serialize)]
pub(super) struct BodyView<'a> {
    /// The function or class, if it is not called like the family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function: Option<&'a str>,
    pub(super) source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) template: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) arguments: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) init: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stack: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) heap: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) runtime: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) program: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) repetitions: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cycles: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct UserPortView<'a> {
    pub(super) name: &'a str,
    pub(super) direction: Direction,
    #[serde(flatten)]
    pub(super) carries: CarriesView,
    #[serde(rename = "async", skip_serializing_if = "std::ops::Not::not")]
    pub(super) asynchronous: bool,
}

/// What a port carries, under the word for its kind: `"window": "int32[4]"`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CarriesView {
    Window(String),
    Stream(String),
    Packets(String),
    Cascade(String),
    Parameter(String),
    Table(String),
}

#[derive(Serialize)]
pub(super) struct FamilyExternalView<'a> {
    pub(super) name: &'a str,
    pub(super) dims: &'a [u32],
    pub(super) kind: &'static str,
    #[serde(flatten)]
    pub(super) endpoint: EndpointView<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) golden: Option<&'a str>,
}

/// The far end of an input or output, under the key `plio` or `gmio`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum EndpointView<'a> {
    Plio {
        bits: u32,
        file: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        frequency: Option<f64>,
    },
    Gmio {
        file: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        burst: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bandwidth: Option<u32>,
    },
    Host {
        initial: &'a [Decimal],
        file: Option<&'a str>,
    },
}

/// The fields of a collective that exist before and after expansion.
#[derive(Serialize)]
pub(super) struct CollectiveView<'a> {
    pub(super) name: &'a str,
    pub(super) operation: Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) op: Option<&'a str>,
    pub(super) data: String,
    pub(super) window: String,
    pub(super) shape: String,
    pub(super) buffer: Buffering,
    pub(super) calls: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cycles: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
}

#[derive(Serialize)]
pub(super) struct WrittenCollectiveView<'a> {
    #[serde(flatten)]
    pub(super) collective: CollectiveView<'a>,
    pub(super) root: String,
    pub(super) group: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct ScheduledView<'a> {
    #[serde(flatten)]
    pub(super) collective: CollectiveView<'a>,
    pub(super) root: &'a str,
    pub(super) ranks: Vec<&'a str>,
}

#[derive(Serialize)]
pub(super) struct WrittenConnectionView {
    pub(super) from: SelectionView,
    pub(super) to: SelectionView,
    pub(super) buffer: Buffering,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fifo: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) packets: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct SelectionView {
    pub(super) ports: Vec<String>,
    #[serde(rename = "async")]
    pub(super) asynchronous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) windows: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct KernelView<'a> {
    pub(super) name: &'a str,
    pub(super) family: &'a str,
    /// The C++ and the memory, unless it is one plain function for the whole family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<BodyView<'a>>,
    pub(super) inputs: Vec<PortView<'a>>,
    pub(super) outputs: Vec<PortView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) inouts: Vec<PortView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tables: Vec<PortView<'a>>,
    pub(super) memberships: Vec<MembershipView<'a>>,
    /// Runs in one iteration, where they are not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) repetitions: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct PortView<'a> {
    pub(super) name: &'a str,
    #[serde(flatten)]
    pub(super) carries: Option<CarriesView>,
    #[serde(rename = "async")]
    pub(super) asynchronous: bool,
    /// Windows that the kernel acquires in one run. None when the design does not state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) windows: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct MembershipView<'a> {
    pub(super) collective: &'a str,
    pub(super) rank: u32,
    pub(super) inputs: Vec<&'a str>,
    pub(super) outputs: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cycles: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct ExternalView<'a> {
    pub(super) name: &'a str,
    pub(super) identifier: &'a str,
    pub(super) kind: &'static str,
    #[serde(flatten)]
    pub(super) endpoint: EndpointView<'a>,
    #[serde(flatten)]
    pub(super) carries: Option<CarriesView>,
}

#[derive(Serialize)]
pub(super) struct ConnectionView<'a> {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) buffer: Buffering,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fifo: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) packets: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) collective: Option<&'a str>,
}

/// A run-time parameter of the host.
#[derive(Serialize)]
pub(super) struct ParameterView<'a> {
    pub(super) name: &'a str,
    pub(super) identifier: &'a str,
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "<[Decimal]>::is_empty")]
    pub(super) initial: &'a [Decimal],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<&'a str>,
    pub(super) ports: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct PlaceView {
    pub(super) kernel: String,
    pub(super) column: i64,
    pub(super) row: i64,
}

/// A placement constraint other than a `place` on a tile.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ConstraintView {
    Relative { kernel: String, from: String, columns: i64, rows: i64 },
    Aligned { kernel: String, from: String, axis: &'static str, distance: i64 },
    Region { kernels: Vec<String>, areas: Vec<[(i64, i64); 2]> },
    Together(Vec<String>),
    Apart(Vec<String>),
    Distinct(Vec<String>),
    Keepout { from: (i64, i64), to: (i64, i64) },
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BlockView {
    Place {
        block: String,
        spots: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        beside: Option<(i64, i64)>,
    },
    Tie {
        block: String,
        follows: String,
        columns: i64,
        rows: i64,
    },
    Elsewhere {
        block: String,
        than: String,
    },
    OneBank([String; 2]),
    NoBank([String; 2]),
    Apart(Vec<String>),
}

/// An input or output in a column of the interface row.
#[derive(Serialize)]
pub(super) struct ShimView {
    pub(super) external: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) channel: Option<u32>,
    /// The kernel whose column it follows, and the columns from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) follows: Option<(String, i64)>,
}
