// Numbers of the AIE API against their definitions: rounding and saturation, wrapping, products and
// accumulators.
#include "aie_check.h"

using check::numbers;
using aie::rounding_mode;
using aie::saturation_mode;
using wide_int = aie::sim::int128;

// --- shift, round, saturate (UG1079, "Rounding and Saturation Modes") ----------------------------

const rounding_mode all_roundings[] = {
    rounding_mode::floor,         rounding_mode::ceil,           rounding_mode::positive_inf, rounding_mode::negative_inf,
    rounding_mode::symmetric_inf, rounding_mode::symmetric_zero, rounding_mode::conv_even,    rounding_mode::conv_odd,
#if __AIE_ARCH__ != 10
    rounding_mode::symmetric_floor, rounding_mode::symmetric_ceil,
#endif
};
const saturation_mode all_saturations[] = {saturation_mode::none, saturation_mode::saturate, saturation_mode::symmetric};

wide_int magnitude(wide_int x) { return x < 0 ? -x : x; }
wide_int smaller(wide_int a, wide_int b) { return magnitude(a) < magnitude(b) ? a : b; }
wide_int larger(wide_int a, wide_int b) { return magnitude(a) < magnitude(b) ? b : a; }

// The neighbour that the mode takes if two are equally far away.
wide_int tie(wide_int below, wide_int above, rounding_mode mode) {
    switch (mode) {
    case rounding_mode::positive_inf: return above;
    case rounding_mode::negative_inf: return below;
    case rounding_mode::symmetric_inf: return larger(below, above);
    case rounding_mode::symmetric_zero: return smaller(below, above);
    case rounding_mode::conv_even: return below % 2 == 0 ? below : above;
    default: return below % 2 == 0 ? above : below; // conv_odd
    }
}

wide_int divided(wide_int value, int shift, rounding_mode mode) {
    const wide_int unit = wide_int(1) << shift;
    wide_int below = value / unit;
    if (below * unit > value) --below;
    if (below * unit == value) return below;
    const wide_int above = below + 1;
    switch (mode) {
    case rounding_mode::floor: return below;
    case rounding_mode::ceil: return above;
#if __AIE_ARCH__ != 10
    case rounding_mode::symmetric_floor: return smaller(below, above);
    case rounding_mode::symmetric_ceil: return larger(below, above);
#endif
    default: break;
    }
    const wide_int to_below = value - below * unit, to_above = above * unit - value;
    return to_below == to_above ? tie(below, above, mode) : to_below < to_above ? below : above;
}

template <typename T>
T limited(wide_int value, saturation_mode mode) {
    wide_int top = std::numeric_limits<T>::max(), bottom = std::numeric_limits<T>::min();
    if (mode == saturation_mode::symmetric && bottom < 0) bottom = -top;
    if (mode != saturation_mode::none) return T(value > top ? top : value < bottom ? bottom : value);
    const wide_int span = wide_int(std::numeric_limits<T>::max()) - std::numeric_limits<T>::min() + 1;
    wide_int rest = value % span; // the same low bits
    if (rest < std::numeric_limits<T>::min()) rest += span;
    if (rest > top) rest -= span;
    return T(rest);
}

template <typename T, typename Tag>
void shifts_out_of(numbers &random) {
    for (const rounding_mode rounding : all_roundings)
        for (const saturation_mode saturation : all_saturations) {
            const check::modes set(rounding, saturation);
            for (int shift = 0; shift < 20; ++shift) {
                aie::accum<Tag, 16> acc;
                for (unsigned i = 0; i < 16; ++i) {
                    wide_int value = wide_int(std::int64_t(random.word()) >> (16 + random.below(40)));
                    // Every other value is a tie or next to one.
                    if (shift > 0 && i % 2 == 0) value = (value >> shift << shift) + (wide_int(1) << (shift - 1)) + (i % 4 == 2 ? int(random.below(3)) - 1 : 0);
                    acc.lane_at(i).real = std::int64_t(value);
                }
                const auto v = acc.template to_vector<T>(shift);
                for (unsigned i = 0; i < 16; ++i)
                    CHECK(v[i] == limited<T>(divided(acc.lane_at(i).real, shift, rounding), saturation));
            }
        }
}

void shift_round_saturate() {
    numbers random(1);
    shifts_out_of<int8, acc48>(random);
    shifts_out_of<uint8, acc48>(random);
    shifts_out_of<int16, acc48>(random);
    shifts_out_of<int32, acc80>(random);
#if __AIE_ARCH__ != 10
    shifts_out_of<uint16, acc80>(random);
    shifts_out_of<uint32, acc80>(random);
#endif
}

