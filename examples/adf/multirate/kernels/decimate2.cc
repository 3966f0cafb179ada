#include "../kernels.h"
#include "aie_api/aie.hpp"
#include "aie_api/aie_adf.hpp"

void decimate2(input_window_int16 *in, output_window_int16 *out) {
    const unsigned count = window_size(out);
    for (unsigned n = 0; n < count; ++n) {
        const int a = window_readincr(in), b = window_readincr(in);
        window_writeincr(out, (a + b) >> 1);
    }
}

void sum16(input_stream_int16 *in, output_stream_int32 *out) {
    int32 sum = 0;
    for (int i = 0; i < 2; ++i) {
        const aie::vector<int16, 8> v = readincr_v8(in);
        for (unsigned lane = 0; lane < 8; ++lane) sum += v[lane];
    }
    writeincr(out, sum);
}
