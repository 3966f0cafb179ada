//! The context of all views of one project.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::expanded::Expanded;
use aiec_placer::Placed;

use crate::classes::Classes;
use crate::names::Names;
use crate::options::{EmitOptions, UserSource};
use crate::roles::Roles;
use crate::stamp::stamp;
use crate::views::Context;

/// Calls `make` with everything that views are made from.
pub(crate) fn with_context<T>(
    checked: &Checked,
    placed: Option<&Placed>,
    device: &Device,
    options: &EmitOptions,
    make: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let roles = Roles::of(checked);
    let names = names_of(checked, &roles, &options.sources);
    let stamp = stamp(&options.origin, &checked.name.value);
    let classes: Vec<Classes<'_>> = checked.collectives.iter().map(Classes::of).collect();
    let locations = options.locations;
    make(&Context {
        design: checked,
        placed,
        locations,
        device,
        roles: &roles,
        names: &names,
        classes: &classes,
        stamp,
    })
}

pub(crate) fn names_of(design: &Expanded, roles: &Roles, sources: &[UserSource]) -> Names {
    let paths: Vec<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    Names::of(design, roles, &paths)
}
