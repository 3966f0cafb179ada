// The AIE API for the host: vectors, accumulators, masks, iterators and the operations on them.
// docs/aie_api.md of aiec lists the supported parts and the document of each behaviour.
#pragma once

#include "../adf/chess.h" // the directives are keywords of the core's compiler
#include "detail/accum.hpp"
#include "detail/arithmetic.hpp"
#include "detail/compare.hpp"
#include "detail/fft.hpp"
#include "detail/intrinsics.hpp"
#include "detail/iterators.hpp"
#if __AIE_ARCH__ != 10
#include "detail/lut.hpp" // UG1603 alone has lookup tables
#endif
#include "detail/mask.hpp"
#include "detail/math.hpp"
#include "detail/memory.hpp"
#include "detail/mmul.hpp"
#include "detail/multiply.hpp"
#include "detail/operand.hpp"
#include "detail/operators.hpp"
#include "detail/print.hpp"
#include "detail/reduce.hpp"
#include "detail/reshape.hpp"
#include "detail/shapes.hpp"
#include "detail/sliding.hpp"
#include "detail/tile.hpp"
#include "detail/vector.hpp"
