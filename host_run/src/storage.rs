//! Sizes of arrays in the memory of a core. Takes the entries of a unit's debug information and
//! returns bytes for each type.
//!
//! Sizes are those of the host, except for two kinds of types. Pointers have 20 bits on a core
//! (UG1079, register files) and take a word. Accumulators have lanes of 48 and 80 bits, for which
//! the host takes 64 and 128; a constant [`ON_CORE`] in the runtime's classes gives their size on a
//! core. Where such types make a class smaller than on the host, the gaps between its members are
//! left out. So the result is never more than a core needs.

use std::collections::{BTreeMap, BTreeSet};

use gimli::UnitOffset;
use gimli::constants as dw;

use crate::debug::Die;

/// The constant in a class of the runtime that gives its bytes on a core.
const ON_CORE: &str = "bytes_on_core";

/// Bytes of a pointer on a core.
const POINTER: u64 = 4;

/// The size of one type, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    /// As the compiler of the host lays it out.
    host: u64,
    /// On a core, a lower bound.
    core: u64,
    /// On a core, the arrays in it, or all of it if it is an array. No arrays of constants.
    arrays: u64,
}

/// The sizes of all types that arrays, variables and functions have.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    /// Sizes by the offset of the type.
    sizes: BTreeMap<UnitOffset, Size>,
    /// Classes behind qualifiers and typedefs, by the offset of the type.
    classes: BTreeMap<UnitOffset, UnitOffset>,
    /// Arrays of what is no constant.
    arrays: BTreeSet<UnitOffset>,
}

impl Sizes {
    /// The sizes for the entries of a unit, whose offsets are sorted.
    pub(crate) fn of(offsets: &[UnitOffset], dies: &[Die]) -> Self {
        let mut reader = Reader { offsets, dies, all: Self::default() };
        for die in dies {
            if matches!(die.tag, dw::DW_TAG_variable | dw::DW_TAG_subprogram) {
                reader.size(die.of_type);
            }
        }
        reader.all
    }

    /// Bytes on a core of all arrays in a variable of the type at `offset`.
    pub(crate) fn arrays(&self, offset: Option<UnitOffset>) -> u64 {
        offset.and_then(|offset| self.sizes.get(&offset)).map_or(0, |size| size.arrays)
    }

    /// True for an array, of what is no constant.
    pub(crate) fn is_array(&self, offset: Option<UnitOffset>) -> bool {
        offset.is_some_and(|offset| self.arrays.contains(&offset))
    }

    /// The offset of the class behind the type at `offset`.
    pub(crate) fn class(&self, offset: Option<UnitOffset>) -> Option<UnitOffset> {
        offset.and_then(|offset| self.classes.get(&offset)).copied()
    }
}

struct Reader<'a> {
    offsets: &'a [UnitOffset],
    dies: &'a [Die],
    all: Sizes,
}

impl Reader<'_> {
    fn size(&mut self, offset: Option<UnitOffset>) -> Size {
        let Some(offset) = offset else { return Size::default() };
        let Ok(at) = self.offsets.binary_search(&offset) else { return Size::default() };
        if let Some(known) = self.all.sizes.get(&offset) {
            return *known;
        }
        // A type cannot contain itself; one whose entries claim that has size 0.
        self.all.sizes.insert(offset, Size::default());
        let size = self.new_size(offset, at);
        self.all.sizes.insert(offset, size);
        size
    }

    fn new_size(&mut self, offset: UnitOffset, at: usize) -> Size {
        let die = &self.dies[at];
        match die.tag {
            dw::DW_TAG_array_type => {
                let element = die.of_type.and_then(|of| self.offsets.binary_search(&of).ok());
                if element.is_none_or(|element| self.dies[element].tag == dw::DW_TAG_const_type) {
                    // Compilers keep constants among static data.
                    return Size { arrays: 0, ..self.array(at) };
                }
                self.all.arrays.insert(offset);
                self.array(at)
            }
            dw::DW_TAG_typedef | dw::DW_TAG_const_type | dw::DW_TAG_volatile_type => {
                let size = self.size(die.of_type);
                if let Some(class) = self.all.class(die.of_type) {
                    self.all.classes.insert(offset, class);
                }
                size
            }
            dw::DW_TAG_class_type | dw::DW_TAG_structure_type | dw::DW_TAG_union_type => {
                self.all.classes.insert(offset, offset);
                self.class(at)
            }
            dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type | dw::DW_TAG_rvalue_reference_type => {
                Size { host: die.bytes.unwrap_or(8), core: POINTER, arrays: 0 }
            }
            _ => Size { host: die.bytes.unwrap_or(0), core: die.bytes.unwrap_or(0), arrays: 0 },
        }
    }

    fn array(&mut self, at: usize) -> Size {
        let counts = self.children(at).into_iter().filter_map(|child| self.dies[child].count);
        let elements = counts.fold(1u64, u64::saturating_mul);
        let element = self.size(self.dies[at].of_type);
        let core = elements.saturating_mul(element.core);
        Size { host: elements.saturating_mul(element.host), core, arrays: core }
    }

    fn class(&mut self, at: usize) -> Size {
        let host = self.dies[at].bytes.unwrap_or(0);
        let all = if self.dies[at].tag == dw::DW_TAG_union_type { u64::max } else { u64::saturating_add };
        let (mut core, mut arrays, mut same) = (0, 0, true);
        for child in self.children(at) {
            let die = &self.dies[child];
            if die.name.as_deref() == Some(ON_CORE) && self.dies[at].ours {
                return Size { host, core: die.constant.unwrap_or(0), arrays: 0 };
            }
            if matches!(die.tag, dw::DW_TAG_member | dw::DW_TAG_inheritance) && !die.elsewhere {
                let part = self.size(die.of_type);
                same &= part.host == part.core;
                (core, arrays) = (all(core, part.core), all(arrays, part.arrays));
            }
        }
        let core = if same { host } else { core.min(host) };
        Size { host, core, arrays: if self.is_no_storage(at) { 0 } else { arrays } }
    }

    /// True for classes whose arrays are not on a core's stack: the runtime's (vectors lie in
    /// registers), and streams and strings of the library.
    fn is_no_storage(&self, class: usize) -> bool {
        let die = &self.dies[class];
        die.ours || die.name.as_deref().is_some_and(|name| name == "ios_base" || name.starts_with("basic_"))
    }

    fn children(&self, at: usize) -> Vec<usize> {
        let inside =
            (at + 1..self.dies.len()).take_while(|&i| self.dies[i].parent.is_some_and(|above| above >= at));
        inside.filter(|&i| self.dies[i].parent == Some(at)).collect()
    }
}
