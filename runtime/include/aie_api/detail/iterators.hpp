// Iterators over plain arrays (the buffer-port iterators have no counterpart here).
#pragma once

#include "elementwise.hpp"

namespace aie {

template <typename T>
T *begin(T *data, std::size_t /*count*/ = 0) {
    return data;
}
template <typename T>
const T *cbegin(const T *data, std::size_t /*count*/ = 0) {
    return data;
}

// Steps through an array N elements at a time; reads by value, writes through the proxy that `*` gives.
template <unsigned N, typename T, typename Element>
class vector_iterator {
public:
    class slot {
    public:
        explicit slot(T *at) : at_(at) {}
        operator vector<Element, N>() const { return load_v<N>(static_cast<const Element *>(at_)); }
        const slot &operator=(const vector<Element, N> &v) const {
            store_v(at_, v);
            return *this;
        }

    private:
        T *at_;
    };

    explicit vector_iterator(T *at) : at_(at) {}
    slot operator*() const { return slot(at_); }
    vector_iterator &operator++() {
        at_ += N;
        return *this;
    }
    vector_iterator operator++(int) {
        const vector_iterator before = *this;
        at_ += N;
        return before;
    }
    vector_iterator &operator+=(std::ptrdiff_t vectors) {
        at_ += vectors * std::ptrdiff_t(N);
        return *this;
    }
    bool operator==(const vector_iterator &o) const { return at_ == o.at_; }
    bool operator!=(const vector_iterator &o) const { return at_ != o.at_; }

private:
    T *at_;
};

template <unsigned N, typename T>
vector_iterator<N, T, T> begin_vector(T *data) {
    return vector_iterator<N, T, T>(data);
}
template <unsigned N, typename T>
vector_iterator<N, const T, T> cbegin_vector(const T *data) {
    return vector_iterator<N, const T, T>(data);
}

} // namespace aie
