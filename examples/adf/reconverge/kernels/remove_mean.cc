#include "../kernels.h"

void remove_mean(input_stream<int32> *mean, input_stream<int32> *samples, output_stream<int32> *out) {
    const int32 level = readincr(mean);
    for (unsigned i = 0; i < BLOCK; ++i) writeincr(out, readincr(samples) - level);
}
