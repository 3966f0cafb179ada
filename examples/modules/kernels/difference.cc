#include <adf.h>

#include <aiec/design.h>

static void subtract(const int32 *__restrict high, const int32 *__restrict low, int32 *__restrict y, unsigned count) {
    for (unsigned i = 0; i < count; ++i) y[i] = high[i] - low[i];
}

#if AIEC_BUFFER_PORTS
void difference(adf::input_buffer<int32> &high, adf::input_buffer<int32> &low, adf::output_buffer<int32> &y) {
    subtract(high.data(), low.data(), y.data(), design::difference::y_elements);
}
#else
void difference(input_window<int32> *high, input_window<int32> *low, output_window<int32> *y) {
    subtract(high->ptr, low->ptr, y->ptr, design::difference::y_elements);
}
#endif
