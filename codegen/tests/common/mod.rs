//! Designs and projects that several test programs use.

#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::path::Path;

use aiec_check::{Checked, check};
use aiec_codegen::{EmitOptions, OutputFile, UserSource, emit};
use aiec_device::Device;
use aiec_diag::{Outcome, SourceId, Span, Spanned};
use aiec_ir::design::Endpoint;
use aiec_ir::{Buffering, Direction, ElementType, WindowType};
use aiec_placer::{PlaceOptions, Placed};
use aiec_router_model::{Implementation, RouteOptions, Routed};
use aiec_test_support::{Builder, Reduce, input, int32, output};

pub fn value<T>(outcome: Outcome<T>) -> T {
    let (value, diagnostics) = outcome.into_parts();
    value.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

pub fn vc1902() -> Device {
    value(aiec_device::builtin("xcvc1902").expect("built in"))
}

pub fn checked(builder: &Builder) -> Checked {
    value(check(builder.expanded().expect("every name is declared"), &vc1902()))
}

pub fn sources(checked: &Checked) -> Vec<UserSource> {
    let text = |path: &str| UserSource::inside(path, format!("// The user's {path},\tas it is. \n"));
    checked.families.iter().map(|family| text(&family.body(0).source.value)).collect()
}

pub fn project(builder: &Builder) -> Vec<OutputFile> {
    let checked = checked(builder);
    let options = EmitOptions { sources: sources(&checked), ..EmitOptions::default() };
    value(outcome(&checked, &options))
}

pub fn outcome(checked: &Checked, options: &EmitOptions) -> Outcome<Vec<OutputFile>> {
    decided(checked).files(checked, options)
}

/// All decisions about a design before it is written.
pub struct Decided {
    pub device: Device,
    pub placed: Placed,
    pub routed: Routed,
}

impl Decided {
    pub fn whole<'a>(&'a self, checked: &'a Checked) -> Implementation<'a> {
        let Self { device, placed, routed } = self;
        Implementation { checked, placed, routed, device }
    }

    pub fn files(&self, checked: &Checked, options: &EmitOptions) -> Outcome<Vec<OutputFile>> {
        let whole = self.whole(checked);
        emit(&whole, &aiec_router_model::estimate(&whole), options)
    }
}

pub fn decided(checked: &Checked) -> Decided {
    let device = vc1902();
    let placement =
        value(aiec_placer::place(checked, &device, &PlaceOptions { effort: 1, ..PlaceOptions::default() }));
    let placed = value(aiec_placer::verify(checked, &device, placement));
    let routes = value(aiec_router_model::route(checked, &placed, &device, &RouteOptions::default()));
    let routed = value(aiec_router_model::verify(checked, &placed, &device, routes));
    Decided { device, placed, routed }
}

pub fn text<'a>(files: &'a [OutputFile], path: &str) -> &'a str {
    let file = files.iter().find(|file| file.path == path);
    &file.unwrap_or_else(|| panic!("no {path} among {:?}", paths(files))).text
}

pub fn paths(files: &[OutputFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}

/// Inputs and outputs of one element type each: the type, the bits of PLIO (none for GMIO), numbers
/// in a line, and numbers that only an exact reader returns.
pub const ROUND_TRIPS: [(ElementType, Option<u32>, usize, [&str; 2]); 8] = [
    (ElementType::Int8, Some(32), 4, ["-128", "65"]),
    (ElementType::Uint8, None, 1, ["255", "48"]),
    (ElementType::Int16, Some(128), 8, ["-32768", "32767"]),
    (ElementType::Int32, Some(64), 2, ["-2147483648", "2147483647"]),
    (ElementType::Int64, Some(64), 1, ["9007199254740993", "-9223372036854775808"]),
    (ElementType::Uint64, None, 1, ["18446744073709551615", "9007199254740993"]),
    (ElementType::Float, Some(128), 4, ["-1.25", "3.40282347e+38"]),
    (ElementType::Cint16, Some(64), 4, ["-32768", "32767"]),
];

/// Number of elements of each.
pub const ROUND_TRIP_ELEMENTS: u32 = 64;

/// Files of inputs lie in a folder or, if complex, at the root; those of outputs in a folder that
/// does not exist yet.
pub fn round_trip_files(element: ElementType) -> [String; 2] {
    let folder = if element.is_complex() { "" } else { "lanes/" };
    [format!("{folder}in_{element}.txt"), format!("results/all/out_{element}.txt")]
}

pub fn round_trips() -> Builder {
    let mut builder = Builder::new("trips", "xcvc1902");
    for (element, bits, _, _) in ROUND_TRIPS {
        let window = WindowType { element, elements: ROUND_TRIP_ELEMENTS };
        builder.kernels(&format!("copy_{element}"), &[], &[input("x", window), output("y", window)]);
        let [from, to] = round_trip_files(element);
        let endpoint = |file| match bits {
            Some(bits) => Endpoint::Plio {
                bits: Spanned { value: bits, span: Span::new(SourceId(0), 0, 0) },
                file,
                frequency: None,
            },
            None => Endpoint::Gmio { file: Some(file), burst: None, bandwidth: None },
        };
        builder.externals(&format!("in_{element}"), &[], Direction::Out, endpoint(from));
        builder.externals(&format!("out_{element}"), &[], Direction::In, endpoint(to));
        builder.connect(&format!("in_{element}"), &format!("copy_{element}.x"));
        builder.connect(&format!("copy_{element}.y"), &format!("out_{element}"));
    }
    builder
}

pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
    fs::write(path, text).expect("writable");
}

/// Seven workers with a port each way and a reduction, results to global memory.
pub fn reduction() -> Builder {
    let mut builder = Builder::new("reduce7", "xcvc1902");
    builder.kernels("worker", &[7], &[input("x", int32(16)), output("y", int32(16))]).stack("worker", 2048);
    builder.plio("lanes", &[7], Direction::Out, 64).plio("doubled", &[7], Direction::In, 64);
    builder.gmio_output("sum").connect("total.result", "sum");
    builder.reduce(Reduce::over("total", &["worker"], int32(64)));
    for i in 0..7 {
        builder.connect(&format!("lanes[{i}]"), &format!("worker[{i}].x"));
        builder.connect(&format!("worker[{i}].y"), &format!("doubled[{i}]"));
    }
    builder
}

pub fn pipeline() -> Builder {
    let mut builder = Builder::new("pipeline", "xcvc1902");
    let ports = [input("x", int32(64)), output("y", int32(64))];
    builder.kernels("scale", &[], &ports).kernels("clip", &[], &ports);
    builder.plio_input("samples", 64).plio_output("clipped", 64);
    builder.connect("samples", "scale.x").connect_with("scale.y", "clip.x", Buffering::Single);
    builder.connect("clip.y", "clipped");
    builder
}
