//! The users' names of their kernels. Takes a program with debug information and the addresses of
//! its kernel objects, and returns names such as `g.filters[2].fir`: the path from a global graph
//! through its members.

use std::collections::BTreeMap;

use gimli::constants as dw;
use gimli::{AttributeValue, Dwarf, Unit, UnitOffset};

use crate::debug::{self, Entry, Slice, number, reference};
use crate::events::KernelNumber;

/// Limit on the nesting of members.
const DEEPEST: u32 = 32;

/// Limit on the kernels; more than any array has.
const MOST: usize = 4096;

/// The names of kernels that are members of global objects, or elements of their vectors. A kernel
/// may stand at several addresses (in the program file); the addresses of temporary objects have no
/// name. `pointers` maps words of global data to their values.
pub(crate) fn of_kernels(
    program: &[u8],
    addresses: &BTreeMap<KernelNumber, Vec<u64>>,
    pointers: &BTreeMap<u64, u64>,
) -> BTreeMap<KernelNumber, String> {
    let globals = globals(program, pointers).unwrap_or_default();
    let name =
        |&at: &u64| globals.iter().find(|global| global.address == at).map(|global| global.name.clone());
    let named =
        addresses.iter().filter_map(|(kernel, all)| Some((*kernel, all.iter().rev().find_map(name)?)));
    named.collect()
}

/// A kernel inside a global object.
struct Global {
    address: u64,
    name: String,
}

/// All kernels inside global objects.
fn globals(program: &[u8], pointers: &BTreeMap<u64, u64>) -> Option<Vec<Global>> {
    let mut found = Vec::new();
    debug::units(program, |dwarf, unit| {
        // A unit with a read error still contributes the names found before it.
        Reader { dwarf, unit, pointers }.globals(&mut found);
        Some(())
    })?;
    Some(found)
}

/// Reads one unit of debug information.
struct Reader<'r, 'a> {
    dwarf: &'r Dwarf<Slice<'a>>,
    unit: &'r Unit<Slice<'a>>,
    /// Values of words of global data, by address.
    pointers: &'r BTreeMap<u64, u64>,
}

/// A member or a base of a class.
struct Part {
    /// The member's name. None for a base.
    name: Option<String>,
    of_type: UnitOffset,
    /// Offset in bytes from the start of the object.
    at: u64,
}

