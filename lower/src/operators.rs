//! The operators of collectives: words of the language, or structs of the user's headers.

use aiec_collectives::Operation;
use aiec_diag::{Spanned, nearest};
use aiec_dsl::ast::{self, Ident};
use aiec_ir::{Operator, ReduceOp};

use crate::collectives::Properties;
use crate::errors;
use crate::lower::Context;
use crate::meant::{OTHER_OPERATORS, meant};
use crate::names::Use;
use crate::{Lowered, Reported};

impl Context<'_> {
    /// The operator. Returns None when the operation combines nothing.
    pub fn operator(
        &mut self,
        operation: Operation,
        written: &ast::Collective,
        properties: &Properties<'_>,
    ) -> Lowered<Option<Spanned<Operator>>> {
        if !operation.combines() {
            return Ok(None);
        }
        let Some(op) = &properties.op else {
            let owner = format!("{} `{}`", operation.noun(), written.name.value);
            let words = "`op sum` (or `prod`, `min`, `max`, `and`, `or`, `xor`)";
            let place = properties.data.as_ref().map(|data| (data.span.behind(), " op sum"));
            let fault = errors::missing_item(written.name.span, &owner, "op", words);
            self.report(fault.fix("add `op sum`", place));
            return Err(Reported);
        };
        let found = match &op.value.from {
            None => self.builtin(&op.value.name).map(Operator::Builtin),
            Some((header, kind)) => self.user_operator(&op.value.name, header, kind),
        };
        found.map(|found| Some(Spanned::new(found, op.value.name.span))).ok_or(Reported)
    }

    fn builtin(&mut self, name: &Ident) -> Option<ReduceOp> {
        let names = ReduceOp::ALL.map(ReduceOp::name);
        let found = ReduceOp::from_name(&name.value);
        if found.is_none() {
            let word = &name.value;
            self.report(match meant(word, &OTHER_OPERATORS) {
                Some((right, why)) => errors::other_word(name.span, "operator", word, right, why),
                None => errors::unknown_word(name.span, "operator", word, &names, nearest(word, names)),
            });
        }
        found
    }

    fn user_operator(&mut self, name: &Ident, header: &Spanned<String>, kind: &Ident) -> Option<Operator> {
        self.check_identifier(name, Use::Inside);
        let kinds = ["commutative", "ordered"];
        if !kinds.contains(&kind.value.as_str()) {
            let close = nearest(&kind.value, kinds);
            self.report(errors::unknown_word(kind.span, "kind of operator", &kind.value, &kinds, close));
            return None;
        }
        let header = self.path(header, false);
        let commutative = kind.value == "commutative";
        Some(Operator::User { name: name.value.clone(), header, commutative })
    }
}
