//! The command as projects record it: `aiec build` with those arguments that decide the content of
//! the project.
//!
//! There is one form for all ways to write a command: options in the order of the manual, constants
//! by name, files without their folders. So equal projects record equal commands, wherever they are
//! built.

use std::collections::BTreeMap;
use std::path::Path;

use aiec_diag::Diagnostic;
use aiec_ir::Decimal;
use aiec_lower::Scalar;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::errors;

/// The command of whole projects.
const BUILD: &str = "aiec build";

/// Options that decide where results go, but not their content.
const UNRECORDED: [&str; 10] =
    ["output", "overwrite", "check", "emit", "jobs", "message_format", "cxx", "timeout", "deny", "warn"];

/// Options on which few files depend, besides the options of the placement search. Recorded in all
/// files, they would change all files.
const OF_FEW_FILES: [&str; 2] = ["golden", "locations"];

/// The recorded command, with the words that projects and reports repeat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// `reduce.dsl`.
    design: Option<Word>,
    /// `--device FILE` and so on.
    words: Vec<Word>,
    /// The constants of `-D`, by name.
    pub(crate) defines: BTreeMap<String, Scalar>,
}

/// An argument.
#[derive(Clone, Debug)]
struct Word {
    /// As projects record it.
    text: String,
    /// True if every file records it.
    everywhere: bool,
    /// As it was given. Empty for a constant.
    given: Vec<String>,
}

impl Asked {
    /// The recorded command for the options that `aiec build` has. Other commands emit the same
    /// project.
    pub(crate) fn of(matches: &ArgMatches, mut cli: Command) -> Self {
        let mut asked = Self::default();
        cli.build();
        if let (Some((_, given)), Some(build)) = (matches.subcommand(), cli.find_subcommand("build")) {
            let options = build.get_arguments().filter(|arg| !UNRECORDED.contains(&arg.get_id().as_str()));
            options.for_each(|arg| asked.add(arg, is_of_few_files(build, arg), given));
        }
        asked
    }

    fn add(&mut self, arg: &Arg, few: bool, given: &ArgMatches) {
        let id = arg.get_id().as_str();
        // Other commands lack some options, and a query for a missing one fails.
        let is_given = given.try_contains_id(id).is_ok_and(|there| there)
            && (arg.get_action().takes_values() || given.try_get_one::<bool>(id).is_ok())
            && given.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given {
            return;
        }
        let values =
            given.get_raw(id).into_iter().flatten().map(|value| value.to_string_lossy().into_owned());
        let values: Vec<String> = values.collect();
        let word_of = |text| Word { text, everywhere: !few, given: as_given(arg, given) };
        if let ("design", [design]) = (id, values.as_slice()) {
            self.about(Path::new(design));
        } else if id == "define" {
            self.defines = values.iter().filter_map(|define| parse_define(define).ok()).collect();
            self.words.extend(self.defines.iter().map(|(name, value)| Word {
                text: format!("-D {name}={value}"),
                everywhere: true,
                given: Vec::new(),
            }));
        } else if !arg.get_action().takes_values() {
            self.words.push(word_of(name(arg)));
        } else if !arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy().into_owned())
            .eq(values.clone())
        {
            let words = [name(arg)].into_iter().chain(values.iter().map(|value| word(value)));
            let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
            self.words.push(word_of(words.join(" ")));
        }
    }

    /// Records this file as the design.
    pub(crate) fn about(&mut self, design: &Path) {
        let given = design.display().to_string();
        self.design = Some(Word { text: word(&given), everywhere: true, given: vec![given] });
    }

    /// All words, that of the design first.
    fn words(&self) -> impl Iterator<Item = &Word> {
        self.design.iter().chain(&self.words)
    }

    /// The command as every file records it.
    pub(crate) fn short(&self) -> String {
        self.line(|everywhere| everywhere)
    }

    /// The command as a file of locations records it.
    pub(crate) fn of_place(&self) -> String {
        self.short().replacen(BUILD, "aiec place", 1)
    }

    /// The command as a file of switch settings records it.
    pub(crate) fn of_routes(&self) -> String {
        self.whole().replacen(BUILD, "aiec route --emit=xaie", 1)
    }

    /// The command with all arguments that decide the content of the project.
    pub(crate) fn whole(&self) -> String {
        self.line(|_| true)
    }

    /// The whole command without the constants of `-D`.
    pub(crate) fn without_constants(&self) -> String {
        let words = self.words().map(|word| word.text.as_str()).filter(|word| !word.starts_with("-D "));
        [BUILD].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Arguments of `aiec build` for the same project: with the folders of all files, and without
    /// the constants of `-D`.
    pub(crate) fn as_given(&self) -> Vec<&str> {
        self.words().flat_map(|word| word.given.iter().map(String::as_str)).collect()
    }

    fn line(&self, wanted: impl Fn(bool) -> bool) -> String {
        let words = self.words().filter(|word| wanted(word.everywhere));
        let words = words.map(|word| word.text.as_str());
        [BUILD].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// True if few files depend on an option of `aiec build`: only graph and README depend on the
/// options of the placement search.
fn is_of_few_files(build: &Command, arg: &Arg) -> bool {
    let placing = build.get_groups().find(|group| group.get_id() == "Placing");
    OF_FEW_FILES.contains(&arg.get_id().as_str())
        || placing.is_some_and(|group| group.get_args().any(|id| id == arg.get_id()))
}

/// Parses the `NAME=NUMBER` of a `-D`.
pub(crate) fn parse_define(text: &str) -> Result<(String, Scalar), Diagnostic> {
    let (name, value) = text.split_once('=').ok_or_else(|| errors::bad_define(text))?;
    let number = number(value).filter(|_| !name.is_empty()).ok_or_else(|| errors::bad_define(text))?;
    Ok((name.to_owned(), number))
}

/// Parses a number as `-D` gives it. Returns None when the text is no number.
pub(crate) fn number(value: &str) -> Option<Scalar> {
    let (digits, negative) = value.strip_prefix('-').map_or((value, false), |digits| (digits, true));
    // Only one leading sign is allowed: `0x-1` and `--1` are no numbers.
    let spelled = digits.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if digits.starts_with(['-', '+']) {
        return None;
    }
    if let Some(decimal) = Decimal::parse(value).filter(|_| digits.contains(['.', 'e', 'E'])) {
        return Some(Scalar::Decimal(decimal));
    }
    let plain = digits.replace('_', "");
    let number = match plain.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16),
        None => plain.parse::<i64>(),
    };
    let number = number.ok().filter(|_| spelled)?;
    Some(Scalar::Whole(if negative { -number } else { number }))
}

