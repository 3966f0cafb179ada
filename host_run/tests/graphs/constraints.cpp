// Every kind of constraint, and every kind of port.
#include <adf.h>
#include <cstdio>

using namespace adf;

void split_ends(input_pktstream *in, output_pktstream *out);
void words(input_stream<int32> *in, const int32 (&table)[4], int32 once, output_stream<int32> *out, int32 &count);
void head(input_window<int32> *in, output_cascade<acc48> *out);
void tail(input_cascade<acc48> *in, output_async_buffer<int32> &out);

struct inner : graph {
    kernel a, b, c;
    port<input> in, bytes, count;
    port<output> out, many;

    inner() {
        a = kernel::create(head);
        b = kernel::create(tail);
        c = kernel::create(words, std::vector<int32>{1, 2, 3, 4});
        for (kernel *k : {&a, &b, &c}) {
            source(*k) = "k.cc";
            runtime<ratio>(*k) = 0.25;
        }
        stack_size(a) = 2000;
        heap_size(a) = 512;
        repetition_count(b) = 2;
        initialization_function(c) = "prepare";
        headers(c) = {"a.h", "b.h"};
        connect<window<512, 64>>(in, a.in[0]);
        connect<cascade> between(a.out[0], b.in[0]);
        dimensions(b.out[0]) = {32, 4};
        single_buffer(b.out[0]);
        async_repetition(b.out[0]) = 3;
        connect<>(b.out[0], out);
        connect<stream> net(bytes, c.in[0]);
        fifo_depth(net) = 64;
        location<fifo>(net) = {dma_fifo(aie_tile, 4, 1, 0x2000, 32), ss_fifo(aie_tile, 4, 1, 1), ss_fifo(shim_tile, 5, 0, 1)};
        connect<parameter>(count, c.in[2]);
        connect<stream>(c.out[0], many);
        initial_value(c.in[2]) = 7;

        location<kernel>(a) = tile(4, 0);
        location<kernel>(b) = location<kernel>(a) + relative_offset({.col_offset = 1});
        location<kernel>(c) = location<kernel>(a);
        location<stack>(a) = address(4, 0, 0x1000);
        location<parameter>(c.in[1]) = bank(4, 1, 2);
        location<parameter>(c.param[0]) = offset(0x400);
        location<buffer>(a.in[0]) = {bank(4, 0, 0), bank(4, 0, 1)};
        location<buffer>(b.out[0]) = location<stack>(b);
        not_equal(location<kernel>(a), location<kernel>(b));
        not_equal(location<buffer>(a.in[0]), location<stack>(a));
        location<dma>(a.in[0]) = dma_channel(aie_tile, 4, 0, 1);
    }
};

struct outer : graph {
    inner left, right;
    pktsplit<2> split;
    pktmerge<2> merge;
    kernel packets[2];
    input_gmio in[2];
    output_gmio out[2];
    input_plio words[3];
    output_plio results[3];
    port<input> counts[2];

    outer() {
        location<graph>(left) = bounding_box(2, 0, 9, 3);
        location<graph>(right) = area_group({{aie_tile, 10, 0, 19, 3}, {shim_tile, 10, 0, 19, 0}}, true, false, true);
        location<inner>(right) = stamp(location<inner>(left));
        for (int i = 0; i < 2; ++i) {
            in[i] = input_gmio::create("in" + std::to_string(i), 64, 1000);
            out[i] = output_gmio::create("out" + std::to_string(i), 128, 2000);
            words[i] = input_plio::create("words" + std::to_string(i), plio_64_bits, "w.txt", 625);
            results[i] = output_plio::create(plio_128_bits, "r" + std::to_string(i));
            inner &half = i ? right : left;
            connect<>(in[i].out[0], half.in);
            connect<>(half.out, out[i].in[0]);
            connect<>(words[i].out[0], half.bytes);
            connect<>(half.many, results[i].in[0]);
            connect<parameter>(counts[i], half.count);
        }
        words[2] = input_plio::create("packets", plio_32_bits, "p.txt");
        results[2] = output_plio::create("packets out", plio_32_bits, "q.txt");
        location<PLIO>(words[2]) = shim(12, 1);
        location<PLIO>(results[2]) = shim(13);
        location<GMIO>(in[0]) = shim(6);
        split = pktsplit<2>::create();
        merge = pktmerge<2>::create();
        connect<pktstream>(words[2].out[0], split.in[0]);
        connect<pktstream>(merge.out[0], results[2].in[0]);
        for (int i = 0; i < 2; ++i) {
            packets[i] = kernel::create(split_ends);
            source(packets[i]) = "p.cc";
            runtime<ratio>(packets[i]) = 0.1;
            connect<pktstream>(split.out[i], packets[i].in[0]);
            connect<pktstream>(packets[i].out[0], merge.in[i]);
        }
        std::printf("constructors may print\n");
    }
};

outer g;

int main() {
    g.init();
    g.run(4);
    g.end();
    return 3;
}
