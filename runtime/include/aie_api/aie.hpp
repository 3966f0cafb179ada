// The part of the AIE API that element-wise and reduction kernels use, for the host.
#pragma once

#include "detail/accum.hpp"
#include "detail/elementwise.hpp"
#include "detail/iterators.hpp"
#include "detail/tile.hpp"
#include "detail/vector.hpp"
