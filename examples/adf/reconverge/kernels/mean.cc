#include "../kernels.h"

void mean(input_stream<int32> *in, output_stream<int32> *out) {
    int32 sum = 0;
    for (unsigned i = 0; i < BLOCK; ++i) sum += readincr(in);
    writeincr(out, sum / int(BLOCK));
}
