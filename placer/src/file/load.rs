//! Reads a placement from text.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, Outcome, SourceFile, Span};
use aiec_ir::KernelId;
use aiec_ir::fifos::{FifoPlace, without_place};

use super::read::{Entries, File, KernelEntry};
use super::{FORMAT, VERSION, errors, read};
use crate::placement::{Placement, PortBuffers, ShimSpot, Spot};
use aiec_check::prove::Pins;
use aiec_diag::json::Fault;

/// The content of a placement file.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// A complete placement.
    Whole(Placement),
    /// Tiles of some kernels. The search finds everything else.
    Part(Pins),
}

/// The placement in `source`, by the names of `checked`.
///
/// # Errors
/// Returns `place/bad-file` if the text is no placement file of this version for this design and
/// device, or names something twice. Returns `place/unknown-name` for each name the design does not
/// have, and `place/missing` for each name the file lacks.
pub fn load(checked: &Checked, source: &SourceFile) -> Outcome<Placement> {
    tables(checked, source).and_then(|tables| match tables.missing(source, &BTreeSet::new()) {
        missing if missing.is_empty() => Outcome::ok(tables.placement(checked)),
        missing => Outcome::from_parts(None, missing),
    })
}

/// The placement in `source`, or the tiles of some kernels if it holds nothing else.
///
/// # Errors
/// As [`load`], but a file that gives only tiles may omit kernels. Returns `place/outside` for such
/// a tile that is not on the array.
pub fn load_part(checked: &Checked, device: &Device, source: &SourceFile) -> Outcome<Loaded> {
    tables(checked, source).and_then(|tables| {
        if !tables.is_part() {
            return load(checked, source).map(Loaded::Whole);
        }
        let pins = tables.pins(checked, source);
        let outside = |tile: Tile| tile.column >= device.columns || tile.row >= device.rows;
        let lost = pins.kernels.iter().filter(|(_, tile)| outside(**tile));
        let found: Vec<Diagnostic> = lost
            .map(|(&kernel, &tile)| {
                let name = &checked.kernels[kernel].name;
                errors::outside(key_span(source, name, false), name, tile, device)
            })
            .collect();
        Outcome::new(Loaded::Part(pins), found)
    })
}

/// The entries of a file by kind.
struct Tables {
    kernels: Table<KernelEntry>,
    /// One entry for each port that has buffers.
    buffers: Table<PortBuffers>,
    shims: Table<ShimSpot>,
    /// One entry for each connection with a FIFO to which the design gives no place.
    fifos: Table<Vec<(Spot, u32)>>,
}

/// For each name of the design, with its span, the entry of the file.
type Table<T> = Vec<((String, Span), Option<T>)>;

/// Reads `source`. Unknown and duplicate names are errors.
fn tables(checked: &Checked, source: &SourceFile) -> Outcome<Tables> {
    let file = match read::read(&source.text) {
        Ok(file) => file,
        Err(Fault { at, reason }) => {
            return Outcome::error(errors::bad_file(source.span_at(at), &reason));
        }
    };
    let header = header_faults(checked, source, &file);
    if !header.is_empty() {
        return Outcome::from_parts(None, header);
    }
    let mut found = Faults::default();
    let names = checked.kernels.iter().map(|kernel| (kernel.name.clone(), kernel.span));
    let kernels = table(source, "kernel", names, file.kernels, &mut found);
    let ports = checked.ports.enumerate().filter(|&(id, _)| checked.has_buffers(id));
    let names = ports.map(|(id, port)| (checked.port_name(id), port.span));
    let buffers = table(source, "port", names, file.buffers, &mut found);
    let names = checked.externals.iter().map(|external| (external.name.clone(), external.span));
    let shims = table(source, "input or output", names, file.shims, &mut found);
    let names = without_place(checked).map(|(id, words)| (checked.connection_name(id), words.span));
    let fifos = table(source, "FIFO without a place", names, file.fifos, &mut found);
    let tables = Tables { kernels, buffers, shims, fifos };
    let Faults { mut found, twice } = found;
    // Reports missing names together with other faults.
    if !found.is_empty() && !tables.is_part() {
        found.extend(tables.missing(source, &twice));
    }
    Outcome::new(tables, found)
}

/// The faults in the entries of a file.
#[derive(Default)]
struct Faults {
    found: Vec<Diagnostic>,
    /// Names with two entries. It is unknown which one counts.
    twice: BTreeSet<String>,
}

impl Tables {
    /// Diagnostics for names without an entry. Ignores the names with two. A kernel needs a tile
    /// and a stack.
    fn missing(&self, source: &SourceFile, twice: &BTreeSet<String>) -> Vec<Diagnostic> {
        let kernels = self.kernels.iter().filter_map(|(name, entry)| match entry {
            None => Some((name, "kernel")),
            Some(entry) => entry.stack.is_none().then_some((name, "stack of the kernel")),
        });
        let buffers =
            self.buffers.iter().filter(|(_, entry)| entry.is_none()).map(|(name, _)| (name, "port"));
        let shims = self.shims.iter().filter(|(_, entry)| entry.is_none());
        let absent = kernels.chain(buffers).chain(shims.map(|(name, _)| (name, "input or output")));
        let absent = absent.filter(|((name, _), _)| !twice.contains(name));
        absent.map(|((name, span), kind)| errors::missing(source.span(), *span, kind, name)).collect()
    }

