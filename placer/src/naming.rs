//! Names of kernels in messages.

use aiec_check::Checked;
use aiec_ir::KernelId;

/// Maximum number of kernels that a message names: a line of it.
pub(crate) const MOST_NAMES: usize = 4;

/// The first names of `kernels` in backquotes, and the number of the others.
pub(crate) fn named(checked: &Checked, kernels: &[KernelId]) -> String {
    let names = kernels.iter().take(MOST_NAMES).map(|&kernel| format!("`{}`", checked.kernels[kernel].name));
    let names: Vec<String> = names.collect();
    let more = match kernels.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.join(", ") + &more
}
