// Twice as many samples: each one, and before it the mean of it and the one before it.
#include <adf.h>
#include <aiec/design.h>

static int32 before = 0;

static void doubled(const int32 *__restrict x, int32 *__restrict y) {
    for (unsigned i = 0; i < design::up::x_elements; ++i) {
        y[2 * i] = (before + x[i]) >> 1;
        y[2 * i + 1] = before = x[i];
    }
}

#if AIEC_BUFFER_PORTS
void up(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { doubled(x.data(), y.data()); }
#else
void up(input_window<int32> *x, output_window<int32> *y) { doubled(x->ptr, y->ptr); }
#endif
