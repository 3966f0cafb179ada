//! The first texts of kernels' files: the right signature, and a body that writes zeros.

use aiec_codegen::{StubFile, UserSource};
use aiec_diag::Diagnostic;
use aiec_ir::FamilyId;
use aiec_ir::expanded::Expanded;

use crate::errors;

/// The files of a family, each once.
pub(crate) fn of(design: &Expanded, id: FamilyId) -> Result<Vec<StubFile<'_>>, Box<Diagnostic>> {
    aiec_codegen::stubs(design, id).map_err(|body| {
        let signature = aiec_codegen::expected_signature(design, id, &body.function);
        Box::new(errors::no_stub(&design.families[id].name, body, &signature))
    })
}

/// True if a source is still the first text of a kernel of the design.
pub(crate) fn are_left(design: &Expanded, sources: &[UserSource]) -> bool {
    let mut stubs = design.families.ids().filter_map(|id| of(design, id).ok()).flatten();
    stubs.any(|stub| sources.iter().any(|source| source.path == stub.file.value && source.text == stub.text))
}
