//! Inputs and outputs: PLIO, GMIO, and the parameters of the host program.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Span, Spanned};
use aiec_ir::design::{Endpoint, ExternalFamily, FarEnd, HostValues, Node};
use aiec_ir::{Decimal, Direction, ElementType, ExternalFamilyId, IdVec};

use crate::assumed::Notes;
use crate::description::{Description, External, ExternalKind, PortIndex, PortType};
use crate::names::{Family, Member, Names, families};
use crate::ranges::range;
use crate::wires::Wire;

/// The inputs and outputs of a design.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    /// The declarations of inputs, outputs and parameters.
    pub families: IdVec<ExternalFamilyId, ExternalFamily>,
    /// Declaration and index of the port of each PLIO, GMIO, or parameter of a graph.
    pub of: BTreeMap<PortIndex, (Node, u32)>,
}

/// Declares all PLIO and GMIO of the array, then the parameters that `wires` lead to. Inputs and
/// outputs have one extent. With `is_flat`, arrays of several extents have that of all their
/// elements, or are an array for each row.
pub(crate) fn ends(
    description: &Description,
    all: &[External],
    wires: &[Wire],
    names: &mut Names,
    (file, is_flat): (Span, bool),
    notes: &mut Notes,
) -> Ends {
    let mut ends = Ends::default();
    let members: Vec<Member> = all.iter().map(|external| member(external, names)).collect();
    let alike = |of: &[usize]| of.len() < 2 || is_family(all, of);
    let named = if is_flat { flattened(&members, alike, names) } else { members };
    for family in families(&named, alike) {
        let many = !family.dims.is_empty() && family.dims.len() < 2;
        let parts = if many || family.dims.is_empty() { vec![family] } else { singles(&named, &family) };
        for part in parts {
            let declared = declared(all, &part, file, notes);
            let ports = part.members.iter().map(|&at| all[at].port);
            ends.add(declared, ports.collect());
        }
    }
    parameters(description, wires, names, (file, is_flat), &mut ends);
    ends
}

impl Ends {
    fn add(&mut self, declared: ExternalFamily, ports: Vec<PortIndex>) {
        let id = Node::External(self.families.push(declared));
        self.of.extend((0..).zip(ports).map(|(at, port)| (port, (id, at))));
    }
}

/// An array of two or three extents as single declarations: inputs and outputs have one extent.
fn singles(members: &[Member], family: &Family) -> Vec<Family> {
    family.members.iter().map(|&at| Family::single(members, at)).collect()
}

/// The members with arrays of several extents as arrays of one extent, whose elements are `alike`:
/// `p[1][2]` of `p[2][4]` is `p[6]`, or `p_1[2]` if the rows are alike, but not the whole.
fn flattened(members: &[Member], alike: impl Fn(&[usize]) -> bool, names: &Names) -> Vec<Member> {
    let mut found = members.to_vec();
    let mut add = |of: &[usize], stem: &str| {
        for (index, &at) in (0..).zip(of) {
            found[at] = Member { stem: stem.to_owned(), indices: vec![index] };
        }
    };
    for family in families(members, |_| true).into_iter().filter(|family| family.dims.len() > 1) {
        let row = family.dims.last().map_or(1, |&extent| extent as usize);
        let rows = || family.members.chunks(row);
        let stem = |row: &[usize]| {
            let outer = members[row[0]].indices.split_last().map_or(&[][..], |(_, outer)| outer);
            outer.iter().fold(family.name.clone(), |stem, at| format!("{stem}_{at}"))
        };
        let stems: Vec<String> = rows().map(stem).collect();
        if alike(&family.members) {
            add(&family.members, &family.name);
        } else if row > 1 && rows().all(&alike) && !stems.iter().any(|stem| names.has(stem)) {
            rows().zip(&stems).for_each(|(of, stem)| add(of, stem));
        }
    }
    found
}

/// The member that an input or output is, or one called after its logical name.
pub(crate) fn member(external: &External, names: &mut Names) -> Member {
    let logical: String =
        external.logical.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_name = logical.starts_with(|c: char| c.is_ascii_alphabetic());
    match (&external.path, is_name) {
        (None, true) => names.member(Some(&logical), &logical),
        (path, _) => names.member(path.as_deref(), "io"),
    }
}

