//! The catalogue: every diagnostic aiec can give, declared once.
//!
//! An entry names the fault, not the check. Its slug starts with the stage that finds it. Its
//! constructor function fills in message, labels and help. The constructor is in the stage's module
//! `errors`. The page `codes/<slug>.md` explains the entry with examples that run as tests
//! (`tests/pages.rs`).

use std::fmt;

use serde::Serialize;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The stage gives no result.
    Error,
    /// Legal, but surely not meant.
    Warning,
    /// Legal and meant, but slower than it could be. Given only if an option of the user enables
    /// it.
    Note,
}

/// The stage that finds a fault, in pipeline order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Reading files and arguments.
    Input,
    /// Loading a device file.
    Device,
    /// Text to syntax tree.
    Parse,
    /// Syntax tree to design, and expansion to instances.
    Lower,
    /// All checks that are possible before placement.
    Check,
    /// Placement, and the verification of placements.
    Place,
    /// Routing, and the verification of routes.
    Route,
    /// Writing the project.
    Emit,
    /// Running the emitted project on this machine.
    Sim,
    /// Faults of aiec itself.
    Bug,
}

/// One entry of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stage and name of the fault, as in `check/stack-too-large`.
    pub slug: &'static str,
    /// The stage that finds it.
    pub stage: Stage,
    /// Error, warning or note.
    pub severity: Severity,
    /// The fault in one line.
    pub summary: &'static str,
    /// The page that explains it, as Markdown: meaning, reason, a bad and a good example, remedies.
    pub page: &'static str,
}

impl Code {
    /// The web address of its page.
    pub fn address(&self) -> String {
        format!("{}/blob/main/compiler/diag/codes/{}.md", env!("CARGO_PKG_REPOSITORY"), self.slug)
    }
}

impl Stage {
    /// Every stage, in pipeline order.
    pub const ALL: [Self; 10] = [
        Self::Input,
        Self::Device,
        Self::Parse,
        Self::Lower,
        Self::Check,
        Self::Place,
        Self::Route,
        Self::Emit,
        Self::Sim,
        Self::Bug,
    ];

    /// The stage's subject, as a heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Input => "Files and arguments",
            Self::Device => "Device files",
            Self::Parse => "Syntax",
            Self::Lower => "Names and values",
            Self::Check => "Before placement",
            Self::Place => "Placement",
            Self::Route => "Routing",
            Self::Emit => "Writing the project",
            Self::Sim => "Simulation",
            Self::Bug => "aiec itself",
        }
    }
}

impl Severity {
    /// `error`, `warning` or `note`, as compilers and SARIF write it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug)
    }
}

/// Declares the entries and the list of all of them.
macro_rules! catalogue {
    ($($name:ident = $severity:ident $stage:ident $slug:literal: $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $name: Code = Code {
                slug: $slug,
                stage: Stage::$stage,
                severity: Severity::$severity,
                summary: $summary,
                page: include_str!(concat!("../codes/", $slug, ".md")),
            };
        )*
        /// Every entry, in declaration order.
        pub static ALL: &[&Code] = &[$(&$name),*];
    };
}

