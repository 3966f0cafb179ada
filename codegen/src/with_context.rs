//! The context of all views of one project.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::expanded::Expanded;
use aiec_placer::Placed;

use crate::classes::Classes;
use crate::context::Context;
use crate::hierarchy::Hierarchy;
use crate::names::Names;
use crate::options::{EmitOptions, UserSource};
use crate::roles::Roles;
use crate::stamp::stamp;
use crate::views::graph;

/// Calls `make` with everything that views are made from.
pub(crate) fn with_context<T>(
    checked: &Checked,
    placed: Option<&Placed>,
    device: &Device,
    options: &EmitOptions,
    make: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let roles = Roles::of(checked);
    let classes: Vec<Classes<'_>> = checked.collectives.iter().map(Classes::of).collect();
    let stamp = stamp(&options.origin, &checked.name.value);
    let locations = options.locations;
    let context =
        |names: &Names, hierarchy: &Hierarchy, stamp: String, make: &mut dyn FnMut(&Context<'_>)| {
            let (design, roles, classes) = (checked, &roles, &classes);
            let sources = &options.sources;
            make(&Context {
                design,
                placed,
                locations,
                sources,
                device,
                roles,
                names,
                hierarchy,
                classes,
                stamp,
            });
        };
    let mut hierarchy = Hierarchy::apart(checked);
    if !hierarchy.of.is_empty() {
        let names = Names::of(checked, &roles, &options.sources, &hierarchy);
        let mut joined = Hierarchy::default();
        context(&names, &hierarchy, String::new(), &mut |context| joined = graph::hierarchy(context));
        hierarchy = joined;
    }
    let names = Names::of(checked, &roles, &options.sources, &hierarchy);
    make(&Context {
        design: checked,
        placed,
        locations,
        sources: &options.sources,
        device,
        roles: &roles,
        names: &names,
        hierarchy: &hierarchy,
        classes: &classes,
        stamp,
    })
}

pub(crate) fn names_of(design: &Expanded, roles: &Roles, sources: &[UserSource]) -> Names {
    Names::of(design, roles, sources, &Hierarchy::apart(design))
}
