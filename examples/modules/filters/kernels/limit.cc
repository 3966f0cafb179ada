// Limits samples to 16 bits.
#include <adf.h>
#include <aiec/design.h>

#if AIEC_BUFFER_PORTS
void limit(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    const int32 *__restrict from = x.data();
    int32 *__restrict to = y.data();
#else
void limit(input_window<int32> *x, output_window<int32> *y) {
    const int32 *__restrict from = x->ptr;
    int32 *__restrict to = y->ptr;
#endif
    for (unsigned n = 0; n < design::limit::x_elements; ++n) {
        const int32 value = from[n];
        to[n] = value > 32767 ? 32767 : value < -32768 ? -32768 : value;
    }
}
