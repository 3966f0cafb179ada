//! The users' objects in the memory of a program. Takes the program with its debug information and
//! its memory, walks from the global objects through their members, and returns the member paths of
//! kernels, inputs, outputs and ports, such as `g.filters[2].fir`, and the graphs on the way.
//!
//! A handle is known by its class and by what it points to, so copies of a handle have one name:
//! the first that the walk finds.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use aiec_system::files::read_there;
use gimli::constants as dw;
use gimli::{AttributeValue, Dwarf, Unit, UnitOffset};

use crate::debug::{self, Entry, Slice, number, reference};
use crate::probe::Memory;
use crate::reach::{Access, Reach};

/// Limit on the nesting of members.
const DEEPEST: u32 = 256;

/// Limit on the elements of an array; more than any array of tiles has.
const MOST: usize = 4096;

/// Limit on the objects that a walk visits.
const MOST_VISITS: usize = 1 << 20;

/// Classes of handles, without the arguments of templates, and the member that points to the
/// object.
const HANDLES: [(&str, &str); 8] = [
    ("kernel", "node_"),
    ("input_plio", "node_"),
    ("output_plio", "node_"),
    ("input_gmio", "node_"),
    ("output_gmio", "node_"),
    ("port", "at"),
    ("PLIO", "node_"),
    ("parameter", "node_"),
];

/// Classes of the standard library that hold one object, and the classes of their parts.
const WRAPPERS: [&str; 9] = [
    "array<",
    "unique_ptr<",
    "shared_ptr<",
    "__uniq_ptr_",
    "__shared_ptr<",
    "tuple<",
    "_Tuple_impl<",
    "_Head_base<",
    "optional<",
];

/// A place in the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) file: String,
    pub(crate) line: u32,
}

/// A graph that is a global object or a member of one.
#[derive(Debug)]
pub(crate) struct FoundGraph {
    /// Address of its base `adf::graph`.
    pub(crate) at: u64,
    pub(crate) path: String,
    /// Index of the graph that it is a member of.
    pub(crate) parent: Option<usize>,
    /// The variable or member.
    pub(crate) declared: Option<Declared>,
}

/// An object behind a handle.
#[derive(Debug)]
pub(crate) struct FoundObject {
    pub(crate) path: String,
    /// Index of the innermost graph that has the handle.
    pub(crate) graph: Option<usize>,
    /// Why the class of the global graph object cannot name it. None when it can.
    pub(crate) hidden: Option<String>,
}

/// All that a walk finds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Graphs; those that contain others first.
    pub(crate) graphs: Vec<FoundGraph>,
    /// Objects by the address that handles point to.
    pub(crate) objects: BTreeMap<u64, FoundObject>,
    /// The path of the handle to nothing.
    pub(crate) handle: Option<String>,
    /// The paths of tuples, whose elements C++ reaches through `std::get`.
    pub(crate) tuples: BTreeSet<String>,
}

/// What a walk looks for.
pub(crate) struct Wanted<'a> {
    pub(crate) memory: &'a Memory,
    /// What addresses in the program's file lack.
    pub(crate) base: u64,
    /// Addresses of nodes and ports.
    pub(crate) objects: BTreeSet<u64>,
    /// Addresses of graphs, which the walk looks for.
    pub(crate) graphs: BTreeSet<u64>,
    /// Address of a handle to nothing, which is that of one of its lists of ports. 0 for none.
    pub(crate) handle: u64,
}

/// Walks through the global objects of a program.
pub(crate) fn find(program: &[u8], wanted: &Wanted<'_>) -> Found {
    let mut found = Found::default();
    // A unit with a read error still contributes what was found before it.
    let _ = debug::units(program, |dwarf, unit| {
        let walk = Walk {
            dwarf,
            unit,
            wanted,
            classes: RefCell::default(),
            visits: RefCell::new(0),
            friendly: RefCell::default(),
        };
        walk.globals(&mut found);
        Some(())
    });
    found
}

/// A walk through one unit of debug information.
struct Walk<'r, 'a> {
    dwarf: &'r Dwarf<Slice<'a>>,
    unit: &'r Unit<Slice<'a>>,
    wanted: &'r Wanted<'r>,
    /// Classes that were read before.
    classes: RefCell<BTreeMap<UnitOffset, Rc<Class>>>,
    visits: RefCell<usize>,
    /// Whether files of the sources name friends.
    friendly: RefCell<BTreeMap<String, bool>>,
}

