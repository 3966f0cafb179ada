//! Rows as CSV (RFC 4180, but with the line ends of Unix).

use serde_json::Value;

use super::point::{Figures, Outcome, Row};

/// The columns behind the constants and the outcome.
const FIGURES: [&str; 9] = [
    "dma_connections",
    "dma_bound",
    "cores",
    "bytes",
    "nets",
    "total_cycles",
    "profile",
    "no_statement",
    "cut_short",
];

/// All rows under one header. Each collective has its shape, window and estimated cycles.
pub(crate) fn csv(constants: &[&str], rows: &[Row]) -> String {
    let collectives = collectives(rows);
    let of_collective =
        |name: &&str| ["shape", "window", "estimate"].map(|what| format!("{what}:{name}")).to_vec();
    let head = constants.iter().chain(&["outcome", "code"]).chain(&FIGURES).map(|&name| name.to_owned());
    let head = head.chain(collectives.iter().flat_map(of_collective));
    let lines = rows.iter().map(|row| cells(constants, &collectives, row));
    [head.collect()].into_iter().chain(lines).map(|cells: Vec<String>| line(&cells)).collect()
}

/// The collectives of all rows, in the order in which they first appear.
fn collectives(rows: &[Row]) -> Vec<&str> {
    let mut names = Vec::new();
    let figures = rows.iter().filter_map(Row::figures);
    for name in figures.flat_map(|figures| figures.collectives.iter().map(|times| times.name.as_str())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl Row {
    /// The figures of a placed design.
    pub(crate) fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Placed(figures) => Some(figures),
            Outcome::Refused(_) => None,
        }
    }

    /// The value of a constant as text.
    pub(crate) fn constant(&self, name: &str) -> String {
        self.constants.get(name).map(Value::to_string).unwrap_or_default()
    }
}

fn cells(constants: &[&str], collectives: &[&str], row: &Row) -> Vec<String> {
    let constants = constants.iter().map(|name| row.constant(name));
    let (outcome, code) = match &row.outcome {
        Outcome::Placed(_) => ("placed", ""),
        Outcome::Refused(refusal) => ("refused", refusal.code.as_str()),
    };
    let figures = row.figures();
    let numbers = figures.map_or_else(|| FIGURES.map(|_| String::new()), numbers);
    let of_collective = |name: &&str| {
        let times = figures.and_then(|all| all.collectives.iter().find(|times| times.name == **name));
        match times {
            Some(times) => [times.shape.clone(), times.window.clone(), times.total_cycles.to_string()],
            None => Default::default(),
        }
    };
    let cells = constants.chain([outcome.to_owned(), code.to_owned()]).chain(numbers);
    cells.chain(collectives.iter().flat_map(of_collective)).collect()
}

/// The cells of the columns [`FIGURES`].
fn numbers(figures: &Figures) -> [String; FIGURES.len()] {
    [
        figures.dma_connections.to_string(),
        figures.dma_bound.to_string(),
        figures.cores.to_string(),
        figures.bytes.to_string(),
        figures.nets.to_string(),
        figures.total_cycles.map_or_else(String::new, |cycles| cycles.to_string()),
        figures.profile.clone(),
        figures.no_statement.clone().unwrap_or_default(),
        figures.cut_short.to_string(),
    ]
}

/// A line of cells, in quotes where they need them.
pub(crate) fn line(cells: &[String]) -> String {
    let cell = |text: &String| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_cell_with_commas_or_quotes_stands_in_quotes() {
        let cells = ["a b", "c,d", "say \"e\""].map(str::to_owned);
        assert_eq!(line(&cells), "a b,\"c,d\",\"say \"\"e\"\"\"\n");
    }
}
