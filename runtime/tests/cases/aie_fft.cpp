// Stages of FFTs against the whole transform, and against their definitions as plain loops (UG1529,
// "Fast Fourier Transform"); the intrinsics of FFTs against the pseudo code of UG1078, "FFT
// intrinsics", and in the loop of this page.
#include "aie_check.h"

#include <cmath>
#include <complex>
#include <vector>

using check::numbers;
using point = std::complex<double>;

template <typename Number>
static point value(const Number &x) { return {double(x.real), double(x.imag)}; }

// The power `p` of the root of unity of `n`, in the fixed point of the type.
template <typename Twiddle>
static Twiddle root(unsigned p, unsigned n) {
    const double angle = -2 * 3.14159265358979323846 * p / n;
    if constexpr (std::is_same<Twiddle, cfloat>::value) return {float(std::cos(angle)), float(std::sin(angle))};
    else {
        using part = decltype(Twiddle().real);
        const double one = double(std::numeric_limits<part>::max());
        return {part(std::lround(one * std::cos(angle))), part(std::lround(one * std::sin(angle)))};
    }
}
// A table for input `i` of a stage: blocks of as many points as the previous sub-transform has.
// Radix 4 has the second table before the first.
template <unsigned Radix, unsigned Vectorization, typename Twiddle, unsigned Points>
static std::vector<Twiddle> table(unsigned i) {
    std::vector<Twiddle> tw;
    for (unsigned block = 0; block < Points / (Radix * Vectorization); ++block) tw.push_back(root<Twiddle>(i * block, Points / Vectorization));
    return tw;
}
template <unsigned Radix, unsigned Vectorization, typename Twiddle, unsigned Points, typename Input, typename Output>
static void stage(const Input *x, Output *y, unsigned bits, bool inverse) {
    const auto t1 = table<Radix, Vectorization, Twiddle, Points>(1), t2 = table<Radix, Vectorization, Twiddle, Points>(2),
               t3 = table<Radix, Vectorization, Twiddle, Points>(3), t4 = table<Radix, Vectorization, Twiddle, Points>(4);
    if constexpr (std::is_same<Twiddle, cfloat>::value) {
        if constexpr (Radix == 2) aie::fft_dit_r2_stage<Vectorization>(x, t1.data(), Points, inverse, y);
        else if constexpr (Radix == 3) aie::fft_dit_r3_stage<Vectorization>(x, t1.data(), t2.data(), Points, inverse, y);
        else aie::fft_dit_r5_stage<Vectorization>(x, t1.data(), t2.data(), t3.data(), t4.data(), Points, inverse, y);
    } else if constexpr (Radix == 2) aie::fft_dit_r2_stage<Vectorization>(x, t1.data(), Points, bits, bits, inverse, y);
    else if constexpr (Radix == 3) aie::fft_dit_r3_stage(x, t1.data(), t2.data(), Points, bits, bits, Vectorization, inverse, y);
    else if constexpr (Radix == 4) aie::fft_dit_r4_stage<Vectorization>(x, t2.data(), t1.data(), t3.data(), Points, bits, bits, inverse, y);
    else aie::fft_dit_r5_stage<Vectorization>(x, t1.data(), t2.data(), t3.data(), t4.data(), Points, bits, bits, inverse, y);
}
template <typename Data, unsigned Points>
static void is_transform_of(const std::vector<Data> &x, const std::vector<Data> &y, bool inverse, double error) {
    double largest = 0, sum = 0;
    for (const Data &each : x) sum += std::abs(value(each));
    for (unsigned k = 0; k < Points; ++k) {
        point expected;
        for (unsigned i = 0; i < Points; ++i)
            expected += value(x[i]) * std::polar(1.0, (inverse ? 2 : -2) * 3.14159265358979323846 * double(i * k % Points) / Points);
        largest = std::max(largest, std::abs(expected - value(y[k])));
    }
    CHECK(largest < error * sum);
}
// 240 points: radices 5, 3, 4 and 4; of floats 120: 5, 3 and thrice 2.
template <typename Data, typename Twiddle>
static void transform(int limit, unsigned bits, bool inverse, double error) {
    const check::modes rounded(aie::rounding_mode::conv_even, aie::saturation_mode::saturate);
    numbers random(bits + inverse);
    std::vector<Data> x(240), a(240), b(240);
    using part = decltype(Data().real);
    for (Data &each : x) each = Data(part(int(random.below(unsigned(2 * limit))) - limit), part(int(random.below(unsigned(2 * limit))) - limit));
    if constexpr (std::is_same<Data, cfloat>::value) {
        x.resize(120);
        stage<5, 24, Twiddle, 120>(x.data(), a.data(), 0, inverse);
        stage<3, 8, Twiddle, 120>(a.data(), b.data(), 0, inverse);
        stage<2, 4, Twiddle, 120>(b.data(), a.data(), 0, inverse);
        stage<2, 2, Twiddle, 120>(a.data(), b.data(), 0, inverse);
        stage<2, 1, Twiddle, 120>(b.data(), a.data(), 0, inverse);
        is_transform_of<Data, 120>(x, a, inverse, error);
    } else {
        stage<5, 48, Twiddle, 240>(x.data(), a.data(), bits, inverse);
        stage<3, 16, Twiddle, 240>(a.data(), b.data(), bits, inverse);
        stage<4, 4, Twiddle, 240>(b.data(), a.data(), bits, inverse);
        stage<4, 1, Twiddle, 240>(a.data(), b.data(), bits, inverse);
        is_transform_of<Data, 240>(x, b, inverse, error);
    }
}

