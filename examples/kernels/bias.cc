// y = x - 100. Scaled samples stay within 16 bits after that.
#include <adf.h>

void bias(input_window<int16> *x, output_window<int16> *y) {
    for (unsigned i = 0; i < window_size(x); ++i) chess_prepare_for_pipelining {
        window_writeincr(y, int16(window_readincr(x) - 100));
    }
}
