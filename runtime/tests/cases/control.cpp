// Run-time parameters of every kind, kernel classes, initialization functions, packets and
// cascades.
#include <cstdio>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <adf.h>

using namespace adf;

// --- parameters: synchronous and asynchronous scalars and arrays, results read back, kernel to ker
void scale(int32 factor, const int32 (&offsets)[4], output_window<int32> *out, int32 &count, int32 (&last)[2]) {
    for (int32 i = 0; i < 4; ++i) window_writeincr(out, factor * i + offsets[i]);
    count += 1;
    last[0] = factor;
    last[1] = offsets[3];
}
void half(input_window<int32> *in, int16 shift, output_window<int32> *out) {
    for (int32 i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in) >> shift);
}
void announce(output_window<int32> *out, int32 &number) {
    number += 5;
    for (int32 i = 0; i < 4; ++i) window_writeincr(out, number);
}
void follow(input_window<int32> *in, int32 number, output_window<int32> *out) {
    for (int32 i = 0; i < 4; ++i) window_writeincr(out, 100 * number + window_readincr(in));
}

// --- a class with an array, a scalar and state ---
int32 start_value = 0;
void prepare() { start_value = 1000; }

template <unsigned Taps>
class filter {
public:
    filter(const int32 (&taps)[Taps], int32 gain) : taps_(taps), gain_(gain) {}
    void run(input_buffer<int32> &in, output_buffer<int32> &out) {
        auto from = aie::begin(in);
        auto to = aie::begin(out);
        for (unsigned i = 0; i < in.size(); ++i) {
            sum_ += *from++ * taps_[i % Taps];
            *to++ = gain_ * sum_ + start_value;
        }
    }
    static void registerKernelClass() {
        REGISTER_FUNCTION(filter::run);
        REGISTER_PARAMETER(taps_);
    }

private:
    const int32 (&taps_)[Taps];
    int32 gain_;
    int32 sum_ = 0;
};

// --- packets ---
void tag(input_pktstream *in, output_pktstream *out) {
    readincr(in);
    writeHeader(out, 0, getPacketid(out, 0));
    for (bool last = false; !last;) {
        const int32 value = readincr(in, last);
        writeincr(out, value + 1000, last);
    }
}
void tag_window(input_window<int32> *in, output_window<int32> *out) {
    for (unsigned i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in) + 2000);
}

// --- cascades ---
void partial(input_window<int16> *in, output_cascade<acc48> *out) {
    const aie::vector<int16, 8> v = window_readincr_v<8>(in);
    for (unsigned i = 0; i < 8; ++i) writeincr(out, aie::mul<acc48>(v, int16(i + 1)));
}
void total(input_window<int16> *in, input_cascade<acc48> *more, output_window<int16> *out) {
    const aie::vector<int16, 8> v = window_readincr_v<8>(in);
    aie::accum<acc48, 8> sum = aie::mul<acc48>(v, int16(1));
    for (unsigned i = 0; i < 8; ++i) {
        const aie::accum<acc48, 8> one = readincr_v<8>(more);
        sum = aie::add(sum, one);
    }
    window_writeincr(out, sum.to_vector<int16>(0));
}

class control : public graph {
public:
    kernel k[10];
    port<input> factor, offsets, shift;
    port<inout> count, last;
    output_plio plain[2], packets, filtered, summed;
    input_plio mixed, shorts, numbers;
    pktsplit<2> split;
    pktmerge<2> merge;

    control() {
        parameters();
        classes();
        packet_switching();
        cascades();
        for (kernel &each : k) {
            source(each) = "kernels/control.cc";
            runtime<ratio>(each) = 0.9;
        }
        location<graph>(*this) = area_group({{aie_tile, 0, 0, 9, 7}});
    }

private:
    void parameters() {
        k[0] = kernel::create(scale);
        k[1] = kernel::create(half);
        k[2] = kernel::create(announce);
        k[3] = kernel::create(follow);
        connect<parameter>(factor, k[0].in[0]);
        connect<parameter>(offsets, async(k[0].in[1]));
        connect<parameter>(k[0].inout[0], count);
        connect<parameter>(sync(k[0].inout[1]), last);
        connect<window<16>>(k[0].out[0], k[1].in[0]);
        connect<parameter>(shift, async(k[1].in[1]));
        initial_value(k[1].in[1]) = 1;
        for (unsigned i = 0; i < 2; ++i) plain[i] = output_plio::create(plio_128_bits, "plain" + std::to_string(i) + ".txt");
        connect<window<16>>(k[1].out[0], plain[0].in[0]);
        connect<parameter>(sync(k[2].inout[0]), k[3].in[1]);
        connect<window<16>>(k[2].out[0], k[3].in[0]);
        connect<window<16>>(k[3].out[0], plain[1].in[0]);
        location<parameter>(k[0].in[1]) = bank(1, 0, 2);
    }
    void classes() {
        for (unsigned i = 4; i < 6; ++i) {
            k[i] = kernel::create_object<filter<3>>(std::vector<int32>{1, 10, 100}, int32(i - 3));
            headers(k[i]) = {"filter.h"};
            dimensions(k[i].in[0]) = {4};
            dimensions(k[i].out[0]) = {4};
            initialization_function(k[i]) = "prepare";
        }
        numbers = input_plio::create(plio_32_bits, "numbers.txt");
        filtered = output_plio::create(plio_128_bits, "filtered.txt");
        connect<>(numbers.out[0], k[4].in[0]);
        connect<>(k[4].out[0], k[5].in[0]);
        connect<>(k[5].out[0], filtered.in[0]);
    }
    void packet_switching() {
        mixed = input_plio::create("mixed", plio_32_bits, "mixed.txt");
        packets = output_plio::create("packets", plio_32_bits, "packets.txt");
        split = pktsplit<2>::create();
        merge = pktmerge<2>::create();
        k[6] = kernel::create(tag);
        k[7] = kernel::create(tag_window);
        connect<pktstream>(mixed.out[0], split.in[0]);
        connect<pktstream>(split.out[0], k[6].in[0]);
        connect<pktstream, window<16>>(split.out[1], k[7].in[0]);
        connect<pktstream>(k[6].out[0], merge.in[0]);
        connect<window<16>, pktstream>(k[7].out[0], merge.in[1]);
        connect<pktstream>(merge.out[0], packets.in[0]);
    }
    void cascades() {
        shorts = input_plio::create("shorts", plio_64_bits, "eight.txt");
        summed = output_plio::create("summed", plio_64_bits, "summed.txt");
        k[8] = kernel::create(partial);
        k[9] = kernel::create(total);
        connect<window<16>>(shorts.out[0], k[8].in[0]);
        connect<window<16>>(shorts.out[0], k[9].in[0]);
        connect<cascade>(k[8].out[0], k[9].in[1]);
        connect<window<16>>(k[9].out[0], summed.in[0]);
    }
};

control g;

int main() {
    const int32 offsets[4] = {1, 2, 3, 4};
    g.init();
    g.update(g.offsets, offsets, 4);
    auto h = event::start_profiling(g.packets, event::io_stream_start_to_bytes_transferred_cycles, 64);
    g.run(2);
    int32 last[2] = {};
    for (int32 factor : {10, 100}) {
        g.update(g.factor, factor);
        g.read(g.last, last, 2);
        std::printf("last %d %d\n", last[0], last[1]);
    }
    g.update(g.shift, std::int64_t(3)); // too large for the parameter
    g.end();
    int32 count = 0;
    g.read(g.count, count);
    std::printf("count %d, profile %d\n", count, int(event::read_profiling(h) > 0));
    event::stop_profiling(h);
    return 0;
}
