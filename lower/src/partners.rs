//! To whom the ranks of a sendrecv or channel send. Takes `shift` or `to` as written, returns a
//! formula over ranks, or one for each index of the receiver's kernel. With `peers any` the kernels
//! say it, and the channel has packets.

use aiec_collectives::{Operation, Relay, WindowType};
use aiec_diag::{Span, Spanned, nearest};
use aiec_dsl::ast::{self, Expr, Target};
use aiec_ir::Formula;
use aiec_ir::design::{Instance, Partner};

use crate::collectives::Properties;
use crate::errors;
use crate::lower::Context;
use crate::{Lowered, Reported};

/// Words of a packet behind its header, where the design states none: those of SMI.
const PACKET_WORDS: u32 = 7;

impl Context<'_> {
    /// The packets of a channel with `peers any`. Without a `depth`, the memory of a rank holds
    /// what one opening moves. Returns None when it is another channel or operation.
    pub fn relay(
        &mut self,
        operation: Operation,
        written: &ast::Collective,
        properties: &Properties<'_>,
        data: Option<&Spanned<WindowType>>,
        depth: Lowered<Option<Spanned<u32>>>,
    ) -> Lowered<Option<Relay>> {
        let row = operation.row();
        if !row.is_channel() || row.takes_messages {
            return Ok(None);
        }
        let Some(peers) = &properties.peers else {
            let root = properties.root.as_ref().map(|root| (root.span, "root"));
            let packet = properties.packet.as_ref().map(|packet| (packet.span, "packet"));
            let Some((span, word)) = root.or(packet) else { return Ok(None) };
            self.report(errors::only_with_peers(span, word, &written.name.value));
            return Err(Reported);
        };
        if let Some(calls) = &properties.calls {
            self.report(errors::not_with_peers(calls.span, "calls", &written.name.value));
            return Err(Reported);
        }
        let which = peers.value;
        if which.value != "any" {
            let close = nearest(&which.value, ["any"]);
            self.report(errors::unknown_word(which.span, "kind of peers", &which.value, &["any"], close));
            return Err(Reported);
        }
        if properties.root.as_ref().is_none_or(|root| self.is_any(root.value)) {
            let owner = format!("{} `{}` with `peers any`", operation.noun(), written.name.value);
            let example = "`root KERNEL`: the kernel of the group that carries packets between the others";
            self.report(errors::missing_item(written.name.span, &owner, "root", example));
            return Err(Reported);
        }
        let packet = match &properties.packet {
            Some(words) => self.number(words.value, "the size of a packet", 1).ok_or(Reported)?,
            None => PACKET_WORDS,
        };
        let data = data.ok_or(Reported)?;
        let depth = depth?.map_or(data.value.elements, |depth| depth.value);
        Ok(Some(Relay { packet, depth }))
    }

    /// The words of `depth`, if the design states it.
    pub fn depth(&mut self, properties: &Properties<'_>) -> Lowered<Option<Spanned<u32>>> {
        let Some(depth) = &properties.depth else { return Ok(None) };
        let words = self.number(depth.value, "the depth", 1).ok_or(Reported)?;
        Ok(Some(Spanned::new(words, depth.value.span)))
    }

    /// To whom each rank of a sendrecv or channel sends: to `rank + shift`, or to whom `to` says.
    /// Returns None when the kernels of a channel choose.
    pub fn partner(
        &mut self,
        operation: Operation,
        written: &ast::Collective,
        properties: &Properties<'_>,
        group: &[Instance],
    ) -> Lowered<Option<Spanned<Partner>>> {
        if let (Some(shift), Some(to)) = (&properties.shift, &properties.to) {
            let (to, shift) = (Spanned::new("to", to.span), Spanned::new("shift", shift.span));
            self.report(errors::one_of_two("who sends to whom", &to, &shift));
            return Err(Reported);
        }
        if let Some(peers) = &properties.peers {
            let to = properties.to.as_ref().map(|to| Spanned::new("to", to.span));
            let said = to.or(properties.shift.as_ref().map(|shift| Spanned::new("shift", shift.span)));
            let Some(said) = said else { return Ok(None) };
            self.report(errors::one_of_two("who sends to whom", &said, &Spanned::new("peers", peers.span)));
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
