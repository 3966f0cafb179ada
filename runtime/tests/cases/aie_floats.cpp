// Intrinsics of floats, of selection, arithmetic and comparison of lanes, and of parts of
// registers, against plain loops for each lane after UG1078 and the tutorial on floating point
// (Xilinx/Vitis-Tutorials).
#include "aie_check.h"

#include <cmath>

using check::numbers;

static unsigned nibble(std::uint64_t offsets, unsigned i) { return unsigned(offsets >> (4 * i) & 15); }
template <typename T, unsigned N>
T at(const aie::vector<T, N> &v, int start, unsigned offsets, unsigned lane) {
    return v[unsigned(start + int(nibble(offsets, lane))) % N];
}
static float re(float x) { return x; }
static float re(cfloat x) { return x.real; }
static float im(float) { return 0; }
static float im(cfloat x) { return x.imag; }

struct place {
    int start;
    unsigned offsets;
    explicit place(numbers &random) : start(int(random.below(20))), offsets(unsigned(random.word())) {}
};

// Numbers of the tests are small multiples of 1/16, whose products and sums are exact.
template <typename Left, typename Right>
void complex_products(numbers &random) {
    const auto x = random.lanes<Left, 128 / sizeof(Left)>();
    const auto z = random.lanes<Right, 32 / sizeof(Right)>();
    const auto acc = random.lanes<cfloat, 4>();
    const place px(random), pz(random);
    const auto product = [&](unsigned i, bool cx, bool cz) {
        const Left a = at(x, px.start, px.offsets, i);
        const Right b = at(z, pz.start, pz.offsets, i);
        const float ai = cx ? -im(a) : im(a), bi = cz ? -im(b) : im(b);
        return cfloat(re(a) * re(b) - ai * bi, re(a) * bi + ai * re(b));
    };
    const auto plain = fpmul(x, px.start, px.offsets, z, pz.start, pz.offsets), cn = fpmul_cn(x, px.start, px.offsets, z, pz.start, pz.offsets);
    const auto nc = fpmul_nc(x, px.start, px.offsets, z, pz.start, pz.offsets), cc = fpmul_cc(x, px.start, px.offsets, z, pz.start, pz.offsets);
    const auto mac = fpmac(acc, x, px.start, px.offsets, z, pz.start, pz.offsets), msc = fpmsc_nc(acc, x, px.start, px.offsets, z, pz.start, pz.offsets);
    const auto neg = fpneg_mul(x, px.start, px.offsets, z, pz.start, pz.offsets);
    static_assert(decltype(plain)::size() == 4, "four complex lanes");
    for (unsigned i = 0; i < 4; ++i) {
        CHECK(plain[i] == product(i, false, false) && cn[i] == product(i, true, false) && nc[i] == product(i, false, true));
        CHECK(cc[i] == product(i, true, true) && mac[i] == acc[i] + product(i, false, false) && msc[i] == acc[i] - product(i, false, true));
        CHECK(neg[i] == -product(i, false, false));
    }
}

