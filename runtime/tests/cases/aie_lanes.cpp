// Lane order and selection of the AIE API: reshaping, comparison, bits, reductions, sliding
// multiplications and matrices, against loops written from their definitions.
#include "aie_check.h"

using check::numbers;

// --- reshaping (UG1529, "Reshaping") -------------------------------------------------------------

template <typename T, unsigned N>
void shuffles(numbers &random) {
    const auto v = random.lanes<T, N>(), fill = random.lanes<T, N>();
    for (unsigned n = 0; n < N; ++n) {
        const auto up = aie::shuffle_up(v, n), down = aie::shuffle_down(v, n);
        const auto up_round = aie::shuffle_up_rotate(v, n), down_round = aie::shuffle_down_rotate(v, n);
        const auto up_filled = aie::shuffle_up_fill(v, fill, n), down_filled = aie::shuffle_down_fill(v, fill, n);
        const auto up_same = aie::shuffle_up_replicate(v, n), down_same = aie::shuffle_down_replicate(v, n);
        const auto around = aie::concat(fill, v, fill, fill); // lane i of v is lane N + i
        for (unsigned i = 0; i < N; ++i) {
            if (i >= n) CHECK(up[i] == v[i - n]);
            if (i + n < N) CHECK(down[i] == v[i + n]);
            CHECK(up_round[(i + n) % N] == v[i] && down_round[i] == v[(i + n) % N]);
            CHECK(up_filled[i] == around[N + i - n] && down_filled[i] == around[N + i + n]);
            CHECK(up_same[i] == (i < n ? v[0] : v[i - n]) && down_same[i] == (i + n < N ? v[i + n] : v[N - 1]));
        }
    }
}

template <typename T, unsigned N>
void interleaves(numbers &random) {
    const auto a = random.lanes<T, N>(), b = random.lanes<T, N>();
    for (unsigned step = 1; step <= N / 2; step *= 2) {
        aie::vector<T, 2 * N> zipped;
        unsigned at = 0;
        for (unsigned chunk = 0; chunk < N; chunk += step) {
            for (unsigned i = 0; i < step; ++i) zipped[at++] = a[chunk + i];
            for (unsigned i = 0; i < step; ++i) zipped[at++] = b[chunk + i];
        }
        const auto [low, high] = aie::interleave_zip(a, b, step);
        CHECK(aie::equal(aie::concat(low, high), zipped));
        const auto [even, odd] = aie::interleave_unzip(low, high, step);
        CHECK(aie::equal(even, a) && aie::equal(odd, b));
        CHECK(aie::equal(aie::filter_even(zipped, step), a) && aie::equal(aie::filter_odd(zipped, step), b));
    }
    CHECK(aie::equal(aie::reverse(aie::reverse(a)), a) && aie::reverse(a)[0] == a[N - 1]);
}

void reshaping() {
    numbers random(11);
    shuffles<int16, 16>(random);
    shuffles<cint16, 4>(random);
    interleaves<int8, 32>(random);
    interleaves<int32, 8>(random);
    interleaves<cfloat, 4>(random);

    aie::vector<int16, 32> matrix;
    for (unsigned i = 0; i < 32; ++i) matrix[i] = int16(10 * (i / 8) + i % 8); // 4 rows, 8 columns
    const auto turned = aie::transpose(matrix, 4, 8);
    for (unsigned row = 0; row < 8; ++row)
        for (unsigned column = 0; column < 4; ++column) CHECK(turned[row * 4 + column] == int16(10 * column + row));

    const auto v = random.lanes<int16, 16>();
    CHECK(aie::equal(aie::concat(v.extract<8>(0), v.extract<8>(1)), v));
    CHECK(aie::equal(aie::concat(v.split<8>()), v));
    CHECK(aie::equal(v.grow<32>(1).extract<16>(1), v) && aie::equal(v.grow_replicate<64>().extract<16>(3), v));
    CHECK(aie::equal(aie::vector_cast<int16>(v.cast_to<cint16>()), v) && v.cast_to<cint16>()[1] == cint16(v[2], v[3]));
    CHECK(v.cast_to<int32>().size() == 8 && v.cast_to<uint8>()[1] == uint8(uint16(v[0]) >> 8));
    CHECK(aie::equal(v.unpack().pack(), v));

    aie::vector<int32, 8> w(1, 2, 3, 4, 5, 6, 7, 8);
    w.push(9);
    CHECK(aie::equal(w, aie::vector<int32, 8>(9, 1, 2, 3, 4, 5, 6, 7)));
    w.insert(1, aie::broadcast<int32, 4>(0));
    w.elem_ref(7) = 70;
    w.set(60, 6);
    CHECK(aie::equal(w, aie::vector<int32, 8>(9, 1, 2, 3, 0, 0, 60, 70)));
    CHECK(aie::equal(upd_w(aie::vector<int32, 16>(), 1, w), w.grow<16>(1)) && ext_v(w, 1)[2] == 60 && ext_elem(w, 7) == 70);
}

