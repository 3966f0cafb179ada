// The grammar of designs, held against dsl/src/grammar.pest on all examples and pages by a test.
// `npx tree-sitter-cli generate --abi 14` writes src/.

const list = (rule) => seq(rule, repeat(seq(",", rule)));
const trailing = (rule) => seq(list(rule), optional(","));

module.exports = grammar({
  name: "aiec",

  word: ($) => $.word,

  extras: ($) => [/[\s\uFEFF]/, $.comment],

  // What follows a list or an expression may also begin the next item, or be a name.
  conflicts: ($) => [
    [$.shape, $.ident],
    [$._offsets],
    [$.index, $.ident],
    [$.shim, $.ident],
    [$._offsets, $.ident],
    [$.switch, $.ident],
    [$.connect],
    [$.connect_end],
    [$.switch],
    [$.gmio],
    [$.host],
    [$.external],
    [$.spot],
    [$.shape],
    [$.op],
    [$.place],
    [$.place, $.spot],
    [$.shim],
    [$.apart],
    [$.selection],
    [$.part],
    [$.fifo],
    [$._operand, $.item_of],
    [$._operand, $.call],
    [$._operand, $.len],
    [$.ident, $.automatic],
    [$.ident],
    [$.ports],
    [$.choice],
    [$.kernel_choice],
  ],

  rules: {
    file: ($) => repeat($._item),

    _item: ($) =>
      choice(
        $.design, $.device, $.vitis, $.board, $.iterations, $.ports, $.import, $.component, $.constant,
        $._declaration,
      ),
    _declaration: ($) => choice($.kernel, $.collective, $.instance, $.external, $.for_loop, $._statement),
    _statement: ($) =>
      choice($.connect, $.place, $.region, $.together, $.apart, $.keepout, $.assert, $.allow, $.choice),

    design: ($) => seq("design", field("name", $.ident)),
    device: ($) => seq("device", $.ident),
    vitis: ($) => seq("vitis", $.string),
    board: ($) => seq("board", $.ident),
    iterations: ($) => seq("iterations", $._expr),
    ports: ($) => seq("ports", $.ident, optional($.string)),
    constant: ($) =>
      seq("const", field("name", $.ident), "=", choice($.table, seq("from", $.string), $._expr)),
    table: ($) => seq("[", trailing($._expr), "]"),
    assert: ($) => prec.dynamic(1, seq("assert", $._expr, $.string)),
    allow: ($) => prec.dynamic(1, seq("allow", $.string, "because", $.string)),

    import: ($) => prec.dynamic(1, seq("import", $.string)),
    component: ($) =>
      prec.dynamic(
        1,
        seq(
          "component",
          field("name", $.ident),
          optional($.settings),
          $.port_list,
          "{",
          repeat(choice($.constant, $._declaration)),
          "}",
        ),
      ),
    settings: ($) => seq("(", trailing($.setting), ")"),
    setting: ($) => seq(field("name", $.ident), "=", $._expr),
    instance: ($) =>
      prec.dynamic(
        1,
        seq("instance", field("name", $.ident), repeat($.dim), "of", $.ident, optional($.settings), optional($._member)),
      ),

    kernel: ($) =>
      seq("kernel", field("name", $.ident), repeat($.dim), optional($.port_list), optional($._members), $._kernel_body),
    _member: ($) => seq("called", $.string),
    _members: ($) => seq("called", list($.string)),
    dim: ($) => seq("[", optional(seq(field("name", $.ident), ":")), $._expr, "]"),
    port_list: ($) => seq("(", optional(trailing($.port)), ")"),
    port: ($) =>
      seq(choice("in", "out", "inout"), field("name", $.ident), optional($.dim), ":", $._carries),
    _carries: ($) =>
      choice(
        seq("window", $.window_type, optional(seq("margin", $._expr, optional($.unit)))),
        seq("stream", $.flow),
        seq("packets", $.flow),
        seq("cascade", $.ident),
        seq("parameter", $.flow, optional(choice("async", "sync"))),
      ),
    flow: ($) => seq($.ident, optional(seq("[", $._expr, optional($.unit), "]"))),
    window_type: ($) => seq($.ident, "[", $._expr, optional($.unit), "]"),
    _bytes: ($) => seq($._expr, $.unit),
    _kernel_body: ($) => seq("{", repeat($._kernel_property), "}"),
    _kernel_property: ($) =>
      choice(
        seq("source", $.string),
        seq(choice("stack", "heap", "program"), $._bytes),
        seq("runtime", $.ratio),
        seq(choice("repetitions", "cycles"), $._expr),
        seq("function", $.code_name),
        seq(choice("header", "init"), $.string),
        seq(choice("template", "arguments"), "(", optional(trailing($.argument)), ")"),
        $.kernel_choice,
      ),
    code_name: ($) => seq($._code_part, repeat(seq("::", $._code_part))),
    // A name of C++, which may be a reserved word of the language.
    _code_part: ($) =>
      choice(
        $.ident,
        "design", "device", "vitis", "board", "iterations", "ports", "const", "kernel", "reduce_scatter", "reduce",
        "allreduce", "broadcast", "gather", "allgather", "scatter", "alltoall", "scan", "barrier", "sendrecv", "input",
        "output", "connect", "place", "region", "together", "apart", "keepout", "for", "in", "out", "over", "from", "to",
        "at", "async",
      ),
    argument: ($) => seq($._expr, optional(seq("as", $.ident))),
    kernel_choice: ($) =>
      seq(
        "if", $._expr, $._kernel_body,
        repeat(seq("else", "if", $._expr, $._kernel_body)),
        optional(seq("else", $._kernel_body)),
      ),

    collective: ($) =>
      choice(
        seq($.operation, field("name", $.ident), "over", list($.selection), "{", repeat($._collective_property), "}"),
        seq(
          "active", field("name", $.ident), "on", $.selection, "from", list($.selection),
          "{", repeat(choice($.handler, $.served_buffer)), "}",
        ),
      ),
    handler: ($) =>
      seq("handler", field("name", $.ident), "(", optional(trailing($.handled)), ")", optional(seq("->", $.flow))),
    served_buffer: ($) => seq("buffer", field("name", $.ident), ":", $.window_type),
    handled: ($) => seq(field("name", $.ident), ":", $.flow),
    operation: () =>
      choice(
        "reduce", "allreduce", "broadcast", "gather", "allgather", "scatter", "reduce_scatter", "alltoall", "scan",
        "barrier", "clock", "sendrecv", "channel", "mailbox",
      ),
    _collective_property: ($) =>
      choice(
        $.op,
        seq("data", $.window_type),
        seq("window", choice($.automatic, $.window_type)),
        seq("root", $.selection),
        $.shape,
        seq("buffer", $.ident),
        seq("cycles", $.window_type),
        seq("style", $.ident),
        seq("peers", $.ident),
        "exclusive",
        "headed",
        seq("max", $._bytes),
        seq(
          choice(
            "calls", "reference", "shift", "to", "packet", "depth", "counts", "base", "size", "num", "stride",
          ),
          $._expr,
        ),
        seq("to", $.indices),
      ),
    indices: ($) => seq("(", $._expr, repeat1(seq(",", $._expr)), ")"),
    op: ($) => seq("op", $.ident, optional(seq("from", $.string, $.ident))),
    automatic: () => "auto",
    shape: ($) =>
      seq("shape", choice(seq("tree", "arity", $._expr), seq("hub", $._expr), seq($.ident, optional("merge")))),

    external: ($) =>
      seq(
        choice(
          seq("input", field("name", $.ident), optional($.extent), "from"),
          seq("output", field("name", $.ident), optional($.extent), "to"),
        ),
        choice($.plio, $.gmio, $.host),
        repeat($._external_property),
      ),
    extent: ($) => seq("[", $._expr, "]"),
    plio: ($) => seq("plio", "(", $._expr, ",", $.string, ")"),
    gmio: ($) => seq("gmio", optional(seq("(", $.string, ")"))),
    host: ($) => seq("host", optional(seq("(", $.string, ")"))),
    _external_property: ($) =>
      choice(
        seq("initial", choice($.table, $._expr)),
        seq("frequency", $.ratio),
        seq(choice("burst", "bandwidth"), $._expr),
        seq("golden", $.string),
        $._members,
      ),

    connect: ($) =>
      seq("connect", list($.connect_end), "->", optional($.switch), list($.connect_end), repeat($._connect_property)),
    switch: ($) => choice(seq("split", optional(seq("from", $._expr))), seq("merge", optional("ordered"))),
    connect_end: ($) => seq(optional("async"), $.selection, optional(seq("windows", $._expr))),
    _connect_property: ($) => choice(seq("buffer", $.ident), $.fifo),
    fifo: ($) => seq("fifo", $._expr, optional(seq("at", list($.fifo_place)))),
    fifo_place: ($) =>
      choice(seq($.tile, "offset", $._expr), seq(choice(seq("switch", $.tile), seq("shim", $._expr)), "number", $._expr)),
    selection: ($) => seq($.part, repeat(seq(".", $.part))),
    part: ($) => seq($.ident, repeat($.index)),
    index: ($) =>
      seq(
        "[",
        choice($._expr, seq(optional($._expr), "..", optional($._expr), optional(seq("step", $._expr)))),
        "]",
      ),

    place: ($) =>
      seq("place", $.selection, "at", choice(list($.spot), $._offsets, $.shim, $.anchor)),
    spot: ($) => seq($.tile, optional(choice(seq("bank", list($._expr)), $._offsets))),
    _offsets: ($) => seq("offset", list($._expr)),
    shim: ($) => seq("shim", $._expr, optional(seq("channel", $._expr))),
    anchor: ($) => seq($.selection, optional(seq("+", $.distance))),
    distance: ($) => seq("(", choice("*", $._expr), ",", choice("*", $._expr), ")"),
    tile: ($) => seq("(", $._expr, ",", $._expr, ")"),
    region: ($) => seq("region", list($.selection), "in", list($.area)),
    area: ($) => seq($.tile, optional(seq("to", $.tile))),
    together: ($) => seq("together", list($.selection)),
    apart: ($) => seq("apart", list($.selection), optional(seq("by", "core"))),
    keepout: ($) => seq("keepout", $.area),

    for_loop: ($) =>
      seq("for", field("variable", $.ident), "in", $._expr, "..", $._expr, "{", repeat(choice($._statement, $.for_loop)), "}"),
    choice: ($) =>
      prec.dynamic(
        1,
        seq(
          "if", $._expr, $._block,
          repeat(seq("else", "if", $._expr, $._block)),
          optional(seq("else", $._block)),
        ),
      ),
    _block: ($) => seq("{", repeat($._declaration), "}"),

    _expr: ($) => choice($._operand, $.binary),
    binary: ($) => {
      const levels = [
        [1, choice("==", "!=", "<", "<=", ">", ">=")],
        [2, "|"], [3, "^"], [4, "&"],
        [5, choice("<<", ">>")],
        [6, choice("+", "-")],
        [7, choice("*", "/", "%")],
      ];
      return choice(...levels.map(([level, sign]) => prec.left(level, seq($._expr, sign, $._expr))));
    },
    _operand: ($) => choice($.unary, $.number, $.call, $.len, $.paren, $.item_of, $.ident),
    unary: ($) => prec(8, seq(choice("-", "!"), $._operand)),
    call: ($) => prec.dynamic(1, seq(choice("min", "max"), "(", trailing($._expr), ")")),
    len: ($) => prec.dynamic(1, seq("len", "(", $.ident, ")")),
    item_of: ($) => seq($.ident, "[", $._expr, "]"),
    paren: ($) => seq("(", $._expr, ")"),

    number: () => token(choice(/0x[0-9A-Fa-f_]+/, /[0-9][0-9_]*/, /[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?/, /[0-9]+[eE][+-]?[0-9]+/)),
    ratio: ($) => $.number,
    unit: () => choice("B", "KiB", "MiB"),
    string: () => token(seq('"', /[^"\r\n]*/, '"')),

    // Words of the language that are no reserved words may be names.
    ident: ($) =>
      choice(
        $.word,
        "if", "else", "assert", "allow", "because", "import", "component", "instance", "of", "source", "stack", "heap", "program", "runtime",
        "repetitions", "cycles", "function", "header", "init", "template", "arguments", "as", "op", "data", "window",
        "root", "shape", "buffer", "style", "exclusive", "headed", "calls", "reference", "shift", "depth", "counts", "base",
        "size", "num", "stride", "tree", "arity", "hub", "merge", "auto", "plio", "gmio", "host", "initial",
        "frequency", "burst", "bandwidth", "golden", "called", "split", "ordered", "windows", "fifo", "offset", "shim",
        "number", "switch", "bank", "channel", "by", "core", "step", "min", "max", "len", "margin", "stream", "packets",
        "cascade", "parameter", "sync", "inout", "active", "handler", "on", "mailbox", "clock", "B", "KiB", "MiB",
      ),
    word: () => /[A-Za-z_][A-Za-z0-9_]*/,

    comment: () => token(choice(/\/\/[^\n]*/, seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),
  },
});
