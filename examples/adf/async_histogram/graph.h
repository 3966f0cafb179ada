#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class Histogram : public graph {
public:
    kernel count, pass;
    input_plio in;
    output_plio counts, bright;
    input_port lines;

    Histogram() {
        in = input_plio::create("Lines", plio_128_bits, "data/lines.txt");
        counts = output_plio::create("Counts", plio_32_bits, "data/counts.txt");
        bright = output_plio::create("Bright", plio_32_bits, "data/bright.txt");
        count = kernel::create(histogram);
        pass = kernel::create(relay);
        source(count) = "kernels/histogram.cc";
        source(pass) = "kernels/relay.cc";
        runtime<ratio>(count) = 0.8;
        runtime<ratio>(pass) = 0.1;
        connect<>(in.out[0], count.in[0]);
        connect<parameter>(lines, count.in[1]); // synchronous: a number for every firing
        connect<>(count.out[0], counts.in[0]);
        connect<window<32>>(count.out[1], async(pass.in[0]));
        connect<window<32>>(async(pass.out[0]), bright.in[0]);
    }
};
