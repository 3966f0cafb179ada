// Memory and functions of the AIE API: loads, stores and their alignment, iterators, tables,
// conversions, FFT stages.
#include "aie_check.h"

#include <cmath>
#include <string>

using check::numbers;

// Reports since the last check.
struct report {
    int errors = 0;
    int warnings = 0;
    unsigned line = 0;
    std::string text;
};
report &reports() {
    static report all;
    return all;
}
void take(aie::sim::severity how, const char *what, aie::sim::source_place at, const void *) {
    ++(how == aie::sim::severity::error ? reports().errors : reports().warnings);
    reports().line = at.line;
    reports().text = what;
}
report looked() {
    const report found = reports();
    reports() = report();
    return found;
}

alignas(64) int16 memory[256];

void fill() {
    for (int i = 0; i < 256; ++i) memory[i] = int16(i);
}

// UG1078, "Load/Store": 128-bit boundaries; UG1603, "Alignment": 256 bits for vectors of 256 bits
// and more.
void misaligned_accesses_are_reported() {
    fill();
    CHECK(aie::load_v<16>(memory)[15] == 15 && aie::load_v<8>(memory + 8)[0] == 8 && looked().errors == 0);
    CHECK(aie::load_v<16>(memory + 1)[0] == 1);
    report found = looked();
    CHECK(found.errors == 1 && found.line == __LINE__ - 2);
    CHECK(found.text.find("32 bytes is not aligned to 16 bytes (it is 2 bytes off)") != std::string::npos);
    aie::store_v(memory + 12, aie::load_unaligned_v<8>(memory + 12));
    found = looked();
    CHECK(found.errors == 1 && found.line == __LINE__ - 2);
    CHECK(aie::load_v<16>(memory + 8)[0] == 8);
    found = looked();
    CHECK(found.errors == 0 && found.warnings == 1 && found.text.find("AIE-ML") != std::string::npos);
    auto it = aie::begin_vector<8>(memory + 4);
    const aie::vector<int16, 8> v = *it;
    found = looked();
    CHECK(v[0] == 4 && found.errors == 1 && found.line == __LINE__ - 3);
    CHECK((*aie::begin_unaligned_vector<8>(static_cast<const int16 *>(memory + 3)))[0] == 3);
    CHECK(aie::load_floor_v<16>(memory + 19)[0] == 16 && aie::load_floor_v<8>(memory + 13)[0] == 8);
    CHECK(looked().errors == 0);
}

// Loads through plain pointers to vectors, which only the compiler can check
// (-fsanitize=alignment).
void misaligned_pointers_are_reported() {
    fill();
    const auto lane = [](int at) { return reinterpret_cast<const v8int16 *>(memory + at)->get(0); };
    const auto of_32_bytes = [](int at) { return reinterpret_cast<const aie::vector<int16, 16> *>(memory + at)->get(1); };
    CHECK(lane(0) == 0 && lane(8) == 8 && of_32_bytes(16) == 17 && looked().errors == 0);
    CHECK(lane(1) == 1);
    const report found = looked();
    CHECK(found.errors == 1 && found.line == __LINE__ - 5);
    CHECK(found.text.find("not aligned to 16 bytes (it is 2 bytes off)") != std::string::npos);
    CHECK(of_32_bytes(8) == 9);
    const report portable = looked();
    CHECK(portable.errors == 0 && portable.warnings == 1 && portable.text.find("AIE-ML") != std::string::npos);
    // Misaligned non-vectors are not reported.
    alignas(4) const struct { std::int16_t word, odd[2]; } other = {};
    CHECK(*reinterpret_cast<const std::int32_t *>(other.odd) == 0 && looked().errors == 0);
}

// A port as iterators see it, with a margin in front, over which it is circular.
struct plain_port {
    int16 *data() { return memory; }
    std::size_t size() const { return 32; }
};
struct circular_port {
    int16 *data() { return memory + 40; }
    std::size_t size() const { return 16; }
    int16 *circular_base() { return memory + 32; }
    std::size_t circular_size() const { return 16; }
};

