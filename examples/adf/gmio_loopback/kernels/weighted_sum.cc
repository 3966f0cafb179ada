#include "weighted_sum.h"

void weighted_sum_with_margin(input_window<int32> *restrict in, output_window<int32> *restrict out) {
    for (unsigned i = 0; i < 256; i++) {
        int sum = 0;
        for (unsigned j = 1; j <= 8; j++) sum += window_readincr(in) * j;
        window_decr(in, 7);
        window_writeincr(out, sum);
    }
}