    /// True if the file gives tiles of kernels and nothing else.
    fn is_part(&self) -> bool {
        let stacks = self.kernels.iter().filter_map(|(_, entry)| entry.as_ref()?.stack);
        let buffers = self.buffers.iter().filter_map(|(_, entry)| entry.as_ref());
        let shims = self.shims.iter().filter_map(|(_, entry)| entry.as_ref());
        let fifos = self.fifos.iter().filter_map(|(_, entry)| entry.as_ref());
        stacks.count() + buffers.count() + shims.count() + fifos.count() == 0
    }

    /// The tiles as pins for a search that finds the rest.
    fn pins(self, checked: &Checked, source: &SourceFile) -> Pins {
        let kernels = checked.kernels.ids().zip(self.kernels);
        let kernels: BTreeMap<KernelId, Tile> =
            kernels.filter_map(|(kernel, (_, entry))| Some((kernel, entry?.tile))).collect();
        let span = |&kernel: &KernelId| (kernel, key_span(source, &checked.kernels[kernel].name, false));
        Pins { spans: kernels.keys().map(span).collect(), kernels, file: source.name.clone() }
    }

    /// Builds the placement from complete tables.
    fn placement(self, checked: &Checked) -> Placement {
        let kernels: Vec<KernelEntry> = self.kernels.into_iter().filter_map(|(_, entry)| entry).collect();
        let mut of_ports = self.buffers.into_iter().filter_map(|(_, entry)| entry);
        let buffers = checked.ports.ids().map(|port| match checked.has_buffers(port) {
            false => PortBuffers::None,
            true => of_ports.next().unwrap_or(PortBuffers::None),
        });
        let fifos = without_place(checked).zip(self.fifos).filter_map(|((id, words), (_, parts))| {
            let place = |&(at, of): &(Spot, u32)| FifoPlace::in_module(at.tile, at.offset, of, words.span);
            Some((id, parts?.iter().map(place).collect()))
        });
        Placement {
            fifos: fifos.collect(),
            buffers: buffers.collect(),
            stacks: kernels.iter().filter_map(|entry| entry.stack).collect(),
            kernels: kernels.iter().map(|entry| entry.tile).collect(),
            shims: self.shims.into_iter().filter_map(|(_, entry)| entry).collect(),
        }
    }
}

/// The entries in the order of `names`. Unknown and duplicate names go to `faults`.
fn table<T>(
    source: &SourceFile,
    kind: &str,
    names: impl Iterator<Item = (String, Span)>,
    entries: Entries<T>,
    faults: &mut Faults,
) -> Table<T> {
    let mut table: Table<T> = names.map(|name| (name, None)).collect();
    let index: BTreeMap<String, usize> =
        table.iter().enumerate().map(|(index, ((name, _), _))| (name.clone(), index)).collect();
    for (name, entry) in entries {
        match index.get(&name) {
            None => faults.found.push(errors::unknown_name(key_span(source, &name, false), kind, &name)),
            Some(&index) if table[index].1.is_some() => {
                faults.found.push(errors::named_twice(key_span(source, &name, true), kind, &name));
                faults.twice.insert(name);
            }
            Some(&index) => table[index].1 = Some(entry),
        }
    }
    table
}

/// Checks the format, version, design and device.
fn header_faults(checked: &Checked, source: &SourceFile, file: &File) -> Vec<Diagnostic> {
    let (version, expected) = (file.version.to_string(), VERSION.to_string());
    let fields = [
        ("format", file.format.as_str(), FORMAT),
        ("version", version.as_str(), expected.as_str()),
        ("design", file.design.as_str(), checked.name.value.as_str()),
        ("device", file.device.as_str(), checked.device.value.as_str()),
    ];
    let wrong = fields.into_iter().filter(|(_, has, needs)| has != needs);
    wrong
        .map(|(field, has, needs)| errors::header(key_span(source, field, false), field, has, needs))
        .collect()
}

/// The span of `name` as a key: its last occurrence if `last`, else its first, or the whole file.
fn key_span(source: &SourceFile, name: &str, last: bool) -> Span {
    let quoted = serde_json::Value::from(name).to_string();
    let text = &source.text;
    let is_key = |&at: &usize| text[at + quoted.len()..].trim_start().starts_with(':');
    let mut keys = text.match_indices(quoted.as_str()).map(|(at, _)| at).filter(is_key);
    let at = if last { keys.last() } else { keys.next() };
    at.map_or(source.span(), |at| source.span_at(at..at + quoted.len()))
}
