//! Faults of names in expressions.

use aiec_diag::{Diagnostic, Span};

use crate::errors;
use crate::eval::Wanted;
use crate::meant::{OTHER_NUMBERS, meant};
use crate::names::{Scope, Symbol};

/// The diagnostic for a name in an expression that is not what the expression wants.
pub fn not_wanted(scope: &Scope, name: &str, span: Span, wanted: Wanted) -> Diagnostic {
    let (right, words, example) = match wanted {
        Wanted::Number => (Symbol::Constant, "a number", format!("const {name} = ...")),
        Wanted::Table => (Symbol::Table, "a table of constants", format!("const {name} = [1, 2, 3]")),
    };
    if name == "step" && scope.find(name).is_none() {
        let declare = "a slice goes up by 1 or more: write `[FIRST..LAST step 2]`";
        return errors::unknown_name(span, name, "constant", None, declare);
    }
    let other = meant(name, &OTHER_NUMBERS).filter(|_| wanted == Wanted::Number);
    if let (None, Some((right, why))) = (scope.find(name), other) {
        return errors::other_word(span, "constant", name, right, why);
    }
    match scope.find(name) {
        Some(Symbol::Table) if wanted == Wanted::Number => errors::whole_table(span, name),
        Some(symbol) if symbol != right => errors::wrong_kind(span, name, symbol.kind(), words),
        _ => {
            let is_constant = |symbol| matches!(symbol, Symbol::Constant | Symbol::Table);
            let close =
                scope.nearest(name, |symbol| symbol == right).or_else(|| scope.nearest(name, is_constant));
            let inside = "inside a loop its variable can be used, in a kernel the names of its indices";
            let declare = format!("declare it: `{example}`; {inside}");
            let what = if wanted == Wanted::Table { "table of constants" } else { "constant" };
            errors::unknown_name(span, name, what, close, &declare)
        }
    }
}
