//! The command as projects record it: in come the arguments as parsed, out goes `aiec build` with those that decide what is written.
//!
//! One form, however it was written: options in the order of the manual, constants by name, files without their folders. So equal projects
//! say equal things wherever they are built.

use std::collections::BTreeMap;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory};

use crate::args::Cli;
use crate::commands::parse_define;

/// Options that say where results go, not what they are.
const UNRECORDED: [&str; 8] =
    ["output", "overwrite", "check", "emit", "jobs", "message_format", "cxx", "timeout"];

/// Options on which few files depend, beside those of the search for a placement: in all files, they would make all of them change.
const OF_FEW_FILES: [&str; 2] = ["golden", "locations"];

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// `reduce.dsl`, `--device FILE` and so on, each with whether every file says it.
    words: Vec<(String, bool)>,
    /// The constants of `-D`, by name.
    pub(crate) defines: BTreeMap<String, i64>,
}

impl Asked {
    /// What was asked for, as far as `aiec build` knows it: other commands emit the same project.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        let (mut cli, mut asked) = (Cli::command(), Self::default());
        cli.build();
        if let (Some((_, given)), Some(build)) = (matches.subcommand(), cli.find_subcommand("build")) {
            let options = build.get_arguments().filter(|arg| !UNRECORDED.contains(&arg.get_id().as_str()));
            options.for_each(|arg| asked.add(arg, is_of_few_files(build, arg), given));
        }
        asked
    }

    fn add(&mut self, arg: &Arg, few: bool, given: &ArgMatches) {
        let id = arg.get_id().as_str();
        // Other commands do not know all options, and ask for that only where they are.
        let is_given = given.try_contains_id(id).is_ok_and(|there| there)
            && (arg.get_action().takes_values() || given.try_get_one::<bool>(id).is_ok())
            && given.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given {
            return;
        }
        let values =
            given.get_raw(id).into_iter().flatten().map(|value| value.to_string_lossy().into_owned());
        let values: Vec<String> = values.collect();
        if id == "define" {
            self.defines = values.iter().filter_map(|define| parse_define(define).ok()).collect();
            self.words.extend(self.defines.iter().map(|(name, value)| (format!("-D {name}={value}"), true)));
        } else if !arg.get_action().takes_values() {
            self.words.push((name(arg), !few));
        } else if !arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy().into_owned())
            .eq(values.clone())
        {
            let words = [name(arg)].into_iter().chain(values.iter().map(|value| word(value)));
            let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
            self.words.push((words.join(" "), !few));
        }
    }

    /// The command as every file says it.
    pub(crate) fn short(&self) -> String {
        self.line(|everywhere| everywhere)
    }

    /// The command with everything that decides what is written.
    pub(crate) fn whole(&self) -> String {
        self.line(|_| true)
    }

    fn line(&self, wanted: impl Fn(bool) -> bool) -> String {
        let words = self.words.iter().filter(|(_, everywhere)| wanted(*everywhere));
        let words = words.map(|(word, _)| word.as_str());
        ["aiec build"].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// True if few files depend on an option of `aiec build`: only graph and README do on how a placement is found.
fn is_of_few_files(build: &Command, arg: &Arg) -> bool {
    let placing = build.get_groups().find(|group| group.get_id() == "Placing");
    OF_FEW_FILES.contains(&arg.get_id().as_str())
        || placing.is_some_and(|group| group.get_args().any(|id| id == arg.get_id()))
}

fn name(arg: &Arg) -> String {
    let long = arg.get_long().map(|long| format!("--{long}"));
    long.or(arg.get_short().map(|short| format!("-{short}"))).unwrap_or_default()
}

/// The last part of a path, and everything else as it is: one word of a shell, on one line.
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

    fn asked(arguments: &str) -> Asked {
        let matches = Cli::command().try_get_matches_from(arguments.split(' ')).expect("right usage");
        Asked::of(&matches)
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
    fn a_word_is_one_word_on_one_line() {
        assert_eq!(word("a b.dsl"), "'a b.dsl'");
        assert_eq!(word("x/-f.dsl"), "./-f.dsl");
        assert_eq!(word("x/it's\n.dsl"), "'it'\\''s?.dsl'");
    }
}
