use super::*;
use crate::ElementType;
use crate::ids::{ExternalFamilyId, FamilyId, IdVec};
use aiec_collectives::{Buffering, PortKind};
use aiec_diag::{SourceId, Span, Spanned};
use petgraph::graph::DiGraph;

/// `kernel a[2](out y)`, `output o[2]`, `connect async a.y -> o`.
fn written() -> Design {
    let span = Span::new(SourceId(0), 0, 1);
    let port = design::UserPort {
        name: "y".into(),
        direction: Direction::Out,
        carries: Carries::window_of(crate::WindowType { element: ElementType::Int32, elements: 4 }),
        asynchronous: false,
        says_how: false,
        written: design::WrittenType::default(),
        span,
    };
    let family = design::Family {
        name: "a".into(),
        dims: vec![2],
        ports: vec![port],
        bodies: vec![design::Body {
            stack: Some(Spanned::new(2048, span)),
            runtime: Some(Spanned::new(400, span)),
            arguments: Some(vec![design::Argument::Number { value: -3, class: None }]),
            ..design::Body::of("f".into(), Spanned::new("kernels/a.cc".into(), span))
        }],
        span,
    };
    let bits = Spanned::new(64, span);
    let external = design::ExternalFamily {
        name: "o".into(),
        dims: vec![2],
        direction: Direction::In,
        end: FarEnd::Array(Endpoint::Plio { bits, file: "data/o_{}.txt".into(), frequency: None }),
        golden: None,
        logical: Vec::new(),
        alone: None,
        span,
    };
    let select = |node, asynchronous: bool| {
        let windows = asynchronous.then(|| Spanned::new(3, span));
        Selection { node, ports: vec![0], instances: vec![0, 1], asynchronous, windows, fifo: None, span }
    };
    let (from, to) = (Node::Family(FamilyId(0)), Node::External(ExternalFamilyId(0)));
    let mut graph = DiGraph::new();
    let nodes = [graph.add_node(from), graph.add_node(to)];
    let link = design::Link {
        from: vec![select(from, true)],
        to: vec![select(to, false)],
        buffering: Buffering::Single,
        buffer: None,
        fifo: None,
        fifo_places: Vec::new(),
        fifo_memory: None,
        fifo_span: None,
        switch: None,
        first: 0,
        first_span: None,
        level: None,
        borders: Vec::new(),
        fifo_level: None,
        span,
    };
    graph.add_edge(nodes[0], nodes[1], link);
    Design {
        name: Spanned::new("lanes".into(), span),
        device: Spanned::new("toy".into(), span),
        release: aiec_device::Release::standard(),
        board: aiec_device::Board::default(),
        written: design::Written::default(),
        language: design::Language::Aiec,
        is_component: false,
        iterations: 2,
        port_kind: PortKind::Buffer,
        constants: vec![("N".into(), 2)],
        tables: vec![("TAPS".into(), [3, -9].into())],
        decimals: vec![(
            "HALF".into(),
            design::Decimals::One(crate::Decimal::parse("0.5").expect("a decimal")),
        )],
        ambiguous: Default::default(),
        families: IdVec::from_iter([family]),
        externals: IdVec::from_iter([external]),
        collectives: IdVec::new(),
        places: Vec::new(),
        constraints: Constraints::default(),
        blocks: crate::Blocks::default(),
        shims: Vec::new(),
        shim_ties: Vec::new(),
        shim_links: Vec::new(),
        subgraphs: IdVec::new(),
        allowances: Vec::new(),
        graph,
    }
}

#[test]
fn a_design_is_text_without_ids() {
    let text = dump_design(&written());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["constants"][0]["name"], "N");
    assert_eq!(json["tables"][0]["values"][1], -9);
    assert_eq!(json["decimals"][0]["values"][0], 0.5);
    assert_eq!(json["ports"], "buffer");
    assert_eq!(json["kernels"][0]["ports"][0]["window"], "int32[4]");
    assert_eq!(json["kernels"][0]["stack"], 2048);
    assert_eq!(json["kernels"][0]["function"], "f");
    assert_eq!(json["kernels"][0]["arguments"][0], "-3");
    assert_eq!(json["kernels"][0]["runtime"], 0.4);
    assert_eq!(json["externals"][0]["plio"]["bits"], 64);
    assert_eq!(json["connections"][0]["from"]["ports"][1], "a[1].y");
    assert_eq!(json["connections"][0]["from"]["async"], true);
    assert_eq!(json["connections"][0]["to"]["ports"][0], "o[0]");
    assert_eq!(json["connections"][0]["buffer"], "single");
}
