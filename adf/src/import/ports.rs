//! Names of ports: those of kernels, and those of components.

use aiec_dsl::ast;
use aiec_ir::design::{Family, UserPort};
use aiec_ir::{Carries, Direction};

use super::kernels::{port, port_name};
use super::statements::PartName;
use crate::names::Member;

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

    /// The ports of a component, of which `is_used` holds. Arrays of the graph stay arrays if their
    /// ports are alike. Calls `free` for the name of each declaration.
    pub(super) fn of_graph(
        ports: &[UserPort],
        is_used: impl Fn(usize) -> bool,
        mut free: impl FnMut(&str) -> String,
    ) -> Self {
        let mut names = Self::default();
        let mut at = 0;
        while let Some(port) = ports.get(at) {
            let stem = Member::of(&port.name).stem;
            let count = ports[at..].iter().take_while(|port| Member::of(&port.name).stem == stem).count();
            let own = at..at + count;
            if is_array(&ports[own.clone()]) && own.clone().all(&is_used) {
                let name = free(&stem);
                own.clone().for_each(|port| names.add(port, &name, count, port - own.start));
            } else {
                own.clone().for_each(|port| match is_used(port) {
                    true => names.single(port, free(&ports[port].name)),
                    false => names.of.push((PartName { name: String::new(), dims: Vec::new() }, Vec::new())),
                });
            }
            at = own.end;
        }
        names
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

/// True for ports with the numbers from 0 on, of one type.
fn is_array(ports: &[UserPort]) -> bool {
    let key = |port: &UserPort| (port.direction, port.carries, port.asynchronous);
    let is_next = |(at, port): (u32, &UserPort)| Member::of(&port.name).indices == [at];
    let is_table = |port: &UserPort| matches!(port.carries, Carries::Table { .. });
    !ports.iter().any(is_table)
        && ports.windows(2).all(|two| key(&two[0]) == key(&two[1]))
        && (0..).zip(ports).all(is_next)
}
