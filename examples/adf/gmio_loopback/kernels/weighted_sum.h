#pragma once
#include <adf.h>

void weighted_sum_with_margin(input_window<int32> *in, output_window<int32> *out);