/// A class, as far as a walk needs it.
#[derive(Default)]
pub(crate) struct Class {
    pub(crate) name: String,
    parts: Vec<Part>,
    /// The first argument of a template.
    argument: Option<UnitOffset>,
    /// Classes that reach all members besides: friends, and the classes in this one.
    pub(crate) friends: Vec<UnitOffset>,
    /// The file of the class.
    file: Option<String>,
}

/// A member or a base of a class.
pub(crate) struct Part {
    /// The member's name. None when it is a base.
    pub(crate) name: Option<String>,
    of_type: UnitOffset,
    /// Offset in bytes from the start of the object.
    at: u64,
    declared: Option<Declared>,
    pub(crate) access: Access,
}

/// The number of a tuple's element that a class of the standard library holds, such as 0 for
/// `_Head_base<0, S, false>`.
fn element_of_tuple(class: &str) -> Option<&str> {
    let number = class.strip_prefix("_Head_base<")?;
    number.split(|c: char| !c.is_ascii_digit()).next().filter(|number| !number.is_empty())
}

/// An object on the way.
#[derive(Clone)]
struct Place {
    address: u64,
    path: String,
    /// Index of the innermost graph around it.
    graph: Option<usize>,
    declared: Option<Declared>,
    /// True for a base of the object at this path, whose graph is the one around it.
    is_base: bool,
    /// True within a smart pointer, whose tuple has one element for the user.
    is_pointer: bool,
    reach: Reach,
    depth: u32,
}

impl Place {
    /// A part of this object.
    fn part(&self, at: u64, path: String) -> Self {
        Self { address: self.address.wrapping_add(at), path, depth: self.depth + 1, ..self.clone() }
    }
}

