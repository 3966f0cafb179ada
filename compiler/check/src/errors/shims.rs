//! Errors of places in the interface row.

use aiec_device::Device;
use aiec_diag::{Diagnostic, catalogue, listed};

use super::{and_more, labelled};
use aiec_collectives::Direction;
use aiec_ir::constraints::{ShimPlace, ShimTie};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{Expanded, External};
use aiec_ir::{ExternalId, KernelId};

type Place = ShimPlace<ExternalId>;

/// Inputs or outputs of one declaration that are placed alike, at least one.
pub(crate) struct Alike<'a> {
    /// The first of them.
    pub external: &'a External,
    place: &'a Place,
    names: String,
    count: usize,
}

impl<'a> Alike<'a> {
    pub(crate) fn new(design: &'a Expanded, places: &[&'a Place]) -> Self {
        let place = places[0];
        let external = &design.externals[place.external];
        let count = places.len();
        Self { external, place, names: and_more(&external.name, count), count }
    }

    const fn are(&self) -> &'static str {
        if self.count == 1 { "is" } else { "are" }
    }
}

const fn word(external: &External) -> &'static str {
    match external.endpoint {
        Endpoint::Plio { .. } => "PLIO",
        Endpoint::Gmio { .. } => "GMIO",
    }
}

/// Several inputs or outputs, at least two, have one name for the tools.
pub(crate) fn one_name(design: &Expanded, all: &[ExternalId]) -> Diagnostic {
    let [first, second] = [all[0], all[1]].map(|id| &design.externals[id]);
    let more = if all.len() > 2 { format!(", and {} more,", all.len() - 2) } else { String::new() };
    let diagnostic = Diagnostic::new(
        &catalogue::LOGICAL_NAME,
        format!("`{}` and `{}`{more} have the name `{}`", first.name, second.name, first.logical),
        format!("give `{}` a name of its own: the tools end with error 77-4551 (UG1079)", second.name),
    );
    if first.span == second.span {
        return diagnostic.label(first.span, "all have this name");
    }
    diagnostic.label(second.span, "has the name as well").label(first.span, "has the name first")
}

/// The column lies outside the array.
pub(crate) fn outside(all: &Alike<'_>, device: &Device) -> Diagnostic {
    let Alike { place, names, .. } = all;
    let last = device.columns.saturating_sub(1);
    Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!(
            "{names} {} placed in {}, but {} has no such column",
            all.are(),
            place.columns(),
            device.name
        ),
        format!("use a column from 0 to {last}"),
    )
    .label(place.span, format!("{} has {} columns", device.name, device.columns))
}

/// No column of a kernel gives the input or output one that serves it.
pub(crate) fn tied_outside(
    design: &Expanded,
    tie: &ShimTie<ExternalId, KernelId>,
    device: &Device,
) -> Diagnostic {
    let external = &design.externals[tie.external];
    let (word, device) = (word(external), &device.name);
    let why = format!("no column of {device} that serves this {word} has a core there");
    no_distance(&external.name, &design.kernels[tie.from].name, tie, &why)
}

/// No column serves an input or output and leaves those that follow it, or that it follows, one.
pub(crate) fn linked_outside(
    design: &Expanded,
    link: &ShimTie<ExternalId, ExternalId>,
    count: usize,
    device: &Device,
) -> Diagnostic {
    let [own, from] = [link.external, link.from].map(|external| &design.externals[external].name);
    let all = if count > 2 { format!("all {count} that follow each other") } else { "both".to_owned() };
    no_distance(own, from, link, &format!("no columns of {} at that distance serve {all}", device.name))
}

fn no_distance<F>(name: &str, from: &str, tie: &ShimTie<ExternalId, F>, why: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SHIM_PLACE,
        format!("`{name}` is placed {} columns from `{from}`, but {why}", tie.columns),
        "use a smaller distance, or leave it out",
    )
    .label(tie.span, format!("`{name}` follows `{from}`"))
}

/// Other distances put an input or output `columns` from the one that `link` names.
pub(crate) fn two_distances(
    design: &Expanded,
    link: &ShimTie<ExternalId, ExternalId>,
    columns: i64,
) -> Diagnostic {
    let [own, from] = [link.external, link.from].map(|external| &design.externals[external].name);
    Diagnostic::new(
        &catalogue::SHIM_PLACE,
        format!(
            "`{own}` is placed {} columns from `{from}`, but other distances put it {columns} columns from there",
            link.columns
        ),
        "take one of the distances away",
    )
    .label(link.span, format!("`{own}` follows `{from}`"))
}

