// Host memory through a kernel and back, in transfers that do not line up with windows. EXTRA in
// the environment requests more output than the kernels make.
#include <adf.h>
#include <cstdio>
#include <cstdlib>

void negate(input_window<float> *in, output_window<float> *out) {
    for (unsigned i = 0; i < window_size(in); ++i) window_writeincr(out, -window_readincr(in));
}

class loopback : public adf::graph {
public:
    adf::kernel k;
    adf::input_gmio samples;
    adf::output_gmio results;

    loopback() {
        k = adf::kernel::create(negate);
        adf::source(k) = "kernels/negate.cc";
        adf::runtime<adf::ratio>(k) = 1;
        samples = adf::input_gmio::create("samples", 64, 1000);
        results = adf::output_gmio::create("results", 256, 1000);
        adf::connect<adf::window<16>>(samples.out[0], k.in[0]);
        adf::connect<adf::window<16>>(k.out[0], results.in[0]);
        adf::location<adf::GMIO>(samples) = adf::shim(6, 0);
        adf::location<adf::GMIO>(results) = adf::shim(7);
    }
};

loopback g;

int main() {
    g.init();
    float *in = (float *)adf::GMIO::malloc(48);
    float *out = (float *)adf::GMIO::malloc(64);
    for (unsigned i = 0; i < 12; ++i) in[i] = float(i) + 0.5F;
    g.samples.gm2aie_nb(in, 40);
    g.samples.gm2aie_nb(in + 10, 8);
    g.results.aie2gm_nb(out, 20);
    g.run(3);
    g.results.wait();
    for (unsigned i = 0; i < 5; ++i) std::printf("%g\n", double(out[i]));
    g.results.aie2gm(out + 5, 28);
    for (unsigned i = 5; i < 12; ++i) std::printf("%g\n", double(out[i]));
    if (std::getenv("EXTRA")) g.results.aie2gm_nb(out, 16);
    g.end();
    adf::GMIO::free(in);
    adf::GMIO::free(out);
    return 0;
}
