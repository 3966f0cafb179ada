//! Random trees survive printing and parsing; random text never breaks anything.

use aiec_diag::{SourceFile, SourceId, Span, Spanned};
use aiec_dsl::ast::*;
use aiec_dsl::{RESERVED, parse, print};
use proptest::prelude::*;

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() }
}

const NOWHERE: Span = Span::new(SourceId(0), 0, 0);

fn at<T>(value: T) -> Spanned<T> {
    Spanned::new(value, NOWHERE)
}

fn name() -> impl Strategy<Value = Ident> {
    "[a-zA-Z_][a-zA-Z0-9_]{0,6}"
        .prop_filter("reserved", |name| !RESERVED.contains(&name.as_str()))
        .prop_map(at)
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..=i64::MAX).prop_map(ExprKind::Int),
        (0..100i64).prop_map(ExprKind::Int),
        "[0-9]{1,3}[.][0-9]{1,3}".prop_map(ExprKind::Decimal),
        name().prop_map(|name| ExprKind::Name(name.value)),
    ]
    .prop_map(|kind| Expr { kind, span: NOWHERE });
    leaf.prop_recursive(5, 24, 3, |inner| {
        let op = prop::sample::select(BinaryOp::ALL.to_vec());
        let function = prop::sample::select(vec![Function::Min, Function::Max]);
        prop_oneof![
            inner.clone().prop_map(|e| ExprKind::Neg(Box::new(e))),
            inner.clone().prop_map(|e| ExprKind::Not(Box::new(e))),
            (name(), inner.clone()).prop_map(|(table, e)| ExprKind::Item(table, Box::new(e))),
            name().prop_map(ExprKind::Len),
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| ExprKind::Binary(
                op,
                Box::new(a),
                Box::new(b)
            )),
            (function, prop::collection::vec(inner, 1..4))
                .prop_map(|(f, arguments)| ExprKind::Call(f, arguments)),
        ]
        .prop_map(|kind| Expr { kind, span: NOWHERE })
    })
}

fn text() -> impl Strategy<Value = Spanned<String>> {
    "[a-z0-9/_{}. é]{0,12}".prop_map(at)
}

fn unit() -> impl Strategy<Value = Unit> {
    prop::sample::select(vec![Unit::Byte, Unit::KiB, Unit::MiB])
}

fn window() -> impl Strategy<Value = Window> {
    (name(), expr(), prop::option::of(unit().prop_map(at))).prop_map(|(element, size, unit)| Window {
        element,
        size,
        unit,
        span: NOWHERE,
    })
}

fn bytes() -> impl Strategy<Value = Bytes> {
    (expr(), unit()).prop_map(|(amount, unit)| Bytes { amount, unit, span: NOWHERE })
}

fn index() -> impl Strategy<Value = Index> {
    let side = || prop::option::of(expr());
    prop_oneof![
        expr().prop_map(Index::At),
        (side(), side(), side()).prop_map(|(from, to, step)| Index::Range { from, to, step, span: NOWHERE }),
    ]
}

fn reference() -> impl Strategy<Value = Reference> {
    let part =
        (name(), prop::collection::vec(index(), 0..4)).prop_map(|(name, indices)| Part { name, indices });
    prop::collection::vec(part, 1..4).prop_map(|parts| Reference { parts, span: NOWHERE })
}

fn size() -> impl Strategy<Value = Size> {
    (expr(), prop::option::of(unit().prop_map(at))).prop_map(|(amount, unit)| Size { amount, unit })
}

fn flow() -> impl Strategy<Value = Flow> {
    (name(), prop::option::of(size())).prop_map(|(element, size)| Flow { element, size, span: NOWHERE })
}

fn port_type() -> impl Strategy<Value = PortType> {
    prop_oneof![
        (window(), prop::option::of(size())).prop_map(|(window, margin)| PortType::Window { window, margin }),
        flow().prop_map(PortType::Stream),
        flow().prop_map(PortType::Packets),
        name().prop_map(PortType::Cascade),
        (flow(), any::<Option<bool>>())
            .prop_map(|(values, asynchronous)| PortType::Parameter { values, asynchronous }),
    ]
}