static void real_products(numbers &random) {
    const auto x = random.lanes<float, 32>();
    const auto z = random.lanes<float, 8>(), acc = random.lanes<float, 8>();
    const place px(random), pz(random);
#define AT px.start, px.offsets, z, pz.start, pz.offsets
    const auto mul = fpmul(x, AT), mac = fpmac(acc, x, AT), msc = fpmsc(acc, x, AT), neg = fpneg_mul(x, AT), abs = fpabs_mul(x, AT);
    const auto neg_abs = fpneg_abs_mul(x, AT), mac_abs = fpmac_abs(acc, x, AT), msc_abs = fpmsc_abs(acc, x, AT);
#undef AT
    const auto simple = fpmac(acc, z, z), moved = fpshuffle(x, px.start, px.offsets), minus = fpneg(x, px.start, px.offsets);
    const auto magnitude = fpabs(x, px.start, px.offsets), below = fpneg_abs(x, px.start, px.offsets);
    const auto sum = fpadd(acc, x, px.start, px.offsets), difference = fpsub(acc, x, px.start, px.offsets);
    const auto sum_abs = fpadd_abs(acc, x, px.start, px.offsets), difference_abs = fpsub_abs(acc, x, px.start, px.offsets);
    const auto larger = fpmax(acc, x, px.start, px.offsets), smaller = fpmin(acc, x, px.start, px.offsets);
    const unsigned less = fplt(acc, x, px.start, px.offsets), not_less = fpge(acc, x, px.start, px.offsets), fast = fplt_fast(acc, z);
    for (unsigned i = 0; i < 8; ++i) {
        const float a = at(x, px.start, px.offsets, i), p = a * at(z, pz.start, pz.offsets, i);
        CHECK(mul[i] == p && mac[i] == acc[i] + p && msc[i] == acc[i] - p && neg[i] == -p && abs[i] == std::fabs(p));
        CHECK(neg_abs[i] == -std::fabs(p) && mac_abs[i] == acc[i] + std::fabs(p) && msc_abs[i] == acc[i] - std::fabs(p));
        CHECK(simple[i] == acc[i] + z[i] * z[i] && moved[i] == a && minus[i] == -a && magnitude[i] == std::fabs(a) && below[i] == -std::fabs(a));
        CHECK(sum[i] == acc[i] + a && difference[i] == acc[i] - a && sum_abs[i] == acc[i] + std::fabs(a) && difference_abs[i] == acc[i] - std::fabs(a));
        CHECK(larger[i] == (acc[i] > a ? acc[i] : a) && smaller[i] == (acc[i] < a ? acc[i] : a));
        CHECK((less >> i & 1) == (acc[i] < a) && (not_less >> i & 1) == (acc[i] >= a) && (fast >> i & 1) == (acc[i] < z[i]));
    }
    CHECK(less < 256 && not_less < 256);
}

// Every mode, mask and option of the configurable forms.
static void configurable(numbers &random) {
    const auto x = random.lanes<float, 32>();
    const auto z = random.lanes<float, 8>(), acc = random.lanes<float, 8>();
    for (unsigned mode : {fpadd_add, fpadd_sub, fpadd_mixadd, fpadd_mixsub})
        for (unsigned compare : {fpcmp_lt, fpcmp_ge, fpcmp_nrm})
            for (unsigned option = 0; option < 4; ++option) {
                const place px(random), pz(random);
                const unsigned mask = random.below(256);
                const bool ones = option & 1, magnitude = option & 2;
                unsigned chose = 0;
                const auto r = fpmac_conf(acc, x, px.start, px.offsets, z, pz.start, pz.offsets, ones, magnitude, mode, mask, compare, chose);
                const auto from_zero = fpmul_conf(x, px.start, px.offsets, z, pz.start, pz.offsets, ones, magnitude, mode, mask, compare);
                for (unsigned i = 0; i < 8; ++i) {
                    float p = at(x, px.start, px.offsets, i) * (ones ? 1.0F : at(z, pz.start, pz.offsets, i));
                    if (magnitude) p = std::fabs(p);
                    bool subtract = mode == fpadd_sub || (mode == fpadd_mixadd && i % 2 == 1) || (mode == fpadd_mixsub && i % 2 == 0);
                    if (mask >> i & 1) subtract = !subtract;
                    if (compare == fpcmp_nrm) {
                        CHECK(r[i] == (subtract ? acc[i] - p : acc[i] + p) && from_zero[i] == (subtract ? 0.0F - p : 0.0F + p));
                    } else {
                        const bool kept = compare == fpcmp_lt ? acc[i] < p : acc[i] >= p;
                        CHECK(r[i] == (kept ? acc[i] : p) && (chose >> i & 1) == kept);
                    }
                }
            }
    // a * b of complex numbers in two steps, as kernels do: the second adds the products with the
    // imaginary parts.
    const auto a = random.lanes<cfloat, 4>(), b = random.lanes<cfloat, 4>();
    const auto first = fpmul_conf(a.grow<8>(), 0, 0x76543210, b, 0, 0x66442200, false, false, fpadd_add, 0x00, fpcmp_nrm);
    const auto both = fpmac_conf(first, a.grow<8>(), 0, 0x67452301, b, 0, 0x77553311, false, false, fpadd_mixsub, 0x00, fpcmp_nrm);
    for (unsigned i = 0; i < 4; ++i) CHECK(both[i] == a[i] * b[i]);
}

