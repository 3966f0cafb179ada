// Counts of a kernel in the mode of `aiec sim --timing`: a pipelined loop of products. aiec writes
// the object around the loop; here it stands in the source.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

void products(adf::input_buffer<int32> &a, adf::output_buffer<int32> &o) {
    const auto *in = reinterpret_cast<const aie::vector<int32, 8> *>(a.data());
    auto *out = reinterpret_cast<aie::vector<int32, 8> *>(o.data());
    adf::sim::counts::loop turns(true, true);
    for (int i = 0; i < 16; ++i) {
        turns.turn();
        const aie::accum<acc80, 8> sum = aie::mac(aie::mul(in[i], in[i]), in[i], 3);
        out[i] = sum.to_vector<int32>(0);
    }
}

struct graph_of_one : adf::graph {
    adf::kernel k;
    adf::input_plio in;
    adf::output_plio out;
    graph_of_one() {
        k = adf::kernel::create(products);
        adf::source(k) = "counts.cpp";
        adf::runtime<adf::ratio>(k) = 0.5;
        in = adf::input_plio::create("in", adf::plio_32_bits, "data/in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect(in.out[0], k.in[0]);
        adf::connect(k.out[0], out.in[0]);
        adf::dimensions(k.in[0]) = {128};
        adf::dimensions(k.out[0]) = {128};
    }
};

graph_of_one g;
int main() {
    g.init();
    g.run(2);
    g.end();
    return 0;
}
