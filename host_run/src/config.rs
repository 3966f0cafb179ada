//! Options of aiecompiler in a file, as projects keep them in `aiecompiler.cfg` (UG1076, "Config
//! file options"). Takes the text, and returns what concerns the graph: folders, macros, sizes and
//! constraints. Paths are relative to the folder of the file.

use std::path::{Path, PathBuf};

use aiec_diag::{Diagnostic, SourceFile, Span, Spanned};

use crate::errors;

/// What a file of options says of the graph.
#[derive(Debug, Default)]
pub struct Config {
    /// `include=`: folders of headers.
    pub include: Vec<Spanned<PathBuf>>,
    /// `constraints=`: files of constraints (`.aiecst`).
    pub constraints: Vec<Spanned<PathBuf>>,
    /// Bytes of stack of kernels without a `stack_size`: `stacksize=`.
    pub stack: Option<Spanned<u64>>,
    /// Bytes of heap of kernels without a `heap_size`: `heapsize=`.
    pub heap: Option<Spanned<u64>>,
    /// `Xpreproc=`: macros, such as `-DN=4`.
    pub flags: Vec<Spanned<String>>,
    /// Values with variables of the environment or of make, which aiec does not know. They are in
    /// none of the lists above.
    pub unresolved: Vec<Spanned<String>>,
}

/// Reads options. Other keys and other sections have no meaning here.
///
/// # Errors
/// `input/unreadable-file` for a size in the section `[aie]` that is no number.
pub fn read(file: &SourceFile, folder: &Path) -> Result<Config, Vec<Diagnostic>> {
    let mut config = Config::default();
    let mut faults = Vec::new();
    let mut at = 0_usize;
    // Options before the first section are those of aiecompiler, too, also by their names on the
    // command line of v++, such as `aie.include`.
    let mut is_ours = true;
    for line in file.text.split_inclusive('\n') {
        let words = without_comment(line);
        let start = at + line.find(words).unwrap_or(0);
        let span = file.span_at(start..start + words.len());
        if let Some(section) = words.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_ours = section.trim() == "aie";
        } else if is_ours && !words.is_empty() {
            faults.extend(config.take(words, span, folder).err());
        }
        at += line.len();
    }
    if faults.is_empty() { Ok(config) } else { Err(faults) }
}

/// The line without its comment and the blanks around.
fn without_comment(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with(['#', ';']) { "" } else { line.split(" #").next().unwrap_or(line).trim_end() }
}

/// The value without quotation marks.
fn unquoted(value: &str) -> &str {
    let inner = |mark| value.strip_prefix(mark)?.strip_suffix(mark);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

/// Bytes, in decimal or with 0x.
fn size(value: &str) -> Option<u64> {
    value.strip_prefix("0x").map_or_else(|| value.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
}

impl Config {
    fn take(&mut self, words: &str, span: Span, folder: &Path) -> Result<(), Diagnostic> {
        // Whether the vendor's tools take a line without `=` is not documented.
        let Some((key, value)) = words.split_once('=') else { return Ok(()) };
        let key = key.trim().trim_start_matches('-');
        let (key, value) = (key.strip_prefix("aie.").unwrap_or(key), unquoted(value.trim()));
        let ours = ["include", "constraints", "stacksize", "heapsize", "Xpreproc"];
        if ours.contains(&key) && value.contains('$') {
            self.unresolved.push(Spanned::new(words.to_owned(), span));
            return Ok(());
        }
        match key {
            "include" => self.include.push(Spanned::new(folder.join(value), span)),
            "constraints" => self.constraints.push(Spanned::new(folder.join(value), span)),
            "stacksize" => self.stack = Some(bytes(key, value, span)?),
            "heapsize" => self.heap = Some(bytes(key, value, span)?),
            "Xpreproc" => self.flags(value, span, folder),
            _ => {}
        }
        Ok(())
    }

    /// Macros, and folders among them.
    fn flags(&mut self, value: &str, span: Span, folder: &Path) {
        for word in value.split_whitespace().map(unquoted) {
            match word.strip_prefix("-I") {
                Some(path) => self.include.push(Spanned::new(folder.join(path), span)),
                None => self.flags.push(Spanned::new(word.to_owned(), span)),
            }
        }
    }
}

fn bytes(key: &str, value: &str, span: Span) -> Result<Spanned<u64>, Diagnostic> {
    let fault = || errors::bad_option(&format!("`{key}` takes a number of bytes, not `{value}`"), span);
    size(value).map(|bytes| Spanned::new(bytes, span)).ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    use aiec_diag::Sources;

    use super::*;

    fn config(text: &str) -> Result<Config, Vec<Diagnostic>> {
        let mut sources = Sources::default();
        let id = sources.add("aiecompiler.cfg", text);
        read(sources.get(id).expect("added"), Path::new("/p"))
    }

    #[test]
    fn options_of_the_graph_are_read_and_others_are_not() {
        let text = "# project\ninclude=top\n[hls]\ninclude=not/here\n[aie]\r\n  include = src/kernels  # beside\ninclude=/abs\n\
                    constraints=\"c.aiecst\"\nstacksize=2048\nheapsize=0x400\nXpreproc=-DN=4 -Iinc -DFAST\nverbose=true\n\
                    include=${DSPLIB}/L2/include\nXrouter=dmaFIFOsInFreeBankOnly\n";
        let config = config(text).expect("no faults");
        let paths: Vec<String> = config.include.iter().map(|path| path.value.display().to_string()).collect();
        assert_eq!(paths, ["/p/top", "/p/src/kernels", "/abs", "/p/inc"]);
        assert_eq!(config.constraints[0].value, Path::new("/p/c.aiecst"));
        assert_eq!((config.stack.map(|s| s.value), config.heap.map(|s| s.value)), (Some(2048), Some(1024)));
        let flags: Vec<&str> = config.flags.iter().map(|flag| flag.value.as_str()).collect();
        assert_eq!(flags, ["-DN=4", "-DFAST"]);
        assert_eq!(config.unresolved[0].value, "include=${DSPLIB}/L2/include");
    }

    #[test]
    fn options_may_have_the_names_that_they_have_on_the_command_line() {
        let text = "aie.include=inc\n--aie.constraints=c.aiecst\naie.stacksize=2048\n\
                    aie.Xpreproc=-DN=4\n[hls]\naie.include=not\n";
        let config = config(text).expect("no faults");
        assert_eq!(
            config.include.iter().map(|path| path.value.as_path()).collect::<Vec<_>>(),
            [Path::new("/p/inc")]
        );
        assert_eq!(config.constraints[0].value, Path::new("/p/c.aiecst"));
        assert_eq!(
            (config.stack.map(|stack| stack.value), config.flags[0].value.as_str()),
            (Some(2048), "-DN=4")
        );
    }

    #[test]
    fn faults_have_the_place_of_their_option() {
        let text = "[aie]\nstacksize=much\nwords\nheapsize=\n";
        let faults = config(text).expect_err("two faults");
        let places: Vec<&str> = faults
            .iter()
            .filter_map(|fault| fault.span())
            .map(|span| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(places, ["stacksize=much", "heapsize="]);
    }
}
