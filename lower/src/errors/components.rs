//! Constructors for faults of imports, components and their instances.

use aiec_diag::{Diagnostic, LISTED, Span, Spanned, catalogue, listed};
use aiec_ir::Direction;
use aiec_ir::design::{Collective, Subgraph, UserPort, local_name};

use aiec_dsl::ast::ConnectEnd;

use super::{quoted, suggestion};

/// A file that is imported and cannot be read.
pub fn unread_import(span: Span, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNUSABLE_IMPORT,
        format!("`{path}` cannot be imported: {reason}"),
        "write the path from the folder of the file that imports it",
    )
    .label(span, "the path of a file of components")
}

/// Too many imported files.
pub fn too_many_files(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNUSABLE_IMPORT,
        format!("the design imports more than {most} files"),
        "put several components into one file",
    )
    .label(span, "one file too many")
}

/// An imported file that holds more than components.
pub fn no_library(span: Span, path: &str, item: Span, is_design: bool) -> Diagnostic {
    let what = if is_design { "is a design" } else { "holds more than components" };
    Diagnostic::new(
        &catalogue::UNUSABLE_IMPORT,
        format!("`{path}` {what}: an imported file has components, constants, imports and assertions"),
        "put the components into a file of their own, and import that one",
    )
    .label(span, "needs a file of components alone")
    .label(item, "only a design has this")
}

/// Files that import each other. `chain` lists them from the first one that comes again.
pub fn import_circle(span: Span, path: &str, chain: &[&str]) -> Diagnostic {
    let names: Vec<String> =
        chain.iter().filter(|name| !name.is_empty()).map(|name| format!("`{name}`")).collect();
    let message = match names.as_slice() {
        [] => format!("the design imports itself as `{path}`"),
        names => format!("files import each other in a circle: {} imports `{path}`", names.join(" imports ")),
    };
    Diagnostic::new(
        &catalogue::IMPORT_CYCLE,
        message,
        "move what both files need into a third one, and import that in both",
    )
    .label(span, "this import closes the circle")
}

/// A component that holds an instance of itself. `chain` lists the components from the first one
/// on.
pub fn recursive_component(span: Span, chain: &[&str]) -> Diagnostic {
    let first = chain.first().copied().unwrap_or_default();
    let names: Vec<String> = chain.iter().chain([&first]).map(|name| format!("`{name}`")).collect();
    Diagnostic::new(
        &catalogue::IMPORT_CYCLE,
        format!("components hold each other in a circle: {}", names.join(" holds ")),
        "no component holds itself, not even under `if`: write an array of instances, or a component for each level",
    )
    .label(span, "this instance closes the circle")
}

/// Components that are nested too deeply.
pub fn too_deep(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("components are nested more than {most} deep"),
        "join components that have a single instance",
    )
    .label(span, "one level too many")
}

/// Too many instances of components.
pub fn too_many_subgraphs(span: Span, total: u128, most: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the design has {total} instances of components, and {most} is the limit"),
        "declare arrays of kernels inside the component",
    )
    .label(span, "the limit is passed here")
}

/// Instances of components with too many items in all.
pub fn too_many_subgraph_items(span: Span, most: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the instances of components have more than {most} declarations and statements"),
        "declare arrays of kernels inside the component, and fewer instances",
    )
    .label(span, "the limit is passed in this component")
}

/// A component that a file has twice, by declaration or import.
pub fn duplicate_component(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::DUPLICATE_NAME,
        format!("there are two components called `{name}`"),
        "rename one of the two",
    )
    .label(again, "the second comes from here")
    .label(first, "the first comes from here")
}

/// A constant `setting` that the component `owner` does not have.
pub fn unknown_setting(
    setting: &Spanned<String>,
    owner: &Spanned<String>,
    known: &[&str],
    close: Option<&str>,
) -> Diagnostic {
    let (name, span) = (&setting.value, setting.span);
    let (owner, declared) = (&owner.value, owner.span);
    let all = match known {
        [] => format!("`{owner}` has no constants: leave it out"),
        known => format!("its constants are {}", known.join(", ")),
    };
    Diagnostic::new(
        &catalogue::UNKNOWN_NAME,
        format!("component `{owner}` has no constant `{name}` that an instance can set"),
        suggestion(close, &all),
    )
    .label(span, "not a constant of the component")
    .label(declared, format!("`{owner}` is declared here"))
    .suggesting(span, close)
}

