#!/usr/bin/env python3
"""Compares tests/witness/aie_api.txt with the open sources of the AI Engine API (Xilinx/aie_api).

The sources are read for AIE (__AIE_ARCH__ 10).

    tools/check_aie_api.py PATH [LIST]

PATH is a checkout of the sources. Of each line of the list: the API declares the function on AIE; AIE has vectors of these types
and lanes, and accumulators of these tags and lanes; and what the line says of the device follows from the sources. Prints what
does not hold, and how much was compared. Exit status 1 if something does not hold, 2 if files are missing.
"""

import re
import sys
from collections import Counter
from pathlib import Path

# What the preprocessor knows for AIE; conditions with other names hold both ways.
DEFINED = {"__AIE_ARCH__": 10, "AIE_API_ML_VERSION": 100, "AIE_API_MATH_VERSION": 100, "AIE_API_PLATFORM_VERSION": 100}
ELEMENTS = {"int8", "uint8", "int16", "int32", "float", "cint16", "cint32", "cfloat"}
BITS = {"int8": 8, "uint8": 8, "int16": 16, "int32": 32, "float": 32, "cint16": 32, "cint32": 64, "cfloat": 64}
UNPACKED, SCALAR = "unpacked to int16, packed again", "scalar, lane by lane"
ELEMENTWISE, SHUFFLED = "scalar, element by element", "aligned loads and a shuffle"


def condition(text):
    """Whether a preprocessor condition holds on AIE. Returns None when this is unknown."""
    names = set(re.findall(r"[A-Za-z_]\w*", text))
    if not names or not names <= set(DEFINED):
        return None
    for name in names:
        text = re.sub(rf"\b{name}\b", str(DEFINED[name]), text)
    python = text.replace("&&", " and ").replace("||", " or ")
    return bool(eval(re.sub(r"!(?!=)", " not ", python), {"__builtins__": {}}))