fn port() -> impl Strategy<Value = Port> {
    let directions = vec![PortDirection::In, PortDirection::Out, PortDirection::Inout];
    let direction = prop::sample::select(directions);
    (direction, name(), prop::option::of(expr()), port_type()).prop_map(
        |(direction, name, extent, carries)| Port { direction, name, extent, carries, span: NOWHERE },
    )
}

fn dims() -> impl Strategy<Value = Vec<Dim>> {
    let dim = (prop::option::of(name()), expr()).prop_map(|(index, extent)| Dim { index, extent });
    prop::collection::vec(dim, 0..4)
}

fn code_name() -> impl Strategy<Value = Ident> {
    prop::collection::vec("[a-zA-Z_][a-zA-Z0-9_]{0,5}", 1..4).prop_map(|parts| at(parts.join("::")))
}

fn kernel() -> impl Strategy<Value = ItemKind> {
    let property = prop_oneof![
        text().prop_map(KernelProperty::Source),
        bytes().prop_map(KernelProperty::Stack),
        bytes().prop_map(KernelProperty::Heap),
        "[0-9]{1,3}([.][0-9]{1,3})?".prop_map(|ratio| KernelProperty::Runtime(at(ratio))),
        bytes().prop_map(KernelProperty::Program),
        expr().prop_map(KernelProperty::Repetitions),
        code_name().prop_map(KernelProperty::Function),
        text().prop_map(KernelProperty::Header),
        text().prop_map(KernelProperty::Init),
        arguments().prop_map(KernelProperty::Template),
        arguments().prop_map(KernelProperty::Arguments),
    ]
    .prop_map(at);
    let property = property.prop_recursive(2, 6, 3, |inner| {
        choice_of(prop::collection::vec(inner, 0..3).boxed())
            .prop_map(|choice| at(KernelProperty::If(choice)))
    });
    let lists = (prop::collection::vec(port(), 0..4), prop::collection::vec(property, 0..3));
    let called = prop::collection::vec(text(), 0..3);
    (name(), dims(), lists, called).prop_map(|(name, dims, (ports, properties), called)| {
        ItemKind::Kernel(Kernel { name, dims, ports, called, properties, body: NOWHERE })
    })
}

fn collective() -> impl Strategy<Value = ItemKind> {
    use CollectiveProperty as P;
    let operator =
        (name(), prop::option::of((text(), name()))).prop_map(|(name, from)| Operator { name, from });
    // `tree` and `hub` go on with a number, so they are no words of their own.
    let word = || name().prop_filter("a word alone", |word| word.value != "tree" && word.value != "hub");
    let shape = prop_oneof![
        word().prop_map(Shape::Word),
        word().prop_map(Shape::Merge),
        expr().prop_map(Shape::Tree),
        expr().prop_map(Shape::Hub),
    ];
    let property = prop_oneof![
        operator.prop_map(P::Op),
        window().prop_map(P::Data),
        proptest::option::of(window()).prop_map(P::Window),
        reference().prop_map(P::Root),
        shape.prop_map(P::Shape),
        name().prop_map(P::Style),
        name().prop_map(P::Peers),
        expr().prop_map(P::Packet),
        Just(P::Exclusive),
        Just(P::Headed),
        expr().prop_map(P::Shift),
        expr().prop_map(|rank| P::To(Target::Rank(rank))),
        prop::collection::vec(expr(), 2..4).prop_map(|indices| P::To(Target::At(indices))),
        bytes().prop_map(P::Max),
        expr().prop_map(P::Depth),
        expr().prop_map(P::Counts),
        expr().prop_map(P::Base),
        expr().prop_map(P::Size),
        expr().prop_map(P::Num),
        expr().prop_map(P::Stride),
        name().prop_map(P::Buffer),
        expr().prop_map(P::Calls),
        window().prop_map(P::Cycles),
        expr().prop_map(P::Reference),
    ];
    let operation = prop::sample::select(vec![
        "reduce",
        "reduce_scatter",
        "allgather",
        "scan",
        "sendrecv",
        "channel",
        "mailbox",
        "clock",
    ]);
    let parts = (
        operation.prop_map(|word| at(word.to_owned())),
        name(),
        prop::collection::vec(reference(), 1..4),
        prop::collection::vec(property.prop_map(at), 0..6),
    );
    let over = parts.prop_map(|(operation, name, over, properties)| Collective {
        operation,
        name,
        over,
        properties,
        on: None,
        services: Vec::new(),
    });
    prop_oneof![4 => over, 1 => active()].prop_map(ItemKind::Collective)
}

