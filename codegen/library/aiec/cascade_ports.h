// The cascade streams of a kernel, by the type of their accumulators (UG1079 2023.2, "Cascade
// Stream").
#pragma once

#include <adf.h>

namespace aiec {

template <typename Tag>
using cascade_in = input_cascade<Tag> *;
template <typename Tag>
using cascade_out = output_cascade<Tag> *;

} // namespace aiec
