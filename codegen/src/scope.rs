//! Names that are taken in a scope of C++, and free ones.

use std::collections::BTreeSet;

/// A scope: the names taken in it.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// A scope in which `taken` are taken.
    pub fn with<S: Into<String>>(taken: impl IntoIterator<Item = S>) -> Self {
        Self { taken: taken.into_iter().map(Into::into).collect() }
    }

    /// Takes `name`, whether it is free or not.
    pub fn take(&mut self, name: impl Into<String>) {
        self.taken.insert(name.into());
    }

    /// True if `name` is taken.
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// The names taken in it.
    pub fn into_names(self) -> impl Iterator<Item = String> {
        self.taken.into_iter()
    }

    /// Takes and returns the first of `wanted` that is free, else the last of them with a number.
    pub fn fresh(&mut self, wanted: &[String]) -> String {
        let last = wanted.last().map_or("", String::as_str);
        let numbered = (2_u64..).map(|number| format!("{last}_{number}"));
        let candidates = wanted.iter().cloned().chain(numbered);
        let free = candidates.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }
}
