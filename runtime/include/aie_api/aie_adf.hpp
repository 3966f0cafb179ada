// The AIE API together with window access.
#pragma once

#include "../adf/window.h"
#include "aie.hpp"
