//! Resolved sizes, shown behind the expressions that state them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use aiec_collectives::ElementType;
use aiec_diag::{Spanned, size};
use aiec_dsl::ast::{
    Bytes, CollectiveProperty, ConnectProperty, Dim, Expr, ExprKind, Flow, Item, ItemKind, KernelProperty,
    Port, PortType, Service, Size, Unit, Window,
};
use aiec_lower::Constants;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams};

use crate::facts;
use crate::hover::designs_of;
use crate::uri::path_of;
use crate::world::{Root, World};

/// A byte of the text and what is shown there.
type Hint = (usize, String);

/// The hints of a range: the bytes of ports and memory, and numbers that names give.
pub fn hints(
    world: &World,
    roots: &BTreeMap<PathBuf, Root>,
    params: &InlayHintParams,
) -> Option<Vec<InlayHint>> {
    let file = world.file(&path_of(&params.text_document.uri))?;
    let lines = world.lines(file);
    let range = lines.bytes(params.range);
    let constants = world.constants(file, roots);
    let mut hints: Vec<Hint> = Vec::new();
    for item in &world.files[file].program.items {
        if let ItemKind::Component(component) = &item.kind {
            let path = &world.files[file].path;
            let settings = designs_of(path, path, roots)
                .map(|design| facts::settings(design, &component.name.value))
                .find(|settings| !settings.is_empty());
            let inside = constants.with(&settings.unwrap_or_default());
            ports(&component.ports, &inside, &mut hints);
            component.body.items.iter().for_each(|item| of_item(item, &inside, &mut hints));
        } else {
            of_item(item, &constants, &mut hints);
        }
    }
    hints.retain(|(at, _)| range.start <= *at && *at <= range.end);
    hints.sort();
    Some(hints.into_iter().map(|(at, text)| hint(lines.position(at), text)).collect())
}

const fn hint(position: lsp_types::Position, text: String) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(text),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn of_item(item: &Item, constants: &Constants, hints: &mut Vec<Hint>) {
    match &item.kind {
        ItemKind::Kernel(kernel) => {
            dims(&kernel.dims, constants, hints);
            ports(&kernel.ports, constants, hints);
            let properties = kernel.all_properties().into_iter();
            properties.for_each(|property| of_kernel(&property.value, constants, hints));
        }
        ItemKind::Iterations(number_of) => number(number_of, constants, hints),
        ItemKind::Connect(connect) => {
            for property in &connect.properties {
                if let ConnectProperty::Fifo(fifo) = &property.value {
                    number(&fifo.words, constants, hints);
                }
            }
        }
        ItemKind::Instance(instance) => dims(&instance.dims, constants, hints),
        ItemKind::External(external) => {
            external.dims.iter().for_each(|extent| number(extent, constants, hints));
        }
        ItemKind::Collective(collective) => {
            for property in &collective.properties {
                match &property.value {
                    CollectiveProperty::Data(sized)
                    | CollectiveProperty::Window(Some(sized))
                    | CollectiveProperty::Cycles(sized) => window(sized, constants, hints),
                    _ => {}
                }
            }
            for service in &collective.services {
                match &service.value {
                    Service::Handler(handler) => {
                        let flows = handler.arguments.iter().map(|(_, flow)| flow);
                        flows.for_each(|flow| array(flow, constants, hints));
                    }
                    Service::Buffer(_, data) => window(data, constants, hints),
                }
            }
        }
        ItemKind::If(choice) => {
            let blocks = choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise);
            blocks.flat_map(|block| &block.items).for_each(|item| of_item(item, constants, hints));
        }
        _ => {}
    }
}

/// Stack, heap and program memory in bytes, and numbers of runs and cycles.
fn of_kernel(property: &KernelProperty, constants: &Constants, hints: &mut Vec<Hint>) {
    match property {
        KernelProperty::Stack(bytes) | KernelProperty::Heap(bytes) | KernelProperty::Program(bytes) => {
            memory(bytes, constants, hints);
        }
        KernelProperty::Repetitions(runs) => number(runs, constants, hints),
        KernelProperty::Cycles(cycles) => number(cycles, constants, hints),
        _ => {}
    }
}

/// Bytes whose number is no plain one.
fn memory(bytes: &Bytes, constants: &Constants, hints: &mut Vec<Hint>) {
    let amount = constants.value(&bytes.amount).filter(|_| !is_plain(&bytes.amount));
    let all = amount.and_then(|amount| amount.checked_mul(bytes.unit.bytes())).filter(|all| *all >= 0);
    if let Some(all) = all {
        hints.push((bytes.span.end as usize, format!("= {}", size(all.unsigned_abs()))));
    }
}

fn dims(dims: &[Dim], constants: &Constants, hints: &mut Vec<Hint>) {
    dims.iter().for_each(|dim| number(&dim.extent, constants, hints));
}

/// The value of an expression that is no plain number.
fn number(expr: &Expr, constants: &Constants, hints: &mut Vec<Hint>) {
    if let Some(value) = constants.value(expr).filter(|_| !is_plain(expr)) {
        hints.push((expr.span.end as usize, format!("= {value}")));
    }
}

const fn is_plain(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(_))
}

fn ports(ports: &[Port], constants: &Constants, hints: &mut Vec<Hint>) {
    for port in ports {
        port.extent.iter().for_each(|extent| number(extent, constants, hints));
        match &port.carries {
            PortType::Window { window: sized, margin } => {
                window(sized, constants, hints);
                if let Some(Size { amount, unit: None }) = margin {
                    number(amount, constants, hints);
                }
            }
            PortType::Stream(flow) | PortType::Packets(flow) | PortType::Parameter { values: flow, .. } => {
                array(flow, constants, hints);
            }
            PortType::Cascade(_) => {}
        }
    }
}

/// Elements and bytes of what one run moves, of a parameter, or of an array in a request.
fn array(flow: &Flow, constants: &Constants, hints: &mut Vec<Hint>) {
    if let Some(size) = &flow.size {
        let (element, span) = (flow.element.clone(), flow.span);
        let sized = Window { element, size: size.amount.clone(), unit: size.unit.clone(), span };
        window(&sized, constants, hints);
    }
}

/// Elements and bytes of a window, as far as the text does not state them.
fn window(sized: &Window, constants: &Constants, hints: &mut Vec<Hint>) {
    let Some(amount) = constants.value(&sized.size) else { return };
    let Some(element) = ElementType::from_name(&sized.element.value) else { return };
    let width = i64::from(element.bytes());
    let bytes = match &sized.unit {
        Some(unit) => amount.checked_mul(unit.value.bytes()),
        None => amount.checked_mul(width),
    };
    let Some(bytes) = bytes.filter(|bytes| *bytes > 0) else { return };
    let shown = size(bytes.unsigned_abs());
    let text = match &sized.unit {
        Some(Spanned { value: Unit::Byte, .. }) if is_plain(&sized.size) => {
            format!("= {} elements", bytes / width)
        }
        Some(_) => format!("= {} elements, {shown}", bytes / width),
        None if is_plain(&sized.size) => format!("= {shown}"),
        None => format!("= {amount} elements, {shown}"),
    };
    hints.push((sized.span.end as usize, text));
}
