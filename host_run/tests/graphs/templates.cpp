// Graphs in the style of libraries: templates over parameters, static member functions as kernels,
// arrays and vectors of kernels, branches at compile time. No kernel has a source.
#include <adf.h>
#include <array>
#include <memory>
#include <vector>

using namespace adf;

namespace lib {

template <typename Data, unsigned Taps, unsigned Samples>
class fir {
public:
    explicit fir(const int16 (&taps)[Taps]) : taps_(taps) {}
    void filter(input_window<Data> *in, output_window<Data> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(fir::filter); }

private:
    const int16 (&taps_)[Taps];
};

template <typename Data, bool First>
struct stage {
    static void run(input_buffer<Data, extents<64>, margin<8>> &in, output_buffer<Data, extents<64>> &out);
};

template <typename Data, unsigned Kernels, bool Scales = false>
class chain : public graph {
public:
    static constexpr unsigned samples = 64;
    std::array<kernel, Kernels> m_kernels;
    port<input> in;
    port<output> out;
    port<input> gain;

    chain() {
        make<0>();
        connect<>(in, m_kernels[0].in[0]);
        if constexpr (Scales) connect<parameter>(gain, async(m_kernels[0].in[1]));
        connect<>(m_kernels[Kernels - 1].out[0], out);
    }

private:
    static void scale(input_buffer<Data> &in, Data gain, output_buffer<Data> &out);

    template <unsigned At>
    void make() {
        if constexpr (At < Kernels) {
            if constexpr (At == 0 && Scales) {
                m_kernels[At] = kernel::create(scale);
                dimensions(m_kernels[At].in[0]) = {samples};
                dimensions(m_kernels[At].out[0]) = {samples};
            } else {
                m_kernels[At] = kernel::create(stage<Data, At == 0>::run);
            }
            runtime<ratio>(m_kernels[At]) = 0.9;
            source(m_kernels[At]) = "stage.cpp";
            if constexpr (At > 0) {
                connect<>(m_kernels[At - 1].out[0], m_kernels[At].in[0]);
                location<kernel>(m_kernels[At]) = location<kernel>(m_kernels[At - 1]) + relative_offset({.col_offset = 1, .row_offset = 0});
            }
            make<At + 1>();
        }
    }
};

} // namespace lib

template <int N>
class top : public graph {
public:
    lib::chain<cint16, N> first;
    std::unique_ptr<lib::chain<int32, 2, true>> second = std::make_unique<lib::chain<int32, 2, true>>();
    std::vector<kernel> filters;
    std::vector<input_plio> in{3};
    output_plio out[3];
    port<input> gain;
    std::vector<int16> taps{1, 2, 3, 4};

    top() {
        for (int i = 0; i < 3; ++i) {
            in[i] = input_plio::create("in" + std::to_string(i), plio_32_bits, "in.txt");
            out[i] = output_plio::create("out" + std::to_string(i), plio_32_bits, "out.txt");
        }
        filters.push_back(kernel::create_object<lib::fir<int16, 4, 64>>(taps));
        filters.push_back(kernel::create_object<lib::fir<int16, 4, 64>>(std::vector<int16>{5, 6, 7, 8}));
        for (kernel &k : filters) {
            source(k) = "fir.cpp";
            runtime<ratio>(k) = 0.5; stack_size(k) = 2048;
        }
        connect<>(in[0].out[0], first.in); connect<>(first.out, out[0].in[0]);
        connect<>(in[1].out[0], second->in); connect<>(second->out, out[1].in[0]);
        connect<parameter>(gain, second->gain);
        connect<window<128, 16>>(in[2].out[0], filters[0].in[0]);
        connect<window<128>>(filters[0].out[0], filters[1].in[0]);
        connect<window<128>>(filters[1].out[0], out[2].in[0]);
    }
};

top<3> g;
