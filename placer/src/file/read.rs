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
    let name = |field: &str| fields.required(field).and_then(|value| text_of(value, &format!("`{field}`")));
    Ok(File {
        format: name("format")?,
        version: number(fields.required("version")?, "`version`")?,
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
        let Value::Object(fields) = &value.value else { return Err(unlike(value, path, "an object")) };
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
        self.fields.iter().find(|field| field.name == name).map(|field| &field.value)
    }

    fn required(&self, name: &str) -> Result<&'a Json, Fault> {
        let reason = || format!("{} has no `{name}`", self.path);
        self.get(name).ok_or_else(|| Fault { at: self.whole.at.clone(), reason: reason() })
    }

    fn number<T: TryFrom<u64>>(&self, name: &str) -> Result<T, Fault> {
        number(self.required(name)?, &format!("`{name}` of {}", self.path))
    }
}

/// The fault of a value that is not as expected.
fn unlike(value: &Json, path: &str, expected: &str) -> Fault {
    let found = match &value.value {
        Value::Object(_) => "an object".to_owned(),
        Value::List(list) => format!("a list of {}", list.len()),
        Value::Text(text) => format!("the text \"{}\"", text.escape_debug()),
        Value::Number(number) => format!("the number {number}"),
        Value::Word(word) => format!("`{word}`"),
    };
    Fault { at: value.at.clone(), reason: format!("{path} is {found}, but {expected} is expected") }
}

/// The table `name`, one entry for each name. Empty if the file has no such table.
fn entries<T>(
    fields: &Fields<'_>,
    name: &str,
    read: impl Fn(&Json, &str) -> Result<T, Fault>,
) -> Result<Entries<T>, Fault> {
    let Some(value) = fields.get(name) else { return Ok(Entries::new()) };
    let Value::Object(all) = &value.value else {
        return Err(unlike(value, &format!("`{name}`"), "an object with one entry for each name"));
    };
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
        _ => Err(unlike(value, path, "a list of buffers, or \"shared\",")),
    }
}

fn fifo(value: &Json, path: &str) -> Result<Vec<(Spot, u32)>, Fault> {
    let Value::List(parts) = &value.value else { return Err(unlike(value, path, "a list of places")) };
    let part = |value| {
        let fields = Fields::of(value, path, &["tile", "offset", "words"])?;
        Ok((Spot { offset: fields.number("offset")?, tile: tile(&fields)? }, fields.number("words")?))
    };
    parts.iter().map(part).collect()
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
    match &value.value {
        Value::List(list) if list.len() == 2 => {
            let column = number(&list[0], &format!("the column in {path}"))?;
            Ok(Tile::new(column, number(&list[1], &format!("the row in {path}"))?))
        }
        _ => Err(unlike(value, &path, "a list of two numbers, column and row,")),
    }
}

fn text_of(value: &Json, path: &str) -> Result<String, Fault> {
    match &value.value {
        Value::Text(text) => Ok(text.clone()),
        _ => Err(unlike(value, path, "a text in quotes")),
    }
}

/// A whole number that fits its type.
fn number<T: TryFrom<u64>>(value: &Json, path: &str) -> Result<T, Fault> {
    let whole = match &value.value {
        Value::Number(number) => number.parse::<u64>().ok().and_then(|number| T::try_from(number).ok()),
        _ => None,
    };
    let most = (1_u64 << (8 * size_of::<T>()).min(63)) - 1;
    whole.ok_or_else(|| unlike(value, path, &format!("a whole number from 0 to {most}")))
}
