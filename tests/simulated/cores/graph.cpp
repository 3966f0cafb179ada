// The kernels of `streams.dsl` in a graph of ADF.
#include <adf.h>

void first(adf::input_buffer<int32> &x, output_stream<int32> *y);
void step(input_stream<int32> *x, output_stream<int32> *y);
void last(input_stream<int32> *x, adf::output_buffer<int32> &y);

class one_core : public adf::graph {
public:
    adf::kernel from, through, to;
    adf::input_plio x;
    adf::output_plio y;

    one_core() {
        from = adf::kernel::create(first);
        through = adf::kernel::create(step);
        to = adf::kernel::create(last);
        for (adf::kernel *k : {&from, &through, &to}) {
            adf::source(*k) = "kernels.cc";
            adf::runtime<adf::ratio>(*k) = 0.4;
        }
        x = adf::input_plio::create("x", adf::plio_32_bits, "in.txt");
        y = adf::output_plio::create("y", adf::plio_32_bits, "out.txt");
        adf::connect(x.out[0], from.in[0]);
        adf::connect<adf::stream>(from.out[0], through.in[0]);
        adf::connect<adf::stream> back(through.out[0], to.in[0]);
        adf::fifo_depth(back) = FIFO;
        adf::connect(to.out[0], y.in[0]);
        adf::dimensions(from.in[0]) = {64};
        adf::dimensions(to.out[0]) = {64};
        adf::location<adf::kernel>(from) = adf::tile(3, 2);
        adf::location<adf::kernel>(to) = adf::location<adf::kernel>(from);
    }
};

one_core g;

int main() {
    g.init();
    g.run(3);
    g.end();
}
