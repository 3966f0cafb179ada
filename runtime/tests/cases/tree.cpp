// A reduction tree over 63 ranks, in two translation units: this is the graph side.
#include "tree.h"
#include <cstdio>

class tree : public adf::graph {
public:
    adf::kernel worker[63];
    adf::output_gmio sum;

    tree() {
        for (unsigned i = 0; i < 63; ++i) {
            worker[i] = i < 31 ? adf::kernel::create_object<inner>(i) : adf::kernel::create_object<leaf>(i);
            adf::source(worker[i]) = "tree_kernels.cpp";
            adf::headers(worker[i]) = {"tree.h"};
            adf::runtime<adf::ratio>(worker[i]) = 0.9;
            adf::stack_size(worker[i]) = 8192;
        }
        for (unsigned i = 1; i < 63; ++i) {
            adf::connect<adf::window<8>>(adf::async(worker[i].out[0]), adf::async(worker[(i - 1) / 2].in[(i - 1) % 2]));
        }
        sum = adf::output_gmio::create("sum", 64, 1000);
        adf::connect<adf::window<8>>(adf::async(worker[0].out[0]), sum.in[0]);
    }
};

tree g;

int main() {
    g.init();
    int32 *sum = (int32 *)adf::GMIO::malloc(16);
    g.sum.aie2gm_nb(sum, 16);
    g.run(1);
    g.sum.wait();
    g.end();
    for (unsigned i = 0; i < 4; ++i) std::printf("%d\n", sum[i]);
    adf::GMIO::free(sum);
    return 0;
}
