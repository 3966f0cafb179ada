//! The shape of a placement file.

use std::fmt;
use std::marker::PhantomData;

use aiec_device::Tile;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// What `format` says.
pub(super) const FORMAT: &str = "aiec-placement";
/// The version this module reads and writes.
pub(super) const VERSION: u32 = 1;

/// A placement file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) design: String,
    pub(super) device: String,
    #[serde(default)]
    pub(super) kernels: Entries<KernelEntry>,
    #[serde(default)]
    pub(super) buffers: Entries<BufferEntry>,
    #[serde(default)]
    pub(super) shims: Entries<ShimEntry>,
}

/// A kernel.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KernelEntry {
    pub(super) tile: Tile,
    /// May be left out in a part of a placement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stack: Option<SpotEntry>,
}

/// A place in a module.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpotEntry {
    pub(super) tile: Tile,
    pub(super) offset: u32,
}

/// The buffers of a port.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum BufferEntry {
    /// Its own.
    Own(Vec<SpotEntry>),
    /// Those of the consumer.
    Word(Shared),
}

/// The word `shared`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shared {
    Shared,
}

/// A shim channel.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShimEntry {
    pub(super) column: u16,
    pub(super) channel: u32,
}

/// A JSON object as the list of its entries: keeps their order, and names that occur twice.
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

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with one entry for each name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}
