//! The first texts of kernels' files: the right signature, and a body that writes zeros.

use aiec_codegen::{StubFile, UserSource};
use aiec_diag::{Diagnostic, SourceFile};
use aiec_ir::FamilyId;
use aiec_ir::expanded::Expanded;

use crate::args::NewKernel;
use crate::invocation::{Invocation, open};
use crate::options::Options;
use crate::output::Console;
use crate::{disk, errors, instances, pipeline};
use aiec_system::files::{self, MAX_TEXT};

/// The files of a family, each once.
pub(crate) fn of(design: &Expanded, id: FamilyId) -> Result<Vec<StubFile<'_>>, Box<Diagnostic>> {
    aiec_codegen::stubs(design, id).map_err(|(of, body)| {
        let signature = aiec_codegen::expected_signature(design, of, &body.function);
        Box::new(errors::no_stub(&design.families[id].name, body, &signature))
    })
}

/// The family with this name, which may lack its instance or the index of that, and may have the
/// index of a kernel.
fn find(design: &Expanded, name: &str) -> Option<FamilyId> {
    let start = name.rfind('.').map_or(0, |dot| dot + 1);
    let name = name[start..].find('[').map_or(name, |index| &name[..start + index]);
    let is_it = |whole: &str, local: &str| [whole, local, &errors::without_indices(whole)].contains(&name);
    let mut families = design.families.enumerate();
    families.find_map(|(id, family)| is_it(&family.name, family.local()).then_some(id))
}

/// The design, or each component of a file that has nothing else, by itself as for `aiec check`. If
/// the design has no kernel `name`, its components without instances follow. Returns None when it
/// logs an error.
fn designs(
    source: &SourceFile,
    options: &Options,
    name: &str,
    invocation: &mut Invocation,
) -> Option<Vec<Expanded>> {
    let one = |options: &Options, invocation: &mut Invocation| {
        let design = pipeline::design(source, options, &mut invocation.log)?;
        pipeline::expand(&design, options, &mut invocation.log)
    };
    let (mut all, mut components) = (Vec::new(), instances::components(source).unwrap_or_default());
    if components.is_empty() {
        all.push(one(options, invocation)?);
        if find(&all[0], name).is_none() {
            components = instances::unused(source, &all[0].subgraphs);
        }
    }
    for component in components {
        invocation.log.by_others = invocation.log.diagnostics.len();
        all.push(one(&options.alone(component), invocation)?);
    }
    Some(all)
}

/// Runs `aiec new kernel`: writes the files of a family that are not there. Returns None when it
/// logs an error.
pub(crate) fn write(args: &NewKernel, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let (source, options) = open(&args.input, None, None, invocation)?;
    let designs = designs(&source, &options, &args.name, invocation)?;
    if designs.iter().any(Expanded::is_adf) {
        return invocation.fail(errors::own_project(&args.input.design.display().to_string()));
    }
    let Some((design, id)) = designs.iter().find_map(|one| Some((one, find(one, &args.name)?))) else {
        let families = designs.iter().flat_map(|design| design.families.iter());
        let names: Vec<&str> = families.map(|family| family.name.as_str()).collect();
        return invocation.fail(errors::no_such_kernel(&args.name, &names, &designs.first()?.name));
    };
    let family = &design.families[id];
    let stubs = invocation.require(of(design, id).map_err(|fault| *fault))?;
    let folder = files::folder_of(&args.input.design);
    let (mut new, mut occupied) = (Vec::new(), None);
    for stub in &stubs {
        if stub.file.value.starts_with('/') {
            return invocation.fail(errors::source_outside(stub.file));
        }
        let path = folder.join(&stub.file.value);
        if matches!(files::kind(&path), Ok(files::Kind::Missing)) {
            new.push((path, stub));
        } else if files::read_text(&path, MAX_TEXT, None).ok().as_ref() != Some(&stub.text) {
            occupied = occupied.or(Some((path.display().to_string(), stub)));
        }
    }
    // The source of a class depends on a header that is there: that names its function.
    let decides = |stub: &StubFile<'_>| stub.is_class && stub.is_header;
    if let Some((shown, stub)) = occupied.filter(|(_, stub)| new.is_empty() || decides(stub)) {
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
