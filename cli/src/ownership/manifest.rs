//! The manifest: the list of the files that aiec wrote to a folder, and of their inputs.

use std::collections::BTreeMap;
use std::path::Path;

use aiec_lower::Scalar;
use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::origin::{Input, input_hash};
use aiec_system::files::{Kind, MAX_TEXT, kind, read_text};

/// Name of the manifest in a project's folder.
pub(crate) const MANIFEST: &str = ".aiec-manifest.json";

/// The files that aiec wrote to a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Manifest {
    /// Tells a user who opens the file its purpose.
    about: String,
    /// Version of aiec.
    aiec: String,
    /// Name of the design; empty in manifests of versions that did not write it.
    design: String,
    /// Name of the design's file.
    design_file: String,
    /// Constants that `-D` set.
    defines: BTreeMap<String, Given>,
    /// The command that made the project, with all arguments that decide its content.
    pub(super) command: String,
    /// Hash over all inputs.
    input_hash: String,
    /// Every input file of the project.
    inputs: Vec<Input>,
    /// Hash of the content, by path.
    pub(super) files: BTreeMap<String, String>,
    /// Those of `files` that are copies of the user's files, with the path of the original relative
    /// to the design's folder.
    pub(super) copies: BTreeMap<String, String>,
}

/// The value that `-D` gave a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Given {
    /// A whole number.
    Whole(i64),
    /// A number with a point, exactly as aiec writes it.
    Decimal(String),
}

impl From<Scalar> for Given {
    fn from(value: Scalar) -> Self {
        match value {
            Scalar::Whole(number) => Self::Whole(number),
            Scalar::Decimal(_) => Self::Decimal(value.to_string()),
        }
    }
}

/// The manifest of a folder, if it has a valid one.
pub(super) enum Found {
    Nothing,
    /// A file that is no manifest, with the reason.
    Unreadable(String),
    List(Box<Manifest>),
}

impl Manifest {
    /// The manifest of a build, without files yet.
    pub(crate) fn of(design: &str, design_file: &Path, asked: &Asked, inputs: Vec<Input>) -> Self {
        let command = asked.whole();
        let design_file = design_file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            about: "What aiec wrote here, with the SHA-256 of every file; `copies` are of files of yours."
                .into(),
            aiec: env!("CARGO_PKG_VERSION").into(),
            design: design.into(),
            design_file,
            defines: asked.defines.iter().map(|(name, value)| (name.clone(), Given::from(*value))).collect(),
            input_hash: input_hash(&command, &inputs),
            command,
            inputs,
            files: BTreeMap::new(),
            copies: BTreeMap::new(),
        }
    }

    /// True if both have one design with the same constants, as far as `self` records them.
    pub(super) fn is_of_same_design(&self, other: &Self) -> bool {
        let of = |list: &Self| (list.design.clone(), list.design_file.clone(), list.defines.clone());
        self.design.is_empty() || of(self) == of(other)
    }

    /// True if both have one design with the same constants, sources and data.
    pub(super) fn is_of_same_inputs(&self, other: &Self) -> bool {
        self.is_of_same_design(other) && self.inputs == other.inputs
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads the manifest of a folder.
    pub(super) fn read(directory: &Path) -> Found {
        let path = directory.join(MANIFEST);
        let text = match read_text(&path, MAX_TEXT, None) {
            Ok(text) => text,
            Err(_) if kind(&path).is_ok_and(|kind| kind == Kind::Missing) => return Found::Nothing,
            Err(fault) => return Found::Unreadable(fault.message),
        };
        match serde_json::from_str(&text) {
            Ok(list) => Found::List(Box::new(list)),
            Err(reason) => Found::Unreadable(format!("`{}` is no list of aiec's: {reason}", path.display())),
        }
    }
}
