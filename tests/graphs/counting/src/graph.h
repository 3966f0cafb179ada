// A hand-written ADF graph: sub-graphs, templates that are defined in a .cc, a class with a
// constructor there, static data, and an initialization function.
#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class stage : public graph {
public:
    input_port in;
    output_port out;
    kernel k;
    explicit stage(const std::string &file) {
        k = kernel::create(scale<int32, 3>);
        connect<window<64>>(in, k.in[0]);
        connect<window<64>>(k.out[0], out);
        source(k) = file;
        runtime<ratio>(k) = 0.8;
    }
};

class counting : public graph {
public:
    stage first{"kernels/scale.cc"}, second{std::string("kernels/") + "scale.cc"};
    kernel count[2], total;
    input_plio in;
    output_plio out;
    counting() {
        in = input_plio::create("DataIn", plio_32_bits, "data/in.txt");
        out = output_plio::create("DataOut", plio_32_bits, "data/out.txt");
        for (kernel &k : count) {
            k = kernel::create(counted);
            source(k) = "kernels/counted.cc";
            runtime<ratio>(k) = 0.5;
            initialization_function(k) = "start_counting";
        }
        total = kernel::create_object<accumulate>(5);
        source(total) = "kernels/accumulate.cc";
        headers(total) = {"kernels.h"};
        runtime<ratio>(total) = 0.5;
        connect<>(in.out[0], first.in);
        connect<>(first.out, second.in);
        connect<window<64>>(second.out, count[0].in[0]);
        connect<window<64>>(count[0].out[0], count[1].in[0]);
        connect<window<64>>(count[1].out[0], total.in[0]);
        connect<stream>(total.out[0], out.in[0]);
    }
};
