#pragma once
#include "kernels.h"

class Fft : public adf::graph {
public:
    adf::kernel transform, magnitude;
    adf::input_plio in;
    adf::output_plio spectrum, squares;

    Fft() {
        in = adf::input_plio::create("In", adf::plio_64_bits, "data/in.txt");
        spectrum = adf::output_plio::create("Spectrum", adf::plio_64_bits, "data/spectrum.txt");
        squares = adf::output_plio::create("Power", adf::plio_64_bits, "data/power.txt");
        transform = adf::kernel::create(fft64);
        magnitude = adf::kernel::create(power);
        adf::source(transform) = "kernels/fft64.cc";
        adf::source(magnitude) = "kernels/power.cc";
        adf::runtime<adf::ratio>(transform) = 0.8;
        adf::runtime<adf::ratio>(magnitude) = 0.2;
        adf::connect(in.out[0], transform.in[0]);
        adf::connect(transform.out[0], magnitude.in[0]);
        adf::connect(transform.out[0], spectrum.in[0]);
        adf::connect(magnitude.out[0], squares.in[0]);
    }
};
