//! Mailboxes: the largest message and the receiver.

use aiec_collectives::Operation;
use aiec_diag::Spanned;
use aiec_dsl::ast;
use aiec_ir::design::Instance;
use aiec_ir::{ElementType, WindowType};

use crate::collectives::Properties;
use crate::errors;
use crate::lower::Context;

/// Elements of packets.
const WORD: ElementType = ElementType::Int32;

impl Context<'_> {
    /// The words of the largest message, which `max` states in bytes.
    pub fn longest_message(
        &mut self,
        written: &ast::Collective,
        properties: &Properties<'_>,
    ) -> Option<Spanned<WindowType>> {
        let Some(max) = &properties.max else {
            let owner = format!("mailbox `{}`", written.name.value);
            let example = "`max 256 B`: what one message has at most";
            self.report(errors::missing_item(written.name.span, &owner, "max", example));
            return None;
        };
        let bytes = self.bytes(max.value, "the largest message", WORD.bytes())?;
        if !bytes.value.is_multiple_of(WORD.bytes()) {
            self.report(errors::message_not_words(bytes.span, bytes.value));
            return None;
        }
        Some(Spanned::new(WindowType { element: WORD, elements: bytes.value / WORD.bytes() }, bytes.span))
    }

    /// The root, which the design must name; of active messages the owner.
    pub fn receiver(&mut self, written: &ast::Collective, properties: &Properties<'_>) -> Option<Instance> {
        if written.on.is_some() {
            return self.owner(written);
        }
        match &properties.root {
            Some(root) if self.is_any(root.value) => {
                self.report(errors::receiver_left_open(root.span, &written.name.value));
                None
            }
            Some(root) => self.one_kernel(root.value, "the root of a mailbox"),
            None => {
                let owner = format!("mailbox `{}`", written.name.value);
                let example = "`root KERNEL`: the kernel that receives the messages of the group";
                self.report(errors::missing_item(written.name.span, &owner, "root", example));
                None
            }
        }
    }
}

/// The group of an operation. That of a mailbox ends with the receiver, unless it lists it.
pub fn with_receiver(
    operation: Operation,
    mut group: Vec<Instance>,
    root: Option<Instance>,
) -> Vec<Instance> {
    let is_listed = |root: &Instance| group.iter().any(|one| one.names_same_kernel(root));
    if let Some(root) = root.filter(|root| operation.row().takes_messages && !is_listed(root)) {
        group.push(root);
    }
    group
}
