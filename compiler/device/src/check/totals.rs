//! The rule about the array as a whole: hand-counted numbers equal those that the model computes.

use super::Faults;
use crate::Device;

/// The counted numbers equal those that the model computes.
pub(super) fn expect(device: &Device, faults: &mut Faults) {
    let (expect, cuts, ports) = (&device.expect, device.cuts(), device.interface_totals());
    let [four, three, two] = device.cores_by_reach();
    for (key, expected, computed) in [
        ("expect.cores_reaching_4", expect.cores_reaching_4, four),
        ("expect.cores_reaching_3", expect.cores_reaching_3, three),
        ("expect.cores_reaching_2", expect.cores_reaching_2, two),
        ("expect.column_cut", expect.column_cut, cuts.east),
        ("expect.column_cut", expect.column_cut, cuts.west),
        ("expect.row_cut_up", expect.row_cut_up, cuts.north),
        ("expect.row_cut_down", expect.row_cut_down, cuts.south),
        ("expect.pl_cut_up", expect.pl_cut_up, cuts.pl_up),
        ("expect.pl_cut_down", expect.pl_cut_down, cuts.pl_down),
        ("expect.plio_in", expect.plio_in, ports.plio_in),
        ("expect.plio_out", expect.plio_out, ports.plio_out),
        ("expect.registered_plio_pairs", expect.registered_plio_pairs, ports.registered_plio_pairs),
        ("expect.gmio_in", expect.gmio_in, ports.gmio_in),
        ("expect.gmio_out", expect.gmio_out, ports.gmio_out),
    ] {
        if let Some(expected) = expected {
            faults.require(expected == computed, key, || {
                format!(
                    "it is {expected}, but the other numbers give {computed}; correct one, or \
                     leave this line out"
                )
            });
        }
    }
}
