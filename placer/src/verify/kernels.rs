//! Checks kernels: inside the array, on the tiles of their `place` statements, and no more on a
//! tile than its core can run.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_diag::Diagnostic;
use aiec_ir::{KernelId, WHOLE_CORE};

use super::Case;
use super::errors::{Charge, constraint_broken};

impl Case<'_> {
    /// Diagnostics of the table of kernels.
    pub(super) fn kernel_faults(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut on: BTreeMap<Tile, Vec<KernelId>> = BTreeMap::new();
        for (kernel, &tile) in self.placement.kernels.enumerate() {
            match self.grid.id(tile) {
                None => found.push(self.kernel_outside(kernel)),
                Some(_) => on.entry(tile).or_default().push(kernel),
            }
        }
        let shared = on.iter().filter(|(_, kernels)| kernels.len() > 1);
        found.extend(shared.filter_map(|(&tile, kernels)| self.core_fault(tile, kernels)));
        let places = self.checked.places.iter();
        found.extend(places.filter_map(|place| {
            let (name, tile, asked) =
                (self.name(place.kernel), self.tile(place.kernel), (place.column, place.row));
            let what = format!("`{name}` is placed at {tile}, but the design says {asked:?}");
            (tile.position() != asked).then(|| constraint_broken(what, place.span))
        }));
        found
    }

    /// The fault of several kernels on one core (UG1079: runtime ratios sum to at most 1).
    fn core_fault(&self, tile: Tile, kernels: &[KernelId]) -> Option<Diagnostic> {
        let (checked, device) = (self.checked, self.device);
        let alone = checked.alone();
        if let Some(kernel) = kernels.iter().copied().find(|&kernel| alone[kernel].is_some()) {
            return Some(self.tile_shared(kernels, kernel));
        }
        let sum = |of: &dyn Fn(KernelId) -> Option<u32>| -> u64 {
            kernels.iter().filter_map(|&kernel| of(kernel)).map(u64::from).sum()
        };
        let streams = |way: usize| sum(&|kernel| Some(checked.stream_ports(kernel)[way]));
        let time = sum(&|kernel| checked.runtime(kernel));
        let program = sum(&|kernel| checked.program_bytes(kernel));
        let charges: [Charge; 4] = [
            ("1/1000 of its time", time, WHOLE_CORE),
            ("bytes of program memory", program, device.core.program_bytes),
            ("ports for streams into the core", streams(0), device.tile.streams_in),
            ("ports for streams out of the core", streams(1), device.tile.streams_out),
        ];
        let too_much = charges.into_iter().find(|&(_, demand, supply)| demand > supply.into())?;
        Some(self.core_overloaded(tile, kernels, too_much))
    }
}
