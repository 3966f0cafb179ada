//! What commands have in common: the format of their messages, and the designs that they take.

use std::path::PathBuf;

use super::{Command, MessageFormat, New, NewFile};
use crate::locate::report_in;
use crate::values::Takes;

impl Command {
    /// The format of its diagnostics.
    pub(crate) const fn format(&self) -> MessageFormat {
        match self {
            Self::Build(args) => args.input.reading.message_format,
            Self::Check(args) | Self::Watch(args) => args.reading.message_format,
            Self::Place(args) => args.input.reading.message_format,
            Self::Route(args) => args.input.reading.message_format,
            Self::Sim(args) => args.input.reading.message_format,
            Self::Compare(args) => args.message_format,
            Self::Diff(args) => args.message_format,
            Self::Report(args) => args.input.reading.message_format,
            Self::View(args) => args.input.reading.message_format,
            Self::Sweep(args) => args.input.reading.message_format,
            Self::Bench(args) => args.input.reading.message_format,
            Self::Traffic(args) => args.message_format,
            Self::Import(args) => args.input.reading.message_format,
            Self::New(New { file: Some(NewFile::Kernel(args)), .. }) => args.input.reading.message_format,
            Self::New(args) => args.message_format,
            Self::Test(args) => args.message_format,
            Self::Fmt(args) => args.message_format,
            Self::Devices(args) => args.message_format,
            Self::Profiles(args) => args.message_format,
            Self::Explain(args) => args.message_format,
            Self::Lsp(_) | Self::Doctor(_) | Self::Completions(_) | Self::Man(_) => MessageFormat::Human,
        }
    }

    /// What its DESIGN may be, and the paths given for it. No paths when the command takes only
    /// files of aiecompiler or reports.
    pub(crate) fn designs(&mut self) -> (Takes, Vec<&mut PathBuf>) {
        match self {
            Self::Build(args) => (Takes::Designs, vec![&mut args.input.design]),
            Self::Check(args) | Self::Watch(args) => (Takes::Both, args.designs.iter_mut().collect()),
            Self::Place(args) if args.import.is_empty() => (Takes::Both, vec![&mut args.input.design]),
            Self::Route(args) if args.import.is_empty() => (Takes::Both, vec![&mut args.input.design]),
            Self::Sim(args) => (Takes::Both, vec![&mut args.input.design]),
            Self::Diff(args) => {
                let sides = [&mut args.old, &mut args.new].into_iter();
                (Takes::Both, sides.filter(|path| report_in(path).is_none()).collect())
            }
            Self::Report(args) => (Takes::Both, vec![&mut args.input.design]),
            Self::View(args) => (Takes::Both, vec![&mut args.input.design]),
            Self::Sweep(args) => (Takes::Designs, vec![&mut args.input.design]),
            Self::Bench(args) => (Takes::Designs, vec![&mut args.input.design]),
            Self::Import(args) => (Takes::Graphs, vec![&mut args.input.design]),
            Self::New(New { file: Some(NewFile::Kernel(args)), .. }) => {
                (Takes::Designs, vec![&mut args.input.design])
            }
            Self::Fmt(args) => (Takes::Designs, args.designs.iter_mut().collect()),
            Self::Place(_)
            | Self::Route(_)
            | Self::Compare(_)
            | Self::Traffic(_)
            | Self::New(_)
            | Self::Test(_)
            | Self::Devices(_)
            | Self::Profiles(_)
            | Self::Explain(_)
            | Self::Lsp(_)
            | Self::Doctor(_)
            | Self::Completions(_)
            | Self::Man(_) => (Takes::Both, Vec::new()),
        }
    }
}
