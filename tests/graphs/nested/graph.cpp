// Two kernels of a graph in a vector of vectors of graphs. The second reads more than the first
// writes.
#include "kernels.h"
struct part : adf::graph {
    adf::port<adf::input> in;
    adf::port<adf::output> out;
    std::array<adf::kernel, 1> first;
    adf::kernel second[2];
    part() {
        first[0] = adf::kernel::create(four);
        second[1] = adf::kernel::create(eight);
        adf::source(first[0]) = "kernels.cc";
        adf::source(second[1]) = "kernels.cc";
        for (adf::kernel k : {first[0], second[1]}) adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::stream>(in, first[0].in[0]);
        adf::connect<adf::stream>(first[0].out[0], second[1].in[0]);
        adf::connect<adf::stream>(second[1].out[0], out);
    }
};
struct whole : adf::graph {
    std::vector<std::vector<part>> parts{2};
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, "in.txt");
    adf::output_plio out = adf::output_plio::create(adf::plio_32_bits, "out.txt");
    whole() {
        parts[1] = std::vector<part>(2);
        adf::connect<>(in.out[0], parts[1][0].in);
        adf::connect<>(parts[1][0].out, parts[1][1].in);
        adf::connect<>(parts[1][1].out, out.in[0]);
    }
} design;
int main() {
    design.init();
    design.run(1);
    design.end();
}
