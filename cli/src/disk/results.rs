//! Files that options name: pictures, data, placements, routes. Files of other origin are not lost.
//!
//! aiec replaces an existing file if it carries aiec's mark and is unchanged, if it holds the same
//! text, if it is empty, or with `--overwrite`. It never replaces an input of the result: the
//! design, its sources and data, device and placement files.
#![allow(clippy::disallowed_methods, reason = "this module writes files")]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;

use super::mark::{self, Origin};
use super::put::{Place, place, put};
use crate::errors;
use aiec_system::files::folder_of;

/// The form of the mark in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In a comment of XML or HTML.
    Svg,
    /// In a comment behind `#`.
    Comment,
    /// In a comment of C behind `//`.
    C,
    /// Under the key `generated`.
    Json,
    /// No mark: the text is for a tool that accepts its own keys only.
    Foreign,
}

/// A file to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// The file to write.
    pub(crate) path: &'a Path,
    /// How it carries the mark.
    pub(crate) form: Form,
}

/// Makes a folder, and those above it, if there is none.
pub(crate) fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    let shown = || path.display().to_string();
    let made = fs::create_dir_all(path);
    made.map_err(|error| aiec_system::errors::output_unwritable(&shown(), &error.to_string()))
}

/// The reasons against writing these files that are known without their texts. `originals` are
/// never written.
pub(crate) fn check(wanted: &[Wanted<'_>], originals: &[PathBuf], overwrite: bool) -> Result<(), Diagnostic> {
    let originals: BTreeSet<(u64, u64)> = originals.iter().filter_map(|path| identity(path)).collect();
    let mut taken = BTreeSet::new();
    for Wanted { path, form } in wanted {
        let shown = path.display().to_string();
        let unwritable =
            |error: io::Error| aiec_system::errors::output_unwritable(&shown, &error.to_string());
        // A mistyped path must not make a folder.
        fs::metadata(folder_of(path)).map_err(unwritable)?;
        let Place::File(target) = place(path).map_err(unwritable)? else { continue };
        if identity(&target).is_some_and(|file| originals.contains(&file)) {
            return Err(errors::result_is_source(&shown));
        }
        if !taken.insert(target.clone()) {
            return Err(errors::result_twice(&shown));
        }
        if !overwrite && *form != Form::Foreign {
            may_replace(&target, None).map_err(|whose| errors::result_occupied(&shown, whose))?;
        }
    }
    Ok(())
}

/// Writes a text to each file, after the same checks.
pub(crate) fn write(
    texts: &[(Wanted<'_>, &str)],
    originals: &[PathBuf],
    overwrite: bool,
) -> Result<(), Diagnostic> {
    let wanted: Vec<Wanted<'_>> = texts.iter().map(|(wanted, _)| *wanted).collect();
    check(&wanted, originals, overwrite)?;
    let mut ready = Vec::new();
    for (Wanted { path, form }, text) in texts {
        let text = match form {
            Form::Svg => mark::svg(text),
            Form::Comment => mark::comment(text, "#"),
            Form::C => mark::comment(text, "//"),
            Form::Json => mark::json(text),
            Form::Foreign => (*text).to_owned(),
        };
        if !overwrite {
            let shown = path.display().to_string();
            may_replace(path, Some(&text)).map_err(|edited| errors::result_occupied(&shown, edited))?;
        }
        ready.push((path, text));
    }
    ready.into_iter().try_for_each(|(path, text)| {
        put(path, text.as_bytes()).map_err(|error| {
            aiec_system::errors::output_unwritable(&path.display().to_string(), &error.to_string())
        })
    })
}

/// Device and inode of a file, which identify it under all its names.
fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// True if both are names of one existing file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|file| identity(other) == Some(file))
}

/// Checks that `text` at `path` replaces nothing but aiec's own work. Fails otherwise, with true if
/// aiec wrote the file at first.
fn may_replace(path: &Path, text: Option<&str>) -> Result<(), bool> {
    let file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    if !file {
        return Ok(());
    }
    let there = fs::read(path).unwrap_or_default();
    if text.is_some_and(|text| text.as_bytes() == there) {
        return Ok(());
    }
    match mark::origin(&String::from_utf8_lossy(&there)) {
        Origin::Unchanged => Ok(()),
        Origin::Edited => Err(true),
        Origin::Foreign => Err(false),
    }
}
