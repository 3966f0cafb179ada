#pragma once
#include <adf.h>

#define CLASSES 32

void softmax(input_window_float *in, output_window_float *out);
