// The cascade streams of a kernel, by the type of their accumulators. Before Vitis 2023.2 these are
// written as streams of accumulators.
#pragma once

#include <adf.h>

namespace aiec {

template <typename Tag>
using cascade_in = input_stream<Tag> *;
template <typename Tag>
using cascade_out = output_stream<Tag> *;

} // namespace aiec
