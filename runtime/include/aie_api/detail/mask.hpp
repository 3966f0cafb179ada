// aie::mask: one bit for every lane of a vector (UG1529, "aie::mask"). Bit 0 belongs to lane 0.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace aie {

template <unsigned Lanes>
class mask {
public:
    static constexpr unsigned num_words = (Lanes + 31) / 32;

    constexpr explicit mask(bool all = false) {
        for (unsigned i = 0; i < num_words; ++i) words_[i] = all ? used(i) : 0;
    }
    // From constants, lanes 0 to 31 (or 63) first.
    template <typename Word, typename... Words, typename = std::enable_if_t<std::is_integral<Word>::value &&
                                                                          !std::is_same<Word, bool>::value>>
    constexpr explicit mask(Word first, Words... more) {
        unsigned next = 0;
        put(next, first);
        (put(next, more), ...);
    }

    template <typename... Words>
    static constexpr mask from_uint32(Words... words) { return mask(std::uint32_t(words)...); }
    template <typename... Words>
    static constexpr mask from_uint64(Words... words) { return mask(std::uint64_t(words)...); }
    // The bits of smaller masks behind each other.
    template <unsigned PartLanes, typename... Masks>
    static constexpr mask from_masks(const mask<PartLanes> &first, const Masks &...more) {
        mask all;
        unsigned part = 0;
        all.place(part, first);
        (all.place(part, more), ...);
        return all;
    }

    static constexpr unsigned size() { return Lanes; }
    constexpr bool test(unsigned i) const { return words_[i / 32] >> (i % 32) & 1U; }
    constexpr void set(unsigned i) { words_[i / 32] |= 1U << (i % 32); }
    constexpr void set(unsigned i, bool on) { on ? set(i) : clear(i); }
    constexpr void set() { *this = mask(true); }
    constexpr void clear(unsigned i) { words_[i / 32] &= ~(1U << (i % 32)); }
    constexpr void clear() { *this = mask(); }

    // Lanes that are set; set lanes before the first clear one are not special.
    constexpr unsigned count() const {
        unsigned n = 0;
        for (unsigned i = 0; i < Lanes; ++i) n += test(i);
        return n;
    }
    constexpr bool empty() const { return count() == 0; }
    constexpr bool full() const { return count() == Lanes; }
    // Clear lanes above the highest set one.
    constexpr unsigned clz() const {
        unsigned n = 0;
        while (n < Lanes && !test(Lanes - 1 - n)) ++n;
        return n;
    }
    // Clear lanes below the lowest set one.
    constexpr unsigned ctz() const {
        unsigned n = 0;
        while (n < Lanes && !test(n)) ++n;
        return n;
    }

    constexpr const std::array<unsigned, num_words> &data() const { return words_; }
    constexpr std::uint32_t to_uint32() const {
        static_assert(Lanes <= 32, "the mask has more lanes than the word has bits");
        return words_[0];
    }
    constexpr std::uint64_t to_uint64() const {
        static_assert(Lanes <= 64, "the mask has more lanes than the word has bits");
        std::uint64_t word = 0;
        for (unsigned i = 0; i < num_words; ++i) word |= std::uint64_t(words_[i]) << (32 * i);
        return word;
    }
    // The `part`-th group of `PartLanes` lanes.
    template <unsigned PartLanes>
    constexpr mask<PartLanes> get_submask(unsigned part) const {
        mask<PartLanes> m;
        for (unsigned i = 0; i < PartLanes; ++i) m.set(i, test(part * PartLanes + i));
        return m;
    }
    template <unsigned PartLanes>
    constexpr mask<PartLanes> extract(unsigned part) const { return get_submask<PartLanes>(part); }

    constexpr mask operator&(const mask &o) const { return zip(o, [](unsigned a, unsigned b) { return a & b; }); }
    constexpr mask operator|(const mask &o) const { return zip(o, [](unsigned a, unsigned b) { return a | b; }); }
    constexpr mask operator^(const mask &o) const { return zip(o, [](unsigned a, unsigned b) { return a ^ b; }); }
    constexpr mask operator~() const { return *this ^ mask(true); }
    // Shifts lanes up and drops those that leave.
    constexpr mask operator<<(unsigned by) const {
        mask m;
        for (unsigned i = by; i < Lanes; ++i) m.set(i, test(i - by));
        return m;
    }
    constexpr mask operator>>(unsigned by) const {
        mask m;
        for (unsigned i = by; i < Lanes; ++i) m.set(i - by, test(i));
        return m;
    }
    constexpr mask &operator&=(const mask &o) { return *this = *this & o; }
    constexpr mask &operator|=(const mask &o) { return *this = *this | o; }
    constexpr mask &operator^=(const mask &o) { return *this = *this ^ o; }
    constexpr mask &operator<<=(unsigned by) { return *this = *this << by; }
    constexpr mask &operator>>=(unsigned by) { return *this = *this >> by; }
    constexpr bool operator==(const mask &o) const {
        for (unsigned i = 0; i < num_words; ++i)
            if (words_[i] != o.words_[i]) return false;
        return true;
    }
    constexpr bool operator!=(const mask &o) const { return !(*this == o); }

private:
    static constexpr unsigned used(unsigned word) {
        return word + 1 < num_words || Lanes % 32 == 0 ? ~0U : (1U << (Lanes % 32)) - 1;
    }
    template <typename Word>
    constexpr void put(unsigned &next, Word word) {
        const auto bits = std::uint64_t(std::make_unsigned_t<Word>(word));
        for (unsigned half = 0; half < (sizeof(Word) > 4 ? 2 : 1) && next < num_words; ++half, ++next)
            words_[next] = unsigned(bits >> (32 * half)) & used(next);
    }
    template <unsigned PartLanes>
    constexpr void place(unsigned &part, const mask<PartLanes> &m) {
        for (unsigned i = 0; i < PartLanes && part + i < Lanes; ++i) set(part + i, m.test(i));
        part += PartLanes;
    }
    template <typename Combine>
    constexpr mask zip(const mask &o, Combine combine) const {
        mask m;
        for (unsigned i = 0; i < num_words; ++i) m.words_[i] = combine(words_[i], o.words_[i]);
        return m;
    }

    std::array<unsigned, num_words> words_{};
};

} // namespace aie
