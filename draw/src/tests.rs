use aiec_device::Tile;

use super::svg::{LEFT, PITCH, TILE, TOP};
use super::*;

fn kernel(index: u32, column: u16, row: u16, level: u32) -> KernelMark {
    KernelMark {
        name: format!("worker[{index}]"),
        family: "worker".into(),
        index,
        tile: Tile::new(column, row),
        collective: Some(Level { name: "total".into(), level }),
    }
}

/// Three kernels on a small array: two share memory, one sends by DMA.
pub(crate) fn plan() -> Floorplan {
    let end = |port: &str, column, row| End { port: port.into(), column, row, memory: None };
    Floorplan {
        format: "aiec-floorplan",
        version: 1,
        design: "three".into(),
        device: "toy".into(),
        columns: 6,
        rows: 4,
        placement: Some(PlacementEntry {
            connections: 2,
            bound: 1,
            argument: "always",
            counted: None,
            gap: 1,
            optimal: false,
            broadcasts: 0,
            cut_short: false,
        }),
        terms: Some(
            Terms { dma: 2, bytes: 32, path: 14_485, wire: 7, compact: 3, ..Terms::default() }.into(),
        ),
        kernels: vec![kernel(0, 1, 1, 0), kernel(1, 1, 2, 1), kernel(2, 4, 3, 1)],
        modules: vec![ModuleMark { tile: Tile::new(2, 1), bytes: 1024, available: 32768 }],
        fifos: Vec::new(),
        externals: vec![ExternalMark { name: "sum".into(), kind: "gmio", column: 2, channel: 0 }],
        lines: vec![
            Line {
                from: end("worker[1].total_out", 1, Some(2)),
                to: end("worker[0].total_in0", 1, Some(1)),
                by: Medium::Shared,
            },
            Line {
                from: end("worker[2].total_out", 4, Some(3)),
                to: end("worker[0].total_in1", 1, Some(1)),
                by: Medium::Dma,
            },
            Line {
                from: end("worker[0].total_result", 1, Some(1)),
                to: end("sum", 2, None),
                by: Medium::Dma,
            },
        ],
    }
}

#[test]
fn text_shows_names_where_they_fit() {
    let expected = " 3                                   worker[2]
 2   worker[1]
 1   worker[0]  .
 0
io              sum
    1           2           3           4
";
    let trimmed = |text: &str| {
        text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(trimmed(&text(&plan())), trimmed(expected));
}

#[test]
fn text_shows_levels_on_a_wide_array() {
    let mut wide = plan();
    wide.columns = 50;
    wide.kernels[2].tile = Tile::new(49, 3);
    let text = text(&wide);
    assert!(text.starts_with("each character a kernel"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 104), "{text}");
}

/// Kernels side by side with these names, in no collective.
pub(crate) fn row_of(names: &[String]) -> Floorplan {
    let mut plan = plan();
    let pattern = plan.kernels[0].clone();
    plan.columns = 50;
    plan.kernels = (0..)
        .zip(names)
        .map(|(at, name)| KernelMark {
            name: name.clone(),
            tile: Tile::new(at, 0),
            collective: None,
            ..pattern.clone()
        })
        .collect();
    plan
}

#[test]
fn a_legend_tells_what_numbers_and_characters_stand_for() {
    let names = |count: usize| -> Vec<String> {
        (0..count).map(|at| format!("left.stage_with_a_name[{at}]")).chain(["sum".to_owned()]).collect()
    };
    let text_of = |count| text(&row_of(&names(count)));
    let numbers = text_of(9);
    assert!(numbers.ends_with("kernels by number: 0-8 left.stage_with_a_name, 9 sum\n"), "{numbers}");
    let letters = text_of(39);
    let legend = "each character a kernel of: a left.stage_with_a_name (39), b sum (1)\n";
    assert!(letters.ends_with(legend), "{letters}");
    assert!(letters.lines().any(|line| line.starts_with(" 0  a a a") && line.trim_end().ends_with("a b")));
}

#[test]
fn many_parts_have_the_characters_of_the_parts_around_them() {
    let all = (0..25).flat_map(|at| ["x", "y", "z"].map(|top| format!("{top}.part{at}.k")));
    let plan = row_of(&all.collect::<Vec<String>>());
    let text = text(&plan);
    assert!(text.ends_with("each character a kernel of: a x (25), b y (25), c z (25)\n"), "{text}");
}

#[test]
fn a_picture_has_a_kernel_a_line_and_two_dashed_arrows() {
    let picture = svg(&plan());
    assert_eq!(picture.matches(" on (").count(), 3, "a tip for each kernel");
    assert_eq!(picture.matches(r#"marker-end="url(#dma)""#).count(), 2, "one in the legend");
    assert_eq!(picture.matches(r#"marker-end="url(#external)""#).count(), 2, "one in the legend");
    assert!(picture.contains("worker[1].total_out to worker[0].total_in0"));
}

#[test]
fn an_arrow_begins_at_the_module_of_its_buffer_and_runs_behind_the_numbers() {
    let mut plan = plan();
    plan.lines[1].from.memory = Some(Tile::new(2, 1));
    let picture = svg(&plan);
    let arrow = picture.find("worker[2].total_out to worker[0].total_in1").expect("an arrow");
    let path = picture[..arrow].rfind("<path").expect("its path");
    let start = picture[path..arrow].split("d=\"M").nth(1).and_then(|rest| rest.split(' ').next());
    let numbers: Vec<i32> = start.unwrap_or_default().split(',').filter_map(|n| n.parse().ok()).collect();
    // The foot of tile (2, 1), which is the second column and the third row from above.
    let foot = [LEFT + PITCH + PITCH / 2, TOP + 2 * PITCH + PITCH / 2 + TILE / 2];
    assert!(numbers.iter().zip(foot).all(|(at, foot)| (at - foot).abs() <= 8), "{numbers:?} {foot:?}");
    assert!(arrow < picture.find("worker[0] on (1, 1)").expect("a kernel"));
}
