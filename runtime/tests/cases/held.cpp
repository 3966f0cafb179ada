// Locks that a kernel holds from one run to the next: it takes a buffer in every second run and
// gives it back in the run after. RUNS in the environment is the number of runs.
#include <adf.h>
#include <cstdlib>

using namespace adf;

// Gathers two windows into one buffer.
void gather(input_async_buffer<int32> &in, output_async_buffer<int32> &out) {
    static bool odd = false;
    int32 *to = out.data(); // of a buffer that is not held, no access
    in.acquire();
    const int32 *from = in.data();
    if (!odd) out.acquire();
    to = out.data() + (odd ? 4 : 0);
    for (unsigned i = 0; i < 4; ++i) to[i] = 2 * from[i];
    in.release();
    if (odd) out.release();
    odd = !odd;
}

// Spreads one window over two.
void spread(input_window<int32> *in, output_window<int32> *out) {
    static bool odd = false;
    if (!odd) window_acquire(in);
    for (unsigned i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in) + 1);
    if (odd) window_release(in);
    odd = !odd;
}

class halves : public graph {
public:
    kernel first, second;
    input_plio in;
    output_plio out;

    halves() {
        first = kernel::create(gather);
        second = kernel::create(spread);
        for (kernel *k : {&first, &second}) {
            source(*k) = "kernels/halves.cc";
            runtime<ratio>(*k) = 0.5;
        }
        in = input_plio::create("in", plio_32_bits, "in.txt");
        out = output_plio::create("out", plio_32_bits, "out.txt");
        connect<>(in.out[0], first.in[0]);
        dimensions(first.in[0]) = {4};
        dimensions(first.out[0]) = {8};
        connect<window<32>>(first.out[0], async(second.in[0]));
        connect<window<16>>(second.out[0], out.in[0]);
    }
};

halves g;

int main() {
    g.init();
    g.run(std::atoi(std::getenv("RUNS")));
    g.end();
    return 0;
}
