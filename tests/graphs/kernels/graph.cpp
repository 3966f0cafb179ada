#include "kernel.h"
struct one : adf::graph {
    adf::kernel k = CREATE;
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, "in.txt");
    adf::output_plio out = adf::output_plio::create(adf::plio_32_bits, "out.txt");
    one() {
        adf::source(k) = "kernel.cc";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::window<64>>(in.out[0], k.in[0]);
        adf::connect<adf::window<64>>(k.out[0], out.in[0]);
    }
} g;
int main() {
    g.init();
    g.run(1);
    g.end();
}
