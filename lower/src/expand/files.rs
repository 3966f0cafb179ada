//! Files of inputs and outputs: their names, clashes between them, and limits on their data.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, Span, Spanned};
use aiec_ir::design::{Endpoint, FarEnd, HostValues, Language};
use aiec_ir::{Carries, Design, Direction, Expanded, patterns};

use super::Expansion;
use crate::errors;

impl Expansion<'_> {
    /// Checks that no two outputs write one file, and none that of an input.
    pub(super) fn output_files(&mut self, design: &Design) {
        // The simulators write the files of an ADF graph as its user wants them.
        if design.language == Language::Adf {
            return;
        }
        let inputs: BTreeMap<&str, Span> = self.files(Direction::Out).collect();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut found = Vec::new();
        for (file, span) in self.files(Direction::In) {
            if let Some(input) = inputs.get(file) {
                found.push(errors::overwritten_input_file(span, file, *input));
            }
            match seen.get(file) {
                Some(first) => found.push(errors::shared_output_file(span, file, *first)),
                None => drop(seen.insert(file, span)),
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// The files of all inputs (`Out`) or outputs (`In`) that have one, with their declarations.
    fn files(&self, direction: Direction) -> impl Iterator<Item = (&str, Span)> {
        let externals = self.externals.iter().filter(move |external| external.direction == direction);
        let parameters = self.parameters.iter().filter(move |parameter| parameter.direction == direction);
        let of_host =
            parameters.filter_map(|parameter| Some((parameter.values.file.as_deref()?, parameter.span)));
        let of_array = externals.filter_map(|external| match &external.endpoint {
            Endpoint::Plio { file, .. } | Endpoint::Gmio { file: Some(file), .. } => {
                Some((file.as_str(), external.span))
            }
            Endpoint::Gmio { file: None, .. } => None,
        });
        of_array.chain(of_host)
    }
}

/// Inputs and outputs whose data in all iterations pass the limits; one of each declaration.
pub(super) fn volumes(design: &Expanded) -> Vec<Diagnostic> {
    const LIMIT: u128 = 4 << 30;
    let mut found = Vec::new();
    let mut seen = None;
    for (id, external) in design.externals.enumerate() {
        let Some(window) = design.ports[external.port].carries.and_then(Carries::per_run) else { continue };
        let windows = design.windows_through(id).unwrap_or(1);
        let iterations = design.iterations;
        let total = u128::from(windows) * u128::from(window.bytes()) * u128::from(iterations);
        if total >= LIMIT && seen.replace(external.family) != Some(external.family) {
            let (shown, bytes) = (window.to_string(), window.bytes());
            let name = &external.name;
            found.push(errors::too_much_data(external.span, name, iterations, windows, &shown, bytes));
        }
    }
    let mut seen = None;
    for (id, host) in design.parameters.enumerate() {
        let Some(block) = design.parameter_block(id) else { continue };
        let total = u128::from(block.bytes()) * u128::from(design.iterations);
        if total >= LIMIT && seen.replace(host.family) != Some(host.family) {
            let (shown, bytes) = (block.to_string(), block.bytes());
            let iterations = design.iterations;
            found.push(errors::too_much_data(host.span, &host.name, iterations, 1, &shown, bytes));
        }
    }
    found
}

/// The endpoint of instance `index`: `{}` in its file name becomes the index, a range its number.
pub(super) fn numbered(end: &FarEnd, index: u32) -> FarEnd {
    let number = |file: &str| patterns::of_instance(file, index);
    let mut end = end.clone();
    match &mut end {
        FarEnd::Array(Endpoint::Plio { file, .. }) => *file = number(file),
        FarEnd::Array(Endpoint::Gmio { file, .. }) | FarEnd::Host(HostValues { file, .. }) => {
            *file = file.as_deref().map(number);
        }
    }
    end
}

/// The file of instance `index`, as in [`numbered`].
pub(super) fn numbered_file(file: &Spanned<String>, index: u32) -> Spanned<String> {
    Spanned::new(patterns::of_instance(&file.value, index), file.span)
}
