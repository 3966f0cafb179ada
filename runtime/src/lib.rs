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
    ("aie_api/detail/arithmetic.hpp", include_str!("../include/aie_api/detail/arithmetic.hpp")),
    ("aie_api/detail/compare.hpp", include_str!("../include/aie_api/detail/compare.hpp")),
    ("aie_api/detail/core.hpp", include_str!("../include/aie_api/detail/core.hpp")),
    ("aie_api/detail/fft.hpp", include_str!("../include/aie_api/detail/fft.hpp")),
    ("aie_api/detail/iterators.hpp", include_str!("../include/aie_api/detail/iterators.hpp")),
    ("aie_api/detail/lut.hpp", include_str!("../include/aie_api/detail/lut.hpp")),
    ("aie_api/detail/mask.hpp", include_str!("../include/aie_api/detail/mask.hpp")),
    ("aie_api/detail/math.hpp", include_str!("../include/aie_api/detail/math.hpp")),
    ("aie_api/detail/memory.hpp", include_str!("../include/aie_api/detail/memory.hpp")),
    ("aie_api/detail/mmul.hpp", include_str!("../include/aie_api/detail/mmul.hpp")),
    ("aie_api/detail/multiply.hpp", include_str!("../include/aie_api/detail/multiply.hpp")),
    ("aie_api/detail/native.hpp", include_str!("../include/aie_api/detail/native.hpp")),
    ("aie_api/detail/operand.hpp", include_str!("../include/aie_api/detail/operand.hpp")),
    ("aie_api/detail/operators.hpp", include_str!("../include/aie_api/detail/operators.hpp")),
    ("aie_api/detail/print.hpp", include_str!("../include/aie_api/detail/print.hpp")),
    ("aie_api/detail/reduce.hpp", include_str!("../include/aie_api/detail/reduce.hpp")),
    ("aie_api/detail/reshape.hpp", include_str!("../include/aie_api/detail/reshape.hpp")),
    ("aie_api/detail/scalar.hpp", include_str!("../include/aie_api/detail/scalar.hpp")),
    ("aie_api/detail/sliding.hpp", include_str!("../include/aie_api/detail/sliding.hpp")),
    ("aie_api/detail/srs.hpp", include_str!("../include/aie_api/detail/srs.hpp")),
    ("aie_api/detail/tile.hpp", include_str!("../include/aie_api/detail/tile.hpp")),
    ("aie_api/detail/vector.hpp", include_str!("../include/aie_api/detail/vector.hpp")),
    ("aie_api/operators.hpp", include_str!("../include/aie_api/operators.hpp")),
    ("aie_api/utils.hpp", include_str!("../include/aie_api/utils.hpp")),
];
