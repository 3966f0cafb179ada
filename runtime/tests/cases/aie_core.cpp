// State of a core: each kernel has its own modes, which last from firing to firing. A misaligned
// access is reported with kernel, port, iteration and line.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

using namespace adf;

// Rounds to nearest even and saturates, from the second firing on.
void sets_modes(input_buffer<int32> &in, output_buffer<int16> &out) {
    static bool again = false;
    *aie::begin_vector<8>(out) = aie::accum<acc80, 8>(*aie::begin_vector<8>(in)).to_vector<int16>(1);
    if (!again) {
        aie::set_rounding(aie::rounding_mode::conv_even);
        aie::set_saturation(aie::saturation_mode::saturate);
    }
    again = true;
}

void keeps_modes(input_buffer<int32> &in, output_buffer<int16> &out) {
    *aie::begin_vector<8>(out) = aie::accum<acc80, 8>(*aie::begin_vector<8>(in)).to_vector<int16>(1);
#ifdef MISALIGNED
    const aie::vector<int32, 8> v = aie::load_v<8>(in.data() + 1); // the line that is named
    if (v[0] == 12345) aie::store_v(out.data(), v.pack());
#endif
}

// The constructor of a kernel's object runs on its core, so the mode it sets is that of the kernel.
class constructed {
public:
    constructed() { aie::set_rounding(aie::rounding_mode::conv_even); }
    void run(input_buffer<int32> &in, output_buffer<int16> &out) { keeps_modes(in, out); }
    static void registerKernelClass() { REGISTER_FUNCTION(constructed::run); }
};

class trio : public graph {
public:
    kernel first, second, third;
    input_plio in;
    output_plio out[3];

    trio() {
        first = kernel::create(sets_modes);
        second = kernel::create(keeps_modes);
        in = input_plio::create("in", plio_32_bits, "in.txt");
        out[0] = output_plio::create("first", plio_32_bits, "first.txt");
        out[1] = output_plio::create("second", plio_32_bits, "second.txt");
        third = kernel::create_object<constructed>();
        out[2] = output_plio::create("third", plio_32_bits, "third.txt");
        kernel *const all[] = {&first, &second, &third};
        for (int i = 0; i < 3; ++i) {
            kernel &k = *all[i];
            connect(in.out[0], k.in[0]);
            connect(k.out[0], out[i].in[0]);
            dimensions(k.in[0]) = {8};
            dimensions(k.out[0]) = {8};
            source(k) = "aie_core.cpp";
            runtime<ratio>(k) = 0.3;
        }
    }
};

trio g;

int main() {
    g.init();
    g.run(2);
    g.end();
    return 0;
}
