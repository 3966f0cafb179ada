// One output to three consumers. The last one fires once per two windows, the others once per
// window, so the producer must wait for it. Every consumer still sees every window, in order.
#include <adf.h>

struct counter {
    int32 next = 0;
    void run(output_window_int32 *out) {
        for (unsigned i = 0; i < window_size(out); ++i) window_writeincr(out, next++);
    }
    static void registerKernelClass() { REGISTER_FUNCTION(counter::run); }
};

void pass(input_window_int32 *in, output_window_int32 *out) {
    for (unsigned i = 0; i < window_size(in); ++i) window_writeincr(out, window_readincr(in));
}

// Takes two windows a firing, and hands on their sums.
void pairs(input_window_int32 *in, output_window_int32 *out) {
    for (unsigned k = 0; k < 2; ++k) {
        window_acquire(in);
        int32 sum = 0;
        for (unsigned i = 0; i < window_size(in); ++i) sum += window_readincr(in);
        window_release(in);
        window_writeincr(out, sum);
    }
}

class fan_out : public adf::graph {
public:
    adf::kernel from, to[3];
    adf::output_plio out[3];

    fan_out() {
        from = adf::kernel::create_object<counter>();
        adf::source(from) = "kernels/counter.cc";
        adf::runtime<adf::ratio>(from) = 0.9;
        adf::repetition_count(from) = 2;
        for (unsigned i = 0; i < 3; ++i) {
            to[i] = i < 2 ? adf::kernel::create(pass) : adf::kernel::create(pairs);
            adf::source(to[i]) = "kernels/to.cc";
            adf::runtime<adf::ratio>(to[i]) = 0.9;
            adf::repetition_count(to[i]) = i < 2 ? 2 : 1;
            out[i] = adf::output_plio::create(adf::plio_32_bits, "to" + std::to_string(i) + ".txt");
        }
        adf::connect<adf::window<8>>(from.out[0], to[0].in[0]);
        adf::connect<adf::window<8>>(from.out[0], to[1].in[0]);
        adf::connect<adf::window<8>>(from.out[0], adf::async(to[2].in[0]));
        for (unsigned i = 0; i < 3; ++i) adf::connect<adf::window<8>>(to[i].out[0], out[i].in[0]);
    }
};

fan_out g;

int main() {
    g.init();
    g.run(3);
    g.end();
    return 0;
}
