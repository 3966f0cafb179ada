#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class FanOut : public graph {
    kernel worker[4];
    pktsplit<4> split;
    pktmerge<4> merge;

public:
    input_plio in;
    output_plio out;

    FanOut() {
        in = input_plio::create("Packets", plio_32_bits, "data/packets.txt");
        out = output_plio::create("Answers", plio_32_bits, "data/answers.txt");
        split = pktsplit<4>::create();
        merge = pktmerge<4>::create();
        worker[0] = kernel::create(scale0);
        worker[1] = kernel::create(scale1);
        worker[2] = kernel::create(count_words);
        worker[3] = kernel::create(negate_stream);
        source(worker[0]) = source(worker[1]) = "kernels/scale.cc";
        for (int i = 0; i < 4; i++) {
            if (i >= 2) source(worker[i]) = "kernels/packets.cc";
            runtime<ratio>(worker[i]) = 0.9;
        }
        connect<pktstream>(in.out[0], split.in[0]);
        for (int i = 0; i < 2; i++) {
            connect<pktstream, window<32>>(split.out[i], worker[i].in[0]);
            connect<window<32>, pktstream>(worker[i].out[0], merge.in[i]);
        }
        for (int i = 2; i < 4; i++) {
            connect<pktstream>(split.out[i], worker[i].in[0]);
            connect<pktstream>(worker[i].out[0], merge.in[i]);
        }
        connect<pktstream>(merge.out[0], out.in[0]);
    }
};