def on_aie(path):
    """The text of a file without comments and without code for other architectures."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    kept, stack = [], []  # of each open #if: does the branch hold, has one held before
    for line in re.sub(r"//.*", "", text).splitlines():
        directive = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", line)
        if not directive:
            if all(holds is not False for holds, _ in stack):
                kept.append(line)
            continue
        word, rest = directive.groups()
        if word == "endif":
            stack.pop()
        elif word in ("if", "ifdef", "ifndef"):
            holds = condition(rest) if word == "if" else None
            stack.append((holds, holds is True))
        else:
            before = stack[-1][1]
            holds = condition(rest) if word == "elif" else None if stack[-1][0] is None else not before
            stack[-1] = (False if before else holds, before or holds is True)
    return "\n".join(kept)


class Api:
    """What the sources say."""

    def __init__(self, folder):
        self.folder = folder
        headers = [path for path in folder.glob("*.hpp")] + [path for path in (folder / "adf").glob("*.hpp")]
        public = "\n".join(on_aie(path) for path in headers)
        # A declaration for later architectures alone says so in what it requires.
        functions = re.findall(r"^(?:[^\s;#].*\s)\**&?(\w+)\(const", public, re.M)
        required = re.findall(r"requires\s*\(\s*arch::is\(([^)]*)\)[^;{]*?\b(\w+)\(const", public)
        later = Counter(name for which, name in required if not re.search(r"arch::(AIE|Gen1)\b", which))
        everywhere = Counter(functions)
        self.declared = set(re.findall(r"\b(\w+)\s*\(", public)) - {name for name, n in later.items() if n >= everywhere[name]}
        detail = folder / "detail" / "aie1"
        self.members = {
            kind: set(re.findall(r"\b(\w+)\s*\(", on_aie(folder / f"{kind}.hpp") + on_aie(detail / f"{kind}.hpp")))
            for kind in ("vector", "accum", "tile")
        }
        storage = on_aie(detail / "vector_native_types.hpp")
        self.vectors = {(t, int(n)) for t, n in re.findall(r"struct vector_storage<(\w+),\s*(\d+)>", storage)}
        accums = on_aie(detail / "accum_native_types.hpp")
        native = dict(re.findall(r"struct accum_native_type<(\w+)>\s*{ using type = (\w+);", accums))
        kinds = {"acc48": ("Int", "48"), "acc80": ("Int", "80"), "cacc48": ("CInt", "48"), "cacc80": ("CInt", "80"),
                 "accfloat": ("FP", "32"), "caccfloat": ("CFP", "32")}
        lanes = re.findall(r"struct accum_storage<AccumClass::(\w+),\s*(\d+),\s*(\d+)>", accums)
        self.tags = set(native)
        self.accums = {(tag, int(n)) for tag in native for kind, bits, n in lanes if kinds[native[tag]] == (kind, bits)}

    def specialisation(self, name, file, bits):
        """The text of a specialisation for elements of `bits` bits, up to the next one, or empty."""
        text = on_aie(self.folder / "detail" / "aie1" / file)
        found = re.search(rf"struct {name}<{bits},.*?(?=\nstruct |\ntemplate <(?:typename|unsigned)[^\n]*\nstruct |\Z)", text, re.S)
        return found.group(0) if found else ""

    def on_device(self, function, element):
        """What the list has to say about a function on elements of a type."""
        bits = BITS.get(element)
        if function in ("bit_and", "bit_or", "bit_xor"):
            default = on_aie(self.folder / "detail" / "bit.hpp")
            return SCALAR if "aie1/bit.hpp" not in default and "for (unsigned i = 0; i < Elems" in default else ""
        named = {"add": ("add_sub_bits_impl", "add.hpp"), "sub": ("add_sub_bits_impl", "add.hpp"),
                 "min": ("max_min_bits_impl", "max_min.hpp"), "max": ("max_min_bits_impl", "max_min.hpp")}.get(function)
        if named and bits == 8:
            return UNPACKED if ".unpack()" in self.specialisation(*named, 8) else ""
        vector = on_aie(self.folder / "detail" / "aie1" / "vector.hpp")
        if function == "store_unaligned_v":
            return ELEMENTWISE if "store_unaligned_scalar<" in vector else ""
        if function == "load_unaligned_v":
            body = vector[vector.index("void load_unaligned("):]
            wide = re.search(r"type_bits\(\) >= 32.*?shuffle", body, re.S)
            return SHUFFLED if bits >= 32 and wide else ELEMENTWISE
        return ""


def faults(api, line):
    """What of a line of the list does not hold."""
    function, types, lanes, device = [part.strip() for part in (line + " |" * 3).split("|")[:4]]
    path, types, lanes = function.split("::"), types.split(), [int(n) for n in lanes.split()]
    name = path[-1]
    if path[0] == "aie":
        known = api.members.get(path[1], set()) if len(path) == 3 else api.declared
        if name not in known:
            yield "the API does not declare it on AIE"
    elif lanes and name not in api.declared:
        yield "the API has no such function of ports"
    for kind in types:
        if not lanes:
            continue
        if kind in api.tags:
            yield from (f"no accumulator of {kind} has {n} lanes" for n in lanes if (kind, n) not in api.accums)
        elif kind not in ELEMENTS:
            yield f"AIE has no vectors of {kind}"
        elif name != "cast_to":
            yield from (f"no vector of {kind} has {n} lanes" for n in lanes if (kind, n) not in api.vectors)
    if path[0] == "aie" and len(path) == 2:
        says = api.on_device(name, types[-1] if types else "")
        if says != device:
            yield f"the list says '{device}', the sources '{says}'"


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1]) / "include" / "aie_api"
    own = Path(__file__).resolve().parent.parent / "tests" / "witness" / "aie_api.txt"
    entries = Path(sys.argv[2]) if len(sys.argv) == 3 else own
    if not (folder / "aie.hpp").exists() or not entries.exists():
        print(f"no aie.hpp below {folder}, or no {entries}", file=sys.stderr)
        return 2
    api = Api(folder)
    lines = [line for line in entries.read_text().splitlines() if line and not line.startswith("#")]
    wrong = [(line, fault) for line in lines for fault in faults(api, line)]
    for line, fault in wrong:
        print(f"{re.sub(' +', ' ', line)}: {fault}")
    of_api = sum(line.startswith("aie::") or bool(re.search(r"\|\s+\d", line)) for line in lines)
    print(f"{len(lines)} uses, {of_api} of the API, {len(api.vectors)} vector and {len(api.accums)} accumulator types: {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
