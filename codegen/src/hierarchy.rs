//! Classes of sub-graphs: which instances of components share one.
//!
//! Instances share a class when their members and the statements of their constructors are equal,
//! but for numbers that kernels' constructors take. The numbers that differ between instances
//! become parameters of the class's constructor. The graphs of an ADF project have their classes
//! already, and make none here.

use aiec_ir::design::{Language, Subgraph};
use aiec_ir::expanded::Expanded;
use aiec_ir::{CollectiveId, FamilyId, IdVec, KernelId, SubgraphId, ids};

/// A class of the emitted graph: that of an instance of a component, or of the design itself.
pub(crate) type Level = Option<SubgraphId>;

ids! {
    /// A class of sub-graphs: an entry of [`Hierarchy::classes`].
    pub ClassId;
}

/// A number that the constructor of a kernel takes: the kernel, and the number's position among
/// its numbers.
pub(crate) type Place = (KernelId, usize);

/// A class of sub-graphs.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphClass {
    /// Its instances, ascending. Its text is that of the first one.
    pub instances: Vec<SubgraphId>,
    /// The parameters of its constructor.
    pub parameters: Vec<Parameter>,
    /// The numbers of its own kernels that are parameters: the place in the first instance, and
    /// the position of the parameter.
    pub places: Vec<(Place, usize)>,
}

/// A parameter of the constructor of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// The constant of the component that has its value in every instance, else that of a component
    /// inside which gets the value.
    pub constant: Option<String>,
    /// Its value in each instance of the class.
    pub values: Vec<i64>,
}

/// The classes of a design, and which class each instance has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    /// All classes; the classes of members come before that of their owner.
    pub classes: IdVec<ClassId, GraphClass>,
    /// The class of each instance. Empty for an ADF graph.
    pub of: IdVec<SubgraphId, ClassId>,
}

impl Hierarchy {
    /// Each instance in a class of its own.
    pub fn apart(design: &Expanded) -> Self {
        let mut apart = Self::default();
        for id in subgraphs(design).map(|(id, _)| id) {
            let class = GraphClass { instances: vec![id], ..GraphClass::default() };
            apart.of.push(apart.classes.push(class));
        }
        apart
    }

    /// Instances with equal shapes in one class. `shape` makes the shape of an instance from the
    /// classes of those inside it, and `numbers` lists the numbers of its own kernels.
    pub fn joined<S: PartialEq>(
        design: &Expanded,
        shape: impl Fn(SubgraphId, &[(SubgraphId, ClassId)]) -> S,
        numbers: impl Fn(SubgraphId) -> Vec<(Place, i64)>,
    ) -> Self {
        let mut classes: IdVec<ClassId, (S, GraphClass)> = IdVec::new();
        let mut of: Vec<Option<ClassId>> = vec![None; design.subgraphs.len()];
        let all: Vec<SubgraphId> = subgraphs(design).map(|(id, _)| id).collect();
        // Members come behind their owner.
        for &id in all.iter().rev() {
            let inside: Vec<(SubgraphId, ClassId)> =
                members(design, id).filter_map(|member| Some((member, of[member.index()]?))).collect();
            let shape = shape(id, &inside);
            let known = classes.enumerate().find(|(_, (other, _))| *other == shape).map(|(class, _)| class);
            let class = known.unwrap_or_else(|| classes.push((shape, GraphClass::default())));
            classes[class].1.instances.insert(0, id);
            of[id.index()] = Some(class);
        }
        let mut joined = Self {
            classes: classes.iter().map(|(_, class)| class.clone()).collect(),
            of: of.into_iter().flatten().collect(),
        };
        for class in joined.classes.ids() {
            joined.parametrise(design, class, &numbers);
        }
        joined
    }

