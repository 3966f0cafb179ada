//! Faults between the syntax tree and the expanded design: one constructor per fault.

mod allowances;
mod collectives;
mod components;
mod connections;
mod constraints;
mod files;
mod handlers;
mod limits;
mod names;
mod numbers;

pub use allowances::*;
pub use collectives::*;
pub use components::*;
pub use connections::*;
pub use constraints::*;
pub use files::*;
pub use handlers::*;
pub use limits::*;
pub use names::*;
pub use numbers::*;

/// "did you mean", or `otherwise` when no name is close.
fn suggestion(close: Option<&str>, otherwise: impl Into<String>) -> String {
    close.map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

/// Names in backquotes, separated by commas.
fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// `no index`, `1 index`, `2 indices`.
fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}
