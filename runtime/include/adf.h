// Host-side stand-in for the ADF library: graphs of window kernels that compile with any C++17 compiler and run as one
// process, deterministically. Written from the public documentation of the interface (UG1079); functional, no timing.
//
// What runs: kernels (functions and classes) with window ports, synchronous or asynchronous; ping-pong and single
// buffers; broadcast; PLIO as text files; GMIO as host memory. What does not (streams, cascades, run-time parameters,
// buffer ports, margins) does not compile.
#pragma once

#include "adf/chess.h"
#include "adf/graph.h"
#include "adf/io.h"
#include "adf/kernel.h"
#include "adf/location.h"
#include "adf/types.h"
#include "adf/window.h"
#include "aie_api/detail/tile.hpp"