fn active() -> impl Strategy<Value = Collective> {
    let arguments = prop::collection::vec((name(), flow()), 0..4);
    let handler = (name(), arguments, prop::option::of(flow()))
        .prop_map(|(name, arguments, result)| Service::Handler(Handler { name, arguments, result }));
    let buffer = (name(), window()).prop_map(|(name, window)| Service::Buffer(name, window));
    let service = prop_oneof![handler, buffer].prop_map(at);
    let parts =
        (name(), reference(), prop::collection::vec(reference(), 1..4), prop::collection::vec(service, 0..4));
    parts.prop_map(|(name, owner, over, services)| Collective {
        operation: at("active".to_owned()),
        name,
        over,
        properties: Vec::new(),
        on: Some(owner),
        services,
    })
}

fn external() -> impl Strategy<Value = ItemKind> {
    let endpoint = prop_oneof![
        (expr(), text()).prop_map(|(width, file)| Endpoint::Plio { width, file }),
        prop::option::of(text()).prop_map(|file| Endpoint::Gmio { file }),
        prop::option::of(text()).prop_map(|file| Endpoint::Host { file }),
    ];
    let property = prop_oneof![
        prop::collection::vec(expr(), 1..4).prop_map(ExternalProperty::Initial),
        "[0-9]{1,3}([.][0-9]{1,3})?".prop_map(|mhz| ExternalProperty::Frequency(at(mhz))),
        expr().prop_map(ExternalProperty::Burst),
        expr().prop_map(ExternalProperty::Bandwidth),
        text().prop_map(ExternalProperty::Golden),
        prop::collection::vec(text(), 1..3).prop_map(ExternalProperty::Called),
    ];
    let properties = prop::collection::vec(property.prop_map(at), 0..3);
    let parts =
        (any::<bool>(), name(), prop::collection::vec(expr(), 0..2), endpoint.prop_map(at), properties);
    parts.prop_map(|(input, name, dims, endpoint, properties)| {
        ItemKind::External(External { input, name, dims, endpoint, properties })
    })
}

fn pair() -> impl Strategy<Value = Pair> {
    (expr(), expr()).prop_map(|(column, row)| Pair { column, row })
}

fn area() -> impl Strategy<Value = Area> {
    (pair(), prop::option::of(pair())).prop_map(|(from, to)| Area { from, to })
}

/// Spots in memory: several, or one with banks or offsets.
fn spots() -> impl Strategy<Value = Vec<Spot>> {
    let numbers = || prop::collection::vec(expr(), 1..3);
    let within = prop_oneof![
        Just(Within::Module),
        numbers().prop_map(Within::Banks),
        numbers().prop_map(Within::Offsets),
    ];
    let spot = (pair(), within).prop_map(|(tile, within)| Spot { tile, within });
    let is_memory = |spots: &Vec<Spot>| spots.len() > 1 || spots[0].within != Within::Module;
    prop::collection::vec(spot, 1..3).prop_filter("one tile alone is no memory", is_memory)
}

fn fifo() -> impl Strategy<Value = Fifo> {
    let place = prop_oneof![
        (pair(), expr()).prop_map(|(tile, offset)| FifoAt::Memory(tile, offset)),
        (pair(), expr()).prop_map(|(tile, number)| FifoAt::Switch(tile, number)),
        (expr(), expr()).prop_map(|(column, number)| FifoAt::Shim(column, number)),
    ];
    let place = place.prop_map(|at| FifoPlace { at, span: NOWHERE });
    (expr(), prop::collection::vec(place, 0..3)).prop_map(|(words, places)| Fifo { words, places })
}

