// A kernel that reads the number of its tile.
#include <adf.h>
#include <aie_api/aie.hpp>

void where(output_window<int32> *out) {
    for (unsigned i = 0; i < window_size(out); ++i) window_writeincr(out, int32(get_coreid()));
}

class placed : public adf::graph {
public:
    adf::kernel k;
    adf::output_plio out;

    placed() {
        k = adf::kernel::create(where);
        adf::source(k) = "kernels/where.cc";
        adf::runtime<adf::ratio>(k) = 0.9;
        adf::location<adf::kernel>(k) = adf::tile(3, 2);
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<16>>(k.out[0], out.in[0]);
    }
};

placed g;

int main() {
    g.init();
    g.run(1);
    g.end();
    return 0;
}