/// The name that the tools have for an input or output. A PLIO without a logical name has that of
/// the member behind that of the graph: the linker calls `in` of `mygraph` `mygraph_in`
/// (Xilinx/Vitis-Tutorials at ca079cab2389, 01-aie_a_to_z, 03-pl_application_creation; its graph is
/// the tools' own template). For the compiler of 2024.1, its simulator and the linker, `A[10]` is
/// `mygraph_A_10_` (rverma999/Versal-Linux-cmd-clean at 4cf0a3febd02, AIECompiler.log and
/// system.cfg of gemm_multi_tile_4x4x1 and gemm_multi_tile). That constraints have the same names
/// is likely, since they have the linker's name of other PLIO. Returns None when no public project
/// tells the name: for such members of sub-graphs, elements of arrays of arrays, and GMIO.
pub(crate) fn tool_name(external: &External) -> Option<String> {
    let is_plio = matches!(external.kind, ExternalKind::Plio { .. });
    if !external.logical.is_empty() && external.logical != file_of(external) {
        return Some(external.logical.clone());
    }
    let (graph, path) = external.path.as_deref()?.split_once('.')?;
    let is_plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let Member { stem, indices } = Member::of(path);
    let element = match indices.as_slice() {
        [] => stem.clone(),
        [index] => format!("{stem}_{index}_"),
        _ => return None,
    };
    (is_plio && is_plain(graph) && is_plain(&stem)).then(|| format!("{graph}_{element}"))
}

/// True if one declaration says the same of all: only numbers in the names of files differ. Where
/// two have one name for the tools, each keeps its statement for the error about it.
fn is_family(all: &[External], of: &[usize]) -> bool {
    let kind = |at: usize| match &all[at].kind {
        ExternalKind::Plio { bits, file: _, megahertz } => (Some(*bits), megahertz.map(kilohertz), 0, 0),
        ExternalKind::Gmio { burst, bandwidth } => (None, None, *burst, *bandwidth),
    };
    let first = of[0];
    let alike = |&at: &usize| kind(at) == kind(first) && all[at].direction == all[first].direction;
    let mut names = BTreeSet::new();
    let has_own_name = |&at: &usize| tool_name(&all[at]).is_none_or(|name| names.insert(name));
    of.iter().all(alike) && pattern(all, of).is_some() && of.iter().all(has_own_name)
}

fn kilohertz(megahertz: f64) -> u32 {
    (megahertz * 1000.0).round().max(1.0) as u32
}

fn file_of(external: &External) -> &str {
    match &external.kind {
        ExternalKind::Plio { file, .. } => file,
        ExternalKind::Gmio { .. } => "",
    }
}

/// The file of an array of PLIO with `{}` for the index, or with a range for other numbers. Empty
/// where none has a file.
fn pattern(all: &[External], of: &[usize]) -> Option<String> {
    let last = file_of(&all[*of.last()?]);
    if of.iter().all(|&at| file_of(&all[at]).is_empty()) {
        return Some(String::new());
    }
    let number = (of.len() - 1).to_string();
    let fits = |pattern: &String| {
        of.iter()
            .enumerate()
            .all(|(index, &at)| pattern.replace("{}", &index.to_string()) == file_of(&all[at]))
    };
    let places = last.match_indices(&number).filter(|_| !last.contains("{}"));
    let patterns = places.map(|(at, _)| format!("{}{{}}{}", &last[..at], &last[at + number.len()..]));
    let ranges = || {
        let files: Vec<String> = of.iter().map(|&at| file_of(&all[at]).to_owned()).collect();
        range(&files).filter(|_| !last.contains(['{', '}']))
    };
    patterns.into_iter().find(fits).or_else(ranges)
}

fn declared(all: &[External], family: &Family, file: Span, notes: &mut Notes) -> ExternalFamily {
    let external = &all[family.members[0]];
    let span = external.site.as_ref().map_or(file, |site| site.span);
    let end = match &external.kind {
        ExternalKind::Plio { bits, file, megahertz } => {
            let of_array = (!family.dims.is_empty()).then(|| pattern(all, &family.members)).flatten();
            let mut data = of_array.unwrap_or_else(|| file.clone());
            if data.is_empty() {
                notes.assume("a data file called after it", &family.name);
                let index = if family.dims.is_empty() { "" } else { "_{}" };
                data = format!("data/{}{index}.txt", aiec_ir::design::identifier(&family.name));
            }
            if external.is_of_logic {
                notes.assume(&format!("a stream of {bits} bits to programmable logic"), &family.name);
            }
            let frequency = megahertz.map(|clock| Spanned::new(kilohertz(clock), span));
            Endpoint::Plio { bits: Spanned::new((*bits).max(1), span), file: data, frequency }
        }
        ExternalKind::Gmio { burst, bandwidth } => {
            let at =
                |value: u32| Some(value).filter(|&value| value > 0).map(|value| Spanned::new(value, span));
            let bandwidth = u32::try_from(*bandwidth).unwrap_or(u32::MAX);
            Endpoint::Gmio { file: None, burst: at(*burst), bandwidth: at(bandwidth) }
        }
    };
    ExternalFamily {
        name: family.name.clone(),
        dims: family.dims.clone(),
        direction: external.direction,
        end: FarEnd::Array(end),
        golden: None,
        logical: family.members.iter().map(|&at| tool_name(&all[at]).unwrap_or_default()).collect(),
        alone: None,
        span,
    }
}

