#include "../kernels.h"

void integrate(input_window<int32> *in, int32 gain, output_window<int32> *out, int32 &total, int32 (&signs)[3]) {
    static int32 sum = 0;
    static int32 counted[3] = {0, 0, 0};
    for (unsigned i = 0; i < window_size(in); ++i) {
        const int32 value = gain * window_readincr(in);
        sum += value;
        counted[value < 0 ? 0 : value == 0 ? 1 : 2]++;
        window_writeincr(out, sum);
    }
    total = sum;
    for (int i = 0; i < 3; ++i) signs[i] = counted[i];
}
