// A witness of <adf.h>: what the documents say of the graph side of ADF, as declarations. Nothing here is defined.
//
// In: AIEC_WITNESS_RELEASE, the release of Vitis as year and number (20221 for 2022.1). Out: the functions and types that the documents of
// that release have, with their return types and value categories, and nothing else. Written from AMD's documents alone; it shares no line
// with runtime/. Each declaration names its page. Pages of UG1076 (to 2022.1) and UG1079 (from 2022.2) of the same title say the same
// unless two are named. Where the documents print no type, the words "not printed" say what was chosen.
//
// It is stricter than a compiler has to be: parameters of kernels, directions of connections, sizes of merges and channels of GMIO are checked
// by types. Code that passes here may still be refused by aiecompiler for what types cannot tell.
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
