#pragma once
#include <adf.h>

// Each kernel multiplies and adds by its number; the third handles packets itself.
void scale0(input_window_int32 *in, output_window_int32 *out);
void scale1(input_window_int32 *in, output_window_int32 *out);
void count_words(input_pktstream *in, output_pktstream *out);
void negate_stream(input_pktstream *in, output_pktstream *out);
