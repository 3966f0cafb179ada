#pragma once
#include <adf.h>

#ifndef DEPTH
#define DEPTH 56
#endif
constexpr unsigned BLOCK = 64;

// The mean of a block leaves the first kernel when the block has passed; the second takes it off
// the block's samples, which wait on the direct connection meanwhile.
void mean(input_stream<int32> *in, output_stream<int32> *out);
void remove_mean(input_stream<int32> *mean, input_stream<int32> *samples, output_stream<int32> *out);
