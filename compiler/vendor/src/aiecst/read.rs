//! Reads the text of a constraints file.

use std::collections::BTreeSet;

use aiec_device::Tile;
use aiec_diag::json::{self, Fault, Field, Json, Value, field};
use aiec_diag::{Outcome, SourceFile, Span, Spanned, nearest};

use super::fields::{flag, optional, required, text, texts};
use super::{
    Address, Area, Constraints, Fifo, Node, Port, Relation, RelationKind, Relative, Shim, Shims, Stamp,
    Tiles, Unknown,
};
use crate::errors::bad_constraints;
use crate::ports::port_name;

/// Some editors put it before the first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Most JSON values of a file. A node and its four ports have about 70, so this is enough for 14000
/// kernels, and keeps the values of a file below 256 MiB.
const MOST_VALUES: usize = 1_000_000;

/// The sections of a file, and the entries of those with fixed ones. Nodes and ports may state
/// relations, too.
const SECTIONS: [&str; 3] = ["NodeConstraints", "PortConstraints", "GlobalConstraints"];
const NODE: [&str; 4] = ["tile", "shim", "reserved_memory", "relative_nodes"];
const PORT: [&str; 2] = ["buffers", "fifo_locations"];
const GROUPS: [&str; 2] = ["areaGroup", "isomorphicGraphGroup"];
const FIFOS: [&str; 2] = ["dma_fifos", "stream_fifos"];

/// The fields of each kind of object. `tile_type` says nothing beyond the object's name.
const TILE: [&str; 3] = ["column", "row", "tile_type"];
const SHIM: [&str; 3] = ["column", "channel", "tile_type"];
const ADDRESS: [&str; 5] = ["column", "row", "bankId", "offset", "tile_type"];
const FIFO: [&str; 8] = ["fifo_id", "tile_type", "column", "row", "channel", "bankId", "offset", "size"];
const STAMP: [&str; 3] = ["name", "referenceGraph", "stampedGraphs"];
const AREA: [&str; 11] = [
    "name",
    "nodeGroup",
    "tileGroup",
    "shimGroup",
    "contain_routing",
    "exclude_routing",
    "exclusive_routing",
    "exclude_placement",
    "exclusive_placement",
    "exclude",
    "issoft",
];

/// The constraints of `file`.
///
/// # Errors
/// Returns `input/bad-constraints` for each entry that has the name of a known one and another
/// form, and for a text that is no JSON object.
pub fn read(file: &SourceFile) -> Outcome<Constraints> {
    let mut reader = Reader { file, all: Constraints::default(), faults: Vec::new() };
    if let Err(fault) = reader.sections() {
        reader.faults.push(fault);
    }
    reader.all.repeated = repeated(&mut reader.all);
    let diagnostics =
        reader.faults.iter().map(|Fault { at, reason }| bad_constraints(file.span_at(at.clone()), reason));
    Outcome::new(reader.all, diagnostics.collect())
}

/// Takes out the places of nodes and ports that the file states again, and returns their names.
fn repeated(all: &mut Constraints) -> Vec<Spanned<String>> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut keep = |name: &str, what: &'static str, span: Option<Span>| {
        let Some(span) = span else { return true };
        let is_last = seen.insert((name.to_owned(), what));
        if !is_last {
            found.push(Spanned::new(format!("`{what}` of `{name}`"), span));
        }
        is_last
    };
    for node in all.nodes.iter_mut().rev() {
        let name = &node.name.value;
        node.tile.take_if(|tile| !keep(name, "tile", Some(tile.span)));
        node.shim.take_if(|shim| !keep(name, "shim", Some(shim.span)));
        node.reserved_memory.take_if(|address| !keep(name, "reserved_memory", Some(address.span)));
    }
    for port in all.ports.iter_mut().rev() {
        let first = port.buffers.first().map(|buffer| buffer.span);
        if !keep(&port.name.value, "buffers", first) {
            port.buffers.clear();
        }
    }
    found.reverse();
    found
}

