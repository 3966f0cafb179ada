// The multiplication intrinsics against the formula of UG1078, "Full Lane Addressing Scheme", and
// the pages on MACs of UG1079. The formula is implemented independently here: tables of indices
// filled block by block, and plain loops.
#include "aie_check.h"

#include <vector>

using check::numbers;
using wide = __int128;

using table = std::vector<std::vector<int>>; // the element of each lane and column
using digits = std::vector<unsigned>;        // of offsets or a square, the lowest first

static digits digits_of(std::uint64_t number, unsigned count) {
    digits d(count);
    for (unsigned i = 0; i < count; ++i) d[i] = unsigned(number >> (4 * i) & 15);
    return d;
}
// Two rows and two columns of four elements, chosen by a square; tables of one column take the
// first.
static void place(table &t, unsigned lane, unsigned column, const std::vector<int> &four, unsigned square) {
    const digits d = digits_of(square, 4);
    for (unsigned r = 0; r < 2; ++r)
        for (unsigned c = 0; c < 2; ++c)
            if (column + c < t[lane + r].size()) t[lane + r][column + c] = four[d[2 * r + c]];
}

struct choice {
    int start = 0;
    std::uint64_t offsets = 0;
    int step = 0;
    unsigned square = 0x3210;
};

// Data of 8 and 16 bits come in words, unless the factors have 32 bits or more.
static table data_table(unsigned bytes, unsigned factor_bytes, unsigned lanes, unsigned columns, const choice &s) {
    if (factor_bytes >= 4) bytes = 4;
    table t(lanes, std::vector<int>(columns));
    const digits o = digits_of(s.offsets, 16);
    for (unsigned column = 0; column < columns; column += bytes < 4 ? 2 : 1) {
        const int from = s.start + int(bytes < 4 ? column / 2 : column) * s.step;
        if (bytes >= 4)
            for (unsigned lane = 0; lane < lanes; ++lane) t[lane][column] = from + int(o[lane]);
        // Words of two elements: an offset from the start, another from the word behind.
        if (bytes == 2)
            for (unsigned pair = 0; pair < lanes / 2; ++pair) {
                const int first = from + 2 * int(o[2 * pair]), second = first + 2 * int(o[2 * pair + 1] + 1);
                place(t, 2 * pair, column, {first, first + 1, second, second + 1}, s.square);
            }
        if (bytes == 1) // words of four: lanes 0 and 1 get the lower halves, 2 and 3 the upper
            for (unsigned four = 0; four < lanes / 4; ++four) {
                const int first = from + 4 * int(o[2 * four]), second = first + 4 * int(o[2 * four + 1] + 1);
                place(t, 4 * four, column, {first, first + 1, second, second + 1}, s.square);
                place(t, 4 * four + 2, column, {first + 2, first + 3, second + 2, second + 3}, s.square);
            }
    }
    return t;
}
static table factor_table(unsigned bytes, unsigned data_bytes, unsigned lanes, unsigned columns, const choice &s) {
    table t(lanes, std::vector<int>(columns));
    const digits o = digits_of(s.offsets, 16);
    if (bytes > 1) {
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned column = 0; column < columns; ++column) t[lane][column] = s.start + int(o[lane]) + int(column) * s.step;
        return t;
    }
    // Two offsets of 16 bits; with data of 8 bits the four elements serve two more lanes.
    const unsigned served = data_bytes == 1 ? 4 : 2;
    for (unsigned group = 0; group < lanes / served; ++group)
        for (unsigned column = 0; column < columns; column += 2) {
            const int from = s.start + int(column / 2) * s.step;
            const int first = from + 2 * int(o[2 * group]), second = from + 2 * int(o[2 * group + 1]);
            for (unsigned r = 0; r < served; r += 2) place(t, served * group + r, column, {first, first + 1, second, second + 1}, s.square);
        }
    return t;
}

