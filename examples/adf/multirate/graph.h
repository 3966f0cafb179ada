#pragma once
#include "kernels.h"
using namespace adf;

// Per iteration of the graph: interpolate3 fires 4 times (32 samples each), decimate2 3 times
// (128), sum16 12 times.
class Multirate : public graph {
public:
    kernel up, down, sums;
    input_plio in;
    output_plio out;

    Multirate() {
        up = kernel::create(interpolate3);
        down = kernel::create(decimate2);
        sums = kernel::create(sum16);
        source(up) = "kernels/interpolate3.cc";
        source(down) = "kernels/decimate2.cc";
        source(sums) = "kernels/decimate2.cc";
        for (kernel *k : {&up, &down, &sums}) runtime<ratio>(*k) = 0.3;
        repetition_count(up) = 4;
        repetition_count(sums) = 12;
        in = input_plio::create("In", plio_32_bits, "data/in.txt");
        out = output_plio::create("Out", plio_32_bits, "data/out.txt");
        connect<>(in.out[0], up.in[0]);
        dimensions(up.in[0]) = {32};
        dimensions(up.out[0]) = {96};
        connect<window<96 * 2>, window<128 * 2>>(up.out[0], down.in[0]);
        connect<window<64 * 2>, stream>(down.out[0], sums.in[0]);
        connect<stream>(sums.out[0], out.in[0]);
    }
};
