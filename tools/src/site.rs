//! The documentation site: the pages of the repository as the source of a book for mdBook.
//!
//! The book has the paths of the repository, so links between its pages work in both. Each example
//! becomes a page with its text and its picture. `SUMMARY.md` follows the list of documents in
//! README. Links to other files of the repository lead to its web address.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_diag::catalogue::{self, Stage};

use crate::links;
use crate::{root, tiers, voice};

/// The folder of the book, below the root.
const FOLDER: &str = "target/site";
/// Where mdBook is, for those who have none.
const INSTALL: &str = "mdbook is not installed: `cargo install mdbook --locked`, or a program of \
    https://github.com/rust-lang/mdBook/releases in PATH; the source of the book is in";
/// Pages at the root of the repository, with their titles.
const ROOT_PAGES: [(&str, &str); 3] =
    [("ARCHITECTURE.md", "Architecture"), ("CONTRIBUTING.md", "Contributing"), ("CHANGELOG.md", "Changelog")];
/// The tutorials, in the order in which they are read.
const TUTORIALS: [&str; 4] = [
    "docs/tutorials/reduction.md",
    "docs/your-project.md",
    "docs/tutorials/fir.md",
    "docs/tutorials/gemm.md",
];
/// The index of diagnostics.
const DIAGNOSTICS: &str = "docs/diagnostics.md";

const BOOK: &str = "[book]
title = \"aiec\"
description = \"A graph compiler for AMD AI Engine arrays\"
language = \"en\"

[build]
build-dir = \"book\"
create-missing = false

[output.html]
git-repository-url = \"https://github.com/aiec/aiec\"
no-section-label = true

[output.html.search]
limit-results = 30

[output.html.fold]
enable = true
level = 0
";

/// An example of the repository, and its page.
pub(crate) struct Example {
    /// The design, or the folder of a project, from the root.
    subject: String,
    /// Its page, from the root.
    page: String,
}

/// Writes the book and lets mdBook make the site of it. Without mdBook the book remains.
///
/// # Errors
/// A file cannot be read or written, aiec does not compile, a link is dead, or mdBook warns.
pub(crate) fn site() -> Result<(), String> {
    let folder = root().join(FOLDER);
    let source = folder.join("src");
    let _ = fs::remove_dir_all(&folder);
    let aiec = aiec()?;
    let mut pages = pages()?;
    for example in examples()? {
        draw(&aiec, &example, &source, &mut pages)?;
    }
    for (path, text) in &pages {
        write(&source.join(path), text)?;
    }
    let files = voice::tracked()?;
    for path in files.iter().filter(|path| is_picture(path)) {
        let text = read(path)?;
        write(&source.join(path), &text)?;
    }
    write(&folder.join("book.toml"), BOOK)?;
    let there = |path: &str| source.join(path).is_file();
    let faults = links::faults(&pages, there);
    if !faults.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", faults.join("\n")));
    }
    mdbook("mdbook", &folder)
}

/// Lets `program`, which is mdBook, build. Its warnings are errors, and so is its absence: without
/// it there is no site.
fn mdbook(program: &str, folder: &Path) -> Result<(), String> {
    let ran = Command::new(program).arg("build").arg(folder).output();
    let ran = ran.map_err(|_| format!("{INSTALL} {}", folder.display()))?;
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    let warns = said.lines().any(|line| line.contains("WARN") || line.contains("ERROR"));
    if !ran.status.success() || warns {
        return Err(format!("mdbook is not content:\n{said}"));
    }
    println!("{}", folder.join("book/index.html").display());
    Ok(())
}

