// A filter with state: y[n] = x[n] + sum of a[k] * y[n - k] / 2^shift. Every instance has
// coefficients of its own.
#pragma once
#include <adf.h>

template <unsigned ORDER>
class Iir {
    int32 (&coefficients)[ORDER];
    int32 past[ORDER];
    const int shift;
    unsigned samples;

public:
    Iir(int32 (&c)[ORDER], int shift_by, unsigned count);
    void filter(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() {
        REGISTER_FUNCTION(Iir::filter);
        REGISTER_PARAMETER(coefficients);
    }
};
