//! What a project is built for: release of Vitis, board and kind of ports.

use aiec_diag::{Spanned, nearest};
use aiec_dsl::ast::Ident;
use aiec_ir::design::{Language, Written};
use aiec_ir::release::Platform;
use aiec_ir::{Board, PortKind, Release};

use crate::lower::{Context, Sorted};
use crate::{Options, Reported, errors};

/// The word behind `ports` of a design whose project is not aiec's.
pub const OWN: &str = "own";

/// The target of the project: release, board and kind of ports.
#[derive(Clone)]
pub struct Target {
    pub release: &'static Release,
    pub board: Board,
    pub written: Written,
    pub port_kind: PortKind,
    pub language: Language,
}

impl<'a> Context<'a> {
    /// Release, board and ports: from the command line, else from the design, else the default.
    pub fn target(&mut self, items: &Sorted<'a>, options: &Options) -> Option<Target> {
        let (release, board) = (items.releases.first(), items.boards.first());
        let release = release.map(|(name, _)| self.release(name).ok_or(Reported)).transpose();
        let board = board.map(|(name, _)| self.board(name).ok_or(Reported)).transpose();
        let (Ok(release), Ok(board)) = (release, board) else { return None };
        let word = items.port_kinds.first();
        let object = word.and_then(|((_, object), _)| *object).map(|object| object.value.clone());
        let ports = word.map(|((word, _), _)| word.span);
        let called = std::mem::take(&mut self.called);
        let vitis = items.releases.first().map(|&(_, span)| span);
        let written = Written { release, vitis, board, ports, object, called };
        let is_own = items.is_own();
        let language = if is_own { Language::Adf } else { Language::Aiec };
        let ports = match word.filter(|_| !is_own) {
            Some(((word, _), span)) => Some((self.port_kind(word)?, *span)),
            None => None,
        };
        let release = options.release.or(written.release).unwrap_or_else(Release::standard);
        let board = options.board.or(written.board.as_ref().map(|board| board.value)).unwrap_or_default();
        if release.platform(board).value == Some(Platform::None) {
            let lines =
                [items.boards.first().map(|&(_, span)| span), items.releases.first().map(|&(_, span)| span)];
            let design = items.designs.first().map(|&(_, span)| span);
            let (line, place) = (lines[1], lines.into_iter().flatten().next().or(design)?);
            self.report(errors::no_platform(place, release, board, line));
            return None;
        }
        if let Some((PortKind::Buffer, span)) = ports
            && release.buffers.value != Some(true)
        {
            self.report(errors::buffers_of_release(span, release));
            return None;
        }
        let port_kind = ports.map_or_else(|| PortKind::of(release), |(kind, _)| kind);
        Some(Target { release, board, written, port_kind, language })
    }

    fn release(&mut self, name: &Spanned<String>) -> Option<&'static Release> {
        let found = Release::named(&name.value);
        if found.is_none() {
            let names: Vec<&str> = Release::names().collect();
            self.report(errors::unknown_word(name.span, "release of Vitis", &name.value, &names, None));
        }
        found
    }

    fn board(&mut self, word: &Ident) -> Option<Spanned<Board>> {
        let found = Board::named(&word.value);
        if found.is_none() {
            let names = Board::ALL.map(Board::name);
            let close = nearest(&word.value, names);
            self.report(errors::unknown_word(word.span, "board", &word.value, &names, close));
        }
        found.map(|found| Spanned::new(found, word.span))
    }

    fn port_kind(&mut self, word: &Ident) -> Option<PortKind> {
        let found = PortKind::ALL.into_iter().find(|kind| kind.name() == word.value);
        if found.is_none() {
            let [window, buffer] = PortKind::ALL.map(PortKind::name);
            let names = [window, buffer, OWN];
            let close = nearest(&word.value, names);
            self.report(errors::unknown_word(word.span, "kind of port", &word.value, &names, close));
        }
        found
    }
}