void rounding_by_example() {
    // 2.5 and -2.5, 0.75 and -0.25 in eighths, by hand.
    const aie::vector<int32, 4> eighths(20, -20, 6, -2);
    const aie::accum<acc80, 4> acc(eighths);
    const struct {
        rounding_mode mode;
        aie::vector<int32, 4> expected;
    } table[] = {
        {rounding_mode::floor, {2, -3, 0, -1}},          {rounding_mode::ceil, {3, -2, 1, 0}},
#if __AIE_ARCH__ != 10
        {rounding_mode::symmetric_floor, {2, -2, 0, 0}}, {rounding_mode::symmetric_ceil, {3, -3, 1, -1}},
#endif
        {rounding_mode::positive_inf, {3, -2, 1, 0}},    {rounding_mode::negative_inf, {2, -3, 1, 0}},
        {rounding_mode::symmetric_inf, {3, -3, 1, 0}},   {rounding_mode::symmetric_zero, {2, -2, 1, 0}},
        {rounding_mode::conv_even, {2, -2, 1, 0}},       {rounding_mode::conv_odd, {3, -3, 1, 0}},
    };
    for (const auto &row : table) {
        const check::modes set(row.mode, saturation_mode::none);
        CHECK(aie::equal(acc.to_vector<int32>(3), row.expected));
    }
}

void modes_are_kept_per_core() {
    aie::sim::core other;
    aie::set_rounding(rounding_mode::conv_even);
    aie::sim::core *const mine = aie::sim::running_core();
    aie::sim::running_core() = &other;
    CHECK(aie::get_rounding() == rounding_mode::floor && aie::get_saturation() == saturation_mode::none);
    aie::set_saturation(saturation_mode::saturate);
    aie::sim::running_core() = mine;
    CHECK(aie::get_rounding() == rounding_mode::conv_even && aie::get_saturation() == saturation_mode::none);
    aie::set_rounding(rounding_mode::floor);
    set_rnd(rnd_pos_inf);
    set_sat();
    CHECK(aie::swap_rounding(rounding_mode::floor) == rounding_mode::positive_inf && get_sat() == 1);
    clr_sat();
}

// --- vectors wrap --------------------------------------------------------------------------------

template <typename T>
void wraps(numbers &random) {
    constexpr unsigned N = 64 / sizeof(T);
    const auto a = random.lanes<T, N>(), b = random.lanes<T, N>();
    const T s = random.any<T>();
    const auto sum = aie::add(a, b), difference = aie::sub(a, b), with_scalar = aie::sub(s, a), negative = aie::neg(a);
    const auto positive = aie::abs(a), low = aie::min(a, b), high = aie::max(a, s), beyond = aie::maxdiff(a, b);
    for (unsigned i = 0; i < N; ++i) {
        const wide_int x = a[i], y = b[i];
        CHECK(sum[i] == limited<T>(x + y, saturation_mode::none));
        CHECK(difference[i] == limited<T>(x - y, saturation_mode::none));
        CHECK(with_scalar[i] == limited<T>(wide_int(s) - x, saturation_mode::none));
        CHECK(negative[i] == (std::is_signed<T>::value ? limited<T>(-x, saturation_mode::none) : a[i]));
        CHECK(positive[i] == limited<T>(magnitude(x), saturation_mode::none));
        CHECK(low[i] == (x < y ? x : y) && high[i] == (x < wide_int(s) ? wide_int(s) : x));
        CHECK(beyond[i] == limited<T>(x > y ? x - y : 0, saturation_mode::none));
    }
    const check::modes set(rounding_mode::floor, saturation_mode::saturate);
    const auto kept = aie::saturating_add(a, b), kept_difference = aie::saturating_sub(a, b);
    for (unsigned i = 0; i < N; ++i) {
        CHECK(kept[i] == limited<T>(wide_int(a[i]) + b[i], saturation_mode::saturate));
        CHECK(kept_difference[i] == limited<T>(wide_int(a[i]) - b[i], saturation_mode::saturate));
    }
}

void vectors_wrap() {
    numbers random(2);
    for (int round = 0; round < 20; ++round) {
        wraps<int8>(random);
        wraps<uint8>(random);
        wraps<int16>(random);
        wraps<int32>(random);
#if __AIE_ARCH__ != 10
        wraps<uint16>(random);
        wraps<uint32>(random);
#endif
    }
    CHECK(aie::add(cint16(32767, -32768), cint16(1, -1)) == cint16(-32768, 32767));
    const auto c = random.lanes<cint16, 8>();
    const auto doubled = aie::add(aie::conj(c), c);
    CHECK(aie::equal(aie::real(doubled), aie::add(aie::real(c), aie::real(c))) && aie::equal(aie::imag(doubled), aie::zeros<int16, 8>()));
    const auto f = aie::broadcast<float, 8>(1.5F);
    CHECK(aie::add(f, 2)[3] == 3.5F && aie::sub(0.5, f)[0] == -1.0F);
}

