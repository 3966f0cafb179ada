//! Device files: TOML text in, a self-checked [`Device`] out.

use std::ops::Range;

use aiec_diag::{Outcome, SourceFile, SourceId};
use toml::de::DeTable;

use crate::check::{self, Fault};
use crate::{Device, errors};

/// The device files that come with aiec: name and text.
const BUILTIN: &[(&str, &str)] = &[
    ("toy", include_str!("../devices/toy.toml")),
    ("xcvc1902", include_str!("../devices/xcvc1902.toml")),
    ("xcve2302", include_str!("../devices/xcve2302.toml")),
    ("xcve2802", include_str!("../devices/xcve2802.toml")),
];

/// Names of the devices that come with aiec, in alphabetical order.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

/// The built-in device called `name`. Returns None when aiec has no such device.
///
/// The diagnostics of a built-in file would point into a text that the user does not have. Tests
/// ensure that there are none.
pub fn builtin(name: &str) -> Option<Outcome<Device>> {
    let text = builtin_text(name)?;
    let source = SourceFile { id: SourceId(u32::MAX), name: name.to_owned(), text: text.to_owned() };
    Some(parse(&source))
}

/// The device file of the device called `name`, if it comes with aiec.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(candidate, _)| *candidate == name).map(|(_, text)| *text)
}

/// Reads a device file and checks that its numbers agree with each other.
///
/// # Errors
/// `device/bad-file` for text that is not a device file, `device/inconsistent` for each
/// contradiction.
pub fn parse(source: &SourceFile) -> Outcome<Device> {
    match toml::from_str::<Device>(&source.text) {
        Ok(device) => {
            let faults = check::faults(&device);
            let table = DeTable::parse(&source.text).ok();
            let at = |fault: &Fault| table.as_ref().and_then(|table| find(table.get_ref(), &fault.key));
            let span = |fault| at(fault).map_or_else(|| source.span(), |range| source.span_at(range));
            let diagnostics = faults.iter().map(|fault| errors::inconsistent(span(fault), fault)).collect();
            Outcome::new(device, diagnostics)
        }
        Err(error) => {
            let span = error.span().map_or_else(|| source.span(), |range| source.span_at(range));
            Outcome::error(errors::bad_file(span, error.message()))
        }
    }
}

/// Position of the value of `key`, such as `shim.noc_columns`, or of the innermost existing table
/// around it.
fn find(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let value = table.get(first)?;
    let inner = rest.zip(value.get_ref().as_table()).and_then(|(rest, table)| find(table, rest));
    inner.or_else(|| Some(value.span()))
}
