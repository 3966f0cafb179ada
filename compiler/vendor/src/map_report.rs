//! `Map_Report.csv`: the mapper's table of buffers, PLIOs and kernels.
//!
//! Three sections, each with a header: buffers with their modules, PLIOs with their channels, and
//! clusters, which are the kernels of one core. The form is undocumented. It is the same in public
//! reports of 2021.1 to 2023.2. Offsets count from the start of the bank.

use aiec_device::Tile;
use aiec_diag::{Outcome, SourceFile, Span};

use crate::errors::bad_map_report;

/// What `Map_Report.csv` lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapReport {
    /// Stacks and buffers, in the order of the file.
    pub blocks: Vec<Block>,
    /// Inputs and outputs, in the order of the file.
    pub plios: Vec<Plio>,
    /// The kernels of each core.
    pub clusters: Vec<Cluster>,
}

/// A stack with its heap, or one buffer of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name, such as `buf12`, or `sysmem3` for a stack.
    pub name: String,
    /// The port that writes it, such as `g.k1.po0`. None when the block is a stack.
    pub from: Option<String>,
    /// The port that reads it. None when the block is a stack.
    pub to: Option<String>,
    /// Its size in bytes.
    pub bytes: u32,
    /// The tile whose memory holds it.
    pub module: Tile,
    /// The bank of the module.
    pub bank: u32,
    /// Bytes from the start of the bank.
    pub offset: u32,
    /// Its line in the file.
    pub span: Span,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plio {
    /// The name of the PLIO for the tools.
    pub name: String,
    /// True for an input of the array.
    pub input: bool,
    /// The column of the interface row.
    pub column: u16,
    /// The channel in that column.
    pub channel: u32,
    /// Its line in the file.
    pub span: Span,
}

/// The kernels of one core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The names of the kernels with the graphs around them.
    pub kernels: Vec<String>,
    /// The tile of the core.
    pub tile: Tile,
    /// Its line in the file.
    pub span: Span,
}

/// True if `text` has the header of a report.
pub fn is_report(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_start_matches('\u{feff}').trim_start().starts_with("BUFFER,FROM_INSTANCE"))
}

/// A section of the report.
#[derive(Clone, Copy)]
enum Section {
    None,
    Blocks,
    Plios,
    Clusters,
}

/// The report in `file`. Lines before the first header are skipped.
///
/// # Errors
/// Returns `input/bad-map-report` for each line that has another form than its section, and for a
/// file without any header.
pub fn read(file: &SourceFile) -> Outcome<MapReport> {
    let (mut report, mut faults) = (MapReport::default(), Vec::new());
    let (mut section, mut start, mut headers) = (Section::None, 0, 0);
    for line in file.text.split_inclusive('\n') {
        let at = start..start + line.trim_end().len();
        start += line.len();
        let line = line.trim_start_matches('\u{feff}').trim();
        if let Some(new) = header(line) {
            (section, headers) = (new, headers + 1);
            continue;
        }
        let place = file.span_at(at);
        let cells = cells(line);
        let read = match section {
            _ if line.is_empty() => Some(()),
            Section::None => Some(()),
            Section::Blocks => block(&cells, place).map(|block| report.blocks.push(block)),
            Section::Plios => plio(&cells, place).map(|plio| report.plios.push(plio)),
            Section::Clusters => cluster(&cells, place).map(|cluster| report.clusters.push(cluster)),
        };
        if read.is_none() {
            faults.push(bad_map_report(place, form(section)));
        }
    }
    if headers == 0 {
        faults.push(bad_map_report(file.span(), "a header that begins with BUFFER, PLIO or CLUSTER"));
    }
    Outcome::new(report, faults)
}

fn header(line: &str) -> Option<Section> {
    let sections = [("BUFFER,", Section::Blocks), ("PLIO,", Section::Plios), ("CLUSTER,", Section::Clusters)];
    sections.into_iter().find(|(start, _)| line.starts_with(start)).map(|(_, section)| section)
}