    /// Finds the parameters of a class. Those of its members' classes are known.
    fn parametrise(
        &mut self,
        design: &Expanded,
        id: ClassId,
        numbers: impl Fn(SubgraphId) -> Vec<(Place, i64)>,
    ) {
        let instances = self.classes[id].instances.clone();
        let rows: Vec<(Vec<Place>, Vec<i64>)> =
            instances.iter().map(|&instance| self.row(design, instance, numbers(instance))).collect();
        let inner = instances.first().map_or_else(Vec::new, |&first| self.inner_constants(design, first));
        let Some((places, first)) = rows.first() else { return };
        let (mut parameters, mut found) = (Vec::<Parameter>::new(), Vec::new());
        for at in 0..first.len() {
            let values: Vec<i64> = rows.iter().filter_map(|(_, row)| row.get(at).copied()).collect();
            if values.windows(2).all(|pair| pair[0] == pair[1]) {
                continue;
            }
            let known = parameters.iter().position(|parameter| parameter.values == values);
            let position = known.unwrap_or_else(|| {
                // Those of members come behind the numbers of the own kernels.
                let of_member = at.checked_sub(places.len()).and_then(|at| inner.get(at)?.clone());
                let constant = constant_of(design, &instances, &values).or(of_member);
                parameters.push(Parameter { constant, values });
                parameters.len() - 1
            });
            found.extend(places.get(at).map(|&place| (place, position)));
        }
        let class = &mut self.classes[id];
        (class.parameters, class.places) = (parameters, found);
    }

    /// All numbers of an instance: the places of those of its own kernels, and the values.
    fn row(&self, design: &Expanded, id: SubgraphId, numbers: Vec<(Place, i64)>) -> (Vec<Place>, Vec<i64>) {
        let (places, mut values): (Vec<Place>, Vec<i64>) = numbers.into_iter().unzip();
        for member in members(design, id) {
            values.extend(self.arguments(member));
        }
        (places, values)
    }

    /// The constants of the parameters that the classes of the members of an instance have.
    fn inner_constants(&self, design: &Expanded, id: SubgraphId) -> Vec<Option<String>> {
        let classes = members(design, id).map(|member| &self.classes[self.of[member]]);
        classes.flat_map(|class| class.parameters.iter().map(|one| one.constant.clone())).collect()
    }

    /// The arguments of the constructor of an instance.
    pub fn arguments(&self, id: SubgraphId) -> Vec<i64> {
        let class = &self.classes[self.of[id]];
        let at = class.instances.iter().position(|&instance| instance == id).unwrap_or(0);
        class.parameters.iter().filter_map(|parameter| parameter.values.get(at).copied()).collect()
    }

    /// The parameter of the class of `owner` that has, in each of its instances, the value of
    /// argument `at` of the member `id`. Returns None when all have one value.
    pub fn outer_parameter(
        &self,
        design: &Expanded,
        owner: SubgraphId,
        id: SubgraphId,
        at: usize,
    ) -> Option<usize> {
        let class = &self.classes[self.of[owner]];
        let position = members(design, owner).position(|member| member == id)?;
        let value = |&instance: &SubgraphId| {
            self.arguments(members(design, instance).nth(position)?).get(at).copied()
        };
        let values: Vec<i64> = class.instances.iter().filter_map(value).collect();
        class.parameters.iter().position(|parameter| parameter.values == values)
    }
}

/// The constant of the component that has these values in the instances.
fn constant_of(design: &Expanded, instances: &[SubgraphId], values: &[i64]) -> Option<String> {
    let first = instances.first()?;
    let has = |name: &String| {
        instances.iter().zip(values).all(|(&id, value)| {
            design.subgraphs[id].constants.iter().any(|(other, found)| (other, found) == (name, value))
        })
    };
    design.subgraphs[*first].constants.iter().map(|(name, _)| name).find(|name| has(name)).cloned()
}

/// The instances of components that become classes: none for an ADF graph.
pub(crate) fn subgraphs(design: &Expanded) -> impl Iterator<Item = (SubgraphId, &Subgraph)> {
    design.subgraphs.enumerate().filter(|_| design.language == Language::Aiec)
}

/// The instances that lie directly in another one, ascending.
pub(crate) fn members(design: &Expanded, id: SubgraphId) -> impl Iterator<Item = SubgraphId> + '_ {
    subgraphs(design).filter(move |(_, subgraph)| subgraph.parent == Some(id)).map(|(id, _)| id)
}

/// The class that holds each family and each collective.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    /// The class whose member holds the kernels of a family.
    pub families: IdVec<FamilyId, Level>,
    /// The class whose constructor connects the ranks of a collective.
    pub collectives: IdVec<CollectiveId, Level>,
}

