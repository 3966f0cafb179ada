//! What ports carry: windows, streams, packets, cascades, parameters.
//!
//! The names and rules are those of UG1079 ("Kernel Ports", "Streaming Data API", "Run-Time
//! Parameters"). Amounts are elements in one run of the kernel.

use std::fmt;

use aiec_collectives::{ElementType, WindowType};

/// What a port of a kernel, input or output carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carries {
    /// A window or buffer: a block in memory that the kernel acquires and releases.
    Window {
        /// The elements that one acquisition passes.
        window: WindowType,
        /// Elements of the previous block in front of each block (UG1079, "Window with Margin").
        /// Always 0 for outputs.
        margin: u32,
    },
    /// A circuit-switched stream of 32-bit words.
    Stream(Flow),
    /// A packet-switched stream: each packet has a header word and ends with TLAST.
    Packets(Flow),
    /// A cascade stream from one core to the next one (AM009, cascade).
    Cascade(CascadeType),
    /// A run-time parameter in memory.
    Parameter(ParameterType),
    /// A table of an ADF graph (`parameter::array`): memory that the kernel reads and that nothing
    /// fills at run time. It is no parameter of the C++ function.
    Table {
        /// Its size in bytes.
        bytes: u32,
    },
}

/// The elements of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flow {
    /// Type of the elements.
    pub element: ElementType,
    /// Elements in one run of the kernel. None when the design does not state it.
    pub per_run: Option<u32>,
}

/// A run-time parameter: one value, or an array of values that changes as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterType {
    /// Type of the values.
    pub element: ElementType,
    /// Number of values. None when it is a single value, whose C++ type is no array.
    pub elements: Option<u32>,
}

/// The type of what moves along a cascade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CascadeType {
    /// Lanes of accumulators.
    Accumulator(Accumulator),
    /// Lanes of elements.
    Vector(ElementType),
}

/// Accumulator lanes of AIE1 (UG1079, "Data Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are those of the C++ types")]
pub enum Accumulator {
    Acc48,
    Acc80,
    Accfloat,
    Cacc48,
    Cacc80,
    Caccfloat,
}

impl Accumulator {
    /// Every accumulator type, in the order of the enum.
    pub const ALL: [Self; 6] =
        [Self::Acc48, Self::Acc80, Self::Accfloat, Self::Cacc48, Self::Cacc80, Self::Caccfloat];

    /// The name in designs and in C++.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acc48 => "acc48",
            Self::Acc80 => "acc80",
            Self::Accfloat => "accfloat",
            Self::Cacc48 => "cacc48",
            Self::Cacc80 => "cacc80",
            Self::Caccfloat => "caccfloat",
        }
    }
}

impl CascadeType {
    /// The names of all types, accumulators first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Accumulator::ALL.map(Accumulator::name).into_iter().chain(ElementType::ALL.map(ElementType::name))
    }

    /// The type called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        let accumulator = Accumulator::ALL.into_iter().find(|lanes| lanes.name() == name);
        accumulator.map(Self::Accumulator).or_else(|| ElementType::from_name(name).map(Self::Vector))
    }

    /// The name in designs and in C++.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accumulator(lanes) => lanes.name(),
            Self::Vector(element) => element.name(),
        }
    }
}

impl ParameterType {
    /// The block of memory that holds the values.
    pub fn block(self) -> WindowType {
        WindowType { element: self.element, elements: self.elements.unwrap_or(1) }
    }
}

impl Carries {
    /// A window without margin.
    pub const fn window_of(window: WindowType) -> Self {
        Self::Window { window, margin: 0 }
    }

    /// The window. Returns None when it carries anything else.
    pub const fn window(self) -> Option<WindowType> {
        match self {
            Self::Window { window, .. } => Some(window),
            _ => None,
        }
    }

    /// The block that one buffer holds: a window with its margin, the values of a parameter, or a
    /// table. Returns None when it is a stream, which has no buffers.
    pub fn block(self) -> Option<WindowType> {
        match self {
            Self::Window { window, margin } => {
                Some(WindowType { elements: window.elements.saturating_add(margin), ..window })
            }
            Self::Parameter(parameter) => Some(parameter.block()),
            Self::Table { bytes } => Some(WindowType { element: ElementType::Int8, elements: bytes }),
            Self::Stream(_) | Self::Packets(_) | Self::Cascade(_) => None,
        }
    }

    /// The elements of one run: a window, or a stream with a stated amount. Returns None when the
    /// amount is unknown, and for cascades and parameters.
    pub fn per_run(self) -> Option<WindowType> {
        match self {
            Self::Window { window, .. } => Some(window),
            Self::Stream(flow) | Self::Packets(flow) => {
                flow.per_run.map(|elements| WindowType { element: flow.element, elements })
            }
            Self::Cascade(_) | Self::Parameter(_) | Self::Table { .. } => None,
        }
    }

    /// Type of the elements. Returns None when it is a cascade of accumulators, or a table.
    pub const fn element(self) -> Option<ElementType> {
        match self {
            Self::Window { window, .. } => Some(window.element),
            Self::Stream(flow) | Self::Packets(flow) => Some(flow.element),
            Self::Cascade(CascadeType::Vector(element)) => Some(element),
            Self::Cascade(CascadeType::Accumulator(_)) | Self::Table { .. } => None,
            Self::Parameter(parameter) => Some(parameter.element),
        }
    }

    /// The word for the kind of port: that of the language, which has no tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Window { .. } => "window",
            Self::Stream(_) => "stream",
            Self::Packets(_) => "packets",
            Self::Cascade(_) => "cascade",
            Self::Parameter(_) => "parameter",
            Self::Table { .. } => "table",
        }
    }
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.per_run {
            Some(elements) => write!(f, "{}[{elements}]", self.element),
            None => write!(f, "{}", self.element),
        }
    }
}

/// As the design writes it, such as `window int16[64] margin 8` or `stream int32`.
impl fmt::Display for Carries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.word())?;
        match self {
            Self::Window { window, margin: 0 } => write!(f, "{window}"),
            Self::Window { window, margin } => write!(f, "{window} margin {margin}"),
            Self::Stream(flow) | Self::Packets(flow) => write!(f, "{flow}"),
            Self::Cascade(lanes) => f.write_str(lanes.name()),
            Self::Parameter(ParameterType { element, elements: None }) => write!(f, "{element}"),
            Self::Parameter(parameter) => write!(f, "{}", parameter.block()),
            Self::Table { bytes } => write!(f, "{bytes} bytes"),
        }
    }
}
