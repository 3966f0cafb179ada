//! Names of the members of all graph classes: kernels, instances of components, and ports.

use std::collections::BTreeMap;

use aiec_ir::design::{UserPort, identifier, local_name};
use aiec_ir::expanded::Expanded;
use aiec_ir::{CollectiveId, FamilyId, IdVec, SubgraphId, c_names};

use crate::hierarchy::{ClassId, GraphClass, Hierarchy, Level, Levels, subgraphs};
use crate::scope::Scope;

/// A member of a class, or an element of a member that is an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name of the member in its class.
    pub name: String,
    /// The indices of the element: one for each extent of the member.
    pub indices: Vec<u32>,
}

/// Instances of a component as a member of the class around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstanceGroup {
    /// The class around them.
    pub level: Level,
    /// The name of the member in the class around them.
    pub name: String,
    /// Its extents. Empty for a single instance.
    pub dims: Vec<u32>,
    /// Its elements, row by row.
    pub instances: Vec<SubgraphId>,
}

/// The names of the classes of sub-graphs and of their members.
#[derive(Clone, Debug)]
pub(crate) struct GraphNames {
    /// The class of each family and each collective.
    pub levels: Levels,
    /// The name of each class of sub-graphs.
    pub classes: IdVec<ClassId, String>,
    /// The parameters of their constructors.
    pub parameters: IdVec<ClassId, Vec<String>>,
    /// The members that hold instances of components.
    pub groups: Vec<InstanceGroup>,
    /// The member of each instance in the class around it.
    pub instances: IdVec<SubgraphId, Member>,
    /// The ports of each instance, as members of its class.
    pub borders: IdVec<SubgraphId, Vec<Member>>,
}

impl GraphNames {
    /// Names what `scopes` does not have yet. `globals` are the names that classes cannot have.
    pub fn of(
        design: &Expanded,
        levels: Levels,
        hierarchy: &Hierarchy,
        scopes: &mut Scopes,
        globals: &mut Scope,
    ) -> Self {
        let borders = borders(design, scopes);
        let (groups, instances) = instances(design, hierarchy, scopes);
        let classes = classes(design, hierarchy, scopes, globals);
        let parameters = parameters(hierarchy, scopes);
        Self { levels, classes, parameters, groups, instances, borders }
    }
}

/// The scope of each class.
pub(crate) struct Scopes {
    top: Scope,
    inner: BTreeMap<SubgraphId, Scope>,
}

impl Scopes {
    /// Scopes that begin with the names of `base`.
    pub fn new(design: &Expanded, base: &Scope) -> Self {
        let inner = subgraphs(design).map(|(id, _)| (id, base.clone())).collect();
        Self { top: base.clone(), inner }
    }

    /// The scope of a class.
    pub fn at(&mut self, level: Level) -> &mut Scope {
        match level {
            Some(id) => self.inner.entry(id).or_default(),
            None => &mut self.top,
        }
    }

    /// A name in the class of a collective: the name of the collective, and `what`.
    pub fn of_collective(
        &mut self,
        design: &Expanded,
        levels: &Levels,
        id: CollectiveId,
        what: &str,
    ) -> String {
        let (level, name) = (levels.collectives[id], &design.collectives[id].name);
        let name = if level.is_some() { local_name(name).to_owned() } else { identifier(name) };
        self.at(level).fresh(&[format!("{name}_{what}")])
    }

    /// True if one of the scopes has the name.
    fn any_has(&self, name: &str) -> bool {
        self.top.has(name) || self.inner.values().any(|scope| scope.has(name))
    }
}

/// The members that hold the kernels of families.
pub(crate) fn families(design: &Expanded, levels: &Levels, scopes: &mut Scopes) -> IdVec<FamilyId, String> {
    let member = |(id, family): (FamilyId, &aiec_ir::design::Family)| {
        let level = levels.families[id];
        let name = if level.is_some() { family.local().to_owned() } else { family.identifier() };
        scopes.at(level).fresh(&[name.clone(), format!("{name}_kernel")])
    };
    design.families.enumerate().map(member).collect()
}

/// The ports of each instance, as members of its class.
fn borders(design: &Expanded, scopes: &mut Scopes) -> IdVec<SubgraphId, Vec<Member>> {
    let mut of = |id: SubgraphId, ports: &[UserPort]| {
        let mut named: BTreeMap<&str, String> = BTreeMap::new();
        let mut member = |port: &UserPort| {
            let declared = port.declared_name();
            let fresh = || scopes.at(Some(id)).fresh(&[declared.to_owned(), format!("{declared}_port")]);
            // Port `declared` of the same component.
            let start = ports.iter().find(|other| other.declared_name() == declared)?;
            let name = named.entry(start.declared_name()).or_insert_with(fresh).clone();
            Some(Member { name, indices: indices(&port.name) })
        };
        ports.iter().filter_map(&mut member).collect()
    };
    design.subgraphs.enumerate().map(|(id, subgraph)| of(id, &subgraph.ports)).collect()
}

/// The indices at the end of a name, such as 2 and 1 in `bank[2][1]`.
fn indices(name: &str) -> Vec<u32> {
    name.split('[').skip(1).filter_map(|index| index.trim_end_matches(']').parse().ok()).collect()
}

