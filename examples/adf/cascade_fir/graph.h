#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class CascadeFir : public graph {
public:
    kernel k[SECTIONS];
    input_plio in;
    output_plio out;

    CascadeFir() {
        in = input_plio::create("SamplesIn", plio_64_bits, "data/in.txt", 500);
        out = output_plio::create("SamplesOut", plio_64_bits, "data/out.txt", 500);
        k[0] = kernel::create(fir_first);
        k[1] = kernel::create(fir_middle<1>);
        k[2] = kernel::create(fir_middle<2>);
        k[3] = kernel::create(fir_last);
        initialization_function(k[1]) = "init_middle1";
        initialization_function(k[2]) = "init_middle2";
        initialization_function(k[3]) = "init_last";
        for (int i = 0; i < SECTIONS; ++i) {
            source(k[i]) = "kernels/fir.cc";
            headers(k[i]) = {"kernels/taps.h"};
            runtime<ratio>(k[i]) = 0.9;
            location<kernel>(k[i]) = tile(25 + i, 0); // even rows cascade from west to east
            connect<stream> net(in.out[0], k[i].in[0]);
            fifo_depth(net) = 32;
            if (i > 0) connect<cascade>(k[i - 1].out[0], k[i].in[1]);
        }
        connect<stream>(k[3].out[0], out.in[0]);
    }
};
