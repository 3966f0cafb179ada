//! Designs with a hidden placement that is legal: first the placement is drawn, then the design is
//! derived from it. So no search may refuse such a design, and the connections by DMA of the hidden
//! placement are a number that can be reached.
//!
//! Takes a family and a number; the same ones give the same design on every machine. `verify` of
//! the placer proves every hidden placement.

#![allow(clippy::panic, reason = "a hidden placement that is not legal is a fault of the generator")]

mod design;
mod layout;
mod modules;
mod random;
mod recipe;

use aiec_check::Checked;
use aiec_device::{Device, builtin};
use aiec_placer::{dma_connections, verify};
use aiec_test_support::Builder;

use layout::End;
use random::Random;
use recipe::Recipe;

pub use design::checked;
pub use recipe::Family;

/// Layouts to draw for a number before the generator is at fault.
const MOST_DRAWN: u64 = 2_000;

/// A design, and what its hidden placement has.
pub struct Hidden {
    /// The design before its checks.
    pub builder: Builder,
    /// The design after its checks.
    pub checked: Checked,
    /// The device that it fills.
    pub device: Device,
    /// Bytes taken of the modules that the cores of its area reach, in 1/1000.
    pub fill: u64,
    /// Connections by DMA of the hidden placement, those to PLIO included.
    pub dma: usize,
    /// Connections to PLIO, which go by DMA in every placement.
    pub plio: usize,
}

/// The built-in device of this name.
pub fn device(name: &str) -> Device {
    let device = builtin(name).and_then(|outcome| outcome.into_parts().0);
    device.unwrap_or_else(|| panic!("no device {name}"))
}

/// The design of a family and a number.
///
/// # Panics
/// If the checks or `verify` refuse the hidden placement.
pub fn hidden(family: Family, number: u64) -> Hidden {
    let seed = number * 16 + family as u64;
    let mut drawn = (0..MOST_DRAWN).filter_map(|again| {
        let mut random = Random::new(seed.wrapping_add(again << 32));
        try_hidden(family, number, &mut random)
    });
    drawn
        .next()
        .unwrap_or_else(|| panic!("no layout of {}-{number} is as full as it should be", family.name()))
}

/// The design of a layout that `random` draws. Returns None when the layout is not full enough.
fn try_hidden(family: Family, number: u64, random: &mut Random) -> Option<Hidden> {
    let recipe = Recipe::draw(family, random);
    let device = device(recipe.device);
    let grid = layout::grid(&recipe, &device);
    let layout = layout::draw(&recipe, &device, &grid, random)?;
    let numbered = design::Numbered::new(&layout);
    let name = format!("{}{number}", family.name());
    let mut builder = numbered.design(&name, recipe.device);
    design::constrain(&mut builder, &recipe, &layout, &grid, random);
    let checked = checked(&builder, &device)
        .unwrap_or_else(|said| panic!("the checks refuse the legal design {name}: {said}"));
    let placement = numbered.placement(&checked, &grid);
    let (placed, said) = verify(&checked, &device, placement).into_parts();
    let placed = placed.unwrap_or_else(|| panic!("the hidden placement of {name} is not legal: {said:#?}"));
    let outer = |link: &&layout::Link| link.ends.iter().any(|end| matches!(end, End::Plio(..)));
    let plio = layout.links.iter().filter(outer).count();
    let dma = dma_connections(&checked, &placed);
    Some(Hidden { builder, checked, device, fill: layout.fill, dma, plio })
}