catalogue! {
    // Files and arguments.
    UNREADABLE_FILE = Error Input "input/unreadable-file": "A file cannot be read.";
    NOT_UTF8 = Error Input "input/not-utf8": "A text file is not UTF-8.";
    FILE_TOO_LARGE = Error Input "input/file-too-large": "A text file is larger than any design can be.";
    BAD_CONSTRAINTS = Error Input "input/bad-constraints": "A constraints file (.aiecst) cannot be read.";
    UNKNOWN_NODE = Warning Input "input/unknown-node": "A constraints file names a kernel, port, input or output that the graph does not have.";
    BAD_MAP_REPORT = Error Input "input/bad-map-report": "A report of the mapper (Map_Report.csv) cannot be read.";
    BAD_CYCLE_REPORT = Error Input "input/bad-cycle-report": "A profile of the simulator (profile_funct_*.xml), or cycles of `aiec sim --timing`, cannot be read.";
    OLD_CYCLES = Warning Input "input/old-cycles": "A source of a kernel is newer than what the vendor's tools said about its cycles.";
    BAD_PROFILE = Error Input "input/bad-profile": "A timing profile is unknown, or a file is none.";
    UNKNOWN_DEVICE = Error Input "input/unknown-device": "The design names a device that aiec does not know.";
    BAD_DEFINE = Error Input "input/bad-define": "A -D argument is not NAME=NUMBER, or names no constant of the design.";
    BAD_TRAFFIC = Error Input "input/bad-traffic": "A pattern of traffic does not fit its grid, or the arguments of `aiec traffic` contradict.";
    BAD_LOG = Error Input "input/bad-log": "A log of a host program cannot be read, or is of another design.";
    BAD_REPORT = Error Input "input/bad-report": "A report that `aiec diff` compares cannot be read.";
    BAD_TABLE = Error Input "input/bad-table": "A table of measurements cannot be read, or does not go with the design.";
    MISSING_SOURCE = Error Input "input/missing-source": "A kernel's C++ source file cannot be found.";
    OUTPUT_OCCUPIED = Error Emit "emit/output-occupied": "Files that aiec did not write, or that were edited, lie where it would write.";
    OUTPUT_OF_ANOTHER = Error Emit "emit/output-of-another": "The output directory holds the project of another design or of other constants.";
    OUTPUT_IS_SOURCE = Error Emit "emit/output-is-source": "The output would contain or replace a file that it is made from.";
    OUTPUT_UNWRITABLE = Error Emit "emit/output-unwritable": "The output directory cannot be written.";
    OTHER_PORTS = Error Emit "emit/other-ports": "A kernel is written for windows where ports are buffers, or the other way round.";
    OUTPUT_STALE = Error Emit "emit/output-stale": "The output directory differs from what the design compiles to.";
    NOT_CANONICAL = Error Input "input/not-canonical": "A design file is not in the form `aiec fmt` prints.";
    UNKNOWN_SLUG = Error Input "input/unknown-slug": "There is no diagnostic of this name.";
    NOT_A_DESIGN = Error Input "input/not-a-design": "The command takes designs of aiec's language, not ADF graphs.";
    NOT_A_GRAPH = Error Input "input/not-a-graph": "The argument is no ADF graph, where one is needed.";
    WHICH_DESIGN = Error Input "input/which-design": "A folder has several designs or graphs, or none.";
    UNKNOWN_OUTPUT = Error Input "input/unknown-output": "A --golden argument names no output of the design.";

    // Device files.
    BAD_DEVICE_FILE = Error Device "device/bad-file": "A device file cannot be read as one.";
    INCONSISTENT_DEVICE = Error Device "device/inconsistent": "The numbers of a device file contradict each other.";

    // Syntax.
    SYNTAX = Error Parse "parse/syntax": "The text is not a design: something else was expected here.";
    NESTING_TOO_DEEP = Error Parse "parse/nesting-too-deep": "Parentheses, ranges or loops are nested too deeply.";
    NUMBER_TOO_LARGE = Error Parse "parse/number-too-large": "A number does not fit 64 bits.";

    // Names and values.
    MISSING_ITEM = Error Lower "lower/missing-item": "A declaration lacks something it must have.";
    DUPLICATE_ITEM = Error Lower "lower/duplicate-item": "The same property is given twice.";
    DUPLICATE_NAME = Error Lower "lower/duplicate-name": "A name is declared twice.";
    UNKNOWN_NAME = Error Lower "lower/unknown-name": "A name is used that nothing declares.";
    UNKNOWN_PORT = Error Lower "lower/unknown-port": "A kernel or collective has no port of that name.";
    WRONG_KIND = Error Lower "lower/wrong-kind": "A name stands for something that cannot be used here.";
    WRONG_DIRECTION = Error Lower "lower/wrong-direction": "A connection starts at an input or ends at an output.";
    INDEX_OUT_OF_RANGE = Error Lower "lower/index-out-of-range": "An index or slice lies outside its family.";
    INDEX_COUNT = Error Lower "lower/index-count": "A family is indexed with the wrong number of indices.";
    ARITHMETIC = Error Lower "lower/arithmetic": "An expression overflows or divides by zero.";
    BAD_VALUE = Error Lower "lower/bad-value": "A value is outside the range that makes sense.";
    PORTS_OF_RELEASE = Error Lower "lower/ports-of-release": "The release of Vitis does not have the ports that the design asks for.";
    WINDOWS_OF_RUN = Error Lower "lower/windows-of-run": "`windows` stands at an end where no code of a kernel acquires windows.";
    NO_PLATFORM = Error Lower "lower/no-platform": "The release of Vitis has no platform for the board.";
    BAD_PORT = Error Lower "lower/bad-port": "A port cannot carry what the design says.";
    BAD_SIZE = Error Lower "lower/bad-size": "A size in bytes is not a whole number of elements.";
    CODE_OF_RANKS = Error Lower "lower/code-of-ranks": "A kernel in a collective has a class, a template or several functions.";
    ASSERTION = Error Lower "lower/assertion": "An `assert` of the design does not hold.";
    TABLE_FILE = Error Lower "lower/table-file": "A table of constants is too long, or its file cannot be read.";
    CYCLIC_CONSTANT = Error Lower "lower/cyclic-constant": "A constant is defined by itself.";
    SLICE_MISMATCH = Error Lower "lower/slice-mismatch": "The two ends of a connection select different numbers of instances.";
    TOO_MANY_INSTANCES = Error Lower "lower/too-many-instances": "The design expands to more instances than any array can hold.";
    STRAY_PROPERTY = Error Lower "lower/stray-property": "A property means nothing for what has it.";
    NO_SUCH_SHAPE = Error Lower "lower/no-such-shape": "A collective cannot take this shape.";
    UNUSABLE_IMPORT = Error Lower "lower/bad-import": "An imported file cannot be read, or holds more than components.";
    IMPORT_CYCLE = Error Lower "lower/import-cycle": "Files import each other, or components hold each other, in a circle.";
    COMPONENT_PORT = Error Lower "lower/component-port": "A port of a component leads nowhere, or carries something else than the port inside.";
    NO_ANCHOR = Error Lower "lower/no-anchor": "Tiles in a component count from an instance that has no tile.";
    BAD_IDENTIFIER = Error Lower "lower/bad-identifier": "A name cannot be used in the generated C++.";
    EMPTY_LOOP = Warning Lower "lower/empty-loop": "A loop between two numbers never runs.";
    IDLE_VARIABLE = Warning Lower "lower/idle-variable": "No statement of a loop uses its variable.";
    BAD_ALLOW = Error Lower "lower/bad-allow": "An `allow` names no warning, or gives no reason.";
    UNMODELLED = Error Lower "lower/unmodelled": "An ADF graph has a construct of which aiec has no model.";

    // Before placement.
    TYPE_MISMATCH = Error Check "check/type-mismatch": "The two ends of a connection carry different element types.";
    STREAM_TYPES = Warning Check "check/stream-types": "A stream carries other element types at its two ends.";
    SIZE_MISMATCH = Error Check "check/size-mismatch": "A connection that has no rates joins windows of different sizes.";
    WINDOW_TOO_SMALL = Error Check "check/window-too-small": "A window is smaller than the smallest the array transfers.";
    WINDOW_NOT_WORDS = Error Check "check/window-not-words": "A window or the amount of a stream is not a whole number of 32-bit words.";
    WINDOW_TOO_LARGE = Error Check "check/window-too-large": "A window does not fit one memory module.";
    CHUNK_TAIL = Error Check "check/chunk-tail": "The result of a collective leaves in windows that it does not fill.";
    RATE_MISMATCH = Error Check "check/rate-mismatch": "The ends of a connection pass different amounts, and no numbers of runs balance them.";
    WINDOWS_DISAGREE = Error Check "check/windows-disagree": "One port, or the readers of one input, have two amounts of data.";
    STREAM_AMOUNT = Error Check "check/stream-amount": "An input or output is connected to a stream whose amount is unknown.";
    FAN_IN = Error Check "check/fan-in": "Two connections end at the same port.";
    UNCONNECTED_PORT = Error Check "check/unconnected-port": "A port is not connected to anything.";
    UNUSED_EXTERNAL = Error Check "check/unused-external": "An input or output is not connected to anything.";
    PARAMETER_TYPE = Error Check "check/parameter-type": "A run-time parameter is connected to something of another type.";
    PARAMETER_VALUES = Error Check "check/parameter-values": "The initial value of a run-time parameter does not fit it.";
    PARAMETER_READERS = Warning Check "check/parameter-readers": "A kernel gives one run-time parameter to several readers.";
    PARAMETER_SHARED = Error Check "check/parameter-shared": "The host reads a run-time parameter that a kernel reads, too.";
    PARAMETER_OF_CARD = Warning Check "check/parameter-of-card": "The host of a card has run-time parameters, which no document shows.";
    IDLE_KERNEL = Error Check "check/idle-kernel": "A kernel has no ports and takes part in no collective.";
    DUPLICATE_RANK = Error Check "check/duplicate-rank": "A kernel appears twice in the group of a collective.";
    TOO_FEW_RANKS = Error Check "check/too-few-ranks": "A collective runs over too few ranks.";
    ROOT_NOT_IN_GROUP = Error Check "check/root-not-in-group": "The root of a collective is not one of its ranks.";
    POWER_OF_TWO = Error Check "check/power-of-two": "A shape needs a power of two of ranks.";
    RANK_ORDER = Error Check "check/rank-order": "An ordered operator is combined in another order than that of the ranks.";
    ORDER_OF_ARRIVAL = Error Check "check/order-of-arrival": "Floats would be combined in the order in which packets come.";
    HEADED_MERGE = Error Check "check/headed-merge": "A gather with headers cannot be merged into one stream of packets.";
    STREAM_SHAPE = Error Check "check/stream-shape": "A collective cannot take the shape `stream`.";
    TREE_ARITY = Error Check "check/tree-arity": "A tree is to have more children at a rank than a kernel has windows for.";
    CASCADE_ROOT = Error Check "check/cascade-root": "The root of a reduction along the cascade is not its last rank.";
    CASCADE_ENDS = Error Check "check/cascade-ends": "A core would have more than one cascade in or out.";
    CASCADE_FIFO = Error Check "check/cascade-fifo": "A connection between cascade ports asks for a FIFO.";
    CASCADE_LENGTH = Error Check "check/cascade-length": "A cascade passes more cores than follow each other along it.";
    CASCADE_TYPE = Error Check "check/cascade-type": "The cascade cannot carry elements of this type.";
    CHANNEL_TYPE = Error Check "check/channel-type": "A channel cannot carry elements of this type.";
    CASCADE_OF_RELEASE = Error Check "check/cascade-of-release": "A cascade carries vectors, and the release of Vitis has cascades of accumulators alone.";
    MERGE_OF_RELEASE = Error Check "check/merge-of-release": "More streams of packets are merged or split than the release of Vitis takes.";
    MERGED_STREAMS = Error Check "check/merged-streams": "More streams of packets are merged or split than can share a port.";
    KIND_MISMATCH = Error Check "check/kind-mismatch": "Nothing converts what one end of a connection carries into what the other does.";
    PACKET_ENDS = Error Check "check/packet-ends": "A port takes part in a split or merge and in another connection.";
    BRANCH_GAP = Error Check "check/branch-gap": "The branches of the splits at a port lack a number.";
    CORE_STREAMS = Error Check "check/core-streams": "A core would take more streams than it has ports for.";
    TOO_MANY_STEPS = Error Check "check/too-many-steps": "A collective has more steps than can be handled.";
    BAD_COUNTS = Error Check "check/bad-counts": "An expression over ranks has no value for one of them, or one out of range.";
    BLOCKS_OVERLAP = Error Check "check/blocks-overlap": "Blocks of a gather share elements of the root's array.";
    PARTNERS = Error Check "check/partners": "Two ranks of a sendrecv or channel send to one rank, a rank sends to itself, or no rank sends.";
    OP_TYPE = Error Check "check/op-type": "A reduction operator has no meaning for the element type.";
    TOO_MANY_WINDOWS = Error Check "check/too-many-windows": "A kernel has more windows than the tools accept.";
    TOO_MANY_KERNELS = Error Check "check/too-many-kernels": "There are more kernels than tiles.";
    KERNEL_MEMORY = Error Check "check/kernel-memory": "A kernel needs more data memory than it can reach.";
    SYSTEM_MEMORY = Error Check "check/system-memory": "Stack, heap and sync area of a kernel do not fit one memory module.";
    DATA_EXCEEDS_STACK = Error Check "check/data-exceeds-stack": "The data of a collective fits neither stack nor heap of a rank.";
    TOTAL_MEMORY = Error Check "check/total-memory": "All kernels together need more data memory than the array has.";
    DMA_CHANNELS = Error Check "check/dma-channels": "A kernel needs more DMA channels than the modules it reaches have.";
    BDS = Error Check "check/bds": "A kernel needs more buffer descriptors than the modules it reaches have.";
    LOCKS = Error Check "check/locks": "A kernel needs more locks than the modules it reaches have.";
    SYNC_CYCLE = Error Check "check/sync-cycle": "Synchronous windows, parameters or cascades form a cycle: every kernel on it waits for another.";
    FIFO_PLACE = Error Check "check/fifo-place": "A FIFO has a place that cannot hold it.";
    FIFO_ROOM = Error Check "check/fifo-room": "The array has too few DMA channels, buffer descriptors or bytes for the DMA FIFOs.";
    STREAM_HANG = Error Check "check/stream-hang": "Kernels wait for each other over streams, whatever the order of their reads.";
    MAY_HANG = Warning Check "check/may-hang": "Kernels wait for each other over streams or cascades, as the message assumes.";
    PLACE_CONFLICT = Error Check "check/place-conflict": "Two placement constraints contradict each other.";
    BLOCK_PLACE = Error Check "check/block-place": "A constraint on buffers or a stack cannot hold.";
    LOGICAL_NAME = Error Check "check/logical-name": "Two inputs or outputs have one name for the tools.";
    SHIM_PLACE = Error Check "check/shim-place": "A column or channel that the design states cannot serve an input or output.";
    PLACE_OUTSIDE = Error Check "check/place-outside": "A placement constraint names a tile outside the array.";
    REGION_TOO_SMALL = Error Check "check/region-too-small": "A region has too few tiles for its kernels.";
    CORE_OVERLOAD = Error Check "check/core-overload": "Kernels are put on one core that cannot run them together.";
    CORE_WAIT = Warning Check "check/core-wait": "Kernels on one core pass windows that one of them locks itself.";
    PLACE_CROWDED = Error Check "check/place-crowded": "Kernels bound to few tiles, or to one core, need more than the modules around them have.";
    PLIO_WIDTH = Error Check "check/plio-width": "A PLIO port has a width that the device does not offer.";
    PLIO_FREQUENCY = Error Check "check/plio-frequency": "The clock of a PLIO port is higher than programmable logic runs beside the array.";
    PLIO_ELEMENT = Error Check "check/plio-element": "An element is wider than the PLIO port it goes through.";
    PLIO_WORDS = Error Check "check/plio-words": "The data of a PLIO port is not a whole number of the port's words.";
    PLIO_CAPACITY = Error Check "check/plio-capacity": "There are more PLIO ports than the device has.";
    GMIO_BURST = Error Check "check/gmio-burst": "A GMIO port has a burst that the device does not offer.";
    GMIO_OF_CARD = Warning Check "check/gmio-of-card": "GMIO is used on a card, whose server no document shows starting a graph.";
    PLIO_REGISTERS = Error Check "check/plio-registers": "There are more registered PLIO inputs of 128 bits than the tools accept.";
    PLIO_WIRES = Error Check "check/plio-wires": "More nets must pass between PLIO and the array than there are wires.";
    LINE_WIRES = Error Check "check/line-wires": "More nets must cross a line between placed kernels than it has wires.";
    GMIO_CAPACITY = Error Check "check/gmio-capacity": "There are more GMIO ports than the device has.";
    KERNEL_FUNCTION = Error Check "check/kernel-function": "A kernel's C++ source does not define the function that the design declares.";
    KERNEL_COMPILE = Error Check "check/kernel-compile": "A kernel's C++ source does not compile.";
    HELPER_NOT_STATIC = Warning Check "check/helper-not-static": "Several objects hold a definition that is not static.";
    KERNEL_STACK = Warning Check "check/kernel-stack": "The arrays in a kernel's functions are larger than its stack.";
    NEVER_SERVES = Warning Check "check/never-serves": "The owner of active messages never serves, and clients send requests.";
    NO_WAY_OUT = Warning Check "check/no-way-out": "What kernels compute reaches no output.";
    ODD_WINDOW = Note Check "check/odd-window": "A window is no whole number of vectors.";
    UNUSED_ALLOW = Warning Check "check/unused-allow": "An `allow` names a warning that the design does not give.";
    UNUSED_CONSTANT = Warning Check "check/unused-constant": "Neither the design nor its kernels mention a constant.";
    UNSUPPORTED_DEVICE = Error Check "check/unsupported-device": "The compiler does not target this device yet.";

    // Placement.
    PLACEMENT_FILE = Error Place "place/bad-file": "A placement file cannot be read as one.";
    PLACEMENT_UNKNOWN = Error Place "place/unknown-name": "A placement file names something the design does not have.";
    PLACEMENT_MISSING = Error Place "place/missing": "A placement leaves something without a place.";
    PLACEMENT_OUTSIDE = Error Place "place/outside": "A place lies outside the array.";
    TILE_SHARED = Error Place "place/tile-shared": "Kernels are placed on one tile whose core cannot run them together.";
    CONSTRAINT_BROKEN = Error Place "place/constraint-broken": "A placement contradicts a constraint of the design.";
    UNREACHABLE_BUFFER = Error Place "place/unreachable-buffer": "A kernel cannot reach the module that holds its buffer or stack.";
    BUFFER_OVERLAP = Error Place "place/buffer-overlap": "Two buffers or stacks overlap in a module.";
    BUFFER_OUTSIDE = Error Place "place/buffer-outside": "A buffer does not lie inside its module.";
    BUFFER_MISALIGNED = Error Place "place/buffer-misaligned": "A buffer does not start at a multiple of the alignment.";
    BUFFER_COUNT = Error Place "place/buffer-count": "A port has the wrong number of buffers.";
    DMA_SPLIT = Error Place "place/dma-split": "Buffers that belong into one module lie in different ones.";
    STACKS_APART = Error Place "place/stacks-apart": "Kernels on one core have stacks at different places.";
    MODULE_LOCKS = Error Place "place/module-locks": "A module has too few locks for the buffers it holds.";
    MODULE_BDS = Error Place "place/module-bds": "A module has too few buffer descriptors for the buffers it holds.";
    MODULE_CHANNELS = Error Place "place/module-channels": "A module has too few DMA channels for the buffers it holds.";
    SHIM_CHANNEL = Error Place "place/shim-channel": "A PLIO or GMIO port is on a column or channel that cannot serve it.";
    SHIM_CONFLICT = Error Place "place/shim-conflict": "Two PLIO or GMIO ports use the same shim channel.";
    SHARED_BANK = Note Place "place/shared-bank": "Two inputs of a kernel lie in one bank.";
    INFEASIBLE = Error Place "place/infeasible": "No legal placement exists for the design.";
    BAD_PLACEMENT = Error Place "place/bad-import": "A placement of aiecompiler breaks a rule of the array.";
    SOLVER_FAILED = Warning Place "place/solver-failed": "The chosen solver failed, and the built-in one went on.";
    CONTRADICTION = Error Place "place/contradiction": "Placement constraints contradict each other.";
    GAVE_UP = Error Place "place/gave-up": "The search ended without a legal placement.";

    // Routing.
    OVERFULL = Error Route "route/overfull": "More nets must cross an edge or a cut than it has wires.";
    ROUTE_GAVE_UP = Error Route "route/gave-up": "The search ended without a legal routing.";
    UNREACHABLE = Error Route "route/unreachable": "No wires lead from a net to one of its sinks.";
    PLACED_AGAIN = Warning Route "route/placed-again": "A placement could not be routed, and another was tried.";
    BAD_IMPORT = Error Route "route/bad-import": "A file of nets or routes of aiecompiler cannot be read.";
    BAD_ROUTE = Error Route "route/bad-route": "A route is not a legal tree from its source to its sinks.";
    SHARED_PORT = Error Route "route/shared-port": "Two imported nets start or end at one port.";

    // Simulation.
    SINGLE_BUFFER = Note Sim "sim/single-buffer": "A connection on the critical path has single buffers.";
    SIM_COMPILER = Error Sim "sim/compiler": "The C++ compiler cannot be run.";
    SIM_COMPILE = Error Sim "sim/compile": "The emitted project does not compile.";
    SIM_GOLDEN = Error Sim "sim/golden": "The golden file of an output does not exist, or holds no data of that output.";
    SIM_INPUT = Error Sim "sim/input": "The data of an input is missing, too short, or no numbers.";
    SIM_DEADLOCK = Error Sim "sim/deadlock": "The simulation stopped because every kernel waits for another.";
    SIM_CORE_WAIT = Error Sim "sim/core-wait": "Kernels on one core wait for each other, in every order in which it runs them.";
    SIM_MISSING_RELEASE = Error Sim "sim/missing-release": "A kernel does not release an async window in the run that acquires it.";
    SIM_MISUSE = Error Sim "sim/window-misuse": "A kernel used a window, channel or message in a way that fails on hardware.";
    SIM_STREAM_AMOUNT = Error Sim "sim/stream-amount": "A kernel moves another number of elements of a stream in a run than the design says.";
    SIM_WINDOWS_PER_RUN = Error Sim "sim/windows-per-run": "A kernel acquires another number of windows in a run than the design says.";
    SIM_STACK = Error Sim "sim/stack": "A kernel's local arrays are larger than its stack.";
    SIM_WRONG_DATA = Error Sim "sim/wrong-data": "The output differs from the reference.";
    SIM_CONTRIBUTION = Error Sim "sim/contribution": "A rank contributed something else than the design says, or not often enough.";
    SIM_FAILED = Error Sim "sim/failed": "The simulated program ended abnormally.";

    // aiec itself.
    BUG = Error Bug "bug/internal": "aiec found a fault in itself.";
}

