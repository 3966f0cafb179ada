// A FIR filter of 32 complex taps over four kernels: each holds eight taps and passes its sums on
// by the cascade.
#pragma once
#include <adf.h>

#define SECTIONS 4
#define SAMPLES 256

void fir_first(input_stream<cint16> *in, output_cascade<cacc48> *out);
template <int Section>
void fir_middle(input_stream<cint16> *in, input_cascade<cacc48> *partial, output_cascade<cacc48> *out);
void fir_last(input_stream<cint16> *in, input_cascade<cacc48> *partial, output_stream<cint16> *out);

// The samples that each section has lost before it begins.
void init_middle1();
void init_middle2();
void init_last();
