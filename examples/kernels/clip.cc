// y = x within -2048 .. 2047, the range of a 12-bit converter.
#include <adf.h>

void clip(input_window<int16> *x, output_window<int16> *y) {
    for (unsigned i = 0; i < window_size(x); ++i) chess_prepare_for_pipelining {
        const int16 value = window_readincr(x);
        window_writeincr(y, value < -2048 ? int16(-2048) : value > 2047 ? int16(2047) : value);
    }
}
