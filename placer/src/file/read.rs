//! Reads text as the entries of a placement file, or finds the first fault: the field, the expected
//! value and the actual one.

use aiec_device::Tile;

use crate::placement::{PortBuffers, ShimSpot, Spot};
use aiec_diag::json::{self, Fault, Field, Json, Value};

/// A placement file as written, before it is compared with the design.
pub(super) struct File {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) design: String,
    pub(super) device: String,
    pub(super) kernels: Entries<KernelEntry>,
    pub(super) buffers: Entries<PortBuffers>,
    pub(super) shims: Entries<ShimSpot>,
    /// By the names of connections. A part of a FIFO has a place and words.
    pub(super) fifos: Entries<Vec<(Spot, u32)>>,
}

/// The tile of a kernel and its stack, which a partial placement leaves out.
pub(super) struct KernelEntry {
    pub(super) tile: Tile,
    pub(super) stack: Option<Spot>,
}

/// The entries of an object in their order, with duplicate names.
pub(super) type Entries<T> = Vec<(String, T)>;

/// The entries of `text`.
pub(super) fn read(text: &str) -> Result<File, Fault> {
    let value = json::parse(text)?;
    // `generated` marks the tool that wrote the file and does not affect the placement.
    let all = ["format", "version", "design", "device", "kernels", "buffers", "shims", "fifos", "generated"];
    if let Value::Object(fields) = &value.value {
        // JSON of another kind: that says more than its first field does.
        Fields { path: "the file", whole: &value, fields }.required("format")?;
    }
    let fields = Fields::of(&value, "the file", &all)?;
    let name = |field: &str| Ok(fields.required(field)?.text(&format!("`{field}`"))?.to_owned());
    Ok(File {
        format: name("format")?,
        version: fields.required("version")?.number("`version`")?,
        design: name("design")?,
        device: name("device")?,
        kernels: entries(&fields, "kernels", kernel)?,
        buffers: entries(&fields, "buffers", buffer)?,
        shims: entries(&fields, "shims", shim)?,
        fifos: entries(&fields, "fifos", fifo)?,
    })
}

/// The fields of an object, each at most once.
struct Fields<'a> {
    /// The name of the object in messages, as in `` `stack` of `worker[0]` ``.
    path: &'a str,
    whole: &'a Json,
    fields: &'a [Field],
}

impl<'a> Fields<'a> {
    fn of(value: &'a Json, path: &'a str, known: &[&str]) -> Result<Self, Fault> {
        let fields = value.object(path)?;
        for (number, field) in fields.iter().enumerate() {
            let name = &field.name;
            let fault = |reason| Err(Fault { at: field.at.clone(), reason });
            if !known.contains(&name.as_str()) {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                return fault(format!("{path} has no field `{name}`, only {}", known.join(", ")));
            }
            if fields[..number].iter().any(|other| other.name == *name) {
                return fault(format!("{path} has two fields `{name}`"));
            }
        }
        Ok(Self { path, whole: value, fields })
    }

    fn get(&self, name: &str) -> Option<&'a Json> {
        json::field(self.fields, name)
    }

    fn required(&self, name: &str) -> Result<&'a Json, Fault> {
        let reason = || format!("{} has no `{name}`", self.path);
        self.get(name).ok_or_else(|| Fault { at: self.whole.at.clone(), reason: reason() })
    }

    fn number<T: TryFrom<u64>>(&self, name: &str) -> Result<T, Fault> {
        self.required(name)?.number(&format!("`{name}` of {}", self.path))
    }
}

/// The table `name`, one entry for each name. Empty if the file has no such table.
fn entries<T>(
    fields: &Fields<'_>,
    name: &str,
    read: impl Fn(&Json, &str) -> Result<T, Fault>,
) -> Result<Entries<T>, Fault> {
    let Some(value) = fields.get(name) else { return Ok(Entries::new()) };
    let all = value.object(&format!("`{name}`"))?;
    let entry = |field: &Field| Ok((field.name.clone(), read(&field.value, &format!("`{}`", field.name))?));
    all.iter().map(entry).collect()
}

fn kernel(value: &Json, path: &str) -> Result<KernelEntry, Fault> {
    let fields = Fields::of(value, path, &["tile", "stack"])?;
    let stack = fields.get("stack").map(|value| spot(value, &format!("`stack` of {path}")));
    Ok(KernelEntry { tile: tile(&fields)?, stack: stack.transpose()? })
}

fn buffer(value: &Json, path: &str) -> Result<PortBuffers, Fault> {
    match &value.value {
        Value::List(spots) => {
            let one = |(number, value)| spot(value, &format!("buffer {number} of {path}"));
            Ok(PortBuffers::Own((1..).zip(spots).map(one).collect::<Result<_, Fault>>()?))
        }
        Value::Text(word) if word == "shared" => Ok(PortBuffers::Shared),
        _ => Err(value.unlike(path, "a list of buffers, or \"shared\",")),
    }
}

fn fifo(value: &Json, path: &str) -> Result<Vec<(Spot, u32)>, Fault> {
    let part = |value| {
        let fields = Fields::of(value, path, &["tile", "offset", "words"])?;
        Ok((Spot { offset: fields.number("offset")?, tile: tile(&fields)? }, fields.number("words")?))
    };
    value.list(path)?.iter().map(part).collect()
}

fn shim(value: &Json, path: &str) -> Result<ShimSpot, Fault> {
    let fields = Fields::of(value, path, &["column", "channel"])?;
    Ok(ShimSpot { column: fields.number("column")?, channel: fields.number("channel")? })
}

fn spot(value: &Json, path: &str) -> Result<Spot, Fault> {
    let fields = Fields::of(value, path, &["tile", "offset"])?;
    Ok(Spot { offset: fields.number("offset")?, tile: tile(&fields)? })
}

/// The field `tile`: a column and a row.
fn tile(fields: &Fields<'_>) -> Result<Tile, Fault> {
    let (value, path) = (fields.required("tile")?, format!("`tile` of {}", fields.path));
    let [column, row] = value.list(&path)? else {
        return Err(value.unlike(&path, "a list of two numbers, column and row,"));
    };
    let column = column.number(&format!("the column in {path}"))?;
    Ok(Tile::new(column, row.number(&format!("the row in {path}"))?))
}
