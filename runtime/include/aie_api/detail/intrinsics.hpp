// The intrinsics that AIE kernels call (UG1078). docs/runtime.md of aiec lists them.
#pragma once

#include "butterflies.hpp"
#include "floats.hpp"
#include "macs.hpp"
#include "native.hpp"
#include "select.hpp"
