// The AI Engine API after its reference (UG1529), to be compiled against: see ../adf.h. Sections of
// UG1529 are named below.
#pragma once

#include "../adf.h"

// "Basic Types": tags of accumulators.
struct acc32;
struct acc48;
struct acc80;
struct cacc48;
struct cacc80;
struct accfloat;
struct caccfloat;

namespace aie {

template <typename Tag, unsigned Lanes>
class accum;

// "Basic Types": aie::vector.
template <typename T, unsigned Lanes>
class vector {
public:
    using value_type = T;
    static constexpr unsigned size() { return Lanes; }

    vector();
    vector(const vector &) = default;
    vector &operator=(const vector &) = default;
    template <typename To>
    vector<To, Lanes * sizeof(T) / sizeof(To)> cast_to() const;
    template <unsigned Part>
    vector<T, Part> extract(unsigned) const;
    template <unsigned Part>
    vector &insert(unsigned, const vector<T, Part> &);
    template <unsigned Whole>
    vector<T, Whole> grow(unsigned = 0) const;
    void set(const T &, unsigned);
    T get(unsigned) const;
    T operator[](unsigned) const;
    void push(const T &);
    template <typename To>
    vector<To, Lanes> pack() const;
    template <typename To>
    vector<To, Lanes> unpack() const;

private:
    unsigned char bits_[Lanes * sizeof(T)];
};

// "Basic Types": aie::accum.
template <typename Tag, unsigned Lanes>
class accum {
public:
    using value_type = Tag;
    static constexpr unsigned size() { return Lanes; }

    accum();
    accum(const accum &) = default;
    accum &operator=(const accum &) = default;
    template <typename T>
    explicit accum(const vector<T, Lanes> &, int shift = 0);
    template <typename T>
    void from_vector(const vector<T, Lanes> &, int shift = 0);
    template <typename T>
    vector<T, Lanes> to_vector(int shift = 0) const;

private:
    unsigned char bits_[Lanes * 16];
};

// "Arithmetic": the accumulator of a product on AIE, which is 48 bits wide where the operands have
// 48 together, otherwise 80.
template <typename A, typename B>
struct product;
template <typename T>
constexpr bool is_one_byte = sizeof(T) == 1;
template <bool Wide>
struct whole_product {
    using type = acc48;
};
template <>
struct whole_product<true> {
    using type = acc80;
};
template <typename A, typename B>
struct product : whole_product<(sizeof(A) + sizeof(B) > 6)> {};
template <> struct product<float, float> { using type = accfloat; };
template <> struct product<cfloat, cfloat> { using type = caccfloat; };
template <> struct product<cint16, cint16> { using type = cacc48; };
template <> struct product<cint32, cint32> { using type = cacc80; };
template <typename A, typename B>
using product_t = typename product<A, B>::type;

template <typename T, unsigned Lanes>
vector<T, Lanes> add(const vector<T, Lanes> &, const vector<T, Lanes> &);
template <typename T, unsigned Lanes>
vector<T, Lanes> sub(const vector<T, Lanes> &, const vector<T, Lanes> &);
template <typename A, typename B, unsigned Lanes>
accum<product_t<A, B>, Lanes> mul(const vector<A, Lanes> &, const vector<B, Lanes> &);
template <typename T, unsigned Lanes>
accum<product_t<T, T>, Lanes> mul(const vector<T, Lanes> &, const typename itself<T>::type &);
template <typename Tag, typename A, typename B, unsigned Lanes>
accum<Tag, Lanes> mac(const accum<Tag, Lanes> &, const vector<A, Lanes> &, const vector<B, Lanes> &);
template <typename Tag, typename T, unsigned Lanes>
accum<Tag, Lanes> mac(const accum<Tag, Lanes> &, const vector<T, Lanes> &, const typename itself<T>::type &);

// "Comparisons".
template <typename T, unsigned Lanes>
vector<T, Lanes> min(const vector<T, Lanes> &, const vector<T, Lanes> &);
template <typename T, unsigned Lanes>
vector<T, Lanes> max(const vector<T, Lanes> &, const vector<T, Lanes> &);

// "Bit-wise Operations".
template <typename T, unsigned Lanes>
vector<T, Lanes> bit_and(const vector<T, Lanes> &, const vector<T, Lanes> &);
template <typename T, unsigned Lanes>
vector<T, Lanes> bit_or(const vector<T, Lanes> &, const vector<T, Lanes> &);
template <typename T, unsigned Lanes>
vector<T, Lanes> bit_xor(const vector<T, Lanes> &, const vector<T, Lanes> &);

// UG1079 "Vector Reduction".
template <typename T, unsigned Lanes>
T reduce_add(const vector<T, Lanes> &);

// What has elements of a type, or lanes of a tag.
template <typename T, unsigned Lanes>
struct holder {
    using type = vector<T, Lanes>;
};
template <unsigned Lanes>
struct holder<accfloat, Lanes> {
    using type = accum<accfloat, Lanes>;
};

// "Initialization", "Memory", "Reshaping".
template <typename T, unsigned Lanes>
typename holder<T, Lanes>::type zeros();
template <typename T, unsigned Lanes>
vector<T, Lanes> broadcast(const typename itself<T>::type &);
template <unsigned Lanes, typename T>
vector<T, Lanes> load_v(T *);
template <unsigned Lanes, typename T>
vector<T, Lanes> load_v(const T *);
template <unsigned Lanes, typename T>
vector<T, Lanes> load_unaligned_v(const T *);
template <unsigned Lanes, typename T>
vector<T, Lanes> load_unaligned_v(T *);
template <typename T, unsigned Lanes>
void store_v(T *, const vector<T, Lanes> &);
template <typename T, unsigned Lanes>
void store_unaligned_v(T *, const vector<T, Lanes> &);
template <typename T, unsigned Lanes>
vector<T, 2 * Lanes> concat(const vector<T, Lanes> &, const vector<T, Lanes> &);

// UG1079 "Rounding and Saturation Modes".
enum class saturation_mode : unsigned { none = 0, truncate = 1, saturate = 1, symmetric = 3 };
void set_saturation(saturation_mode);
saturation_mode get_saturation();

// UG1529 "Tile".
class tile {
public:
    static tile current();
    unsigned long long cycles() const;
};

} // namespace aie