/// These entries of a node or port, and the relations.
fn with_relations<const N: usize>(own: [&'static str; N]) -> impl Iterator<Item = &'static str> {
    own.into_iter().chain(RelationKind::ALL.into_iter().map(RelationKind::word))
}

struct Reader<'a> {
    file: &'a SourceFile,
    all: Constraints,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn sections(&mut self) -> Result<(), Fault> {
        let text = self.file.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.file.text);
        let before = self.file.text.len() - text.len();
        let value = parsed(text)
            .map_err(|Fault { at, reason }| Fault { at: at.start + before..at.end + before, reason })?;
        for section in value.object("the file")? {
            match section.name.as_str() {
                "NodeConstraints" => self.each(section, Self::node),
                "PortConstraints" => self.each(section, Self::port),
                "GlobalConstraints" => self.each(section, Self::global),
                name => self.unknown(section, name, SECTIONS),
            }
        }
        Ok(())
    }

    /// Reads each field of a section, and keeps the fault of each.
    fn each(&mut self, section: &Field, read: fn(&mut Self, &Field) -> Result<(), Fault>) {
        let fields = match section.value.object(&format!("`{}`", section.name)) {
            Ok(fields) => fields,
            Err(fault) => return self.faults.push(fault),
        };
        for field in fields {
            if let Err(fault) = read(self, field) {
                self.faults.push(fault);
            }
        }
    }

    /// Lists an entry that aiec does not know. `tile_src_info` and the like tell from which line of
    /// the graph a constraint comes, and constrain nothing.
    /// `known` are the names that aiec reads at this place.
    fn unknown(&mut self, field: &Field, path: &str, known: impl IntoIterator<Item = &'static str>) {
        if path.ends_with("_src_info") {
            return;
        }
        let path = Spanned::new(path.to_owned(), self.file.span_at(field.at.clone()));
        self.all.unknown.push(Unknown { path, near: nearest(&field.name, known) });
    }

    /// Lists the fields of an object besides those that aiec reads. `path` leads to the object.
    fn others(&mut self, value: &Json, known: &'static [&'static str], path: &str) {
        let Value::Object(fields) = &value.value else { return };
        for field in fields.iter().filter(|field| !known.contains(&field.name.as_str())) {
            self.unknown(field, &format!("{path}.{}", field.name), known.iter().copied());
        }
    }

    /// The name of a port. The constraints that the tool writes of the graph's own locations,
    /// before it maps the graph, have `g.k/po1` for `g.k.out[1]` (a public run of 2023.2).
    fn port_name(&self, field: &Field) -> Spanned<String> {
        let Spanned { value, span } = self.name(field);
        Spanned::new(if value.contains('/') { port_name(&value) } else { value }, span)
    }

    fn name(&self, field: &Field) -> Spanned<String> {
        Spanned::new(field.name.clone(), self.file.span_at(field.at.clone()))
    }

    /// Pairs a value with its place.
    fn placed<T>(&self, value: &Json, read: fn(&Json) -> Result<T, Fault>) -> Result<Spanned<T>, Fault> {
        Ok(Spanned::new(read(value)?, self.file.span_at(value.at.clone())))
    }

    fn node(&mut self, entry: &Field) -> Result<(), Fault> {
        let fields = entry.value.object(&format!("`{}`", entry.name))?;
        let mut node = Node {
            name: self.name(entry),
            tile: None,
            shim: None,
            reserved_memory: None,
            relations: Vec::new(),
            relative: Vec::new(),
        };
        for field in fields {
            let known: &'static [&'static str] = match field.name.as_str() {
                "tile" => &TILE,
                "shim" => &SHIM,
                "reserved_memory" => &ADDRESS,
                _ => &[],
            };
            if !known.is_empty() {
                self.others(&field.value, known, &format!("{}.{}", entry.name, field.name));
            }
            match field.name.as_str() {
                "tile" => node.tile = Some(self.placed(&field.value, tile)?),
                "shim" => node.shim = Some(self.placed(&field.value, shim)?),
                "reserved_memory" => node.reserved_memory = Some(self.placed(&field.value, address)?),
                "relative_nodes" => {
                    let texts = texts(self.file, &field.value, "`relative_nodes`")?;
                    node.relative.extend(
                        ranges(texts, relative, "g.k1:(X=1,Y=-2)", &field.value)?.into_iter().map(
                            |Spanned { value: (name, columns, rows), span }| Relative {
                                name: Spanned::new(name, span),
                                columns,
                                rows,
                            },
                        ),
                    );
                }
                name => match self.relation(field)? {
                    Some(relation) => node.relations.push(relation),
                    None => self.unknown(field, &format!("{}.{name}", entry.name), with_relations(NODE)),
                },
            }
        }
        self.all.nodes.push(node);
        Ok(())
    }

    fn port(&mut self, entry: &Field) -> Result<(), Fault> {
        if entry.name == "fifo_locations_records" {
            return self.fifos(entry);
        }
        let fields = entry.value.object(&format!("`{}`", entry.name))?;
        let mut port = Port {
            name: self.port_name(entry),
            buffers: Vec::new(),
            fifo_locations: Vec::new(),
            relations: Vec::new(),
        };
        for field in fields {
            match field.name.as_str() {
                "buffers" => {
                    let buffers = field.value.list("`buffers`")?;
                    let path = format!("{}.buffers", entry.name);
                    buffers.iter().for_each(|value| self.others(value, &ADDRESS, &path));
                    port.buffers =
                        buffers.iter().map(|value| self.placed(value, address)).collect::<Result<_, _>>()?;
                }
                "fifo_locations" => port.fifo_locations = texts(self.file, &field.value, "`fifo_locations`")?,
                name => match self.relation(field)? {
                    Some(relation) => port.relations.push(relation),
                    None => self.unknown(field, &format!("{}.{name}", entry.name), with_relations(PORT)),
                },
            }
        }
        self.all.ports.push(port);
        Ok(())
    }

    fn relation(&self, field: &Field) -> Result<Option<Relation>, Fault> {
        let Some(kind) = RelationKind::ALL.into_iter().find(|kind| kind.word() == field.name) else {
            return Ok(None);
        };
        let others = texts(self.file, &field.value, &format!("`{}`", kind.word()))?;
        Ok(Some(Relation { kind, others, span: self.file.span_at(field.at.start..field.value.at.end) }))
    }

    fn global(&mut self, entry: &Field) -> Result<(), Fault> {
        let read = match entry.name.as_str() {
            "areaGroup" => Self::area,
            "isomorphicGraphGroup" | "IsomorphicGraphGroup" => Self::stamp,
            name => {
                self.unknown(entry, &format!("GlobalConstraints.{name}"), GROUPS);
                return Ok(());
            }
        };
        match &entry.value.value {
            Value::List(all) => all.iter().try_for_each(|one| read(self, one)),
            _ => read(self, &entry.value),
        }
    }

    fn area(&mut self, value: &Json) -> Result<(), Fault> {
        self.others(value, &AREA, "areaGroup");
        let fields = value.object("`areaGroup`")?;
        let names = |name: &str| -> Result<_, Fault> {
            field(fields, name).map_or(Ok(Vec::new()), |value| texts(self.file, value, &format!("`{name}`")))
        };
        let is =
            |name: &str| field(fields, name).map_or(Ok(false), |value| flag(value, &format!("`{name}`")));
        let area = Area {
            name: self.optional_text(fields, "name")?,
            nodes: names("nodeGroup")?,
            tiles: ranges(names("tileGroup")?, tiles, "(2,0):(2,3)", value)?,
            shims: ranges(names("shimGroup")?, shims, "0:3", value)?,
            contain_routing: is("contain_routing")?,
            exclude_routing: is("exclude_routing")? || is("exclusive_routing")?,
            exclude_placement: is("exclude_placement")? || is("exclusive_placement")?,
            exclude: is("exclude")?,
            soft: is("issoft")?,
            span: self.file.span_at(value.at.clone()),
        };
        self.all.areas.push(area);
        Ok(())
    }

    fn stamp(&mut self, value: &Json) -> Result<(), Fault> {
        self.others(value, &STAMP, "isomorphicGraphGroup");
        let fields = value.object("`isomorphicGraphGroup`")?;
        let stamped = field(fields, "stampedGraphs")
            .map_or(Ok(Vec::new()), |value| texts(self.file, value, "`stampedGraphs`"))?;
        self.all.stamps.push(Stamp {
            name: self.optional_text(fields, "name")?,
            reference: self.optional_text(fields, "referenceGraph")?,
            stamped,
            span: self.file.span_at(value.at.clone()),
        });
        Ok(())
    }

    fn optional_text(&self, fields: &[Field], name: &str) -> Result<Option<Spanned<String>>, Fault> {
        field(fields, name).map(|value| text(self.file, value, &format!("`{name}`"))).transpose()
    }

    fn fifos(&mut self, entry: &Field) -> Result<(), Fault> {
        for kind in entry.value.object("`fifo_locations_records`")? {
            let dma = match kind.name.as_str() {
                "dma_fifos" => true,
                "stream_fifos" => false,
                name => {
                    self.unknown(kind, &format!("fifo_locations_records.{name}"), FIFOS);
                    continue;
                }
            };
            for entry in kind.value.object(&format!("`{}`", kind.name))? {
                let fifo = self.fifo(entry, dma)?;
                self.all.fifos.push(fifo);
            }
        }
        Ok(())
    }

    fn fifo(&mut self, entry: &Field, dma: bool) -> Result<Fifo, Fault> {
        self.others(&entry.value, &FIFO, &entry.name);
        let fields = entry.value.object(&format!("`{}`", entry.name))?;
        Ok(Fifo {
            name: self.name(entry),
            dma,
            tile_type: self.optional_text(fields, "tile_type")?.map(|text| text.value),
            tile: tile(&entry.value)?,
            channel: optional(fields, "channel")?,
            bank: optional(fields, "bankId")?,
            offset: optional(fields, "offset")?,
            words: optional(fields, "size")?,
            span: self.file.span_at(entry.value.at.clone()),
        })
    }
}

