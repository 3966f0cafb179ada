// A kernel that contributes values of every shape to two collectives. It has only the one window
// that it needs.
#include <adf.h>
#include <limits>

void contribute(output_window<float> *out) {
    const float reals[] = {0.1F, -1e-30F, 16777217.0F, std::numeric_limits<float>::infinity()};
    const cint16 pairs[] = {cint16(1, -2), cint16(32767, -32768)};
    const uint64 wide[] = {18446744073709551615U};
    const int8 narrow[] = {-128, 127};
    AIEC_ON_CONTRIBUTION("reals", 0, reals, 4);
    AIEC_ON_CONTRIBUTION("others", 7, pairs, 2);
    AIEC_ON_CONTRIBUTION("others", 7, wide, 1U);
    AIEC_ON_CONTRIBUTION("others", 8, &narrow[0], 2L);
    for (unsigned i = 0; i < window_size(out); ++i) window_writeincr(out, reals[i]);
}

class single : public adf::graph {
public:
    adf::kernel k;
    adf::output_plio out;

    single() {
        k = adf::kernel::create(contribute);
        adf::source(k) = "kernels/contribute.cc";
        adf::runtime<adf::ratio>(k) = 0.9;
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<16>>(k.out[0], out.in[0]);
    }
};

single g;

int main() {
    g.init();
    g.run(1);
    g.end();
    return 0;
}
