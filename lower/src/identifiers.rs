//! Checks of names that need the whole design: C++ names made from several declarations.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, Span, Spanned};
use aiec_ir::FamilyId;
use aiec_ir::design::{Family, Instance, UserPort, local_name};

use crate::errors;
use crate::lower::Context;

/// Elements of an array of ports that have the parameter of another port of the kernel, as `a[0]`
/// and `a_0`. A name declared twice has its own diagnostic.
pub(crate) fn shared_parameters(ports: &[UserPort]) -> Vec<Diagnostic> {
    let mut parameters: BTreeMap<String, &UserPort> = BTreeMap::new();
    let mut found = Vec::new();
    for port in ports {
        let first = *parameters.entry(port.identifier()).or_insert(port);
        let [again, before] = [port, first].map(|one| Spanned::new(&*one.name, one.span));
        let differ = first.name != port.name;
        found.extend(differ.then(|| errors::identifier_collision(&port.identifier(), &again, &before)));
    }
    found
}

impl Context<'_> {
    /// Checks the C++ names that combine several declarations: members of the graph class, ports
    /// and roles.
    pub fn check_identifiers(&mut self) {
        if self.stopped {
            return; // too many to list
        }
        self.check_members();
        self.check_collective_ports();
        self.check_roles();
    }

    /// Members of the graph class: the class itself, kernels, and every instance of every input and
    /// output.
    fn check_members(&mut self) {
        let mut members: BTreeMap<String, (String, Span)> = BTreeMap::new();
        let mut found = Vec::new();
        let mut add = |identifier: String, shown: String, span: Span| {
            if let Some((other, first)) = members.get(&identifier) {
                // A name declared twice has its own diagnostic.
                if *other != shown {
                    found.push(errors::identifier_collision(
                        &identifier,
                        &Spanned::new(&*shown, span),
                        &Spanned::new(&**other, *first),
                    ));
                }
                return;
            }
            members.insert(identifier, (shown, span));
        };
        if let Some(name) = &self.name {
            add(name.value.clone(), format!("design {}", name.value), name.span);
        }
        let place = |name: &str, span: Span| self.at.scope.declared_at(name).unwrap_or(span);
        for family in self.families.iter() {
            add(family.identifier(), family.name.clone(), place(&family.name, family.span));
        }
        for external in self.externals.iter() {
            let span = place(&external.name, external.span);
            for index in 0..external.instances() {
                add(
                    external_identifier(&external.name, &external.dims, index),
                    external.instance_name(index),
                    span,
                );
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// Checks ports of collectives against the user's ports.
    fn check_collective_ports(&mut self) {
        let mut found = Vec::new();
        for collective in self.collectives.iter().flatten() {
            for id in families_of(&collective.group) {
                let ports = self.families.get(id).into_iter().flat_map(|family| &family.ports);
                let local = local_name(&collective.name);
                for port in ports.filter(|port| is_collective_port(&port.name, local)) {
                    let other = format!("a port of {} {}", collective.operation.noun(), collective.name);
                    found.push(errors::identifier_collision(
                        &port.name,
                        &Spanned::new(&*port.name, port.span),
                        &Spanned::new(&*other, collective.span),
                    ));
                }
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// The wrapper classes of a family in a collective, such as `worker_interior`, against other
    /// names.
    fn check_roles(&mut self) {
        let mut found = Vec::new();
        let mut members: Vec<FamilyId> =
            self.collectives.iter().flatten().flat_map(|collective| families_of(&collective.group)).collect();
        members.sort_unstable();
        members.dedup();
        let family = |id| Some((id, self.families.get(id)?.clone()));
        let members: Vec<(FamilyId, Family)> = members.into_iter().filter_map(family).collect();
        members.iter().for_each(|(id, family)| self.check_code_of_ranks(*id, family));
        for (_, family) in &members {
            // A parameter of the wrapper would hide the function that it calls.
            let hiding = family.ports.iter().find(|port| port.name == family.local());
            found.extend(hiding.map(|port| {
                let reason =
                    "it is the function of a kernel in a collective, which a wrapper with this port calls";
                errors::bad_identifier(port.span, &port.name, reason)
            }));
            for role in ["root", "interior", "leaf", "member"] {
                let class = format!("{}_{role}", family.identifier());
                let design = self.name.as_ref().filter(|name| name.value == class).map(|name| name.span);
                if let Some(span) = self.at.scope.declared_at(&class).or(design) {
                    let other = format!("the {role} of {}", family.name);
                    found.push(errors::identifier_collision(
                        &class,
                        &Spanned::new(&*class, span),
                        &Spanned::new(&*other, family.span),
                    ));
                }
            }
        }
        self.diagnostics.append(&mut found);
    }
}

/// The C++ identifier of an instance of an input or output: `samples_3` for `samples[3]`.
pub fn external_identifier(name: &str, dims: &[u32], index: u32) -> String {
    // Names in sub-graphs of an ADF graph have dots.
    let name = aiec_ir::design::identifier(name);
    if dims.is_empty() { name } else { format!("{name}_{index}") }
}

/// True if expansion may give a port of `collective` this name.
fn is_collective_port(port: &str, collective: &str) -> bool {
    let suffix = port.strip_prefix(collective).and_then(|rest| rest.strip_prefix('_'));
    suffix.is_some_and(|suffix| match suffix {
        "result" | "cycles" => true,
        _ => {
            let number = suffix.strip_prefix("in").or_else(|| suffix.strip_prefix("out"));
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        }
    })
}

/// The families of a group, each once, in order.
fn families_of(group: &[Instance]) -> Vec<FamilyId> {
    let mut families: Vec<FamilyId> = group.iter().map(|instance| instance.family).collect();
    families.sort_unstable();
    families.dedup();
    families
}
