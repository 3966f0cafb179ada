// y = x - 100. Scaled samples stay within 16 bits after that.
#include <adf.h>
#include <aiec/design.h>

static void without_bias(const int16 *__restrict x, int16 *__restrict y) {
    for (unsigned i = 0; i < design::bias::x_elements; ++i) chess_prepare_for_pipelining {
        y[i] = int16(x[i] - 100);
    }
}

#if AIEC_BUFFER_PORTS
void bias(adf::input_buffer<int16> &x, adf::output_buffer<int16> &y) { without_bias(x.data(), y.data()); }
#else
void bias(input_window<int16> *x, output_window<int16> *y) { without_bias(x->ptr, y->ptr); }
#endif
