#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class Reconverge : public graph {
public:
    kernel average, difference;
    input_plio in;
    output_plio out;

    Reconverge() {
        in = input_plio::create("In", plio_32_bits, "data/in.txt");
        out = output_plio::create("Out", plio_32_bits, "data/out.txt");
        average = kernel::create(mean);
        difference = kernel::create(remove_mean);
        source(average) = "kernels/mean.cc";
        source(difference) = "kernels/remove_mean.cc";
        runtime<ratio>(average) = 0.5;
        runtime<ratio>(difference) = 0.5;
        connect<stream> a(in.out[0], average.in[0]);
        connect<stream> b(in.out[0], difference.in[1]);
        connect<stream> c(average.out[0], difference.in[0]);
        connect<stream> d(difference.out[0], out.in[0]);
        if (DEPTH > 0) fifo_depth(b) = DEPTH;
    }
};
