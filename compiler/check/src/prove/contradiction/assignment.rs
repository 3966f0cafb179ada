//! The least cost of different columns for all rows (linear assignment), with dual prices.

/// Prices of the rows and columns of `costs` (Hungarian algorithm, shortest augmenting paths). Each
/// row has one cost for each of `columns`. No cost is below the price of its row and its column
/// together, and all prices add up to the least cost. Returns None when rows outnumber columns.
pub(super) fn prices(costs: &[Vec<i64>], columns: usize) -> Option<(Vec<i64>, Vec<i64>)> {
    let (mut of_row, mut of_column) = (vec![0; costs.len()], vec![0; columns]);
    let mut row_at: Vec<Option<usize>> = vec![None; columns];
    let mut column_of: Vec<Option<usize>> = vec![None; costs.len()];
    for start in 0..costs.len() {
        // The distance of each column from `start`, and the row before it.
        let mut reached = vec![(i64::MAX, start); columns];
        let mut passed = vec![false; columns];
        let (mut row, mut far) = (start, 0);
        let mut end = loop {
            for column in (0..columns).filter(|&column| !passed[column]) {
                let cost = far + costs[row][column] - of_row[row] - of_column[column];
                if cost < reached[column].0 {
                    reached[column] = (cost, row);
                }
            }
            let next = (0..columns).filter(|&column| !passed[column]).min_by_key(|&to| reached[to].0)?;
            far = reached[next].0;
            match row_at[next] {
                None => break next,
                Some(other) => row = other,
            }
            passed[next] = true;
        };
        of_row[start] += far;
        for column in (0..columns).filter(|&column| passed[column]) {
            let change = far - reached[column].0;
            of_column[column] -= change;
            of_row[row_at[column]?] += change;
        }
        // Each row on the path takes the column after it, and leaves its own to the row before.
        while let Some(left) = column_of[reached[end].1].replace(end) {
            row_at[end] = Some(reached[end].1);
            end = left;
        }
        row_at[end] = Some(start);
    }
    Some((of_row, of_column))
}
