//! Collectives: their properties with defaults, and their groups.

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::{Operation, Services, Shape};
use aiec_diag::nearest;
use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{
    self, Bytes, CollectiveProperty as Property, Expr, ExprKind, Ident, Reference, Target, Window,
};
use aiec_ir::design::{CYCLES_ELEMENT, Collective, Details, Instance, Open, Strided};
use aiec_ir::{Buffering, CollectiveId, Design, ElementType, FamilyId, Formula, WindowType};

use crate::errors;
use crate::eval;
use crate::lower::Context;
use crate::mailboxes::with_receiver;
use crate::names::Use;
use crate::selections::{count, instances};
use crate::{Lowered, Reported};

/// What a barrier sends: the smallest window that was measured, 16 bytes (thesis 3.3).
const SIGNAL: WindowType = WindowType { element: ElementType::Int32, elements: 4 };
/// What ranks of a clock send: a time, in a window of the same size.
const TIME: WindowType = WindowType { element: CYCLES_ELEMENT, elements: 2 };

/// The properties of a collective, each as it was given first.
#[derive(Default)]
pub struct Properties<'a> {
    pub op: Option<Spanned<&'a ast::Operator>>,
    pub data: Option<Spanned<&'a Window>>,
    window: Option<Spanned<Option<&'a Window>>>,
    pub root: Option<Spanned<&'a Reference>>,
    shape: Option<Spanned<&'a ast::Shape>>,
    buffer: Option<Spanned<&'a Ident>>,
    pub calls: Option<Spanned<&'a Expr>>,
    cycles: Option<Spanned<&'a Window>>,
    reference: Option<Spanned<&'a Expr>>,
    style: Option<Spanned<&'a Ident>>,
    exclusive: Option<Spanned<()>>,
    pub shift: Option<Spanned<&'a Expr>>,
    pub to: Option<Spanned<&'a Target>>,
    pub peers: Option<Spanned<&'a Ident>>,
    pub packet: Option<Spanned<&'a Expr>>,
    pub max: Option<Spanned<&'a Bytes>>,
    pub depth: Option<Spanned<&'a Expr>>,
    counts: Option<Spanned<&'a Expr>>,
    headed: Option<Spanned<()>>,
    base: Option<Spanned<&'a Expr>>,
    size: Option<Spanned<&'a Expr>>,
    num: Option<Spanned<&'a Expr>>,
    stride: Option<Spanned<&'a Expr>>,
}

/// The word of a property.
const fn word_of(property: &Property) -> &'static str {
    match property {
        Property::Op(_) => "op",
        Property::Data(_) => "data",
        Property::Window(_) => "window",
        Property::Root(_) => "root",
        Property::Shape(_) => "shape",
        Property::Buffer(_) => "buffer",
        Property::Calls(_) => "calls",
        Property::Cycles(_) => "cycles",
        Property::Reference(_) => "reference",
        Property::Style(_) => "style",
        Property::Exclusive => "exclusive",
        Property::Shift(_) => "shift",
        Property::To(_) => "to",
        Property::Peers(_) => "peers",
        Property::Packet(_) => "packet",
        Property::Max(_) => "max",
        Property::Depth(_) => "depth",
        Property::Counts(_) => "counts",
        Property::Headed => "headed",
        Property::Base(_) => "base",
        Property::Size(_) => "size",
        Property::Num(_) => "num",
        Property::Stride(_) => "stride",
    }
}

/// Whether an operation has the property of this word. Returns None when no operation does.
pub fn has_property(operation: Operation, word: &str) -> Option<bool> {
    let row = operation.row();
    let elements = row.is_channel() && !row.takes_messages;
    Some(match word {
        "op" => row.combines,
        "data" => row.has_data() && !row.takes_messages,
        "window" | "reference" | "style" => row.moves_arrays(),
        "root" => row.names_root || row.is_channel(),
        "shape" => row.algorithms.len() > 1 && !row.is_channel(),
        "buffer" | "cycles" => !row.is_channel(),
        "calls" => !row.takes_messages,
        "exclusive" => row.excludes,
        "shift" | "to" => row.names_partners,
        "peers" | "packet" => elements,
        "max" => row.takes_messages,
        "depth" => elements || row.algorithm(Shape::Stream).is_some(),
        "counts" | "base" | "size" | "num" | "stride" => row.lays_out,
        "headed" => row.heads,
        _ => return None,
    })
}

