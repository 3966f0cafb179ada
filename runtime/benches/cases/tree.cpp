// A binary tree of KERNELS kernels, each with 1024 words of its own that it adds to those of its
// children; RUNS times. The sums leave through a GMIO, so that no file is part of the measurement.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <cstdlib>
#include <memory>
#include <vector>

constexpr unsigned WORDS = 1024; // 4 KiB

static void add_own(int32 *sum) {
    static int32 own = 0;
    for (unsigned i = 0; i < WORDS; i += 8) aie::store_v(sum + i, aie::add(aie::load_v<8>(sum + i), int32(i) + own));
    ++own;
}
void leaf(output_window<int32> *out) {
    for (unsigned i = 0; i < WORDS; i += 8) window_writeincr(out, aie::zeros<int32, 8>());
    add_own(out->head);
}
void one(input_window<int32> *a, output_window<int32> *out) {
    for (unsigned i = 0; i < WORDS; i += 8) window_writeincr(out, window_readincr_v<8>(a));
    add_own(out->head);
}
void two(input_window<int32> *a, input_window<int32> *b, output_window<int32> *out) {
    for (unsigned i = 0; i < WORDS; i += 8) window_writeincr(out, aie::add(window_readincr_v<8>(a), window_readincr_v<8>(b)));
    add_own(out->head);
}

class tree : public adf::graph {
public:
    std::vector<adf::kernel> k;
    adf::output_gmio out = adf::output_gmio::create("out", 64, 1000);
    tree() {
        const unsigned count = unsigned(std::atoi(std::getenv("KERNELS")));
        for (unsigned i = 0; i < count; ++i) {
            const unsigned children = (2 * i + 1 < count) + (2 * i + 2 < count);
            k.push_back(children == 2 ? adf::kernel::create(two) : children == 1 ? adf::kernel::create(one) : adf::kernel::create(leaf));
            adf::source(k[i]) = "tree.cpp";
            adf::runtime<adf::ratio>(k[i]) = 0.9;
        }
        for (unsigned i = 1; i < count; ++i)
            adf::connect<adf::window<4 * WORDS>>(k[i].out[0], k[(i - 1) / 2].in[(i - 1) % 2]);
        adf::connect<adf::window<4 * WORDS>>(k[0].out[0], out.in[0]);
    }
} g;

int main() {
    const int runs = std::atoi(std::getenv("RUNS"));
    std::vector<int32> sums(WORDS * std::size_t(runs));
    g.init();
    g.out.aie2gm_nb(sums.data(), 4 * sums.size());
    g.run(runs);
    g.out.wait();
    g.end();
    return 0;
}
