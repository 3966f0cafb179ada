// The AIE API together with what kernels see of their ports: windows, buffers, streams and cascades.
#pragma once

#include "../adf.h"
#include "aie.hpp"
