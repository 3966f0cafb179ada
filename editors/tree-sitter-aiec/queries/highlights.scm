(comment) @comment
(string) @string
(number) @number
(unit) @type

(window_type . (ident) @type)
(flow . (ident) @type)

(kernel name: (ident) @function)
(component name: (ident) @type)
(collective name: (ident) @function)
(handler name: (ident) @function)
(handled name: (ident) @variable.parameter)
(constant name: (ident) @constant)
(setting name: (ident) @constant)
(port name: (ident) @variable.parameter)
(instance name: (ident) @variable)
(external name: (ident) @variable)
(for_loop variable: (ident) @variable)

(operation) @keyword

[
  "design" "device" "vitis" "board" "iterations" "ports" "const" "import" "component" "instance" "of"
  "kernel" "input" "output" "connect" "place" "region" "together" "apart" "keepout" "for" "if" "else" "active" "on" "handler"
  "assert" "allow" "because" "in" "out" "inout" "over" "from" "to" "at" "async" "sync"
] @keyword

["->" ".." "=" "+" "-" "*" "/" "%" "&" "|" "^" "<<" ">>" "==" "!=" "<" "<=" ">" ">=" "!"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," "." ":"] @punctuation.delimiter
