//! The first texts of kernels' files: the right signature, and a body that writes zeros.

use aiec_codegen::{StubFile, UserSource};
use aiec_diag::Diagnostic;
use aiec_ir::FamilyId;
use aiec_ir::expanded::Expanded;

use crate::args::NewKernel;
use crate::invocation::{Invocation, open};
use crate::output::Console;
use crate::{disk, errors, pipeline};
use aiec_system::files::{self, MAX_TEXT};

/// The files of a family, each once.
pub(crate) fn of(design: &Expanded, id: FamilyId) -> Result<Vec<StubFile<'_>>, Box<Diagnostic>> {
    aiec_codegen::stubs(design, id).map_err(|body| {
        let signature = aiec_codegen::expected_signature(design, id, &body.function);
        Box::new(errors::no_stub(&design.families[id].name, body, &signature))
    })
}

/// Runs `aiec new kernel`: writes the files of a family that are not there. Returns None when it
/// logs an error.
pub(crate) fn write(args: &NewKernel, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let (source, options) = open(&args.input, None, None, invocation)?;
    let design = pipeline::design(&source, &options, &mut invocation.log)?;
    let expanded = pipeline::expand(&design, &options, &mut invocation.log)?;
    if expanded.is_adf() {
        return invocation.fail(errors::own_project(&args.input.design.display().to_string()));
    }
    let families = || expanded.families.enumerate();
    let Some((id, family)) = families().find(|(_, family)| {
        let name = &family.name;
        *name == args.name || family.local() == args.name || errors::without_indices(name) == args.name
    }) else {
        let names: Vec<&str> = families().map(|(_, family)| family.name.as_str()).collect();
        return invocation.fail(errors::no_such_kernel(&args.name, &names, &expanded.name));
    };
    let stubs = invocation.require(of(&expanded, id).map_err(|fault| *fault))?;
    let folder = files::folder_of(&args.input.design);
    let (mut new, mut occupied) = (Vec::new(), None);
    for stub in &stubs {
        if !files::is_inside(&stub.file.value) {
            return invocation.fail(errors::source_outside(stub.file));
        }
        let path = folder.join(&stub.file.value);
        if matches!(files::kind(&path), Ok(files::Kind::Missing)) {
            new.push((path, stub));
        } else if files::read_text(&path, MAX_TEXT, None).ok().as_ref() != Some(&stub.text) {
            occupied = occupied.or(Some((path.display().to_string(), stub)));
        }
    }
    // Functions do not depend on the file that is there; the header of a class and its source do.
    if let Some((shown, stub)) = occupied.filter(|(_, stub)| new.is_empty() || stub.is_class) {
        return invocation.fail(errors::source_occupied(&shown, stub.file.span));
    }
    if new.is_empty() {
        // The stub of another kernel of the same source has this one, too.
        let paths: Vec<String> =
            stubs.iter().map(|stub| folder.join(&stub.file.value).display().to_string()).collect();
        console.line(&format!("{}: is the stub of `{}` already", paths.join(", "), family.name));
    }
    for (path, stub) in new {
        let shown = path.display().to_string();
        let unwritable =
            |error: std::io::Error| aiec_system::errors::output_unwritable(&shown, &error.to_string());
        invocation.require(disk::put_below(&path, stub.text.as_bytes()).map_err(unwritable))?;
        console.line(&format!("{shown}: {}", stub.signature));
    }
    Some(())
}

/// True if a source is still the first text of a kernel of the design.
pub(crate) fn are_left(design: &Expanded, sources: &[UserSource]) -> bool {
    let mut stubs = design.families.ids().filter_map(|id| of(design, id).ok()).flatten();
    stubs.any(|stub| sources.iter().any(|source| source.path == stub.file.value && source.text == stub.text))
}
