#pragma once
#include "kernels.h"
#include <adf.h>

class FilterGraph : public adf::graph {
    adf::kernel k;

public:
    adf::input_plio image;
    adf::output_plio result;
    adf::input_port coefficients, threshold;

    FilterGraph() {
        k = adf::kernel::create(filter2d);
        image = adf::input_plio::create("ImageIn", adf::plio_64_bits, "data/image.txt");
        result = adf::output_plio::create("ImageOut", adf::plio_64_bits, "filtered.txt");
        adf::connect<>(image.out[0], k.in[0]);
        adf::connect<adf::parameter>(coefficients, adf::async(k.in[1]));
        adf::connect<adf::parameter>(threshold, adf::async(k.in[2]));
        adf::connect<>(k.out[0], result.in[0]);
        adf::dimensions(k.in[0]) = {WIDTH, HEIGHT};
        adf::dimensions(k.out[0]) = {WIDTH, HEIGHT};
        adf::source(k) = "kernels/filter2d.cc";
        adf::runtime<adf::ratio>(k) = 0.9;
        adf::stack_size(k) = 2048;
    }
};
