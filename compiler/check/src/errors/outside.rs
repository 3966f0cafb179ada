//! Errors of constraints on tiles that the array does not have.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue};

use aiec_ir::KernelId;
use aiec_ir::constraints::Area;
use aiec_ir::expanded::{Expanded, Place};

/// The tiles of `places`, which are those of one statement, lie outside the array.
pub(crate) fn outside(design: &Expanded, places: &[&Place], device: &Device) -> Diagnostic {
    let place = places[0];
    let tile = (place.column, place.row);
    let (column, row) = (i64::from(device.columns) - 1, i64::from(device.rows) - 1);
    let kernel = &design.kernels[place.kernel].name;
    let inside =
        format!("place {kernel} at ({}, {})", place.column.clamp(0, column), place.row.clamp(0, row));
    let others = match places.len() {
        1 => String::new(),
        all => format!("; the statement names {} more of this kind", all - 1),
    };
    // Tiles in a sub-graph of C++ are those of the array.
    let in_instance = kernel.contains('.') && !design.is_adf();
    let such = match in_instance {
        true => "; in a component a tile counts from that of the instance, so move one of the two".to_owned(),
        false => format!(", such as `{inside}`"),
    };
    let diagnostic = Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!("`{kernel}` is placed at {tile:?}, but {} has no such tile{others}", device.name),
        format!("use a column from 0 to {column} and a core row from 0 to {row}{such}"),
    )
    .label(place.span, format!("the array has {} columns and {} core rows", device.columns, device.rows));
    // A statement in a loop or component has several tiles, or counts from another one.
    let alike = design.places.iter().filter(|other| other.span == place.span).count();
    if alike == 1 && !in_instance { diagnostic.replacing(place.span, inside) } else { diagnostic }
}

/// An area of a `region` or a `keepout`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated {
    /// The tiles.
    pub area: Area,
    /// The word of the statement.
    pub word: &'static str,
    /// The first kernel of a region.
    pub kernel: Option<KernelId>,
    /// Source location of the statement.
    pub span: Span,
}

/// The areas of one statement reach beyond the array.
pub(crate) fn areas(design: &Expanded, areas: &[Stated], device: &Device) -> Diagnostic {
    let Stated { area, word, kernel, span } = areas[0];
    let (column, row) = (i64::from(device.columns) - 1, i64::from(device.rows) - 1);
    // In a component the kernel names the instance.
    let kernel = kernel.map(|kernel| &design.kernels[kernel].name).filter(|name| name.contains('.'));
    let of = kernel.map_or_else(String::new, |name| format!(" of `{name}`"));
    let others = match areas.len() {
        1 => String::new(),
        all => format!("; the statement has {} more of this kind", all - 1),
    };
    Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!(
            "the `{word}`{of} goes from ({}, {}) to ({}, {}), but {} has columns 0 to {column} and core rows 0 to \
             {row}{others}",
            area.from.0, area.from.1, area.to.0, area.to.1, device.name
        ),
        format!(
            "make it smaller, such as `({}, {}) to ({}, {})`",
            area.from.0.clamp(0, column),
            area.from.1.clamp(0, row),
            area.to.0.clamp(0, column),
            area.to.1.clamp(0, row)
        ),
    )
    .label(span, format!("the array has {} columns and {} core rows", device.columns, device.rows))
}

/// How far two kernels are apart.
#[derive(Clone, Copy)]
pub(crate) struct Distance {
    /// Columns to the east. None when they are open.
    pub columns: Option<i64>,
    /// Rows to the north. None when they are open.
    pub rows: Option<i64>,
}

/// The distance of `kernel` from another one is larger than the array.
pub(crate) fn too_far(
    design: &Expanded,
    kernel: KernelId,
    from: KernelId,
    distance: Distance,
    span: Span,
    device: &Device,
) -> Diagnostic {
    let name = |kernel: KernelId| &design.kernels[kernel].name;
    let columns = distance.columns.map(|columns| format!("{columns} columns"));
    let rows = distance.rows.map(|rows| format!("{rows} rows"));
    let distance: Vec<String> = columns.into_iter().chain(rows).collect();
    Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!(
            "`{}` is placed {} from `{}`, but {} has {} columns and {} core rows",
            name(kernel),
            distance.join(" and "),
            name(from),
            device.name,
            device.columns,
            device.rows
        ),
        "use a smaller offset",
    )
    .label(span, "no two tiles are this far apart")
}
