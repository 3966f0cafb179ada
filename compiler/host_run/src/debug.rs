//! Debug information of compiled programs: in goes a program, out come its units and what their entries say.

use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, Unit, UnitOffset};
use object::{Object, ObjectSection};

pub(crate) type Slice<'a> = EndianSlice<'a, LittleEndian>;
pub(crate) type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// Calls `each` for every unit of the program; none if the information cannot be read, or `each` ends with none.
pub(crate) fn units<'a>(
    program: &'a [u8],
    mut each: impl FnMut(&Dwarf<Slice<'a>>, &Unit<Slice<'a>>) -> Option<()>,
) -> Option<()> {
    let file = object::File::parse(program).ok()?;
    let section = |id: gimli::SectionId| -> Result<Slice<'a>, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok(EndianSlice::new(data.unwrap_or(&[]), LittleEndian))
    };
    let dwarf = Dwarf::load(section).ok()?;
    let mut headers = dwarf.units();
    while let Some(header) = headers.next().ok()? {
        each(&dwarf, &dwarf.unit(header).ok()?)?;
    }
    Some(())
}

/// The entry that an attribute refers to, in the same unit.
pub(crate) fn reference(entry: &Entry<'_>, name: gimli::DwAt) -> Option<UnitOffset> {
    match entry.attr_value(name)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

/// An attribute that is a number.
pub(crate) fn number(entry: &Entry<'_>, name: gimli::DwAt) -> Option<u64> {
    entry.attr_value(name).and_then(|value| value.udata_value())
}

/// An attribute that is a text.
pub(crate) fn text<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    entry: &Entry<'a>,
    name: gimli::DwAt,
) -> Option<String> {
    let text = dwarf.attr_string(unit, entry.attr_value(name)?).ok()?;
    Some(text.to_string_lossy().into_owned())
}
