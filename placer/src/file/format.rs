//! The structure of a placement file.

use aiec_device::Tile;
use serde::{Serialize, Serializer};

/// The value of `format`.
pub(super) const FORMAT: &str = "aiec-placement";
/// The version this module reads and writes.
pub(super) const VERSION: u32 = 1;

/// A placement file.
#[derive(Debug, Serialize)]
pub(super) struct File {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) design: String,
    pub(super) device: String,
    pub(super) kernels: Entries<KernelEntry>,
    pub(super) buffers: Entries<BufferEntry>,
    pub(super) shims: Entries<ShimEntry>,
}

/// The entry of a kernel.
#[derive(Debug, Serialize)]
pub(super) struct KernelEntry {
    pub(super) tile: Tile,
    /// May be absent in a partial placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stack: Option<SpotEntry>,
}

/// A position in a module.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct SpotEntry {
    pub(super) tile: Tile,
    pub(super) offset: u32,
}

/// The buffers of a port.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum BufferEntry {
    /// Buffers of its own.
    Own(Vec<SpotEntry>),
    /// The consumer's buffers.
    Word(Shared),
}

/// The word `shared`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shared {
    Shared,
}

/// A shim channel.
#[derive(Debug, Serialize)]
pub(super) struct ShimEntry {
    pub(super) column: u16,
    pub(super) channel: u32,
}

/// A JSON object as a list of its entries. Keeps their order and duplicate names.
#[derive(Debug)]
pub(super) struct Entries<T>(pub(super) Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Serialize> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}