/// Adds the instance in which a fault was found.
pub fn within_instance(diagnostic: Diagnostic, name: &str, span: Span) -> Diagnostic {
    let is_own = diagnostic.labels.iter().any(|label| label.span == span);
    if is_own { diagnostic } else { diagnostic.label(span, format!("in the instance `{name}`")) }
}

/// A file of components where a design is needed.
pub fn only_components(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::MISSING_ITEM,
        "the file has components, but no `design`",
        "import the file into a design, or check its components alone with `aiec check`",
    )
    .label(span, "`design` is missing here")
}

/// An input or output inside a component.
pub fn external_in_component(span: Span, name: &str, input: bool) -> Diagnostic {
    let (what, direction) = if input { ("input", "in") } else { ("output", "out") };
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("the {what} `{name}` lies in a component, each instance of which would need its own"),
        format!(
            "make it a port such as `{direction} {name}: window int32[256]`, and connect it in the design"
        ),
    )
    .label(span, format!("an {what} of the whole array"))
}

/// An instance of a component where one of its kernels or ports is needed. `inside` are the names
/// of those that may stand there, which are `parts`.
pub fn instance_as_node(span: Span, name: &str, wanted: &str, parts: &str, inside: &[&str]) -> Diagnostic {
    let example = inside.first().map_or_else(String::new, |inside| format!(", such as `{name}.{inside}`"));
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is an instance of a component, where {wanted} is needed"),
        format!("name one of its {parts}{example}"),
    )
    .label(span, "an instance of a component")
}

/// A name behind that of an instance that its component does not declare. `ports` are those of the
/// component, and `kernel` is one inside, of which a port is needed, with a close name.
pub fn unknown_inside(
    span: Span,
    component: &str,
    name: &str,
    ports: &[&str],
    close: Option<&str>,
    kernel: Option<&str>,
) -> Diagnostic {
    let list = match ports {
        [] => format!("`{component}` has no ports; a port of a kernel inside is `INSTANCE.KERNEL.PORT`"),
        _ => format!("the ports of `{component}` are {}", quoted(ports.iter().copied())),
    };
    let list = match kernel {
        Some(kernel) => format!("did you mean `{kernel}`? Name one of its ports, `{kernel}.PORT`; {list}"),
        None => list,
    };
    let message = format!("the component `{component}` has nothing called `{name}`");
    Diagnostic::new(&catalogue::UNKNOWN_NAME, message, suggestion(close, list))
        .label(span, format!("not declared in `{component}`"))
        .suggesting(span, close)
}

/// A port of a component, written as `name`, at the wrong end of a connection.
pub fn component_direction(span: Span, name: &str, port: &UserPort, inside: bool) -> Diagnostic {
    let (what, side) = match (port.direction, inside) {
        (Direction::In, true) => ("an input of the component, so it gives data inside", "left"),
        (Direction::Out, true) => ("an output of the component, so it takes data inside", "right"),
        (Direction::In, false) => ("an input of the instance, so it takes data", "right"),
        (Direction::Out, false) => ("an output of the instance, so it gives data", "left"),
    };
    Diagnostic::new(
        &catalogue::WRONG_DIRECTION,
        format!("`{name}` is {what}"),
        format!("write `{name}` on the {side} side of `->`"),
    )
    .label(span, "on the wrong side of `->`")
    .label(port.span, format!("declared as `{}`", if port.direction == Direction::In { "in" } else { "out" }))
}

