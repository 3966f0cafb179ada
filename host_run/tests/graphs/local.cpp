// A graph that main constructs.
#include <adf.h>

using namespace adf;

void copy(input_stream<int32> *in, output_stream<int32> *out);

struct small : graph {
    input_plio in;
    output_plio out;
    kernel k;

    small() {
        in = input_plio::create("in", plio_32_bits, "in.txt");
        out = output_plio::create("out", plio_32_bits, "out.txt");
        k = kernel::create(copy);
        source(k) = "copy.cc";
        runtime<ratio>(k) = 1;
        connect<stream>(in.out[0], k.in[0]);
        connect<stream>(k.out[0], out.in[0]);
    }
};

int main() {
    small g;
    g.init();
    g.run(1);
    g.end();
}
