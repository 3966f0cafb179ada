//! Lists: commas that are missing or too many, tables without brackets, and tables where a number
//! stands.

use super::{Context, is_item, properties_of};
use crate::errors::Advice;
use crate::grammar::Rule;

/// How a table is written.
const TABLE: &str = "a table is a list in brackets: `const TAPS = [1, 2, 3]`";

/// How a component is set by a table.
const TABLE_OF_COMPONENT: &str = "give the table a name and write that: `const TAPS = [1, 2, 3]`, and `component fir(T = TAPS)` \
                                  or `instance a of fir(T = TAPS)`";

impl Context<'_> {
    /// The advice for a fault in a list.
    pub(super) fn of_list(&self, rules: &[Rule]) -> Option<Advice> {
        let (found, before, item) = (self.found(), self.before(0), self.item_word());
        let of_constant = item == Some("const");
        let in_expression = rules.contains(&Rule::operator);
        let is_setting = before == "=" && matches!(self.before(2), "(" | ",");
        Some(match found {
            "[" | "from" if is_setting => TABLE_OF_COMPONENT.to_owned().into(),
            "," if of_constant && in_expression && matches!(self.opened(), "" | "=" | ")") => {
                TABLE.to_owned().into()
            }
            "," if matches!(before, "," | "[") => {
                self.instead("leave it out: one comma separates the parts of a list".to_owned(), "")
            }
            "]" if before == "[" && matches!(self.before(1), "=" | "initial") => {
                "a list has at least one number, as in `[0]`".to_owned().into()
            }
            ";" if separates(rules) => self.instead(self.commas(), ","),
            _ => return None,
        })
    }

    /// True if what stands here begins a part of a list of numbers or ports.
    fn begins_part(&self, rules: &[Rule]) -> bool {
        let found = self.found();
        let is_port = rules.contains(&Rule::sym_close_paren) && matches!(found, "in" | "out" | "inout");
        let is_word = found.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        is_port || found.starts_with('"') || (is_word && rules.contains(&Rule::operator))
    }

    /// The advice to write a comma in front of what stands here.
    pub(super) fn missing_comma(&self, rules: &[Rule]) -> Option<Advice> {
        if !separates(rules) || !self.begins_part(rules) {
            return None;
        }
        let end = self.scan.before(self.position, 0)?.range.end;
        Some(Advice { help: self.commas(), edit: Some((self.file.span_at(end..end), ",".to_owned())) })
    }

    fn commas(&self) -> String {
        let example = match self.found() {
            "in" | "out" | "inout" => "(in x: window int32[64], out y: stream int32)",
            _ => "[1, 2, 3]",
        };
        format!("a comma separates the parts of a list, as in `{example}`")
    }
}

/// True within a list, where a comma can stand and no declaration or property.
fn separates(rules: &[Rule]) -> bool {
    let ends = |rule: &Rule| is_item(*rule) || properties_of(*rule).is_some() || *rule == Rule::sym_arrow;
    rules.contains(&Rule::sym_comma) && !rules.iter().any(ends)
}
