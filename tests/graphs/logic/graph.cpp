#include <adf.h>
using namespace adf;
void first(input_window<int32> *in, output_stream<int32> *out);
void clip(input_stream<int32> *in, output_stream<int32> *out);
class Outside : public graph {
public:
    kernel front, logic;
    input_plio in;
    output_plio out;
    Outside() {
        in = input_plio::create("In", plio_32_bits, "in.txt");
        out = output_plio::create("Out", plio_32_bits, "out.txt");
        front = kernel::create(first);
        logic = kernel::create(clip);
        fabric<pl>(logic);
        source(front) = "work.cc";
        source(logic) = "clip.cc";
        runtime<ratio>(front) = 0.5;
        connect<window<64>>(in.out[0], front.in[0]);
        connect<stream>(front.out[0], logic.in[0]);
        connect<stream>(logic.out[0], out.in[0]);
    }
};
Outside g;
#if defined(__X86SIM__) || defined(__AIESIM__)
int main() { g.init(); g.run(1); g.end(); return 0; }
#endif
