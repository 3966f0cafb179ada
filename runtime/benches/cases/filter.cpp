// One kernel: a FIR filter of 16 taps on windows of 1024 samples with margins. RUNS windows, from a
// file to a file.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <cstdlib>

constexpr unsigned SAMPLES = 1024;
alignas(aie::vector_decl_align) static const int16 taps[16] = {-5,   13,   40,  -90,  -151, 402, 1301, 2560,
                                                               2560, 1301, 402, -151, -90,  40,  13,   -5};

void fir(input_window<int16> *in, output_window<int16> *out) {
    const aie::vector<int16, 16> c = aie::load_v<16>(taps);
    aie::vector<int16, 32> data;
    data.insert(0, window_readincr_v<16>(in));
    for (unsigned i = 0; i < SAMPLES / 16; ++i) chess_prepare_for_pipelining chess_loop_range(SAMPLES / 16, ) {
        data.insert(1, window_readincr_v<16>(in));
        const auto acc = aie::sliding_mul_ops<16, 16, 1, 1, 1, int16, int16>::mul(c, 0, data, 1);
        window_writeincr(out, acc.to_vector<int16>(13));
        data.insert(0, data.extract<16>(1));
    }
}

class filter : public adf::graph {
public:
    adf::kernel k = adf::kernel::create(fir);
    adf::input_plio in = adf::input_plio::create("in", adf::plio_128_bits, "in.txt");
    adf::output_plio out = adf::output_plio::create("out", adf::plio_128_bits, "out.txt");
    filter() {
        adf::source(k) = "filter.cpp";
        adf::runtime<adf::ratio>(k) = 0.9;
        adf::connect<adf::window<2 * SAMPLES, 32>>(in.out[0], k.in[0]);
        adf::connect<adf::window<2 * SAMPLES>>(k.out[0], out.in[0]);
    }
} g;

int main() {
    g.init();
    g.run(std::atoi(std::getenv("RUNS")));
    g.end();
}