// --- comparison, selection, bits -----------------------------------------------------------------

template <typename T>
void compares(numbers &random) {
    auto a = random.lanes<T, 32>();
    const auto b = random.lanes<T, 32>();
    a.insert(1, b.template extract<16>(1));
    const T s = b[3];
    a[0] = s;
    const auto less = aie::lt(a, b), at_most = aie::le(a, b), more = aie::gt(a, s), at_least = aie::ge(s, a);
    const auto same = aie::eq(a, b), other = aie::neq(a, b);
    const auto chosen = aie::select(a, b, less), or_scalar = aie::select(s, b, less), scalar_or = aie::select(a, s, less);
    for (unsigned i = 0; i < 32; ++i) {
        CHECK(less.test(i) == (a[i] < b[i]) && at_most.test(i) == (a[i] <= b[i]));
        CHECK(more.test(i) == (a[i] > s) && at_least.test(i) == (s >= a[i]));
        CHECK(same.test(i) == (a[i] == b[i]) && other.test(i) == !same.test(i));
        CHECK(chosen[i] == (less.test(i) ? b[i] : a[i]) && or_scalar[i] == (less.test(i) ? b[i] : s));
        CHECK(scalar_or[i] == (less.test(i) ? s : a[i]));
    }
    CHECK(aie::equal(a, a) && aie::not_equal(a, aie::add(a, 1)));
}

template <typename T>
void bits(numbers &random) {
    using U = std::make_unsigned_t<T>;
    const auto a = random.lanes<T, 16>(), b = random.lanes<T, 16>();
    for (unsigned by = 0; by < sizeof(T) * 8; ++by) {
        const auto up = aie::upshift(a, by), down = aie::downshift(a, by), plain = aie::logical_downshift(a, by);
        for (unsigned i = 0; i < 16; ++i) {
            CHECK(up[i] == T(U(std::uint64_t(U(a[i])) << by)) && plain[i] == T(U(U(a[i]) >> by)));
            CHECK(down[i] == aie::sim::rounded_shift(std::int64_t(a[i]), int(by), aie::rounding_mode::floor));
        }
    }
    const auto both = aie::bit_and(a, b), either = aie::bit_or(a, b[0]), one = aie::bit_xor(a, b), not_a = aie::bit_not(a);
    for (unsigned i = 0; i < 16; ++i) {
        CHECK(both[i] == T(a[i] & b[i]) && either[i] == T(a[i] | b[0]) && one[i] == T(a[i] ^ b[i]) && not_a[i] == T(~a[i]));
    }
}

void masks() {
    using mask = aie::mask<64>;
    const auto m = mask::from_uint64(0x8000000000000005ULL);
    CHECK(m.test(0) && !m.test(1) && m.test(63) && m.count() == 3 && m.clz() == 0 && m.ctz() == 0);
    CHECK(m == mask::from_uint32(5U, 0x80000000U) && m == mask(0x8000000000000005ULL) && m.to_uint64() == 0x8000000000000005ULL);
    CHECK((~m).count() == 61 && (m | ~m).full() && (m & ~m).empty() && (m ^ m).empty() && !mask(true).empty());
    CHECK((m >> 1).to_uint64() == 0x4000000000000002ULL && (m << 1).to_uint64() == 0xAULL);
    CHECK(m.get_submask<32>(1).to_uint32() == 0x80000000U);
    CHECK((aie::mask<32>::from_masks(aie::mask<16>(0xFFU), aie::mask<16>(0x1U)).to_uint32() == 0x100FFU));
    aie::mask<8> small(true);
    small.clear(3);
    small.set(3);
    CHECK(small.full() && small.to_uint32() == 0xFF && (~small).empty() && small.size() == 8);
}

void comparison() {
    numbers random(12);
    compares<int8>(random);
    compares<uint8>(random);
    compares<int32>(random);
    compares<float>(random);
    bits<int8>(random);
    bits<uint8>(random);
    bits<int32>(random);
    masks();
}

// --- reductions ----------------------------------------------------------------------------------