/// `async` at a port of a component, which comes with its name as written. `outside` is the
/// component, unless the connection lies in it.
pub fn async_component(
    (end, name): (&ConnectEnd, &str),
    port: &UserPort,
    outside: Option<&Subgraph>,
) -> Diagnostic {
    let inner = port.declared_name();
    let example = match port.direction {
        Direction::In => format!("`connect {inner} -> async KERNEL.PORT`"),
        Direction::Out => format!("`connect async KERNEL.PORT -> {inner}`"),
    };
    let help = match outside {
        Some(of) => {
            format!("write it in the component `{}`, in front of the kernel's port: {example}", of.component)
        }
        None => "write it in the component that has the kernel, in front of the kernel's port".to_owned(),
    };
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!(
            "`{name}` is a port of a component: whether a kernel acquires its windows is up to the kernel"
        ),
        help,
    )
    .label(end.reference.span, "not a port of a kernel")
    .removing(end.async_span(), "async")
}

/// `windows` at a port of a component.
pub fn windows_of_component(span: Span, end: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WINDOWS_OF_RUN,
        format!("`{name}` is a port of a component: how many windows pass in one run is up to a kernel"),
        "write `windows` in the component, behind the kernel's port",
    )
    .label(span, "the number of windows in one run")
    .label(end, "not a port of a kernel")
    .removing(Span { start: end.end, ..span }, "windows")
}

/// A port that carries something else than the port it is connected to. Each comes with its name as
/// written in the connection.
pub fn other_type(
    (from, producer): (&UserPort, &Spanned<String>),
    (to, consumer): (&UserPort, &Spanned<String>),
) -> Diagnostic {
    let (given, taken) = (from.carries.to_string(), to.carries.to_string());
    Diagnostic::new(
        &catalogue::COMPONENT_PORT,
        format!("`{}` carries {given}, but `{}` carries {taken}", producer.value, consumer.value),
        "state at the component's port what the kernel's port inside carries",
    )
    .label(producer.span, given)
    .label(consumer.span, taken)
    .label(from.span, format!("`{}` is declared here", producer.value))
    .label(to.span, format!("`{}` is declared here", consumer.value))
}

/// Ports of components that the same two connections feed. `inside` is the component, if its own
/// text has them.
pub fn fed_twice<N: std::fmt::Display>(
    names: impl IntoIterator<Item = N>,
    inside: Option<&str>,
    again: Span,
    first: Span,
) -> Diagnostic {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    let verb = if names.len() == 1 { "gets" } else { "get" };
    let place = inside.map_or_else(String::new, |component| format!(" in the component `{component}`"));
    Diagnostic::new(
        &catalogue::COMPONENT_PORT,
        format!("{} {verb} data from two connections{place}", listed_names(&names)),
        "leave one of them out, or merge packets in front of the port",
    )
    .label(again, "the second connection")
    .label(first, "the first connection")
}

fn listed_names(names: &[String]) -> String {
    listed(names.iter().map(|name| format!("`{name}`")), LISTED)
}

/// A port of a component that nothing inside is connected to.
pub fn open_inside(port: &UserPort, component: &str) -> Diagnostic {
    let name = &port.name;
    let example = match port.direction {
        Direction::In => format!("`connect {name} -> ...`"),
        Direction::Out => format!("`connect ... -> {name}`"),
    };
    Diagnostic::new(
        &catalogue::COMPONENT_PORT,
        format!("nothing in the component `{component}` is connected to its port `{name}`"),
        format!("connect it inside with {example}, or remove the port"),
    )
    .label(port.span, format!("no `connect` in the component names `{name}`"))
}

/// A port of an instance that nothing outside is connected to. `local` is its name in the text with
/// the instance.
pub fn open_outside(name: &str, local: &str, input: bool, [instance, port]: [Span; 2]) -> Diagnostic {
    let example =
        if input { format!("`connect ... -> {local}`") } else { format!("`connect {local} -> ...`") };
    Diagnostic::new(
        &catalogue::COMPONENT_PORT,
        format!("nothing is connected to `{name}`"),
        format!("connect it with {example}"),
    )
    .label(instance, format!("`{name}` is a port of this instance"))
    .label(port, "the component's declaration of the port")
}

/// A split or merge whose data comes from another one, through ports of this name in instances.
/// `first` is the other one, where it leads to the port itself.
pub fn switch_after_switch(span: Span, names: &[String], first: Option<Span>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::COMPONENT_PORT,
        format!("the packets of {} come from another split or merge", listed_names(names)),
        "put a kernel between the two",
    )
    .label(span, "the second split or merge")
    .label_at(first, "the first one")
}

