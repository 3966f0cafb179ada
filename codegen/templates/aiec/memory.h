// Memory of a rank as passes over windows see it (windows.h): where the next elements are, and what is done with them.
#pragma once

#include <aie_api/aie.hpp>

namespace aiec {

template <typename Vector>
inline constexpr bool is_vector = false;
template <typename Element, unsigned Lanes>
inline constexpr bool is_vector<aie::vector<Element, Lanes>> = true;

// --- where ----------------------------------------------------------------------------------------------------------

// Walks through an array. `Aligned`: every vector starts at a multiple of its size.
template <typename Element, bool Aligned>
class cursor {
public:
    static constexpr bool has_vectors = true;

    explicit cursor(Element *at) : at_(at) {}

    template <typename Vector>
    Vector load() const {
        if constexpr (!is_vector<Vector>) {
            return *at_;
        } else if constexpr (Aligned) {
            return aie::load_v<Vector::size()>(at_);
        } else {
            return aie::load_unaligned_v<Vector::size()>(at_);
        }
    }
    template <typename Vector>
    void store(const Vector &value) {
        if constexpr (!is_vector<Vector>) {
            *at_ = value;
        } else if constexpr (Aligned) {
            aie::store_v(at_, value);
        } else {
            aie::store_unaligned_v(at_, value);
        }
    }
    template <typename Vector>
    void advance() {
        if constexpr (is_vector<Vector>) {
            at_ += Vector::size();
        } else {
            ++at_;
        }
    }

private:
    Element *__restrict at_;
};

// Walks through runs of `Run` elements that start every `Stride` elements.
template <typename Element, unsigned Run, unsigned Stride>
class strided_cursor {
public:
    static constexpr bool has_vectors = false;

    // Begins at element `first` of those in runs.
    strided_cursor(Element *base, unsigned first)
        : at_(base + first / Run * Stride + first % Run), left_(Run - first % Run) {}

    template <typename Vector>
    Vector load() const { return *at_; }
    template <typename Vector>
    void store(const Vector &value) { *at_ = value; }
    template <typename Vector>
    void advance() {
        ++at_;
        if (--left_ == 0) {
            at_ += Stride - Run;
            left_ = Run;
        }
    }

private:
    Element *__restrict at_;
    unsigned left_; // of this run
};

// The next element or vector.
template <typename Vector, typename Cursor>
Vector take(Cursor &from) {
    const Vector value = from.template load<Vector>();
    from.template advance<Vector>();
    return value;
}

// Stores the next element or vector.
template <typename Vector, typename Cursor>
void put(Cursor &to, const Vector &value) {
    to.template store<Vector>(value);
    to.template advance<Vector>();
}

// --- what -----------------------------------------------------------------------------------------------------------

// What a pass does with memory. Each has the own data that takes part, if there is any, and is told what the rank took
// from the ports before it, and what came out in the end.

struct no_memory {
    static constexpr bool has_own = false, has_vectors = true;
    template <typename Vector>
    void taken(const Vector &) {}
    template <typename Vector>
    void keep(const Vector &) {}
};

// Own data goes in.
template <typename Cursor>
struct reads : no_memory {
    static constexpr bool has_own = true, has_vectors = Cursor::has_vectors;
    explicit reads(Cursor from) : from_(from) {}
    template <typename Vector>
    Vector own() { return take<Vector>(from_); }

private:
    Cursor from_;
};

// The outcome is stored.
template <typename Cursor>
struct stores : no_memory {
    static constexpr bool has_vectors = Cursor::has_vectors;
    explicit stores(Cursor to) : to_(to) {}
    template <typename Vector>
    void keep(const Vector &value) { put(to_, value); }

private:
    Cursor to_;
};

// Own data goes in, and the outcome is stored elsewhere.
template <typename From, typename To>
struct moves : no_memory {
    static constexpr bool has_own = true, has_vectors = From::has_vectors && To::has_vectors;
    moves(From from, To to) : from_(from), to_(to) {}
    template <typename Vector>
    Vector own() { return take<Vector>(from_); }
    template <typename Vector>
    void keep(const Vector &value) { put(to_, value); }

private:
    From from_;
    To to_;
};

// Own data goes in, and the outcome replaces it.
template <typename Cursor>
struct updates : no_memory {
    static constexpr bool has_own = true, has_vectors = Cursor::has_vectors;
    explicit updates(Cursor data) : data_(data) {}
    template <typename Vector>
    Vector own() const { return data_.template load<Vector>(); }
    template <typename Vector>
    void keep(const Vector &value) { put(data_, value); }

private:
    Cursor data_;
};

// Own data goes in, and what was taken before it replaces it.
template <typename Cursor>
struct replaces : no_memory {
    static constexpr bool has_own = true, has_vectors = Cursor::has_vectors;
    explicit replaces(Cursor data) : data_(data) {}
    template <typename Vector>
    Vector own() const { return data_.template load<Vector>(); }
    template <typename Vector>
    void taken(const Vector &value) { put(data_, value); }

private:
    Cursor data_;
};

} // namespace aiec
