// A producer and a consumer over an asynchronous window. MISUSE in the environment is the error.
#include <adf.h>
#include <cstdlib>
#include <cstring>

static bool misuse(const char *what) {
    const char *chosen = std::getenv("MISUSE");
    return chosen && std::strcmp(chosen, what) == 0;
}

void produce(output_window<int32> *out) {
    if (misuse("write before acquire")) window_writeincr(out, 1);
    window_acquire(out);
    const unsigned n = window_size(out) + (misuse("write past end") ? 1 : 0);
    for (unsigned i = 0; i < n; ++i) window_writeincr(out, int32(i));
    if (misuse("write round")) window_incr(out, 2);
    if (misuse("write round")) window_writeincr(out, 9);
    window_release(out);
    if (misuse("release twice")) window_release(out);
}

void consume(input_window<int32> *in, output_window<int32> *out) {
    if (misuse("read before acquire")) window_readincr(in);
    window_acquire(in);
    if (misuse("acquire twice")) window_acquire(in);
    if (misuse("acquire synchronous")) window_acquire(out);
    if (misuse("before the start")) window_readdecr(in);
    if (misuse("round the start")) window_decr(in, 3);
    if (misuse("there and back")) window_incr(in, 9), window_decr(in, 9);
    const unsigned n = misuse("read past end") ? 6 : misuse("under-read") ? 2 : 4;
    int32 sum = 0;
    for (unsigned i = 0; i < n; ++i) sum += window_readincr(in);
    if (misuse("round the end")) window_incr(in, 1), sum += 100 * window_read(in);
    if (!misuse("missing release")) window_release(in);
    window_writeincr(out, sum);
}

class checked : public adf::graph {
public:
    adf::kernel producer, consumer;
    adf::output_plio out;

    checked() {
        producer = adf::kernel::create(produce);
        consumer = adf::kernel::create(consume);
        adf::source(producer) = "kernels/produce.cc";
        adf::source(consumer) = "kernels/consume.cc";
        adf::runtime<adf::ratio>(producer) = 0.5;
        adf::runtime<adf::ratio>(consumer) = 0.5;
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<adf::window<16>>(adf::async(producer.out[0]), adf::async(consumer.in[0]));
        adf::connect<adf::window<4>>(consumer.out[0], out.in[0]);
    }
};

checked g;

int main() {
    g.init();
    g.run(std::getenv("RUNS") ? std::atoi(std::getenv("RUNS")) : 2);
    g.end();
    return 0;
}
