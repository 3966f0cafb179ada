//! Roles: kernels of one family that do the same in every collective share one wrapper class.
//!
//! Takes a checked design, returns the roles of each family that takes part in a collective. A role
//! is a shape: for every collective of the family, which class does its kernels' part and with
//! which ports (thesis 4.6.5: a kernel's signature depends on its place in the tree). All instances
//! of a component have one source, so a collective over some of them gives the others a role
//! outside of it. Families without collectives have no roles; their kernels are plain functions.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::design::{Body, Family, Subgraph, local_name};
use aiec_ir::expanded::{Expanded, Kernel, Membership};
use aiec_ir::{CollectiveId, FamilyId, IdVec, KernelId, ids};

use aiec_collectives::Class;

use crate::classes::Classes;
pub use crate::classes::Part;

/// A kernel's part in one collective, with the ports it needs for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duty {
    /// A collective of the family.
    pub collective: CollectiveId,
    /// What the kernels do in it.
    pub part: Part,
    /// The class that does it; none for [`Part::Outside`].
    pub class: Option<Class>,
    /// Ports from other ranks.
    pub inputs: u32,
    /// Ports to other ranks.
    pub outputs: u32,
    /// True if the result leaves through a window.
    pub result: bool,
    /// True if cycle counts leave through a window.
    pub cycles: bool,
    /// Numbers that the constructor takes besides the rank, one for each subtree below a node of a
    /// gather or scatter.
    pub numbers: u32,
}

impl Duty {
    /// The statement with which the wrapper tells the root of a channel to any peer, a mailbox or
    /// active messages that the kernel has returned. The root of the latter two then takes what is
    /// left.
    /// Returns None for other duties.
    pub fn leave(&self, design: &Expanded) -> Option<String> {
        let collective = &design.collectives[self.collective];
        let is_rank = match self.part {
            Part::Outside => false,
            Part::Root => collective.plan.row().takes_messages,
            _ => collective.plan.goes_by_packets(),
        };
        is_rank.then(|| format!("comm.{}.leave();", local_name(&collective.name)))
    }
}

/// Kernels of one family with the same duties, also of that family in several instances of a
/// component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// The family; the first one, if the kernels belong to instances of a component.
    pub family: FamilyId,
    /// One duty per collective of the family, in declaration order.
    pub duties: Vec<Duty>,
    /// The kernels with the role, in ascending order.
    pub kernels: Vec<KernelId>,
}

impl Role {
    /// The family of its first kernel, which messages name.
    pub fn shown(&self, design: &Expanded) -> FamilyId {
        self.kernels.first().map_or(self.family, |&kernel| design.kernels[kernel].family)
    }
}

ids! {
    /// A role: an entry of [`Roles::roles`].
    pub RoleId;
}

/// The roles of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roles {
    /// All roles, family by family, in order of their first kernels.
    pub roles: IdVec<RoleId, Role>,
    /// The role of each kernel. None when the kernel is a plain function.
    pub of_kernel: IdVec<KernelId, Option<RoleId>>,
    /// The collectives that the source of each family calls.
    pub collectives: IdVec<FamilyId, Vec<CollectiveId>>,
}

impl Roles {
    /// Groups the kernels of `design`.
    pub fn of(design: &Expanded) -> Self {
        let collectives: IdVec<FamilyId, Vec<CollectiveId>> =
            design.families.ids().map(|family| collectives_of(design, family)).collect();
        let classes: Vec<Classes<'_>> = design.collectives.iter().map(Classes::of).collect();
        let kin = kin(design);
        let mut roles = IdVec::new();
        let mut of_kernel = IdVec::new();
        for (id, kernel) in design.kernels.enumerate() {
            let duties = duties(kernel, &collectives[kernel.family], &classes);
            let family = kin[kernel.family];
            of_kernel.push((!duties.is_empty()).then(|| join(&mut roles, family, duties, id)));
        }
        Self { roles, of_kernel, collectives }
    }

