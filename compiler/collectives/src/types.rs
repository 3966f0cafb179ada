//! The words of the design: element types, windows, operators.

use std::fmt;

use aiec_device::Release;
use serde::Serialize;

use crate::Combining;

/// Type of a window's elements, as the AI Engine names them (UG1079, data types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are those of the C++ types")]
pub enum ElementType {
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uint64,
    Float,
    Cint16,
    Cint32,
    Cfloat,
}

impl ElementType {
    /// Every element type, in the order of the enum.
    pub const ALL: [Self; 12] = [
        Self::Int8,
        Self::Uint8,
        Self::Int16,
        Self::Uint16,
        Self::Int32,
        Self::Uint32,
        Self::Int64,
        Self::Uint64,
        Self::Float,
        Self::Cint16,
        Self::Cint32,
        Self::Cfloat,
    ];

    /// The name in designs and in C++.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Uint16 => "uint16",
            Self::Int32 => "int32",
            Self::Uint32 => "uint32",
            Self::Int64 => "int64",
            Self::Uint64 => "uint64",
            Self::Float => "float",
            Self::Cint16 => "cint16",
            Self::Cint32 => "cint32",
            Self::Cfloat => "cfloat",
        }
    }

    /// The type called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.name() == name)
    }

    /// Bytes of one element.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float | Self::Cint16 => 4,
            Self::Int64 | Self::Uint64 | Self::Cint32 | Self::Cfloat => 8,
        }
    }

    /// Numbers in one element: 2 of complex types, else 1.
    pub const fn parts(self) -> u32 {
        if self.is_complex() { 2 } else { 1 }
    }

    /// True for complex types, whose elements are pairs and have no order.
    pub const fn is_complex(self) -> bool {
        matches!(self, Self::Cint16 | Self::Cint32 | Self::Cfloat)
    }

    /// True for types with floating-point parts.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Cfloat)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A window's contents: N elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct WindowType {
    /// Type of the elements.
    pub element: ElementType,
    /// Number of elements, at least 1.
    pub elements: u32,
}

/// The accumulator that carries elements along the cascade. Its lanes hold them exactly, at least
/// 128 bits of them (AM009, cascade).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// The C++ type of the accumulator's lanes.
    pub tag: &'static str,
    /// Elements in one vector.
    pub lanes: u32,
    /// Cycles in which the cascade moves it, at 384 bits a cycle.
    pub cycles: u32,
}

impl ElementType {
    /// True if loops move such elements as vectors. False for 64-bit integers. Unsigned types use
    /// signed vectors (UG1079, "Data Types").
    pub const fn moves_as_vectors(self) -> bool {
        !matches!(self, Self::Int64 | Self::Uint64)
    }

    /// True if kernels read single elements from a stream (UG1079, "Reading and Advancing an Input
    /// Stream", for AI Engines). Others move as vectors of 128 bits.
    pub const fn moves_singly(self) -> bool {
        matches!(self, Self::Int32 | Self::Uint32 | Self::Cint16 | Self::Float | Self::Cfloat)
    }

    /// True for a number of 32 bits, which is a word of a packet (UG1079, "Packet Stream
    /// Operations").
    pub const fn is_word(self) -> bool {
        matches!(self, Self::Int32 | Self::Uint32 | Self::Float)
    }

    /// The accumulator that carries such elements along the cascade. Returns None when there is
    /// none, since there are no vectors of them.
    pub const fn carrier(self) -> Option<Carrier> {
        let (tag, lanes, cycles) = match self {
            Self::Int8 | Self::Uint8 => ("acc48", 16, 2),
            Self::Int16 => ("acc48", 8, 1),
            Self::Int32 => ("acc80", 4, 1),
            Self::Float => ("accfloat", 8, 1),
            Self::Cint16 => ("cacc48", 4, 1),
            Self::Cint32 => ("cacc80", 2, 1),
            Self::Cfloat => ("caccfloat", 4, 1),
            Self::Int64 | Self::Uint64 | Self::Uint16 | Self::Uint32 => return None,
        };
        Some(Carrier { tag, lanes, cycles })
    }
}

