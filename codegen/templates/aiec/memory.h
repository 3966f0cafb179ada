// Memory of a rank as passes over windows see it (windows.h): where the next elements are, and what is done with them.
#pragma once

#include <aie_api/aie.hpp>

namespace aiec {

template <typename V>
inline constexpr bool is_vector = false;
template <typename T, unsigned Lanes>
inline constexpr bool is_vector<aie::vector<T, Lanes>> = true;

// --- where ----------------------------------------------------------------------------------------------------------

// Walks through an array. `Aligned`: every vector starts at a multiple of its size.
template <typename T, bool Aligned>
class cursor {
public:
    static constexpr bool has_vectors = true;

    explicit cursor(T *at) : at_(at) {}

    template <typename V>
    V load() const {
        if constexpr (!is_vector<V>) {
            return *at_;
        } else if constexpr (Aligned) {
            return aie::load_v<V::size()>(at_);
        } else {
            return aie::load_unaligned_v<V::size()>(at_);
        }
    }
    template <typename V>
    void store(const V &value) {
        if constexpr (!is_vector<V>) {
            *at_ = value;
        } else if constexpr (Aligned) {
            aie::store_v(at_, value);
        } else {
            aie::store_unaligned_v(at_, value);
        }
    }
    template <typename V>
    void advance() {
        if constexpr (is_vector<V>) {
            at_ += V::size();
        } else {
            ++at_;
        }
    }

private:
    T *__restrict at_;
};

// Walks through runs of `Run` elements that start every `Stride` elements.
template <typename T, unsigned Run, unsigned Stride>
class strided_cursor {
public:
    static constexpr bool has_vectors = false;

    // Begins at element `first` of those in runs.
    strided_cursor(T *base, unsigned first)
        : at_(base + first / Run * Stride + first % Run), left_(Run - first % Run) {}

    template <typename V>
    V load() const { return *at_; }
    template <typename V>
    void store(const V &value) { *at_ = value; }
    template <typename V>
    void advance() {
        ++at_;
        if (--left_ == 0) {
            at_ += Stride - Run;
            left_ = Run;
        }
    }

private:
    T *__restrict at_;
    unsigned left_; // of this run
};

// The next element or vector.
template <typename V, typename Cursor>
V take(Cursor &from) {
    const V value = from.template load<V>();
    from.template advance<V>();
    return value;
}

// Stores the next element or vector.
template <typename V, typename Cursor>
void put(Cursor &to, const V &value) {
    to.template store<V>(value);
    to.template advance<V>();
}

// --- what -----------------------------------------------------------------------------------------------------------

// What a pass does with memory. Each has the own data that takes part, if there is any, and is told what the rank took
// from the ports before it, and what came out in the end.

struct no_memory {
    static constexpr bool has_own = false, has_vectors = true;
    template <typename V>
    void taken(const V &) {}
    template <typename V>
    void keep(const V &) {}
};

// Own data goes in.
template <typename Cursor>
struct reads : no_memory {
    static constexpr bool has_own = true, has_vectors = Cursor::has_vectors;
    explicit reads(Cursor from) : from_(from) {}
    template <typename V>
    V own() { return take<V>(from_); }

private:
    Cursor from_;
};

// The outcome is stored.
template <typename Cursor>
struct stores : no_memory {
    static constexpr bool has_vectors = Cursor::has_vectors;
    explicit stores(Cursor to) : to_(to) {}
    template <typename V>
    void keep(const V &value) { put(to_, value); }

private:
    Cursor to_;
};

// Own data goes in, and the outcome is stored elsewhere.
template <typename From, typename To>
struct moves : no_memory {
    static constexpr bool has_own = true, has_vectors = From::has_vectors && To::has_vectors;
    moves(From from, To to) : from_(from), to_(to) {}
    template <typename V>
    V own() { return take<V>(from_); }
    template <typename V>
    void keep(const V &value) { put(to_, value); }

private:
    From from_;
    To to_;
};

// Own data goes in, and the outcome replaces it.
template <typename Cursor>
struct updates : no_memory {
    static constexpr bool has_own = true, has_vectors = Cursor::has_vectors;
    explicit updates(Cursor data) : data_(data) {}
    template <typename V>
    V own() const { return data_.template load<V>(); }
    template <typename V>
    void keep(const V &value) { put(data_, value); }

private:
    Cursor data_;
};

// Own data goes in, and what was taken before it replaces it.
template <typename Cursor>
struct replaces : no_memory {
    static constexpr bool has_own = true, has_vectors = Cursor::has_vectors;
    explicit replaces(Cursor data) : data_(data) {}
    template <typename V>
    V own() const { return data_.template load<V>(); }
    template <typename V>
    void taken(const V &value) { put(data_, value); }

private:
    Cursor data_;
};

} // namespace aiec
