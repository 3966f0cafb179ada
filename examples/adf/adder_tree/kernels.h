#ifndef __KERNELS_H__
#define __KERNELS_H__
#include <adf.h>

constexpr unsigned BLOCK = 64;

// The leaves add streams, the inner nodes blocks.
void add_streams(input_stream<int32> *a, input_stream<int32> *b, output_stream<int32> *sum);
void add_mixed(input_stream<int32> *a, input_stream<int32> *b, adf::output_buffer<int32, adf::extents<BLOCK>> &sum);
void add_blocks(adf::input_buffer<int32, adf::extents<BLOCK>> &a, adf::input_buffer<int32, adf::extents<BLOCK>> &b,
                adf::output_buffer<int32, adf::extents<BLOCK>> &sum);
#endif
