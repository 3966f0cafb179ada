// Designs in the style before 2022: PLIO and GMIO objects outside the graph, joined by a platform;
// different rates; and two graphs in one program.
#include <adf.h>
#include <cstdio>

using namespace adf;

void pairs(input_window_int32 *in, output_window_int32 *out) {
    for (int i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in) + window_readincr(in));
}
void fours(input_window_int32 *in, output_window_int32 *out) {
    int32 sum = 0;
    for (int i = 0; i < 12; ++i) sum += window_readincr(in); // four of the margin, eight new
    window_writeincr(out, sum);
}

class rates : public graph {
public:
    kernel a, b;
    port<direction::in> in;
    port<direction::out> out;
    rates() {
        a = kernel::create(pairs);
        b = kernel::create(fours);
        source(a) = "pairs.cc";
        source(b) = "fours.cc";
        runtime<ratio>(a) = 0.5;
        runtime<ratio>(b) = 0.5;
        connect<window<32>> n0(in, a.in[0]);
        connect<window<16>, window<32, 16>> n1(a.out[0], b.in[0]);
        connect<window<4>> n2(b.out[0], out);
        location<absolute>(b) = location<kernel>(a);
    }
};

PLIO *from = new PLIO("from", plio_64_bits, "numbers.txt", 250.0);
PLIO to("to", plio_32_bits, "sums.txt");
rates g;
simulation::platform<1, 1> outside(from, &to);
connect<> join0(outside.src[0], g.in);
connect<> join1(g.out, outside.sink[0]);

GMIO to_array("to_array", 64, 1000), from_array("from_array", 64, 1000);
rates second;
simulation::platform<1, 1> memory(&to_array, &from_array);
connect<> join2(memory.src[0], second.in);
connect<> join3(second.out, memory.sink[0]);

int main() {
    g.init();
    g.run(2);
    g.wait();
    second.init();
    int32 *numbers = static_cast<int32 *>(GMIO::malloc(16 * 4));
    int32 *sums = static_cast<int32 *>(GMIO::malloc(4));
    for (int i = 0; i < 16; ++i) numbers[i] = i;
    to_array.gm2aie_nb(numbers, 64);
    from_array.aie2gm_nb(sums, 4);
    second.run(1);
    from_array.wait();
    std::printf("%d\n", sums[0]);
    second.end();
    g.end();
    GMIO::free(numbers);
    GMIO::free(sums);
    return 0;
}
