// y = x within -2048 .. 2047, the range of a 12-bit converter.
#include <adf.h>
#include <aiec/design.h>

static void clipped(const int16 *__restrict x, int16 *__restrict y) {
    for (unsigned i = 0; i < design::clip::x_elements; ++i) chess_prepare_for_pipelining {
        y[i] = x[i] < -2048 ? int16(-2048) : x[i] > 2047 ? int16(2047) : x[i];
    }
}

#if AIEC_BUFFER_PORTS
void clip(adf::input_buffer<int16> &x, adf::output_buffer<int16> &y) { clipped(x.data(), y.data()); }
#else
void clip(input_window<int16> *x, output_window<int16> *y) { clipped(x->ptr, y->ptr); }
#endif
