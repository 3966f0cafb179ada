//! `C_R.log` of the core at column C and row R: the report of the core's compiler on each loop that
//! it scheduled (UG1079, "Software Pipelining of Loops"; `aiecompiler -v` writes it to
//! `Work/aie/C_R`).
//!
//! For each loop the compiler writes such lines:
//!
//! ```text
//! HW do-loop #642 in "k.cc", line 34: (loop #3) :
//! (resume algo)     -> after folding: 94  (folded over 1 iterations)
//!   -> HW do-loop #642 in "k.cc", line 81: (loop #3) : 94 cycles
//! ```
//!
//! The lines of two functions may be mixed, since the compiler runs several at a time and writes
//! parts of lines. Those of this example stayed whole in the public logs. A loop is scheduled
//! several times; the last time counts. Its first line may name the line of the function, and its
//! last one that of the loop, or of a header. So both are kept.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_diag::SourceFile;

/// A loop as the core's compiler scheduled it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledLoop {
    /// Names of source files without their folders, with lines: where the loop is.
    pub places: Vec<(String, u32)>,
    /// Cycles from one iteration to the next.
    pub interval: u32,
    /// Iterations that begin before an iteration ends.
    pub folded: u32,
}

/// The core of a file with this name, if it is such a log.
pub fn tile_of(file: &str) -> Option<Tile> {
    let name = file.rsplit(['/', '\\']).next()?;
    let (column, row) = name.strip_suffix(".log")?.split_once('_')?;
    Some(Tile { column: column.parse().ok()?, row: row.parse().ok()? })
}

/// A line that names a loop.
struct Named<'a> {
    /// Its numbers in the compiler.
    numbers: (&'a str, &'a str),
    file: &'a str,
    line: u32,
    /// Cycles from one iteration to the next, if the line states them.
    interval: Option<u32>,
}

/// Reads all loops of a log, in the order of their first lines. Empty for a log without any.
pub fn parse(file: &SourceFile) -> Vec<ScheduledLoop> {
    let mut loops: Vec<ScheduledLoop> = Vec::new();
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut folded = 0;
    for line in file.text.lines() {
        folded = fold(line).unwrap_or(folded);
        let Some(named) = named(line) else { continue };
        let at = *known.entry(named.numbers).or_insert(loops.len());
        if at == loops.len() {
            loops.push(ScheduledLoop { places: Vec::new(), interval: 0, folded: 0 });
        }
        let place = (named.file.to_owned(), named.line);
        if !loops[at].places.contains(&place) {
            loops[at].places.push(place);
        }
        if let Some(interval) = named.interval {
            (loops[at].interval, loops[at].folded) = (interval, std::mem::take(&mut folded));
        }
    }
    loops.retain(|one| one.interval > 0);
    loops
}

/// `HW do-loop #N in "FILE", line L: (loop #M) :`, and behind it `C cycles` in the last line.
fn named(line: &str) -> Option<Named<'_>> {
    let (_, rest) = line.split_once("HW do-loop #")?;
    let (number, rest) = rest.split_once(" in \"")?;
    let (path, rest) = rest.split_once("\", line ")?;
    let (at, rest) = rest.split_once(':')?;
    let (_, rest) = rest.split_once("(loop #")?;
    let (inner, rest) = rest.split_once(')')?;
    let cycles = rest.trim_start_matches([' ', ':']).strip_suffix(" cycles");
    Some(Named {
        numbers: (number, inner),
        file: path.rsplit(['/', '\\']).next()?,
        line: at.trim().parse().ok()?,
        interval: cycles.and_then(|cycles| cycles.trim().parse().ok()),
    })
}

/// Iterations that a loop was folded over, if the line states it.
fn fold(line: &str) -> Option<u32> {
    if line.contains("no folding") {
        return Some(0);
    }
    let (_, rest) = line.split_once("(folded over ")?;
    rest.split_once(" iteration")?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use aiec_diag::Sources;

    use super::*;

    fn read(text: &str) -> Vec<ScheduledLoop> {
        let mut sources = Sources::default();
        let id = sources.add("Work/aie/24_0/24_0.log".to_owned(), text.to_owned());
        parse(sources.get(id).expect("it was added"))
    }

    #[test]
    fn the_name_of_a_log_is_its_core() {
        assert_eq!(tile_of("Work/aie/7_2/7_2.log"), Some(Tile { column: 7, row: 2 }));
        for other in ["xlopt.log", "24_0-2024-06-30.log", "24_0.lst", "AIECompiler.log"] {
            assert_eq!(tile_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_schedule_of_a_loop_counts() {
        let loops = read(
            "HW do-loop #37 in \"/home/a b/k.cc\", line 8: (loop #3) :\n\
             critical cycle of length 7 : b31 -> b31\n\
             minimum length due to resources: 2\n\
             scheduling HW do-loop #37     \t-> # cycles: 12 \n  \
             -> HW do-loop #37 in \"/home/a b/k.cc\", line 8: (loop #3) : 12 cycles\n\
             Total number of cycles = 28\n\
             HW do-loop #37 in \"/home/a b/k.cc\", line 8: (loop #3) :\n\
             scheduling HW do-loop #37\n\
             (algo 1a)\t-> # cycles: 20%..12 \n\
             (modulo)\t-> # cycles: 3 ok (required budget ratio: 1)\n\
             (resume algo)\t  -> after folding: 3  (folded over 4 iterations)\n  \
             -> HW do-loop #37 in \"/home/a b/k.cc\", line 8: (loop #3) : 3 cycles\n",
        );
        let places = vec![("k.cc".to_owned(), 8)];
        assert_eq!(loops, [ScheduledLoop { places, interval: 3, folded: 4 }]);
    }

    #[test]
    fn both_places_of_a_loop_are_kept_and_what_is_not_folded_does_not_overlap() {
        // The second form is that of older texts: no space before the colon.
        let loops = read(
            "x1 2 HW do-loop #9 in \"k.cc\", line 34: (loop #3) :\n\
             (algo 2)\t-> # cycles: 173  (exceeds -k 110)    -> no folding: 173\n    \
             -> HW do-loop #9 in \"/opt/adf/stream_utils.h\", line 258: (loop #3) : 173 cycles\n\
             HW do-loop #11 in \"k.cc\", line 50: (loop #4):\n\
             (resume algo)     -> after folding:  2 (folded over 1 iterations)\n  \
             -> HW do-loop #11 in \"k.cc\", line 50: (loop #4): 2 cycles\n",
        );
        let places = vec![("k.cc".to_owned(), 34), ("stream_utils.h".to_owned(), 258)];
        assert_eq!(loops[0], ScheduledLoop { places, interval: 173, folded: 0 });
        assert_eq!((loops[1].interval, loops[1].folded), (2, 1));
    }

    #[test]
    fn other_lines_and_broken_ones_are_no_loops() {
        for text in [
            "",
            "scheduling HW do-loop #642\n",
            "HW do-loop #642 in \"k.cc\", line 34: (loop #3) :\n",
            "  -> HW do-loop #1 in \"k.cc\", line x: (loop #3) : 94 cycles\n",
            "  -> HW do-loop #1 in \"k.cc\", line 4: (loop #3) : many cycles\n",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }
}
