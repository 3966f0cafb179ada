// The AIE API together with the kernels' view of their ports: windows, buffers, streams and
// cascades.
#pragma once

#include "../adf.h"
#include "aie.hpp"
