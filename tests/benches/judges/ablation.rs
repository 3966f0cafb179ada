//! What each strategy of the search contributes: the designs of the table of results and some of
//! two families, placed with one strategy after the other left out.

use aiec_device::Device;
use aiec_placer::{PlaceOptions, Strategy};
use aiec_test_support::Builder;

use crate::designs;
use crate::hidden::{Family, device};
use crate::table::{File, Row};
use crate::trial::Ending;
use crate::{Request, Task, hidden, row, subject};

/// Designs of each family.
const FAMILY_DESIGNS: u64 = 12;

/// The rows of one group of designs, in the order of the group.
type Rows = Vec<Row>;

/// The results without a strategy: designs of the table, and of the families a and b.
struct Answers {
    name: &'static str,
    groups: [Rows; 3],
}

/// The table in Markdown.
pub fn table(request: &Request) -> String {
    let mut file = File::open("ablation");
    let strategies = std::iter::once(None).chain(Strategy::ALL.map(Some));
    let answers: Vec<Answers> = strategies.map(|without| answers(&mut file, request, without)).collect();
    let mut table = "| without | connections by DMA, 35 designs | random | others | worst design | a: given up, DMA | b: given up, DMA | processor seconds |\n|---|---:|---:|---:|---|---:|---:|---:|\n".to_owned();
    for row in &answers {
        table.push_str(&line(row, &answers[0]));
    }
    table
}

/// Places all designs without a strategy.
fn answers(file: &mut File, request: &Request, without: Option<(Strategy, &'static str)>) -> Answers {
    let (without, name) = without.map_or((None, "nothing"), |(part, name)| (Some(part), name));
    let task = request.task(false);
    let task = Task { options: PlaceOptions { without, ..task.options }, ..task };
    let mut place = |design: String, builder: &Builder, device: &Device| {
        let checked = hidden::checked(builder, device).unwrap_or_else(|said| panic!("{design}: {said}"));
        let subject = subject(format!("{design}, without {name}"), builder, &checked, request);
        row(file, "ablation", subject, (&checked, device), &task)
    };
    let array = device("xcvc1902");
    let known = designs::all().into_iter().map(|design| place(design.name, &design.builder, &array));
    let known: Rows = known.collect();
    let mut family = |family: Family| -> Rows {
        let designs = (0..FAMILY_DESIGNS).map(|number| (number, hidden::hidden(family, number)));
        let name = |number: u64| format!("{} {number}", family.name());
        designs.map(|(number, design)| place(name(number), &design.builder, &design.device)).collect()
    };
    Answers { name, groups: [known, family(Family::A), family(Family::B)] }
}

/// Connections by DMA of some rows, and the number of rows without a placement.
fn sum<'r>(rows: impl Iterator<Item = &'r Row>) -> (usize, usize) {
    rows.fold((0, 0), |(sum, failed), row| match row.ending {
        Ending::Placed(connections) => (sum + connections, failed),
        _ => (sum, failed + 1),
    })
}

/// The line of a strategy.
fn line(answers: &Answers, all: &Answers) -> String {
    let [known, a, b] = &answers.groups;
    let is_random = |row: &&Row| row.subject.design.starts_with("random");
    let (total, lost) = sum(known.iter());
    let (random, _) = sum(known.iter().filter(is_random));
    let more = |(row, best): (&Row, &Row)| match (&row.ending, &best.ending) {
        (Ending::Placed(connections), Ending::Placed(least)) if connections > least => {
            Some((connections - least, row.subject.design.clone()))
        }
        _ => None,
    };
    let worst = known.iter().zip(&all.groups[0]).filter_map(more).max_by_key(|(more, _)| *more);
    let worst = worst.map_or_else(String::new, |(more, design)| {
        format!("{more}, {}", design.split(", without").next().unwrap_or_default())
    });
    let lost = if lost > 0 { format!(", {lost} given up") } else { String::new() };
    let group = |rows: &Rows| {
        let (connections, failed) = sum(rows.iter());
        format!("{failed}, {connections}")
    };
    let seconds: f64 = answers.groups.iter().flatten().map(|row| row.seconds).sum();
    format!(
        "| {} | {total}{lost} | {random} | {} | {worst} | {} | {} | {seconds:.0} |\n",
        answers.name,
        total - random,
        group(a),
        group(b)
    )
}