    /// True if the kernels of `family` are plain functions.
    pub fn is_plain(&self, family: FamilyId) -> bool {
        self.collectives[family].is_empty()
    }

    /// True if every kernel of `family` has one and the same rank in all collectives of the family,
    /// and these are equally large: then the kernel has *the* rank.
    pub fn has_one_rank(&self, design: &Expanded, family: FamilyId) -> bool {
        let collectives = &self.collectives[family];
        let Some(&first) = collectives.first() else { return false };
        collectives
            .iter()
            .all(|&collective| design.collectives[collective].ranks == design.collectives[first].ranks)
    }
}

/// For each family the first one with the same text: that of another instance of its component.
/// Their kernels share roles in collectives around the component.
fn kin(design: &Expanded) -> IdVec<FamilyId, FamilyId> {
    let mut component: IdVec<FamilyId, Option<&str>> = design.families.iter().map(|_| None).collect();
    for subgraph in design.subgraphs.iter() {
        for &family in &subgraph.families {
            component[family] = Some(&subgraph.component);
        }
    }
    let mut first: BTreeMap<(&str, &str), Vec<FamilyId>> = BTreeMap::new();
    let mut of = |id: FamilyId| {
        let Some(component) = component[id] else { return id };
        let family = &design.families[id];
        let known = first.entry((component, family.local())).or_default();
        let same = |other: &&FamilyId| {
            let other = &design.families[**other];
            (&other.dims, &other.ports, &other.bodies) == (&family.dims, &family.ports, &family.bodies)
        };
        if let Some(&found) = known.iter().find(same) {
            return found;
        }
        known.push(id);
        id
    };
    design.families.ids().map(&mut of).collect()
}

/// The role with these duties, made if there is none, and `kernel` added to it.
fn join(roles: &mut IdVec<RoleId, Role>, family: FamilyId, duties: Vec<Duty>, kernel: KernelId) -> RoleId {
    let equal = roles.enumerate().find(|(_, role)| role.family == family && role.duties == duties);
    let id = match equal {
        Some((id, _)) => id,
        None => roles.push(Role { family, duties, kernels: Vec::new() }),
    };
    roles[id].kernels.push(kernel);
    id
}

/// The collectives that the source of a family calls, in declaration order: those of its kernels,
/// and those of the same kernels in other instances of its component. The latter are left out where
/// the family has one of the same name. Of several of one name, that of the nearest level counts.
pub(crate) fn collectives_of(design: &Expanded, family: FamilyId) -> Vec<CollectiveId> {
    let of = |families: &[FamilyId]| -> BTreeSet<CollectiveId> {
        let kernels = design.kernels.iter().filter(|kernel| families.contains(&kernel.family));
        kernels.flat_map(|kernel| kernel.memberships.iter().map(|member| member.collective)).collect()
    };
    let mut found = of(&[family]);
    let name = |id: CollectiveId| design.collectives[id].name.as_str();
    let within = &design.families[family].name;
    let is_around = |id: CollectiveId| match name(id).rsplit_once('.') {
        Some((instance, _)) => within.strip_prefix(instance).is_some_and(|rest| rest.starts_with('.')),
        None => true,
    };
    let (near, far): (Vec<_>, Vec<_>) =
        of(&siblings(design, family)).into_iter().partition(|&id| is_around(id));
    for other in near.into_iter().chain(far) {
        if !found.iter().any(|&known| local_name(name(known)) == local_name(name(other))) {
            found.insert(other);
        }
    }
    found.into_iter().collect()
}

