//! Connections as the statements of scopes: a connection that passes ports of sub-graphs is one
//! statement in each scope on its way.

use aiec_ir::design::{Design, Link, Node, Selection};
use aiec_ir::expanded::SwitchKind;
use aiec_ir::ways::Border;
use aiec_ir::{Buffering, Direction};

use aiec_dsl::ast::Switch;
use aiec_ir::fifos::FifoPlace;

use super::nesting::{Nesting, Scope};
use super::slices::{Joined, joined};
use super::statements::{End, Form, Name, Statement, Wires};
use super::tree::NOWHERE;
use super::{Words, is_host, named};

/// A connection, or a part of one between ports of sub-graphs.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'d> {
    link: &'d Link,
    /// The ends of a part. None when the connection stands as a whole.
    part: Option<(Point<'d>, Point<'d>)>,
}

/// An end of a part of a connection.
#[derive(Clone, Copy)]
enum Point<'d> {
    End(&'d Selection),
    Border(Border),
}

impl<'d> Stretch<'d> {
    /// The statements of a connection, each in its scope.
    pub(super) fn all(design: &Design, nesting: &Nesting, link: &'d Link) -> Vec<(Scope, Self)> {
        let whole = || vec![(nesting.of_link(link), Self { link, part: None })];
        let ([from], [to], [borders]) = (&*link.from, &*link.to, &*link.borders) else { return whole() };
        let borders = borders.iter().rev().filter(|(graph, _)| nesting.has(*graph));
        let points = std::iter::once(Point::End(from)).chain(borders.map(|&border| Point::Border(border)));
        let points: Vec<Point<'d>> = points.chain([Point::End(to)]).collect();
        if points.len() == 2 {
            return whole();
        }
        let part = |two: &[Point<'d>]| {
            let (from, to) = (two[0], two[1]);
            let scope = scope(design, nesting, from, to)?;
            Some((scope, Self { link, part: Some((from, to)) }))
        };
        points.windows(2).map(part).collect::<Option<_>>().unwrap_or_else(whole)
    }

    /// The ports of sub-graphs at its ends.
    pub(super) fn borders(&self) -> impl Iterator<Item = Border> {
        let points = self.part.map(|(from, to)| [from, to]);
        points.into_iter().flatten().filter_map(|point| match point {
            Point::Border(border) => Some(border),
            Point::End(_) => None,
        })
    }

    /// The statement, as its scope writes it.
    pub(super) fn statement(&self, design: &Design, words: &Words, scope: Scope) -> Statement {
        let Some((from, to)) = self.part else { return whole(design, words, scope, self.link) };
        let (from, mut numbers) = end(design, words, scope, from);
        // What a connection states stands at its consumer.
        let is_last = matches!(to, Point::End(_));
        let (to, others) = end(design, words, scope, to);
        numbers.extend(others);
        let properties = Properties::of(design, self.link, is_last);
        Statement::new(Form::Connect(properties.wires(vec![from], vec![to])), numbers)
    }
}

/// The scope in which two ends can be connected. Returns None when no scope sees both.
fn scope(design: &Design, nesting: &Nesting, from: Point<'_>, to: Point<'_>) -> Option<Scope> {
    let at = |point: Point<'_>, inside: Direction| match point {
        Point::End(Selection { node: Node::Family(family), .. }) => (nesting.home(*family), false),
        Point::End(_) => (None, false),
        Point::Border((graph, port)) => {
            let direction = design.subgraphs[graph].ports.get(port as usize).map(|port| port.direction);
            let is_inside = direction == Some(inside);
            (if is_inside { Some(graph) } else { nesting.parent(graph) }, is_inside)
        }
    };
    // Inside, an input produces and an output consumes.
    let ((first, is_first_inside), (second, is_second_inside)) =
        (at(from, Direction::In), at(to, Direction::Out));
    let scope = nesting.common([first, second]);
    let is_seen = |of: Scope, is_inside: bool| !is_inside || of == scope;
    (is_seen(first, is_first_inside) && is_seen(second, is_second_inside)).then_some(scope)
}

/// One end in words, with its numbers.
fn end(design: &Design, words: &Words, scope: Scope, point: Point<'_>) -> (End, Vec<i64>) {
    match point {
        Point::End(selection) => {
            let (index, port) = (selection.instances[0], selection.ports[0]);
            let (name, numbers) = named(design, words, scope, selection.node, index, port);
            (end_of(selection, name), numbers)
        }
        Point::Border((graph, port)) => {
            let (mut parts, mut numbers) = words.nesting.way_into(scope, Some(graph));
            let (part, index) = words.gates.get(&graph).and_then(|ports| ports.get(port)).unwrap_or_default();
            numbers.extend(index);
            parts.push(part);
            let name = Name { parts, port: None, ranges: Vec::new() };
            (End { name, asynchronous: false, windows: None }, numbers)
        }
    }
}

fn end_of(selection: &Selection, name: Name) -> End {
    let windows = selection.windows.as_ref().map(|windows| windows.value);
    End { name, asynchronous: selection.asynchronous, windows }
}

/// What a statement states besides its ends.
#[derive(Default)]
struct Properties {
    switch: Option<Switch>,
    first: u32,
    single: bool,
    fifo: Option<u32>,
    fifo_places: Vec<FifoPlace>,
}

impl Properties {
    /// Those of a connection. Without any when another statement has them.
    fn of(design: &Design, link: &Link, is_last: bool) -> Self {
        if !is_last {
            return Self::default();
        }
        let is_host = link.from.iter().chain(&link.to).any(|end| is_host(design, end));
        let switch = link.switch.map(|kind| match kind {
            SwitchKind::Split => Switch::Split,
            SwitchKind::Merge => Switch::Merge,
            SwitchKind::OrderedMerge => Switch::OrderedMerge,
        });
        // Source locations are no part of the words.
        let place = |place: &FifoPlace| FifoPlace { span: NOWHERE, ..*place };
        Self {
            switch,
            first: link.first,
            single: link.buffering == Buffering::Single,
            fifo: link.fifo.as_ref().map(|words| words.value).filter(|_| !is_host),
            fifo_places: link.fifo_places.iter().map(place).collect(),
        }
    }

    fn wires(self, from: Vec<End>, to: Vec<End>) -> Wires {
        let Self { switch, first, single, fifo, fifo_places } = self;
        Wires { from, to, switch, first, single, fifo, fifo_places }
    }
}

/// A connection as one statement.
fn whole(design: &Design, words: &Words, scope: Scope, link: &Link) -> Statement {
    let mut numbers = Vec::new();
    let mut ends = |selections: &[Selection]| -> Vec<End> {
        let each =
            selections.iter().flat_map(|one| one.ends().map(move |(&index, &port)| (one, index, port)));
        let each = each.map(|(one, index, port)| {
            let (name, indices) = named(design, words, scope, one.node, index, port);
            (end_of(one, name), indices)
        });
        // Only the branches of splits and merges are several.
        let joined = joined(each, |a: &End, b| link.switch.is_some() && a.is_like(b));
        let end = |Joined { mut of, numbers: own, ranges }: Joined<End>| {
            numbers.extend(own);
            of.name.ranges = ranges;
            of
        };
        joined.into_iter().map(end).collect()
    };
    let (from, to) = (ends(&link.from), ends(&link.to));
    Statement::new(Form::Connect(Properties::of(design, link, true).wires(from, to)), numbers)
}