/// The words of an argument that is given, whose values follow its name without a space.
fn as_given(arg: &Arg, given: &ArgMatches) -> Vec<String> {
    let name = name(arg);
    if !arg.get_action().takes_values() {
        return vec![name];
    }
    let between = arg.get_value_delimiter().unwrap_or(',').to_string();
    let equals = if name.starts_with("--") { "=" } else { "" };
    let occurrences = given.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten();
    let values = occurrences.map(|all| all.map(|value| value.to_string_lossy()).collect::<Vec<_>>());
    values.map(|values| format!("{name}{equals}{}", values.join(&between))).collect()
}

fn name(arg: &Arg) -> String {
    let long = arg.get_long().map(|long| format!("--{long}"));
    long.or(arg.get_short().map(|short| format!("-{short}"))).unwrap_or_default()
}

/// A value as one word of a shell, on one line. A path loses its folders.
fn word(value: &str) -> String {
    let last = Path::new(value).file_name().map_or(value.into(), |last| last.to_string_lossy());
    let text: String = last.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    let plain = |c: char| c.is_alphanumeric() || "_.,-+=:@%/".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    fn asked(arguments: &str) -> Asked {
        let matches = Cli::command().try_get_matches_from(arguments.split(' ')).expect("right usage");
        Asked::of(&matches, Cli::command())
    }

    #[test]
    fn the_command_has_one_form_however_it_is_written() {
        let first = asked("aiec build -D N=0x7 -D B=1 /home/me/reduce.dsl -o x --check --effort 2 --jobs 3");
        assert_eq!(first.whole(), "aiec build reduce.dsl -D B=1 -D N=7");
        assert_eq!(asked("aiec build reduce.dsl -DN=1 -D B=1 -D N=7").whole(), first.whole());
    }

    #[test]
    fn every_file_says_what_every_file_may_depend_on() {
        let asked = asked("aiec build a.dsl --device my/toy.toml --placement /p/q.json --seed 3");
        assert_eq!(asked.short(), "aiec build a.dsl --device toy.toml");
        assert_eq!(asked.whole(), "aiec build a.dsl --device toy.toml --placement q.json --seed 3");
    }

    #[test]
    fn other_commands_record_the_build_of_the_same_project() {
        let asked = asked("aiec sim a.dsl -D N=7 --timeout 3 --unplaced --golden y=y.txt");
        assert_eq!(asked.whole(), "aiec build a.dsl -D N=7");
    }

    #[test]
    fn the_arguments_as_given_keep_their_folders_and_lose_the_constants() {
        let asked =
            asked("aiec sweep my/a.dsl -D N=3,7 -o out --device x/toy.toml --objective dma,wire --jobs 2");
        let mut given = asked.as_given();
        given.sort();
        assert_eq!(given, ["--device=x/toy.toml", "--objective=dma,wire", "my/a.dsl"]);
    }

    #[test]
    fn a_word_is_one_word_on_one_line() {
        assert_eq!(word("a b.dsl"), "'a b.dsl'");
        assert_eq!(word("x/-f.dsl"), "./-f.dsl");
        assert_eq!(word("x/it's\n.dsl"), "'it'\\''s?.dsl'");
    }

    #[test]
    fn a_define_is_a_name_and_an_integer() {
        assert_eq!(parse_define("N=127").ok(), Some(("N".into(), Scalar::Whole(127))));
        assert_eq!(parse_define("N=-1").ok(), Some(("N".into(), Scalar::Whole(-1))));
        assert_eq!(parse_define("N=0x10").ok(), Some(("N".into(), Scalar::Whole(16))));
        for (given, shown) in [
            ("G=0.750", "0.75"),
            ("G=-1.50", "-1.5"),
            ("G=2.0", "2.0"),
            ("G=-2e-3", "-0.002"),
            ("G=1e3", "1000.0"),
        ] {
            let (_, value) = parse_define(given).expect("a decimal");
            assert_eq!(value.to_string(), shown, "a repeated command has the same value");
        }
        for bad in [
            "N",
            "N=",
            "=3",
            "N=x",
            "N=--3",
            "N=+3",
            "N=1e",
            "N=0x-1",
            "N=1.",
            "N=.5",
            "N=--1.5",
            "N=+1.5",
            "N=1.2.3",
            "N=0x1.5",
            "=1.5",
            "N=99999999999999999999",
        ] {
            assert!(parse_define(bad).is_err(), "{bad}");
        }
    }
}
