// Names that AMD's adf.h brings implicitly: parts of the standard library, types of directions,
// intrinsics, numbers of the device. With STANDARD_FIRST after every header of the standard
// library.
#ifdef STANDARD_FIRST
#include <bits/stdc++.h>
#endif
#include <adf.h>
#include <adf/arch/aie_arch_properties.hpp>

using namespace adf;

// Kernels that include adf.h alone know the words of the core's compiler.
void doubled(input_window<int16> *in, output_window<int16> *out) {
    v8int16 *from = reinterpret_cast<v8int16 *>(in->ptr);
    for (unsigned i = 0; i < 2; ++i) {
        const v8acc48 sum = mul(concat(*from, *from), concat(*from, *from)).extract<8>(0);
        const v8int16 squares = srs(sum, 0);
        from = byte_incr(from, 16);
        window_writeincr(out, upd_elem(squares, 7, int16(ext_elem(squares, 7) + 1)));
    }
}
// 128 bits go out, whatever the types are.
void wide(input_stream<cint16> *in, output_stream<cint16> *out) {
    const v4cint16 four = READINCRW(WSS_rsrc1, in);
    WRITEINCRW(WMS_rsrc1, out, four);
    WRITEINCRW(WMS_rsrc1, out, as_v4int32(four));
}
template <typename DIRECTION>
struct ends {
    port<DIRECTION> all[get_input_streams_core_module()];
};

// A measuring host takes any port, and a graph that it does not copy.
long long measured(graph, IoAttr &) { return -1; }
long long measured(IoAttr &at) {
    const event::handle h = event::start_profiling(at, event::io_stream_running_event_count);
    const long long count = event::read_profiling(h);
    event::stop_profiling(h);
    return count;
}

class pair_of : public graph {
public:
    kernel k[2];
    ends<input> in;
    ends<output> out;
    pair_of() {
        static_assert(get_input_streams_core_module() == 2 && adf::get_output_streams_core_module() == 2, "AM009");
        for (unsigned i = 0; i < 2; ++i) {
            k[i] = kernel::create(doubled);
            source(k[i]) = "doubled.cc";
            if (i == 0) runtime(k[i]) = 0.5;
#ifdef STANDARD_FIRST
            else runtime<adf::ratio>(k[i]) = 0.5;
#else
            else runtime<ratio>(k[i]) = 0.5;
#endif
            location<parameter>(k[i]) = location<kernel>(k[i]);
            connect<window<32>> net(in.all[i], k[i].in[0]);
            connect<window<32>>(k[i].out[0], out.all[i]);
            // Older properties, which change nothing here.
            pl_frequency(k[i]) = 245.76;
            pl_axi_lite(k[i]) = false;
            utilization(k[i]) = 0.5;
            execution_order(k[i]) = int(i);
            connect<stream> *none = nullptr;
            if (none) location<fifo>(*none) = dma_fifo(aie_tile, 8, 0, 0x0000, 48);
        }
    }
};

class whole : public graph {
public:
    pair_of both;
    input_port reconfiguration;
    pktcontrol control;
    input_plio in[2];
    output_plio out[2];
    whole() {
        control = pktcontrol::create();
        connect<pktstream, pktstream>(reconfiguration, control.in[0]);
        location<interconnect>(control) = location<kernel>(both.k[0]);
        for (unsigned i = 0; i < 2; ++i) {
            in[i] = input_plio::create(plio_32_bits, "in.txt");
            out[i] = output_plio::create(plio_32_bits, i == 0 ? "first.txt" : "second.txt");
            connect<>(in[i].out[0], both.in.all[i]);
            connect<>(both.out.all[i], out[i].in[0]);
        }
    }
};

whole g;

int main() {
    g.init();
    IoAttr &port = g.in[0];
    const bool counted = measured(port) >= 0;
    g.run(1);
    g.end();
    std::ostringstream text;
    text << std::string("counted ") << counted << ' ' << std::sqrt(16.0) << ' ' << std::get<0>(std::make_tuple(std::array<int, 1>{7}))[0];
    std::cout << text.str() << std::endl;
    return 0;
}
