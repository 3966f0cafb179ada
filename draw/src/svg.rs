//! The floorplan as a picture: tiles with their kernels and the use of their modules, shared
//! connections as lines, DMA connections as dashed arrows, inputs and outputs below the array, and
//! a legend.

use aiec_device::Tile;
use aiec_diag::count;
use svg::node::element::{Definitions, Group, Marker, Path, Rectangle, Text, Title};

use super::colours::Groups;
use super::plan::{End, ExternalMark, Floorplan, KernelMark, Line, Medium};
use super::sheet::sheet;

/// Pixels from tile to tile.
pub(crate) const PITCH: i32 = 56;
/// Pixels of a tile's side.
pub(crate) const TILE: i32 = 38;
/// Pixels from the foot of a tile to the middle of the bar below it.
const BAR: i32 = 4;
/// Pixels of a letter of the title, at most.
const LETTER: i32 = 7;
/// Pixels on the left, for row numbers.
pub(crate) const LEFT: i32 = 44;
/// Pixels above the array, for the title.
pub(crate) const TOP: i32 = 64;
/// Pixels between the array and the interface row.
const SHIM_GAP: i32 = 26;
/// Pixels of the height of a box in the interface row.
const SHIM: i32 = 26;
/// Pixels of the legend's height.
const LEGEND: i32 = 96;
/// Least width of the picture, for title and legend.
const MIN_WIDTH: i32 = 800;
/// Colours of connections.
const SHARED: &str = "#30343b";
const DMA: &str = "#c62828";
const STREAM: &str = "#1565c0";
const CASCADE: &str = "#6a1b9a";
const EXTERNAL: &str = "#00796b";

/// The floorplan as an SVG document.
pub fn svg(plan: &Floorplan) -> String {
    let picture = Picture { plan, first: *plan.used_columns().start() };
    let groups = Groups::of(plan);
    let (width, height) = (picture.width(), picture.height());
    let background = Rectangle::new().set("width", width).set("height", height).set("fill", "white");
    let document = sheet(width.into(), height.into())
        .add(definitions())
        .add(background)
        .add(picture.title())
        .add(picture.array())
        .add(picture.lines(|line| line.by == Medium::Shared))
        .add(picture.lines(|line| line.by != Medium::Shared))
        .add(picture.kernels(&groups))
        .add(picture.interface())
        .add(picture.legend(&groups));
    format!("{document}\n")
}

fn definitions() -> Definitions {
    let head = |id: &str, colour: &str| {
        Marker::new()
            .set("id", id)
            .set("viewBox", "0 0 8 8")
            .set("refX", 7)
            .set("refY", 4)
            .set("markerWidth", 7)
            .set("markerHeight", 7)
            .set("orient", "auto-start-reverse")
            .add(Path::new().set("d", "M0,0 L8,4 L0,8 z").set("fill", colour))
    };
    let all =
        [("dma", DMA), ("external", EXTERNAL), ("shared", SHARED), ("stream", STREAM), ("cascade", CASCADE)];
    all.into_iter().fold(Definitions::new(), |all, (id, colour)| all.add(head(id, colour)))
}

fn label(text: impl Into<String>, x: i32, y: i32, size: i32) -> Text {
    Text::new(text.into()).set("x", x).set("y", y).set("font-size", size)
}

struct Picture<'a> {
    plan: &'a Floorplan,
    /// The column that is drawn first.
    first: u16,
}

