// A broadcast with reconverging branches: one branch is read whole before the other is touched, so
// the other's FIFO must hold everything. DEPTH in the environment is its declared depth in words.
// KIND asks for one in switches, or in memory. With ENDLESS it runs until its input is used up.
#include <adf.h>
#include <cstdlib>
#include <string>

#ifndef COUNT
#define COUNT 40
#endif
constexpr int count = COUNT; // words; 8 of them fit into the stream

void spread(input_window<int32> *in, output_stream<int32> *out) {
    for (int i = 0; i < count; ++i) writeincr(out, window_readincr(in));
}
// Gives its sum when all words have come.
void sum_up(input_stream<int32> *in, output_stream<int32> *out) {
    int32 sum = 0;
    for (int i = 0; i < count; ++i) sum += readincr(in);
    writeincr(out, sum);
}
void subtract(input_stream<int32> *words, input_stream<int32> *sum, output_stream<int32> *out) {
    const int32 from = readincr(sum);
    for (int i = 0; i < count; ++i) writeincr(out, from - readincr(words));
}

class diamond : public adf::graph {
public:
    adf::kernel a, b, c;
    adf::input_plio in;
    adf::output_plio out;
    diamond() {
        a = adf::kernel::create(spread);
        b = adf::kernel::create(sum_up);
        c = adf::kernel::create(subtract);
        for (adf::kernel *k : {&a, &b, &c}) {
            adf::source(*k) = "kernels/diamond.cc";
            adf::runtime<adf::ratio>(*k) = 0.9;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<4 * count>>(in.out[0], a.in[0]);
        adf::connect<adf::stream>(a.out[0], b.in[0]);
        adf::connect<adf::stream> direct(a.out[0], c.in[0]);
        adf::connect<adf::stream>(b.out[0], c.in[1]);
        adf::connect<adf::stream>(c.out[0], out.in[0]);
        if (const char *depth = std::getenv("DEPTH")) adf::fifo_depth(direct) = std::strtoul(depth, nullptr, 10);
        const std::string kind = std::getenv("KIND") ? std::getenv("KIND") : "";
        if (kind == "switch") adf::location<adf::fifo>(direct) = adf::ss_fifo();
        if (kind == "memory") adf::location<adf::fifo>(direct) = adf::dma_fifo();
    }
};

diamond g;

int main() {
    g.init();
    if (std::getenv("ENDLESS")) g.run();
    else g.run(2);
    g.end();
    return 0;
}
