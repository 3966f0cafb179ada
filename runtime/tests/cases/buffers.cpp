// The sender fills two windows before it sends "go" on a second connection. The receiver waits for
// "go" before it acquires the first window. That needs two buffers: with SINGLE in the environment
// there is one, and the kernels deadlock.
#include <adf.h>
#include <cstdlib>

void send(output_window<int32> *data, output_window<int32> *go) {
    for (int32 k = 1; k <= 2; ++k) {
        window_acquire(data);
        window_write(data, k);
        window_release(data);
    }
    window_write(go, 1);
}

void receive(input_window<int32> *data, input_window<int32> *go, output_window<int32> *out) {
    window_read(go);
    for (unsigned k = 0; k < 2; ++k) {
        window_acquire(data);
        window_writeincr(out, window_read(data));
        window_release(data);
    }
}

class two_ahead : public adf::graph {
public:
    adf::kernel from, to;
    adf::output_plio out;

    two_ahead() {
        from = adf::kernel::create(send);
        to = adf::kernel::create(receive);
        adf::source(from) = "kernels/send.cc";
        adf::source(to) = "kernels/receive.cc";
        adf::runtime<adf::ratio>(from) = 0.9;
        adf::runtime<adf::ratio>(to) = 0.9;
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<4>>(adf::async(from.out[0]), adf::async(to.in[0]));
        adf::connect<adf::window<4>>(from.out[1], to.in[1]);
        adf::connect<adf::window<8>>(to.out[0], out.in[0]);
        if (std::getenv("SINGLE")) {
            adf::single_buffer(to.in[0]);
            adf::location<adf::buffer>(to.in[0]) = {adf::address(3, 2, 0x40)};
        }
        if (std::getenv("MISPLACED")) adf::location<adf::buffer>(to.in[0]) = adf::address(3, 2, 0x40);
    }
};

two_ahead g;

int main() {
    g.init();
    g.run(2);
    g.end();
    return 0;
}