/// A split or merge whose end leads to several ports, in each of these instances.
pub fn switch_to_many(span: Span, names: &[String], count: usize) -> Diagnostic {
    let verb = if names.len() == 1 { "leads" } else { "lead" };
    Diagnostic::new(
        &catalogue::COMPONENT_PORT,
        format!(
            "{} {verb} to {count} ports, but a split or merge ends at one port for each end",
            listed_names(names)
        ),
        "split the packets further with a kernel, or give the component a port for each consumer",
    )
    .label(span, "the split or merge")
}

/// Several instances where one is placed.
pub fn one_instance_needed(span: Span, name: &str, count: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        format!("a tile belongs to one instance, but this selects {count}"),
        format!(
            "name one of them, such as `{name}[0]`, place each in a loop, or place all by as many others: `place {name} at \
             OTHERS + (0, 1)` pairs them in order"
        ),
    )
    .label(span, format!("this selects {count} instances"))
}

/// An instance that the component of `around` places, and that is placed again outside of it.
pub fn placed_inside(placed: &Subgraph, around: &Subgraph, again: Span, first: Span) -> Diagnostic {
    let (name, outer, component) = (&placed.name, &around.name, &around.component);
    Diagnostic::new(
        &catalogue::DUPLICATE_ITEM,
        format!("`{name}` is placed here and, like that of every instance, in the component `{component}`"),
        format!(
            "place `{outer}` as a whole, or leave out the `place` in `{component}` and place what it places in each instance"
        ),
    )
    .label(again, "placed again here")
    .label(first, format!("`{component}` places it here"))
}

/// An instance that is placed by a kernel.
pub fn instance_by_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is no instance of a component, and an instance is placed by a tile or an instance"),
        "write a tile such as `(24, 0)`, or another instance",
    )
    .label(span, "not an instance")
}

/// A rectangle in a component whose instance has no tile.
pub fn no_anchor(span: Span, what: &str, instance: &str, declared: Span) -> Diagnostic {
    // Beside its declaration, an instance within another one has a name of its own.
    let local = local_name(instance);
    Diagnostic::new(
        &catalogue::NO_ANCHOR,
        format!("a `{what}` in a component counts from the tile of the instance, and `{instance}` has none"),
        format!("place the instance: `place {instance} at (24, 0)`"),
    )
    .label(span, "counts from the tile of the instance")
    .label(declared, format!("`{instance}` is declared here"))
    .fix(
        format!("write `place {local} at (0, 0)`"),
        [(declared.behind(), format!("\nplace {local} at (0, 0)"))],
    )
}

/// An instance with a tile from which nothing in its component counts.
pub fn idle_anchor(span: Span, instance: &Subgraph) -> Diagnostic {
    let (name, component) = (&instance.name, &instance.component);
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        format!("the tile of `{name}` means nothing: the component `{component}` states no tile that counts from it"),
        format!("place a kernel in `{component}`, such as `place KERNEL at (0, 0)`, or the kernel `{name}.KERNEL`"),
    )
    .label(span, "nothing counts from this tile")
}

/// Instances that are placed by each other.
pub fn anchor_circle(span: Span, instance: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NO_ANCHOR,
        format!("the tile of `{instance}` follows from itself"),
        "place one of the instances on a tile",
    )
    .label(span, "placed by an instance that is placed by this one")
}

/// Two collectives of `kernel`, of which one or both lie in components, have one name.
pub fn same_member(kernel: &str, first: &Collective, second: &Collective) -> Diagnostic {
    let name = local_name(&first.name);
    Diagnostic::new(
        &catalogue::DUPLICATE_NAME,
        format!(
            "`{kernel}` is in two collectives that its source would call `comm.{name}`: `{}` and `{}`",
            first.name, second.name
        ),
        "rename one of the two: inside and outside of a component, the collectives of a kernel need names of their own",
    )
    .label(second.span, format!("`{}` is declared here", second.name))
    .label(first.span, format!("`{}` is declared here", first.name))
}