/// The value of a text of bounded size.
fn parsed(text: &str) -> Result<Json, Fault> {
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values > MOST_VALUES {
        let reason = format!("it has {values} values, more than the {MOST_VALUES} that aiec reads");
        return Err(Fault { at: 0..1, reason });
    }
    json::parse(text)
}

fn tile(value: &Json) -> Result<Tile, Fault> {
    let fields = value.object("a tile")?;
    Ok(Tile::new(required(value, fields, "column")?, required(value, fields, "row")?))
}

fn shim(value: &Json) -> Result<Shim, Fault> {
    let fields = value.object("`shim`")?;
    Ok(Shim { column: required(value, fields, "column")?, channel: optional(fields, "channel")? })
}

fn address(value: &Json) -> Result<Address, Fault> {
    let fields = value.object("an address")?;
    let has_module = ["column", "row"].iter().any(|name| field(fields, name).is_some());
    Ok(Address {
        module: has_module.then(|| tile(value)).transpose()?,
        bank: optional(fields, "bankId")?,
        offset: optional(fields, "offset")?,
    })
}

/// What `texts` write: ranges, or nodes at distances.
fn ranges<T>(
    texts: Vec<Spanned<String>>,
    read: fn(&str) -> Option<T>,
    example: &str,
    whole: &Json,
) -> Result<Vec<Spanned<T>>, Fault> {
    let range = |text: Spanned<String>| match read(&text.value) {
        Some(range) => Ok(Spanned::new(range, text.span)),
        None => {
            let reason = format!("`{}` has another form than \"{example}\"", text.value);
            Err(Fault { at: whole.at.clone(), reason })
        }
    };
    texts.into_iter().map(range).collect()
}

