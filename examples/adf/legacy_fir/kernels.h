#ifndef FIR_KERNELS_H
#define FIR_KERNELS_H
#include <adf.h>

#define NUM_SAMPLES 64
#define NUM_TAPS 8

void fir_8t(input_window_cint16 *cb_input, output_window_cint16 *cb_output);
void rotate(input_stream_cint16 *in, output_stream_cint16 *out);
#endif
