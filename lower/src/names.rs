//! Names: their meaning, and which of them the generated C++ can use.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::nearest;
use aiec_diag::{Diagnostic, Span};
use aiec_dsl::ast::{Constant, Ident, Item, ItemKind};
use aiec_ir::c_names;
use aiec_ir::design::Node;
use aiec_ir::{CollectiveId, ExternalFamilyId, FamilyId};

use crate::components::GroupId;
use crate::errors;

/// The meaning of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A constant that is a number.
    Constant,
    /// A constant table.
    Table,
    /// A kernel family, collective, input or output.
    Node(Node),
    /// Instances of a component.
    Group(GroupId),
    /// Ports of the component itself.
    Port(BoundaryPorts),
}

/// Ports of a component that one name declares: some of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryPorts {
    /// Position of the first port in that list.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// True for an array of ports.
    pub is_array: bool,
}

impl Symbol {
    /// The kind in words, with its article.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Constant => "a constant",
            Self::Table => "a table of constants",
            Self::Group(_) => "an instance of a component",
            Self::Port { .. } => "a port of the component",
            Self::Node(Node::Family(_)) => "a kernel",
            Self::Node(Node::External(_)) => "an input or output",
            Self::Node(Node::Collective(_)) => "a reduction",
        }
    }
}

/// All names of a design, in one common name space.
#[derive(Debug, Default)]
pub struct Scope {
    names: BTreeMap<String, (Symbol, Span)>,
    /// Those that are declared more than once, which is reported.
    twice: BTreeSet<String>,
}

impl Scope {
    /// Every name that the items declare, also within conditions; of equal names the first. For
    /// messages alone: nodes have no numbers here.
    pub fn of(items: &[Item]) -> Self {
        let mut scope = Self::default();
        let mut pending: Vec<&Item> = items.iter().rev().collect();
        while let Some(item) = pending.pop() {
            let declared = match &item.kind {
                ItemKind::Const { name, value: Constant::Number(_) } => Some((name, Symbol::Constant)),
                ItemKind::Const { name, .. } => Some((name, Symbol::Table)),
                ItemKind::Instance(instance) => Some((&instance.name, Symbol::Group(GroupId(0)))),
                ItemKind::Kernel(kernel) => Some((&kernel.name, Symbol::Node(Node::Family(FamilyId(0))))),
                ItemKind::External(external) => {
                    Some((&external.name, Symbol::Node(Node::External(ExternalFamilyId(0)))))
                }
                ItemKind::Collective(collective) => {
                    Some((&collective.name, Symbol::Node(Node::Collective(CollectiveId(0)))))
                }
                ItemKind::If(choice) => {
                    let blocks = choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise);
                    let items: Vec<&Item> = blocks.flat_map(|block| &block.items).collect();
                    pending.extend(items.into_iter().rev());
                    None
                }
                _ => None,
            };
            if let Some((name, symbol)) = declared {
                scope.names.entry(name.value.clone()).or_insert((symbol, name.span));
            }
        }
        scope
    }

    /// Adds a name for messages, unless it is there.
    pub fn add(&mut self, name: &Ident, symbol: Symbol) {
        self.names.entry(name.value.clone()).or_insert((symbol, name.span));
    }

    /// Declares `name`. A name that is declared twice is an error.
    pub fn declare(&mut self, name: &Ident, symbol: Symbol) -> Result<(), Diagnostic> {
        if let Some((_, first)) = self.names.get(&name.value) {
            self.twice.insert(name.value.clone());
            return Err(errors::duplicate_name(&name.value, name.span, *first));
        }
        self.names.insert(name.value.clone(), (symbol, name.span));
        Ok(())
    }

    /// True if `name` is declared more than once: uses of it may mean any of these.
    pub fn is_ambiguous(&self, name: &str) -> bool {
        self.twice.contains(name)
    }

    /// The meaning of `name`.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).map(|(symbol, _)| *symbol)
    }

    /// The declaration of `name`.
    pub fn declared_at(&self, name: &str) -> Option<Span> {
        self.names.get(name).map(|(_, span)| *span)
    }

    /// The declared name closest to `name` among those that `wanted` accepts. Looks at no more than
    /// a thousand names.
    pub fn nearest(&self, name: &str, wanted: impl Fn(Symbol) -> bool) -> Option<&str> {
        let candidates = self.names.iter().filter(|(_, (symbol, _))| wanted(*symbol));
        nearest(name, candidates.map(|(name, _)| name.as_str()).take(1000))
    }
}