impl Levels {
    /// The levels of a design.
    pub fn of(design: &Expanded) -> Self {
        let mut levels = Self {
            families: design.families.iter().map(|_| None).collect(),
            collectives: design.collectives.iter().map(|_| None).collect(),
        };
        for (id, subgraph) in subgraphs(design) {
            subgraph.families.iter().for_each(|&family| levels.families[family] = Some(id));
            subgraph.collectives.iter().for_each(|&collective| levels.collectives[collective] = Some(id));
        }
        levels
    }
}

/// The level around a level. Returns None, which is the design, when no component is around it.
pub(crate) fn around(design: &Expanded, level: Level) -> Level {
    level.and_then(|id| design.subgraphs.get(id)).and_then(|subgraph| subgraph.parent)
}

/// The innermost level around both.
pub(crate) fn common(design: &Expanded, a: Level, b: Level) -> Level {
    let (mut a, mut b) = (a, b);
    // An instance comes after the one that it lies in.
    while a != b {
        if a > b { a = around(design, a) } else { b = around(design, b) }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_test_support::Builder;

    /// Four instances of one component, two in each of two instances of another one.
    fn design() -> Expanded {
        let mut builder = Builder::new("d", "toy");
        for name in ["k0", "k1", "k2", "k3"] {
            builder.kernels(name, &[], &[]);
        }
        let mut design = builder.expanded().expect("every name is declared");
        let span = design.name.span;
        let subgraph = |name: &str, component: &str, gain, parent, families| Subgraph {
            name: name.to_owned(),
            component: component.to_owned(),
            constants: vec![("GAIN".to_owned(), gain)],
            ports: Vec::new(),
            parent,
            families,
            collectives: Vec::new(),
            span,
            placed: None,
        };
        for (at, gain) in [(0, 5), (1, 7)] {
            let outer = design.subgraphs.push(subgraph(&format!("o[{at}]"), "outer", gain, None, vec![]));
            for inner in 0..2 {
                let family = FamilyId(2 * at + inner);
                let name = format!("o[{at}].i[{inner}]");
                let made = subgraph(&name, "inner", gain + 1, Some(outer), vec![family]);
                design.subgraphs.push(made);
            }
        }
        design
    }

    /// The kernel of an instance takes the constant, and a number of its own.
    fn numbers(design: &Expanded, id: SubgraphId) -> Vec<(Place, i64)> {
        let subgraph = &design.subgraphs[id];
        let kernels = subgraph.families.iter().map(|family| KernelId(family.0));
        kernels.flat_map(|kernel| [((kernel, 0), subgraph.constants[0].1), ((kernel, 1), 9)]).collect()
    }

    #[test]
    fn numbers_that_differ_are_parameters_through_all_classes() {
        let design = design();
        let shape = |id: SubgraphId, inside: &[(SubgraphId, ClassId)]| {
            (design.subgraphs[id].component.clone(), inside.iter().map(|member| member.1).collect::<Vec<_>>())
        };
        let hierarchy = Hierarchy::joined(&design, shape, |id| numbers(&design, id));
        let [inner, outer] = hierarchy.classes.as_slice() else { panic!("{hierarchy:?}") };
        assert_eq!((inner.instances.len(), outer.instances.len()), (4, 2));
        let parameter = Parameter { constant: Some("GAIN".to_owned()), values: vec![6, 6, 8, 8] };
        assert_eq!((&inner.parameters, inner.places.len()), (&vec![parameter], 1), "9 stays a number");
        let passed = Parameter { constant: Some("GAIN".to_owned()), values: vec![6, 8] };
        assert_eq!(outer.parameters, [passed], "both members take one parameter");
        assert_eq!(hierarchy.arguments(SubgraphId(3)), [8]);
        assert_eq!(hierarchy.outer_parameter(&design, SubgraphId(0), SubgraphId(2), 0), Some(0));
    }

    #[test]
    fn instances_of_different_shapes_have_different_classes() {
        let design = design();
        let hierarchy = Hierarchy::joined(&design, |id, _| id, |id| numbers(&design, id));
        assert_eq!(hierarchy.classes.len(), design.subgraphs.len());
        assert!(hierarchy.classes.iter().all(|class| class.parameters.is_empty()));
    }

    #[test]
    fn ends_meet_in_the_innermost_class_around_both() {
        let design = design();
        let level = |id| Some(SubgraphId(id));
        assert_eq!(common(&design, level(1), level(2)), level(0));
        assert_eq!(common(&design, level(1), level(4)), None);
        assert_eq!(common(&design, level(3), level(5)), level(3));
    }
}
