//! The constants of a file by themselves, for an editor: they have values even where the rest of
//! the file has faults.

use std::collections::BTreeMap;

use aiec_diag::Spanned;
use aiec_dsl::ast::{Component, Expr, Ident, Program, Setting};

use crate::Options;
use crate::components::constant_items;
use crate::eval::{self, Constant, Definition, Value, Values, lookup, value};
use crate::lower::Context;
use crate::names::Scope;
use crate::wanted::not_wanted;

/// Constants with their values, as far as they have one.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    values: Values,
}

/// The constants at the top of a file. Their faults are not reported.
pub fn constants(program: &Program, options: &Options) -> Constants {
    let mut context = Context { tables: Some(&options.tables), ..Context::default() };
    context.overrides = &options.overrides;
    context.constants(&program.items, options);
    Constants { values: std::mem::take(&mut context.at.values) }
}

impl Constants {
    /// These constants and others, which replace those of their name.
    #[must_use]
    pub fn with(&self, others: &BTreeMap<String, i64>) -> Self {
        let mut values = self.values.clone();
        values.extend(others.iter().map(|(name, number)| (name.clone(), Some(Value::Number(*number)))));
        Self { values }
    }

    /// These constants, which are those of its file, with those of a component. Settings of it that
    /// are not among `set` have their defaults.
    #[must_use]
    pub fn within(&self, component: &Component, set: &BTreeMap<String, i64>, options: &Options) -> Self {
        let mut context = Context { tables: Some(&options.tables), ..Context::default() };
        let names: Vec<Ident> =
            self.values.keys().map(|name| Spanned::new(name.clone(), component.name.span)).collect();
        let known = |name: &Ident| Definition::Known(self.values.get(&name.value).cloned().flatten());
        let outer = names.iter().map(|name| Constant { name, definition: known(name) });
        let settings = component.constants.iter().map(|Setting { name, value }| {
            let set = set.get(&name.value).map(|number| Definition::Known(Some(Value::Number(*number))));
            (name, set.unwrap_or_else(|| Definition::of_setting(value, &self.values)))
        });
        let body = constant_items(&component.body.items);
        let body = body.map(|(name, value)| (name, context.definition(name, value, &[])));
        // A name of the component hides none of its file: the language refuses the second one.
        let own = settings.chain(body).map(|(name, definition)| Constant { name, definition });
        let all: Vec<Constant<'_>> = outer.chain(own).collect();
        // Faults are reported by the check.
        let fault = |name: &str, span, wanted| not_wanted(&Scope::default(), name, span, wanted);
        Self { values: eval::constants(&all, &mut Vec::new(), &fault) }
    }

    /// The value of an expression of whole numbers. Returns None when a name is no constant, or the
    /// arithmetic has a fault.
    pub fn value(&self, expr: &Expr) -> Option<i64> {
        value(expr, &|name| lookup(&self.values, name)).ok()
    }

    /// The value of a constant as the language writes it; of a table at most `most` numbers, and
    /// how many it has.
    pub fn text(&self, name: &str, most: usize) -> Option<String> {
        let table = |texts: Vec<String>, count: usize| {
            let more = if count > most { format!(", ... ({count} numbers)") } else { String::new() };
            format!("[{}{more}]", texts.join(", "))
        };
        Some(match self.values.get(name)?.as_ref()? {
            Value::Number(number) => number.to_string(),
            Value::Decimal(number) => number.to_string(),
            Value::Table(all) => table(all.iter().take(most).map(ToString::to_string).collect(), all.len()),
            Value::Decimals(all) => {
                table(all.iter().take(most).map(ToString::to_string).collect(), all.len())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_diag::{SourceFile, SourceId};
    use aiec_dsl::ast::{Constant, ItemKind};

    #[test]
    fn constants_have_values_beside_faults() {
        let text = "const N = 2 * M const M = 4 const T = [N, M, 1] const D = 0.5 const BAD = 1 / 0 const X = Q connect";
        let file = SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() };
        let program = aiec_dsl::recover(&file).program;
        let found = constants(&program, &Options::default());
        let shown = ["N", "T", "D", "BAD", "X", "Y"].map(|name| found.text(name, 2));
        let known = |text: &str| Some(text.to_owned());
        assert_eq!(shown, [known("8"), known("[8, 4, ... (3 numbers)]"), known("0.5"), None, None, None]);
        let ItemKind::Const { value: Constant::Number(expr), .. } = &program.items[0].kind else { panic!() };
        let others = BTreeMap::from([("M".to_owned(), 5)]);
        assert_eq!((found.value(expr), found.with(&others).value(expr)), (Some(8), Some(10)));
    }

    #[test]
    fn components_have_their_defaults() {
        let text = "const N = 4 component fir(TAPS = 2 * N, BAD = 1 / 0)() { const DEEP = TAPS + 1 const T = [DEEP, N] }";
        let file = SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() };
        let program = aiec_dsl::recover(&file).program;
        let ItemKind::Component(component) = &program.items[1].kind else { panic!() };
        let options = Options::default();
        let file = constants(&program, &options);
        let shown = |set: &[(&str, i64)]| {
            let set = set.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
            let found = file.within(component, &set, &options);
            ["N", "TAPS", "DEEP", "T", "BAD"].map(|name| found.text(name, 2).unwrap_or_default())
        };
        assert_eq!(shown(&[]), ["4", "8", "9", "[9, 4]", ""]);
        assert_eq!(shown(&[("TAPS", 2), ("BAD", 1)]), ["4", "2", "3", "[3, 4]", "1"]);
    }
}
