// A chain of as many kernels as a device has tiles, each adding one.
#include <adf.h>

void add_one(input_window<int32> *in, output_window<int32> *out) {
    for (unsigned i = 0; i < window_size(in); ++i) window_writeincr(out, window_readincr(in) + 1);
}

class chain : public adf::graph {
public:
    static constexpr unsigned length = 400;
    adf::kernel k[length];
    adf::input_plio in;
    adf::output_plio out;

    chain() {
        for (adf::kernel &each : k) {
            each = adf::kernel::create(add_one);
            adf::source(each) = "kernels/add_one.cc";
            adf::runtime<adf::ratio>(each) = 0.9;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<32>>(in.out[0], k[0].in[0]);
        for (unsigned i = 1; i < length; ++i) adf::connect<adf::window<32>>(k[i - 1].out[0], k[i].in[0]);
        adf::connect<adf::window<32>>(k[length - 1].out[0], out.in[0]);
    }
};

chain g;

int main() {
    g.init();
    g.run(100);
    g.end();
    return 0;
}
