//! Checks a placement of the vendor's files against the array.
//!
//! The rules are those of `aiec_placer::verify` as far as the files have the facts: they name
//! neither element types nor locks. As in the tools, blocks may touch, but not overlap, and kernels
//! may share a core.

use std::collections::BTreeMap;

use aiec_device::{Device, Grid, Tile};
use aiec_diag::Diagnostic;

use super::{Block, Floor};
use crate::errors::bad_placement;

/// All faults (`place/bad-import`).
pub fn verify(floor: &Floor, device: &Device) -> Vec<Diagnostic> {
    let check = Check { floor, device, grid: Grid::new(device), kernels: kernels(floor) };
    let mut faults = check.cores();
    faults.extend(check.blocks());
    faults.extend(check.overlaps());
    faults.extend(check.shims());
    faults
}

fn kernels(floor: &Floor) -> BTreeMap<&str, Tile> {
    floor.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.tile)).collect()
}

struct Check<'a> {
    floor: &'a Floor,
    device: &'a Device,
    grid: Grid,
    kernels: BTreeMap<&'a str, Tile>,
}

impl Check<'_> {
    /// Every kernel is on a core of the device.
    fn cores(&self) -> Vec<Diagnostic> {
        let outside = self.floor.kernels.iter().filter(|kernel| self.grid.id(kernel.tile).is_none());
        let fault = |kernel: &super::Kernel| {
            bad_placement(
                format!("`{}` is on core {}, which {} does not have", kernel.name, kernel.tile, self.size()),
                &[(kernel.span, "the array ends before this core")],
            )
        };
        outside.map(fault).collect()
    }

    fn size(&self) -> String {
        let Device { name, columns, rows, .. } = self.device;
        format!("the {name} with {columns} columns and {rows} rows of cores")
    }

    /// Every block lies inside a module that its kernels reach.
    fn blocks(&self) -> Vec<Diagnostic> {
        let faults = self.floor.blocks.iter().map(|block| (block, self.outside(block)));
        let outside = faults.filter_map(|(block, fault)| {
            fault.map(|fault| bad_placement(fault, &[(block.span, "this block lies outside")]))
        });
        outside.chain(self.floor.blocks.iter().flat_map(|block| self.unreached(block))).collect()
    }

    fn outside(&self, block: &Block) -> Option<String> {
        let memory = &self.device.memory;
        let (name, module) = (&block.name, block.module);
        if self.grid.id(module).is_none() {
            return Some(format!("`{name}` is in module {module}, which {} does not have", self.size()));
        }
        if let Some(bank) = block.bank.filter(|&bank| bank >= memory.banks) {
            return Some(format!(
                "`{name}` is in bank {bank} of module {module}, which has {} banks",
                memory.banks
            ));
        }
        // An unknown size counts as nothing, and an offset that no number holds as beyond the end.
        let end = match (block.offset, block.bank) {
            (Some(offset), _) => u64::from(offset) + u64::from(block.bytes.unwrap_or(0)),
            (None, _) => return None,
        };
        (end > u64::from(memory.module_bytes)).then(|| {
            format!("`{name}` ends at byte {end} of module {module}, which has {} bytes", memory.module_bytes)
        })
    }

    /// A fault for each kernel that uses the block and does not reach its module.
    fn unreached(&self, block: &Block) -> Vec<Diagnostic> {
        let Some(module) = self.grid.id(block.module) else { return Vec::new() };
        let user = |user: &String| {
            let kernel = if block.stack { user.as_str() } else { user.rsplit_once('.')?.0 };
            let tile = *self.kernels.get(kernel)?;
            let core = self.grid.id(tile)?;
            (!self.grid.reaches(core, module)).then(|| {
                let what = if block.stack { "its stack" } else { "a buffer of its port" };
                let fault = format!(
                    "`{user}` is on core {tile}, which does not reach module {} with {what}",
                    block.module
                );
                bad_placement(fault, &[(block.span, "the kernel cannot load or store here")])
            })
        };
        block.users.iter().filter_map(user).collect()
    }

    /// No two blocks of known size share a byte. Blocks are sorted by module and start, so each is
    /// compared with the block before it that ends last.
    fn overlaps(&self) -> Vec<Diagnostic> {
        let mut blocks: Vec<(Tile, u64, u64, &Block)> = self.floor.blocks.iter().filter_map(extent).collect();
        blocks.sort_by_key(|&(module, start, end, _)| (module, start, end));
        let mut faults = Vec::new();
        let mut last: Option<(Tile, u64, &Block)> = None;
        for (module, start, end, block) in blocks {
            let before = last.filter(|&(other, ..)| other == module);
            if let Some((_, other_end, other)) = before.filter(|&(_, other_end, _)| start < other_end) {
                let common = other_end.min(end) - start;
                let fault = format!(
                    "`{}` and `{}` share {common} bytes of module {module} from byte {start}",
                    other.name, block.name
                );
                faults.push(bad_placement(
                    fault,
                    &[(block.span, "this block begins too early"), (other.span, "this block ends too late")],
                ));
            }
            if before.is_none_or(|(_, other_end, _)| end > other_end) {
                last = Some((module, end, block));
            }
        }
        faults
    }

    /// Inputs and outputs have columns with PLIOs and channels that exist, and none shares one.
    fn shims(&self) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        let mut owners: BTreeMap<(bool, u16, u32), &super::Shim> = BTreeMap::new();
        for shim in &self.floor.shims {
            if shim.column >= self.device.columns {
                let fault = format!(
                    "`{}` is in column {}, which {} does not have",
                    shim.name,
                    shim.column,
                    self.size()
                );
                faults.push(bad_placement(fault, &[(shim.span, "the array ends before this column")]));
            }
            let (Some(input), Some(channel)) = (shim.input, shim.channel) else { continue };
            let channels =
                if input { self.device.shim.plio_in_channels } else { self.device.shim.plio_out_channels };
            if channel >= channels {
                let fault = format!("`{}` has channel {channel}, but a column has {channels}", shim.name);
                faults.push(bad_placement(fault, &[(shim.span, "the column ends before this channel")]));
            }
            if let Some(other) = owners.insert((input, shim.column, channel), shim) {
                let fault = format!(
                    "`{}` and `{}` have channel {channel} of column {}",
                    other.name, shim.name, shim.column
                );
                faults.push(bad_placement(
                    fault,
                    &[(shim.span, "the second use of the channel"), (other.span, "the first use")],
                ));
            }
        }
        faults
    }
}

/// Module, first byte, and byte past the end of a block.
fn extent(block: &Block) -> Option<(Tile, u64, u64, &Block)> {
    let start = u64::from(block.offset?);
    Some((block.module, start, start + u64::from(block.bytes?), block))
}
