#include "kernel.h"
struct many : adf::graph {
    adf::kernel k[10];
    adf::input_plio in[10];
    adf::output_plio out[10];
    void add(int at, adf::kernel created, int stack) {
        k[at] = created;
        adf::stack_size(k[at]) = stack;
        adf::source(k[at]) = "kernel.cc";
        adf::runtime<adf::ratio>(k[at]) = 0.5;
        const std::string number = std::to_string(at);
        in[at] = adf::input_plio::create("in" + number, adf::plio_32_bits, "in.txt");
        out[at] = adf::output_plio::create("out" + number, adf::plio_32_bits, "out" + number + ".txt");
        adf::connect<adf::window<64>>(in[at].out[0], k[at].in[0]);
        adf::connect<adf::window<64>>(k[at].out[0], out[at].in[0]);
    }
    many() {
        CREATED;
    }
} g;
int main() {
    g.init();
    g.run(1);
    g.end();
}