/// The compiled command.
fn aiec() -> Result<PathBuf, String> {
    let built = tiers::cargo(["build", "--locked", "-p", "aiec"]).status();
    if !built.map_err(|error| error.to_string())?.success() {
        return Err("aiec does not compile".into());
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(own.with_file_name("aiec"))
}

/// The pages of the book with their texts, by their paths, without pictures of examples.
pub(crate) fn pages() -> Result<BTreeMap<String, String>, String> {
    let tracked = voice::tracked()?;
    let is_page = |path: &&String| {
        path.ends_with(".md")
            && (path.starts_with("docs/")
                || path.starts_with("compiler/diag/codes/")
                || path.as_str() == "examples/README.md"
                || path.as_str() == "README.md"
                || ROOT_PAGES.iter().any(|(page, _)| page == path))
    };
    let mut pages = BTreeMap::new();
    for path in tracked.iter().filter(is_page) {
        pages.insert(path.clone(), read(path)?);
    }
    let examples = examples()?;
    for example in &examples {
        pages.insert(example.page.clone(), example.text()?);
    }
    let names: BTreeSet<String> = pages.keys().cloned().collect();
    let moved = |path: &str| {
        let page = examples.iter().find(|one| one.subject == path).map(|one| one.page.clone());
        page.or_else(|| names.contains(path).then(|| path.to_owned()))
    };
    for (path, text) in &mut pages {
        *text = links::rewritten(path, text, &tracked, moved);
    }
    let summary = summary(&pages, &examples);
    pages.insert("SUMMARY.md".to_owned(), summary);
    Ok(pages)
}

/// All designs and projects below `examples`.
fn examples() -> Result<Vec<Example>, String> {
    let tracked = voice::tracked()?;
    let subject = |path: &String| {
        let inside = path.strip_prefix("examples/")?;
        let project = inside.strip_prefix("adf/").and_then(|inside| inside.strip_suffix("/graph.cpp"));
        if let Some(project) = project {
            return Some(format!("examples/adf/{project}"));
        }
        path.ends_with(".dsl").then(|| path.clone())
    };
    let subjects: BTreeSet<String> = tracked.iter().filter_map(subject).collect();
    let example = |subject: String| {
        let page = format!("{}.md", subject.trim_end_matches(".dsl"));
        Example { subject, page }
    };
    Ok(subjects.into_iter().map(example).collect())
}

impl Example {
    /// The name of the example below `examples`.
    fn name(&self) -> &str {
        self.page.trim_start_matches("examples/").trim_end_matches(".md")
    }

    /// Its page without pictures.
    fn text(&self) -> Result<String, String> {
        let (fence, files) = match self.subject.ends_with(".dsl") {
            true => ("text", vec![self.subject.clone()]),
            false => {
                ("cpp", ["graph.h", "graph.cpp"].map(|file| format!("{}/{file}", self.subject)).to_vec())
            }
        };
        let mut text = format!("# {}\n", self.name());
        for file in files.iter().filter(|file| root().join(file).is_file()) {
            text += &format!("\n`{file}`\n\n```{fence}\n{}```\n", read(file)?);
        }
        Ok(text)
    }
}

/// Adds the pictures of an example to its page: floorplan, routes, and the page of `aiec view`. Of
/// a design that is refused, the message.
fn draw(
    aiec: &Path,
    example: &Example,
    source: &Path,
    pages: &mut BTreeMap<String, String>,
) -> Result<(), String> {
    let stem = example.page.trim_end_matches(".md");
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let file = |ending: &str| source.join(format!("{stem}{ending}"));
    fs::create_dir_all(source.join(stem).parent().unwrap_or(source)).map_err(|error| error.to_string())?;
    let run = |command: &str, option: &str, result: &Path| {
        let mut aiec = Command::new(aiec);
        aiec.current_dir(root()).args([command, &example.subject, option]).arg(result).output()
    };
    let placed = run("route", "--svg", &file(".routes.svg")).map_err(|error| error.to_string())?;
    let _ = run("place", "--svg", &file(".place.svg"));
    let _ = run("view", "-o", &file(".view.html"));
    let mut shown = String::new();
    for (ending, what) in [(".place.svg", "The floorplan"), (".routes.svg", "The routes")] {
        if file(ending).is_file() {
            shown += &format!("\n![{what}]({name}{ending})\n");
        }
    }
    if file(".view.html").is_file() {
        shown += &format!("\n[The same as a page to look around in]({name}.view.html)\n");
    }
    if !placed.status.success() {
        let said = String::from_utf8_lossy(&placed.stderr).replace("```", "");
        shown +=
            &format!("\nThe command `aiec route` refuses it:\n\n```text\n{}\n```\n", said.trim_matches('\n'));
    }
    if let Some(page) = pages.get_mut(&example.page) {
        *page += &shown;
    }
    Ok(())
}

/// The table of contents: tutorials, the documents in the order of README and then of their names,
/// examples, diagnostics by stage.
fn summary(pages: &BTreeMap<String, String>, examples: &[Example]) -> String {
    let title = |path: &str| {
        let heading = pages.get(path).and_then(|text| text.lines().find_map(|line| line.strip_prefix("# ")));
        heading.unwrap_or(path).replace(['[', ']'], "")
    };
    let entry = |depth: usize, path: &str| format!("{}- [{}]({path})\n", "  ".repeat(depth), title(path));
    let mut text = "# Summary\n\n[aiec](README.md)\n\n# Tutorials\n\n".to_owned();
    text.extend(TUTORIALS.map(|path| entry(0, path)));
    text += "\n# Documents\n\n";
    let mut documents: Vec<&str> = Vec::new();
    let readme = pages.get("README.md").map_or("", String::as_str);
    let list = readme.split("\n## ").find(|section| section.starts_with("Documentation\n"));
    let linked = links::targets(list.unwrap_or(readme))
        .into_iter()
        .map(|link| link.split('#').next().unwrap_or_default());
    let all = pages.keys().map(String::as_str).filter(|path| path.starts_with("docs/"));
    for path in linked.filter(|path| path.starts_with("docs/")).chain(all) {
        let is_new = !documents.contains(&path) && !TUTORIALS.contains(&path) && path != DIAGNOSTICS;
        if is_new && pages.contains_key(path) {
            documents.push(path);
        }
    }
    text.extend(documents.iter().map(|path| entry(0, path)));
    text.extend(ROOT_PAGES.map(|(path, title)| format!("- [{title}]({path})\n")));
    text += &format!("\n# Examples\n\n{}", entry(0, "examples/README.md"));
    text.extend(examples.iter().map(|one| format!("  - [{}]({})\n", one.name(), one.page)));
    text += &format!("\n# Diagnostics\n\n{}", entry(0, DIAGNOSTICS));
    for stage in Stage::ALL {
        for code in catalogue::of_stage(stage) {
            text += &format!("  - [{}](compiler/diag/codes/{}.md)\n", code.slug, code.slug);
        }
    }
    text
}

/// True for the pictures of documents.
fn is_picture(path: &str) -> bool {
    path.starts_with("docs/") && (path.ends_with(".svg") || path.ends_with(".json"))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_the_site_leads_nowhere() {
        let pages = pages().expect("the documents");
        let there = |path: &str| root().join(path).is_file() && is_picture(path);
        let faults = links::faults(&pages, there);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn without_mdbook_there_is_no_site_and_the_command_fails() {
        let fault = mdbook("no-such-program", Path::new("target/site")).expect_err("nothing to build with");
        assert!(fault.contains("cargo install mdbook") && fault.ends_with("target/site"), "{fault}");
    }

    #[test]
    fn every_page_is_in_the_table_of_contents_once() {
        let pages = pages().expect("the documents");
        let summary = &pages["SUMMARY.md"];
        for page in pages.keys().filter(|page| *page != "SUMMARY.md") {
            let entries = summary.matches(&format!("]({page})")).count();
            assert_eq!(entries, 1, "{page}");
        }
        let place = |page: &str| summary.find(&format!("]({page})"));
        assert!(
            place("docs/install.md") < place("docs/vendor.md"),
            "the order of README's list, not of its tables"
        );
        assert!(pages.len() > 200, "{} pages: all diagnostics, documents and examples", pages.len());
    }
}
