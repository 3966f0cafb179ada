// y = 3/4 x, rounded towards minus infinity.
#include <adf.h>

void scale(input_window<int16> *x, output_window<int16> *y) {
    for (unsigned i = 0; i < window_size(x); ++i) chess_prepare_for_pipelining {
        const int32 product = 3 * int32(window_readincr(x));
        window_writeincr(y, int16(product >> 2));
    }
}
