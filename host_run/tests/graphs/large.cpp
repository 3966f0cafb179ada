// 400 kernels in 50 columns, and as many graphs in one another.
#include <adf.h>
#include <string>
using namespace adf;
void first(input_window<int16> *in, output_window<int16> *out);
void middle(input_window<int16> *a, input_window<int16> *b, output_window<int16> *out);
template <int N> void last(input_stream<int16> *in, output_buffer<int16, extents<128>> &out, const int16 (&t)[8]);

template <int Column>
struct column : graph {
    kernel k[8];
    port<input> in;
    port<output> out;
    column() {
        for (int i = 0; i < 8; ++i) {
            k[i] = i == 0 ? kernel::create(first) : kernel::create(middle);
            source(k[i]) = "k.cc";
            runtime<ratio>(k[i]) = 0.9;
            stack_size(k[i]) = 2048;
            location<kernel>(k[i]) = tile(Column, i);
            location<stack>(k[i]) = bank(Column, i, 3);
        }
        connect<window<256>>(in, k[0].in[0]);
        for (int i = 1; i < 8; ++i) {
            connect<window<256>>(k[i - 1].out[0], k[i].in[0]);
            connect<window<256>>(k[i - 1].out[0], k[i].in[1]);
            single_buffer(k[i].in[0]);
            not_equal(location<buffer>(k[i].in[0]), location<stack>(k[i]));
        }
        connect<window<256>>(k[7].out[0], out);
    }
};
template <int First, int Count>
struct block : graph {
    column<First> one;
    block<First + 1, Count - 1> others;
    input_plio in;
    output_plio out;
    block() {
        in = input_plio::create("in" + std::to_string(First), plio_32_bits, "i.txt");
        out = output_plio::create("out" + std::to_string(First), plio_32_bits, "o.txt");
        connect<>(in.out[0], one.in);
        connect<>(one.out, out.in[0]);
    }
};
template <int First>
struct block<First, 0> : graph {};
block<0, 50> g;
int main() { g.init(); g.run(1); g.end(); }
