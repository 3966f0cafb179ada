//! The first texts of kernels' sources: the right signature, and a body that writes zeros.

use aiec_codegen::UserSource;
use aiec_diag::{Diagnostic, Spanned};
use aiec_ir::FamilyId;
use aiec_ir::expanded::Expanded;

use crate::errors;

/// A first text of a file of a kernel family.
pub(crate) struct Stub<'a> {
    pub(crate) file: &'a Spanned<String>,
    pub(crate) text: String,
    /// The function of the family in the file, or the member function of its class.
    pub(crate) function: &'a str,
    pub(crate) is_class: bool,
}

/// The files of a family, whose instances may have different sources: each file once.
pub(crate) fn of(design: &Expanded, id: FamilyId) -> Result<Vec<Stub<'_>>, Box<Diagnostic>> {
    let family = &design.families[id];
    let with_header = family.bodies.iter().find_map(|body| Some((body, body.header.as_ref()?)));
    if let Some((body, header)) = with_header {
        let Some([class, source]) = aiec_codegen::class_stub(design, id) else {
            let signature = aiec_codegen::expected_signature(design, id, &body.function);
            let source = &body.source.value;
            let fault = errors::no_stub(&family.name, &body.function, header, source, &signature);
            return Err(Box::new(fault));
        };
        let stub = |file, text| Stub { file, text, function: "run", is_class: true };
        return Ok(vec![stub(header, class), stub(&body.source, source)]);
    }
    let mut stubs: Vec<Stub<'_>> = Vec::new();
    for body in &family.bodies {
        let file = &body.source;
        if stubs.iter().all(|stub| stub.file.value != file.value)
            && let Some(text) = aiec_codegen::stub(design, &file.value)
        {
            stubs.push(Stub { file, text, function: &body.function, is_class: false });
        }
    }
    Ok(stubs)
}

/// True if a source is still the first text of a kernel of the design.
pub(crate) fn are_left(design: &Expanded, sources: &[UserSource]) -> bool {
    let mut stubs = design.families.ids().filter_map(|id| of(design, id).ok()).flatten();
    stubs.any(|stub| sources.iter().any(|source| source.path == stub.file.value && source.text == stub.text))
}
