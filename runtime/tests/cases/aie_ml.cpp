// Features of AIE-ML that AIE lacks: unsigned lanes of 16 and 32 bits, bfloat16, lookup tables,
// transposed operands.
#include "aie_check.h"

using check::numbers;

// --- tables (UG1603, "Lookup Tables and Linear Approximation") -----------------------------------

void tables() {
    // Sixteen 32-bit values, alternating every 128 bits between two copies.
    int32 copies[32];
    for (unsigned i = 0; i < 16; ++i) copies[i / 4 * 8 + i % 4] = copies[i / 4 * 8 + 4 + i % 4] = int32(i * 100);
    const aie::lut<4, int32> table(16, copies, copies);
    aie::parallel_lookup<int8, aie::lut<4, int32>> lookup(table, 1, 4);
    const auto found = lookup.fetch(aie::vector<int8, 16>(0, 1, 2, 3, -1, -8, -9, -128, 22, 23, 24, 127, 4, 5, 6, 7));
    CHECK(aie::equal(found, aie::vector<int32, 16>(400, 400, 500, 500, 300, 0, 0, 0, 1500, 1500, 1500, 1500, 600, 600, 700, 700)));

    // y = 3 x + 7 in every segment, 4 bits below the step.
    int16 lines[32];
    for (int i = 0; i < 8; ++i) {
        const int at = i / 4 * 16 + i % 4 * 2;
        lines[at] = lines[at + 8] = 3;
        lines[at + 1] = lines[at + 9] = int16(3 * 16 * (i - 4) + 7);
    }
    const aie::lut<4, int16> segments(8, lines, lines);
    aie::linear_approx<int16, aie::lut<4, int16>> approx(segments, 4, 4);
    const aie::vector<int16, 8> x(0, 1, 15, 16, -1, -64, 63, 20);
    const auto y = approx.compute(x).to_vector<int32>();
    for (unsigned i = 0; i < 8; ++i) CHECK(y[i] == 3 * x[i] + 7);
}

// --- types ---------------------------------------------------------------------------------------

void bfloat16_rounds_to_nearest_even() {
    CHECK(float(bfloat16(1.0F)) == 1.0F && bfloat16(1.00390625F).bits == 0x3F80 && bfloat16(1.01171875F).bits == 0x3F82);
    const auto v = aie::broadcast<bfloat16, 16>(bfloat16(3));
    CHECK(float(aie::reduce_add(v)) == 48.0F && aie::mul(v, v).to_vector<float>()[2] == 9.0F);
    CHECK(float(aie::mul(v, bfloat16(0.5F)).to_vector<bfloat16>()[0]) == 1.5F);
}

void unsigned_lanes() {
    numbers random(31);
    const auto a = random.lanes<uint16, 16>(), b = random.lanes<uint16, 16>();
    const auto less = aie::lt(a, b);
    const auto both = aie::bit_xor(a, b), sum = aie::add(a, b), low = aie::min(a, b);
    uint16 total = 0;
    for (unsigned i = 0; i < 16; ++i) {
        CHECK(less.test(i) == (a[i] < b[i]) && both[i] == uint16(a[i] ^ b[i]) && sum[i] == uint16(a[i] + b[i]));
        CHECK(low[i] == (b[i] < a[i] ? b[i] : a[i]));
        total = uint16(total + a[i]);
    }
    CHECK(aie::reduce_add(a) == total);
    CHECK((std::is_same<decltype(aie::vector<uint8, 16>().unpack()), aie::vector<uint16, 16>>::value));
}

void transposed_operands() {
    numbers random(32);
    const auto a = random.lanes<int16, 8>();
    const auto b = random.lanes<int16, 32>();
    aie::mmul<2, 4, 8, int16, int16> plain, turned;
    plain.mul(a, b);
    turned.mul(a, aie::op_transpose(aie::transpose(b, 4, 8)));
    CHECK(aie::equal(plain.to_vector<int32>(), turned.to_vector<int32>()));
}

int main() {
    tables();
    bfloat16_rounds_to_nearest_even();
    unsigned_lanes();
    transposed_operands();
    return check::result();
}
