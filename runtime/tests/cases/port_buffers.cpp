// Buffer ports: sizes from the graph and from the signature, margins, asynchronous and circular
// ones, several dimensions, and rates that differ.
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <adf.h>

using namespace adf;

void double_it(input_buffer<int32> &__restrict in, output_buffer<int32> &__restrict out) {
    auto from = aie::begin_vector<8>(in);
    auto to = aie::begin_vector<8>(out);
    for (unsigned i = 0; i < in.size() / 8; ++i)
        chess_prepare_for_pipelining chess_loop_range(2, ) {
            const aie::vector<int32, 8> v = *from++;
            *to++ = aie::add(v, v);
        }
}
// Sums of four neighbours, three of them from the margin at the start.
void moving_sum(input_buffer<int32, extents<inherited_extent>, margin<8>> &in, output_buffer<int32, extents<16>> &out) {
    auto from = aie::begin(in);
    auto to = aie::begin(out);
    for (unsigned i = 0; i < out.size(); ++i) {
        int32 sum = 0;
        for (unsigned k = 0; k < 4; ++k) sum += *(from + 5 + i + k);
        *to++ = sum;
    }
}
// Takes two buffers of eight a firing, and gives one of sixteen.
void gather(input_async_buffer<int32, extents<8>> &in, output_async_buffer<int32, extents<16>> &out) {
    out.acquire();
    int32 *to = out.data();
    for (unsigned half = 0; half < 2; ++half) {
        in.acquire();
        for (unsigned i = 0; i < in.size(); ++i) *to++ = in[i];
        in.release();
    }
    out.release();
}
void rotate(input_circular_buffer<int32, extents<16>> &in, output_buffer<int32, extents<16>> &out) {
    auto from = aie::begin_circular(in);
    auto to = aie::begin(out);
    for (unsigned i = 0; i < 3; ++i) ++from;
    for (unsigned i = 0; i < 16; ++i) *to++ = *from++;
}

class small : public graph {
public:
    port<input> in;
    port<output> out;
    kernel k;
    small() {
        k = kernel::create(moving_sum);
        source(k) = "kernels/sum.cc";
        runtime<ratio>(k) = 0.5;
        connect<>(in, k.in[0]);
        connect<>(k.out[0], out);
        dimensions(in) = {16}; // of the kernel behind the port
    }
};

class buffers : public graph {
public:
    kernel twice, collect, turn;
    small sums;
    input_plio x;
    output_plio y, z;
    buffers() {
        twice = kernel::create(double_it);
        collect = kernel::create(gather);
        turn = kernel::create(rotate);
        for (kernel *k : {&twice, &collect, &turn}) {
            source(*k) = "kernels/k.cc";
            runtime<ratio>(*k) = 0.3;
        }
        x = input_plio::create("x", plio_32_bits, "x.txt");
        y = output_plio::create("y", plio_128_bits, "y.txt");
        z = output_plio::create("z", plio_128_bits, "z.txt");
        connect(x.out[0], twice.in[0]);
        dimensions(twice.in[0]) = {4, 8}; // 32 samples: fires once for two of the others
        dimensions(twice.out[0]) = std::vector<unsigned>{32};
        connect<>(twice.out[0], sums.in);
        connect<>(sums.out, y.in[0]);
        connect(twice.out[0], collect.in[0]);
        connect(collect.out[0], turn.in[0]);
        connect(turn.out[0], z.in[0]);
        async_repetition(collect.in[0]) = 2;
        async_repetition(collect.out[0]) = 1;
    }
};

buffers g;

int main() {
    g.init();
    g.run(1);
    g.wait();
    g.run(1);
    g.end();
    return 0;
}