/// True for `auto`, which no constant can be called: the word belongs to C++.
fn is_auto(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == "auto")
}

impl Context<'_> {
    /// Lowers the collective of `id`. It stays None after a fault, which is reported.
    pub fn collective(&mut self, id: CollectiveId, collective: &ast::Collective, span: Span) {
        self.check_identifier(&collective.name, Use::Member);
        // The grammar knows the same words.
        let operation = Operation::from_name(&collective.operation.value);
        let lowered = operation.and_then(|operation| self.lowered(operation, collective, span));
        self.collectives[id] = lowered;
    }

    fn lowered(&mut self, operation: Operation, written: &ast::Collective, span: Span) -> Option<Collective> {
        let properties = self.properties(operation, written);
        let op = self.operator(operation, written, &properties);
        let services = self.services(operation, written);
        let data = match (operation, &services) {
            (Operation::Active, Ok(services)) => Some(Self::longest_request(services, written.name.span)),
            (Operation::Active, Err(_)) => None,
            _ => self.data(operation, written, &properties),
        };
        let window = self.travelling(&properties, data.as_ref());
        let shape = self.written_shape(operation, &properties, span);
        if let Ok(shape) = &shape {
            self.of_shape(operation, &properties, shape);
        }
        let group = self.group(written, operation, shape.as_ref().ok().and_then(|shape| shape.value));
        let last = shape.as_ref().is_ok_and(|shape| shape.value == Some(Shape::Cascade));
        let root = match operation.row().takes_messages {
            true => self.receiver(written, &properties),
            false => self.root(&properties, group.as_deref(), last),
        };
        self.check_clients(written, group.as_deref().unwrap_or_default(), root);
        let group = group.map(|group| with_receiver(operation, group, root));
        let members = group.as_deref().unwrap_or_default();
        self.of_ranks = self.variables_of_ranks(members);
        let families: BTreeSet<FamilyId> = members.iter().map(|instance| instance.family).collect();
        let names = families.into_iter().filter_map(|family| *self.kernels.get(family)?);
        self.indices_of_ranks = names.flat_map(ast::Kernel::indices).flatten().collect();
        let buffering = self.buffering(properties.buffer.as_ref().map(|buffer| buffer.value));
        let calls = self.property_number(properties.calls.as_ref(), "the number of calls");
        let cycles = self.cycles(&properties, calls);
        let reference = self.contribution(properties.reference.as_ref());
        let details = self.details(operation, written, &properties, data.as_ref(), members);
        Some(Collective {
            name: self.qualified(&written.name.value),
            operation,
            shape: shape.ok()?,
            op: op.ok()?,
            data: data?,
            window: window?,
            group: group?,
            root: root?,
            buffering: buffering?,
            calls: calls?,
            cycles: cycles.ok()?,
            reference: reference.ok()?,
            details: Details { services: services.ok()?, ..details? },
            span,
        })
    }

    fn properties<'a>(&mut self, operation: Operation, written: &'a ast::Collective) -> Properties<'a> {
        let mut found = Properties::default();
        for property in &written.properties {
            let (span, word) = (property.span, word_of(&property.value));
            if has_property(operation, word) == Some(false) {
                self.report(errors::stray_property(span, word, operation, written.operation.span));
                continue;
            }
            match &property.value {
                Property::Op(op) => self.once(&mut found.op, word, op, span),
                Property::Data(data) => self.once(&mut found.data, word, data, span),
                Property::Window(window) => self.once(&mut found.window, word, window.as_ref(), span),
                Property::Root(root) => self.once(&mut found.root, word, root, span),
                Property::Shape(shape) => self.once(&mut found.shape, word, shape, span),
                Property::Buffer(buffer) => self.once(&mut found.buffer, word, buffer, span),
                Property::Calls(calls) => self.once(&mut found.calls, word, calls, span),
                Property::Cycles(cycles) => self.once(&mut found.cycles, word, cycles, span),
                Property::Reference(formula) => self.once(&mut found.reference, word, formula, span),
                Property::Style(style) => self.once(&mut found.style, word, style, span),
                Property::Exclusive => self.once(&mut found.exclusive, word, (), span),
                Property::Headed => self.once(&mut found.headed, word, (), span),
                Property::Shift(shift) => self.once(&mut found.shift, word, shift, span),
                Property::To(to) => self.once(&mut found.to, word, to, span),
                Property::Peers(which) => self.once(&mut found.peers, word, which, span),
                Property::Packet(words) => self.once(&mut found.packet, word, words, span),
                Property::Max(bytes) => self.once(&mut found.max, word, bytes, span),
                Property::Depth(words) => self.once(&mut found.depth, word, words, span),
                Property::Counts(counts) => self.once(&mut found.counts, word, counts, span),
                Property::Base(base) => self.once(&mut found.base, word, base, span),
                Property::Size(size) => self.once(&mut found.size, word, size, span),
                Property::Num(num) => self.once(&mut found.num, word, num, span),
                Property::Stride(stride) => self.once(&mut found.stride, word, stride, span),
            }
        }
        found
    }

    fn data(
        &mut self,
        operation: Operation,
        written: &ast::Collective,
        properties: &Properties<'_>,
    ) -> Option<Spanned<WindowType>> {
        if !operation.row().has_data() {
            let sent = if operation == Operation::Clock { TIME } else { SIGNAL };
            return Some(Spanned::new(sent, written.operation.span));
        }
        if operation.row().takes_messages {
            return self.longest_message(written, properties);
        }
        if let Some(data) = &properties.data {
            return self.window(data.value);
        }
        let owner = format!("{} `{}`", operation.noun(), written.name.value);
        let example = "`data int32[1024]`: the block of each kernel in one call";
        self.report(errors::missing_item(written.name.span, &owner, "data", example));
        None
    }

    /// The window that travels: `data` unless the design says otherwise, and of the same elements.
    fn travelling(
        &mut self,
        properties: &Properties<'_>,
        data: Option<&Spanned<WindowType>>,
    ) -> Option<Spanned<WindowType>> {
        let Some(window) = properties.window.as_ref().and_then(|window| window.value) else {
            return data.cloned();
        };
        let window = self.window(window)?;
        let data = data?;
        if window.value.element != data.value.element {
            self.report(errors::window_element(&window, data));
            return None;
        }
        Some(window)
    }

    /// The shape. Returns None when it is `auto`.
    fn written_shape(
        &mut self,
        operation: Operation,
        properties: &Properties<'_>,
        span: Span,
    ) -> Lowered<Spanned<Option<Shape>>> {
        if let Some(peers) = &properties.peers {
            return Ok(Spanned::new(Some(Shape::Relay), peers.span));
        }
        let Some(written) = &properties.shape else {
            return Ok(Spanned::new(Some(operation.row().default), span));
        };
        let (word, found) = match written.value {
            ast::Shape::Tree(arity) if is_auto(arity) => ("tree", None),
            ast::Shape::Tree(arity) => {
                let arity = self.number(arity, "the arity of the tree", 1).ok_or(Reported)?;
                ("tree", Some(Shape::Tree(arity)))
            }
            ast::Shape::Hub(heads) => {
                let heads = self.number(heads, "the number of heads", 1).ok_or(Reported)?;
                ("hub", Some(Shape::Hub(heads)))
            }
            ast::Shape::Merge(word) => ("flat merge", Some(self.merged(word, operation, written.span)?)),
            ast::Shape::Word(word) => (word.value.as_str(), self.simple_shape(word)?),
        };
        let known = operation.row().shapes();
        let is_named = found.is_some() || word == "tree";
        if is_named && !known.contains(&word) {
            self.report(errors::no_such_shape(written.span, operation, word, &known));
            return Err(Reported);
        }
        Ok(Spanned::new(found, written.span))
    }

    /// Reports properties that the shape has no use for: of windows, or of streams.
    fn of_shape(
        &mut self,
        operation: Operation,
        properties: &Properties<'_>,
        shape: &Spanned<Option<Shape>>,
    ) {
        let streams = shape.value == Some(Shape::Stream);
        let window = properties.window.as_ref().map(|window| ("window", window.span));
        let buffer = properties.buffer.as_ref().map(|buffer| ("buffer", buffer.span));
        let depth = properties.depth.as_ref().map(|depth| ("depth", depth.span));
        let stray = match streams {
            true => [window, buffer],
            false => [depth.filter(|_| !operation.row().is_channel()), None],
        };
        for (word, span) in stray.into_iter().flatten() {
            self.report(errors::property_of_shape(span, word, shape.span, streams));
        }
    }

    /// Only what is flat is merged.
    fn merged(&mut self, word: &Ident, operation: Operation, span: Span) -> Lowered<Shape> {
        let shape = self.simple_shape(word)?;
        if shape == Some(Shape::Flat) {
            return Ok(Shape::Merge);
        }
        let words = format!("{} merge", word.value);
        self.report(errors::no_such_shape(span, operation, &words, &operation.row().shapes()));
        Err(Reported)
    }

    /// A shape that is one word. Returns None when it is `auto`.
    fn simple_shape(&mut self, word: &Ident) -> Lowered<Option<Shape>> {
        const AUTO: &str = "auto";
        if word.value == AUTO {
            return Ok(None);
        }
        match Shape::from_word(&word.value) {
            Some(shape @ (Shape::Tree(_) | Shape::Hub(_))) => {
                self.report(errors::shape_without_number(word.span, shape));
                return Err(Reported);
            }
            Some(shape) if shape.is_one_word() => return Ok(Some(shape)),
            _ => {}
        }
        let written = Shape::KINDS
            .into_iter()
            .filter(|kind| matches!(kind, Shape::Tree(_) | Shape::Hub(_)) || kind.is_one_word());
        let words: Vec<&str> = written.map(Shape::word).chain([AUTO]).collect();
        let close = nearest(&word.value, words.iter().copied());
        self.report(errors::unknown_word(word.span, "shape", &word.value, &words, close));
        Err(Reported)
    }

    /// The kernels of the group in rank order, possibly with duplicates.
    fn group(
        &mut self,
        written: &ast::Collective,
        operation: Operation,
        shape: Option<Shape>,
    ) -> Option<Vec<Instance>> {
        let mut group: Vec<Instance> = Vec::new();
        let mut complete = true;
        for reference in &written.over {
            let Some(shapes) = self.kernels(reference) else {
                complete = false;
                continue;
            };
            if group.len() as u64 + count(&shapes) > Design::MAX_INSTANCES {
                self.report(errors::group_too_large(reference.span));
                return None;
            }
            group.extend(instances(&shapes, reference.span));
        }
        let links = operation.row().most_links(shape, group.len() as u64);
        (complete && self.count_connections(links, written.name.span)).then_some(group)
    }

    /// The root as written, or else the first of the group; of a cascade the `last`.
    fn root(
        &mut self,
        properties: &Properties<'_>,
        group: Option<&[Instance]>,
        last: bool,
    ) -> Option<Instance> {
        let named = properties.root.as_ref().filter(|root| !self.is_any(root.value));
        match named {
            Some(root) => self.one_kernel(root.value, "the root of a collective"),
            None if last => group?.last().copied(),
            None => group?.first().copied(),
        }
    }

    /// `pingpong` or `single`; `pingpong` by default.
    pub fn buffering(&mut self, word: Option<&Ident>) -> Option<Buffering> {
        let Some(word) = word else { return Some(Buffering::Pingpong) };
        let all = [Buffering::Pingpong, Buffering::Single];
        let found = all.into_iter().find(|buffering| buffering.name() == word.value);
        if found.is_none() {
            let names = all.map(Buffering::name);
            let close = nearest(&word.value, names);
            self.report(errors::unknown_word(word.span, "kind of buffer", &word.value, &names, close));
        }
        found
    }

    fn property_number(&mut self, property: Option<&Spanned<&Expr>>, what: &str) -> Option<u32> {
        property.map_or(Some(1), |property| self.number(property.value, what, 1))
    }

    /// The window of cycle counts: int64, with room for every call. Returns None when the design
    /// states none.
    fn cycles(
        &mut self,
        properties: &Properties<'_>,
        calls: Option<u32>,
    ) -> Lowered<Option<Spanned<WindowType>>> {
        let Some(cycles) = &properties.cycles else { return Ok(None) };
        let window = self.window(cycles.value).ok_or(Reported)?;
        if window.value.element != CYCLES_ELEMENT {
            self.report(errors::cycles_element(&window));
            return Err(Reported);
        }
        if let Some(calls) = calls.filter(|&calls| window.value.elements < calls) {
            self.report(errors::cycles_too_short(window.span, window.value.elements, calls));
            return Err(Reported);
        }
        Ok(Some(window))
    }

    /// The formula over ranks that a property states, if the design has the property.
    ///
    /// # Errors
    /// The formula has an unknown or ambiguous name, which is reported.
    pub fn formula(&mut self, property: Option<&Spanned<&Expr>>) -> Lowered<Option<Formula>> {
        let Some(expr) = property else { return Ok(None) };
        self.unambiguous(expr.value, &["rank"])?;
        let formula = eval::formula(expr.value, &self.of_ranks, &|name| self.lookup(name));
        formula.map(Some).map_err(|fault| {
            self.fault(fault);
            Reported
        })
    }

    /// `reference`: a formula that also has the element `i` and the call.
    fn contribution(&mut self, property: Option<&Spanned<&Expr>>) -> Lowered<Option<Formula>> {
        if let Some(expr) = property {
            self.unambiguous(expr.value, &["i", "call"])?;
        }
        let of_ranks = self.of_ranks.clone();
        self.of_ranks.extend([("i".to_owned(), Formula::Element), ("call".to_owned(), Formula::Call)]);
        let formula = self.formula(property);
        self.of_ranks = of_ranks;
        formula
    }

    /// Refuses names in `expr` that are a variable of the formula and an index of its kernels.
    fn unambiguous(&mut self, expr: &Expr, variables: &[&str]) -> Lowered<()> {
        for name in variables {
            let index = self.indices_of_ranks.iter().find(|index| index.value == *name);
            if let Some(index) = index.filter(|_| eval::mentions(expr, name)) {
                let diagnostic = errors::ambiguous_index(expr.span, name, index.span);
                self.report(diagnostic);
                return Err(Reported);
            }
        }
        Ok(())
    }

    /// `rank`, and the indices that every family of the group names, each with its number for each
    /// rank.
    fn variables_of_ranks(&self, group: &[Instance]) -> BTreeMap<String, Formula> {
        let position = |instance: &Instance| -> Vec<(&str, i64)> {
            let position = self.families.get(instance.family).map(|family| family.position(instance.index));
            let kernel = self.kernels.get(instance.family).copied().flatten();
            let names = kernel.into_iter().flat_map(ast::Kernel::indices);
            let named = names.zip(position.into_iter().flatten());
            named.filter_map(|(name, at)| Some((name.as_ref()?.value.as_str(), i64::from(at)))).collect()
        };
        let mut found: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for instance in group {
            for (name, at) in position(instance) {
                found.entry(name).or_default().push(at);
            }
        }
        let complete = found.into_iter().filter(|(_, values)| values.len() == group.len());
        let named = complete.map(|(name, values)| {
            let formula = Formula::OfRank { name: name.to_owned(), values: values.into() };
            (name.to_owned(), formula)
        });
        named.chain([("rank".to_owned(), Formula::Rank)]).collect()
    }

    /// The same with the source location of the formula.
    ///
    /// # Errors
    /// As [`Self::formula`].
    pub fn spanned_formula(
        &mut self,
        property: Option<&Spanned<&Expr>>,
    ) -> Lowered<Option<Spanned<Formula>>> {
        let formula = self.formula(property)?;
        Ok(formula.zip(property).map(|(formula, property)| Spanned::new(formula, property.value.span)))
    }

    /// What only some operations have.
    fn details(
        &mut self,
        operation: Operation,
        written: &ast::Collective,
        properties: &Properties<'_>,
        data: Option<&Spanned<WindowType>>,
        group: &[Instance],
    ) -> Option<Details> {
        let scalar = self.style(properties.style.as_ref().map(|style| style.value));
        let partner = match operation.row().names_partners {
            true => self.partner(operation, written, properties, group),
            false => Ok(None),
        };
        let depth = self.depth(properties);
        let relay = self.relay(operation, written, properties, data, depth.clone());
        let counts = self.spanned_formula(properties.counts.as_ref());
        let one_layout = self.one_layout(properties);
        let stride = self.strided(written, properties, data);
        Some(Details {
            exclusive: properties.exclusive.is_some(),
            headed: properties.headed.is_some(),
            scalar: scalar?,
            partner: partner.ok()?,
            wraps: properties.shift.is_some(),
            fifo: depth.ok()?.filter(|_| properties.peers.is_none()),
            relay: relay.ok()?,
            counts: counts.ok()?,
            stride: stride.ok().filter(|_| one_layout)?,
            open: self.open(properties),
            services: Services::default(), // those of active messages are no property
        })
    }

    /// What the properties leave to the compiler.
    fn open(&self, properties: &Properties<'_>) -> Open {
        let tree = |shape: &ast::Shape| matches!(shape, ast::Shape::Tree(arity) if is_auto(arity));
        Open {
            arity: properties.shape.as_ref().is_some_and(|shape| tree(shape.value)),
            window: properties.window.as_ref().is_some_and(|window| window.value.is_none()),
            root: properties.root.as_ref().is_some_and(|root| self.is_any(root.value)),
            chosen: None,
        }
    }

    /// True for `any`, unless a kernel has that name.
    pub fn is_any(&self, reference: &Reference) -> bool {
        let [part] = reference.parts.as_slice() else { return false };
        part.name.value == "any" && part.indices.is_empty() && self.symbol(self.at.subgraph, "any").is_none()
    }

    /// True if at most one property says where blocks lie.
    fn one_layout(&mut self, properties: &Properties<'_>) -> bool {
        let given = [
            properties.counts.as_ref().map(|counts| Spanned::new("counts", counts.span)),
            properties.headed.as_ref().map(|headed| Spanned::new("headed", headed.span)),
            properties.base.as_ref().map(|base| Spanned::new("base", base.span)),
        ];
        let mut given = given.into_iter().flatten();
        let (Some(first), Some(second)) = (given.next(), given.next()) else { return true };
        self.report(errors::one_of_two("how large blocks are and where they lie", &second, &first));
        false
    }

    /// True for `style scalar`.
    fn style(&mut self, word: Option<&Ident>) -> Option<bool> {
        let Some(word) = word else { return Some(false) };
        let words = ["vector", "scalar"];
        if !words.contains(&word.value.as_str()) {
            let close = nearest(&word.value, words);
            self.report(errors::unknown_word(word.span, "style", &word.value, &words, close));
            return None;
        }
        Some(word.value == "scalar")
    }

    /// Blocks in pieces: all of `base`, `size`, `num` and `stride`, or none.
    fn strided(
        &mut self,
        written: &ast::Collective,
        properties: &Properties<'_>,
        data: Option<&Spanned<WindowType>>,
    ) -> Lowered<Option<Strided>> {
        let Properties { base, size, num, stride, .. } = properties;
        let given = [base, size, num, stride];
        let Some(first) = given.iter().find_map(|property| property.as_ref()) else { return Ok(None) };
        let (Some(base), Some(size), Some(num), Some(stride)) = (base, size, num, stride) else {
            let owner = format!("`{}` with elements in steps", written.name.value);
            let words = ["base", "size", "num", "stride"];
            let missing = words.iter().zip(given).find(|(_, property)| property.is_none());
            let missing = missing.map_or("base", |(word, _)| word);
            let example = "all of `base rank  size 1  num 4  stride 4`";
            self.report(errors::missing_item(first.span, &owner, missing, example));
            return Err(Reported);
        };
        let span = base.span;
        let base = self.formula(Some(base))?.ok_or(Reported)?;
        let number = |context: &mut Self, expr: &Spanned<&Expr>, what| context.number(expr.value, what, 1);
        let (run, times) =
            (number(self, size, "the size of a piece"), number(self, num, "the number of pieces"));
        let step = number(self, stride, "the stride");
        let (Some(run), Some(times), Some(step), Some(data)) = (run, times, step, data) else {
            return Err(Reported);
        };
        if u64::from(run) * u64::from(times) != u64::from(data.value.elements) {
            self.report(errors::pieces(num.span, times, run, data));
            return Err(Reported);
        }
        Ok(Some(Strided { base, size: run, num: times, stride: step, span }))
    }
}
