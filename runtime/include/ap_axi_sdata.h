// Words of streams of HLS with their side signals, as far as functions of programmable logic are
// declared with them. A folder of the project with the header of this name comes first.
#pragma once

#include "ap_int.h"

template <int Data, int User, int Id, int Dest>
struct ap_axis;
template <int Data, int User, int Id, int Dest>
struct ap_axiu;
template <int Data, int User, int Id, int Dest>
struct qdma_axis;

namespace hls {
template <typename Data, int User, int Id, int Dest>
struct axis;
}
