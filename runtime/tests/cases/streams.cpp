// Streams between kernels and text files: elements, vectors, TLAST, narrow types, both physical
// ports, intrinsics.
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <adf.h>

// With every directive of the AI Engine compiler that public kernels use: none changes a result.
static int32 chess_storage(%chess_alignof(v8int32)) table[3] = {1, 2, 3};
inline int32 twice(int32 x) chess_property(functional) chess_clobbers() { return 2 * x; }
void add(input_stream<int32> *__restrict a, input_stream_int32 *__restrict b, output_stream<int32> *__restrict sum) {
    int32 chess_storage(r0) lost = chess_dont_care(int32);
    aie::vector<int32, 8> chess_storage(wc0) eight = chess_copy(aie::broadcast<int32, 8>(1));
    int32 *from = chess_dont_chain(&table[0]);
    for (unsigned i = 0; i < 8; ++i) chess_prepare_for_pipelining chess_pipeline_non_leaf_loop_solution(4)
        chess_loop_range(8, 8) chess_no_warn_pipelining chess_modulo_scheduling_budget_ratio(20) {
            writeincr(sum, readincr(a) + readincr(b));
        }
    for (int i = 0; i < 3; ++i) chess_unroll_loop(*) chess_no_warn_unroll chess_keep_sw_loop2 lost += from[i] - eight[i];
    int left = 2;
    while (left > 0) chess_keep_sw_loop chess_extra_options(3) --left;
    chess_separator();
    chess_separator_scheduler(8);
    chess_separator_scheduler_local();
    chess_memory_fence();
    chess_warning("this is fine");
    if (reinterpret_cast<std::uintptr_t>(table) % 32 != 0 || lost != 3 || twice(left) != 0 || chess_const(left)) chess_error("it is not");
    else return;
    writeincr(sum, 0);
}
void add_vectors(input_stream<int32> *a, input_stream<int32> *b, output_stream<int32> *sum) {
    for (unsigned i = 0; i < 2; ++i) {
        const aie::vector<int32, 4> x = readincr_v<4, aie_stream_resource_in::a>(a);
        const aie::vector<int32, 4> y = readincr_v4(b);
        writeincr(sum, x + y);
    }
}
// Passes shorts on, in packets of four.
void packets_of_four(input_stream<int16> *in, output_stream<int16> *out) {
    for (unsigned i = 0; i < 8; ++i) {
        bool last = false;
        const int16 value = readincr(in, last);
        writeincr(out, int16(last ? -value : value), i % 4 == 3);
    }
}
void by_number(input_stream<int32> *, output_stream<int32> *) {
    for (unsigned i = 0; i < 8; ++i) {
        bool last = false;
        const int32 value = get_ss(0, last);
        put_ms(0, 10 * value, last);
    }
}
// From a stream to a window, and back.
void collect(input_stream<float> *in, output_window<float> *out) {
    for (unsigned i = 0; i < window_size(out); ++i) window_writeincr(out, readincr(in));
}
void scatter(input_window<float> *in, output_stream<float> *out) {
    for (unsigned i = 0; i < window_size(in); ++i) writeincr(out, window_readincr(in));
}

class streams : public adf::graph {
public:
    adf::kernel k[6];
    adf::input_plio in[6];
    adf::output_plio out[5];

    streams() {
        k[0] = adf::kernel::create(add);
        k[1] = adf::kernel::create(add_vectors);
        k[2] = adf::kernel::create(packets_of_four);
        k[3] = adf::kernel::create(by_number);
        k[4] = adf::kernel::create(collect);
        k[5] = adf::kernel::create(scatter);
        for (auto &each : k) {
            adf::source(each) = "kernels/streams.cc";
            adf::runtime<adf::ratio>(each) = 0.9;
        }
        const char *const files[] = {"a.txt", "b.txt", "shorts.txt", "marked.txt", "floats.txt"};
        for (unsigned i = 0; i < 5; ++i) {
            in[i] = adf::input_plio::create("in" + std::to_string(i), adf::plio_32_bits, files[i]);
            out[i] = adf::output_plio::create("out" + std::to_string(i), adf::plio_64_bits, "out" + std::to_string(i) + ".txt");
        }
        adf::connect<adf::stream>(in[0].out[0], k[0].in[0]);
        adf::connect<adf::stream> net(in[1].out[0], k[0].in[1]);
        adf::fifo_depth(net) = 32;
        adf::location<adf::fifo>(net) = adf::dma_fifo(adf::aie_tile, 10, 0, 0x1000, 32);
        adf::connect<>(k[0].out[0], k[1].in[0]);
        adf::connect(k[0].out[0], k[1].in[1]);
        adf::connect<adf::stream>(k[1].out[0], out[0].in[0]);
        adf::connect<adf::stream>(in[2].out[0], k[2].in[0]);
        adf::connect<adf::stream>(k[2].out[0], out[1].in[0]);
        adf::connect<adf::stream>(in[3].out[0], k[3].in[0]);
        adf::connect<adf::stream>(k[3].out[0], out[2].in[0]);
        adf::connect<adf::stream>(in[4].out[0], k[4].in[0]);
        adf::connect<adf::window<16>>(k[4].out[0], k[5].in[0]);
        adf::connect<adf::stream, adf::stream>(k[5].out[0], out[3].in[0]);
        adf::connect<adf::window<16>, adf::stream>(k[4].out[0], out[4].in[0]);
    }
};

streams g;

int main() {
    g.init();
    g.run(1);
    g.wait();
    g.run(1);
    g.end();
    return 0;
}