// --- products ------------------------------------------------------------------------------------

struct pair {
    wide_int re, im;
};
template <typename T>
pair exactly(const T &x) {
    return {aie::sim::real_of(x), aie::sim::imag_of(x)};
}
pair operator*(pair a, pair b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
pair operator+(pair a, pair b) { return {a.re + b.re, a.im + b.im}; }
pair operator-(pair a) { return {-a.re, -a.im}; }

// The value that an accumulator with this many bits keeps.
wide_int kept(wide_int x, unsigned bits) {
    const wide_int span = wide_int(1) << bits;
    wide_int rest = ((x % span) + span) % span;
    return rest >= span / 2 ? rest - span : rest;
}

template <typename Tag, unsigned N>
bool holds(const aie::accum<Tag, N> &acc, unsigned i, pair x) {
    return acc.lane_at(i).real == kept(x.re, Tag::bits) && acc.lane_at(i).imag == (Tag::complex ? kept(x.im, Tag::bits) : 0);
}

template <typename A, typename B>
void multiplies(numbers &random) {
    const auto a = random.lanes<A, 16>();
    const auto b = random.lanes<B, 16>();
    const B s = random.any<B>();
    const auto product = aie::mul(a, b);
    const auto negative = aie::negmul(a, b), scaled = aie::mul(a, s), sum = aie::mac(product, a, s);
    const auto rest = aie::msc(product, s, a), turned = aie::mac(aie::op_sub(product), aie::op_conj(a), b);
    for (unsigned i = 0; i < 16; ++i) {
        const pair x = exactly(a[i]), y = exactly(b[i]), z = exactly(s), conjugate{x.re, -x.im};
        CHECK(holds(product, i, x * y));
        CHECK(holds(negative, i, -(x * y)));
        CHECK(holds(scaled, i, x * z));
        CHECK(holds(sum, i, x * y + x * z));
        CHECK(holds(rest, i, x * y + -(x * z)));
        CHECK(holds(turned, i, -(x * y) + conjugate * y));
    }
}

void products_are_exact() {
    numbers random(3);
    for (int round = 0; round < 20; ++round) {
        multiplies<int8, int8>(random);
        multiplies<uint8, int16>(random);
        multiplies<int16, int16>(random);
        multiplies<int16, int32>(random);
        multiplies<int32, int32>(random);
        multiplies<cint16, int16>(random);
        multiplies<cint16, cint16>(random);
        multiplies<int32, cint16>(random);
        multiplies<cint32, cint16>(random);
        multiplies<cint32, cint32>(random);
#if __AIE_ARCH__ != 10
        multiplies<uint32, uint32>(random);
#endif
    }
}

void accumulators() {
    using aie::sim::product_tag;
#if __AIE_ARCH__ == 10
    static_assert(std::is_same<product_tag<int16, int16>::type, acc48>::value, "UG1529");
    static_assert(std::is_same<product_tag<int32, int32>::type, acc80>::value, "UG1529");
    static_assert(std::is_same<product_tag<cint16, int16>::type, cacc48>::value, "UG1529");
    static_assert(std::is_same<product_tag<float, float>::type, accfloat>::value, "UG1529");
    static_assert(std::is_same<product_tag<cfloat, float>::type, caccfloat>::value, "UG1529");
    static_assert(acc32::bits == 48 && acc64::bits == 80, "AIE has accumulators of 48 and 80 bits");

    // 48 bits hold 2^17 largest products of 16 bits, and wrap beyond.
    aie::accum<acc48, 8> sum = aie::zeros<acc48, 8>();
    const auto largest = aie::broadcast<int32, 8>(1 << 30);
    for (int i = 0; i < 1 << 3; ++i) sum = aie::mac(sum, largest, aie::broadcast<int16, 8>(1 << 14));
    CHECK(sum.lane_at(5).real == -(std::int64_t(1) << 47));
    sum = aie::add(sum, -1);
    CHECK(sum.lane_at(5).real == (std::int64_t(1) << 47) - 1);
#else
    static_assert(std::is_same<product_tag<int8, int8>::type, acc32>::value, "UG1603");
    static_assert(std::is_same<product_tag<int32, int16>::type, acc64>::value, "UG1603");
    static_assert(std::is_same<product_tag<cint16, int16>::type, cacc64>::value, "UG1603");
    static_assert(acc32::bits == 32 && acc48::bits == 64, "AIE-ML has accumulators of 32 and 64 bits");
    CHECK(aie::add(aie::accum<acc32, 8>(aie::broadcast<int32, 8>(2147483647)), 1).lane_at(0).real == -2147483648LL);
    CHECK(rnd_pos_inf == 9);
#endif

    const aie::vector<int16, 16> v = numbers(4).lanes<int16, 16>();
    const aie::accum<acc48, 16> up(v, 7);
    CHECK(aie::equal(up.to_vector<int16>(7), v));
    CHECK(aie::equal(aie::concat(up.extract<8>(0), up.extract<8>(1)).to_vector<int16>(7), v));
    CHECK(aie::equal(aie::add(up, up).to_vector<int32>(8), v.unpack()));
    CHECK(aie::equal(aie::sub(up, v).to_vector<int32>(), aie::sub(aie::upshift(v.unpack(), 7), v.unpack())));
    aie::accum<acc64, 8> wider = aie::mul(v.extract<8>(0), v.extract<8>(1));
    aie::accum<acc48, 8> back = wider;
    CHECK(aie::equal(back.to_vector<int32>(), wider.to_vector<int32>()));
    CHECK(aie::equal(aie::mul<acc80>(v, 2).to_vector<int32>(), aie::add(v.unpack(), v.unpack())));
    CHECK(aie::equal(aie::mul(v, v.elem_ref(3)).to_vector<int32>(), aie::mul(v, v[3]).to_vector<int32>()));
    CHECK(aie::equal(aie::mac(aie::op_zero(up), v, 1).to_vector<int16>(), v));
    const auto squared = aie::mul_square(v).to_vector<int32>();
    CHECK(aie::equal(squared, aie::mul(v, v).to_vector<int32>()));

    const aie::vector<cint16, 4> z(cint16(3, -4), cint16(-32768, -32768), cint16(0, 1), cint16(1, 0));
    CHECK(aie::equal(aie::abs_square(z), aie::vector<int32, 4>(25, -2147483647 - 1, 1, 1)));
    const auto f = aie::mac(aie::mul(aie::broadcast<float, 8>(1.5F), 2), aie::broadcast<float, 8>(0.5F), 0.5F);
    CHECK(f.to_vector<float>()[7] == 3.25F);
    const aie::vector<cfloat, 4> w = aie::broadcast<cfloat, 4>(cfloat(1, 2));
    CHECK(aie::mul(w, aie::op_conj(w)).to_vector<cfloat>()[1] == cfloat(5, 0));

    aie::vector<float, 8> quotient;
    quotient = aie::mul(aie::inv(aie::broadcast<float, 8>(4)), aie::broadcast<float, 8>(10));
    CHECK(quotient[6] == 2.5F);
    CHECK(aie::mac(aie::accum<accfloat, 8>(quotient), quotient, 2).to_vector<float>()[1] == 7.5F);
    const aie::vector<int16, 16> signs = aie::broadcast<int16, 16>(-1);
    CHECK(aie::mac(aie::op_zero(up, true), aie::op_sign(signs, false), aie::op_sign(signs, true)).lane_at(2).real == -65535);
    CHECK(aie::mul(aie::op_abs(signs), aie::op_max(signs, 7)).lane_at(2).real == 7);
    // Bits of accumulators: real lanes in pairs, and two narrow parts for a wide one.
    const aie::accum<acc48, 8> real_lanes(v.extract<8>(0));
    const auto pairs = real_lanes.cast_to<cacc48>();
    CHECK(pairs.size() == 4 && pairs.lane_at(1).imag == v[3] && aie::equal(pairs.cast_to<acc48>().to_vector<int16>(), v.extract<8>(0)));
    CHECK(pairs.cast_to<acc64>().cast_to<cacc48>().lane_at(3).real == v[6]);

    const aie::vector<int32, 8> lanes(0, -1, 32768, -32769, 1 << 30, 5, 6, 7);
    CHECK(aie::equal(lsrs(ups(lanes, 2), 2), lanes) && srs(lups(lanes, 4), 2)[2] == 131072);
    const check::modes set(rounding_mode::floor, saturation_mode::saturate);
    CHECK(aie::equal(lanes.pack(), aie::vector<int16, 8>(0, -1, 32767, -32768, 32767, 5, 6, 7)));
    CHECK(ubsrs(aie::accum<acc48, 16>(lanes.grow<16>()), 0)[3] == 0);
}

int main() {
    shift_round_saturate();
    rounding_by_example();
    modes_are_kept_per_core();
    vectors_wrap();
    products_are_exact();
    accumulators();
    return check::result();
}
