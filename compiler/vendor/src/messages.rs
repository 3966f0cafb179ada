//! Known messages of AMD's tools: what each means, which diagnostic of aiec is about the same
//! fault, and what to do.
//!
//! One table, [`KNOWN`]. The first entry whose words a line has, in their order, explains it.

mod table;

pub use table::KNOWN;

/// A message of the vendor's tools that aiec can explain.
#[derive(Debug, PartialEq, Eq)]
pub struct Known {
    /// Its number, such as `77-4280` or `AIE-PRE-MAPPER-6`. Empty for messages without one.
    pub number: &'static str,
    /// Words that a line has in this order, besides the number.
    pub words: &'static [&'static str],
    /// What it means: one or two sentences.
    pub meaning: &'static str,
    /// The diagnostics of aiec for the same fault, before the vendor's tool is started. The first
    /// is the most frequent.
    pub slugs: &'static [&'static str],
    /// What the user can do about it.
    pub advice: &'static str,
    /// Where the text was published.
    pub source: &'static str,
}

impl Known {
    /// True if `line` has the number and the words.
    pub fn is_in(&self, line: &str) -> bool {
        let mut rest = line;
        let words = self.words.iter().all(|word| match rest.find(word) {
            Some(at) => {
                rest = &rest[at + word.len()..];
                true
            }
            None => false,
        });
        words && (self.number.is_empty() || has_number(line, self.number))
    }
}

/// The entry that explains `line`.
pub fn find(line: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.is_in(line))
}

/// The entries with this number, with or without the tool's name: `77-753`, `aiecompiler 77-753`.
pub fn of_number(number: &str) -> impl Iterator<Item = &'static Known> {
    let number = number.trim_matches(['[', ']']).trim_start_matches("aiecompiler").trim().to_owned();
    KNOWN.iter().filter(move |known| !known.number.is_empty() && known.number.eq_ignore_ascii_case(&number))
}

/// True if `number` occurs in `text` and is no part of a longer one.
pub fn has_number(text: &str, number: &str) -> bool {
    let longer = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    text.match_indices(number)
        .any(|(at, found)| !text[..at].ends_with(longer) && !text[at + found.len()..].starts_with(longer))
}

/// The command of aiec that gives a diagnostic.
pub fn command(slug: &str) -> &'static str {
    match slug.split_once('/').map(|(stage, _)| stage) {
        Some("place") => "aiec place",
        Some("route") => "aiec route",
        Some("sim") => "aiec sim",
        _ => "aiec check",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_entry_names_diagnostics_that_exist() {
        let slugs: BTreeSet<&str> = aiec_diag::catalogue::ALL.iter().map(|code| code.slug).collect();
        for known in KNOWN {
            for slug in known.slugs {
                assert!(slugs.contains(slug), "{}: {slug}", known.number);
            }
            let texts = [known.meaning, known.advice, known.source];
            assert!(texts.iter().all(|text| !text.is_empty()), "{known:?}");
            assert!(!known.number.is_empty() || !known.words.is_empty(), "{known:?} fits every line");
        }
    }

    #[test]
    fn the_page_of_a_diagnostic_quotes_the_messages_about_its_fault() {
        for known in KNOWN {
            for code in known.slugs.iter().filter_map(|slug| aiec_diag::catalogue::find(slug)) {
                let words = known.words.iter().all(|word| code.page.contains(word));
                let is_quoted =
                    if known.number.is_empty() { words } else { has_number(code.page, known.number) };
                assert!(is_quoted, "{}: {} {:?}", code.slug, known.number, known.words);
            }
        }
    }

    #[test]
    fn no_entry_is_hidden_by_an_earlier_one() {
        for (at, known) in KNOWN.iter().enumerate() {
            let line = format!("ERROR: [aiecompiler {}] {}", known.number, known.words.join(" x "));
            let found = KNOWN.iter().position(|other| other.is_in(&line));
            assert_eq!(found, Some(at), "{line}");
        }
    }

    #[test]
    fn numbers_are_found_whole() {
        let line = "ERROR: [aiecompiler 77-753] This application has discovered";
        assert_eq!(find(line).map(|known| known.number), Some("77-753"));
        assert_eq!(find("ERROR: [aiecompiler 77-7531] something else").map(|known| known.number), None);
        assert_eq!(of_number("[aiecompiler 77-4280]").count(), 1);
        assert_eq!(of_number("aie-pre-mapper-6").count(), 1);
        assert_eq!(of_number("").count(), 0);
        let pass = "WARNING: [aiecompiler 47-1265] Placer was unable to find a solution for the problem.";
        assert!(find(pass).is_some_and(|known| known.meaning.starts_with("A pass of the mapper")));
        assert!(!has_number("AIE-PRE-MAPPER-11", "AIE-PRE-MAPPER-1"));
    }
}