/// A node and its distance: `g.k1:(X=1,Y=-2)`, or one number of the two.
fn relative(text: &str) -> Option<(String, Option<i64>, Option<i64>)> {
    let (name, numbers) = text.trim().rsplit_once(":(")?;
    let (mut columns, mut rows) = (None, None);
    for number in numbers.strip_suffix(')')?.split(',') {
        let (axis, distance) = number.split_once('=')?;
        let distance = Some(distance.trim().parse::<i32>().ok()?.into());
        match axis.trim() {
            "X" | "x" => columns = distance,
            "Y" | "y" => rows = distance,
            _ => return None,
        }
    }
    Some((name.trim().to_owned(), columns, rows))
}

/// `(2,0):(2,3)`, or a single tile.
fn tiles(text: &str) -> Option<Tiles> {
    let tile = |text: &str| {
        let (column, row) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
        Some(Tile::new(column.trim().parse().ok()?, row.trim().parse().ok()?))
    };
    let (from, to) = ends(text, tile)?;
    Some(Tiles { from, to })
}

/// `0:3`, `(0,1):(3,1)`, or a single column.
fn shims(text: &str) -> Option<Shims> {
    let shim = |text: &str| {
        let inner = text.trim();
        let inner = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner);
        let (column, channel) = match inner.split_once(',') {
            Some((column, channel)) => (column, Some(channel.trim().parse().ok()?)),
            None => (inner, None),
        };
        Some(Shim { column: column.trim().parse().ok()?, channel })
    };
    let (from, to) = ends(text, shim)?;
    Some(Shims { from, to })
}

/// Both ends of `from:to`. An end alone is both.
fn ends<T: Copy>(text: &str, end: impl Fn(&str) -> Option<T>) -> Option<(T, T)> {
    match text.split_once(':') {
        Some((from, to)) => Some((end(from)?, end(to)?)),
        None => end(text).map(|only| (only, only)),
    }
}
