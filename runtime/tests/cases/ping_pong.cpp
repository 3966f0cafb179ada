// The round trip of thesis listing 3.3: A sends to B, B sends back, eight times in one firing. With
// -DSYNCHRONOUS the windows are synchronous and neither kernel can ever start (thesis 3.1).
#include <aie_api/aie_adf.hpp>
#include <adf.h>

#ifdef SYNCHRONOUS
template <typename Port>
Port lock(Port p) { return p; }
template <typename Window>
void acquire(Window *) {}
template <typename Window>
void release(Window *) {}
constexpr unsigned rounds = 1;
#else
auto lock(adf::sim::port_ref p) { return adf::async(p); }
template <typename Window>
void acquire(Window *w) { window_acquire(w); }
template <typename Window>
void release(Window *w) { window_release(w); }
constexpr unsigned rounds = 8;
#endif

void a(input_window<int32> *in, output_window<int32> *data_out, output_window<int32> *check_out) {
    v4int32 received = null_v4int32();
    unsigned long long last = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        const unsigned long long start = aie::tile::current().cycles();
        acquire(data_out);
        window_writeincr(data_out, received);
        release(data_out);
        acquire(in);
        window_readincr(in, received);
        release(in);
        const unsigned long long end = get_cycles();
        if (end <= start || start <= last) received[3] = -1;
        last = end;
    }
    window_writeincr(check_out, received);
}

void b(input_window<int32> *in, output_window<int32> *out) {
    v4int32 one = null_v4int32();
    for (unsigned i = 0; i < 4; ++i) one = upd_elem(one, i, int32(i + 1));
    for (unsigned i = 0; i < rounds; ++i) {
        v4int32 received;
        acquire(out);
        acquire(in);
        window_readincr(in, received);
        received += one;
        window_writeincr(out, received);
        release(in);
        release(out);
    }
}

class round_trip : public adf::graph {
public:
    adf::kernel ka, kb;
    adf::output_plio check;

    round_trip() {
        ka = adf::kernel::create(a);
        kb = adf::kernel::create(b);
        adf::source(ka) = "kernels/a.cc";
        adf::source(kb) = "kernels/b.cc";
        adf::runtime<adf::ratio>(ka) = 0.9;
        adf::runtime<adf::ratio>(kb) = 0.9;
        check = adf::output_plio::create("check", adf::plio_32_bits, "check.txt");
        adf::connect<adf::window<16>>(lock(ka.out[0]), lock(kb.in[0]));
        adf::connect<adf::window<16>>(lock(kb.out[0]), lock(ka.in[0]));
        adf::connect<adf::window<16>>(ka.out[1], check.in[0]);
    }
};

round_trip g;

int main() {
    g.init();
    g.run(1);
    g.end();
    return 0;
}
