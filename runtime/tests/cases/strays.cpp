// Accesses that leave the buffer of a port or outlive its lock, and kernels that come to no end;
// STRAY in the environment names the error.
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <adf.h>
#include <cstdlib>
#include <cstring>

static bool stray(const char *what) {
    const char *chosen = std::getenv("STRAY");
    return chosen && std::strcmp(chosen, what) == 0;
}

// Leaves the last four elements unwritten if STRAY asks for it.
void fill(adf::input_buffer<int32, adf::extents<16>> &in, adf::output_buffer<int32, adf::extents<16>> &out) {
    auto from = aie::cbegin(in);
    auto to = aie::begin(out);
    for (unsigned i = 0; i < (stray("unwritten") || stray("around unwritten") ? 12 : 16); ++i) *to++ = *from++;
    if (stray("write past")) *to = 1;
    static int32 *kept = nullptr; // the other buffer, from the second firing on
    if (kept && stray("pointer kept")) *const_cast<volatile int32 *>(kept) = 0;
    if (!kept || stray("kept anew")) kept = out.data();
    if (stray("kept anew")) *const_cast<volatile int32 *>(kept) = *kept;
}

using in_buffer = adf::input_async_buffer<int32, adf::extents<16>>;
using out_buffer = adf::output_async_buffer<int32, adf::extents<16>>;

void wander(in_buffer &in, out_buffer &out) {
    int32 sum = 0;
    static const int32 *earlier = nullptr; // of the firing before
    const int32 *const ahead = in.data(); // to ask for it is no access
    if (stray("pointer first")) sum += *const_cast<const volatile int32 *>(ahead);
    if (stray("iterator first")) sum += *aie::begin(in);
    if (earlier && stray("pointer early")) sum += *const_cast<const volatile int32 *>(earlier);
    in.acquire();
    earlier = in.data();
    out.acquire();
    auto one = aie::begin(in);
    auto eight = aie::cbegin_restrict_vector<8>(in);
    const int32 *pointer = in.data();
    const bool near = stray("near misses");
    if (stray("element past")) sum += one[16];
    if (stray("element far past")) sum += one[48];
    if (near) sum += one[15];
    if (stray("vector past")) sum += eight[2][0];
    if (near) sum += eight[1][7];
    if (stray("half past")) sum += aie::begin_unaligned_vector<8>(pointer + 12)[0][0];
    if (near) sum += aie::begin_unaligned_vector<8>(pointer + 8)[0][0];
    if (stray("before")) sum += *--one;
    if (stray("pointer past")) sum += pointer[16];
    if (stray("pointer far past")) sum += pointer[48];
    if (stray("pointer ahead, then far")) sum += pointer[16] + pointer[47] + pointer[48];
    if (stray("vector from pointer past")) sum += aie::load_v<8>(pointer + 16)[0];
    if (near) sum += aie::load_v<8>(pointer + 8)[0];
    if (stray("around")) sum += aie::begin_circular<16>(pointer)[17];
    if (stray("unwritten")) sum += one[12];
    if (stray("around unwritten")) sum += one[11];
    if (stray("far away")) sum += *reinterpret_cast<volatile int32 *>(64);
    if (stray("division")) sum /= *std::getenv("STRAY") - 'd';
#ifdef __x86_64__
    if (stray("unaligned")) asm volatile("movaps 4(%0), %%xmm0" ::"r"(pointer) : "xmm0");
#endif
    if (stray("abort")) std::abort();
    while (stray("for ever")) asm volatile("");
    asm volatile("" ::"r"(sum));
    auto to = aie::begin_vector<8>(out);
    to[0] = eight[0];
    to[1] = aie::add(eight[1], sum * 0);
    if (stray("pointer beyond")) out.data()[17] = 1;
    if (stray("pointer before")) out.data()[-1] = 1;
    in.release();
    if (stray("released")) sum += one[0];
    if (stray("pointer released")) sum += *const_cast<const volatile int32 *>(pointer + 3);
    int32 *const written = out.data();
    out.release();
    if (stray("pointer written")) *const_cast<volatile int32 *>(written + 5) = sum;
    in.acquire();
    if (stray("last time")) sum += one[0];
    const auto again = aie::cbegin_vector<8>(in);
    const auto x = again[0];
    const auto y = again[stray("short read") ? 0 : 1];
    in.release();
    out.acquire();
    aie::store_v(out.data(), x);
    aie::store_v(out.data() + 8, aie::add(y, sum * 0));
    out.release();
}

class strays : public adf::graph {
public:
    adf::kernel a, b;
    adf::input_plio in;
    adf::output_plio out;
    strays() {
        a = adf::kernel::create(fill);
        b = adf::kernel::create(wander);
        for (adf::kernel *k : {&a, &b}) {
            adf::source(*k) = "kernels/walk.cc";
            adf::runtime<adf::ratio>(*k) = 0.9;
        }
        in = adf::input_plio::create("in", adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out", adf::plio_32_bits, "out.txt");
        adf::connect<>(in.out[0], a.in[0]);
        adf::connect<>(a.out[0], b.in[0]);
        adf::connect<>(b.out[0], out.in[0]);
        adf::async_repetition(b.in[0]) = 2;
        adf::async_repetition(b.out[0]) = 2;
    }
};

strays g;

int main() {
    g.init();
    g.run(2);
    g.end();
    return 0;
}
