//! Reader for the DWARF debug information of compiled programs.

use std::path::Path;

use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, Unit, UnitOffset};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};

/// Placeholder for the moving folder in keys and debug information.
pub(crate) const SETTLED: &str = "/aiec";

pub(crate) type Slice<'a> = EndianSlice<'a, LittleEndian>;
pub(crate) type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// One entry of the debug information.
#[derive(Debug)]
pub(crate) struct Die {
    /// Kind of the entry.
    pub(crate) tag: gimli::DwTag,
    /// Index of the entry around it.
    pub(crate) parent: Option<usize>,
    /// Name in the source.
    pub(crate) name: Option<String>,
    /// Name for the linker, mangled as in C++.
    pub(crate) linkage: Option<String>,
    /// The entry that describes the type, as an offset in the unit.
    pub(crate) of_type: Option<UnitOffset>,
    /// The entry of which this is an instance: an abstract function or variable, a declaration, or
    /// the callee of a call.
    pub(crate) origin: Option<UnitOffset>,
    /// Size of a type in bytes.
    pub(crate) bytes: Option<u64>,
    /// Elements of one dimension of an array.
    pub(crate) count: Option<u64>,
    /// The value of a constant.
    pub(crate) constant: Option<u64>,
    /// True if it is declared elsewhere, as static members of classes are.
    pub(crate) elsewhere: bool,
    /// True if the runtime's headers declare it.
    pub(crate) ours: bool,
    /// File and line, if the user wrote it.
    pub(crate) place: Option<String>,
    /// True if hosts alone compile its line.
    pub(crate) for_hosts: bool,
    /// True if it lies at a place in the frame: neither static, nor a constant, nor optimised away.
    pub(crate) in_frame: bool,
    /// True if it has a place or a value. The compiler has removed a variable without either.
    pub(crate) is_kept: bool,
}

/// The bytes of an object file with the offsets in its debug information filled in, as a linker
/// does. Returns None when the bytes are no object file.
pub(crate) fn settled(object: &[u8]) -> Option<Vec<u8>> {
    let file = object::File::parse(object).ok()?;
    let mut bytes = object.to_vec();
    let debug = file.sections().filter(|section| section.name().is_ok_and(|name| name.starts_with(".debug")));
    for section in debug {
        let Some((start, _)) = section.file_range() else { continue };
        for (offset, relocation) in section.relocations() {
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            let address = file.symbol_by_index(symbol).ok()?.address();
            let value = address.wrapping_add_signed(relocation.addend()).to_le_bytes();
            let width = usize::from(relocation.size() / 8).min(value.len());
            let at = usize::try_from(start.checked_add(offset)?).ok()?;
            bytes.get_mut(at..at.checked_add(width)?)?.copy_from_slice(&value[..width]);
        }
    }
    Some(bytes)
}

/// The debug information of a program.
pub(crate) fn load(program: &[u8]) -> Option<Dwarf<Slice<'_>>> {
    let file = object::File::parse(program).ok()?;
    let section = |id: gimli::SectionId| -> Result<Slice<'_>, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok(EndianSlice::new(data.unwrap_or(&[]), LittleEndian))
    };
    Dwarf::load(section).ok()
}

/// Calls `each` for every compilation unit of the program. Returns None when the information cannot
/// be read, or as soon as `each` returns None.
pub(crate) fn units<'a>(
    program: &'a [u8],
    mut each: impl FnMut(&Dwarf<Slice<'a>>, &Unit<Slice<'a>>) -> Option<()>,
) -> Option<()> {
    let dwarf = load(program)?;
    let mut headers = dwarf.units();
    while let Some(header) = headers.next().ok()? {
        each(&dwarf, &dwarf.unit(header).ok()?)?;
    }
    Some(())
}

/// The offset of the entry to which an attribute refers, within the same unit.
pub(crate) fn reference(entry: &Entry<'_>, name: gimli::DwAt) -> Option<UnitOffset> {
    match entry.attr_value(name)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

/// The value of a numeric attribute.
pub(crate) fn number(entry: &Entry<'_>, name: gimli::DwAt) -> Option<u64> {
    entry.attr_value(name).and_then(|value| value.udata_value())
}

/// The value of a text attribute.
pub(crate) fn text<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    entry: &Entry<'a>,
    name: gimli::DwAt,
) -> Option<String> {
    let text = dwarf.attr_string(unit, entry.attr_value(name)?).ok()?;
    Some(text.to_string_lossy().into_owned())
}

/// The path of a file of a unit's line table.
pub(crate) fn file<'a>(dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>, index: u64) -> Option<String> {
    let header = unit.line_program.as_ref()?.header();
    let entry = header.file(index)?;
    let text = |value| dwarf.attr_string(unit, value).ok().map(|text| text.to_string_lossy().into_owned());
    let name = text(entry.path_name())?;
    let folder = entry.directory(header).and_then(text).unwrap_or_default();
    let start = unit.comp_dir.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    Some(Path::new(&start).join(folder).join(name).display().to_string())
}
