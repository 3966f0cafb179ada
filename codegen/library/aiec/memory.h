// Memory of a rank as passes over windows (windows.h) access it: the source of own data, and the
// target of results.
//
// A place is the position of the next elements: a pointer, or an object that is read and advanced
// like one. Loops get places as parameters, and pointers among them as `__restrict`: compilers keep
// that for parameters, not for members.
#pragma once

#include <type_traits>

#include <aie_api/aie.hpp>

namespace aiec {

template <typename Vector>
inline constexpr bool is_vector = false;
template <typename Element, unsigned Lanes>
inline constexpr bool is_vector<aie::vector<Element, Lanes>> = true;

// Number of elements in a value: one, or those of a vector.
template <typename Value>
constexpr unsigned elements_of() {
    if constexpr (is_vector<Value>) {
        return Value::size();
    } else {
        return 1;
    }
}

// --- places --------------------------------------------------------------------------------------

// No place: nothing is read or stored.
struct nowhere {
    static constexpr bool has_vectors = true;
    nowhere &operator+=(unsigned) { return *this; }
};

// Runs of `Run` elements that start every `Stride` elements.
template <typename Element, unsigned Run, unsigned Stride>
class strided {
public:
    static constexpr bool has_vectors = false;

    // Begins at element `first`, counted over the runs.
    strided(Element *base, unsigned first)
        : at_(base + first / Run * Stride + first % Run), left_(Run - first % Run) {}

    template <typename Value>
    Value load() const { return *at_; }
    template <typename Value>
    void store(const Value &value) const { *at_ = value; }
    // Stops at the end of this run.
    strided &operator+=(unsigned elements) {
        at_ += elements;
        left_ -= elements;
        if (left_ == 0) {
            at_ += Stride - Run;
            left_ = Run;
        }
        return *this;
    }

private:
    Element *at_;
    unsigned left_; // of this run
};

template <typename Place>
constexpr bool has_vectors_at() {
    if constexpr (std::is_pointer_v<Place>) {
        return true;
    } else {
        return Place::has_vectors;
    }
}

// A place as a parameter of loops.
template <typename Place>
struct parameter {
    using type = Place;
};
template <typename Element>
struct parameter<Element *> {
    using type = Element *__restrict;
};

// The next element or vector. `Aligned`: a vector begins at a multiple of its size, or of 32 bytes
// if it is larger.
template <typename Value, bool Aligned = true, typename Place>
Value load(Place at) {
    if constexpr (!std::is_pointer_v<Place>) {
        return at.template load<Value>();
    } else if constexpr (!is_vector<Value>) {
        return *at;
    } else if constexpr (Aligned) {
        return aie::load_v<Value::size()>(at);
    } else {
        return aie::load_unaligned_v<Value::size()>(at);
    }
}
template <bool Aligned = true, typename Place, typename Value>
void store(Place at, const Value &value) {
    if constexpr (!std::is_pointer_v<Place>) {
        at.store(value);
    } else if constexpr (!is_vector<Value>) {
        *at = value;
    } else if constexpr (Aligned) {
        aie::store_v(at, value);
    } else {
        aie::store_unaligned_v(at, value);
    }
}

// --- memory of a pass ----------------------------------------------------------------------------

// Own data that takes part: none, at `from`, or at `to`, where the result overwrites it.
enum class own_data { none, from, to };
// Data stored at `to`: none, the final result, or the data taken from the ports before own data.
enum class kept { nothing, outcome, taken };

template <own_data Own, kept Kept, typename From, typename To, bool FromAligned = true, bool ToAligned = true>
struct pass_memory {
    using from_type = typename parameter<From>::type;
    using to_type = typename parameter<To>::type;
    static constexpr bool has_own = Own != own_data::none;
    static constexpr bool keeps_taken = Kept == kept::taken;
    static constexpr bool has_vectors = has_vectors_at<From>() && has_vectors_at<To>();

    // The places that loops begin at.
    From from;
    To to;

    template <typename Value>
    static Value own([[maybe_unused]] From at, [[maybe_unused]] To to) {
        if constexpr (Own == own_data::from) {
            return load<Value, FromAligned>(at);
        } else {
            return load<Value, ToAligned>(to);
        }
    }
    template <typename Value>
    static void keep_taken([[maybe_unused]] To to, [[maybe_unused]] const Value &value) {
        if constexpr (Kept == kept::taken) {
            store<ToAligned>(to, value);
        }
    }
    template <typename Value>
    static void keep_outcome([[maybe_unused]] To to, [[maybe_unused]] const Value &value) {
        if constexpr (Kept == kept::outcome) {
            store<ToAligned>(to, value);
        }
    }
};

// Places of elements as places of another type with equal bits.
template <typename Element, typename Other>
Element *as(Other *at) { return reinterpret_cast<Element *>(at); }
template <typename Element, typename Other>
const Element *as(const Other *at) { return reinterpret_cast<const Element *>(at); }
template <typename Element, typename Place, typename = std::enable_if_t<std::is_class_v<Place>>>
Place as(const Place &at) { return at; }
template <typename Element, own_data Own, kept Kept, typename From, typename To, bool FromAligned, bool ToAligned>
auto as(const pass_memory<Own, Kept, From, To, FromAligned, ToAligned> &all) {
    using from = decltype(as<Element>(all.from));
    using to = decltype(as<Element>(all.to));
    return pass_memory<Own, Kept, from, to, FromAligned, ToAligned>{as<Element>(all.from), as<Element>(all.to)};
}

using no_memory = pass_memory<own_data::none, kept::nothing, nowhere, nowhere>;

// Own data takes part.
template <bool Aligned = true, typename From>
auto reads(From from) {
    return pass_memory<own_data::from, kept::nothing, From, nowhere, Aligned>{from, {}};
}
// The outcome is stored.
template <bool Aligned = true, typename To>
auto stores(To to) {
    return pass_memory<own_data::none, kept::outcome, nowhere, To, true, Aligned>{{}, to};
}
// Own data takes part, and the result is stored elsewhere.
template <bool FromAligned = true, bool ToAligned = FromAligned, typename From, typename To>
auto moves(From from, To to) {
    return pass_memory<own_data::from, kept::outcome, From, To, FromAligned, ToAligned>{from, to};
}
// Own data takes part, and the result replaces it.
template <bool Aligned = true, typename To>
auto updates(To data) {
    return pass_memory<own_data::to, kept::outcome, nowhere, To, true, Aligned>{{}, data};
}
// Own data takes part, and the data taken before it replaces it.
template <bool Aligned = true, typename To>
auto replaces(To data) {
    return pass_memory<own_data::to, kept::taken, nowhere, To, true, Aligned>{{}, data};
}

} // namespace aiec
