//! Definitions that several objects have: one function per fault.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue, count, listed};
use aiec_ir::design::{Body, Family, scoped};

/// A definition that several wrappers of one source have.
pub(crate) struct Copies<'a> {
    /// The name of what is defined.
    pub symbol: &'a str,
    /// The definition. None when the source is not shown.
    pub place: Option<Span>,
    /// Number of wrappers, and the names of their kernels.
    pub wrappers: usize,
    pub families: &'a [&'a str],
}

impl Copies<'_> {
    /// Such as "10 wrappers of kernel `worker` include".
    fn include(&self) -> String {
        let names: Vec<String> = self.families.iter().map(|name| format!("`{name}`")).collect();
        let kernels = if names.len() == 1 { "kernel" } else { "kernels" };
        let verb = if self.wrappers == 1 { "includes" } else { "include" };
        format!("{} of {kernels} {} {verb}", count(self.wrappers as u64, "wrapper"), listed(names, 3))
    }
}

/// Several objects define a symbol, because wrappers include the source with its definition.
/// `is_own` tells that kernels outside of collectives have that source, too.
pub(crate) fn helper(body: &Body, copies: &Copies<'_>, is_own: bool) -> Diagnostic {
    let &Copies { symbol, place, wrappers, .. } = copies;
    let and = if is_own { ", and kernels outside of collectives have it, too" } else { "" };
    let diagnostic = Diagnostic::new(
        &catalogue::HELPER_NOT_STATIC,
        format!(
            "`{symbol}` is defined {} times: {} its source{and}",
            wrappers + usize::from(is_own),
            copies.include()
        ),
        format!(
            "write `static` or `inline` in front of `{symbol}`, or put it into `namespace {{ ... }}`; a kernel in a \
             collective has a wrapper for each of its roles"
        ),
    );
    let diagnostic = diagnostic.label_at(place, format!("`{symbol}` is visible outside its file"));
    diagnostic.label(body.source.span, "the source is named here".to_owned())
}

/// Wrappers of other kernels define the function of `family`, since they include its source.
pub(crate) fn kernel_in_wrappers(family: &Family, body: &Body, copies: &Copies<'_>) -> Diagnostic {
    let (name, source) = (&family.name, &body.source.value);
    let &Copies { symbol, place, wrappers, .. } = copies;
    let diagnostic = Diagnostic::new(
        &catalogue::HELPER_NOT_STATIC,
        format!(
            "`{symbol}`, the function of kernel `{name}`, is defined {} times: {} `{source}`, too",
            wrappers + 1,
            copies.include()
        ),
        format!(
            "put `{symbol}` into a file of its own, and name that as the `source` of `{name}`; a kernel in a collective has \
             a wrapper for each of its roles"
        ),
    );
    let diagnostic = diagnostic.label_at(place, format!("the graph calls `{symbol}`, so it is not `static`"));
    diagnostic.label(body.source.span, format!("the source of `{name}` is named here"))
}

/// A definition of a symbol in the source of a kernel.
pub(crate) struct Definition<'a> {
    /// The body with that source.
    pub body: &'a Body,
    /// The definition. None when the source is not shown.
    pub place: Option<Span>,
}

/// Two kernels define `symbol`, each in a source of its own.
pub(crate) fn clash(symbol: &str, definitions: [Definition<'_>; 2]) -> Diagnostic {
    let [first, second] = definitions.each_ref().map(|definition| &definition.body.source.value);
    // The graph takes the function of a kernel by its name, so it cannot be `static`.
    let is_kernel = definitions.iter().any(|one| scoped(&one.body.function).1 == symbol);
    let help = match is_kernel {
        true => {
            format!("rename the kernel `{symbol}` of one file, and write `function NAME` beside its `source`")
        }
        false => format!(
            "rename one of the two, or write `static` or `inline` in front of a `{symbol}` that only its own file uses"
        ),
    };
    let message = format!("`{symbol}` is defined in `{first}` and in `{second}`");
    let mut diagnostic = Diagnostic::new(&catalogue::HELPER_NOT_STATIC, message, help);
    for Definition { body, place } in definitions {
        let span = place.unwrap_or(body.source.span);
        diagnostic = diagnostic.label(span, format!("`{symbol}` of `{}`", body.source.value));
    }
    diagnostic
}

/// `symbol` is defined in `file`, which `sources` of two kernels include, at `place` if the file is
/// shown.
pub(crate) fn shared_definition(
    symbol: &str,
    file: &str,
    sources: [&Spanned<String>; 2],
    place: Option<Span>,
) -> Diagnostic {
    let [first, second] = sources.map(|source| &source.value);
    let diagnostic = Diagnostic::new(
        &catalogue::HELPER_NOT_STATIC,
        format!("`{symbol}` is defined in `{file}`, which both `{first}` and `{second}` include"),
        format!(
            "write `inline` or `static` in front of `{symbol}`, or declare it in `{file}` and define it in one source; \
             `static` data is one copy for each source"
        ),
    );
    let mut diagnostic = diagnostic.label_at(place, format!("`{symbol}` is in the object of each source"));
    for source in sources {
        diagnostic = diagnostic.label(source.span, "this source has a copy");
    }
    diagnostic
}
