//! The parts of a graph by the names that constraints files give them.

use std::collections::BTreeMap;

use aiec_collectives::Direction;

use crate::description::{
    Description, ExternalIndex, GraphIndex, KernelIndex, PortIndex, Subject, SwitchKind,
};
use crate::names::Names;

/// Hierarchical names of kernels, ports and graphs, and logical names of inputs and outputs
/// (UG1079, "Node Names", "Port Names").
pub(super) struct Named {
    of: BTreeMap<String, Subject>,
    /// Each split and merge as its ports `in` and `out`. A description has no names of them.
    switches: Vec<[Vec<PortIndex>; 2]>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A part of the graph.
    Part(Subject),
    /// A member of a graph that may be a split or merge of packets.
    Switch,
    /// A node that the mapper inserts at the ends of a copy, such as `g._dma[1].out[0]`.
    OfMapper,
    /// A member of a graph that no kernel and no port is: a parameter.
    Parameter,
}

impl Named {
    /// All names of a description. Kernels without a path have the names of their families.
    pub(super) fn of(description: &Description) -> Self {
        let switches = description.switches.iter().map(|switch| {
            let (trunk, branches) = (vec![switch.trunk], switch.branches.clone());
            if switch.kind == SwitchKind::Split { [trunk, branches] } else { [branches, trunk] }
        });
        let mut named = Self { of: BTreeMap::new(), switches: switches.collect() };
        for (at, graph) in (0..).zip(&description.graphs) {
            if let Some(path) = &graph.path {
                named.add(plain(path), Subject::Graph(GraphIndex(at)));
            }
        }
        let object = crate::names::object(description);
        let mut names = Names::of(description);
        let members = crate::names::kernels(description, &mut names);
        for ((at, kernel), member) in (0..).zip(&description.kernels).zip(members) {
            let own = crate::names::hierarchical(&object, &member.name());
            for name in kernel.path.as_deref().map(plain).into_iter().chain([own]) {
                named.kernel(description, &name, KernelIndex(at));
            }
        }
        let mut numbers: BTreeMap<KernelIndex, u32> = BTreeMap::new();
        for table in &description.tables {
            let number = numbers.entry(table.kernel).or_default();
            if let Some(path) = &table.path {
                named.add(plain(path), Subject::Table(table.kernel, Some(*number)));
            }
            *number += 1;
        }
        for (at, external) in (0..).zip(&description.externals) {
            // Without a logical name it may have that of its member, or of its file.
            let member = crate::ends::member(external, &mut names).name();
            let other = if external.logical.is_empty() { member } else { external.logical.clone() };
            let all = [crate::ends::tool_name(external), Some(other), external.path.as_deref().map(plain)];
            for name in all.into_iter().flatten().filter(|name| !name.is_empty()) {
                named.port(description, &name, external.port);
                named.add(name, Subject::External(ExternalIndex(at)));
            }
        }
        named
    }

    /// The first name of a part, in alphabetical order.
    pub(super) fn name(&self, part: Subject) -> Option<&str> {
        self.of.iter().find(|(_, subject)| **subject == part).map(|(name, _)| name.as_str())
    }

    /// The first part of a name keeps it.
    fn add(&mut self, name: String, subject: Subject) {
        self.of.entry(name).or_insert(subject);
    }

    fn kernel(&mut self, description: &Description, name: &str, kernel: KernelIndex) {
        self.add(name.to_owned(), Subject::Kernel(kernel));
        let ports = description.kernels.get(kernel.0 as usize).map_or(&[][..], |kernel| &kernel.ports);
        ports.iter().for_each(|&port| self.port(description, name, port));
    }

    /// The name of a port of the node `owner`.
    fn port(&mut self, description: &Description, owner: &str, port: PortIndex) {
        let of = &description.ports[port.0 as usize];
        let way = match (of.is_inout, of.direction) {
            (true, _) => "inout",
            (false, Direction::In) => "in",
            (false, Direction::Out) => "out",
        };
        self.add(format!("{owner}.{way}[{}]", of.index), Subject::Port(port));
    }

    /// The parts whose names match a `pattern` in which `*` stands for any letters, as in
    /// `g.rows[0]*` for a sub-graph with all that is in it. Returns None for a name without `*`.
    pub(super) fn matching(&self, pattern: &str) -> Option<Vec<Subject>> {
        let (head, rest) = pattern.split_once('*')?;
        let pieces: Vec<&str> = rest.split('*').collect();
        let is_match = |name: &str| {
            let Some(mut left) = name.strip_prefix(head) else { return false };
            let Some((last, between)) = pieces.split_last() else { return false };
            for piece in between {
                let Some(at) = left.find(piece) else { return false };
                left = &left[at + piece.len()..];
            }
            left.ends_with(last)
        };
        let mut found: Vec<Subject> = Vec::new();
        for (_, &subject) in self.of.iter().filter(|(name, _)| is_match(name)) {
            if !found.contains(&subject) {
                found.push(subject);
            }
        }
        Some(found)
    }

    /// What `name` stands for. Returns None when the graph does not have the name.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(&subject) = self.of.get(name) {
            return Some(Meaning::Part(subject));
        }
        if name.split('.').any(|part| part.starts_with("_dma[")) {
            return Some(Meaning::OfMapper);
        }
        let (owner, member) = name.rsplit_once('.')?;
        let Some(of) = self.of.get(owner) else {
            let is_port = !self.ports_of_switches(name).is_empty();
            let graph = owner.rsplit_once('.').and_then(|(graph, _)| self.of.get(graph));
            return (is_port && matches!(graph, Some(Subject::Graph(_)))).then_some(Meaning::Switch);
        };
        match of {
            Subject::Kernel(kernel) if member.starts_with("param[") => {
                let number = member.strip_prefix("param[").and_then(|text| text.strip_suffix(']'));
                Some(Meaning::Part(Subject::Table(*kernel, number?.parse().ok())))
            }
            Subject::Graph(_) if !self.switches.is_empty() => Some(Meaning::Switch),
            Subject::Graph(_) if self.nearest(name).is_none() => Some(Meaning::Parameter),
            _ => None,
        }
    }

    /// The ports of splits and merges that `name` may be: `g.sp[0].out[2]` for the third branch of
    /// any split.
    pub(super) fn ports_of_switches(&self, name: &str) -> Vec<PortIndex> {
        let port = name.rsplit_once('.').and_then(|(_, port)| port.strip_suffix(']')?.split_once('['));
        let Some((way, Ok(at))) = port.map(|(way, at)| (way, at.parse::<usize>())) else { return Vec::new() };
        let ports = self.switches.iter().filter_map(|[ins, outs]| match way {
            "in" => ins.get(at),
            "out" => outs.get(at),
            _ => None,
        });
        ports.copied().collect()
    }

    /// The number of splits and merges.
    pub(super) fn switches(&self) -> usize {
        self.switches.len()
    }

    /// The name of the graph that differs least from `name`, if one is close.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        aiec_diag::nearest(name, self.of.keys().map(String::as_str))
    }
}

/// A path as files spell it: `g.k` for `g->k`.
fn plain(path: &str) -> String {
    path.replace("->", ".")
}
