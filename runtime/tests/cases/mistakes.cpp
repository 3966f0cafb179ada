// Graphs and kernels with mistakes that only show when the program runs; MISTAKE in the environment
// chooses one.
#include <adf.h>
#include <cstdlib>
#include <cstring>

static bool mistake(const char *what) {
    const char *chosen = std::getenv("MISTAKE");
    return chosen && std::strcmp(chosen, what) == 0;
}

static int32 deep(int32 n) {
    volatile char frame[4096];
    frame[n & 4095] = char(n);
    return n == 0 ? 0 : deep(n - 1) + frame[n & 4095];
}

void copy(input_window<int32> *in, output_window<int32> *out) {
    if (mistake("stack")) window_write(out, deep(1000000));
    for (unsigned i = 0; i < window_size(in); ++i) window_writeincr(out, window_readincr(in));
}

void swallow(input_window<cint16> *in) { window_read(in); }

class table {
public:
    explicit table(int32 (&taps)[4]) : taps_(taps) {}
    void run(input_window<int32> *in, output_window<int32> *out) {
        for (unsigned i = 0; i < window_size(in); ++i) window_writeincr(out, window_readincr(in) * taps_[3]);
    }
    static void registerKernelClass() {
        REGISTER_FUNCTION(table::run);
        REGISTER_PARAMETER(taps_);
    }

private:
    int32 (&taps_)[4];
};

class mistaken : public adf::graph {
public:
    adf::kernel k, other;
    adf::input_plio in;
    adf::output_plio out, again;

    mistaken() {
        k = adf::kernel::create(copy);
        if (mistake("short table")) k = adf::kernel::create_object<table>(std::vector<int32>{3, -9, 11});
        if (mistake("long table")) k = adf::kernel::create_object<table>(std::vector<int32>{3, -9, 11, 5, 7});
        if (!mistake("source")) adf::source(k) = "kernels/copy.cc";
        adf::runtime<adf::ratio>(k) = mistake("ratio") ? 1.5 : 0.9;
        in = adf::input_plio::create("in", adf::plio_32_bits, "data/in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        if (mistake("odd size")) {
            adf::connect<adf::window<6>>(in.out[0], k.in[0]);
        } else {
            adf::connect<adf::window<16>>(in.out[0], k.in[0]);
        }
        if (mistake("types")) {
            other = adf::kernel::create(swallow);
            adf::source(other) = "kernels/swallow.cc";
            adf::runtime<adf::ratio>(other) = 0.9;
            adf::connect<adf::window<16>>(in.out[0], other.in[0]);
        }
        if (mistake("file")) {
            again = adf::output_plio::create("again", adf::plio_32_bits, "out.txt");
            adf::connect<adf::window<16>>(k.out[0], again.in[0]);
        }
        if (mistake("repetitions")) adf::repetition_count(k) = 0;
        if (mistake("fan-in")) adf::connect<adf::window<16>>(in.out[0], k.in[0]);
        if (mistake("async")) {
            adf::connect<adf::window<16>>(k.out[0], adf::async(out.in[0]));
        } else if (!mistake("source")) {
            adf::connect<adf::window<16>>(k.out[mistake("port") ? 1 : 0], out.in[0]);
        }
    }
};

mistaken g;

int main() {
    if (mistake("init")) g.run(1);
    g.init();
    if (mistake("again")) g.init();
    if (mistake("forever")) {
        g.run(-1);
        g.wait();
        g.end();
        return 0;
    }
    if (mistake("endless")) {
        g.run();
        g.end();
        return 0;
    }
    if (mistake("timed")) {
        g.run(-1);
        g.end(10);
        return 0;
    }
    g.run(3);
    if (mistake("no end")) return 0;
    g.end();
    return 0;
}