impl WindowType {
    /// Cycles in which the cascade moves the elements of a window.
    pub fn cascade_cycles(self) -> Option<u64> {
        let carrier = self.element.carrier()?;
        Some(u64::from(self.elements.div_ceil(carrier.lanes)) * u64::from(carrier.cycles))
    }

    /// A signal: a window of 16 bytes, the smallest that was measured (thesis 3.3). Its content has
    /// no meaning.
    pub const fn signal(self) -> Self {
        Self { elements: 16 / self.element.bytes(), ..self }
    }

    /// Bytes of one buffer, without margin.
    pub const fn bytes(self) -> u64 {
        self.element.bytes() as u64 * self.elements as u64
    }
}

/// The loops of a collective's kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loops {
    /// The window that one iteration handles.
    pub window: WindowType,
    /// True for scalar loops: the design states `scalar`, or the operator is the user's and may
    /// have no vector form.
    pub scalar: bool,
    /// The operator of the language that combines windows. None when the operator is of the user,
    /// or there is none.
    pub op: Option<ReduceOp>,
    /// True if the root has a window for the result, which it fills beside its own memory.
    pub result: bool,
}

impl Loops {
    /// Loops over `window`, scalar or vectorised, with `op`.
    pub const fn of(window: WindowType, scalar: bool, op: Option<&Operator>) -> Self {
        let (theirs, op) = match op {
            Some(Operator::User { .. }) => (true, None),
            Some(Operator::Builtin(op)) => (false, Some(*op)),
            None => (false, None),
        };
        Self { window, scalar: scalar || theirs, op, result: false }
    }

    /// The same loops over windows that are signals.
    pub const fn signal(self) -> Self {
        Self { window: self.window.signal(), ..self }
    }

    /// Bytes of their vectors, as `windows.h` of the header library chooses: 32 or 16, whichever
    /// divides the window. Returns None when the loops are scalar: the design states it, the core
    /// has no such vectors, or it has no vector operation where windows are `combined`.
    pub fn vector_bytes(self, combined: bool) -> Option<u64> {
        let element = self.window.element;
        let by_vectors = match self.op {
            Some(op) if combined => op.vector_operations(element).is_some(),
            // Signals of a barrier are taken and given, and nothing is computed with them.
            _ => element.moves_as_vectors(),
        };
        let bytes = self.window.bytes();
        match (bytes % 32, bytes % 16) {
            _ if self.scalar || !by_vectors => None,
            (0, _) => Some(32),
            (_, 0) => Some(16),
            _ => None,
        }
    }

    /// True if windows are combined, or just moved, element by element.
    pub fn goes_by_elements(self) -> bool {
        self.vector_bytes(self.op.is_some()).is_none()
    }
}

impl fmt::Display for WindowType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.element, self.elements)
    }
}

/// Which way data goes, seen from the port's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the owner.
    In,
    /// Out of the owner.
    Out,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::In => "in",
            Self::Out => "out",
        })
    }
}

/// How many buffers a window connection has at each place it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Buffering {
    /// Two, used in turn (the tools' default, UG1079).
    Pingpong,
    /// One: half the memory, producer and consumer take turns.
    Single,
}

impl Buffering {
    /// Buffers at each place where the window is stored.
    pub const fn copies(self) -> u32 {
        match self {
            Self::Pingpong => 2,
            Self::Single => 1,
        }
    }

    /// The word for it in designs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pingpong => "pingpong",
            Self::Single => "single",
        }
    }
}

/// The C++ interface of kernel ports (UG1079): two interfaces to the same blocks of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PortKind {
    /// `input_window<T> *`, which all versions of the tools know.
    #[default]
    Window,
    /// `adf::input_buffer<T> &`, of Vitis 2023.1 and later.
    Buffer,
}

impl PortKind {
    /// All kinds of ports.
    pub const ALL: [Self; 2] = [Self::Window, Self::Buffer];

    /// Default port kind of a release: windows until they are deprecated.
    pub fn of(release: &Release) -> Self {
        if release.windows_deprecated.value == Some(true) { Self::Buffer } else { Self::Window }
    }

