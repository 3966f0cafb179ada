//! Tables as text: a header and rows of cells. Numbers are aligned to the right, words to the left.

/// A table with a header.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and no rows.
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self { rows: vec![columns.iter().map(|&column| column.to_owned()).collect()] }
    }

    /// Adds a row below the others, one cell for each column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// True if there is no row below the header.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.len() < 2
    }

    /// The text of the table: two spaces between columns, none at the end of a line.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.rows.iter().map(|row| cell(row, column)).max().unwrap_or(0))
            .collect();
        let numeric: Vec<bool> = (0..columns).map(|column| self.is_numeric(column)).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).zip(&numeric).map(|((cell, &width), &numeric)| {
                if numeric { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned() + "\n"
        };
        self.rows.iter().map(line).collect()
    }

    /// True if every cell below the header is a number, a pair of numbers, or empty.
    fn is_numeric(&self, column: usize) -> bool {
        let number = |cell: &String| cell.chars().all(|c| c.is_ascii_digit() || "./-".contains(c));
        self.rows.iter().skip(1).filter_map(|row| row.get(column)).all(number)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let mut table = Table::new(&["name", "n"]);
        table.row(["a".into(), "7".into()]);
        table.row(["long name".into(), "12/100".into()]);
        assert_eq!(table.text(), "  name            n\n  a               7\n  long name  12/100\n");
    }

    #[test]
    fn a_header_alone_is_empty() {
        assert!(Table::new(&["name"]).is_empty());
    }
}
