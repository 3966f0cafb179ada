#pragma once
#include <adf.h>
#include "kernels.h"
using namespace adf;

class State : public graph {
public:
    kernel sum, add;
    input_plio in, other;
    output_plio out, followed;
    port<direction::in> gain;
    port<direction::inout> total, signs;

    State() {
        in = input_plio::create("In", plio_32_bits, "data/in.txt");
        other = input_plio::create("Other", plio_32_bits, "data/other.txt");
        out = output_plio::create("Out", plio_32_bits, "data/out.txt");
        followed = output_plio::create("Followed", plio_32_bits, "data/followed.txt");
        sum = kernel::create(integrate);
        add = kernel::create(follow);
        source(sum) = "kernels/integrate.cc";
        source(add) = "kernels/follow.cc";
        runtime<ratio>(sum) = 0.5;
        runtime<ratio>(add) = 0.5;
        connect<window<64>>(in.out[0], sum.in[0]);
        connect<parameter>(gain, sum.in[1]);
        connect<window<64>>(sum.out[0], out.in[0]);
        connect<parameter>(sync(sum.inout[0]), sync(add.in[1])); // one total for every firing
        connect<parameter>(sum.inout[1], signs);
        connect<stream>(other.out[0], add.in[0]);
        connect<stream>(add.out[0], followed.in[0]);
    }
};
