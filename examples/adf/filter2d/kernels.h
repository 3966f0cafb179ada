// A 3 x 3 filter on tiles of an image, as vision libraries have it: coefficients and a threshold
// come from the host.
#pragma once
#include <adf.h>

constexpr int WIDTH = 32;  // pixels of a row
constexpr int HEIGHT = 16; // rows of a tile
constexpr int SHIFT = 4;   // fractional bits of the coefficients

void filter2d(adf::input_buffer<int16> &image, const int16 (&coefficients)[16], int16 threshold,
              adf::output_buffer<int16> &result);
