// Vectors and accumulators over windows and cascades (UG1079 "Window Operations for Kernels",
// "Cascade Stream Operations").
#pragma once

#include "aie.hpp"

template <unsigned Lanes, typename T>
aie::vector<T, Lanes> window_readincr_v(input_window<T> *);
template <typename T, unsigned Lanes>
void window_writeincr(output_window<T> *, const aie::vector<T, Lanes> &);
// UG1079 "Reading and Advancing an Input Stream", "Writing and Advancing an Output Stream": vectors
// of 128 bits over streams.
template <unsigned Lanes, typename T>
aie::vector<T, Lanes> readincr_v(input_stream<T> *);
template <typename T, unsigned Lanes>
void writeincr(output_stream<T> *, const aie::vector<T, Lanes> &);
template <unsigned Lanes, typename Tag>
aie::accum<Tag, Lanes> readincr_v(input_cascade<Tag> *);
template <typename Tag, unsigned Lanes>
void writeincr(output_cascade<Tag> *, const aie::accum<Tag, Lanes> &);