    /// The word for it in designs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Buffer => "buffer",
        }
    }

    /// True for windows, the default, which dumps leave out.
    pub fn is_window(&self) -> bool {
        *self == Self::Window
    }
}

/// The operator of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReduceOp {
    /// Addition; integers wrap.
    Sum,
    /// Multiplication; integers wrap.
    Prod,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// Bits set in both.
    And,
    /// Bits set in one or both.
    Or,
    /// Bits set in one only.
    Xor,
}

impl ReduceOp {
    /// Every operator, in the order of the enum.
    pub const ALL: [Self; 7] = [Self::Sum, Self::Prod, Self::Min, Self::Max, Self::And, Self::Or, Self::Xor];

    /// The word for it in designs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Prod => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Vector operations in which a core of AIE combines 512 bits with as many. Returns None when
    /// it has none for that. The vector unit adds and compares 16 and 32 bits of integers 512 bits
    /// at a time, and floats 256. Bytes are unpacked to 16 bits and packed again. Products are of
    /// 256 bits (of complex 32-bit integers 128) and come out of accumulators by an operation of
    /// their own. There is nothing for bits. (The open sources of `aie_api`, folder `detail/aie1`:
    /// add, max_min, mul_acc48, mul_acc80, mul_acc32_fp; `detail/bit.hpp`.)
    pub const fn vector_operations(self, element: ElementType) -> Option<u32> {
        use ElementType::{
            Cfloat, Cint16, Cint32, Float, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
        };
        match (self, element) {
            (Self::And | Self::Or | Self::Xor, _) | (_, Int64 | Uint64) => None,
            (Self::Min | Self::Max, Uint16 | Uint32 | Cint16 | Cint32 | Cfloat) => None,
            (Self::Prod, Int8 | Uint8) => Some(12),
            (Self::Prod, Cint32) => Some(6),
            (Self::Prod, Int16 | Uint16 | Int32 | Uint32 | Cint16) => Some(4),
            (_, Int8 | Uint8) => Some(8),
            (_, Float | Cfloat) => Some(2),
            (_, Int16 | Uint16 | Int32 | Uint32 | Cint16 | Cint32) => Some(1),
        }
    }

    /// True if the operator has a meaning for `element`: complex numbers have no order, and only
    /// whole numbers have bits to combine.
    pub const fn applies_to(self, element: ElementType) -> bool {
        match self {
            Self::Sum | Self::Prod => true,
            Self::Min | Self::Max => !element.is_complex(),
            Self::And | Self::Or | Self::Xor => !element.is_complex() && !element.is_float(),
        }
    }
}

impl fmt::Display for ReduceOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a collective combines two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// One of the language.
    Builtin(ReduceOp),
    /// One of the user's, given as C++.
    User {
        /// The struct with the function `apply`.
        name: String,
        /// The header that defines it, relative to the design.
        header: String,
        /// True if the order of the two values does not matter.
        commutative: bool,
    },
}

impl Operator {
    /// The word for it in designs.
    pub fn name(&self) -> &str {
        match self {
            Self::Builtin(op) => op.name(),
            Self::User { name, .. } => name,
        }
    }

    /// The operator of the language. Returns None when the operator is of the user.
    pub const fn builtin(&self) -> Option<ReduceOp> {
        match self {
            Self::Builtin(op) => Some(*op),
            Self::User { .. } => None,
        }
    }

    /// True if the order of the two values does not matter.
    pub const fn is_commutative(&self) -> bool {
        match self {
            Self::Builtin(_) => true,
            Self::User { commutative, .. } => *commutative,
        }
    }

    /// Whether order and grouping change results of this element type. Float results depend on the
    /// order: rounding, signed zeros, NaN.
    pub const fn combining(&self, element: ElementType) -> Combining {
        Combining { commutative: self.is_commutative(), exact: !element.is_float() }
    }

    /// True unless it has no meaning for `element`. An operator of the user has one.
    pub const fn applies_to(&self, element: ElementType) -> bool {
        match self {
            Self::Builtin(op) => op.applies_to(element),
            Self::User { .. } => true,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
