// Host-side stand-in for the ADF library: graphs compile with any C++17 compiler and run as one
// process, deterministically. Written from the public documentation of the interface (UG1079,
// UG1076). It is functional and has no timing. docs/runtime.md of aiec lists what is modelled and
// what is not.
#pragma once

// Designs use these of the standard library without including them.
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "adf/access.h"
#include "adf/bypass.h"
#include "adf/chess.h"
#include "adf/connect.h"
#include "adf/event.h"
#include "adf/graph.h"
#include "adf/io.h"
#include "adf/kernel.h"
#include "adf/legacy.h"
#include "adf/location.h"
#include "adf/types.h"
#include "adf/window.h"
// Built-in words of the core's compiler, for kernels without the AIE API.
#include "aie_api/detail/intrinsics.hpp"
#include "aie_api/detail/tile.hpp"

// For graphs that write adf::vector, or vector behind using namespace adf, as the vendor's headers
// take them. Beside aie::vector the name could mean either, so aiec tries it last.
#ifdef AIEC_STANDARD_NAMES
namespace adf {
using namespace std;
}
#endif
