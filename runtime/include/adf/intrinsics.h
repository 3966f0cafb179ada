// The functions of the processor under the path that some kernels include.
#pragma once

#include "../adf.h"
