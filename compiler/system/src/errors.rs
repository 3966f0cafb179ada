//! Diagnostics for files and folders.

use aiec_diag::{Diagnostic, LISTED, Span, catalogue, listed};

/// `path` cannot be read. `reason` is the operating system's.
pub fn unreadable(path: &str, reason: &str, named_at: Option<Span>) -> Diagnostic {
    let help = match named_at {
        Some(_) => "check the path; a relative path starts at the folder of the file that names it",
        None => "check the path; relative paths on the command line start at the current directory",
    };
    let diagnostic =
        Diagnostic::new(&catalogue::UNREADABLE_FILE, format!("cannot read `{path}`: {reason}"), help);
    diagnostic.label_at(named_at, "the file is named here").of_file(path)
}

/// The text of `path` is not UTF-8 from byte `offset` on.
pub fn not_utf8(path: &str, offset: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NOT_UTF8,
        format!("`{path}` is not UTF-8 text: byte {offset} starts no character"),
        "save the file as UTF-8; if it is no text at all, the wrong file was named",
    )
    .of_file(path)
}

/// `path` has `bytes` bytes, more than `limit`.
pub fn too_large(path: &str, bytes: u64, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::FILE_TOO_LARGE,
        format!("`{path}` has {bytes} bytes; aiec reads text files up to {limit} bytes"),
        "if this is the right file, generate repetitive parts with families and loops instead of listing them",
    )
    .of_file(path)
}

/// A folder that must be new or empty holds `names`.
pub fn folder_occupied(directory: &str, names: &[String]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_OCCUPIED,
        format!(
            "`{directory}` holds files that aiec did not write: {}",
            listed(names.iter().cloned(), LISTED)
        ),
        "name a directory that is new or empty",
    )
}

/// The output directory cannot be written. `reason` is the operating system's.
pub fn output_unwritable(directory: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_UNWRITABLE,
        format!("cannot write `{directory}`: {reason}"),
        "choose a path that you may write to; nothing was changed",
    )
}