/// The entry with this slug.
pub fn find(slug: &str) -> Option<&'static Code> {
    ALL.iter().copied().find(|code| code.slug == slug)
}

/// The entries with this slug, or with this name behind their stage, such as `gave-up`.
pub fn named(word: &str) -> impl Iterator<Item = &'static Code> {
    let is_name = move |slug: &str| slug.split_once('/').is_some_and(|(_, name)| name == word);
    ALL.iter().copied().filter(move |code| code.slug == word || is_name(code.slug))
}

/// The entry that a user names by its slug or its name.
///
/// # Errors
/// For several entries or none: a sentence with their slugs, or with the nearest one.
pub fn one_named(word: &str) -> Result<&'static Code, String> {
    let found: Vec<&'static Code> = named(word).collect();
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(match close(word) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "no diagnostic has this name; `aiec explain` lists all of them".to_owned(),
        }),
        several => {
            let slugs = several.iter().map(|code| format!("`{}`", code.slug));
            Err(format!("write {}", crate::choice(slugs)))
        }
    }
}

/// The slug that resembles a misspelt one, with or without its stage.
pub fn close(word: &str) -> Option<&'static str> {
    let slugs = ALL.iter().map(|code| code.slug);
    let names = || ALL.iter().filter_map(|code| code.slug.split_once('/'));
    crate::nearest(word, slugs).or_else(|| {
        let name = crate::nearest(word, names().map(|(_, name)| name))?;
        named(name).next().map(|code| code.slug)
    })
}

