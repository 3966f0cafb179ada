//! Names of ports: those of kernels, and those of components.

use std::collections::BTreeMap;

use aiec_dsl::ast;
use aiec_ir::design::{Family, UserPort};
use aiec_ir::{Carries, Direction};

use super::kernels::{port, port_name};
use super::statements::PartName;
use crate::names::{self, Member};
use crate::numbered::arrays;

/// Fewest ports of one direction that are written as an array of a kernel.
const FEWEST: usize = 3;

/// The names of a list of ports.
#[derive(Clone, Debug, Default)]
pub(super) struct PortNames {
    /// The name of each port, and its index in an array of ports.
    of: Vec<(PartName, Vec<i64>)>,
    /// The first port of each declaration.
    firsts: Vec<usize>,
}

impl PortNames {
    /// The ports of a kernel that is called `called`. Inputs, or outputs, of one type that follow
    /// each other are an array.
    pub(super) fn of_kernel(family: &Family, called: &str) -> Self {
        let mut names = Self::default();
        let arrays = [("in", "inputs", Direction::In), ("out", "outputs", Direction::Out)];
        let arrays = arrays.map(|(stem, name, direction)| {
            let own = |port: &UserPort| Member::of(&port.name).stem == stem && port.direction == direction;
            let first = family.ports.iter().position(own).unwrap_or(0);
            let count = family.ports.iter().filter(|&port| own(port)).count();
            let of = family.ports.get(first..first + count).unwrap_or(&[]);
            let is_free = called != name && family.ports.iter().all(|port| port_name(&port.name) != name);
            let is_array = count >= FEWEST && of.iter().all(own) && is_array(of) && is_free;
            (is_array.then_some(first..first + count), name)
        });
        for (at, port) in family.ports.iter().enumerate() {
            let array = arrays.iter().find_map(|(range, name)| {
                let range = range.as_ref().filter(|range| range.contains(&at))?;
                Some((range.clone(), *name))
            });
            match array {
                Some((range, name)) => names.add(at, name, range.len(), at - range.start),
                None => names.single(at, port_name(&port.name)),
            }
        }
        names
    }

    /// The ports of a component, of which `is_used` holds. Arrays of the graph, and ports whose
    /// names end in the numbers of one, are arrays if their ports are alike; those of several
    /// dimensions row by row. Calls `free` for the name of each declaration.
    pub(super) fn of_graph(
        ports: &[UserPort],
        is_used: impl Fn(usize) -> bool,
        mut free: impl FnMut(&str) -> String,
    ) -> Self {
        let members = sorted(ports, members(ports));
        let alike = |of: &[usize]| {
            of.iter().all(|&port| is_used(port))
                && of.windows(2).all(|two| like(&ports[two[0]], &ports[two[1]]))
        };
        let mut names = Self { of: vec![(PartName::default(), Vec::new()); ports.len()], firsts: Vec::new() };
        for names::Family { name, dims, members: of } in names::families(&members, alike) {
            if dims.is_empty() {
                let single = of.into_iter().filter(|&port| is_used(port));
                single.for_each(|port| names.set(port, free(&ports[port].name), None));
                continue;
            }
            let (name, count) = (free(&name), of.len());
            (0..).zip(of).for_each(|(index, port)| names.set(port, name.clone(), Some((count, index))));
        }
        names.firsts.sort_unstable();
        names
    }

    /// Names a port that has a place in the list, and gives an array its index and size.
    fn set(&mut self, port: usize, name: String, element: Option<(usize, usize)>) {
        if element.is_none_or(|(_, index)| index == 0) {
            self.firsts.push(port);
        }
        let wide = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let dims = element.map(|(count, _)| wide(count)).into_iter().collect();
        let index = element.map(|(_, index)| i64::try_from(index).unwrap_or(i64::MAX)).into_iter().collect();
        self.of[port] = (PartName { name, dims }, index);
    }

    fn add(&mut self, port: usize, name: &str, count: usize, index: usize) {
        let part = PartName { name: name.to_owned(), dims: vec![u32::try_from(count).unwrap_or(u32::MAX)] };
        if index == 0 {
            self.firsts.push(port);
        }
        self.of.push((part, vec![i64::try_from(index).unwrap_or(i64::MAX)]));
    }

    fn single(&mut self, port: usize, name: String) {
        self.firsts.push(port);
        self.of.push((PartName { name, dims: Vec::new() }, Vec::new()));
    }

    /// The name of port `at`, and its index in an array.
    pub(super) fn get(&self, at: u32) -> Option<(PartName, Vec<i64>)> {
        self.of.get(at as usize).cloned()
    }

    /// The declarations of these ports.
    pub(super) fn declared(&self, ports: &[UserPort]) -> Vec<ast::Port> {
        let firsts = self.firsts.iter().filter_map(|&at| Some((ports.get(at)?, &self.of.get(at)?.0)));
        firsts.filter_map(|(one, part)| port(one, part)).collect()
    }
}

/// The ports of a graph as members: those with numbers in their names as elements of arrays.
fn members(ports: &[UserPort]) -> Vec<Member> {
    let taken = ports.iter().map(|port| port.name.clone()).collect();
    let mut renamed = arrays(ports, |port| Some(&port.name), &taken, like);
    let name = |(at, port): (usize, &UserPort)| renamed.remove(&at).unwrap_or_else(|| port.name.clone());
    ports.iter().enumerate().map(name).map(|name| Member::of(&name)).collect()
}

/// Arrays of ports of several types as an array for each type, in which ports keep their order:
/// `data[4]` of types that alternate is `data_0[2]` and `data_1[2]`.
fn sorted(ports: &[UserPort], mut members: Vec<Member>) -> Vec<Member> {
    let mut arrays: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, member) in members.iter().enumerate().filter(|(_, member)| member.indices.len() == 1) {
        arrays.entry(member.stem.clone()).or_default().push(at);
    }
    for (stem, mut of) in arrays {
        of.sort_by_key(|&at| members[at].indices.clone());
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        for at in of {
            match kinds.iter_mut().find(|kind| like(&ports[kind[0]], &ports[at])) {
                Some(kind) => kind.push(at),
                None => kinds.push(vec![at]),
            }
        }
        if kinds.len() < 2 || kinds.iter().all(|kind| kind.len() < 2) {
            continue;
        }
        for (number, kind) in kinds.iter().enumerate() {
            let stem = format!("{stem}_{number}");
            for (index, &at) in (0..).zip(kind) {
                members[at] = Member { stem: stem.clone(), indices: vec![index] };
            }
        }
    }
    members
}

/// True for ports of one type that can be elements of an array.
fn like(a: &UserPort, b: &UserPort) -> bool {
    let key = |port: &UserPort| (port.direction, port.carries, port.asynchronous);
    key(a) == key(b) && !matches!(a.carries, Carries::Table { .. })
}

/// True for ports with the numbers from 0 on, of one type.
fn is_array(ports: &[UserPort]) -> bool {
    let is_next = |(at, port): (u32, &UserPort)| Member::of(&port.name).indices == [at];
    ports.iter().all(|port| like(port, port))
        && ports.windows(2).all(|two| like(&two[0], &two[1]))
        && (0..).zip(ports).all(is_next)
}
