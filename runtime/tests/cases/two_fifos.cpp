// Two kernels that block on several FIFOs: X and Y are full at one time, and one of them must grow;
// Z is full later. DEPTHS in the environment are their declared depths, `17 0 17`. With MORE, one
// more word is read from Z than is ever written.
#include <adf.h>
#include <cstdio>
#include <cstdlib>

constexpr int first = 25, second = 25; // words; 8 of each fit into the streams

void ahead(input_window<int32> *in, input_stream<int32> *y, output_stream<int32> *x, output_stream<int32> *z) {
    int32 sum = 0;
    for (int i = 0; i < first; ++i) writeincr(x, window_readincr(in));
    for (int i = 0; i < first; ++i) sum += readincr(y);
    for (int i = 0; i < second; ++i) writeincr(z, sum + i);
    writeincr(x, sum);
}
void across(input_stream<int32> *x, input_stream<int32> *z, output_stream<int32> *y, output_stream<int32> *out) {
    int32 sum = 0;
    for (int i = 0; i < first; ++i) writeincr(y, i);
    for (int i = 0; i <= first; ++i) sum += readincr(x);
    for (int i = 0; i < second + (std::getenv("MORE") ? 1 : 0); ++i) writeincr(out, sum + readincr(z));
}

class crossing : public adf::graph {
public:
    adf::kernel a, b;
    adf::input_plio in;
    adf::output_plio out;
    crossing() {
        a = adf::kernel::create(ahead);
        b = adf::kernel::create(across);
        for (adf::kernel *k : {&a, &b}) {
            adf::source(*k) = "kernels/crossing.cc";
            adf::runtime<adf::ratio>(*k) = 0.9;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<4 * first>>(in.out[0], a.in[0]);
        adf::connect<adf::stream> x(a.out[0], b.in[0]), y(b.out[0], a.in[1]), z(a.out[1], b.in[1]);
        adf::connect<adf::stream>(b.out[1], out.in[0]);
        unsigned depths[3] = {};
        if (const char *text = std::getenv("DEPTHS")) std::sscanf(text, "%u %u %u", depths, depths + 1, depths + 2);
        adf::fifo_depth(x) = depths[0];
        adf::fifo_depth(y) = depths[1];
        adf::fifo_depth(z) = depths[2];
    }
};

crossing g;

int main() {
    g.init();
    g.run(2);
    g.end();
    return 0;
}
