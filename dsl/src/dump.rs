//! The syntax tree as stable text.

use crate::ast::Program;

/// The items of `program` as pretty JSON, without the places of their parts.
pub fn dump(program: &Program) -> String {
    let items: Vec<_> = program.items.iter().map(|item| &item.kind).collect();
    let json = serde_json::to_string_pretty(&items);
    // A tree of plain enums and strings has no reason to fail.
    json.map_or_else(|error| format!("\"{error}\"\n"), |json| json + "\n")
}