/// The column has no PLIO, or no GMIO.
pub(crate) fn wrong_column(all: &Alike<'_>, device: &Device) -> Diagnostic {
    let Alike { external, place, names, count } = all;
    let word = word(external);
    let columns: Vec<u16> = match external.endpoint {
        Endpoint::Plio { .. } => device.shim.plio_columns().collect(),
        Endpoint::Gmio { .. } => device.shim.noc_columns.clone(),
    };
    let near = columns.iter().copied().min_by_key(|&c| place.distance(c));
    let help = near.map_or_else(
        || format!("{} has no {word}: choose another kind of port", device.name),
        |column| format!("use a column with {word}; the nearest is {column}"),
    );
    Diagnostic::new(
        &catalogue::SHIM_PLACE,
        format!(
            "{names} {} {word} in {}, not among the {} columns of {} with {word}",
            if *count == 1 { "is a" } else { "are" },
            place.columns(),
            columns.len(),
            device.name
        ),
        help,
    )
    .label(place.span, format!("no {word} in this column"))
}

/// The column has no channel of this number for such a port.
pub(crate) fn no_such_channel(all: &Alike<'_>, channels: &[(u32, Vec<u32>)]) -> Diagnostic {
    let Alike { external, place, names, count } = all;
    let mut numbers: Vec<u32> = channels.iter().map(|(channel, _)| *channel).collect();
    numbers.sort_unstable();
    let kind = match &external.endpoint {
        Endpoint::Plio { bits, .. } => format!("a PLIO of {} bits", bits.value),
        Endpoint::Gmio { .. } => "a GMIO".to_owned(),
    };
    let way = if external.direction == Direction::Out { "into" } else { "out of" };
    let channel = place.channel.unwrap_or_default();
    Diagnostic::new(
        &catalogue::SHIM_PLACE,
        format!(
            "{names} {} placed at channel {channel}, but {kind} {way} the array has the channels {} of a column",
            all.are(),
            listed(numbers.iter().map(u32::to_string), usize::MAX)
        ),
        "state one of these channels, or leave `channel` out",
    )
    .label(place.span, format!("no channel {channel} for {}", if *count == 1 { "it" } else { "them" }))
}

/// An input or output has two places, the second of which is that of `all`.
pub(crate) fn two_columns(all: &Alike<'_>, first: &Place) -> Diagnostic {
    let second = all.place;
    let at = |place: &Place| {
        let channel = place.channel.map_or_else(String::new, |channel| format!(" channel {channel}"));
        format!("{}{channel}", place.columns())
    };
    Diagnostic::new(
        &catalogue::SHIM_PLACE,
        format!("{} {} placed in {} and in {}", all.names, all.are(), at(first), at(second)),
        "take one of the two constraints away",
    )
    .label(first.span, "one place")
    .label(second.span, "another place")
}

/// The channels of a column do not serve all inputs, or outputs, that are placed there.
pub(crate) fn crowded(design: &Expanded, places: &[Place], device: &Device) -> Diagnostic {
    let names = places.iter().map(|place| format!("`{}`", design.externals[place.external].name));
    let first = places.first().map(|place| (&design.externals[place.external], place.column().unwrap_or(0)));
    let (way, supply, column) = match first {
        Some((external, column)) if external.direction == Direction::Out => {
            ("inputs", device.shim.plio_in_channels, column)
        }
        Some((_, column)) => ("outputs", device.shim.plio_out_channels, column),
        None => ("ports", 0, 0),
    };
    let diagnostic = Diagnostic::new(
        &catalogue::SHIM_PLACE,
        format!(
            "{} are {} {way} in column {column}, whose {supply} channels do not serve all of them: a PLIO of 128 bits \
             takes a pair, and a GMIO the channel of its DMA",
            listed(names, 4),
            places.len()
        ),
        "move one of them to another column, or leave channels to aiec",
    );
    let labels = places.iter().map(|place| (place.span, format!("in column {column}")));
    labelled(diagnostic, labels)
}
