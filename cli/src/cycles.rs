//! `--cycles FILE`: the JSON of `aiec sim --timing`. Takes its text. Returns the cycles of a firing
//! of each kernel, and the amounts that pass through its ports, for designs and graphs that do not
//! state them.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::json::reason;
use aiec_diag::{Diagnostic, SourceFile, Spanned};
use aiec_ir::{Design, Expanded, PortId};
use serde::Deserialize;

use crate::errors;
use crate::pipeline::{Front, Options};

/// What a run counted of each firing.
#[derive(Debug)]
pub(crate) struct Counted {
    /// Array cycles beside its waits and its collectives, by the name of the kernel.
    pub(crate) cycles: BTreeMap<String, u32>,
    /// Elements of streams, and windows that the kernel locks itself, by the name of the port.
    pub(crate) amounts: BTreeMap<String, u32>,
}

/// The part of the JSON that is read.
#[derive(Deserialize)]
struct Report {
    format: String,
    version: u32,
    kernels: Vec<Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    /// The kernel of the design. None when it was not found there.
    instance: Option<String>,
    /// Cycles outside of collectives. None when they are not known.
    own: Option<f64>,
    /// Those of the call, without locks.
    wrapper: f64,
    /// Where `own` comes from.
    from: String,
    /// Elements or windows of a firing at ports whose design states none.
    #[serde(default)]
    amounts: BTreeMap<String, u32>,
}

impl Kernel {
    /// Cycles for the event model. Those that a design states hold the call already.
    fn cycles(&self) -> Option<u32> {
        let wrapper = if self.from == "design" { 0.0 } else { self.wrapper };
        Some(whole(self.own?, wrapper))
    }
}

/// The cycles of the kernels in a file.
pub(crate) fn read(source: &SourceFile) -> Result<Counted, Diagnostic> {
    let bad = |reason: String| errors::bad_cycles(source, &reason);
    let report: Report = serde_json::from_str(&source.text).map_err(|error| bad(reason(&error)))?;
    if (report.format.as_str(), report.version) != ("aiec-timing", 2) {
        return Err(bad(format!("this is format {} {}, not aiec-timing 2", report.format, report.version)));
    }
    let known = report.kernels.iter().filter_map(|kernel| Some((kernel.instance.clone()?, kernel.cycles()?)));
    let cycles: BTreeMap<String, u32> = known.collect();
    let amounts = report.kernels.into_iter().flat_map(|kernel| kernel.amounts).collect();
    match cycles.is_empty() {
        true => Err(bad("it has the cycles of no kernel of a design".to_owned())),
        false => Ok(Counted { cycles, amounts }),
    }
}

/// The whole cycles of a firing outside of collectives for the event model, which adds the locks of
/// windows itself.
pub(crate) fn whole(own: f64, wrapper: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded, and positive")]
    let cycles = (own + wrapper).clamp(0.0, f64::from(u32::MAX)).round() as u32;
    cycles
}

/// The design with counted cycles for the kernels that state none.
pub(crate) fn stated(mut design: Design, counted: &BTreeMap<String, u32>) -> Design {
    for id in design.families.ids() {
        let family = &mut design.families[id];
        let of_instance = |index: u32| counted.get(&family.instance_name(index)).copied();
        let cycles: Vec<Option<u32>> = (0..family.instances()).map(of_instance).collect();
        if cycles.iter().all(Option::is_none) {
            continue;
        }
        if let [shared] = family.bodies.as_slice() {
            family.bodies = vec![shared.clone(); cycles.len()];
        }
        for (body, cycles) in family.bodies.iter_mut().zip(cycles) {
            let span = body.source.span;
            body.cycles = body.cycles.take().or_else(|| cycles.map(|value| Spanned { value, span }));
        }
    }
    design
}

/// Fails when a file has cycles of a kernel that the design does not have.
pub(crate) fn of_design(
    file: &SourceFile,
    counted: &BTreeMap<String, u32>,
    design: &Expanded,
) -> Result<(), Diagnostic> {
    let names: BTreeSet<&str> = design.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    match counted.keys().find(|name| !names.contains(name.as_str())) {
        Some(name) => Err(errors::bad_cycles(file, &format!("it has no kernel `{name}`"))),
        None => Ok(()),
    }
}

impl Front {
    /// A checked design, whose placement is still to be found.
    pub fn new(device: Device, checked: Checked, options: &Options) -> Self {
        let amounts = with_counted(&checked, &options.amounts);
        Self { device, checked, amounts, profile: options.profile.clone(), found: None }
    }

    /// The design as models of time see it.
    pub fn timed(&self) -> &Checked {
        self.amounts.as_deref().unwrap_or(&self.checked)
    }
}

/// The design with counted amounts at its open ports, and those that follow from others. None when
/// no port is open.
pub(crate) fn with_counted(checked: &Checked, counted: &BTreeMap<String, u32>) -> Option<Box<Checked>> {
    let open: Vec<PortId> = checked.ports.ids().filter(|&port| checked.is_open(port)).collect();
    let amount = |&port: &PortId| Some((port, *counted.get(&checked.port_name(port))?));
    let known = || open.iter().filter_map(amount).collect();
    (!open.is_empty()).then(|| Box::new(checked.with_amounts(&known())))
}
