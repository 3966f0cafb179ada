//! The options of the stages.

use std::collections::BTreeMap;

use aiec_adf::Adopted;
use aiec_device::Device;
use aiec_diag::Code;
use aiec_ir::Design;
use aiec_lower::Options as LowerOptions;
use aiec_placer::PlaceOptions;
use aiec_router_model::RouteOptions;
use aiec_timing::{ShapeGuide, TimingProfile};

/// The inputs of the stages besides the design's text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What lowering takes from the command line: the constants of `-D`.
    pub lower: LowerOptions,
    /// The design of an ADF graph, which takes the place of a text.
    pub adopted: Option<Adopted>,
    /// A device that replaces the design's.
    pub device: Option<Device>,
    /// The limits of that device for shapes, where many designs are expanded. None when they are
    /// computed for each.
    pub limits: Option<ShapeGuide>,
    /// Array cycles of kernels whose design does not state them, by their names (`--cycles`).
    pub counted: BTreeMap<String, u32>,
    /// Elements of streams, and windows that kernels lock themselves, in one run, where the design
    /// states none, by the names of ports (`--cycles`).
    pub amounts: BTreeMap<String, u32>,
    /// Constants of all times.
    pub profile: TimingProfile,
    /// Diagnostics of checks that are not given.
    pub allowed: Vec<&'static Code>,
    /// Options of the placement search.
    pub place: PlaceOptions,
    /// Options of the router.
    pub route: RouteOptions<'static>,
}

impl Options {
    /// The device of a design: that of the command line, or else the named one. None when there is
    /// no such device, which the check reports.
    pub fn device_of(&self, design: &Design) -> Option<Device> {
        let known = || aiec_device::builtin(&design.device.value)?.into_parts().0;
        self.device.clone().or_else(known)
    }

    /// What the choice of shapes for a design knows of its device and of times.
    pub fn guide(&self, design: &Design) -> ShapeGuide {
        let limits = || ShapeGuide::of(self.device_of(design).as_ref());
        let limits = self.limits.clone().unwrap_or_else(limits);
        ShapeGuide { profile: self.profile.clone(), ..limits }
    }

    /// These, for a component by itself.
    pub(crate) fn alone(&self, component: String) -> Self {
        let mut options = self.clone();
        let extent = |name: &str| {
            let device = aiec_device::builtin(name)?.into_parts().0?;
            Some((device.columns.into(), device.rows.into()))
        };
        options.lower.alone = Some(aiec_lower::Alone { component, extent });
        options
    }
}
