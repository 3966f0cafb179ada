// Errors that fail on hardware but not in simulators. CARELESS in the environment names one.
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <adf.h>
#include <cstdlib>
#include <cstring>

static bool careless(const char *what) {
    const char *chosen = std::getenv("CARELESS");
    return chosen && std::strcmp(chosen, what) == 0;
}

void work(input_window<int32> *in, output_window<int32> *out) {
    const int off = careless("misaligned") ? 1 : careless("half aligned window") ? 4 : 0;
    window_incr(in, off);
    const auto first = window_read_v<8>(in);
    window_decr(in, off);
    const int n = careless("short write") || careless("unwritten") ? 13 : 16;
    for (int i = 0; i < n; ++i)
        chess_prepare_for_pipelining chess_loop_range(16, ) {
            window_writeincr(out, (careless("short read") ? window_read(in) : window_readincr(in)) + first[0] * 0);
        }
    for (int i = 0; i < (careless("longer loop") ? 4 : 3); ++i)
        chess_loop_range(3, 3) {
            asm volatile("");
        }
    // Nested loops: three runs of two iterations are not six. Only the inner promise matters.
    for (int i = 0; i < 3; ++i)
        chess_loop_range(16, ) {
            for (int j = 0; j < (careless("inner loop") ? 2 : 4); ++j)
                chess_loop_range(4, ) {
                    asm volatile("");
                }
        }
}
void pass(adf::input_buffer<int32, adf::extents<16>> &in, adf::output_buffer<int32, adf::extents<16>> &out) {
    if (careless("unwritten sum")) aie::store_v(out.data(), aie::add(aie::load_v<8>(out.data()), 1));
    for (unsigned i = 0; i < 16; ++i) out[i] = in[i];
    if (careless("beside the buffer")) out.data()[17] = 1;
    if (careless("half aligned load")) out[0] = aie::load_v<8>(in.data() + 4)[0] - in[4] + in[0];
    if (careless("unwritten")) out[0] = aie::load_v<8>(in.data() + 8)[7];
}

class carelessness : public adf::graph {
public:
    adf::kernel a, b;
    adf::input_plio in;
    adf::output_plio out;
    carelessness() {
        a = adf::kernel::create(work);
        b = adf::kernel::create(pass);
        for (adf::kernel *k : {&a, &b}) {
            adf::source(*k) = "kernels/work.cc";
            adf::runtime<adf::ratio>(*k) = 0.9;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<64>>(in.out[0], a.in[0]);
        adf::connect<>(a.out[0], b.in[0]);
        adf::connect<>(b.out[0], out.in[0]);
    }
};

carelessness g;

int main() {
    g.init();
    g.run(2);
    g.end();
    return 0;
}