template <typename T>
void selection16(numbers &random) {
    const auto x = random.lanes<T, 16>(), y = random.lanes<T, 16>();
    const unsigned which = random.below(65536), lo = unsigned(random.word()), hi = unsigned(random.word()), lo2 = unsigned(random.word());
    const std::uint64_t ox = std::uint64_t(hi) << 32 | lo, oy = std::uint64_t(lo) << 32 | lo2;
    const auto chosen = select16(which, x, 3, lo, hi, y, 7, lo2, lo), own = select16(which, x, 3, lo, hi, 7, lo2, lo), plain = select16(which, x, y);
    const auto moved = shuffle16(x, 5, lo, hi);
    const auto sum = add16(x, 3, lo, hi, y, 7, lo2, lo), difference = sub16(x, y);
    for (unsigned i = 0; i < 16; ++i) {
        const T a = x[(3 + nibble(ox, i)) % 16], b = y[(7 + nibble(oy, i)) % 16];
        const bool second = which >> i & 1;
        CHECK(chosen[i] == (second ? b : a) && own[i] == (second ? x[(7 + nibble(oy, i)) % 16] : a) && plain[i] == (second ? y[i] : x[i]));
        CHECK(moved[i] == x[(5 + nibble(ox, i)) % 16]);
        CHECK(sum[i] == aie::sim::wrap::add(a, b) && difference[i] == aie::sim::wrap::sub(x[i], y[i]));
    }
}

static void comparisons(numbers &random) {
    const auto x = random.lanes<int32, 16>(), y = random.lanes<int32, 16>();
    const unsigned lo = unsigned(random.word()), hi = unsigned(random.word());
    const std::uint64_t o = std::uint64_t(hi) << 32 | lo;
    const unsigned lt = lt16(x, 1, lo, hi, y, 4, hi, lo), ge = ge16(x, y), gt = gt16(x, 2, lo, hi, 9, lo, hi), le = le16(x, y);
    const auto larger = max16(x, y), smaller = min16(x, y), excess = maxdiff16(x, y), magnitude = abs16(x);
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned n = nibble(o, i), m = nibble(std::uint64_t(lo) << 32 | hi, i);
        CHECK((lt >> i & 1) == (x[(1 + n) % 16] < y[(4 + m) % 16]) && (gt >> i & 1) == (x[(2 + n) % 16] > x[(9 + n) % 16]));
        CHECK((ge >> i & 1) == (x[i] >= y[i]) && (le >> i & 1) == (x[i] <= y[i]));
        CHECK(larger[i] == (x[i] > y[i] ? x[i] : y[i]) && smaller[i] == (x[i] < y[i] ? x[i] : y[i]));
        CHECK(excess[i] == int32(x[i] > y[i] ? std::int64_t(x[i]) - y[i] : 0) && magnitude[i] == int32(x[i] < 0 ? 0U - unsigned(x[i]) : unsigned(x[i])));
    }
    CHECK(lt < 65536 && ge < 65536);

    // Sixteen bits: offsets of words, and a square for each two of them.
    const auto s = random.lanes<int16, 32>(), t = random.lanes<int16, 32>();
    const auto moved = shuffle32(s, 4, 0x06040200, 0x0e0c0a08, 0x1032), chosen = select32(0xAAAAAAAA, s, 0, 0x06040200, 0x0e0c0a08, 0x3210, t, 2, 0, 0, 0x0000);
    const auto sum = add32(s, 0, 0x06040200, 0x0e0c0a08, 0x3210, t, 0, 0x06040200, 0x0e0c0a08, 0x3210);
    const unsigned less = lt32(s, t);
    const unsigned square[4] = {2, 3, 0, 1};
    // The offsets are 0, 2, 4 ... for every second word, and 0 for the one behind it.
    for (unsigned pair = 0; pair < 8; ++pair) {
        const unsigned word = 2 * pair, four[4] = {2 * word, 2 * word + 1, 2 * word + 2, 2 * word + 3};
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned i = 4 * pair + k;
            CHECK(moved[i] == s[(4 + four[square[k]]) % 32] && chosen[i] == (i % 2 == 0 ? s[i] : t[2]));
            CHECK(sum[i] == int16(s[i] + t[i]) && (less >> i & 1) == (s[i] < t[i]));
        }
    }
}

