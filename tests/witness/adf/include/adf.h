// A witness of <adf.h>: the graph side of ADF as the documents state it, as declarations. Nothing
// here is defined.
//
// In: AIEC_WITNESS_RELEASE, the release of Vitis as year and number (20221 for 2022.1). Out: the
// functions and types in the documents of that release, with their return types and value
// categories, and nothing else. Written from AMD's documents alone; it shares no line with
// runtime/. Each declaration names its page. Pages of UG1076 (to 2022.1) and UG1079 (from 2022.2)
// with one title state the same unless two are named. Where the documents print no type, the words
// "not printed" precede the chosen one.
//
// It is stricter than a compiler has to be: types check parameters of kernels, directions of
// connections, sizes of merges and channels of GMIO. aiecompiler may still refuse code that passes
// here, for reasons that types cannot express.
#ifndef AIEC_WITNESS_ADF_H
#define AIEC_WITNESS_ADF_H

#include "adf/release.h"

#include "adf/scalars.h"
#include "adf/kernel_ports.h"
#include "adf/ports.h"
#include "adf/parameters.h"
#include "adf/kernel.h"
#include "adf/packets.h"
#include "adf/io.h"
#include "adf/graph.h"
#include "adf/connect.h"
#include "adf/constraints.h"
#include "adf/locations.h"

#endif