impl Picture<'_> {
    fn width(&self) -> i32 {
        let columns = i32::from(self.plan.used_columns().end() - self.first) + 1;
        let title = i32::try_from(self.verdict().chars().count()).unwrap_or(0).saturating_mul(LETTER);
        (LEFT + columns * PITCH + 20).max(LEFT + title + 20).max(MIN_WIDTH)
    }

    fn height(&self) -> i32 {
        self.shim_y() + TILE + LEGEND
    }

    /// The centre of a column.
    fn x(&self, column: u16) -> i32 {
        LEFT + PITCH * (i32::from(column) - i32::from(self.first)) + PITCH / 2
    }

    /// The centre of a core row; row 0 is the lowest.
    fn y(&self, row: u16) -> i32 {
        TOP + PITCH * (i32::from(self.plan.rows) - 1 - i32::from(row)) + PITCH / 2
    }

    /// The centre of the interface row.
    fn shim_y(&self) -> i32 {
        TOP + PITCH * i32::from(self.plan.rows) + SHIM_GAP
    }

    /// The second line of the title.
    fn verdict(&self) -> String {
        let plan = self.plan;
        let others = [(Medium::Stream, "by streams"), (Medium::Cascade, "by cascades")];
        let others = others.map(|(by, words)| (plan.count(by), words));
        let others = others.iter().filter(|(number, _)| *number > 0);
        let others: String = others.map(|(number, words)| format!(", {number} {words}")).collect();
        let verdict = plan.placement.as_ref().map(|entry| format!(": {}", entry.verdict()));
        format!(
            "{}, {} through shared memory{others}, {} through DMA{}",
            count(plan.kernels.len() as u64, "kernel"),
            count(plan.count(Medium::Shared) as u64, "connection"),
            plan.count(Medium::Dma),
            verdict.unwrap_or_default()
        )
    }

    fn title(&self) -> Group {
        let plan = self.plan;
        let head = format!("{} on {}", plan.design, plan.device);
        Group::new()
            .add(label(head, LEFT, 26, 18).set("font-weight", "bold"))
            .add(label(self.verdict(), LEFT, 46, 13).set("fill", "#444"))
    }

    /// Empty tiles with their modules, and the numbers of rows and columns.
    fn array(&self) -> Group {
        let mut group = Group::new();
        for row in 0..self.plan.rows {
            let number = label(row.to_string(), LEFT - 14, self.y(row) + 4, 11);
            group = group.add(number.set("text-anchor", "middle").set("fill", "#777"));
        }
        for column in self.plan.used_columns() {
            let number = label(column.to_string(), self.x(column), TOP - 2, 11);
            group = group.add(number.set("text-anchor", "middle").set("fill", "#777"));
            for row in 0..self.plan.rows {
                group = group.add(self.tile(Tile::new(column, row)));
            }
        }
        group
    }

    /// A tile: its outline, and a bar along its foot as full as its module.
    fn tile(&self, tile: Tile) -> Group {
        let (x, y) = (self.x(tile.column) - TILE / 2, self.y(tile.row) - TILE / 2);
        let outline = square(x, y, TILE, TILE).set("fill", "#f4f5f7").set("stroke", "#c9ccd1").set("rx", 4);
        let module = self.plan.modules.iter().find(|module| module.tile == tile);
        let group = Group::new().add(outline);
        let Some(module) = module else { return group };
        let share = module.bytes.min(module.available) * TILE as u64 / module.available.max(1);
        let filled = i32::try_from(share).unwrap_or(TILE).max(1);
        let fifos = self.plan.fifos.iter().filter(|fifo| fifo.tile == tile);
        let fifos = fifos.map(|fifo| format!("; {} words of FIFO of {}", fifo.words, fifo.connection));
        let fifos: String = fifos.collect();
        let tip = format!("module of {tile}: {} of {} bytes{fifos}", module.bytes, module.available);
        let back = square(x, y + TILE + 2, TILE, 4).set("fill", "#e3e5e8").add(Title::new(tip));
        group.add(back).add(square(x, y + TILE + 2, filled, 4).set("fill", "#8d99ae"))
    }

    fn kernels(&self, groups: &Groups<'_>) -> Group {
        let mut group = Group::new();
        for kernel in &self.plan.kernels {
            group = group.add(self.kernel(kernel, groups));
        }
        group
    }

    /// A kernel: its slice of the tile, where several run on one core.
    fn kernel(&self, kernel: &KernelMark, groups: &Groups<'_>) -> Group {
        let (place, of) = self.plan.slice(kernel);
        let (x, y) = (self.x(kernel.tile.column), self.y(kernel.tile.row) - TILE / 2);
        let (place, of) = (i32::try_from(place).unwrap_or(0), i32::try_from(of).unwrap_or(1));
        let (from, to) = (y + TILE * place / of, y + TILE * (place + 1) / of);
        let body = square(x - TILE / 2, from, TILE, to - from)
            .set("fill", groups.fill(kernel))
            .set("stroke", "#4a4f57")
            .set("rx", 4)
            .add(Title::new(format!("{} on {}", kernel.name, kernel.tile)));
        let (text, is_index) = self.plan.label(kernel, 7);
        let size = if is_index { 12 } else { 9 };
        let name = label(text, x, (from + to) / 2 + 4, if of > 2 { 8 } else { size })
            .set("text-anchor", "middle")
            .set("fill", groups.ink(kernel))
            .set("pointer-events", "none");
        Group::new().add(body).add(name)
    }

    /// The interface row: a box for each column with inputs or outputs, with their number and kind.
    fn interface(&self) -> Group {
        let mut group = Group::new().add(
            label("I/O", LEFT - 14, self.shim_y() + 4, 11).set("text-anchor", "middle").set("fill", "#777"),
        );
        for column in self.plan.used_columns() {
            let here: Vec<&ExternalMark> =
                self.plan.externals.iter().filter(|e| e.column == column).collect();
            if !here.is_empty() {
                group = group.add(self.shim(column, &here));
            }
        }
        group
    }

    fn shim(&self, column: u16, here: &[&ExternalMark]) -> Group {
        let (x, y) = (self.x(column), self.shim_y());
        let count = |kind| here.iter().filter(|external| external.kind == kind).count();
        let kinds = [("PLIO", count("plio")), ("GMIO", count("gmio"))];
        let names: Vec<String> =
            here.iter().map(|e| format!("{} ({} {})", e.name, e.kind, e.channel)).collect();
        let body = square(x - PITCH / 2 + 3, y - SHIM / 2, PITCH - 6, SHIM)
            .set("fill", "#e0f2f1")
            .set("stroke", EXTERNAL)
            .set("rx", 3)
            .add(Title::new(names.join("\n")));
        let shown: Vec<String> =
            kinds.into_iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{n} {kind}")).collect();
        let step = 11;
        let first = y + 4 - step * (shown.len() as i32 - 1) / 2;
        (0_i32..).zip(shown).fold(Group::new().add(body), |group, (at, text)| {
            group.add(label(text, x, first + at * step, 10).set("text-anchor", "middle"))
        })
    }

    fn lines(&self, of: impl Fn(&Line) -> bool) -> Group {
        let mut group = Group::new().set("fill", "none").set("pointer-events", "none");
        for line in self.plan.lines.iter().filter(|line| of(line)) {
            group = group.add(self.line(line));
        }
        group
    }

    fn line(&self, line: &Line) -> Path {
        let (from, to) = match line.by {
            Medium::Shared => (self.centre(&line.from), self.centre(&line.to)),
            _ => (self.store(&line.from), self.store(&line.to)),
        };
        let outside = line.from.row.is_none() || line.to.row.is_none();
        let path = Path::new().add(Title::new(format!("{} to {}", line.from.port, line.to.port)));
        if line.by == Medium::Shared {
            return path
                .set("d", curve(from, to, shared_bend(from, to)))
                .set("stroke", SHARED)
                .set("stroke-width", 3);
        }
        let (colour, head) = match line.by {
            _ if outside => (EXTERNAL, "url(#external)"),
            Medium::Cascade => (CASCADE, "url(#cascade)"),
            Medium::Stream => (STREAM, "url(#stream)"),
            Medium::Shared | Medium::Dma => (DMA, "url(#dma)"),
        };
        let half = |end: &End| match (end.memory, end.row) {
            (Some(_), _) => BAR,
            (None, Some(_)) => TILE / 2 + 1,
            (None, None) => SHIM / 2,
        };
        let (from, to) = (shorten(from, to, half(&line.from)), shorten(to, from, half(&line.to)));
        // A cascade on the other side of a stream between the same cores.
        let bend = if line.by == Medium::Cascade { -12 } else { 12 };
        path.set("d", curve(from, to, bend))
            .set("stroke", colour)
            .set("stroke-width", 2)
            .set("stroke-dasharray", "6 4")
            .set("marker-end", head)
    }

    fn centre(&self, end: &End) -> (i32, i32) {
        match end.row {
            Some(row) => (self.x(end.column), self.y(row)),
            None => (self.x(end.column), self.shim_y()),
        }
    }

    /// Where the data of an end lies: at the bar of the module with its buffer, else in the core.
    fn store(&self, end: &End) -> (i32, i32) {
        match end.memory {
            Some(tile) => (self.x(tile.column), self.y(tile.row) + TILE / 2 + BAR),
            None => self.centre(end),
        }
    }

    fn legend(&self, groups: &Groups<'_>) -> Group {
        let y = self.shim_y() + TILE + 4;
        let mut group = Group::new();
        let kinds = [
            ("shared memory", SHARED, "", ""),
            ("DMA", DMA, "6 4", "url(#dma)"),
            ("stream", STREAM, "6 4", "url(#stream)"),
            ("cascade", CASCADE, "6 4", "url(#cascade)"),
            ("input or output", EXTERNAL, "6 4", "url(#external)"),
        ];
        for (at, (text, colour, dashes, head)) in (0..).zip(kinds) {
            let x = LEFT + 152 * at;
            let sample = Path::new()
                .set("d", format!("M{x},{} H{}", y + 6, x + 36))
                .set("stroke", colour)
                .set("stroke-width", if dashes.is_empty() { 3 } else { 2 })
                .set("stroke-dasharray", dashes)
                .set("marker-end", head);
            group = group.add(sample).add(label(text, x + 46, y + 10, 12));
        }
        let bar =
            label("bar below a tile: its module; arrows join the modules of buffers", LEFT + 320, y + 34, 12)
                .set("fill", "#444");
        group.add(bar).add(families(groups, (LEFT, y + 24)))
    }
}