/// The members that hold instances of components: arrays where all elements have one class.
fn instances(
    design: &Expanded,
    hierarchy: &Hierarchy,
    scopes: &mut Scopes,
) -> (Vec<InstanceGroup>, IdVec<SubgraphId, Member>) {
    let mut declared: Vec<((Level, &str), Vec<SubgraphId>)> = Vec::new();
    for (id, subgraph) in subgraphs(design) {
        let local = local_name(&subgraph.name);
        let key = (subgraph.parent, local.split('[').next().unwrap_or(local));
        match declared.iter_mut().rev().find(|(other, _)| *other == key) {
            Some((_, members)) => members.push(id),
            None => declared.push((key, vec![id])),
        }
    }
    let mut members: IdVec<SubgraphId, Member> = design.subgraphs.iter().map(|_| Member::default()).collect();
    let mut groups = Vec::new();
    for ((level, base), all) in declared {
        let place = |id: &SubgraphId| indices(local_name(&design.subgraphs[*id].name));
        let same = all.windows(2).all(|pair| hierarchy.of[pair[0]] == hierarchy.of[pair[1]]);
        let places: Vec<Vec<u32>> = all.iter().map(place).collect();
        let mut fresh = |name: String| scopes.at(level).fresh(&[name.clone(), format!("{name}_graph")]);
        if same {
            let name = fresh(base.to_owned());
            let dims = places.iter().fold(Vec::new(), |dims, place| extents(&dims, place));
            for (&id, indices) in all.iter().zip(places) {
                members[id] = Member { name: name.clone(), indices };
            }
            groups.push(InstanceGroup { level, name, dims, instances: all });
        } else {
            for id in all {
                let name = fresh(identifier(local_name(&design.subgraphs[id].name)));
                members[id] = Member { name: name.clone(), indices: Vec::new() };
                groups.push(InstanceGroup { level, name, dims: Vec::new(), instances: vec![id] });
            }
        }
    }
    (groups, members)
}

/// The extents that hold `place`, too.
fn extents(dims: &[u32], place: &[u32]) -> Vec<u32> {
    let extent = |(at, index): (usize, &u32)| dims.get(at).copied().unwrap_or(0).max(index.saturating_add(1));
    place.iter().enumerate().map(extent).collect()
}

/// The names of the classes: those of their components, with the values of the constants where a
/// component has several classes.
fn classes(
    design: &Expanded,
    hierarchy: &Hierarchy,
    scopes: &Scopes,
    globals: &mut Scope,
) -> IdVec<ClassId, String> {
    let component = |class: &GraphClass| class.instances.first().map(|&id| &design.subgraphs[id]);
    let base = globals.clone();
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for subgraph in hierarchy.classes.iter().filter_map(component) {
        *count.entry(&subgraph.component).or_default() += 1;
    }
    let mut name = |class: &GraphClass| {
        let Some(subgraph) = component(class) else { return String::new() };
        let values = subgraph.constants.iter().map(|(_, value)| value.to_string().replace('-', "m"));
        let several = count.get(subgraph.component.as_str()).is_some_and(|&count| count > 1);
        let parts = std::iter::once(subgraph.component.clone()).chain(values.filter(|_| several));
        let wanted = parts.collect::<Vec<_>>().join("_");
        // In a class that derives from `adf::graph`, `graph` is that class.
        let is_free =
            |name: &String| name != "graph" && !is_taken(name) && !scopes.any_has(name) && !base.has(name);
        let numbered = (2..).map(|number| format!("{wanted}_graph{number}"));
        let mut names = [wanted.clone(), format!("{wanted}_graph")].into_iter().chain(numbered);
        globals.fresh(&[names.find(is_free).unwrap_or_default()])
    };
    hierarchy.classes.iter().map(&mut name).collect()
}

/// The names of the parameters of each class's constructor: those of constants where they have
/// their values, or of constants inside that get them.
fn parameters(hierarchy: &Hierarchy, scopes: &mut Scopes) -> IdVec<ClassId, Vec<String>> {
    let mut names = |class: &GraphClass| {
        let scope = scopes.at(class.instances.first().copied());
        let mut name = |constant: &Option<String>| match constant {
            Some(constant) if !is_taken(constant) => {
                scope.fresh(&[constant.clone(), format!("{constant}_value")])
            }
            Some(constant) => scope.fresh(&[format!("{constant}_value")]),
            None => scope.fresh(&["argument".to_owned()]),
        };
        class.parameters.iter().map(|parameter| name(&parameter.constant)).collect()
    };
    hierarchy.classes.iter().map(&mut names).collect()
}

/// True for a name that C++ or a header gives a meaning.
fn is_taken(name: &str) -> bool {
    c_names::is_word(name)
        || c_names::is_declared(name)
        || c_names::is_macro(name)
        || c_names::is_of_chess(name)
        || c_names::is_of_adf(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_ir::design::Subgraph;
    use aiec_test_support::Builder;

    #[test]
    fn classes_have_the_names_of_components_that_are_free() {
        let mut design = Builder::new("d", "toy").kernels("k", &[], &[]).expanded().expect("declared");
        let span = design.name.span;
        for (component, size) in
            [("graph", 1), ("class", 1), ("run", 1), ("fir", 1), ("bank", 8), ("bank", -4)]
        {
            let name = format!("i{}", design.subgraphs.len());
            let constants = vec![("N".to_owned(), size)];
            let (component, families, collectives) = (component.to_owned(), Vec::new(), Vec::new());
            let ports = Vec::new();
            design.subgraphs.push(Subgraph {
                name,
                component,
                constants,
                ports,
                parent: None,
                families,
                collectives,
                span,
                placed: None,
            });
        }
        let hierarchy = Hierarchy::apart(&design);
        let mut scopes = Scopes::new(&design, &Scope::with(["run", "fir_graph"]));
        let (groups, _) = instances(&design, &hierarchy, &mut scopes);
        let names = classes(&design, &hierarchy, &scopes, &mut Scope::with(["fir"]));
        let expected = ["graph_graph", "class_graph", "run_graph", "fir_graph2", "bank_8", "bank_m4"];
        assert_eq!(names.as_slice(), expected);
        assert_eq!(groups.len(), 6);
    }
}
