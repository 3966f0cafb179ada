//! Values of the command line's options, and how they are parsed.

use std::path::PathBuf;
use std::time::Duration;

use aiec_device::{Board, Release};
use aiec_diag::{Code, catalogue};
use aiec_placer::{Objective, Term};
use clap::ValueEnum;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::log::Denied;

/// A release of Vitis by its name.
pub(crate) fn parse_release(text: &str) -> Result<&'static Release, String> {
    let known = || Release::names().collect::<Vec<_>>().join(", ");
    Release::named(text).ok_or_else(|| format!("the releases are {}", known()))
}

/// A diagnostic that a user may leave out: about waits, and about names in constraints files.
pub(crate) fn parse_allowed(text: &str) -> Result<&'static Code, String> {
    let all = || aiec_check::ALLOWABLE.into_iter().chain([&catalogue::UNKNOWN_NODE]);
    let known = || all().map(|code| code.slug).collect::<Vec<_>>().join(", ");
    let mut named = catalogue::named(text).filter(|code| all().any(|other| other == *code));
    let found = named.next().filter(|_| named.next().is_none());
    found.ok_or_else(|| format!("only these are allowed: {}", known()))
}

/// A warning that is an error, or all of them.
pub(crate) fn parse_denied(text: &str) -> Result<Denied, String> {
    if text == "warnings" {
        return Ok(Denied::Warnings);
    }
    catalogue::one_named(text).map(Denied::One)
}

/// A board by its name.
pub(crate) fn parse_board(text: &str) -> Result<Board, String> {
    let known = || Board::ALL.map(Board::name).join(" and ");
    Board::named(text).ok_or_else(|| format!("the boards are {}", known()))
}

/// A time in seconds, with a fraction.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, such as 2.5")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a time must be finite and not negative".to_owned())
}

/// Terms of a placement, separated by commas, each at most once.
pub(crate) fn parse_objective(text: &str) -> Result<Objective, String> {
    let known = || Term::ALL.map(|term| format!("`{}`", term.name())).join(", ");
    let term = |name: &str| {
        let term = Term::ALL.into_iter().find(|term| term.name() == name);
        term.ok_or_else(|| format!("`{name}` is none of {}", known()))
    };
    let terms: Vec<Term> = text.split(',').map(term).collect::<Result<_, _>>()?;
    Objective::new(&terms).ok_or_else(|| "name each term at most once".to_owned())
}

/// Parses the name of a file to write. Refuses `-`, which means standard output to other programs.
pub(crate) fn written_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("a result goes to a file; name one, or write ./-"),
        false => Ok(path),
    })
}

/// The same, and refuses a design, which would be lost.
pub(crate) fn result_file() -> impl TypedValueParser<Value = PathBuf> {
    written_file().try_map(|path| match path.extension() {
        Some(ending) if ending == "dsl" => Err("a result must not replace a design"),
        _ => Ok(path),
    })
}

/// Notes that a user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Warn {
    /// What is legal and only slow.
    Performance,
}

/// Location constraints in the graph of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Locations {
    /// None: the mapper places kernels, stacks, buffers, inputs and outputs.
    None,
    /// Tiles of kernels.
    Kernels,
    /// All locations.
    All,
}

impl From<Locations> for aiec_codegen::Locations {
    fn from(locations: Locations) -> Self {
        match locations {
            Locations::None => Self::None,
            Locations::Kernels => Self::Kernels,
            Locations::All => Self::All,
        }
    }
}

/// The intermediate forms that `--emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmitForm {
    /// The syntax tree.
    Ast,
    /// Families, collectives and connections with names and constants resolved.
    Design,
    /// One node per kernel, one edge per connection.
    Expanded,
    /// All locations; --placement loads it again.
    Placement,
    /// The nets and their routes.
    Routes,
    /// Cycles and resource use.
    Estimate,
}

/// The forms that `aiec route --emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RouteForm {
    /// The nets and their routes.
    Routes,
    /// The settings of every switch as JSON: connections, packet slots, arbiters, masks.
    Wiring,
    /// The same settings as C: calls of AMD's driver aie-rt.
    Xaie,
}

/// Formats of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text with source excerpts.
    Human,
    /// A line for each: FILE:LINE:COLUMN: error: MESSAGE [SLUG].
    Short,
    /// A JSON array, for editors and CI.
    Json,
    /// A log in SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

impl MessageFormat {
    /// True for a form of which a command writes one document.
    pub(crate) const fn is_document(self) -> bool {
        matches!(self, Self::Json | Self::Sarif)
    }

    /// True for a form that programs read.
    pub(crate) const fn is_data(self) -> bool {
        matches!(self, Self::Json | Self::Sarif | Self::Github)
    }
}

/// What DESIGN of a command may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A design of the language.
    Designs,
    /// An ADF graph in C++.
    Graphs,
    /// Either.
    Both,
}
