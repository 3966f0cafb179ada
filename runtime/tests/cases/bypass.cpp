// Kernels behind bypasses: one turned around, one whose control is asynchronous.
#include <cstdlib>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <adf.h>

using namespace adf;

void twice(input_buffer<int32> &in, output_buffer<int32> &out) {
    auto from = aie::begin(in);
    auto to = aie::begin(out);
    for (unsigned i = 0; i < 4; ++i) *to++ = 2 * *from++;
}

class behind : public graph {
public:
    input_port in, control;
    output_port out;
    bypass b;

    behind(bool negated) {
        kernel &k = kernel::create(twice); // returns a reference (UG1079, "kernel")
        source(k) = "bypass.cpp";
        runtime<ratio>(k) = 0.5;
        dimensions(k.in[0]) = {4};
        dimensions(k.out[0]) = {std::getenv("LONGER") ? 8U : 4U};
        b = bypass::create(k);
        if (negated) connect<parameter>(control, negate(b.bp));
        else connect<parameter>(control, async(b.bp));
        connect(in, b.in[0]);
        connect(b.out[0], out);
    }
};

class design : public graph {
public:
    input_plio in;
    output_plio out;
    input_port first_control, second_control;
    behind first{true}, second{false};

    design() {
        in = input_plio::create("in", plio_32_bits, "in.txt");
        out = output_plio::create("out", plio_32_bits, "out.txt");
        connect(in.out[0], first.in);
        connect(first.out, second.in);
        connect(second.out, out.in[0]);
        connect<parameter>(first_control, first.control);
        connect<parameter>(second_control, second.control);
    }
};

design g;

int main() {
    g.init();
    g.update(g.second_control, 0);
    g.run(3);
    g.update(g.first_control, 0);
    g.update(g.first_control, 1);
    g.update(g.first_control, 0);
    g.wait();
    g.update(g.second_control, 1);
    g.run(1);
    g.update(g.first_control, 1);
    g.wait();
    g.end();
}