/// Names of the ADF API and of generated code that a declaration would hide.
const ADF: &str = " adf aie aiec address area_group async bank buffer cacc48 cascade cfloat chess cint16 cint32 collectives comm Comm communicator \
    connect connection dependencies dimensions direction end fabric fifo_depth gmio GMIO graph headers heap_size init inout \
    input_buffer input_gmio input_plio input_port input_stream input_window inout_port int8 int16 int32 int64 \
    int8_t int16_t int32_t int64_t kernel location loop_count offset output_buffer output_gmio output_plio \
    output_port output_stream output_window parameter pktmerge pktsplit plio PLIO port rank_ ratio read \
    read_only_buffer registerKernelClass relative_coordinate repetition_count resume run runtime shim \
    single_buffer size_t source stack stack_size stamp stream sync tile uint8 uint16 uint32 uint64 uint8_t uint16_t \
    uint32_t uint64_t update wait window window_acquire window_release ";

/// Names that the code around a parameter uses: types, window functions, and names inside the
/// wrappers of roles.
const AROUND_PARAMETERS: &str = " adf aie aiec cacc48 cascade cfloat cint16 cint32 collectives comm Comm communicator \
    input_buffer input_stream input_window int8 int16 int32 int64 int8_t int16_t int32_t int64_t output_buffer \
    output_stream output_window rank_ registerKernelClass run size_t uint8 uint16 uint32 uint64 uint8_t uint16_t uint32_t \
    uint64_t window_acquire window_release ";

/// Names that the code around a member of `comm`, or around the struct of its collective, uses:
/// namespaces and types.
const AROUND_MEMBERS: &str = " adf aie aiec cfloat cint16 cint32 collectives comm Comm communicator int8 int16 int32 int64 \
    int8_t int16_t int32_t int64_t size_t uint8 uint16 uint32 uint64 uint8_t uint16_t uint32_t uint64_t ";

/// The use of a name in the generated C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A function or class at file scope: a kernel or the design.
    Function,
    /// A class, or a member of one.
    Inside,
    /// A member of a kernel's `comm`: a collective.
    Member,
    /// A parameter of a kernel function, which the graph never sees.
    Parameter,
    /// A function or class in a namespace of the user's.
    Scoped,
}

/// Most characters of a name. Compilers and file systems take no less.
pub const LONGEST_NAME: usize = 200;

