// The intrinsics that AIE kernels call (UG1078). docs/runtime.md of aiec lists them.
#pragma once

#include "native.hpp"
#include "permute.hpp"