struct number {
    wide re = 0, im = 0;
};
template <typename T>
number number_of(const T &x) {
    if constexpr (aie::sim::is_complex_v<T>) return {x.real, x.imag};
    else return {x, 0};
}
static number operator+(number a, number b) { return {a.re + b.re, a.im + b.im}; }
static number operator-(number a, number b) { return {a.re - b.re, a.im - b.im}; }
static number operator*(number a, number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static number conj(number a) { return {a.re, -a.im}; }
static wide wrapped(wide x, unsigned bits) {
    const unsigned spare = 128 - bits;
    return wide((unsigned __int128)(x) << spare) >> spare;
}

template <typename V>
number at(const V &v, int index) {
    const int size = int(V::size());
    return number_of(v[unsigned((index % size + size) % size)]);
}

enum class before { nothing, sum, difference, magnitude, larger, smaller, excess };

static number prepared(before how, number x, number y) {
    switch (how) {
    case before::nothing: return x;
    case before::sum: return x + y;
    case before::difference: return x - y;
    case before::magnitude: return {x.re < 0 ? -x.re : x.re, 0};
    case before::larger: return {x.re > y.re ? x.re : y.re, 0};
    case before::smaller: return {x.re < y.re ? x.re : y.re, 0};
    case before::excess: return {x.re > y.re ? x.re - y.re : 0, 0};
    }
    return x;
}

struct flags {
    bool conj_x = false, conj_z = false, conj_second = false;
    int tap = -1; // of the last column, from the first view's start
};

template <typename X, typename Z>
std::vector<number> expected(before how, unsigned lanes, unsigned columns, const X &x, const choice &sx, const X &y, const choice &sy,
                             const Z &z, const choice &sz, flags f = {}) {
    constexpr unsigned bytes = sizeof(typename X::value_type);
    const table tx = data_table(bytes, sizeof(typename Z::value_type), lanes, columns, sx);
    const table ty = data_table(bytes, sizeof(typename Z::value_type), lanes, columns, sy);
    const table tz = factor_table(sizeof(typename Z::value_type), bytes, lanes, columns, sz);
    std::vector<number> sums(lanes);
    for (unsigned l = 0; l < lanes; ++l)
        for (unsigned c = 0; c < columns; ++c) {
            number a = at(x, tx[l][c]), b = at(y, ty[l][c]), w = at(z, tz[l][c]);
            if (f.conj_x) a = conj(a), b = conj(b);
            if (f.conj_z) w = conj(w);
            if (f.tap >= 0 && c + 1 == columns) {
                a = at(x, sx.start + f.tap + int(digits_of(sx.offsets, 16)[l]));
                sums[l] = sums[l] + (f.conj_x ? conj(a) : a) * w;
            } else if (f.conj_second) {
                sums[l] = sums[l] + a * w + (how == before::difference ? number() - b : b) * conj(w);
            } else sums[l] = sums[l] + prepared(how, a, b) * w;
        }
    return sums;
}

template <typename Tag, unsigned Lanes>
bool holds(const aie::accum<Tag, Lanes> &acc, const std::vector<number> &sums, int sign = 1, const aie::accum<Tag, Lanes> *onto = nullptr) {
    bool same = sums.size() == Lanes;
    for (unsigned i = 0; same && i < Lanes; ++i) {
        wide re = sign * sums[i].re, im = sign * sums[i].im;
        if (onto) re += onto->lane_at(i).real, im += onto->lane_at(i).imag;
        same = wide(acc.lane_at(i).real) == wrapped(re, Tag::bits);
        if constexpr (Tag::complex) same = same && wide(acc.lane_at(i).imag) == wrapped(im, Tag::bits);
    }
    return same;
}

// The shape of a prototype in UG1078: the numbers behind the registers.
template <typename Data, typename Factor, unsigned Lanes, unsigned Columns, bool High, bool XStep, bool ZStep>
struct shape {
    using data = Data;
    using factor = Factor;
    static constexpr unsigned lanes = Lanes, columns = Columns;
    static constexpr bool packed = sizeof(Data) < 4 && sizeof(Factor) < 4, bytes = sizeof(Factor) == 1;

    // The numbers of a side as a tuple, squares included if the side has them.
    static auto x_numbers(const choice &s) {
        return std::tuple_cat(std::make_tuple(s.start, unsigned(s.offsets)), only<High>(unsigned(s.offsets >> 32)), only<XStep>(s.step),
                              only<packed>(s.square));
    }
    static auto z_numbers(const choice &s) {
        return std::tuple_cat(std::make_tuple(s.start, unsigned(s.offsets)), only<High>(unsigned(s.offsets >> 32)), only<ZStep>(s.step),
                              only<bytes>(s.square));
    }
    static auto y_numbers(const choice &s) { return std::tuple_cat(std::make_tuple(s.start), only<packed>(s.square)); }

    template <bool There, typename T>
    static auto only(T value) {
        if constexpr (There) return std::make_tuple(value);
        else return std::tuple<>();
    }
};

template <typename Shape>
struct operands {
    using data = typename Shape::data;
    using factor = typename Shape::factor;
    static constexpr unsigned large = 128 / sizeof(data), small = 64 / sizeof(data), factors = 32 / sizeof(factor);
    aie::vector<data, large> x;
    aie::vector<data, small> x_small, y_small;
    aie::vector<factor, factors> z;
    choice sx, sy, sz;

    explicit operands(numbers &random) : x(random.lanes<data, large>()), x_small(random.lanes<data, small>()),
                                         y_small(random.lanes<data, small>()), z(random.lanes<factor, factors>()) {
        const int unit = Shape::packed ? 4 / int(sizeof(data)) : 1, z_unit = Shape::bytes ? 2 : 1;
        sx = {unit * int(random.below(30)), random.word(), Shape::packed ? unit * int(random.below(4)) : int(random.below(4)) - 1, square(random)};
        sz = {z_unit * int(random.below(12)), random.word(), z_unit * int(random.below(4)), square(random)};
        // Without a step the next word is taken.
        if (std::tuple_size<decltype(Shape::x_numbers(sx))>::value == 2 + (Shape::lanes == 16 && sizeof(data) + sizeof(factor) > 2) + Shape::packed)
            sx.step = 2;
        sy = {unit * int(random.below(30)), sx.offsets, -sx.step, square(random)};
        if (!Shape::bytes) sz.square = 0x3210;
        if (!Shape::packed) sx.square = sy.square = 0x3210;
    }
    static unsigned square(numbers &random) {
        unsigned s = 0;
        for (int i = 0; i < 4; ++i) s = s << 4 | random.below(4);
        return s;
    }
};

template <typename Shape, typename Mul, typename NegMul, typename Mac, typename Msc>
void plain(numbers &random, flags f, Mul mul, NegMul negmul, Mac mac, Msc msc, before how = before::nothing) {
    for (int round = 0; round < 8; ++round) {
        const operands<Shape> o(random);
        const auto arguments = std::tuple_cat(std::make_tuple(o.x), Shape::x_numbers(o.sx), std::make_tuple(o.z), Shape::z_numbers(o.sz));
        const auto want = expected(how, Shape::lanes, Shape::columns, o.x, o.sx, o.x, o.sx, o.z, o.sz, f);
        const auto product = std::apply(mul, arguments);
        CHECK(holds(product, want));
        CHECK(holds(std::apply(negmul, arguments), want, -1));
        CHECK(holds(std::apply(mac, std::tuple_cat(std::make_tuple(product), arguments)), want, 1, &product));
        CHECK(holds(std::apply(msc, std::tuple_cat(std::make_tuple(product), arguments)), want, -1, &product));
    }
}
template <typename Shape, typename Mul, typename Mac>
void views(numbers &random, before how, flags f, Mul mul, Mac msc) {
    for (int round = 0; round < 8; ++round) {
        const operands<Shape> o(random);
        const auto z = std::tuple_cat(std::make_tuple(o.z), Shape::z_numbers(o.sz));
        const auto one = std::tuple_cat(std::make_tuple(o.x), Shape::x_numbers(o.sx), Shape::y_numbers(o.sy), z);
        const auto two = std::tuple_cat(std::make_tuple(o.x_small), Shape::x_numbers(o.sx), std::make_tuple(o.y_small), Shape::y_numbers(o.sy), z);
        const auto want_one = expected(how, Shape::lanes, Shape::columns, o.x, o.sx, o.x, o.sy, o.z, o.sz, f);
        const auto want_two = expected(how, Shape::lanes, Shape::columns, o.x_small, o.sx, o.y_small, o.sy, o.z, o.sz, f);
        const auto product = std::apply(mul, one);
        CHECK(holds(product, want_one));
        CHECK(holds(std::apply(mul, two), want_two));
        CHECK(holds(std::apply(msc, std::tuple_cat(std::make_tuple(product), two)), want_two, -1, &product));
    }
}
// With a center tap: a number behind the second view.
template <typename Shape, typename Mul, typename Mac>
void center(numbers &random, before how, flags f, Mul mul, Mac mac) {
    for (int round = 0; round < 8; ++round) {
        const operands<Shape> o(random);
        f.tap = int(random.below(15));
        choice sy = o.sy;
        sy.step = -o.sx.step;
        const auto z = std::tuple_cat(std::make_tuple(o.z), Shape::z_numbers(o.sz));
        const auto two = std::tuple_cat(std::make_tuple(o.x_small), Shape::x_numbers(o.sx), std::make_tuple(o.y_small),
                                        Shape::y_numbers(sy), std::make_tuple(f.tap), z);
        const auto one = std::tuple_cat(std::make_tuple(o.x), Shape::x_numbers(o.sx), Shape::y_numbers(sy), std::make_tuple(f.tap), z);
        const auto product = std::apply(mul, one);
        CHECK(holds(product, expected(how, Shape::lanes, Shape::columns, o.x, o.sx, o.x, sy, o.z, o.sz, f)));
        CHECK(holds(std::apply(mac, std::tuple_cat(std::make_tuple(product), two)),
                    expected(how, Shape::lanes, Shape::columns, o.x_small, o.sx, o.y_small, sy, o.z, o.sz, f), 1, &product));
    }
}

#define CALL(name) [](const auto &...a) { return name(a...); }
#define FOUR(l, suffix) CALL(l##mul##suffix), CALL(l##negmul##suffix), CALL(l##mac##suffix), CALL(l##msc##suffix)
#define VIEWS(l, suffix) CALL(l##mul##suffix), CALL(l##msc##suffix)
#define REAL(Shape, l, lanes)                                                       \
    plain<Shape>(random, {}, FOUR(l, lanes));                                       \
    plain<Shape>(random, {}, FOUR(l, lanes##_abs), before::magnitude);              \
    views<Shape>(random, before::sum, {}, VIEWS(l, lanes##_sym));                   \
    views<Shape>(random, before::difference, {}, VIEWS(l, lanes##_antisym));        \
    views<Shape>(random, before::larger, {}, VIEWS(l, lanes##_max));                \
    views<Shape>(random, before::smaller, {}, VIEWS(l, lanes##_min));               \
    views<Shape>(random, before::excess, {}, VIEWS(l, lanes##_maxdiff));
#define COMPLEX(Shape, l, lanes)                                                    \
    plain<Shape>(random, {}, FOUR(l, lanes));                                       \
    plain<Shape>(random, {true, false, false, -1}, FOUR(l, lanes##_cn));            \
    plain<Shape>(random, {false, true, false, -1}, FOUR(l, lanes##_nc));            \
    plain<Shape>(random, {true, true, false, -1}, FOUR(l, lanes##_cc));             \
    plain<Shape>(random, {true, true, false, -1}, FOUR(l, lanes##_c));              \
    views<Shape>(random, before::sum, {}, VIEWS(l, lanes##_sym));                   \
    views<Shape>(random, before::difference, {}, VIEWS(l, lanes##_antisym));        \
    views<Shape>(random, before::sum, {true, false, false, -1}, VIEWS(l, lanes##_sym_cn)); \
    views<Shape>(random, before::sum, {false, true, false, -1}, VIEWS(l, lanes##_sym_nc)); \
    views<Shape>(random, before::difference, {true, true, false, -1}, VIEWS(l, lanes##_antisym_cc)); \
    views<Shape>(random, before::sum, {false, false, true, -1}, VIEWS(l, lanes##_conj_sym)); \
    views<Shape>(random, before::difference, {false, false, true, -1}, VIEWS(l, lanes##_conj_antisym));

// Registers of 16 bits, and of them with 32 and 8.
static void narrow(numbers &random) {
    using s16_16 = shape<int16, int16, 16, 2, true, false, true>;
    using s16_16_8 = shape<int16, int16, 8, 4, false, true, true>;
    using s16_32 = shape<int16, int32, 8, 2, false, true, true>;
    using s16_8 = shape<int16, int8, 16, 4, true, true, true>;
    using s8_8 = shape<int8, int8, 16, 8, false, true, true>;
    using s8_8_8 = shape<int8, int8, 8, 16, false, true, true>;
    using u8_8 = shape<uint8, int8, 16, 8, false, true, true>;
    REAL(s16_16, , 16)
    REAL(s16_16_8, , 8)
    REAL(s16_32, l, 8)
    // Two columns: the tap takes the second.
    using ct32 = shape<int16, int32, 8, 2, false, false, true>;
    center<ct32>(random, before::sum, {}, CALL(lmul8_sym_ct), CALL(lmac8_sym_ct));
    center<ct32>(random, before::difference, {}, CALL(lmul8_antisym_ct), CALL(lmac8_antisym_ct));
    plain<s16_8>(random, {}, FOUR(, 16));
    plain<s8_8>(random, {}, FOUR(, 16));
    plain<s8_8_8>(random, {}, FOUR(, 8));
    plain<u8_8>(random, {}, FOUR(, 16));
}
static void words(numbers &random) {
    using s32_16 = shape<int32, int16, 16, 1, true, false, false>;
    using s32_16_8 = shape<int32, int16, 8, 2, false, true, true>;
    using s32_32 = shape<int32, int32, 8, 1, false, false, false>;
    using s32_32_4 = shape<int32, int32, 4, 2, false, true, true>;
    REAL(s32_16, , 16)
    REAL(s32_16_8, , 8)
    REAL(s32_32, l, 8)
    REAL(s32_32_4, l, 4)
    // Two columns: the tap takes the second.
    using ct32 = shape<int32, int32, 4, 2, false, false, true>;
    center<ct32>(random, before::sum, {}, CALL(lmul4_sym_ct), CALL(lmac4_sym_ct));
    center<ct32>(random, before::difference, {}, CALL(lmul4_antisym_ct), CALL(lmac4_antisym_ct));
}
static void complex_numbers(numbers &random) {
    using c16_c16 = shape<cint16, cint16, 8, 1, false, false, false>;
    using c16_c16_4 = shape<cint16, cint16, 4, 2, false, true, true>;
    using c16_16 = shape<cint16, int16, 8, 2, false, true, true>;
    using c16_16_4 = shape<cint16, int16, 4, 4, false, true, true>;
    using s16_c16 = shape<int16, cint16, 8, 2, false, true, true>;
    using s16_c16_4 = shape<int16, cint16, 4, 4, false, true, true>;
    using s16_c32 = shape<int16, cint32, 4, 2, false, true, true>;
    using c16_32 = shape<cint16, int32, 4, 2, false, true, true>;
    using s32_c16 = shape<int32, cint16, 4, 2, false, true, true>;
    using c32_c16 = shape<cint32, cint16, 2, 2, false, true, true>;
    using c32_c32 = shape<cint32, cint32, 2, 1, false, false, false>;
    using c32_16 = shape<cint32, int16, 4, 2, false, true, true>;
    COMPLEX(c16_c16, , 8)
    COMPLEX(c16_c16_4, , 4)
    COMPLEX(c32_c16, l, 2)
    COMPLEX(c32_c32, l, 2)
    plain<c16_16>(random, {}, FOUR(, 8));
    plain<c16_16>(random, {true, false, false, -1}, FOUR(, 8_c));
    plain<c16_16_4>(random, {}, FOUR(, 4));
    plain<s16_c16>(random, {}, FOUR(, 8));
    plain<s16_c16_4>(random, {false, true, false, -1}, FOUR(, 4_c));
    plain<s16_c16>(random, {false, true, false, -1}, FOUR(, 8_abs_c), before::magnitude);
    plain<s16_c32>(random, {}, FOUR(l, 4));
    plain<c16_32>(random, {}, FOUR(l, 4));
    views<s16_c16_4>(random, before::sum, {}, VIEWS(, 4_sym));
    center<s16_c16_4>(random, before::sum, {}, CALL(mul4_sym_ct), CALL(mac4_sym_ct));
    center<shape<int16, cint16, 8, 2, false, false, true>>(random, before::difference, {}, CALL(mul8_antisym_ct), CALL(mac8_antisym_ct));
    plain<s32_c16>(random, {}, FOUR(l, 4));
    plain<c32_16>(random, {}, FOUR(l, 4));
    views<c16_16_4>(random, before::sum, {}, VIEWS(, 4_sym));
    center<c16_16_4>(random, before::sum, {}, CALL(mul4_sym_ct), CALL(mac4_sym_ct));
    center<c16_16_4>(random, before::difference, {}, CALL(mul4_antisym_ct), CALL(mac4_antisym_ct));
    using ct = shape<cint16, cint16, 4, 2, false, false, true>;
    center<ct>(random, before::sum, {}, CALL(mul4_sym_ct), CALL(mac4_sym_ct));
    center<ct>(random, before::sum, {true, false, false, 0}, CALL(mul4_sym_ct_cn), CALL(mac4_sym_ct_cn));
}

// The examples of UG1079: "MAC on 16x16 bits", "MAC on 8x8 bits".
static void examples() {
    v64int8 bytes;
    v32int16 shorts;
    for (int i = 0; i < 64; ++i) bytes[unsigned(i)] = int8(i);
    for (int i = 0; i < 32; ++i) shorts[unsigned(i)] = int16(i);
    v16int16 one_column(1);
    const auto first = mul8(shorts, 0, 0x24, 2, 0x3210, one_column, 0, 0, 4);
    CHECK(first.lane_at(0).real == 8 && first.lane_at(1).real == 14); // 0x24: 8, 9 and 14, 15
    const auto turned = mul8(shorts, 0, 0, 2, 0x2103, one_column, 0, 0, 4);
    CHECK(turned.lane_at(0).real == 3 && turned.lane_at(1).real == 1); // 3, 0 and 1, 2
    v32int8 one_byte(1);
    const auto quads = mul16(bytes, 0, 0x24, 0, 0x3210, one_byte, 0, 0, 8, 0x1010);
    CHECK(quads.lane_at(0).real == 16 && quads.lane_at(1).real == 28 && quads.lane_at(2).real == 18 && quads.lane_at(3).real == 30);

    // Matrices of 4 by 8 and 8 by 4 bytes, with the numbers that AMD's open API multiplies them
    // with (Xilinx/aie_api, mmul_8_8.hpp).
    numbers random(5);
    const auto a = random.lanes<int8, 32>(), b = random.lanes<int8, 32>();
    const auto c = mul16(b.grow<64>(), 0, 0x00000000, 8, 0x3120, a, 0, 0xcc884400, 2, 0x3210);
    const auto wide_a = random.lanes<int16, 16>();
    const auto small_b = random.lanes<int8, 16>();
    const auto d = mul16(wide_a.grow<32>(), 0, 0x02020000, 0x06060404, 2, 0x1010, small_b.grow<32>(), 0, 0x31203120, 0x31203120, 8, 0x3120);
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) {
            std::int64_t sum = 0, other = 0;
            for (unsigned k = 0; k < 8; ++k) sum += a[8 * row + k] * b[4 * k + column];
            for (unsigned k = 0; k < 4; ++k) other += wide_a[4 * row + k] * small_b[4 * k + column];
            CHECK(c.lane_at(4 * row + column).real == sum && d.lane_at(4 * row + column).real == other);
        }
    // Matrices of 16 by 32 bits (mmul_16_32.hpp): two rows and two columns of a matrix of 4
    // columns, a row of the other.
    const auto row_b = random.lanes<int32, 8>();
    const auto e = lmul8(wide_a.grow<32>(), 0, 0x44440000, 1, row_b, 0, 0x32103210, 4);
    for (unsigned row = 0; row < 2; ++row)
        for (unsigned column = 0; column < 4; ++column) {
            std::int64_t sum = 0;
            for (unsigned k = 0; k < 2; ++k) sum += std::int64_t(wide_a[4 * row + k]) * row_b[4 * k + column];
            CHECK(e.lane_at(4 * row + column).real == sum);
        }
}

// A symmetric filter of seven taps in one call, and one whose upper lanes pass on the middle tap
// (UG1529, sliding_mul_sym_uct_ops).
static void filters() {
    numbers random(6);
    const auto x = random.lanes<cint16, 32>();
    const auto taps = random.lanes<int16, 16>();
    const auto seven = mul4_sym_ct(x, 5, 0x3210, 1, 11, 3, taps, 2, 0x0000, 1);
    for (int lane = 0; lane < 4; ++lane) {
        number sum;
        for (int k = 0; k < 7; ++k) sum = sum + at(x, 5 + lane + k) * at(taps, 2 + (k < 4 ? k : 6 - k));
        CHECK(wide(seven.lane_at(unsigned(lane)).real) == sum.re && wide(seven.lane_at(unsigned(lane)).imag) == sum.im);
    }
    const auto c = random.lanes<cint16, 8>();
    const auto both = mul4_sym_uct(x, 3, 0x3210, 1, 6, 1, 7, c, 0, 0x0000, 1);
    for (int lane = 0; lane < 4; ++lane) {
        number sum;
        for (int k = 0; k < 2; ++k) sum = sum + (at(x, 3 + lane + k) + at(x, 6 + lane - k)) * at(c, k);
        const number middle = at(x, 5 + lane);
        CHECK(wide(both.lane_at(unsigned(lane)).real) == sum.re && wide(both.lane_at(unsigned(lane)).imag) == sum.im);
        CHECK(wide(both.lane_at(unsigned(lane) + 4).real) == middle.re * 128 && wide(both.lane_at(unsigned(lane) + 4).imag) == middle.im * 128);
    }
}

// Registers without numbers, one register for both sides, conjugation as a number.
static void shorter_forms() {
    numbers random(7);
    const auto a = random.lanes<int16, 16>(), b = random.lanes<int16, 16>();
    const auto products = mul(a, b), more = mac(products, a, b), fewer = msc(products, a, b), sixteen = mul16(a, b), minus = negmul(a, b);
    for (unsigned i = 0; i < 16; ++i) {
        const std::int64_t p = std::int64_t(a[i]) * b[i];
        CHECK(products.lane_at(i).real == p && more.lane_at(i).real == 2 * p && fewer.lane_at(i).real == 0);
        CHECK(sixteen.lane_at(i).real == p && minus.lane_at(i).real == -p);
    }
    const auto large = random.lanes<int16, 64>();
    const choice x{4, 0x03020100, 2, 0x3210}, z{10, 0x13020010, 4, 0x3210};
    const auto self = mul8(large, 4, 0x03020100, 2, 10, 0x13020010, 4);
    const table tx = data_table(2, 2, 8, 4, x), tz = data_table(2, 2, 8, 4, z);
    for (unsigned l = 0; l < 8; ++l) {
        std::int64_t sum = 0;
        for (unsigned c = 0; c < 4; ++c) sum += std::int64_t(large[unsigned(tx[l][c]) % 64]) * large[unsigned(tz[l][c]) % 64];
        CHECK(self.lane_at(l).real == sum);
    }
    const auto halves = mul8(large.extract<32>(0), large.extract<32>(1), 4, 0x03020100, 2, 10, 0x13020010, 4);
    const auto squares = mul8(random.lanes<int16, 8>());
    for (unsigned l = 0; l < 8; ++l) CHECK(halves.lane_at(l).real == self.lane_at(l).real && squares.lane_at(l).real >= 0);

    const auto u = random.lanes<cint16, 16>();
    const auto w = random.lanes<cint16, 8>();
    const auto flagged = mul8(u, 1, 0x76543210, true, w, 2, 0x11110000, false), named = mul8_cn(u, 1, 0x76543210, w, 2, 0x11110000);
    const auto twice = msc8_sym(flagged, u, 1, 0x76543210, 1, false, w, 2, 0x11110000, true);
    const auto other = msc8_sym_nc(flagged, u, 1, 0x76543210, 1, w, 2, 0x11110000);
    for (unsigned l = 0; l < 8; ++l) {
        CHECK(flagged.lane_at(l).real == named.lane_at(l).real && flagged.lane_at(l).imag == named.lane_at(l).imag);
        CHECK(twice.lane_at(l).real == other.lane_at(l).real && twice.lane_at(l).imag == other.lane_at(l).imag);
    }
}

int main() {
    numbers random(23);
    examples();
    filters();
    shorter_forms();
    narrow(random);
    words(random);
    complex_numbers(random);
    return check::result();
}
