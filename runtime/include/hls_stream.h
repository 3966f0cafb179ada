// Streams of HLS, as far as functions of programmable logic are declared with them. A folder of the
// project with the header of this name comes first.
#pragma once

#include "ap_axi_sdata.h"

namespace hls {
template <typename Type, int Depth = 0>
class stream;
}