fn constraint() -> impl Strategy<Value = ItemKind> {
    let expressions = || prop::collection::vec(expr(), 1..3);
    let distance = (prop::option::of(expr()), prop::option::of(expr()))
        .prop_map(|(columns, rows)| Distance { columns, rows });
    let at = prop_oneof![
        pair().prop_map(At::Tile),
        spots().prop_map(At::Memory),
        expressions().prop_map(At::Offsets),
        (expr(), prop::option::of(expr())).prop_map(|(column, channel)| At::Shim(Shim { column, channel })),
        (reference(), prop::option::of(distance)).prop_map(|(of, offset)| At::Kernel { of, offset }),
    ];
    let references = || prop::collection::vec(reference(), 1..4);
    prop_oneof![
        (reference(), at).prop_map(|(reference, at)| ItemKind::Place(Place { reference, at })),
        (references(), prop::collection::vec(area(), 1..3))
            .prop_map(|(references, areas)| ItemKind::Region(Region { references, areas })),
        references().prop_map(ItemKind::Together),
        (references(), any::<bool>())
            .prop_map(|(references, by_core)| ItemKind::Apart(Apart { references, by_core })),
        area().prop_map(ItemKind::KeepOut),
    ]
}

fn statement() -> impl Strategy<Value = Item> {
    let end = || {
        (any::<bool>(), reference(), prop::option::of(expr())).prop_map(
            |(asynchronous, reference, windows)| {
                let span = reference.span;
                ConnectEnd { asynchronous, reference, windows, span }
            },
        )
    };
    let ends = || prop::collection::vec(end(), 1..3);
    let switches = vec![Switch::Split, Switch::Merge, Switch::OrderedMerge];
    let switch = prop::option::of(prop::sample::select(switches).prop_map(at));
    let number = prop::option::of(expr());
    let property =
        prop_oneof![name().prop_map(ConnectProperty::Buffer), fifo().prop_map(ConnectProperty::Fifo)];
    let leaf = prop_oneof![
        (ends(), ends(), switch, number, prop::collection::vec(property.prop_map(at), 0..3)).prop_map(
            |(from, to, switch, number, properties)| {
                let is_split = switch.as_ref().is_some_and(|switch| switch.value == Switch::Split);
                let first = number.filter(|_| is_split);
                ItemKind::Connect(Connect { from, to, switch, first, properties })
            }
        ),
        constraint(),
        (expr(), text()).prop_map(|(condition, message)| ItemKind::Assert(Assertion { condition, message })),
    ]
    .prop_map(item);
    leaf.prop_recursive(3, 6, 3, |inner| {
        let body = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            (name(), expr(), expr(), body())
                .prop_map(|(variable, from, to, body)| item(ItemKind::For(For { variable, from, to, body }))),
            choice(body().boxed()),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Vec<Argument>> {
    let argument = (expr(), prop::option::of(name())).prop_map(|(value, class)| Argument { value, class });
    prop::collection::vec(argument, 0..3)
}

fn choice(body: BoxedStrategy<Vec<Item>>) -> impl Strategy<Value = Item> {
    choice_of(body).prop_map(|choice| item(ItemKind::If(choice)))
}

fn choice_of<T: Clone + std::fmt::Debug + 'static>(
    body: BoxedStrategy<Vec<T>>,
) -> impl Strategy<Value = Choice<T>> {
    let block = body.prop_map(|items| Block { items, span: NOWHERE });
    let branch = (expr(), block.clone()).prop_map(|(condition, block)| Branch { condition, block });
    (prop::collection::vec(branch, 1..3), prop::option::of(block))
        .prop_map(|(branches, otherwise)| Choice { branches, otherwise })
}

fn constant() -> impl Strategy<Value = Constant> {
    prop_oneof![
        expr().prop_map(Constant::Number),
        prop::collection::vec(expr(), 1..30).prop_map(Constant::Table),
        text().prop_map(Constant::File),
    ]
}

fn settings() -> impl Strategy<Value = Vec<Setting>> {
    let setting = (name(), expr()).prop_map(|(name, value)| Setting { name, value });
    prop::collection::vec(setting, 0..3)
}

fn instance() -> impl Strategy<Value = ItemKind> {
    let parts = (name(), dims(), name(), settings(), prop::option::of(text()));
    parts.prop_map(|(name, dims, component, constants, called)| {
        ItemKind::Instance(Instantiation { name, dims, component, constants, called })
    })
}

fn component(inside: BoxedStrategy<Item>) -> impl Strategy<Value = Item> {
    let constant = (name(), constant()).prop_map(|(name, value)| item(ItemKind::Const { name, value }));
    let body = prop::collection::vec(prop_oneof![inside, constant], 0..4);
    let parts = (name(), settings(), prop::collection::vec(port(), 0..3), body);
    parts.prop_map(|(name, constants, ports, items)| {
        let body = Block { items, span: NOWHERE };
        item(ItemKind::Component(Component { name, constants, ports, body }))
    })
}

fn item(kind: ItemKind) -> Item {
    Item { kind, span: NOWHERE }
}

fn program() -> impl Strategy<Value = Program> {
    let other = prop_oneof![
        name().prop_map(ItemKind::Design),
        name().prop_map(ItemKind::Device),
        text().prop_map(ItemKind::Vitis),
        name().prop_map(ItemKind::Board),
        expr().prop_map(ItemKind::Iterations),
        (name(), prop::option::of(text())).prop_map(|(kind, object)| ItemKind::Ports(kind, object)),
        (name(), constant()).prop_map(|(name, value)| ItemKind::Const { name, value }),
        text().prop_map(ItemKind::Import),
        (text(), text()).prop_map(|(slug, reason)| ItemKind::Allow(Allow { slug, reason })),
    ];
    let declaration = || prop_oneof![kernel(), collective(), external(), instance()].prop_map(item);
    let top = prop_oneof![declaration(), statement()].boxed();
    let chosen = choice(prop::collection::vec(top.clone(), 0..3).boxed());
    let item = prop_oneof![other.prop_map(item), declaration(), statement(), chosen, component(top)];
    prop::collection::vec(item, 1..6).prop_map(|items| Program {
        items,
        span: NOWHERE,
        once: std::collections::BTreeSet::new(),
    })
}

/// The tree as text without its spans.
fn without_spans(program: &Program) -> String {
    // The words of a text belong to no tree.
    let program = Program { once: std::collections::BTreeSet::new(), ..program.clone() };
    let text = format!("{program:?}");
    let mut parts = text.split("Span { source: SourceId(0), start: ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| kept.push_str(part.split_once('}').map_or(part, |(_, rest)| rest)));
    kept
}

/// One example of everything, with comments in many places.
const SAMPLE: &str = "\
// head
design d device xcvc1902 /* dev */ iterations 3
ports /* api */ buffer
const N = 0x1F << 2 // shift
kernel w[N][2](in x: window int32[8], /* c */ out y: window float[1 KiB]) { source \"w.cc\" stack 2 KiB // s
}
reduce t over w[0..3][1], w { op sum data int32[4] reference rank + -i * 3 % 2 }
input a[4] from plio(64, \"in_{}.txt\") output b to gmio
connect async a[1..].x -> w[..][0] buffer single
for i in 0..N - 1 { place w[i] at (min(i, 3), 2) } // end
place w[1][0] at w[0][0] + (-1, /* up */ 2) place w[2][0] at w[0][1]
region w[0..3][1], w in (1, 0) to (N, 3) // area
together w[0][0], w[0][1] apart w[..][0]
keepout (3, 3) keepout (4, 4) to (5, /* f */ 5)
const T = [1, /* two */ -2,] const U = from \"u.txt\" // table
kernel m[r: N][c: 2][3] { source \"m.cc\" }
kernel f[r: 2] { function g header \"g.h\" template (int16, r * 2, as) if r == 0 { source \"a.cc\" } // a
 else if r { stack 1 KiB arguments (T as float, r as int32) } else { /* b */ init \"go\" } heap 1 KiB }
assert (N & 1) == 0 | !T[N ^ 1] \"even\" /* why */ allow \"check/may-hang\" /* it */ because \"fine\" // so
if N >= len(T) /* large */ { // then
    together m[0..8 step 2][..][.. step 2], w[..step] // in it
} else if N != 1 { kernel x { source \"x.cc\" } }
else { // last
    for i in 0..2 { if i < 1 { apart m, w } }
}
kernel v { source \"v.cc\" runtime 0.25 /* r */ program 4 KiB }
";

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_parses_to_the_same_tree(program in program()) {
        let printed = print(&file(""), &program);
        let file = file(&printed);
        let outcome = parse(&file);
        prop_assert!(outcome.diagnostics().is_empty(), "{:?}\n{printed}", outcome.diagnostics());
        let again = outcome.value().expect("no diagnostics");
        prop_assert_eq!(without_spans(again), without_spans(&program), "{}", printed);
        prop_assert_eq!(print(&file, again), printed.clone(), "printing is idempotent");
    }

    #[test]
    fn mangled_designs_give_a_tree_or_an_error(cuts in prop::collection::vec((0usize..700, 0usize..700, "[ -~\n]{0,3}"), 1..5)) {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for (start, length, patch) in cuts {
            let start = start % text.len().max(1);
            let end = (start + length % 12).min(text.len());
            text.splice(start..end, patch.chars());
        }
        let file = file(&text.into_iter().collect::<String>());
        let outcome = parse(&file);
        prop_assert_eq!(outcome.value().is_some(), outcome.diagnostics().is_empty());
        if let Some(program) = outcome.value() {
            keeps_everything(&file, program)?;
        }
    }

    #[test]
    fn comments_anywhere_are_kept(places in prop::collection::vec((0usize..700, any::<bool>()), 0..6)) {
        let file = file(&with_comments(places));
        let outcome = parse(&file);
        prop_assert!(outcome.diagnostics().is_empty(), "{:?}\n{}", outcome.diagnostics(), file.text);
        keeps_everything(&file, outcome.value().expect("no diagnostics"))?;
    }

    #[test]
    fn any_text_gives_a_tree_or_an_error(text in "\\PC{0,80}") {
        let outcome = parse(&file(&text));
        prop_assert_eq!(outcome.value().is_some(), outcome.diagnostics().is_empty());
    }
}

/// The sample with comments put where white space is, outside its own comments.
fn with_comments(places: Vec<(usize, bool)>) -> String {
    let free = |at: &usize| {
        let before = &SAMPLE[..*at];
        let line = before.rsplit('\n').next().unwrap_or_default();
        !line.contains("//") && before.matches("/*").count() == before.matches("*/").count()
    };
    let spaces: Vec<usize> = SAMPLE.match_indices([' ', '\n']).map(|(at, _)| at).filter(free).collect();
    let mut places: Vec<(usize, bool)> =
        places.into_iter().map(|(at, line)| (spaces[at % spaces.len()], line)).collect();
    places.sort_unstable();
    let mut text = SAMPLE.to_owned();
    for (number, (at, line)) in places.into_iter().enumerate().rev() {
        let comment = if line { format!(" // new{number}\n") } else { format!(" /* new{number}\n*/ ") };
        text.insert_str(at, &comment);
    }
    text
}

/// Printing keeps the tree and every comment, and printing again changes nothing.
fn keeps_everything(file: &SourceFile, program: &Program) -> Result<(), TestCaseError> {
    let printed = self::file(&print(file, program));
    let outcome = parse(&printed);
    prop_assert!(outcome.diagnostics().is_empty(), "{:?}\n{}", outcome.diagnostics(), printed.text);
    let again = outcome.value().expect("no diagnostics");
    prop_assert_eq!(without_spans(again), without_spans(program));
    prop_assert_eq!(&print(&printed, again), &printed.text, "from\n{}", file.text);
    for marker in ["//", "/*", "new"] {
        prop_assert_eq!(
            count(&printed.text, marker),
            count(&file.text, marker),
            "{}\n{}",
            file.text,
            printed.text
        );
    }
    Ok(())
}

fn count(text: &str, marker: &str) -> usize {
    text.matches(marker).count()
}