/// Why `name` cannot be used in the generated C++, if it cannot.
pub fn identifier_problem(name: &str, used: Use) -> Option<&'static str> {
    let around = match used {
        Use::Parameter => AROUND_PARAMETERS,
        Use::Member => AROUND_MEMBERS,
        Use::Function | Use::Inside | Use::Scoped => ADF,
    };
    if c_names::is_word(name) {
        Some("the word has a meaning of its own in C++")
    } else if c_names::is_macro(name) {
        Some("it is a macro of the C library")
    } else if c_names::is_of_chess(name) {
        Some("the compiler of the AI Engine gives the word a meaning of its own")
    } else if used == Use::Scoped && name.len() <= LONGEST_NAME {
        None
    } else if around.contains(&format!(" {name} ")) {
        Some("the ADF library or the generated code uses this name")
    } else if used == Use::Function && name == c_names::INSTANCE {
        Some("the generated code calls the graph so, at file scope")
    } else if used == Use::Function && c_names::is_declared(name) {
        Some("the C library declares this name at file scope, where the generated code would declare it too")
    } else if used == Use::Function && c_names::is_of_adf(name) {
        Some("<adf.h> declares this name at file scope, where the generated code would declare it too")
    } else if name.contains("__") {
        Some("C++ reserves names with two underscores in a row")
    } else if name.starts_with('_') {
        Some("C++ reserves names that start with an underscore")
    } else if name.len() > LONGEST_NAME {
        Some("it is longer than 200 characters")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_cpp_and_adf_are_refused() {
        for name in [
            "class",
            "int",
            "kernel",
            "graph",
            "inout",
            "input_window",
            "comm",
            "a__b",
            "_x",
            "main",
            "xor",
            "NULL",
        ] {
            assert!(identifier_problem(name, Use::Inside).is_some(), "{name}");
        }
    }

    #[test]
    fn ordinary_names_are_accepted() {
        for name in ["worker", "x", "total", "data", "sum", "a_1", "classes", "sink"] {
            assert_eq!(identifier_problem(name, Use::Function), None, "{name}");
        }
    }

    #[test]
    fn ports_may_have_names_that_only_the_graph_uses() {
        for name in ["g", "offset", "source", "buffer", "end"] {
            assert_eq!(identifier_problem(name, Use::Parameter), None, "{name}");
        }
        for name in ["offset", "source", "buffer", "end"] {
            assert!(identifier_problem(name, Use::Inside).is_some(), "{name}");
        }
        for name in ["comm", "int32", "window_acquire", "class"] {
            assert!(identifier_problem(name, Use::Parameter).is_some(), "{name}");
        }
    }

    /// The object `g` lies behind the classes of the graph, so no member hides it.
    #[test]
    fn only_a_function_hides_the_graph_object() {
        assert!(identifier_problem("g", Use::Function).is_some());
        for used in [Use::Inside, Use::Member, Use::Parameter] {
            assert_eq!(identifier_problem("g", used), None, "{used:?}");
        }
    }

    #[test]
    fn collectives_may_have_names_that_only_the_graph_uses() {
        for name in ["sync", "port", "read", "wait", "run", "cascade"] {
            assert_eq!(identifier_problem(name, Use::Member), None, "{name}");
            assert!(identifier_problem(name, Use::Inside).is_some(), "{name}");
        }
        for name in ["comm", "int32", "aiec", "class"] {
            assert!(identifier_problem(name, Use::Member).is_some(), "{name}");
        }
    }

    #[test]
    fn names_of_the_runtime_and_types_of_the_library_are_refused_everywhere() {
        for name in ["collectives", "communicator", "size_t", "SIGINT"] {
            for used in [Use::Function, Use::Inside, Use::Member, Use::Parameter] {
                assert!(identifier_problem(name, used).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn names_of_the_vendors_compiler_and_types_of_vectors_are_no_kernels() {
        for name in ["v8int32", "v16cacc48", "acc80", "get_ss", "window_read"] {
            assert!(identifier_problem(name, Use::Function).is_some(), "{name}");
            assert_eq!(identifier_problem(name, Use::Parameter), None, "{name}");
        }
        for used in [Use::Function, Use::Inside, Use::Parameter] {
            assert!(
                identifier_problem("restrict", used).is_some()
                    && identifier_problem("chess_x", used).is_some()
            );
        }
    }

    #[test]
    fn names_in_namespaces_of_the_user_hide_nothing() {
        for name in ["run", "kernel", "abs", "_x"] {
            assert_eq!(identifier_problem(name, Use::Scoped), None, "{name}");
        }
        for name in ["class", "NULL", "restrict", &"x".repeat(201)] {
            assert!(identifier_problem(name, Use::Scoped).is_some(), "{name}");
        }
    }

    #[test]
    fn functions_of_the_library_are_refused_at_file_scope_only() {
        for name in ["abs", "link", "pipe"] {
            assert!(identifier_problem(name, Use::Function).is_some(), "{name}");
            assert_eq!(identifier_problem(name, Use::Inside), None, "{name}");
        }
    }
}
