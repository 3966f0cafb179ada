// The context of the lines of graph.txt: a graph with one object of each kind.
#include <adf.h>
#include <hls_stream.h>

#include <array>
#include <vector>

void pass(input_window<int32> *in, output_window<int32> *out);
template <int Factor>
void scaled(input_window<int32> *in, output_window<int32> *out);
void streamed(input_stream<int32> *in, output_stream<int32> *out);
void gained(input_window<int32> *in, int32 gain, output_window<int32> *out);
void first(output_cascade<acc48> *out);
void last(input_cascade<acc48> *in, output_stream<int32> *out);
void buffered(adf::input_buffer<int32> &in, adf::output_buffer<int32> &out);

void synthesised(adf::dir::in<hls::stream<ap_axis<32, 0, 0, 0>> &> in, adf::dir::out<hls::stream<int32> &> out,
                 ap_int<32> most, const ap_int<128> *memory);

class counter {
public:
    explicit counter(int start) : next_(start) {}
    void run(output_stream<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(counter::run); }

private:
    int next_;
};

template <typename Way>
using ports_of = std::array<adf::port<Way>, 2>;

struct inner : adf::graph {};

struct everything : adf::graph {
    adf::kernel k, k2, s, s2, p, c, c2, b;
    adf::parameter table;
    adf::port<adf::input> gain;
    adf::input_plio in;
    adf::output_plio out;
    adf::input_gmio memory;
    inner inner_a, inner_b;
};
