//! The interface row: widths and numbers of PLIO and GMIO ports.

use aiec_device::Device;
use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::design::Endpoint;
use crate::errors::shim as errors;
use crate::ids::ExternalId;
use crate::types::Direction;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = widths(context);
    for direction in [Direction::Out, Direction::In] {
        let demand = Demand::of(context, direction);
        let supply = Supply::of(context.device, direction);
        found.extend(capacity(context, &demand, &supply));
    }
    found
}

/// PLIO ports have a width the device offers.
fn widths(context: &Context) -> Vec<Diagnostic> {
    let legal = &context.device.shim.plio_widths;
    let externals = context.expanded.externals.enumerate();
    let faults = externals.filter_map(|(id, external)| match &external.endpoint {
        Endpoint::Plio { bits, .. } if !legal.contains(&bits.value) => {
            Some((external.family, (bits.clone(), id)))
        }
        _ => None,
    });
    let groups = grouped(faults);
    groups
        .values()
        .map(|ports| errors::plio_width(context.expanded, ports[0].1, &ports[0].0, legal))
        .collect()
}

/// What a design asks of one direction of the interface row.
pub(crate) struct Demand {
    /// `Out` for the inputs of the array.
    pub direction: Direction,
    /// GMIO ports.
    pub gmio: Vec<ExternalId>,
    /// PLIO ports.
    pub plio: Vec<ExternalId>,
    /// PLIO ports among them that take a pair of channels.
    pub pairs: usize,
}

impl Demand {
    fn of(context: &Context, direction: Direction) -> Self {
        let mut demand = Self { direction, gmio: Vec::new(), plio: Vec::new(), pairs: 0 };
        for (id, external) in context.expanded.externals.enumerate().filter(|(_, e)| e.direction == direction)
        {
            match &external.endpoint {
                Endpoint::Gmio { .. } => demand.gmio.push(id),
                Endpoint::Plio { bits, .. } => {
                    demand.plio.push(id);
                    demand.pairs += usize::from(context.device.shim.channels_of(bits.value) == 2);
                }
            }
        }
        demand
    }

    /// PLIO channels: one per port, two per wide port.
    pub(crate) fn channels(&self) -> usize {
        self.plio.len() + self.pairs
    }
}

/// What a device has in one direction.
pub(crate) struct Supply {
    /// GMIO ports: DMA channels of the NoC columns.
    pub gmio: usize,
    /// GMIO ports in columns without PLIO, which take nothing from it.
    pub gmio_apart: usize,
    /// PLIO channels of all columns.
    pub channels: usize,
    /// Pairs of PLIO channels of all columns that one wide port can take.
    pub pairs: usize,
}

impl Supply {
    fn of(device: &Device, direction: Direction) -> Self {
        let shim = &device.shim;
        let (ports, channels, pairs) = match direction {
            Direction::Out => (shim.gmio_in_ports.len(), shim.plio_in_channels, shim.plio_in_pairs.len()),
            Direction::In => (shim.gmio_out_ports.len(), shim.plio_out_channels, shim.plio_out_pairs.len()),
        };
        let columns = usize::from(shim.plio_column_count());
        let apart = shim.noc_columns.iter().filter(|&&column| !shim.has_plio(column)).count();
        Self {
            gmio: shim.noc_columns.len() * ports,
            gmio_apart: apart * ports,
            channels: columns * channels as usize,
            pairs: columns * pairs,
        }
    }
}

/// There are enough ports. A GMIO port in a column with PLIO takes one of its channels, and with it a pair.
fn capacity(context: &Context, demand: &Demand, supply: &Supply) -> Option<Diagnostic> {
    let design = context.expanded;
    if demand.gmio.len() > supply.gmio {
        return Some(errors::gmio_capacity(design, demand, supply));
    }
    let taken = demand.gmio.len().saturating_sub(supply.gmio_apart);
    let channels = supply.channels.saturating_sub(taken);
    (demand.channels() > channels || demand.pairs > supply.pairs)
        .then(|| errors::plio_capacity(design, demand, supply, taken))
}

#[cfg(test)]
mod tests {
    use crate::build::{Builder, input, int32, output};
    use crate::check::testing::{device, slugs_on};
    use crate::design::Endpoint;
    use crate::types::Direction;

    /// `plio` PLIO ports of `bits` and `gmio` GMIO ports of one direction, each with a kernel of its own.
    fn ports(direction: Direction, plio: u32, bits: u32, gmio: u32) -> Vec<&'static str> {
        let mut builder = Builder::new("ports", "xcvc1902");
        builder.plio("p", &[plio], direction, bits).externals(
            "g",
            &[gmio],
            direction,
            Endpoint::Gmio { file: None },
        );
        let port = match direction {
            Direction::Out => input("x", int32(4)),
            Direction::In => output("x", int32(4)),
        };
        builder.kernels("a", &[plio], &[port]).kernels("b", &[gmio], &[port]);
        let pairs = (0..plio).map(|i| (format!("p[{i}]"), format!("a[{i}].x")));
        for (outside, kernel) in pairs.chain((0..gmio).map(|i| (format!("g[{i}]"), format!("b[{i}].x")))) {
            match direction {
                Direction::Out => builder.connect(&outside, &kernel),
                Direction::In => builder.connect(&kernel, &outside),
            };
        }
        slugs_on(&builder, &device("xcvc1902"))
    }

    #[test]
    fn the_vc1902_has_312_plio_channels_in_and_234_out() {
        assert_eq!(ports(Direction::Out, 312, 64, 0), [""; 0]);
        assert_eq!(ports(Direction::Out, 313, 64, 0), ["check/plio-capacity"]);
        assert_eq!(ports(Direction::In, 234, 64, 0), [""; 0]);
        assert_eq!(ports(Direction::In, 235, 64, 0), ["check/plio-capacity"]);
    }

    #[test]
    fn a_128_bit_plio_takes_two_channels() {
        assert_eq!(ports(Direction::In, 117, 128, 0), [""; 0]);
        assert_eq!(ports(Direction::In, 118, 128, 0), ["check/plio-capacity"]);
    }

    #[test]
    fn the_vc1902_has_32_gmio_ports_each_way() {
        assert_eq!(ports(Direction::Out, 0, 64, 32), [""; 0]);
        assert_eq!(ports(Direction::Out, 0, 64, 33), ["check/gmio-capacity"]);
        assert_eq!(ports(Direction::In, 0, 64, 33), ["check/gmio-capacity"]);
    }

    #[test]
    fn a_gmio_port_takes_the_plio_channel_of_its_number() {
        // Columns 2, 3, 46 and 47 have NoC but no PLIO: 8 GMIO ports cost no PLIO channel.
        assert_eq!(ports(Direction::Out, 312, 64, 8), [""; 0]);
        assert_eq!(ports(Direction::Out, 312, 64, 9), ["check/plio-capacity"]);
    }

    #[test]
    fn a_plio_has_a_width_the_device_offers() {
        assert_eq!(ports(Direction::Out, 2, 32, 0), [""; 0]);
        assert_eq!(ports(Direction::Out, 2, 48, 0), ["check/plio-width"]);
    }
}
