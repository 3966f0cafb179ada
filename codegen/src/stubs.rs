//! First texts for the sources and headers of a kernel family. Takes a design and a family. The
//! texts compile, have what all families of the design need of these files, and write zeros.

use aiec_diag::Spanned;
use aiec_ir::FamilyId;
use aiec_ir::design::Body;
use aiec_ir::expanded::Expanded;
use askama::Template;

use crate::lines::tidy;
use crate::views::kernels::expected_signature;
use crate::views::{declared, stub};

/// A first text of a file of a kernel family.
#[derive(Debug)]
pub struct StubFile<'a> {
    /// Its path, relative to the design, where the design names it.
    pub file: &'a Spanned<String>,
    /// C++ that compiles once all files of the family are there.
    pub text: String,
    /// The function of the family that it declares or defines.
    pub signature: String,
    /// True if it has a class of the family.
    pub is_class: bool,
    /// True if it is a header.
    pub is_header: bool,
}

/// First texts for the files of a family, whose instances may have different ones: each file once,
/// headers before sources. Fails with a body whose header declares its name with several types, or
/// is a source, too, and with the family of the body.
pub fn stubs(design: &Expanded, id: FamilyId) -> Result<Vec<StubFile<'_>>, (FamilyId, &Body)> {
    let bodies = &design.families[id].bodies;
    let mut found: Vec<StubFile<'_>> = Vec::new();
    let headers = bodies.iter().filter_map(|body| Some((body, body.header.as_ref()?, true)));
    for (body, file, is_header) in headers.chain(bodies.iter().map(|body| (body, &body.source, false))) {
        let is_class = body.arguments.is_some();
        if let Some(known) = found.iter_mut().find(|known| known.file.value == file.value) {
            known.is_class |= is_class;
            continue;
        }
        let text = if is_header { header(design, &file.value)? } else { source(design, &file.value) };
        let name = if is_class { "run" } else { &body.function };
        let signature = expected_signature(design, id, name);
        found.push(StubFile { file, text: text.ok_or((id, body))?, signature, is_class, is_header });
    }
    Ok(found)
}

/// The bodies of all families whose file of a kind is `path`.
fn with_file<'a>(
    design: &'a Expanded,
    path: &str,
    file: fn(&Body) -> Option<&Spanned<String>>,
) -> Vec<(FamilyId, &'a Body)> {
    let all =
        design.families.enumerate().flat_map(|(id, family)| family.bodies.iter().map(move |body| (id, body)));
    all.filter(|(_, body)| file(body).is_some_and(|file| file.value == path)).collect()
}

/// The text of a header. Fails with a body that it cannot serve beside another one. Returns None
/// when it is a source, too.
fn header<'a>(design: &'a Expanded, path: &str) -> Result<Option<String>, (FamilyId, &'a Body)> {
    let is_source = !with_file(design, path, |body| Some(&body.source)).is_empty();
    let bodies = with_file(design, path, |body| body.header.as_ref());
    let text = declared::header(design, &bodies)?.render();
    Ok(text.ok().filter(|_| !is_source).map(|text| tidy(&text)))
}

/// The text of a source.
fn source(design: &Expanded, path: &str) -> Option<String> {
    let bodies = with_file(design, path, |body| Some(&body.source));
    stub::stub(design, &bodies).render().ok().map(|text| tidy(&text))
}