template <typename T, unsigned N>
void reduces(numbers &random) {
    const auto v = random.lanes<T, N>(), w = random.lanes<T, N>();
    T sum = v[0], low = v[0], high = v[0], product = v[0];
    for (unsigned i = 1; i < N; ++i) {
        sum = T(std::uint64_t(sum) + std::uint64_t(v[i]));
        product = T(std::uint64_t(product) * std::uint64_t(v[i]));
        low = v[i] < low ? v[i] : low;
        high = high < v[i] ? v[i] : high;
    }
    CHECK(aie::reduce_add(v) == sum && aie::reduce_min(v) == low && aie::reduce_max(v) == high && aie::reduce_mul(v) == product);
    const auto both = aie::reduce_add_v(v, w);
    CHECK(both[0] == sum && both[1] == aie::reduce_add(w));
}

void reductions() {
    numbers random(13);
    reduces<int8, 64>(random);
    reduces<uint8, 16>(random);
    reduces<int32, 32>(random);
    CHECK(aie::reduce_add(aie::broadcast<cint16, 8>(cint16(1, 2))) == cint16(8, 16));
    CHECK(aie::reduce_add(aie::broadcast<float, 16>(0.25F)) == 4.0F);
}

// --- sliding multiplications (UG1079, "Multiple Lanes Multiplication") ---------------------------

template <typename T, unsigned N>
T around(const aie::vector<T, N> &v, int i) {
    return v[unsigned(((i % int(N)) + int(N)) % int(N))];
}

template <unsigned Lanes, unsigned Points, int CS, int DX, int DY, typename C, typename D>
void slides(numbers &random) {
    using ops = aie::sliding_mul_ops<Lanes, Points, CS, DX, DY, C, D>;
    const auto coeff = random.lanes<C, 16>();
    const auto data = random.lanes<D, 32>();
    const unsigned cs = random.below(16), ds = random.below(32);
    auto expected = aie::zeros<typename ops::tag, Lanes>();
    for (unsigned p = 0; p < Points; ++p) {
        aie::vector<D, Lanes> column;
        for (unsigned l = 0; l < Lanes; ++l) column[l] = around(data, int(ds) + int(l) * DY + int(p) * DX);
        expected = aie::mac(expected, column, around(coeff, int(cs) + int(p) * CS));
    }
    const auto product = ops::mul(coeff, cs, data, ds);
    const auto sum = aie::sliding_mac<Lanes, Points, CS, DX, DY>(product, coeff, cs, data, ds);
    for (unsigned l = 0; l < Lanes; ++l) {
        CHECK(product.lane_at(l).real == expected.lane_at(l).real && product.lane_at(l).imag == expected.lane_at(l).imag);
        CHECK(sum.lane_at(l).real == aie::add(expected, expected).lane_at(l).real);
        CHECK(ops::negmul(coeff, cs, data, ds).lane_at(l).real == aie::neg(expected).lane_at(l).real);
    }
}

// A symmetric filter is the plain one with its coefficients mirrored.
template <unsigned Points, typename C, typename D>
void folds(numbers &random) {
    auto half = random.lanes<C, 16>();
    // The smallest number has no negative.
    half = aie::max(half, C(std::numeric_limits<C>::min() + 1));
    const auto data = random.lanes<D, 32>();
    aie::vector<C, 16> mirrored, antimirrored;
    for (unsigned p = 0; p < Points; ++p) {
        const bool right = p >= (Points + 1) / 2;
        mirrored[p] = half[right ? Points - 1 - p : p];
        antimirrored[p] = right ? C(-half[Points - 1 - p]) : half[p];
    }
    const auto expected = aie::sliding_mul<8, Points>(mirrored, 0, data, 3).template to_vector<int32>();
    const auto anti = aie::sliding_mul<8, Points>(antimirrored, 0, data, 3).template to_vector<int32>();
    CHECK(aie::equal(aie::sliding_mul_sym<8, Points>(half, 0, data, 3).template to_vector<int32>(), expected));
    CHECK(aie::equal(aie::sliding_mul_sym<8, Points>(half, 0, data, 3, 3 + Points - 1).template to_vector<int32>(), expected));
    if (Points % 2 == 0) // two registers count pairs
        CHECK(aie::equal(aie::sliding_mul_sym<8, Points / 2>(half, 0, data, 3, data, 3 + Points - 1).template to_vector<int32>(), expected));
    CHECK(aie::equal(aie::sliding_mul_antisym<8, Points>(half, 0, data, 3).template to_vector<int32>(), anti));
    const auto zero = aie::sub(aie::sliding_mac_sym<8, Points>(aie::zeros<acc48, 8>(), half, 0, data, 3), expected);
    CHECK(aie::equal(zero.template to_vector<int32>(), aie::zeros<int32, 8>()));
}

