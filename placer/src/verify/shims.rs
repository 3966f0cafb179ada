//! Checks the interface row: columns, channels and South ports.

use std::collections::BTreeMap;

use aiec_check::south_ports;
use aiec_diag::Diagnostic;
use aiec_ir::{Direction, ExternalId};

use super::Case;
use super::errors::{constraint_broken, shim_channel};
use crate::placement::ShimSpot;

impl Case<'_> {
    /// Diagnostics of the table of shim channels.
    pub(super) fn shim_faults(&self) -> Vec<Diagnostic> {
        let (checked, shims) = (self.checked, &self.placement.shims);
        let places = checked.shims.iter().filter(|place| {
            let spot = shims[place.external];
            !place.allows(spot.column) || place.channel.is_some_and(|stated| stated != spot.channel)
        });
        let ties = checked.shim_ties.iter().filter_map(|tie| {
            let tile = self.tile(tie.from);
            self.shim_untied(tie, tile.column, &format!("`{}` at {tile}", self.name(tie.from)))
        });
        let links = checked.shim_links.iter().filter_map(|link| {
            let (name, column) = (&checked.externals[link.from].name, shims[link.from].column);
            self.shim_untied(link, column, &format!("`{name}` in column {column}"))
        });
        let places = places.map(|place| {
            let (name, spot) = (&checked.externals[place.external].name, shims[place.external]);
            let channel = place.channel.map_or_else(String::new, |channel| format!(" channel {channel}"));
            let (stated, ShimSpot { column, channel: taken }) = (place.columns(), spot);
            let what = format!("`{name}` is placed in column {column} channel {taken}, but the design says");
            constraint_broken(format!("{what} {stated}{channel}"), place.span)
        });
        let mut found: Vec<Diagnostic> = places.chain(ties).chain(links).collect();
        let mut taken: BTreeMap<(Direction, u16, u32), ExternalId> = BTreeMap::new();
        for (id, external) in checked.externals.enumerate() {
            let spot = shims[id];
            match south_ports(external, self.device, spot.column, spot.channel) {
                Err(reason) => found.push(shim_channel(external, spot, &reason)),
                Ok(ports) => found.extend(ports.into_iter().filter_map(|port| {
                    let other = taken.insert((external.direction, spot.column, port), id)?;
                    Some(self.shim_conflict(id, other, port))
                })),
            }
        }
        found
    }
}
