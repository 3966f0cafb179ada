// The host moves parameters from kernel to kernel itself, without ports of the graph. FORGET in the
// environment: it updates the second kernel only once.
#include <adf.h>
#include <cstdlib>

using namespace adf;

void count_up(int32 (&numbers)[3], int32 &step) {
    static int32 last = 0;
    for (int32 &number : numbers) number = last += 1;
    step = 10 * last;
}
void write_out(const int32 (&numbers)[3], int32 step, output_stream<int32> *out) {
    for (const int32 number : numbers) writeincr(out, number + step);
}

class by_hand : public graph {
public:
    kernel first, second;
    output_plio out;

    by_hand() {
        first = kernel::create(count_up);
        second = kernel::create(write_out);
        for (kernel *k : {&first, &second}) {
            source(*k) = "kernels/count.cc";
            runtime<ratio>(*k) = 0.5;
        }
        out = output_plio::create("out", plio_32_bits, "out.txt");
        connect<stream>(second.out[0], out.in[0]);
        sync(first.inout[0]);
        sync(first.inout[1]);
        sync(second.in[0]);
        sync(second.in[1]);
    }
};

by_hand g;

int main() {
    g.init();
    g.run(2);
    for (int i = 0; i < (std::getenv("FORGET") ? 1 : 2); ++i) {
        int32 numbers[3];
        volatile int32 step = 0; // so that a debugger can set it
        g.read(g.first.inout[0], numbers, 3);
        g.read(g.first.inout[1], step);
        g.update(g.second.in[0], numbers, 3);
        g.update(g.second.in[1], step);
    }
    g.end();
    return 0;
}