static void parts_and_shifts(numbers &random) {
    const auto x = random.lanes<int16, 32>();
    const auto w = random.lanes<int16, 16>();
    const auto low = upd_w0(x, w), high = upd_w1(x, w);
    for (unsigned i = 0; i < 16; ++i) {
        CHECK(low[i] == w[i] && low[16 + i] == x[16 + i] && high[i] == x[i] && high[16 + i] == w[i] && ext_w1(x)[i] == x[16 + i]);
    }
    CHECK(ext_v3(x)[2] == x[26] && upd_v2(x, ext_v0(x))[17] == x[1]);

    const auto acc = mul(w, w);
    const auto plain = srs(acc, 3), turned = srs_ilv(acc, 3), q15 = fsrs(acc, 1), same = srs(acc, 16);
    for (unsigned i = 0; i < 8; ++i) CHECK(turned[2 * i] == plain[i] && turned[2 * i + 1] == plain[8 + i]);
    for (unsigned i = 0; i < 16; ++i) CHECK(q15[i] == same[i]);

    alignas(32) int32 words[16];
    for (int i = 0; i < 16; ++i) words[i] = i;
    v4int32 *vectors = reinterpret_cast<v4int32 *>(words);
    CHECK(*reinterpret_cast<const int32 *>(byte_incr(vectors, 36)) == 9 && *byte_incr(static_cast<const int32 *>(words + 8), -12) == 5);
    CHECK(pack(unpack(w))[3] == w[3] && unpack(w)[15] == w[15]);
}

// Accumulators of 48 and of 80 bits (UG1078, "Upshift"), and their bits under other names
// ("Casting").
static void accumulators(numbers &random) {
    const auto w = random.lanes<int32, 8>();
    const auto c = random.lanes<cint32, 4>();
    const auto narrow = ups(w, 10), narrow_shifted = ups(w, 20);
    const auto wide = lups(w, 40);
    static_assert(std::is_same<std::decay_t<decltype(narrow)>, v8acc48>::value && std::is_same<std::decay_t<decltype(wide)>, v8acc80>::value, "UG1078, Upshift");
    static_assert(std::is_same<decltype(ups(c, 1)), v4cacc48>::value && std::is_same<decltype(lups(c, 1)), v4cacc80>::value, "UG1078, Upshift");
    for (unsigned i = 0; i < 8; ++i) {
        // 48 bits are kept.
        const std::int64_t cut = std::int64_t(std::uint64_t(w[i]) << 20 << 16) >> 16;
        CHECK(narrow.lane_at(i).real == std::int64_t(w[i]) * 1024 && narrow_shifted.lane_at(i).real == cut);
        CHECK(wide.lane_at(i).real == __int128(w[i]) * (std::int64_t(1) << 40));
    }
    const auto shifted = lups(c, 33);
    for (unsigned i = 0; i < 4; ++i) CHECK(shifted.lane_at(i).imag == __int128(c[i].imag) * (std::int64_t(1) << 33));

    const auto pairs = as_v4cacc48(narrow);
    const auto back = as_v8acc48(pairs);
    const v4acc80 longs = lups(ext_v(w, 1), 7);
    const auto again = as_v4acc80(as_v8acc48(longs));
    for (unsigned i = 0; i < 8; ++i) CHECK(back.lane_at(i).real == narrow.lane_at(i).real);
    for (unsigned i = 0; i < 4; ++i)
        CHECK(again.lane_at(i).real == longs.lane_at(i).real && pairs.lane_at(i).real == narrow.lane_at(2 * i).real && pairs.lane_at(i).imag == narrow.lane_at(2 * i + 1).real);
    for (unsigned i = 0; i < 2; ++i) CHECK(as_v2cacc80(longs).lane_at(i).imag == longs.lane_at(2 * i + 1).real);
}