/// The families of the same source in other instances of the component of `family`. Empty if its
/// kernels cannot be ranks, since the design states more of their C++ than a source.
fn siblings(design: &Expanded, family: FamilyId) -> Vec<FamilyId> {
    let own = &design.families[family];
    let source = |of: &Family| of.body(0).source.value.clone();
    let is_plain = |body: &Body| {
        let stated = body.header.is_some() || body.init.is_some() || body.arguments.is_some();
        !stated && body.template.is_empty() && body.function == own.local()
    };
    let holds = |subgraph: &&Subgraph| subgraph.families.contains(&family);
    let Some(instance) = design.subgraphs.iter().find(holds).filter(|_| own.bodies.iter().all(is_plain))
    else {
        return Vec::new();
    };
    let alike = design.subgraphs.iter().filter(|other| other.component == instance.component);
    let is_same = |id: &FamilyId| {
        let other = &design.families[*id];
        *id != family && other.local() == own.local() && source(other) == source(own)
    };
    alike.flat_map(|other| other.families.iter().copied()).filter(is_same).collect()
}

fn duties(kernel: &Kernel, collectives: &[CollectiveId], classes: &[Classes<'_>]) -> Vec<Duty> {
    let duty = |&collective: &CollectiveId| match membership(kernel, collective) {
        Some(member) => duty_of(member, &classes[collective.index()]),
        None => Duty {
            collective,
            part: Part::Outside,
            class: None,
            inputs: 0,
            outputs: 0,
            result: false,
            cycles: false,
            numbers: 0,
        },
    };
    collectives.iter().map(duty).collect()
}

/// The part of `kernel` in `collective`, if it has one.
pub(crate) fn membership(kernel: &Kernel, collective: CollectiveId) -> Option<&Membership> {
    kernel.memberships.iter().find(|member| member.collective == collective)
}

fn duty_of(member: &Membership, classes: &Classes<'_>) -> Duty {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let result = member.result.is_some();
    Duty {
        collective: member.collective,
        part: classes.part(member.rank),
        class: Some(classes.class(member.rank, result)),
        inputs: count(member.inputs.len()),
        outputs: count(member.outputs.len()),
        result,
        cycles: member.cycles.is_some(),
        numbers: count(classes.below(member.rank).len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    fn shapes(roles: &Roles) -> Vec<(Vec<(Part, u32)>, usize)> {
        let shape = |role: &Role| {
            let duties = role.duties.iter().map(|duty| (duty.part, duty.inputs)).collect();
            (duties, role.kernels.len())
        };
        roles.roles.iter().map(shape).collect()
    }

    #[test]
    fn a_perfect_tree_has_three_roles() {
        let mut builder = Builder::new("reduce7", "toy");
        builder.kernels("worker", &[7], &[]).reduce(Reduce::over("total", &["worker"], int32(4)));
        let roles = Roles::of(&builder.expanded().unwrap());
        let expected = [(Part::Root, 2, 1), (Part::Interior, 2, 2), (Part::Leaf, 0, 4)];
        assert_eq!(shapes(&roles), expected.map(|(part, children, count)| (vec![(part, children)], count)));
    }

    #[test]
    fn an_interior_node_with_fewer_children_is_a_role_of_its_own() {
        let mut builder = Builder::new("reduce6", "toy");
        builder.kernels("worker", &[6], &[]).reduce(Reduce::over("total", &["worker"], int32(4)));
        let roles = Roles::of(&builder.expanded().unwrap());
        let interiors: Vec<u32> = roles
            .roles
            .iter()
            .filter(|role| role.duties[0].part == Part::Interior)
            .map(|role| role.duties[0].inputs)
            .collect();
        assert_eq!(interiors, [2, 1]);
    }

    #[test]
    fn two_collectives_multiply_roles_and_share_the_rank() {
        let mut builder = Builder::new("both", "toy");
        builder
            .kernels("worker", &[3], &[])
            .reduce(Reduce::over("total", &["worker"], int32(4)))
            .reduce(Reduce::over("peak", &["worker"], int32(4)).root("worker[2]"));
        let design = builder.expanded().unwrap();
        let roles = Roles::of(&design);
        assert_eq!(roles.roles.len(), 3);
        assert_eq!(
            roles.roles[RoleId(0)].duties.iter().map(|duty| duty.part).collect::<Vec<_>>(),
            [Part::Root, Part::Leaf]
        );
        assert!(roles.has_one_rank(&design, roles.roles[RoleId(0)].family));
    }

    #[test]
    fn kernels_outside_the_group_keep_the_collective_as_outsiders() {
        let mut builder = Builder::new("some", "toy");
        builder.kernels("worker", &[4], &[]).reduce(Reduce::over(
            "total",
            &["worker[0]", "worker[2]"],
            int32(4),
        ));
        let roles = Roles::of(&builder.expanded().unwrap());
        assert_eq!(roles.of_kernel.as_slice(), [0, 1, 2, 1].map(|id| Some(RoleId(id))));
        assert_eq!(roles.roles[RoleId(1)].duties[0].part, Part::Outside);
    }

    /// Kernel `w` in each of four instances of a component, of which the first two are ranks.
    fn bank() -> Expanded {
        let mut builder = Builder::new("some", "toy");
        for name in ["w0", "w1", "w2", "w3"] {
            builder.kernels(name, &[], &[]);
        }
        builder.reduce(Reduce::over("total", &["w0", "w1"], int32(4)));
        let mut design = builder.expanded().unwrap();
        let span = design.name.span;
        let mut bodies = design.families[FamilyId(0)].bodies.clone();
        bodies[0].function = "w".to_owned();
        for (at, family) in design.families.ids().collect::<Vec<_>>().into_iter().enumerate() {
            let instance = format!("bank[{at}]");
            design.families[family].name = format!("{instance}.w");
            design.families[family].bodies = bodies.clone();
            design.subgraphs.push(Subgraph {
                name: instance,
                component: "part".to_owned(),
                constants: Vec::new(),
                ports: Vec::new(),
                parent: None,
                families: vec![family],
                collectives: Vec::new(),
                span,
                placed: None,
            });
        }
        design
    }

    #[test]
    fn instances_outside_the_group_keep_the_collective_as_outsiders() {
        let design = bank();
        let roles = Roles::of(&design);
        let parts: Vec<Part> = roles.roles.iter().map(|role| role.duties[0].part).collect();
        assert_eq!(parts, [Part::Root, Part::Leaf, Part::Outside]);
        let outside = &roles.roles[RoleId(2)];
        assert_eq!(outside.kernels, [KernelId(2), KernelId(3)], "both share a class");
        assert_eq!(design.families[outside.shown(&design)].name, "bank[2].w");
    }

    #[test]
    fn another_source_knows_nothing_of_the_collectives_of_other_instances() {
        let mut design = bank();
        design.families[FamilyId(2)].bodies[0].source.value = "other.cc".to_owned();
        design.families[FamilyId(3)].bodies[0].function = "own".to_owned();
        let roles = Roles::of(&design);
        assert!(roles.is_plain(FamilyId(2)) && roles.is_plain(FamilyId(3)));
    }

    #[test]
    fn a_collective_of_the_own_instance_hides_those_of_other_instances() {
        let mut design = bank();
        design.collectives[CollectiveId(0)].name = "bank[0].total".to_owned();
        assert_eq!(collectives_of(&design, FamilyId(3)), [CollectiveId(0)]);
        let mut own = design.collectives[CollectiveId(0)].clone();
        own.name = "bank[3].total".to_owned();
        let own = design.collectives.push(own);
        design.kernels[KernelId(2)].memberships = design.kernels[KernelId(0)].memberships.clone();
        design.kernels[KernelId(2)].memberships[0].collective = own;
        assert_eq!(collectives_of(&design, FamilyId(2)), [own]);
        assert_eq!(collectives_of(&design, FamilyId(3)), [own], "of both, the nearer one");
    }

    #[test]
    fn a_family_without_collectives_is_plain() {
        let mut builder = Builder::new("pipe", "toy");
        builder.kernels("scale", &[], &[input("x", int32(4)), output("y", int32(4))]);
        let roles = Roles::of(&builder.expanded().unwrap());
        assert!(roles.roles.is_empty());
        assert!(roles.is_plain(FamilyId(0)));
    }
}