/// Declares the ports of graphs at the outer ends of parameters.
fn parameters(
    description: &Description,
    wires: &[Wire],
    names: &mut Names,
    (file, is_flat): (Span, bool),
    ends: &mut Ends,
) {
    let mut seen = BTreeSet::new();
    let mut all: Vec<(PortIndex, ExternalFamily, Option<ElementType>)> = Vec::new();
    for wire in wires {
        let Some((outer, inner)) = host_ends(description, wire) else { continue };
        let port = &description.ports[inner.0 as usize];
        let PortType::Parameter { element, initial, .. } = &port.carries else { continue };
        if !seen.insert(outer) {
            continue;
        }
        let opposite = if port.direction == Direction::In { Direction::Out } else { Direction::In };
        let path = description.ports[outer.0 as usize].path.as_deref();
        let values = initial.as_ref().filter(|_| opposite == Direction::Out && port.is_async);
        let initial = values.and_then(|bytes| numbers(bytes, element.unwrap_or(ElementType::Int32)));
        let declared = ExternalFamily {
            name: names.member(path, "parameter").name(),
            dims: Vec::new(),
            direction: opposite,
            end: FarEnd::Host(HostValues { initial: initial.unwrap_or_default(), file: None }),
            golden: None,
            logical: Vec::new(),
            alone: None,
            span: wire.span(description, file),
        };
        all.push((outer, declared, *element));
    }
    let members: Vec<Member> = all.iter().map(|(_, one, _)| Member::of(&one.name)).collect();
    let kind = |at: usize| (all[at].1.direction, &all[at].1.end, all[at].2);
    let alike = |of: &[usize]| of.iter().all(|&at| kind(at) == kind(of[0]));
    let named = if is_flat { flattened(&members, alike, names) } else { members };
    for family in families(&named, alike) {
        let parts = if family.dims.len() < 2 { vec![family] } else { singles(&named, &family) };
        for Family { name, dims, members } in parts {
            let first = all[members[0]].1.clone();
            ends.add(ExternalFamily { name, dims, ..first }, members.iter().map(|&at| all[at].0).collect());
        }
    }
}

/// The port of a graph at the outer end of a parameter, and the port of the kernel.
pub(crate) fn host_ends(description: &Description, wire: &Wire) -> Option<(PortIndex, PortIndex)> {
    use crate::description::Owner;
    let owner = |port: PortIndex| description.ports[port.0 as usize].owner;
    let is_parameter = |port: PortIndex| {
        let carries = &description.ports[port.0 as usize].carries;
        matches!(owner(port), Owner::Kernel(_)) && matches!(carries, PortType::Parameter { .. })
    };
    match (owner(wire.from), owner(wire.to)) {
        (Owner::Graph, Owner::Kernel(_)) if is_parameter(wire.to) => Some((wire.from, wire.to)),
        (Owner::Kernel(_), Owner::Graph) if is_parameter(wire.from) => Some((wire.to, wire.from)),
        _ => None,
    }
}

/// The values of these bytes. Returns None when one is no number that
/// a design can write.
fn numbers(bytes: &[u8], element: ElementType) -> Option<Vec<Decimal>> {
    let size = (element.bytes() / element.parts()) as usize;
    let is_signed = !element.name().starts_with('u');
    let value = |bytes: &[u8]| {
        let mut all = [0; 8];
        all.get_mut(..size)?.copy_from_slice(bytes);
        let unused = 64 - 8 * u32::try_from(size).ok()?;
        let raw = i64::from_le_bytes(all);
        if element.is_float() {
            let float = f32::from_bits(u32::try_from(raw).ok()?);
            // The shortest digits that are this float again.
            return Decimal::parse(&float.to_string()).filter(|_| float.abs() < 16_777_216.0);
        }
        let value = if is_signed { raw << unused >> unused } else { raw };
        Some(value).filter(|&value| is_signed || value >= 0).map(Decimal::from)
    };
    bytes.len().is_multiple_of(size).then(|| bytes.chunks(size).map(value).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_values_are_read_by_their_type() {
        assert_eq!(
            numbers(&[0xfe, 0xff, 3, 0], ElementType::Int16),
            Some(vec![-2, 3].into_iter().map(Decimal::from).collect())
        );
        assert_eq!(
            numbers(&[0xff, 1], ElementType::Uint8),
            Some(vec![255, 1].into_iter().map(Decimal::from).collect())
        );
        assert_eq!(
            numbers(&2.0f32.to_le_bytes(), ElementType::Float),
            Some(vec![2].into_iter().map(Decimal::from).collect())
        );
        assert_eq!(
            numbers(&0.5f32.to_le_bytes(), ElementType::Float),
            Decimal::parse("0.5").map(|half| vec![half])
        );
        assert_eq!(numbers(&[1, 2, 3], ElementType::Int16), None);
        assert_eq!(
            numbers(&[1, 0, 2, 0], ElementType::Cint16),
            Some(vec![1, 2].into_iter().map(Decimal::from).collect())
        );
    }
}
