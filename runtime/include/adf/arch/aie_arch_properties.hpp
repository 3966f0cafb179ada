// Numbers of the modelled device that designs query by functions, at compile time (public: AMD's
// Vitis libraries, which include this path for them). Two stream ports each way for a core of AIE
// and one for AIE-ML: AM009, AM020, "AI Engine Interfaces".
#pragma once

#include "../../aie_api/detail/core.hpp"

namespace adf {

// Stream ports of a core.
constexpr unsigned get_input_streams_core_module() { return __AIE_ARCH__ == 10 ? 2 : 1; }
constexpr unsigned get_output_streams_core_module() { return __AIE_ARCH__ == 10 ? 2 : 1; }

} // namespace adf

using adf::get_input_streams_core_module;
using adf::get_output_streams_core_module;
