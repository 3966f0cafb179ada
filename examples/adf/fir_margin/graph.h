#include <adf.h>
#include "kernels.h"
using namespace adf;

class firGraph : public graph {
private:
    kernel first, second;

public:
    input_plio in;
    output_plio out;
    firGraph() {
        in = input_plio::create("DataIn1", plio_32_bits, "data/input.txt");
        out = output_plio::create("DataOut1", plio_32_bits, "data/output.txt");
        first = kernel::create(fir);
        second = kernel::create(fir);
        connect<window<SAMPLES * sizeof(int16), TAPS * sizeof(int16)>>(in.out[0], first.in[0]);
        connect<window<SAMPLES * sizeof(int16)>, window<SAMPLES * sizeof(int16), TAPS * sizeof(int16)>> net0(first.out[0], second.in[0]);
        connect<window<SAMPLES * sizeof(int16)>>(second.out[0], out.in[0]);
        source(first) = "kernels/fir.cc";
        source(second) = "kernels/fir.cc";
        runtime<ratio>(first) = 0.6;
        runtime<ratio>(second) = 0.6;
    }
};
