//! A colour for every kernel: the hue encodes its collective or family, the lightness its level.

use std::collections::BTreeMap;

use super::plan::{Floorplan, KernelMark};

/// Degrees of hue, far apart for the first few groups.
const HUES: [u32; 8] = [212, 28, 150, 280, 340, 60, 185, 110];

/// The groups of a floorplan: collectives, and families of kernels outside collectives.
pub(super) struct Groups<'a> {
    /// Name and deepest level of each, in order of appearance.
    pub(super) groups: Vec<(&'a str, u32)>,
    number: BTreeMap<&'a str, usize>,
}

impl<'a> Groups<'a> {
    pub(super) fn of(plan: &'a Floorplan) -> Self {
        let (mut groups, mut number) = (Vec::new(), BTreeMap::new());
        for kernel in &plan.kernels {
            let (name, level) = group(kernel);
            let at = *number.entry(name).or_insert_with(|| {
                groups.push((name, 0));
                groups.len() - 1
            });
            let deepest: &mut (&str, u32) = &mut groups[at];
            deepest.1 = deepest.1.max(level);
        }
        Self { groups, number }
    }

    /// The fill of a kernel.
    pub(super) fn fill(&self, kernel: &KernelMark) -> String {
        let (name, level) = group(kernel);
        self.shade(self.number.get(name).copied().unwrap_or(0), level)
    }

    /// The fill of a level of a group: the root dark, the leaves light.
    pub(super) fn shade(&self, group: usize, level: u32) -> String {
        let deepest = self.groups.get(group).map_or(0, |(_, deepest)| *deepest);
        let lightness = (46 * level).checked_div(deepest).map_or(62, |lighter| 42 + lighter);
        format!("hsl({}, 62%, {lightness}%)", HUES[group % HUES.len()])
    }

    /// White on dark, black on light.
    pub(super) fn ink(&self, kernel: &KernelMark) -> &'static str {
        let (name, level) = group(kernel);
        let deepest =
            self.number.get(name).and_then(|&n| self.groups.get(n)).map_or(0, |(_, deepest)| *deepest);
        if (46 * level).checked_div(deepest).is_some_and(|lighter| lighter < 18) {
            "white"
        } else {
            "#1a1a1a"
        }
    }
}

fn group(kernel: &KernelMark) -> (&str, u32) {
    kernel.collective.as_ref().map_or((kernel.family.as_str(), 0), |level| (level.name.as_str(), level.level))
}
