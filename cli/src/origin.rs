//! The inputs of a project: every text that was read, with its hash, and one hash over all.

use aiec_codegen::EmitOptions;
use aiec_codegen::stamp::DIGITS;
use aiec_diag::Sources;
use aiec_system::files::{hash, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// An input file of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Input {
    /// Its file name; for a source or data, its path relative to the design's folder.
    pub(crate) file: String,
    /// SHA-256 of its text.
    pub(crate) sha256: String,
}

/// The design, device and placement files that were read, then the sources and the data.
pub(crate) fn inputs(read_texts: &Sources, user: &EmitOptions) -> Vec<Input> {
    let sources = user.sources.iter().map(|source| input(&source.path, &source.text));
    let data = user.data.iter().map(|data| input(&data.path, &data.text));
    read(read_texts).into_iter().chain(sources).chain(data).collect()
}

/// The texts that were read: the design, its imports and tables, device, profile and placement.
pub(crate) fn read(sources: &Sources) -> Vec<Input> {
    let read = sources.iter().map(|source| {
        let name = source.name.rsplit('/').next().unwrap_or(&source.name);
        input(name, &source.text)
    });
    read.collect()
}

fn input(name: &str, text: &str) -> Input {
    Input { file: name.to_owned(), sha256: hash(text.as_bytes()) }
}

/// One hash over everything that decides the content of a project: version of aiec, whole command,
/// and name and text of every input. It has as many hexadecimal digits as a stamp.
pub(crate) fn input_hash(command: &str, inputs: &[Input]) -> String {
    let mut hasher = Sha256::new();
    let texts = inputs.iter().flat_map(|input| [input.file.as_str(), input.sha256.as_str()]);
    for word in [env!("CARGO_PKG_VERSION"), command].into_iter().chain(texts) {
        hasher.update(word.len().to_le_bytes());
        hasher.update(word);
    }
    hex(&hasher.finalize())[..DIGITS].to_owned()
}
