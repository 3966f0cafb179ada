// Two kernels behind each other, for four element types, between text files.
#include <adf.h>

template <typename T>
void twice(input_window<T> *__restrict x, output_window<T> *__restrict y) {
    for (unsigned i = 0; i < window_size(x); ++i)
        chess_prepare_for_pipelining chess_loop_range(2, ) {
            const T value = window_readincr(x);
            window_writeincr(y, T(value + value));
        }
}

class pipeline : public adf::graph {
public:
    adf::kernel k[8];
    adf::input_plio in[4];
    adf::output_plio out[4];

    pipeline() {
        chain<int16>(0, adf::plio_64_bits, "shorts");
        chain<cint16>(1, adf::plio_64_bits, "complexes");
        chain<float>(2, adf::plio_128_bits, "floats");
        chain<uint64>(3, adf::plio_64_bits, "longs");
    }

private:
    template <typename T>
    void chain(unsigned i, adf::plio_type width, const std::string &name) {
        adf::kernel &a = k[2 * i];
        adf::kernel &b = k[2 * i + 1];
        for (adf::kernel *each : {&a, &b}) {
            *each = adf::kernel::create(twice<T>);
            adf::source(*each) = "kernels/twice.cc";
            adf::headers(*each) = {"kernels.h"};
            adf::runtime<adf::ratio>(*each) = 0.9;
            adf::stack_size(*each) = 2048;
            adf::heap_size(*each) = 512;
        }
        in[i] = adf::input_plio::create(name + "_in", width, "data/" + name + ".txt");
        out[i] = adf::output_plio::create(name + "_out", width, "data/" + name + ".txt");
        adf::connect<adf::window<32>>(in[i].out[0], a.in[0]);
        adf::connect<adf::window<32>, adf::window<32>>(a.out[0], b.in[0]);
        adf::connect<adf::window<32>> net(b.out[0], out[i].in[0]);
        adf::location<adf::kernel>(a) = adf::tile(int(i), 0);
        adf::location<adf::kernel>(b) = adf::location<adf::kernel>(a) + adf::relative_offset({.col_offset = 0, .row_offset = 1});
        adf::location<adf::stack>(a) = adf::bank(int(i), 0, 3);
        adf::location<adf::stack>(b) = adf::address(int(i), 1, 0x6000);
        adf::location<adf::buffer>(a.in[0]) = {adf::address(int(i), 0, 0), adf::address(int(i), 0, 0x1000)};
        adf::location<adf::buffer>(b.in[0]) = {adf::bank(int(i), 0, 0), adf::bank(int(i), 0, 1)};
        adf::location<adf::buffer>(b.out[0]) = {adf::offset(0), adf::offset(0x2000)};
        adf::not_equal(adf::location<adf::buffer>(a.in[0]), adf::location<adf::buffer>(b.in[0]));
        adf::location<adf::PLIO>(in[i]) = adf::shim(10 + int(i), 0);
        adf::location<adf::PLIO>(out[i]) = adf::shim(10 + int(i));
    }
};

pipeline g;

int main() {
    g.init();
    g.run(2);
    g.wait();
    g.run(1);
    g.end();
    return 0;
}
