#include "iir.h"

template <unsigned ORDER>
Iir<ORDER>::Iir(int32 (&c)[ORDER], int shift_by, unsigned count) : coefficients(c), shift(shift_by), samples(count) {
    for (unsigned k = 0; k < ORDER; ++k) past[k] = 0;
}

template <unsigned ORDER>
void Iir<ORDER>::filter(input_window<int32> *in, output_window<int32> *out) {
    for (unsigned n = 0; n < samples; ++n) {
        int32 y = window_readincr(in);
        for (unsigned k = 0; k < ORDER; ++k) y += (coefficients[k] * past[k]) >> shift;
        for (unsigned k = ORDER - 1; k > 0; --k) past[k] = past[k - 1];
        past[0] = y;
        window_writeincr(out, y);
    }
}