// Whole numbers, as the definitions of stages have them.
struct whole {
    std::int64_t re = 0, im = 0;
    friend whole operator+(whole a, whole b) { return {a.re + b.re, a.im + b.im}; }
    friend whole operator-(whole a, whole b) { return {a.re - b.re, a.im - b.im}; }
    friend whole operator*(whole a, whole b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend whole operator<<(whole a, int by) { return {a.re * (std::int64_t(1) << by), a.im * (std::int64_t(1) << by)}; }
    friend whole operator>>(whole a, int by) { return {a.re >> by, a.im >> by}; } // floor
};
static whole conj(whole a) { return {a.re, -a.im}; }
template <typename Number>
static whole number(const Number &x, bool conjugate = false) { return {x.real, conjugate ? -std::int64_t(x.imag) : std::int64_t(x.imag)}; }
template <typename Number>
static bool same(const Number &x, whole w) { return x.real == decltype(x.real)(w.re) && x.imag == decltype(x.imag)(w.im); }

// One butterfly of 16-bit factors by its definition: shifts of 15 and `by`.
template <typename Input, unsigned Radix>
static std::vector<whole> defined(const std::vector<whole> &x, const std::vector<whole> &w, int by) {
    if (Radix == 4) {
        const whole s = ((x[0] << 15) + x[2] * w[0]) >> 15, d = ((x[0] << 15) - x[2] * w[0]) >> 15;
        const whole t = ((x[1] << 15) + x[3] * w[0]) >> 15, e = ((x[1] << 15) - x[3] * w[0]) >> 15;
        return {((s << 15) + t * w[1]) >> by, ((d << 15) + e * w[2]) >> by, ((s << 15) - t * w[1]) >> by, ((d << 15) - e * w[2]) >> by};
    }
    const int between = Radix == 3 && sizeof(Input) == 4 ? 15 : by;
    std::vector<whole> out{x[0] << 15}, v{{}};
    for (unsigned i = 1; i < Radix; ++i) {
        v.push_back((x[i] * w[i - 1]) >> between);
        out[0] = out[0] + (sizeof(Input) == 4 ? v[i] << 15 : x[i] * w[i - 1]);
    }
    out[0] = out[0] >> by;
    for (unsigned m = 1; m < Radix; ++m) {
        whole sum = x[0] << 15;
        // Behind the factors, the roots of unity.
        for (unsigned i = 1; i < Radix; ++i) sum = sum + v[i] * w[Radix - 2 + m * i % Radix];
        out.push_back(sum >> by);
    }
    return out;
}
// Objects follow their definition, lane by lane; `Side` sub-transforms run in parallel.
template <typename Input, typename Output, unsigned Radix, unsigned Side>
static void objects(bool inverse, unsigned by) {
    numbers random(Radix * 10 + Side);
    constexpr unsigned n = Radix * 32;
    std::vector<Input> x;
    std::vector<cint16> tw[4];
    for (unsigned i = 0; i < n; ++i) x.push_back(Input(random.any<int16>() / 8, random.any<int16>() / 8));
    for (auto &each : tw)
        for (unsigned i = 0; i < n; ++i) each.push_back(cint16(random.any<int16>() / 2, random.any<int16>() / 2));
    using stage = aie::fft_dit<Side, Radix, Input, Output>;
    static_assert(stage::num_out_vector == Radix && stage::out_vector_size == (Radix == 2 && sizeof(Input) == 4 ? 8 : 4), "UG1529, output vector sizes");
    const stage fft(15, by, inverse);
    const auto at = [&] {
        if constexpr (Radix == 3) return fft.begin_stage(x.data(), tw[0].data(), tw[1].data());
        else if constexpr (Radix == 4) return fft.begin_stage(x.data(), tw[0].data(), tw[1].data(), nullptr, Side);
        else return fft.begin_stage(x.data(), tw[0].data(), tw[1].data(), tw[2].data(), tw[3].data());
    };
    auto from = at();
    const whole k1 = Radix == 3 ? whole{-16384, -28378} : whole{10126, -31164}, k2 = Radix == 3 ? conj(k1) : whole{-26510, -19261};
    for (int i = 0; i < stage::block_size(n); ++i) {
        const auto out = fft.dit(*from++);
        for (unsigned lane = 0; lane < stage::out_vector_size; ++lane) {
            const unsigned index = unsigned(i) * stage::out_vector_size + lane, block = index / Side;
            std::vector<whole> in, w;
            for (unsigned k = 0; k < Radix; ++k) in.push_back(number(x[block * Radix * Side + k * Side + index % Side]));
            for (unsigned k = 0; k + 1 < Radix; ++k) w.push_back(number(tw[k][block], inverse));
            if (Radix == 4) w[2] = inverse ? whole{-w[1].im, w[1].re} : whole{w[1].im, -w[1].re};
            for (const whole &power : {k1, k2, conj(k2), conj(k1)}) w.push_back(inverse ? conj(power) : power);
            if (Radix == 3) w[3] = inverse ? k1 : conj(k1);
            const auto want = defined<Input, Radix>(in, w, int(by));
            for (unsigned k = 0; k < Radix; ++k) CHECK(same(out[k][lane], want[k]));
        }
    }
}

// The pseudo code of UG1078: o = a + b * f(z) and p = a - b * f(z), or the product alone.
static void butterflies() {
    numbers random(9);
    for (int round = 0; round < 16; ++round) {
        v8cint32 x, y;
        for (unsigned i = 0; i < 8; ++i) x[i] = cint32(int(random.below(1 << 28)) - (1 << 27), -int(random.below(1 << 28))), y[i] = cint32(int(i) - 3, 1 << 20);
        const v8cint16 z = random.lanes<cint16, 8>();
        const unsigned a = unsigned(random.word()), b = unsigned(random.word()), w = unsigned(random.word());
        const int start = int(random.below(8)), shift = int(random.below(16));
        const bool conjugate = round % 2 != 0;
        const auto full = butterfly_dit(x, y, a, b, z, start, w, conjugate, shift), minus_j = butterfly_dit_minj(x, y, a, b, z, start, w, conjugate, shift);
        const auto half = half_butterfly_dit(x, y, a, b, z, start, w, conjugate, shift), more = half_butterfly_dit(half, x, y, a, z, start, w, conjugate);
        const auto plain = butterfly_dit(x, y, a, b, z, start, w, shift);
        for (unsigned lane = 0; lane < 4; ++lane) {
            const auto element = [&](unsigned offsets) {
                const unsigned i = offsets >> (4 * lane) & 15;
                return number(i < 8 ? x[i] : y[i - 8]);
            };
            const whole up = element(a) << shift, f = number(z[(unsigned(start) + (w >> (4 * lane) & 15)) % 8]);
            const whole turned = conjugate ? conj(f) : f, by_j = f * whole{0, -1}, turned_j = conjugate ? conj(by_j) : by_j;
            const auto holds = [](const auto &l, whole v) { return l.real == v.re && l.imag == v.im; };
            CHECK(holds(full.lane_at(lane), up + element(b) * turned) && holds(full.lane_at(lane + 4), up - element(b) * turned));
            CHECK(holds(plain.lane_at(lane), up + element(b) * f) && holds(plain.lane_at(lane + 4), up - element(b) * f));
            CHECK(holds(minus_j.lane_at(lane), up + element(b) * turned_j) && holds(minus_j.lane_at(lane + 4), up - element(b) * turned_j));
            CHECK(holds(half.lane_at(lane), up + element(b) * turned) && holds(half.lane_at(lane + 4), element(b) * turned));
            CHECK(holds(more.lane_at(lane), up + element(b) * turned + element(a) * turned) && holds(more.lane_at(lane + 4), element(a) * turned));
        }
    }
}

// A stage of radix 2 with these pointers and offsets: the inputs of 8 butterflies at once, `side`
// of them with one factor.
static void addressing(unsigned side) {
    numbers random(side);
    alignas(32) cint16 x[256], tw[128], y[256], want[256];
    for (cint16 &each : x) each = cint16(random.any<int16>() / 4, random.any<int16>() / 4);
    for (cint16 &each : tw) each = cint16(random.any<int16>() / 2, random.any<int16>() / 2);
    set_rdx(2);
    const v8cint16 *a = reinterpret_cast<const v8cint16 *>(x), *b = reinterpret_cast<const v8cint16 *>(x + side), *a_end = b, *b_end = b + side / 8;
    const v8cint16 *factors = reinterpret_cast<const v8cint16 *>(tw);
    v8cint16 *low = reinterpret_cast<v8cint16 *>(y), *high = reinterpret_cast<v8cint16 *>(y + 128);
    umod_t count = 0;
    unsigned offsets = 0;
    for (int i = 0; i < 16; ++i) {
        const auto even = ups(*a, 15);
        *low++ = srs(mac8(even, concat(*b, *b), 0, 0x76543210, *factors, 0, offsets), 15);
        *high++ = srs(msc8(even, concat(*b, *b), 0, 0x76543210, *factors, 0, offsets), 15);
        a = fft_data_incr(a, int(side / 8), a_end);
        b = fft_data_incr(b, int(side / 8), b_end, count);
        factors = fft_twiddle_incr(factors, fft_mod_delay(count), 3);
        offsets = fft_zoffs(count, 3, true, true);
    }
    aie::fft_dit_r2_stage(x, tw, 256, 15, 15, side, false, want);
    for (int i = 0; i < 256; ++i) CHECK(y[i].real == want[i].real && y[i].imag == want[i].imag);
}
// As above, for radix 4 by butterflies, each twice.
static void radix4() {
    numbers random(4);
    constexpr unsigned side = 8, n = 256;
    alignas(32) cint32 x[n], y[n], want[n];
    alignas(32) cint16 tw[2][n / 4];
    for (cint32 &each : x) each = cint32(random.any<int16>(), random.any<int16>());
    for (auto &row : tw)
        for (cint16 &each : row) each = cint16(random.any<int16>() / 2, random.any<int16>() / 2);
    for (const bool inverse : {false, true}) {
        set_rdx(4);
        const v4cint32 *at[4], *end[4];
        for (unsigned i = 0; i < 4; ++i) at[i] = reinterpret_cast<const v4cint32 *>(x + i * side), end[i] = at[i] + side / 4;
        const v8cint16 *w1 = reinterpret_cast<const v8cint16 *>(tw[0]), *w2 = reinterpret_cast<const v8cint16 *>(tw[1]);
        umod_t count = 0;
        unsigned offsets = 0;
        for (unsigned i = 0; i < n / 16; ++i) {
            const auto s = butterfly_dit(concat(*at[0], *at[2]), undef_v8cint32(), 0x3210, 0x7654, *w1, 0, offsets, inverse, 15);
            const auto t = butterfly_dit(undef_v8cint32(), concat(*at[1], *at[3]), 0xBA98, 0xFEDC, *w1, 0, offsets, inverse, 15);
            const auto o = butterfly_dit(concat(lsrs(ext_lo(s), 15), lsrs(ext_lo(t), 15)), undef_v8cint32(), 0x3210, 0x7654, *w2, 0, offsets, inverse, 15);
            const auto p = butterfly_dit_minj(concat(lsrs(ext_hi(s), 15), lsrs(ext_hi(t), 15)), undef_v8cint32(), 0x3210, 0x7654, *w2, 0, offsets, inverse, 15);
            const v4cint32 out[] = {lsrs(ext_lo(o), 16), lsrs(ext_lo(p), 16), lsrs(ext_hi(o), 16), lsrs(ext_hi(p), 16)};
            for (unsigned k = 0; k < 4; ++k) aie::store_v(y + 4 * i + k * n / 4, out[k]);
            for (unsigned k = 0; k < 3; ++k) at[k] = fft_data_incr(at[k], side / 4, end[k]);
            at[3] = fft_data_incr(at[3], side / 4, end[3], count);
            w1 = fft_twiddle_incr(w1, count, 3);
            w2 = fft_twiddle_incr(w2, count, 3);
            offsets = fft_zoffs(count, 3, true, false);
        }
        aie::fft_dit_r4_stage<side>(x, tw[0], tw[1], tw[1], n, 15, 16, inverse, want);
        for (unsigned i = 0; i < n; ++i) CHECK(y[i].real == want[i].real && y[i].imag == want[i].imag);
    }
}

int main() {
    for (const bool inverse : {false, true}) {
        transform<cint32, cint16>(1 << 16, 15, inverse, 1e-4);
        transform<cint32, cint32>(1 << 20, 31, inverse, 1e-7);
        transform<cint16, cint16>(90, 15, inverse, 1e-3);
        transform<cfloat, cfloat>(1000, 0, inverse, 2e-5);
        objects<cint16, cint16, 3, 8>(inverse, 16);
        objects<cint32, cint32, 3, 4>(inverse, 15);
        objects<cint16, cint32, 4, 1>(inverse, 15);
        objects<cint32, cint16, 4, 4>(inverse, 17);
        objects<cint16, cint16, 5, 16>(inverse, 16);
        objects<cint32, cint32, 5, 4>(inverse, 14);
    }
    butterflies();
    for (const unsigned side : {8U, 16U, 64U, 128U}) addressing(side);
    radix4();
    CHECK(fft_zoffs(0, 2, true, true) == 0x11110000 && fft_zoffs(3, 2, true, true) == 0x77776666 && fft_zoffs(0, 2, true, false) == 0x1100);
    for (unsigned i = 0; i < 8; ++i) CHECK(fft_zoffs(i, 3, true, true) == 0x11111111 * i && fft_zoffs(i, 3, true, false) == 0x1111 * i);
    CHECK(fft_zoffs(6, 3, false, true) == 0x66662222 && fft_zoffs(6, 3, false, false) == 0x2222);
    return check::result();
}
