//! Statements to which calls led, with the members that they set.

use aiec_diag::Span;

use crate::description::{
    Connection, Description, ExternalIndex, Kernel, KernelIndex, Owner, PortIndex, Site, Subject,
};
use crate::ends;
use crate::names::{self, Names};

/// A statement to which calls led.
#[derive(Clone, Debug)]
pub struct Called {
    /// Names of the kernels, inputs and outputs that the statement sets, such as `left.k[0]`. Empty
    /// for other objects.
    pub of: Vec<String>,
    /// The statement and its calls. The place where the global object is constructed is no call.
    pub site: Site,
}

/// The statements of a graph to which calls led.
pub(crate) fn calls(description: &Description) -> Vec<Called> {
    let members = Members::of(description);
    let globals = description.graphs.iter().filter(|graph| graph.parent.is_none());
    let globals: Vec<Span> = globals.filter_map(|graph| Some(graph.site.as_ref()?.span)).collect();
    let inner = |(of, site): (Vec<String>, &Site)| {
        let calls = site.calls.iter().filter(|call| call.span.is_none_or(|span| !globals.contains(&span)));
        Called { of, site: Site { span: site.span, calls: calls.cloned().collect() } }
    };
    statements(description, &members).map(inner).filter(|one| !one.site.calls.is_empty()).collect()
}

/// All statements, with the members that they set.
fn statements<'d>(
    description: &'d Description,
    members: &'d Members<'d>,
) -> impl Iterator<Item = (Vec<String>, &'d Site)> {
    let kernels = (0..).map(KernelIndex).zip(&description.kernels);
    let kernels = kernels.flat_map(move |(at, one)| set_by(one).map(move |site| (members.kernel(at), site)));
    let externals = (0..).map(ExternalIndex).zip(&description.externals);
    let externals = externals.map(|(at, one)| (members.external(at), &one.site));
    let others = description.switches.iter().map(|one| &one.site);
    let others = others.chain(description.graphs.iter().map(|one| &one.site)).map(|site| (Vec::new(), site));
    let wires = description
        .connections
        .iter()
        .flat_map(|one| [&one.site, &one.fifo_site].map(|site| (members.ends(one), site)));
    let tables = description.tables.iter().map(|one| (members.kernel(one.kernel), &one.site));
    let locations = description.locations.iter().map(|one| (members.subject(one.subject), &one.site));
    let apart = description.not_equal.iter();
    let apart = apart.map(|one| ([members.subject(one.a), members.subject(one.b)].concat(), &one.site));
    let all = kernels.chain(externals).chain(others).chain(wires).chain(tables).chain(locations).chain(apart);
    let ports = description.ports.iter();
    let ports =
        ports.flat_map(move |port| port.sites.iter().map(move |site| (members.owner(port.owner), site)));
    all.filter_map(|(of, site)| Some((of, site.as_ref()?))).chain(ports)
}

/// The statements that create a kernel and set its properties.
fn set_by(kernel: &Kernel) -> impl Iterator<Item = &Option<Site>> {
    let sites = &kernel.sites;
    [&kernel.site, &sites.source, &sites.runtime, &sites.stack, &sites.heap, &sites.repetitions].into_iter()
}

/// The names of members.
struct Members<'d> {
    description: &'d Description,
    kernels: Vec<String>,
    externals: Vec<String>,
}

impl<'d> Members<'d> {
    fn of(description: &'d Description) -> Self {
        let mut names = Names::of(description);
        let kernels = names::kernels(description, &mut names).iter().map(names::Member::name).collect();
        let externals = description.externals.iter();
        let externals = externals.map(|one| ends::member(one, &mut names).name()).collect();
        Self { description, kernels, externals }
    }

    fn kernel(&self, at: KernelIndex) -> Vec<String> {
        self.kernels.get(at.0 as usize).cloned().into_iter().collect()
    }

    fn external(&self, at: ExternalIndex) -> Vec<String> {
        self.externals.get(at.0 as usize).cloned().into_iter().collect()
    }

    fn owner(&self, owner: Owner) -> Vec<String> {
        match owner {
            Owner::Kernel(at) => self.kernel(at),
            Owner::External(at) => self.external(at),
            Owner::Switch(_) | Owner::Graph => Vec::new(),
        }
    }

    fn port(&self, at: PortIndex) -> Vec<String> {
        self.description.ports.get(at.0 as usize).map_or_else(Vec::new, |port| self.owner(port.owner))
    }

    fn ends(&self, wire: &Connection) -> Vec<String> {
        [self.port(wire.from), self.port(wire.to)].concat()
    }

    fn subject(&self, subject: Subject) -> Vec<String> {
        match subject {
            Subject::Kernel(at) | Subject::Stack(at) | Subject::Table(at, _) => self.kernel(at),
            Subject::Port(at) => self.port(at),
            Subject::External(at) => self.external(at),
            Subject::Fifo(at) => {
                self.description.connections.get(at.0 as usize).map_or_else(Vec::new, |wire| self.ends(wire))
            }
            Subject::Other | Subject::Graph(_) => Vec::new(),
        }
    }
}