/// Most groups of kernels whose colours a legend has.
const FAMILIES: usize = 4;
/// Pixels from one group of a legend to the next.
const FAMILY: i32 = 16;

/// Pixels of the height of `families`.
pub(crate) fn height_of_families(groups: &Groups<'_>) -> i32 {
    FAMILY * i32::try_from(groups.groups.len().min(FAMILIES)).unwrap_or(0)
}

/// The colours of the first groups of kernels with their names, below each other.
pub(crate) fn families(groups: &Groups<'_>, corner: (i32, i32)) -> Group {
    let lines = (0..).map(|at| corner.1 + FAMILY * at).zip(groups.groups.iter().enumerate());
    lines.take(FAMILIES).fold(Group::new(), |group, (y, (at, (name, deepest)))| {
        group.add(swatches(groups, at, name, *deepest, (corner.0, y)))
    })
}

/// The colours of a group, from its root to its leaves.
fn swatches(groups: &Groups<'_>, at: usize, name: &str, deepest: u32, (x, y): (i32, i32)) -> Group {
    let shown = i32::try_from(deepest.min(15)).unwrap_or(15);
    let mut group = Group::new();
    for level in 0..=shown {
        let fill = groups.shade(at, level.unsigned_abs());
        group = group.add(square(x + 14 * level, y, 12, 12).set("fill", fill).set("stroke", "#4a4f57"));
    }
    let text = if deepest == 0 { name.to_owned() } else { format!("{name}, from the root to the leaves") };
    group.add(label(text, x + 14 * shown + 20, y + 10, 12))
}