// Results with the bits of a comparison. Simple comparisons have the names of the advanced ones,
// and `ne`.
static void results_and_bits(numbers &random) {
    const auto x = random.lanes<int32, 16>(), y = random.lanes<int32, 16>();
    const auto s = random.lanes<int16, 32>(), t = random.lanes<int16, 32>();
    const unsigned lo = unsigned(random.word()), hi = unsigned(random.word());
    unsigned larger = 0, smaller = 0, excess = 0, less = 0, shorts = 0;
    const auto max = maxcmp16(x, 3, lo, hi, y, 1, hi, lo, larger), min = mincmp16(x, 3, lo, hi, y, 1, hi, lo, smaller);
    const auto over = maxdiffcmp16(x, 3, lo, hi, y, 1, hi, lo, excess), sub = subcmp16(x, 3, lo, hi, y, 1, hi, lo, less);
    const auto wide = maxcmp32(s, 0, 0x06040200, 0x0E0C0A08, 0x3210, t, 0, 0x06040200, 0x0E0C0A08, 0x3210, shorts);
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned o = nibble(std::uint64_t(hi) << 32 | lo, i), p = nibble(std::uint64_t(lo) << 32 | hi, i);
        const std::int64_t a = x[(3 + o) % 16], b = y[(1 + p) % 16];
        CHECK(max[i] == (a < b ? b : a) && min[i] == (a < b ? a : b) && sub[i] == int32(a - b) && over[i] == (a > b ? int32(a - b) : 0));
        CHECK((larger >> i & 1) == (a < b) && (less >> i & 1) == (a < b) && (excess >> i & 1) == (a < b) && (smaller >> i & 1) == (a >= b));
        CHECK((ne16(x, y) >> i & 1) == (x[i] != y[i]));
    }
    for (unsigned i = 0; i < 32; ++i) CHECK(wide[i] == std::max(s[i], t[i]) && (shorts >> i & 1) == (s[i] < t[i]) && (ne32(s, t) >> i & 1) == (s[i] != t[i]));
    const auto f = random.lanes<float, 8>(), g = random.lanes<float, 8>();
    const auto top = fpmax_abs(f, g), low = fpmin_abs(f, g, 2, 0x01234567);
    for (unsigned i = 0; i < 8; ++i) {
        const float turned = std::fabs(g[(2 + nibble(0x01234567, i)) % 8]);
        CHECK(top[i] == std::max(f[i], std::fabs(g[i])) && low[i] == std::min(f[i], turned));
        CHECK((fplt_abs(f, g) >> i & 1) == (f[i] < std::fabs(g[i])) && (fpge_abs(f, g) >> i & 1) == (f[i] >= std::fabs(g[i])));
    }
}

// Pointers of circular buffers, leading bits, conversions, and the two bits of saturation.
static void scalars(numbers &random) {
    int32 buffer[12];
    for (int from = 0; from < 12; ++from)
        for (int by = -11; by < 12; ++by) CHECK(cyclic_add(buffer + from, by, buffer, 12) == buffer + (from + by + 12) % 12);
    for (int round = 0; round < 40; ++round) {
        const int x = random.any<int32>();
        unsigned same = 0;
        while (same < 32 && (unsigned(x) >> (31 - same) & 1) == (x < 0)) ++same;
        CHECK(clb(x) == same && clb(unsigned(x)) == (x < 0 ? 0 : same) && clb(static_cast<long long>(x)) == same + 32);
    }
    const auto v = random.lanes<int32, 8>();
    const auto floats = fix2float(v, 4);
    const auto f = random.lanes<float, 8>();
    const auto fixed = float2fix(f, 6);
    for (unsigned i = 0; i < 8; ++i) CHECK(floats[i] == fix2float(v[i], 4) && fixed[i] == float2fix(f[i], 6));
    CHECK(inv(1 << 10, 8, 16) == 1 << 14 && sqrt(9 << 4, 4, 10) == 3 << 10 && invsqrt(16 << 4, 4, 10) == 1 << 8 && _sqrtf(6.25F) == 2.5F);

    const check::modes before(aie::rounding_mode::floor, aie::saturation_mode::none);
    v16int16 edge(-40000 / 2);
    set_symsat();
    // Symmetry alone saturates nothing.
    CHECK(get_symsat() == 1 && get_sat() == 0 && pack(edge)[0] == int8(edge[0]));
    set_sat();
    CHECK(get_sat() == 1 && pack(edge)[0] == -127 && upack(edge)[0] == 0);
    clr_symsat();
    CHECK(pack(edge)[0] == -128 && get_symsat() == 0);
    clr_sat();
    CHECK(get_sat() == 0 && pack(edge)[0] == int8(edge[0]));
}

int main() {
    numbers random(31);
    for (int round = 0; round < 8; ++round) {
        complex_products<cfloat, cfloat>(random);
        complex_products<cfloat, float>(random);
        complex_products<float, cfloat>(random);
        real_products(random);
        selection16<int32>(random);
        selection16<cint16>(random);
        comparisons(random);
        parts_and_shifts(random);
        accumulators(random);
        results_and_bits(random);
        scalars(random);
    }
    configurable(random);
    return check::result();
}
