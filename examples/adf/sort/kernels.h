#pragma once
#include <adf.h>

// Sorts every sixteen words of a stream by comparing lanes with lanes.
void sort16(input_stream<int32> *in, output_stream<int32> *out);
// Merges two sorted halves of a buffer.
void merge(adf::input_buffer<int32, adf::extents<32>> &halves, adf::output_buffer<int32, adf::extents<32>> &sorted);
