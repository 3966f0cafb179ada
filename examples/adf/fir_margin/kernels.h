// A symmetric FIR filter of 16 taps on windows whose margin holds the samples before.
#pragma once
#include <adf.h>

#define SAMPLES 128
#define TAPS 16

void fir(input_window_int16 *in, output_window_int16 *out);
