//! The host runtime: C++ headers that stand in for the vendor's ADF library, so that an emitted project compiles with
//! any C++17 compiler and runs as one process.
//!
//! In comes nothing; out go the texts of the headers. They promise a *functional* run of window kernels: the lock
//! protocol of synchronous and asynchronous windows (thesis 2.2), ping-pong and single buffers, broadcast, PLIO text
//! files and GMIO memory; deadlocks, missing releases and accesses outside a window are reported with the kernel and
//! port. Runs are deterministic: kernels are coroutines that take turns in creation order. They promise no timing.

/// The header files: path below the include folder, with forward slashes, and text. Sorted by path.
pub const HEADERS: &[(&str, &str)] = &[
    ("adf.h", include_str!("../include/adf.h")),
    ("adf/chess.h", include_str!("../include/adf/chess.h")),
    ("adf/graph.h", include_str!("../include/adf/graph.h")),
    ("adf/io.h", include_str!("../include/adf/io.h")),
    ("adf/kernel.h", include_str!("../include/adf/kernel.h")),
    ("adf/location.h", include_str!("../include/adf/location.h")),
    ("adf/sim/context.h", include_str!("../include/adf/sim/context.h")),
    ("adf/sim/gmio_node.h", include_str!("../include/adf/sim/gmio_node.h")),
    ("adf/sim/journal.h", include_str!("../include/adf/sim/journal.h")),
    ("adf/sim/kernel_node.h", include_str!("../include/adf/sim/kernel_node.h")),
    ("adf/sim/node.h", include_str!("../include/adf/sim/node.h")),
    ("adf/sim/plio_node.h", include_str!("../include/adf/sim/plio_node.h")),
    ("adf/sim/port.h", include_str!("../include/adf/sim/port.h")),
    ("adf/sim/simulation.h", include_str!("../include/adf/sim/simulation.h")),
    ("adf/sim/text.h", include_str!("../include/adf/sim/text.h")),
    ("adf/types.h", include_str!("../include/adf/types.h")),
    ("adf/window.h", include_str!("../include/adf/window.h")),
    ("aie_api/aie.hpp", include_str!("../include/aie_api/aie.hpp")),
    ("aie_api/aie_adf.hpp", include_str!("../include/aie_api/aie_adf.hpp")),
    ("aie_api/detail/accum.hpp", include_str!("../include/aie_api/detail/accum.hpp")),
    ("aie_api/detail/elementwise.hpp", include_str!("../include/aie_api/detail/elementwise.hpp")),
    ("aie_api/detail/iterators.hpp", include_str!("../include/aie_api/detail/iterators.hpp")),
    ("aie_api/detail/tile.hpp", include_str!("../include/aie_api/detail/tile.hpp")),
    ("aie_api/detail/vector.hpp", include_str!("../include/aie_api/detail/vector.hpp")),
];
