//! What the struct of active messages has in `aie/kernels/collectives.h`: functions that clients
//! call, one for each handler and two for each buffer, and the owner's choice by their number.

use aiec_collectives::{Handler, ServedBuffer, Services};
use aiec_ir::ElementType;
use aiec_ir::expanded::Collective;

use crate::lines::parameter_list;

/// What the owner serves, in words: `add(int32 idx, int32 v), get(int32 idx) -> int32, int32
/// table[256]`.
pub(super) fn in_words(collective: &Collective) -> String {
    let words = |handler: &Handler| {
        let result = handler.result.map_or_else(String::new, |result| format!(" -> {result}"));
        format!("{}({}){result}", handler.name, parameters(handler).join(", "))
    };
    let services = &collective.plan.services;
    let handlers = services.handlers.iter().map(words);
    handlers.chain(services.buffers.iter().map(declaration)).collect::<Vec<_>>().join(", ")
}

/// The members of the struct that `active.h` uses.
pub(super) fn members(collective: &Collective) -> Vec<String> {
    let Services { handlers, buffers } = &collective.plan.services;
    let mut lines = vec![
        String::new(),
        "// The part of every rank, with what clients call.".to_owned(),
        "template <typename Rank>".to_owned(),
        "struct calls : Rank {".to_owned(),
        "    using Rank::Rank;".to_owned(),
    ];
    lines.extend((0..).zip(handlers).flat_map(|(number, handler)| call(number, handler)));
    // Behind the handlers; each has one number for puts and one for gets.
    let after = u32::try_from(handlers.len()).unwrap_or(u32::MAX);
    let numbered = || (after..).step_by(2).zip(buffers);
    lines.extend(numbered().flat_map(|(number, buffer)| transfers(number, buffer)));
    lines.extend([
        "};".to_owned(),
        String::new(),
        "// Does what a request asks for.".to_owned(),
        "template <typename Request, typename Handlers>".to_owned(),
        "static void handle(Request &request, Handlers &handlers) {".to_owned(),
    ]);
    for handler in handlers {
        let name = &handler.name;
        lines.extend([
            format!(
                "    const auto call_{name} = [](auto &all, auto... with) -> decltype(all.{name}(with...)) {{"
            ),
            format!("        return all.{name}(with...);"),
            "    };".to_owned(),
        ]);
        lines.extend(assertion(&collective.name, handler));
    }
    for buffer in buffers {
        let name = &buffer.name;
        lines.push(format!(
            "    const auto buffer_{name} = [](auto &all) -> decltype((all.{name})) {{ return all.{name}; }};"
        ));
        lines.extend(buffer_assertion(&collective.name, buffer));
    }
    lines.push("    switch (request.handler()) {".to_owned());
    for (number, handler) in (0_u32..).zip(handlers) {
        let (name, result) = (&handler.name, result(handler));
        let types = argument_types(handler);
        lines.push(format!(
            "    case {number}: return request.template run<{result}>(call_{name}, handlers, aiec::arguments<{types}>());"
        ));
    }
    for (number, ServedBuffer { name, .. }) in numbered() {
        lines.push(format!("    case {number}: return request.put(buffer_{name}(handlers));"));
        lines.push(format!("    case {}: return request.get(buffer_{name}(handlers));", number + 1));
    }
    lines.extend(["    }".to_owned(), "}".to_owned()]);
    lines
}

/// The function of a client.
fn call(number: u32, handler: &Handler) -> [String; 3] {
    let result = result(handler);
    let names: Vec<&str> = handler.arguments.iter().map(|(name, _)| name.as_str()).collect();
    let send = match &handler.array {
        None => format!("request<{result}, {number}>({})", names.join(", ")),
        Some((name, array)) => {
            let values = [name.clone(), format!("{name}_count")];
            let values: Vec<&str> = values.iter().map(String::as_str).chain(names).collect();
            format!("request_with<{result}, {number}, {}>({})", array.elements, values.join(", "))
        }
    };
    let head = format!("    {result} {}(", handler.name);
    let parameters = parameter_list(&parameters(handler), "    ".len() + head.len());
    [format!("{head}{parameters}) {{"), format!("        return this->template {send};"), "    }".to_owned()]
}

/// The functions of a client that put to a buffer of the owner and get from it.
fn transfers(number: u32, ServedBuffer { name, data }: &ServedBuffer) -> [String; 6] {
    let element = data.element;
    let body = |what: &str, number: u32| {
        format!(
            "        return this->template {what}_elements<{number}, {}>(first, elements, count);",
            data.elements
        )
    };
    [
        format!("    auto put_{name}(unsigned first, const {element} *elements, unsigned count) {{"),
        body("put", number),
        "    }".to_owned(),
        format!("    auto get_{name}(unsigned first, {element} *elements, unsigned count) {{"),
        body("get", number + 1),
        "    }".to_owned(),
    ]
}

/// A buffer as its owner declares it.
fn declaration(ServedBuffer { name, data }: &ServedBuffer) -> String {
    format!("{} {name}[{}]", data.element, data.elements)
}

/// The check of the owner's buffer.
fn buffer_assertion(server: &str, buffer: &ServedBuffer) -> [String; 3] {
    let ServedBuffer { name, data } = buffer;
    [
        format!(
            "    static_assert(aiec::has_array<{}, {}, decltype(buffer_{name}), Handlers>(),",
            data.element, data.elements
        ),
        format!("                  \"the handlers of `{server}` lack `{}`: \"", declaration(buffer)),
        "                  \"give such a public array to the object that `serve` takes\");".to_owned(),
    ]
}

/// The check of the owner's handler.
fn assertion(server: &str, handler: &Handler) -> [String; 3] {
    let (name, result) = (&handler.name, result(handler));
    let mut types = vec![result.to_owned(), format!("decltype(call_{name})"), "Handlers".to_owned()];
    types.extend(handler.arguments.iter().map(|(_, element)| element.name().to_owned()));
    if let Some((_, array)) = &handler.array {
        types.extend([format!("const {} *", array.element), "unsigned".to_owned()]);
    }
    let all: Vec<String> = std::iter::once("unsigned from".to_owned()).chain(parameters(handler)).collect();
    [
        format!("    static_assert(aiec::answers<{}>(),", types.join(", ")),
        format!(
            "                  \"the handlers of `{server}` lack `{result} {name}({})`: \"",
            all.join(", ")
        ),
        "                  \"give such a public member function to the object that `serve` takes\");"
            .to_owned(),
    ]
}

/// The parameters of a handler behind the client's rank.
fn parameters(handler: &Handler) -> Vec<String> {
    let scalars = handler.arguments.iter().map(|(name, element)| format!("{element} {name}"));
    let array = handler.array.iter().flat_map(|(name, array)| {
        [format!("const {} *{name}", array.element), format!("unsigned {name}_count")]
    });
    scalars.chain(array).collect()
}

fn argument_types(handler: &Handler) -> String {
    let scalars = handler.arguments.iter().map(|(_, element)| element.name().to_owned());
    let array = handler
        .array
        .iter()
        .map(|(_, array)| format!("aiec::payload<{}, {}>", array.element, array.elements));
    scalars.chain(array).collect::<Vec<_>>().join(", ")
}

fn result(handler: &Handler) -> &'static str {
    handler.result.map_or("void", ElementType::name)
}