/// The cells that a line of a section has.
const fn form(section: Section) -> &'static str {
    match section {
        Section::None => "",
        Section::Blocks => "name, writer, reader, bytes, \"(column, row)\", bank and offset",
        Section::Plios => "name, `in` or `out`, column and channel",
        Section::Clusters => "name, the names of kernels and \"(column, row)\"",
    }
}

/// The cells of a line. A cell in quotes may hold commas.
fn cells(line: &str) -> Vec<&str> {
    let (mut cells, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                cells.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    cells.push(&line[start..]);
    cells.into_iter().map(|cell| cell.trim().trim_matches('"').trim()).collect()
}

fn block(cells: &[&str], span: Span) -> Option<Block> {
    let [name, from, to, bytes, module, bank, offset, ..] = cells else { return None };
    let port = |cell: &str| (cell != "-" && !cell.is_empty()).then(|| cell.to_owned());
    Some(Block {
        name: (*name).to_owned(),
        from: port(from),
        to: port(to),
        bytes: bytes.parse().ok()?,
        module: tile(module)?,
        bank: bank.parse().ok()?,
        offset: offset.parse().ok()?,
        span,
    })
}

fn plio(cells: &[&str], span: Span) -> Option<Plio> {
    let [name, way, column, channel, ..] = cells else { return None };
    let input = match *way {
        "in" => true,
        "out" => false,
        _ => return None,
    };
    let (column, channel) = (column.parse().ok()?, channel.parse().ok()?);
    Some(Plio { name: (*name).to_owned(), input, column, channel, span })
}

fn cluster(cells: &[&str], span: Span) -> Option<Cluster> {
    let [_, kernels, at, ..] = cells else { return None };
    let kernels = kernels.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    Some(Cluster { kernels: kernels.collect(), tile: tile(at)?, span })
}

/// `(24, 0)`
fn tile(cell: &str) -> Option<Tile> {
    let (column, row) = cell.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some(Tile::new(column.trim().parse().ok()?, row.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use aiec_diag::SourceId;

    use super::*;

    fn read_text(text: &str) -> (Option<MapReport>, Vec<String>) {
        let file = SourceFile { id: SourceId(0), name: "Map_Report.csv".to_owned(), text: text.to_owned() };
        let (report, faults) = read(&file).into_parts();
        (report, faults.into_iter().map(|fault| fault.message).collect())
    }

    const REPORT: &str = "\n\nBUFFER,FROM_INSTANCE.PORT,TO_INSTANCE.PORT,SIZE,MEMORY_GROUP,BANK,OFFSET,DMA_NEEDED\n\
        sysmem0,-,-,2080,\"(8, 3)\",0,6112,-\nbuf1,in.po0,g.a.pi0,1024,\"(7, 1)\",3,32,-\n\n\
        PLIO,IN/OUT,TILE_COLUMN,CHANNEL\nin,in,7,2\nout,out,7,0\n\nCLUSTER,KERNELS,TILE\nPT0,\"g.a,g.b,\",\"(7, 1)\"\n";

    #[test]
    fn the_three_sections_are_read() {
        let (report, faults) = read_text(REPORT);
        assert_eq!(faults, Vec::<String>::new());
        let report = report.unwrap_or_default();
        assert_eq!((report.blocks[0].from.as_deref(), report.blocks[0].offset), (None, 6112));
        let buffer = &report.blocks[1];
        assert_eq!((buffer.to.as_deref(), buffer.module, buffer.bank), (Some("g.a.pi0"), Tile::new(7, 1), 3));
        assert!(report.plios[0].input && !report.plios[1].input);
        assert_eq!(report.clusters[0].kernels, ["g.a", "g.b"]);
        assert!(is_report(REPORT));
    }

    #[test]
    fn lines_of_another_form_and_files_without_header_are_refused() {
        for (from, to) in
            [("2080", "-1"), ("\"(8, 3)\"", "8"), ("in,in,7", "in,up,7"), ("\"(7, 1)\"\n", "\n")]
        {
            let text = REPORT.replacen(from, to, 1);
            assert_eq!(read_text(&text).1.len(), 1, "{from} {to}");
        }
        for text in ["", "\u{0}", "a,b\nc"] {
            assert_eq!(read_text(text).1.len(), 1, "{text:?}");
        }
    }
}
