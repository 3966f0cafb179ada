// Streams of the AIE API under the path of Xilinx/aie_api.
#pragma once

#include "../aie_adf.hpp"
