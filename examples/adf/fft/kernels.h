#pragma once
#include <adf.h>

constexpr unsigned POINTS = 64;

// A Fourier transform of 64 points by six stages of radix 2.
void fft64(adf::input_buffer<cfloat, adf::extents<POINTS>> &x, adf::output_buffer<cfloat, adf::extents<POINTS>> &y);
// The square of every magnitude.
void power(adf::input_buffer<cfloat, adf::extents<POINTS>> &y, adf::output_buffer<float, adf::extents<POINTS>> &p);
