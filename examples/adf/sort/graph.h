#pragma once
#include "kernels.h"
using namespace adf;

class Sort : public graph {
public:
    kernel lanes, pairs;
    input_plio in;
    output_plio out;

    Sort() {
        lanes = kernel::create(sort16);
        pairs = kernel::create(merge);
        source(lanes) = "kernels/sort16.cc";
        source(pairs) = "kernels/merge.cc";
        runtime<ratio>(lanes) = 0.7;
        runtime<ratio>(pairs) = 0.3;
        repetition_count(lanes) = 2;
        in = input_plio::create("Unsorted", plio_32_bits, "data/in.txt");
        out = output_plio::create("Sorted", plio_32_bits, "data/out.txt");
        connect<stream>(in.out[0], lanes.in[0]);
        connect<stream>(lanes.out[0], pairs.in[0]);
        connect<>(pairs.out[0], out.in[0]);
    }
};
