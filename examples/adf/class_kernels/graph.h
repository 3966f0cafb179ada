#pragma once
#include <adf.h>
#include <vector>
#include "kernels/iir.h"
#include "kernels/peak.h"
using namespace adf;

class ClassGraph : public graph {
    kernel low, high, peak;

public:
    input_plio in;
    output_plio out;

    ClassGraph() {
        std::vector<int32> first{900, -400};
        std::vector<int32> second{-300, 100, 50, -20};
        low = kernel::create_object<Iir<2>>(first, 10, 64u);
        high = kernel::create_object<Iir<4>>(second, 9, 64u);
        peak = kernel::create_object<PeakHold>(25);
        source(low) = "kernels/iir.cc";
        source(high) = "kernels/iir.cc";
        source(peak) = "kernels/peak.cc";
        headers(low) = {"kernels/iir.h"};
        headers(high) = {"kernels/iir.h"};
        headers(peak) = {"kernels/peak.h"};
        runtime<ratio>(low) = 0.4;
        runtime<ratio>(high) = 0.4;
        runtime<ratio>(peak) = 0.1;
        location<kernel>(low) = tile(3, 3);
        location<kernel>(high) = location<kernel>(low);
        in = input_plio::create(plio_32_bits, "data/in.txt");
        out = output_plio::create(plio_32_bits, "data/out.txt");
        connect<window<256>>(in.out[0], low.in[0]);
        connect<window<256>>(low.out[0], high.in[0]);
        connect<window<256>>(high.out[0], peak.in[0]);
        connect<>(peak.out[0], out.in[0]);
        dimensions(peak.in[0]) = {64};
        dimensions(peak.out[0]) = {64};
    }
};
