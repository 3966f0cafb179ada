#include <adf.h>
#include <aiec/design.h>

static void clamped(const int32 *__restrict x, int32 *__restrict y) {
    for (unsigned i = 0; i < design::finish::x_elements; ++i) y[i] = x[i] > 1000 ? 1000 : x[i] < -1000 ? -1000 : x[i];
}

static void mirrored(const int32 *__restrict x, int32 *__restrict y) {
    for (unsigned i = 0; i < design::finish::x_elements; ++i) y[i] = x[i] < 0 ? -x[i] : x[i];
}

#if AIEC_BUFFER_PORTS
void clamp(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { clamped(x.data(), y.data()); }
void mirror(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { mirrored(x.data(), y.data()); }
#else
void clamp(input_window<int32> *x, output_window<int32> *y) { clamped(x->ptr, y->ptr); }
void mirror(input_window<int32> *x, output_window<int32> *y) { mirrored(x->ptr, y->ptr); }
#endif
