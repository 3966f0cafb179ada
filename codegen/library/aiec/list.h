// A list of fixed length, possibly empty: ports, counts.
#pragma once

namespace aiec {

template <typename Item, unsigned Count>
struct list {
    Item items[Count];
    constexpr Item &operator[](unsigned at) { return items[at]; }
    constexpr const Item &operator[](unsigned at) const { return items[at]; }
};

// The empty list. Its elements are never accessed.
template <typename Item>
struct list<Item, 0> {
    constexpr Item operator[](unsigned) const { return Item(); }
};

// `Count` items from `first` on.
template <unsigned Count, typename Item, unsigned All>
constexpr list<Item, Count> part(const list<Item, All> &all, [[maybe_unused]] unsigned first) {
    list<Item, Count> some{};
    if constexpr (Count > 0) {
        for (unsigned i = 0; i < Count; ++i) {
            some[i] = all[first + i];
        }
    }
    return some;
}

// Windows that come from, or go to, each of `Count` neighbours in one call.
template <unsigned Count>
using counts = list<unsigned, Count>;

} // namespace aiec