void iterators() {
    fill();
    alignas(32) int16 copy[32];
    auto out = aie::begin_vector<8>(copy);
    for (auto in = aie::cbegin_vector<8>(memory); in != aie::cbegin_vector<8>(memory + 32); ++in) *out++ = *in;
    CHECK(copy[0] == 0 && copy[31] == 31);

    auto it = aie::begin_vector<16>(memory);
    const auto first = *it++;
    CHECK(first.extract<8>(1)[0] == 8 && (*it)[0] == 16 && it[2][0] == 48 && it - aie::begin_vector<16>(memory) == 1);
    CHECK(it != memory + 15 && it == memory + 16);
    it += 2;
    CHECK((*it--)[0] == 48 && (*(it - 1))[0] == 16 && (*--it)[0] == 16);

    plain_port port;
    int sum = 0;
    auto scalar = aie::begin(port);
    for (std::size_t i = 0; i < port.size(); ++i) sum += *scalar++;
    CHECK(sum == 31 * 16 && (*aie::cbegin_vector<8>(port))[7] == 7);
    *aie::begin_restrict_vector<8>(port) = aie::broadcast<int16, 8>(5);
    CHECK(memory[7] == 5 && memory[8] == 8);
    fill();

    auto ring = aie::begin_circular<24>(memory);
    ring += 25;
    CHECK(*ring == 1);
    ring -= 2;
    CHECK(*ring == 23);
    auto vectors = aie::cbegin_vector_random_circular<8>(memory, 24);
    CHECK(vectors[4][0] == 8 && vectors[-1][0] == 16 && (*(vectors + 3))[0] == 0);
    CHECK((*++aie::begin_vector_circular<8, 16>(memory))[0] == 8);
    circular_port margin;
    auto around = aie::begin_vector_random_circular<8>(margin);
    CHECK((*around)[0] == 40 && around[1][0] == 32 && around[-1][0] == 32 && around[2][0] == 40);
    CHECK(*aie::begin_circular(margin) == 40 && aie::begin_circular(margin)[8] == 32);

    aie::vector_input_buffer_stream<int16, 8> in(memory);
    aie::vector<int16, 8> a, b;
    in >> a >> b;
    CHECK(a[7] == 7 && b[0] == 8 && looked().errors == 0);
}

// --- conversions and functions -------------------------------------------------------------------

bool near(float a, double b) { return std::fabs(double(a) - b) <= 1e-6 * (1.0 + std::fabs(b)); }

void functions() {
    const aie::vector<float, 8> f(0.5F, -0.5F, 1.5F, 2.25F, -3.75F, 1e9F, -1e30F, 0);
    CHECK(aie::equal(aie::to_fixed<int32>(f, 2), aie::vector<int32, 8>(2, -2, 6, 9, -15, 2147483647, -2147483647 - 1, 0)));
    CHECK(aie::equal(aie::to_fixed(f, 0).extract<4>(0), aie::vector<int32, 4>(0, 0, 2, 2)));
    CHECK(aie::equal(aie::to_float(aie::vector<int16, 8>(1, -2, 3, 4, 5, 6, 7, 32767), 1).extract<4>(0), aie::vector<float, 4>(0.5F, -1, 1.5F, 2)));
    CHECK(aie::equal(aie::to_fixed<int32, 8>(f, 2), aie::to_fixed<int32>(f, 2)) && aie::equal(aie::to_fixed<int32, 8, float>(f), aie::to_fixed(f)));
    const aie::vector<int32, 8> fixed(1, -2, 3, 4, 5, 6, 7, 32767);
    CHECK(aie::equal(aie::to_float<float, int32, 8>(fixed, 1), aie::to_float(fixed, 1)) && aie::equal(aie::to_float<float, int32>(fixed), aie::to_float<float>(fixed)));
    const aie::vector<cint32, 4> pairs = fixed.cast_to<cint32>();
    CHECK(aie::equal(aie::to_float<cfloat, cint32, 4>(pairs, 1), aie::to_float(pairs, 1)) && aie::equal(aie::to_fixed<cint32, 4>(aie::to_float(pairs)), pairs));
    CHECK(aie::to_fixed<int16>(1.25F, 4) == 20 && aie::to_float(5, 2) == 1.25F && aie::to_float(5, -2) == 20.0F);

    numbers random(21);
    for (int i = 0; i < 200; ++i) {
        const float x = float(random.below(100000) + 1) / 777.0F;
        CHECK(near(aie::inv(x), 1.0 / double(x)) && near(aie::sqrt(x), std::sqrt(double(x))) && near(aie::invsqrt(x), 1 / std::sqrt(double(x))));
        CHECK(near(aie::sin(x), std::sin(double(x))) && near(aie::cos(x), std::cos(double(x))));
    }
    const float x = 1.5F, y = -0.25F;
    CHECK(std::is_same<decltype(aie::mul(x, y)), float>::value && aie::mul(x, y) == -0.375F);
    CHECK(aie::mac(x, x, y) == 1.125F && aie::msc(x, x, y) == 1.875F);
    CHECK(aie::lt(y, x) && !aie::lt(x, x) && aie::le(x, x) && !aie::le(x, y) && aie::gt(x, y) && !aie::gt(x, x));
    CHECK(aie::ge(x, x) && !aie::ge(y, x) && aie::eq(x, x) && !aie::eq(x, y) && aie::neq(x, y) && !aie::neq(y, y));
    CHECK(aie::mul(cfloat(1, 2), cfloat(3, -1)) == cfloat(5, 5) && aie::eq(cfloat(1, 2), cfloat(1, 2)));
    CHECK(aie::mul(aie::broadcast<float, 8>(x), y).to_vector()[7] == -0.375F);
    CHECK(aie::mul(aie::broadcast<cfloat, 4>(cfloat(1, 2)), cfloat(3, -1)).to_vector()[3] == cfloat(5, 5));
    CHECK(near(aie::inv(aie::broadcast<float, 8>(4))[7], 0.25) && near(aie::div(f, 2)[3], 1.125));
    // Angles of pi/2, -pi/2 and pi/6 as Q1.31 over pi; the largest Q.15 stands for one.
    const auto [s, c] = aie::sincos(aie::vector<int32, 4>(1 << 30, -(1 << 30), 357913941, 0));
    CHECK(std::is_same<decltype(aie::sin(1)), int16>::value && aie::sin(1 << 30) == 32767);
    CHECK(aie::equal(s, aie::vector<int32, 4>(32767, -32768, 16384, 0)) && aie::equal(c, aie::vector<int32, 4>(0, 0, 28378, 32767)));
    CHECK(sincos(1U << 30) == cint16(0, 32767));
}

