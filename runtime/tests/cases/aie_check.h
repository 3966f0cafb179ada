// Shared code of the AIE API tests: a seeded source of numbers that favours edge values, and CHECK,
// which names the line.
#pragma once

#include <aie_api/aie.hpp>
#include <cstdio>
#include <limits>

namespace check {

inline int failures = 0;

struct context {
    const char *what = "";
};
inline context &current() {
    static context c;
    return c;
}

inline void failed(int line, const char *condition) {
    if (++failures <= 20) std::printf("line %d: %s %s\n", line, condition, current().what);
}

// xorshift64*: equal numbers in every run.
class numbers {
public:
    explicit numbers(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
    std::uint64_t word() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1DULL;
    }
    unsigned below(unsigned n) { return unsigned(word() % n); }

    // One in four integers is an edge of its type.
    template <typename T>
    T any() {
        if constexpr (aie::sim::is_complex_v<T>) {
            using P = aie::sim::part_t<T>;
            const P re = any<P>();
            return T(re, any<P>());
        } else if constexpr (aie::sim::is_float_v<T>) {
            return T(float(int(below(4001)) - 2000) / 16.0F);
        } else {
            static const T edges[] = {T(0), T(1), T(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                                      T(std::numeric_limits<T>::min() + 1)};
            return below(4) == 0 ? edges[below(6)] : T(word() >> 13);
        }
    }
    template <typename T, unsigned N>
    aie::vector<T, N> lanes() {
        aie::vector<T, N> v;
        for (unsigned i = 0; i < N; ++i) v[i] = any<T>();
        return v;
    }

private:
    std::uint64_t state_;
};

// Sets the modes of the core for a scope.
struct modes {
    modes(aie::rounding_mode r, aie::saturation_mode s)
        : rounding(aie::swap_rounding(r)), saturation(aie::swap_saturation(s)) {}
    ~modes() {
        aie::set_rounding(rounding);
        aie::set_saturation(saturation);
    }
    aie::rounding_mode rounding;
    aie::saturation_mode saturation;
};

inline int result() {
    if (failures > 20) std::printf("and %d more\n", failures - 20);
    return failures == 0 ? 0 : 1;
}

} // namespace check

#define CHECK(...)                                                       \
    do {                                                                 \
        if (!(__VA_ARGS__)) check::failed(__LINE__, #__VA_ARGS__);       \
    } while (false)
