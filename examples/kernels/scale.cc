// y = 3/4 x, rounded towards minus infinity.
#include <adf.h>
#include <aiec/design.h>

static void scaled(const int16 *__restrict x, int16 *__restrict y) {
    for (unsigned i = 0; i < design::scale::x_elements; ++i) chess_prepare_for_pipelining {
        const int32 product = 3 * int32(x[i]);
        y[i] = int16(product >> 2);
    }
}

#if AIEC_BUFFER_PORTS
void scale(adf::input_buffer<int16> &x, adf::output_buffer<int16> &y) { scaled(x.data(), y.data()); }
#else
void scale(input_window<int16> *x, output_window<int16> *y) { scaled(x->ptr, y->ptr); }
#endif