// --- FFT (UG1529): after stages with vectorization n/2, ..., 1 the transform is in order ---------

void transforms() {
    constexpr unsigned n = 16;
    const double pi = 3.14159265358979323846;
    numbers random(22);
    cfloat a[n], b[n];
    cint16 p[n], q[n];
    for (unsigned i = 0; i < n; ++i) {
        p[i] = cint16(int16(random.below(4000)), int16(random.below(4000)));
        a[i] = cfloat(p[i].real, p[i].imag);
    }
    std::pair<double, double> expected[n];
    for (unsigned k = 0; k < n; ++k)
        for (unsigned i = 0; i < n; ++i) {
            const double angle = -2 * pi * k * i / n;
            expected[k].first += double(a[i].real) * std::cos(angle) - double(a[i].imag) * std::sin(angle);
            expected[k].second += double(a[i].real) * std::sin(angle) + double(a[i].imag) * std::cos(angle);
        }
    const auto stage = [&](auto vectorization, const cfloat *x, cfloat *y, const cint16 *u, cint16 *w) {
        constexpr unsigned v = decltype(vectorization)::value, points = n / v;
        cfloat tw[points / 2];
        cint16 fixed[points / 2];
        for (unsigned i = 0; i < points / 2; ++i) {
            tw[i] = cfloat(float(std::cos(2 * pi * i / points)), float(-std::sin(2 * pi * i / points)));
            fixed[i] = cint16(int16(std::lround(tw[i].real * 16384)), int16(std::lround(tw[i].imag * 16384)));
        }
        aie::fft_dit_r2_stage<v>(x, tw, n, false, y);
        aie::fft_dit_r2_stage<v>(u, fixed, n, 14, 15, false, w);
    };
    stage(std::integral_constant<unsigned, 8>(), a, b, p, q);
    stage(std::integral_constant<unsigned, 4>(), b, a, q, p);
    stage(std::integral_constant<unsigned, 2>(), a, b, p, q);
    stage(std::integral_constant<unsigned, 1>(), b, a, q, p);
    for (unsigned k = 0; k < n; ++k) {
        CHECK(std::fabs(double(a[k].real) - expected[k].first) < 0.1 && std::fabs(double(a[k].imag) - expected[k].second) < 0.1);
        CHECK(std::fabs(p[k].real - expected[k].first / n) < 4 && std::fabs(p[k].imag - expected[k].second / n) < 4);
    }
}