impl<'a> Walk<'_, 'a> {
    fn globals(&self, found: &mut Found) -> Option<()> {
        let mut cursor = self.unit.entries();
        while let Some(entry) = cursor.next_dfs().ok()? {
            if entry.tag() != dw::DW_TAG_variable {
                continue;
            }
            let of_declaration = || self.unit.entry(reference(entry, dw::DW_AT_specification)?).ok();
            let declaration = of_declaration();
            let described = declaration.as_ref().unwrap_or(entry);
            let named = self.name(described).zip(reference(described, dw::DW_AT_type));
            if let (Some((path, of_type)), Some(address)) = (named, self.address(entry)) {
                let declared = self.declared(entry).or_else(|| self.declared(described));
                let address = address.wrapping_add(self.wanted.base);
                self.walk(
                    of_type,
                    &Place {
                        address,
                        path,
                        graph: None,
                        declared,
                        is_base: false,
                        is_pointer: false,
                        reach: Reach::default(),
                        depth: 0,
                    },
                    found,
                );
            }
        }
        Some(())
    }

    /// Walks through the object of type `of_type` at a place.
    fn walk(&self, of_type: UnitOffset, place: &Place, found: &mut Found) {
        let Ok(entry) = self.unit.entry(of_type) else { return };
        *self.visits.borrow_mut() += 1;
        if place.depth > DEEPEST || *self.visits.borrow() > MOST_VISITS {
            return;
        }
        match entry.tag() {
            dw::DW_TAG_typedef | dw::DW_TAG_const_type => {
                if let Some(inner) = reference(&entry, dw::DW_AT_type) {
                    self.walk(inner, &place.part(0, place.path.clone()), found);
                }
            }
            dw::DW_TAG_pointer_type => self.walk_pointer(&entry, place, found),
            dw::DW_TAG_array_type => self.walk_array(&entry, place, found),
            dw::DW_TAG_class_type | dw::DW_TAG_structure_type => self.walk_class(of_type, place, found),
            _ => {}
        }
    }

    /// Follows a pointer to a graph.
    fn walk_pointer(&self, entry: &Entry<'a>, place: &Place, found: &mut Found) {
        let target = reference(entry, dw::DW_AT_type)
            .and_then(|target| Some((target, self.class(self.plain(target)?)?)));
        let Some(((target, _), address)) = target.zip(self.wanted.memory.word(place.address)) else { return };
        if self.graph_in(target, address, 0).is_some() {
            let depth = place.depth + 1;
            let reach = place.reach.behind_a_pointer();
            let to = Place { address, is_base: false, is_pointer: false, depth, reach, ..place.clone() };
            self.walk(target, &to, found);
        }
    }

    fn walk_class(&self, of_type: UnitOffset, place: &Place, found: &mut Found) {
        let Some(class) = self.class(of_type) else { return };
        let name = class.name.split('<').next().unwrap_or_default();
        if let Some((_, member)) = HANDLES.iter().find(|(handle, _)| *handle == name)
            && let Some(to) = self.pointer(of_type, member, place.address, 0)
        {
            let (path, hidden) = (place.path.clone(), place.reach.hidden.clone());
            let new = || FoundObject { path, graph: place.graph, hidden };
            found.objects.entry(to).or_insert_with(new);
            return;
        }
        if name == "port_list" && place.address == self.wanted.handle {
            let list = place.path.rsplit_once('.');
            found.handle = list.map(|(handle, _)| handle.to_owned());
        }
        if class.name.starts_with("vector<") {
            self.walk_vector(&class, place, found);
            return;
        }
        let mut around = place.clone();
        let own = self.graph_in(of_type, place.address, 0).filter(|_| class.name != "graph");
        let is_known =
            |at: u64| place.graph.and_then(|of| found.graphs.get(of)).is_some_and(|of| of.at == at);
        if let Some(at) = own.filter(|&at| !(place.is_base && is_known(at))) {
            if found.graphs.iter().any(|graph| graph.at == at) {
                return; // a pointer led here again
            }
            around.graph = Some(found.graphs.len());
            around.reach.enter(of_type);
            let (path, declared) = (place.path.clone(), place.declared.clone());
            found.graphs.push(FoundGraph { at, path, parent: place.graph, declared });
        }
        let is_wrapper = WRAPPERS.iter().any(|wrapper| class.name.starts_with(wrapper));
        around.is_pointer |= class.name.starts_with("__uniq_ptr_");
        let number = element_of_tuple(&class.name).filter(|_| !around.is_pointer);
        if number.is_some() && class.parts.iter().any(|part| part.name.is_some()) {
            found.tuples.insert(place.path.clone());
        }
        for part in &class.parts {
            let path = match (part.name.as_deref(), number) {
                (Some(_), Some(number)) => format!("{}[{number}]", place.path),
                (Some(member), None) if !is_wrapper => format!("{}.{member}", place.path),
                (Some(_) | None, _) => place.path.clone(),
            };
            let mut inner = around.part(part.at, path);
            inner.is_base = part.name.is_none();
            inner.reach = match is_wrapper {
                true => around.reach.public(),
                false => around.reach.part((of_type, &class), part, || self.names_friends(&class)),
            };
            if part.name.is_some() && !is_wrapper {
                inner.declared.clone_from(&part.declared);
            }
            self.walk(part.of_type, &inner, found);
        }
    }

    fn walk_array(&self, entry: &Entry<'a>, place: &Place, found: &mut Found) {
        let Some(inner) = reference(entry, dw::DW_AT_type) else { return };
        if self.plain(inner).is_none_or(|inner| !self.is_compound(inner)) {
            return;
        }
        let size = self.size(inner, 0);
        let mut paths = vec![place.path.clone()];
        for count in self.counts(entry.offset()).unwrap_or_default() {
            let elements = |path: &String| (0..count).map(|i| format!("{path}[{i}]")).collect::<Vec<_>>();
            paths = paths.iter().flat_map(elements).take(MOST).collect();
        }
        for (at, path) in (0u64..).zip(paths) {
            self.walk(inner, &place.part(at.wrapping_mul(size), path), found);
        }
    }

    /// Walks through the elements of a `std::vector`, whose first two words are the addresses of
    /// its begin and end.
    fn walk_vector(&self, class: &Class, place: &Place, found: &mut Found) -> Option<()> {
        let inner = class.argument?;
        if !self.is_compound(self.plain(inner)?) {
            return None;
        }
        let size = self.size(inner, 0).max(1);
        let begin = self.wanted.memory.word(place.address)?;
        let end = self.wanted.memory.word(place.address.wrapping_add(8))?;
        for i in 0..(end.saturating_sub(begin) / size).min(MOST as u64) {
            let address = begin.wrapping_add(i.wrapping_mul(size));
            let path = format!("{}[{i}]", place.path);
            self.walk(inner, &Place { address, path, depth: place.depth + 1, ..place.clone() }, found);
        }
        Some(())
    }

    /// The value of a handle's pointer, if it points to an object that is wanted.
    fn pointer(&self, class: UnitOffset, member: &str, address: u64, depth: u32) -> Option<u64> {
        let class = self.class(class).filter(|_| depth < DEEPEST)?;
        let own = class.parts.iter().find(|part| part.name.as_deref() == Some(member));
        if let Some(part) = own {
            let to = self.wanted.memory.word(address.wrapping_add(part.at))?;
            return self.wanted.objects.contains(&to).then_some(to);
        }
        let mut bases = class.parts.iter().filter(|part| part.name.is_none());
        bases.find_map(|base| {
            self.pointer(self.plain(base.of_type)?, member, address.wrapping_add(base.at), depth + 1)
        })
    }

    /// The address of the base `adf::graph` of an object. Returns None when it has no such base.
    fn graph_in(&self, class: UnitOffset, address: u64, depth: u32) -> Option<u64> {
        let class = self.class(self.plain(class)?).filter(|_| depth < DEEPEST)?;
        if class.name == "graph" && self.wanted.graphs.contains(&address) {
            return Some(address);
        }
        let mut bases = class.parts.iter().filter(|part| part.name.is_none());
        bases.find_map(|base| self.graph_in(base.of_type, address.wrapping_add(base.at), depth + 1))
    }

    /// The type behind names and `const`.
    fn plain(&self, of_type: UnitOffset) -> Option<UnitOffset> {
        let mut at = of_type;
        for _ in 0..DEEPEST {
            let entry = self.unit.entry(at).ok()?;
            if !matches!(entry.tag(), dw::DW_TAG_typedef | dw::DW_TAG_const_type) {
                return Some(at);
            }
            at = reference(&entry, dw::DW_AT_type)?;
        }
        None
    }

    /// True for types that may contain handles.
    fn is_compound(&self, of_type: UnitOffset) -> bool {
        let compound = [
            dw::DW_TAG_class_type,
            dw::DW_TAG_structure_type,
            dw::DW_TAG_array_type,
            dw::DW_TAG_pointer_type,
        ];
        self.unit.entry(of_type).is_ok_and(|entry| compound.contains(&entry.tag()))
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

    /// The class at an offset. Returns None when the type is no class.
    fn class(&self, at: UnitOffset) -> Option<Rc<Class>> {
        if let Some(known) = self.classes.borrow().get(&at) {
            return Some(Rc::clone(known));
        }
        let class = Rc::new(self.read_class(at)?);
        self.classes.borrow_mut().insert(at, Rc::clone(&class));
        Some(class)
    }

    fn read_class(&self, at: UnitOffset) -> Option<Class> {
        let mut tree = self.unit.entries_tree(Some(at)).ok()?;
        let root = tree.root().ok()?;
        let entry = root.entry();
        if !matches!(entry.tag(), dw::DW_TAG_class_type | dw::DW_TAG_structure_type) {
            return None;
        }
        let mut class = Class { name: self.name(entry).unwrap_or_default(), ..Class::default() };
        class.file = self.declared(entry).map(|declared| declared.file);
        let is_open = entry.tag() == dw::DW_TAG_structure_type;
        let mut children = root.children();
        while let Some(child) = children.next().ok()? {
            let entry = child.entry();
            let name = match entry.tag() {
                dw::DW_TAG_template_type_parameter => {
                    class.argument = class.argument.or_else(|| reference(entry, dw::DW_AT_type));
                    continue;
                }
                dw::DW_TAG_friend => {
                    class.friends.extend(reference(entry, dw::DW_AT_friend));
                    continue;
                }
                dw::DW_TAG_class_type | dw::DW_TAG_structure_type => {
                    class.friends.push(entry.offset());
                    continue;
                }
                dw::DW_TAG_member => self.name(entry),
                dw::DW_TAG_inheritance => None,
                _ => continue,
            };
            // Static members have no offset in the object.
            let place = number(entry, dw::DW_AT_data_member_location);
            if let Some((of_type, at)) = reference(entry, dw::DW_AT_type).zip(place) {
                let (declared, access) = (self.declared(entry), Access::of(entry, is_open));
                class.parts.push(Part { name, of_type, at, declared, access });
            }
        }
        Some(class)
    }

    /// True if the file of a class has the word `friend`: compilers do not write down friends.
    fn names_friends(&self, class: &Class) -> bool {
        let Some(file) = &class.file else { return false };
        let mut known = self.friendly.borrow_mut();
        *known.entry(file.clone()).or_insert_with(|| {
            let text = read_there(Path::new(file)).unwrap_or_default();
            text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "friend")
        })
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

    /// The declaration of a variable or member.
    fn declared(&self, entry: &Entry<'a>) -> Option<Declared> {
        let line = u32::try_from(number(entry, dw::DW_AT_decl_line)?).ok()?;
        let file = match entry.attr_value(dw::DW_AT_decl_file)? {
            AttributeValue::FileIndex(index) => index,
            other => other.udata_value()?,
        };
        Some(Declared { file: debug::file(self.dwarf, self.unit, file)?, line })
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
