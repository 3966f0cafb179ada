#include "kernels.h"
accumulate::accumulate(int32 start) : sum_(start) {}
void accumulate::run(input_window<int32> *in, output_stream<int32> *out) {
    for (int i = 0; i < 16; ++i) { sum_ += window_readincr(in); writeincr(out, sum_); }
}
