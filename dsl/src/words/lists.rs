//! Lists: tables where a number stands.

use super::Context;
use crate::errors::Advice;
use crate::grammar::Rule;

/// How a component is set by a table.
const TABLE_OF_COMPONENT: &str = "give the table a name and write that: `const TAPS = [1, 2, 3]`, and `component fir(T = TAPS)` \
                                  or `instance a of fir(T = TAPS)`";

impl Context<'_> {
    /// The advice for a fault in a list.
    pub(super) fn of_list(&self, _: &[Rule]) -> Option<Advice> {
        let is_setting = self.before(0) == "=" && matches!(self.before(2), "(" | ",");
        let is_table = matches!(self.found(), "[" | "from");
        (is_setting && is_table).then(|| TABLE_OF_COMPONENT.to_owned().into())
    }
}