/// The entries of a stage, in declaration order.
pub fn of_stage(stage: Stage) -> impl Iterator<Item = &'static Code> {
    ALL.iter().copied().filter(move |code| code.stage == stage)
}

/// The command that writes [`index`] to where it belongs.
pub const INDEX_COMMAND: &str = "cargo run -p xtask -- docs";

/// The text of `docs/diagnostics.md`: a table for each stage, with links to the pages.
pub fn index() -> String {
    let mut text = format!(
        "# Diagnostics\n\n\
         These are all diagnostics of aiec. `aiec explain SLUG` prints the page of one of them. The\n\
         examples on the pages run as tests. `{INDEX_COMMAND}` generates this page from\n\
         `compiler/diag/src/catalogue.rs`.\n"
    );
    for stage in Stage::ALL {
        text.push_str(&format!("\n## {}\n\n| slug | severity | summary |\n|---|---|---|\n", stage.title()));
        for Code { slug, severity, summary, .. } in of_stage(stage) {
            let severity = severity.word();
            text.push_str(&format!(
                "| [`{slug}`](../compiler/diag/codes/{slug}.md) | {severity} | {summary} |\n"
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The headings of every page, in order, below the slug and the summary.
    const HEADINGS: [&str; 5] =
        ["What it means", "Why it matters", "Bad example", "Good example", "What to try"];

    #[test]
    fn slugs_are_unique_kebab_case_and_start_with_their_stage() {
        let mut seen = BTreeSet::new();
        for code in ALL {
            assert!(seen.insert(code.slug), "{} is declared twice", code.slug);
            let stage = format!("{:?}/", code.stage).to_lowercase();
            let name =
                code.slug.strip_prefix(&stage).unwrap_or_else(|| panic!("{} is not {stage}", code.slug));
            assert!(
                name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{name}"
            );
            assert!(code.summary.ends_with('.'), "{}", code.summary);
        }
    }

    #[test]
    fn pages_start_with_slug_and_summary_and_have_the_fixed_headings() {
        for code in ALL {
            let start = format!("# {}\n\n{}\n\n## ", code.slug, code.summary);
            assert!(code.page.starts_with(&start), "{}.md does not start with\n{start}", code.slug);
            let headings: Vec<&str> = code.page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
            assert_eq!(headings, HEADINGS, "headings of {}.md", code.slug);
            let sections = code.page.split("\n## ").skip(1);
            for section in sections {
                let text = section.split_once('\n').map_or("", |(_, text)| text.trim());
                assert!(text.len() > 20, "{}.md has nothing to say below `{section}`", code.slug);
            }
        }
    }

    #[test]
    fn every_stage_is_listed_once_and_the_index_has_every_entry() {
        assert!(Stage::ALL.is_sorted(), "in pipeline order");
        let index = index();
        assert!(ALL.iter().all(|code| index.matches(&format!("[`{}`]", code.slug)).count() == 1));
    }

    #[test]
    fn every_entry_is_found_by_its_slug() {
        assert!(ALL.iter().all(|code| find(code.slug) == Some(code)));
        assert!(find("check/nothing").is_none());
    }
}
