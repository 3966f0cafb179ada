#pragma once
#include <adf.h>

// Three samples of output for each one of input, by straight lines between them.
void interpolate3(adf::input_buffer<int16> &in, adf::output_buffer<int16> &out);
// The mean of each pair.
void decimate2(input_window_int16 *in, output_window_int16 *out);
// One sum for every sixteen words of a stream.
void sum16(input_stream_int16 *in, output_stream_int32 *out);
