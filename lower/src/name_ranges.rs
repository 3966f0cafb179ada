//! Names of many members, and files of many inputs or outputs, in few words: `k{1..4}` for `k1`,
//! `k2` and `k3`.

use aiec_dsl::ast::{self, Endpoint, ExternalProperty};
use aiec_ir::design::position;
use aiec_ir::patterns::{has_range, names};

use crate::components::indexed;
use crate::errors;
use crate::lower::Context;

impl Context<'_> {
    /// Keeps the names of a family's kernels in the graph that the design describes.
    pub fn name_in_graph(&mut self, kernel: &ast::Kernel, name: &str, dims: &[u32]) {
        self.check_called(kernel.called.first());
        let count = dims.iter().product::<u32>();
        let each = kernel.called.iter().flat_map(|called| names(&called.value));
        // One more is enough to see that there are too many.
        let each: Vec<String> = each.take(count as usize + 1).collect();
        let is_array = match kernel.called.as_slice() {
            [] => true,
            [one] => each == [one.value.clone()],
            _ => false,
        };
        if !is_array && each.len() != count as usize {
            return self.report(errors::called_count(
                &kernel.called,
                each.len(),
                (count, "kernel"),
                kernel.name.span,
            ));
        }
        let span = kernel.called.first().map_or(kernel.name.span, |called| called.span);
        let mut again = None;
        for index in 0..count {
            let place = position(dims, index);
            let own = each.get(if is_array { 0 } else { index as usize }).cloned();
            let member = self.member(&kernel.name.value, own);
            let is_own = member.is_some();
            let member = member.unwrap_or_else(|| name.to_owned());
            let member = if is_array { indexed(&member, &place) } else { member };
            if let Some(&first) = self.members.get(&member) {
                again = again.or(Some((member.clone(), first)));
            }
            self.members.insert(member.clone(), span);
            if is_own {
                self.called.insert(indexed(name, &place), member);
            }
        }
        if let Some((member, first)) = again.filter(|_| self.is_own) {
            self.report(errors::duplicate_member(&member, span, first));
        }
    }

    /// Reports ranges in names of files that stand for another number of files than there are
    /// inputs or outputs.
    pub fn check_files(&mut self, external: &ast::External, dims: &[u32]) {
        let count = dims.iter().product::<u32>();
        let golden = external.properties.iter().filter_map(|property| match &property.value {
            ExternalProperty::Golden(file) => Some(file),
            _ => None,
        });
        let own = match &external.endpoint.value {
            Endpoint::Plio { file, .. } => Some(file),
            Endpoint::Gmio { file } | Endpoint::Host { file } => file.as_ref(),
        };
        for file in own.into_iter().chain(golden).filter(|file| has_range(&file.value)) {
            let each = names(&file.value).take(count as usize + 1).count();
            if each as u64 != u64::from(count) {
                let thing = if external.input { "input" } else { "output" };
                self.report(errors::file_count(file, each, (count, thing), external.name.span));
            }
        }
    }

    /// Reports names of inputs or outputs of which there are several, but not one for each.
    pub fn check_count(&mut self, called: &[ast::Ident], dims: &[u32], external: &ast::External) {
        let count = dims.iter().product::<u32>();
        let each = called.iter().flat_map(|called| names(&called.value)).take(count as usize + 1).count();
        let is_pattern = matches!(called, [one] if !has_range(&one.value));
        if !is_pattern && each as u64 != u64::from(count) {
            let thing = if external.input { "input" } else { "output" };
            self.report(errors::called_count(called, each, (count, thing), external.name.span));
        }
    }

    /// Reports a name in another graph where the design has a project of its own.
    pub fn check_called(&mut self, called: Option<&ast::Ident>) {
        if let Some(called) = called.filter(|_| !self.is_own) {
            self.report(errors::stray_called(called.span));
        }
    }
}
