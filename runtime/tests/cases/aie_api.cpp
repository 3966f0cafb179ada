// The AIE API on the host as kernels use it, with an example of each part. Prints the first wrong
// line.
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <aie_api/operators.hpp>
#include <aie_api/utils.hpp>
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                  \
    if (!(condition)) {                                   \
        std::printf("line %d: %s\n", __LINE__, #condition); \
        return 1;                                         \
    } else                                                \
        static_cast<void>(0)

using namespace aie::operators;

// A filter as kernels write it: coefficients and a delay line in aligned memory, registers filled
// as the samples arrive.
alignas(aie::vector_decl_align) static const int16 taps[16] = {1, -2, 3, -4, 5, -6, 7, -8, 8, -7, 6, -5, 4, -3, 2, -1};

void fir(const int32 __aie_dm_resource_a *__restrict in, int32 __aie_dm_resource_b *__restrict out, unsigned samples) {
    using ops = aie::sliding_mul_ops<8, 8, 1, 1, 1, int16, int32, acc80>;
    static aie::vector<int32, 32> buffer;
    const aie::vector<int16, 16> coeff = aie::load_v<16>(taps);
    auto from = aie::begin_vector<8, aie_dm_resource::a>(in);
    auto to = aie::begin_restrict_vector<8>(out);
    buffer.insert(0, *from++);
    buffer.insert(1, *from++);
    for (unsigned i = 2; i < samples / 8; ++i) {
        const unsigned start = (i - 2) % 4 * 8;
        buffer.insert(i % 4, *from++);
        aie::accum<acc80, 8> acc = ops::mul(coeff, 0, buffer, start);
        acc = ops::mac(acc, coeff, 8, buffer, start + 8);
        *to++ = acc.to_vector<int32>(2);
    }
}

bool filters() {
    alignas(aie::vector_decl_align) int32 in[64], out[64] = {};
    for (int i = 0; i < 64; ++i) in[i] = (i * 37 % 101) * 1000 - 50000;
    fir(in, out, 64);
    for (int n = 0; n < 48; ++n) {
        std::int64_t sum = 0;
        for (int p = 0; p < 16; ++p) sum += std::int64_t(taps[p]) * in[n + p];
        if (out[n] != int32(sum >> 2)) return false;
    }
    return true;
}

// C = A * B for 8 by 8 matrices in blocks of 4 by 4.
bool multiplies() {
    using MMUL = aie::mmul<4, 4, 4, int16, int16>;
    alignas(32) int16 a[64], b[64], c[64];
    for (int i = 0; i < 64; ++i) a[i] = int16(i - 30), b[i] = int16(3 * i % 17 - 8);
    const auto block = [](const int16 *m, int row, int column) {
        aie::vector<int16, 16> all;
        for (int i = 0; i < 16; ++i) all[unsigned(i)] = m[(4 * row + i / 4) * 8 + 4 * column + i % 4];
        return all;
    };
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) {
            MMUL m;
            m.mul(block(a, row, 0), block(b, 0, column));
            m.mac(block(a, row, 1), block(b, 1, column));
            const auto v = m.template to_vector<int16>(0);
            for (int i = 0; i < 16; ++i) c[(4 * row + i / 4) * 8 + 4 * column + i % 4] = v[unsigned(i)];
        }
    for (int i = 0; i < 64; ++i) {
        int sum = 0;
        for (int k = 0; k < 8; ++k) sum += a[i / 8 * 8 + k] * b[k * 8 + i % 8];
        if (c[i] != sum) return false;
    }
    return true;
}

int main() {
    CHECK(filters());
    CHECK(multiplies());
    aie::tile::current().set_saturation(aie::saturation_mode::saturate);
    CHECK(aie::saturating_add(aie::broadcast<int16, 16>(20000), int16(20000))[0] == 32767);
    CHECK(aie::add(aie::broadcast<int16, 16>(20000), int16(20000)).get(0) == -25536);
    aie::tile::current().set_saturation(aie::saturation_mode::none);
    const aie::vector<int32, 8> re(1, 2, 3, 4, 5, 6, 7, 8), im = -re;
    const auto both = aie::interleave_zip(re, im, 1);
    const aie::vector<cint32, 8> z = aie::concat(both.first.cast_to<cint32>(), both.second.cast_to<cint32>());
    CHECK(z[5] == cint32(6, -6) && aie::real(z[5]) == 6 && aie::equal(aie::imag(z), im));
    auto [even, odd] = aie::interleave_unzip(both.first, both.second, 1);
    CHECK(aie::equal(even, re) && aie::equal(odd, im) && aie::select(re, im, re > 4)[4] == -5);
    alignas(32) int16 pattern[16] = {0, 1, 2, 3};
    CHECK((aie::broadcast<cint32, 8>(*reinterpret_cast<cint32 *>(pattern)).cast_to<int16>()[13] == 1));
    auto [sine, cosine] = aie::sincos(1 << 30);
    const cint16 rotor = {cosine, sine};
    CHECK(rotor == cint16(0, 32767));

    alignas(aie::vector_decl_align) int32 data[8] = {3, -1, 4, 1, -5, 9, 2, 6};
    const auto v = aie::load_v<8>(data);
    CHECK(v.size() == 8 && v.bits() == 256);
    CHECK(aie::reduce_add(v) == 19 && aie::reduce_max(v) == 9 && aie::reduce_min(v) == -5);
    CHECK(aie::equal(aie::add(v, v), aie::mul(v, 2).to_vector<int32>()));
    CHECK(aie::equal(aie::sub(v, v), aie::zeros<int32, 8>()));
    CHECK(aie::equal(aie::max(v, 0), aie::select(v, aie::zeros<int32, 8>(), aie::lt(v, 0))));
    CHECK(aie::reduce_add(aie::abs(v)) == 31);
    CHECK((aie::equal(aie::concat(v.extract<4>(0), v.extract<4>(1)), v)));

    const auto top = aie::broadcast<int32, 4>(2147483647);
    CHECK(aie::add(top, 1)[0] == -2147483647 - 1); // wraps
    const auto narrow = aie::broadcast<int8, 16>(100);
    CHECK(aie::add(narrow, narrow)[5] == -56);

    auto acc = aie::mul(aie::broadcast<int16, 8>(-3), aie::broadcast<int16, 8>(5));
    acc = aie::mac(acc, aie::broadcast<int16, 8>(1), aie::broadcast<int16, 8>(2));
    CHECK(acc.to_vector<int16>(0)[7] == -13);
    CHECK(acc.to_vector<int16>(2)[7] == -4); // towards minus infinity

    const auto c = aie::broadcast<cint16, 8>(cint16(1, 2));
    CHECK(aie::reduce_add(c) == cint16(8, 16));
    CHECK(cint32(1, 2) * cint32(3, 4) == cint32(-5, 10));
    CHECK(cfloat(1.5F, 0) - cfloat(0.5F, 1) == cfloat(1, -1));
    CHECK(aie::reduce_add(aie::broadcast<float, 8>(0.25F)) == 2.0F);

    int32 copied[8];
    auto to = aie::begin_vector<4>(copied);
    for (auto from = aie::cbegin_vector<4>(data); from != aie::cbegin_vector<4>(data + 8); ++from) *to++ = *from;
    int32 sum = 0;
    for (auto it = aie::cbegin(copied, 8); it < copied + 8; ++it) sum += *it;
    CHECK(sum == 19);
    v8int32 pushed = v;
    pushed.push(7);
    CHECK(pushed[0] == 7 && pushed[7] == 2 && ext_elem(pushed, 1) == 3);
    return 0;
}
