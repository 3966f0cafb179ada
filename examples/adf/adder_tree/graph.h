#pragma once
#include <string>
#include "kernels.h"

class AdderTree : public adf::graph {
public:
    static constexpr int LEAVES = 16;
    std::array<adf::input_plio, LEAVES> in;
    adf::output_plio out;
    adf::kernel leaf[8], mixed[4], inner[3];

    AdderTree() {
        for (int i = 0; i < LEAVES; i++)
            in[i] = adf::input_plio::create("In" + std::to_string(i), adf::plio_128_bits, "data/in" + std::to_string(i) + ".txt");
        out = adf::output_plio::create("Sum", adf::plio_128_bits, "data/sum.txt");
        for (int i = 0; i < 8; i++) {
            leaf[i] = adf::kernel::create(add_streams);
            adf::source(leaf[i]) = "kernels/add_streams.cc";
            adf::runtime<adf::ratio>(leaf[i]) = 0.2;
            adf::repetition_count(leaf[i]) = BLOCK / 4;
            adf::connect<adf::stream>(in[2 * i].out[0], leaf[i].in[0]);
            adf::connect<adf::stream>(in[2 * i + 1].out[0], leaf[i].in[1]);
        }
        for (int i = 0; i < 4; i++) {
            mixed[i] = adf::kernel::create(add_mixed);
            adf::source(mixed[i]) = "kernels/add_streams.cc";
            adf::runtime<adf::ratio>(mixed[i]) = 0.4;
            adf::connect<adf::stream>(leaf[2 * i].out[0], mixed[i].in[0]);
            adf::connect<adf::stream>(leaf[2 * i + 1].out[0], mixed[i].in[1]);
        }
        for (int i = 0; i < 3; i++) {
            inner[i] = adf::kernel::create(add_blocks);
            adf::source(inner[i]) = "kernels/add_blocks.cc";
            adf::runtime<adf::ratio>(inner[i]) = 0.4;
        }
        for (int i = 0; i < 2; i++) {
            adf::connect(mixed[2 * i].out[0], inner[i].in[0]);
            adf::connect(mixed[2 * i + 1].out[0], inner[i].in[1]);
            adf::connect(inner[i].out[0], inner[2].in[i]);
        }
        adf::connect(inner[2].out[0], out.in[0]);
        adf::location<adf::kernel>(inner[0]) = adf::tile(10, 1);
        adf::location<adf::kernel>(inner[1]) = adf::tile(12, 1);
        adf::location<adf::kernel>(inner[2]) = adf::tile(11, 1);
        adf::single_buffer(inner[2].in[0]);
    }
};
