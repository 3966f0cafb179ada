#pragma once
#include <adf.h>

constexpr unsigned LINE = 64, BINS = 16;

// Counts the samples of FRAMES lines in a firing; the histogram leaves once a firing, the samples
// above a level whenever a buffer is full of them.
void histogram(adf::input_async_buffer<uint8, adf::extents<LINE>> &line, int32 lines, adf::output_buffer<int32, adf::extents<BINS>> &counts,
               adf::output_async_buffer<uint8, adf::extents<32>> &bright);
void relay(input_window_uint8 *in, output_window_uint8 *out);
