// Two kernels of one core that could wait for each other. CASE in the environment says which, and
// APART gives each its own core. LATE makes the second one first, and WAITS is how often the host
// program runs the graph and waits for it. With ALONE a copy of the process ends it.
#include <adf.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <pthread.h>

constexpr int words = 64;

void first(input_window<int32> *x, output_stream<int32> *y) {
    for (int i = 0; i < words; ++i) writeincr(y, window_readincr(x));
}
void step(input_stream<int32> *x, output_stream<int32> *y) {
    for (int i = 0; i < words; ++i) writeincr(y, readincr(x));
}
void whole(input_window<int32> *x, output_window<int32> *y) {
    for (int i = 0; i < words; ++i) window_writeincr(y, window_readincr(x));
}
void last(input_stream<int32> *x, output_window<int32> *y) {
    std::printf("last\n");
    for (int i = 0; i < words; ++i) window_writeincr(y, readincr(x));
}

// Acquires `COUNT` windows before it comes back.
void fill(input_window<int32> *x, output_window<int32> *y) {
    const int count = std::atoi(std::getenv("COUNT"));
    for (int n = 0; n < count; ++n) {
        window_acquire(y);
        for (int i = 0; i < 4; ++i) window_writeincr(y, n == 0 ? window_readincr(x) : n);
        window_release(y);
    }
}
void take(input_window<int32> *x, output_window<int32> *y) {
    for (int i = 0; i < 4; ++i) window_writeincr(y, window_readincr(x));
}

// Asks until there is a word.
void poll(input_stream<int32> *, output_window<int32> *y) {
    for (int i = 0; i < words; ++i) {
        bool there = false;
        int32 value = 0;
        while (!there) value = get_ss_nb(0, there);
        window_writeincr(y, value);
    }
}

// Its stream leads over another core to the other kernel.
class around : public adf::graph {
public:
    adf::kernel a, m, b;
    adf::input_plio in;
    adf::output_plio out;

    around(const char *which) {
        const bool polls = std::strcmp(which, "poll") == 0, is_whole = std::strcmp(which, "whole") == 0;
        if (std::getenv("LATE")) b = adf::kernel::create(last);
        a = adf::kernel::create(first);
        m = is_whole ? adf::kernel::create(whole) : adf::kernel::create(step);
        if (!std::getenv("LATE")) b = polls ? adf::kernel::create(poll) : adf::kernel::create(last);
        for (adf::kernel *k : {&a, &m, &b}) {
            adf::source(*k) = "kernels/k.cc";
            adf::runtime<adf::ratio>(*k) = 0.3;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<4 * words>>(in.out[0], a.in[0]);
        if (is_whole) {
            adf::connect<adf::stream, adf::window<4 * words>>(a.out[0], m.in[0]);
            adf::connect<adf::window<4 * words>, adf::stream>(m.out[0], b.in[0]);
        } else {
            adf::connect<adf::stream>(a.out[0], m.in[0]);
            adf::connect<adf::stream> back(m.out[0], b.in[0]);
            if (std::strcmp(which, "fifo") == 0) adf::fifo_depth(back) = words;
        }
        adf::connect<adf::window<4 * words>>(b.out[0], out.in[0]);
        if (std::getenv("APART")) return;
        adf::location<adf::kernel>(a) = adf::tile(3, 2);
        adf::location<adf::kernel>(m) = adf::tile(3, 3);
        adf::location<adf::kernel>(b) = adf::location<adf::kernel>(a);
    }
};

// One gives the other windows that it locks itself, or all at its end.
class along : public adf::graph {
public:
    adf::kernel a, b;
    adf::input_plio in;
    adf::output_plio out;

    along(bool locks) {
        a = locks ? adf::kernel::create(fill) : adf::kernel::create(take);
        b = adf::kernel::create(take);
        for (adf::kernel *k : {&a, &b}) {
            adf::source(*k) = "kernels/k.cc";
            adf::runtime<adf::ratio>(*k) = 0.3;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<16>>(in.out[0], a.in[0]);
        if (locks) {
            adf::connect<adf::window<16>>(adf::async(a.out[0]), b.in[0]);
            adf::repetition_count(b) = std::atoi(std::getenv("COUNT"));
        } else {
            adf::connect<adf::window<16>>(a.out[0], b.in[0]);
        }
        adf::connect<adf::window<16>>(b.out[0], out.in[0]);
        if (std::getenv("APART")) return;
        adf::location<adf::kernel>(a) = adf::tile(3, 2);
        adf::location<adf::kernel>(b) = adf::tile(3, 2);
    }
};

template <typename Graph>
void run(Graph &g) {
    g.init();
    const char *waits = std::getenv("WAITS");
    for (int i = 0; i < (waits ? std::atoi(waits) : 1); ++i) {
        g.run(2);
        g.wait();
    }
    g.end();
}

int main() {
    const char *which = std::getenv("CASE");
    if (std::getenv("ALONE")) pthread_atfork([] { std::abort(); }, nullptr, nullptr);
    if (std::strcmp(which, "locks") == 0 || std::strcmp(which, "synchronous") == 0) {
        static along g(std::strcmp(which, "locks") == 0);
        run(g);
    } else {
        static around g(which);
        run(g);
    }
}