// Defaults of the API without a number of lanes: 512 bits (Xilinx/aie_api, native_vector_length_v);
// fewer values than lanes.
void defaults() {
    alignas(aie::vector_decl_align) int16 shorts[40];
    for (int i = 0; i < 40; ++i) shorts[i] = int16(3 * i - 7);
    const auto whole = aie::load_v(shorts);
    static_assert(decltype(whole)::size() == 32 && aie::vector<cint32>::size() == 8, "512 bits");
    const auto odd = aie::load_unaligned_v(shorts + 1);
    for (unsigned i = 0; i < 32; ++i) CHECK(whole[i] == shorts[i] && odd[i] == shorts[i + 1]);
    static_assert(decltype(aie::broadcast(float(1)))::size() == 16 && decltype(aie::zeros<int8>())::size() == 64, "512 bits");

    const aie::vector<int32, 8> some(4, 5, 6);
    CHECK(some[0] == 4 && some[1] == 5 && some[2] == 6);
    const aie::vector<float, 4> one(2.5F);
    CHECK(one[0] == 2.5F);

    aie::vector<uint8, 16> bytes;
    for (unsigned i = 0; i < 16; ++i) bytes[i] = uint8(240 + i);
    const auto wide = bytes.unpack();
#if __AIE_ARCH__ == 10
    static_assert(std::is_same<std::decay_t<decltype(wide)>, aie::vector<int16, 16>>::value, "AIE has no lanes of uint16");
#endif
    for (unsigned i = 0; i < 16; ++i) CHECK(int(wide[i]) == int(240 + i));
}

// A stage by hand, from its definition, against the object that gives it vector by vector.
template <typename Input, typename Output, typename Twiddle, unsigned Block>
void stage_objects() {
    check::numbers random(17);
    constexpr unsigned n = 64;
    alignas(32) Input x[n];
    alignas(32) Twiddle tw[n / 2];
    alignas(32) Output y[n];
    for (Input &each : x) each = Input(random.any<int16>() / 2, random.any<int16>() / 2);
    for (Twiddle &each : tw) each = Twiddle(int16(random.below(32767)), int16(int(random.below(32767)) - 16384));
    using stage = aie::fft_dit<Block, 2, Input, Output, Twiddle>;
    const bool inverse = Block % 4 == 0;
    stage fft;
    auto from = fft.begin_stage(x, tw);
    auto low = aie::begin_restrict_vector<stage::out_vector_size>(y), high = aie::begin_restrict_vector<stage::out_vector_size>(y + n / 2);
    for (int i = 0; i < stage::block_size(n); ++i) {
        // The shift of the sums, those of the factors included (Xilinx/aie_api, fft_dit_acc48.hpp).
        const auto out = fft.dit(*from++, 15, 16, inverse);
        *low++ = out[0];
        *high++ = out[1];
    }
    for (unsigned i = 0; i < n / 2; ++i) {
        const Input a = x[i / Block * 2 * Block + i % Block], b = x[i / Block * 2 * Block + i % Block + Block];
        const std::int64_t wr = tw[i / Block].real, wi = (inverse ? -1 : 1) * std::int64_t(tw[i / Block].imag);
        const std::int64_t pr = b.real * wr - b.imag * wi, pi = b.real * wi + b.imag * wr, one = 1 << 15;
        // Floor, no saturation.
        const auto down = [](std::int64_t v) { return decltype(y[0].real)(v >> 16); };
        CHECK(y[i].real == down(a.real * one + pr) && y[i].imag == down(a.imag * one + pi));
        CHECK(y[i + n / 2].real == down(a.real * one - pr) && y[i + n / 2].imag == down(a.imag * one - pi));
    }
}

int main() {
    stage_objects<cint16, cint16, cint16, 16>();
    stage_objects<cint16, cint16, cint16, 1>();
    stage_objects<cint32, cint32, cint16, 2>();
    stage_objects<cint16, cint32, cint16, 32>();
    defaults();
    aie::sim::report_hook() = take;
    misaligned_accesses_are_reported();
    misaligned_pointers_are_reported();
    iterators();
    functions();
    transforms();
    return check::result();
}
