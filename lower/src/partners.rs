//! To whom the ranks of a sendrecv or channel send. Takes `shift` or `to` as written, returns a
//! formula over ranks, or one for each index of the receiver's kernel.

use aiec_collectives::Operation;
use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, Expr, Target};
use aiec_ir::Formula;
use aiec_ir::design::{Instance, Partner};

use crate::collectives::Properties;
use crate::errors;
use crate::lower::Context;
use crate::{Lowered, Reported};

impl Context<'_> {
    /// To whom each rank of a sendrecv or channel sends: to `rank + shift`, or to whom `to` says.
    pub fn partner(
        &mut self,
        (operation, written): (Operation, &ast::Collective),
        properties: &Properties<'_>,
        group: &[Instance],
    ) -> Lowered<Option<Spanned<Partner>>> {
        if let (Some(shift), Some(to)) = (&properties.shift, &properties.to) {
            let (to, shift) = ((to.span, "to"), (shift.span, "shift"));
            self.report(errors::one_of_two("who sends to whom", to, shift));
            return Err(Reported);
        }
        if properties.shift.is_none() && properties.to.is_none() {
            let owner = format!("{} `{}`", operation.noun(), written.name.value);
            let example = "`shift 1`, or `to` with a rank such as `to rank + 1`";
            self.report(errors::missing_item(written.name.span, &owner, "shift", example));
            return Err(Reported);
        }
        if let Some(shift) = self.spanned_formula(properties.shift.as_ref())? {
            let further = Formula::Add(Box::new(Formula::Rank), Box::new(shift.value));
            return Ok(Some(Spanned::new(Partner::Rank(further), shift.span)));
        }
        let Some(to) = &properties.to else { return Ok(None) };
        let (partner, span) = match to.value {
            Target::Rank(rank) => {
                let formula = self.formula(Some(&Spanned::new(rank, rank.span)))?.ok_or(Reported)?;
                (Partner::Rank(formula), rank.span)
            }
            Target::At(indices) => {
                let ends = indices.first().zip(indices.last());
                let span = ends.map_or(to.span, |(first, last)| first.span.to(last.span));
                self.indices_of_group(indices, span, group)?;
                let formula = |context: &mut Self, index: &Expr| {
                    context.formula(Some(&Spanned::new(index, index.span)))?.ok_or(Reported)
                };
                let all: Lowered<Vec<Formula>> = indices.iter().map(|index| formula(self, index)).collect();
                (Partner::At(all?), span)
            }
        };
        Ok(Some(Spanned::new(partner, span)))
    }

    /// Checks that every family of the group has as many extents as there are indices.
    fn indices_of_group(&mut self, indices: &[Expr], span: Span, group: &[Instance]) -> Lowered<()> {
        for instance in group {
            let Some(family) = self.families.get(instance.family) else { continue };
            if family.dims.len() != indices.len() {
                let (name, dims, declared) = (family.name.clone(), family.dims.len(), family.span);
                self.report(errors::index_count(span, &name, indices.len(), dims, declared));
                return Err(Reported);
            }
        }
        Ok(())
    }
}
