#pragma once
#include <adf.h>

// Integrates its input; the sum and a histogram of signs are parameters that the host reads back.
void integrate(input_window<int32> *in, int32 gain, output_window<int32> *out, int32 &total, int32 (&signs)[3]);
// Adds an offset that follows another kernel's total.
void follow(input_stream<int32> *in, int32 offset, output_stream<int32> *out);
