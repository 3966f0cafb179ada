#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class SoftmaxGraph : public graph {
public:
    kernel k;
    input_plio in;
    output_plio out;

    SoftmaxGraph() {
        k = kernel::create(softmax);
        source(k) = "kernels/softmax.cc";
        runtime<ratio>(k) = 1.0;
        in = input_plio::create("Logits", plio_128_bits, "data/in.txt", 250.0);
        out = output_plio::create("Shares", plio_128_bits, "data/out.txt", 250.0);
        connect<window<CLASSES * 4>> net0(in.out[0], k.in[0]);
        connect<window<CLASSES * 4>> net1(k.out[0], out.in[0]);
    }
};