void sliding() {
    numbers random(14);
    for (int round = 0; round < 10; ++round) {
        slides<8, 4, 1, 1, 1, int16, int16>(random);
        slides<8, 8, 1, 2, 1, int32, int16>(random);
        slides<8, 3, 2, 1, 2, int16, cint16>(random);
        slides<8, 5, -1, 3, 4, cint16, cint16>(random);
        slides<16, 8, 1, 1, 1, int8, uint8>(random);
        folds<8, int8, int16>(random);
        folds<7, int8, int16>(random);
    }
    const auto f = aie::sliding_mul<8, 2>(aie::broadcast<float, 8>(0.5F), 0, aie::broadcast<float, 16>(3.0F), 0);
    CHECK(f.to_vector<float>()[4] == 3.0F);

    // coeff[2] * a + coeff[3] * b, then that minus coeff[1] * a.
    const aie::vector<int16, 8> coeff(1, 10, 100, 1000, 0, 0, 0, 0);
    const auto a = random.lanes<int8, 16>().unpack(), b = random.lanes<int8, 16>().unpack();
    const auto weighted = aie::accumulate<16>(coeff, 2, a, b);
    const auto less = aie::accumulate<16>(aie::op_sub(weighted), coeff, 1, a);
    for (unsigned i = 0; i < 16; ++i) {
        CHECK(weighted.to_vector<int32>()[i] == 100 * a[i] + 1000 * b[i]);
        CHECK(less.to_vector<int32>()[i] == -90 * a[i] - 1000 * b[i]);
    }
}

// --- matrices (UG1529, "Matrix Multiplication") --------------------------------------------------

template <unsigned M, unsigned K, unsigned N, typename A, typename B>
void matrices(numbers &random) {
    using mm = aie::mmul<M, K, N, A, B>;
    static_assert(mm::size_A == M * K && mm::size_B == K * N && mm::size_C == M * N, "sizes follow from the shape");
    const auto a = random.lanes<A, M * K>();
    const auto b = random.lanes<B, K * N>();
    mm c;
    c.mul(a, b);
    mm twice = c;
    twice.mac(a, b);
    for (unsigned row = 0; row < M; ++row)
        for (unsigned column = 0; column < N; ++column) {
            aie::sim::int128 sum = 0;
            for (unsigned k = 0; k < K; ++k) sum += aie::sim::int128(a[row * K + k]) * b[k * N + column];
            CHECK(c.to_accum().lane_at(row * N + column).real == mm::tag::cut(typename mm::tag::word(sum)));
            CHECK(twice.to_accum().lane_at(row * N + column).real == mm::tag::cut(typename mm::tag::word(2 * sum)));
        }
}

void multiplication_of_matrices() {
    numbers random(15);
    matrices<4, 8, 4, int8, int8>(random);
    matrices<4, 4, 4, int16, int16>(random);
    matrices<2, 4, 8, int16, int16>(random);
    matrices<4, 2, 4, int32, int16>(random);
    matrices<4, 4, 2, int32, int32>(random);
    aie::mmul<4, 2, 4, float, float> f;
    f.mul(aie::broadcast<float, 8>(0.5F), aie::broadcast<float, 8>(3.0F));
    CHECK(f.to_vector<float>()[15] == 3.0F);
    aie::mmul<2, 2, 2, cint16, cint16> z;
    z.mul(aie::broadcast<cint16, 4>(cint16(0, 1)), aie::broadcast<cint16, 4>(cint16(0, 1)));
    CHECK(z.to_vector<cint16>()[3] == cint16(-2, 0));
}

// --- operators -----------------------------------------------------------------------------------

void operators() {
    using namespace aie::operators;
    const aie::vector<int32, 8> a(1, -2, 3, -4, 5, -6, 7, -8), b = aie::broadcast<int32, 8>(2);
    CHECK(aie::equal(a + b, aie::add(a, b)) && aie::equal(a - 1, aie::sub(a, 1)) && aie::equal(-a, aie::neg(a)));
    CHECK((a < b) == aie::lt(a, b) && (a >= 3) == aie::ge(a, 3) && (a == b) == aie::eq(a, b) && (1 != a) == aie::neq(a, 1));
    CHECK(aie::equal(a & b, aie::bit_and(a, b)) && aie::equal(~a, aie::bit_not(a)) && aie::equal(a >> 1, aie::downshift(a, 1)));
    CHECK(aie::equal((a * b).to_vector<int32>(), a + a));
    auto c = a;
    c += b;
    c -= 2;
    c ^= 0;
    CHECK(aie::equal(c, a));
    auto acc = a * 3;
    acc += a;
    CHECK(aie::equal((acc - a).to_vector<int32>(), (3 * a).to_vector<int32>()));
}

int main() {
    reshaping();
    comparison();
    reductions();
    sliding();
    multiplication_of_matrices();
    operators();
    return check::result();
}