impl<'a> Reader<'_, 'a> {
    /// Adds the kernels in the global objects of the unit.
    fn globals(&self, found: &mut Vec<Global>) -> Option<()> {
        let mut cursor = self.unit.entries();
        while let Some(entry) = cursor.next_dfs().ok()? {
            if entry.tag() != dw::DW_TAG_variable {
                continue;
            }
            let of_declaration = || self.unit.entry(reference(entry, dw::DW_AT_specification)?).ok();
            let declaration = of_declaration();
            let described = declaration.as_ref().unwrap_or(entry);
            let named = self.name(described).zip(reference(described, dw::DW_AT_type));
            if let (Some((name, of_type)), Some(address)) = (named, self.address(entry)) {
                self.walk(of_type, address, &name, 0, found);
            }
        }
        Some(())
    }

    /// Adds the kernels in the object of type `of_type` at `address`.
    fn walk(&self, of_type: UnitOffset, address: u64, name: &str, depth: u32, found: &mut Vec<Global>) {
        let Ok(entry) = self.unit.entry(of_type) else { return };
        if depth > DEEPEST || found.len() >= MOST {
            return;
        }
        match entry.tag() {
            dw::DW_TAG_typedef | dw::DW_TAG_const_type => {
                if let Some(inner) = reference(&entry, dw::DW_AT_type) {
                    self.walk(inner, address, name, depth + 1, found);
                }
            }
            dw::DW_TAG_array_type => self.walk_array(&entry, address, name, depth, found),
            dw::DW_TAG_class_type | dw::DW_TAG_structure_type => {
                let class = self.name(&entry).unwrap_or_default();
                if class == "kernel" {
                    found.push(Global { address, name: name.to_owned() });
                    return;
                }
                if class.starts_with("vector<") {
                    self.walk_vector(of_type, address, name, depth, found);
                    return;
                }
                for part in self.parts(of_type).unwrap_or_default() {
                    let name = match part.name.as_deref() {
                        // The array in a std::array.
                        None | Some("_M_elems" | "__elems_") => name.to_owned(),
                        Some(member) => format!("{name}.{member}"),
                    };
                    self.walk(part.of_type, address.wrapping_add(part.at), &name, depth + 1, found);
                }
            }
            _ => {}
        }
    }

    fn walk_array(&self, entry: &Entry<'a>, address: u64, name: &str, depth: u32, found: &mut Vec<Global>) {
        let Some(inner) = reference(entry, dw::DW_AT_type) else { return };
        let size = self.size(inner, 0);
        let mut names = vec![name.to_owned()];
        for count in self.counts(entry.offset()).unwrap_or_default() {
            let elements = |name: &String| (0..count).map(|i| format!("{name}[{i}]")).collect::<Vec<_>>();
            names = names.iter().flat_map(elements).take(MOST).collect();
        }
        for (at, name) in (0u64..).zip(&names) {
            self.walk(inner, address.wrapping_add(at.wrapping_mul(size)), name, depth + 1, found);
        }
    }

    /// Adds the kernels in the elements of a `std::vector`, whose first two words are the addresses
    /// of its begin and end.
    fn walk_vector(
        &self,
        vector: UnitOffset,
        address: u64,
        name: &str,
        depth: u32,
        found: &mut Vec<Global>,
    ) -> Option<()> {
        let inner = self.element(vector)?;
        let size = self.size(inner, 0).max(1);
        let (&begin, &end) = self.pointers.get(&address).zip(self.pointers.get(&address.wrapping_add(8)))?;
        let count = end.wrapping_sub(begin) / size;
        for i in 0..count.min(MOST as u64) {
            let element = begin.wrapping_add(i.wrapping_mul(size));
            self.walk(inner, element, &format!("{name}[{i}]"), depth + 1, found);
        }
        Some(())
    }

    /// The first argument of a template.
    fn element(&self, class: UnitOffset) -> Option<UnitOffset> {
        let mut tree = self.unit.entries_tree(Some(class)).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Some(child) = children.next().ok()? {
            if child.entry().tag() == dw::DW_TAG_template_type_parameter {
                return reference(child.entry(), dw::DW_AT_type);
            }
        }
        None
    }

    /// The elements of each dimension of an array.
    fn counts(&self, array: UnitOffset) -> Option<Vec<u64>> {
        let mut tree = self.unit.entries_tree(Some(array)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut all = Vec::new();
        while let Some(child) = children.next().ok()? {
            let last = number(child.entry(), dw::DW_AT_upper_bound).map(|last| last.saturating_add(1));
            all.extend(last.or_else(|| number(child.entry(), dw::DW_AT_count)).map(|n| n.min(MOST as u64)));
        }
        Some(all)
    }

    fn parts(&self, class: UnitOffset) -> Option<Vec<Part>> {
        let mut tree = self.unit.entries_tree(Some(class)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut all = Vec::new();
        while let Some(child) = children.next().ok()? {
            let entry = child.entry();
            let name = match entry.tag() {
                dw::DW_TAG_member => self.name(entry),
                dw::DW_TAG_inheritance => None,
                _ => continue,
            };
            // Static members have no offset in the object.
            let place = number(entry, dw::DW_AT_data_member_location);
            if let Some((of_type, at)) = reference(entry, dw::DW_AT_type).zip(place) {
                all.push(Part { name, of_type, at });
            }
        }
        Some(all)
    }

    /// Bytes of an object of a type.
    fn size(&self, of_type: UnitOffset, depth: u32) -> u64 {
        let Some(entry) = self.unit.entry(of_type).ok().filter(|_| depth < DEEPEST) else { return 0 };
        number(&entry, dw::DW_AT_byte_size)
            .or_else(|| Some(self.size(reference(&entry, dw::DW_AT_type)?, depth + 1)))
            .unwrap_or(0)
    }

    fn name(&self, entry: &Entry<'a>) -> Option<String> {
        debug::text(self.dwarf, self.unit, entry, dw::DW_AT_name)
    }

    /// The address of a variable with a fixed address.
    fn address(&self, entry: &Entry<'a>) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(dw::DW_AT_location)? else { return None };
        let mut operations = expression.operations(self.unit.encoding());
        match operations.next().ok()?? {
            gimli::Operation::Address { address } => Some(address),
            gimli::Operation::AddressIndex { index } => self.dwarf.address(self.unit, index).ok(),
            _ => None,
        }
    }
}