fn square(x: i32, y: i32, width: i32, height: i32) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

/// Distance by which a shared connection bends around the tile between its ends, or 0.
const fn shared_bend(from: (i32, i32), to: (i32, i32)) -> i32 {
    let straight = from.0 == to.0 && (from.1 - to.1).abs() > PITCH;
    if straight { 2 * (PITCH / 2 - 2) } else { 0 }
}

/// A curve whose middle is half of `bend` away from the straight line.
fn curve(from: (i32, i32), to: (i32, i32), bend: i32) -> String {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let aside = |towards: f64| f64::from(bend) * towards / length;
    let middle = (f64::from(from.0 + to.0) / 2.0 - aside(dy), f64::from(from.1 + to.1) / 2.0 + aside(dx));
    format!("M{},{} Q{:.1},{:.1} {},{}", from.0, from.1, middle.0, middle.1, to.0, to.1)
}

/// `end`, moved towards `other` to the edge of a square around it, which would hide the arrow.
/// `half` is half of its side.
fn shorten(end: (i32, i32), other: (i32, i32), half: i32) -> (i32, i32) {
    let (dx, dy) = (f64::from(other.0 - end.0), f64::from(other.1 - end.1));
    let part = (f64::from(half) / dx.abs().max(dy.abs()).max(1.0)).min(0.5);
    (end.0 + (dx * part) as i32, end.1 + (dy * part) as i32)
}
