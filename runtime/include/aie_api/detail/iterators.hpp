// Iterators over memory, lane by lane or vector by vector, straight or circular (UG1529, "Memory";
// UG1079, "Iterators"). They start from a pointer, or from any port that has `data()`: a buffer
// port or a window.
//
// Every iterator here is a random access iterator, which the device does not offer for all of them.
// An access outside the port's buffer, or after its release, is reported and has no effect.
#pragma once

#include <iterator>

#include "memory.hpp"
#include "watch.hpp"

namespace aie {
namespace sim {

// The position of an iterator. A straight one has no size; a circular one wraps around.
template <typename Type>
class track {
public:
    track(Type *base, std::ptrdiff_t size, std::ptrdiff_t at) : base_(base), size_(size), at_(at) { fold(); }
    Type *pointer() const { return base_ + at_; }
    Type *pointer(std::ptrdiff_t by) const {
        track other = *this;
        other.move(by);
        return other.pointer();
    }
    void move(std::ptrdiff_t by) {
        at_ += by;
        fold();
    }

private:
    void fold() {
        if (size_ > 0) at_ = (at_ % size_ + size_) % size_;
    }
    Type *base_;
    std::ptrdiff_t size_; // elements, 0 when straight
    std::ptrdiff_t at_;
};

// An element at a time.
template <typename Type>
struct scalar_access {
    using value_type = std::remove_cv_t<Type>;
    using reference = Type &;
    static constexpr std::ptrdiff_t step = 1;
    static reference at(Type *place, source_place) { return *place; }
    static reference nowhere() {
        static value_type lost;
        return lost = value_type{};
    }
};
// `Lanes` elements at a time; memory is seen as the vectors it holds.
template <typename Type, unsigned Lanes>
struct vector_access {
    using value_type = vector<std::remove_cv_t<Type>, Lanes>;
    using reference = std::conditional_t<std::is_const<Type>::value, const value_type &, value_type &>;
    static constexpr std::ptrdiff_t step = Lanes;
    // An access that is misaligned even for AIE reads from a copy; writes there are lost.
    static reference at(Type *place, source_place created) {
        check_alignment(place, sizeof(value_type), created);
        if (reinterpret_cast<std::uintptr_t>(place) % vector_ldst_align_v<std::remove_cv_t<Type>, Lanes> == 0)
            return reinterpret_cast<reference>(*place);
        static value_type copy;
        return copy = copied<Lanes>(static_cast<const Type *>(place));
    }
    static reference nowhere() {
        static value_type lost;
        return lost = value_type{};
    }
};
// As above, without alignment: reads give values, writes go through a proxy.
template <typename Type, unsigned Lanes>
struct unaligned_access {
    using value_type = vector<std::remove_cv_t<Type>, Lanes>;
    class slot {
    public:
        explicit slot(Type *place) : place_(place) {}
        operator value_type() const { return copied<Lanes>(static_cast<const Type *>(place_)); }
        const slot &operator=(const value_type &v) const {
            v.store(place_);
            return *this;
        }

    private:
        Type *place_;
    };
    using reference = std::conditional_t<std::is_const<Type>::value, value_type, slot>;
    static constexpr std::ptrdiff_t step = Lanes;
    static reference at(Type *place, source_place) {
        if constexpr (std::is_const<Type>::value) return copied<Lanes>(place);
        else return slot(place);
    }
    static reference nowhere() {
        static std::remove_cv_t<Type> lost[Lanes];
        if constexpr (std::is_const<Type>::value) return value_type{};
        else return slot(lost);
    }
};

template <typename Type, typename Access>
class iterator {
public:
    using value_type = typename Access::value_type;
    using reference = typename Access::reference;
    using pointer = value_type *;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    iterator(Type *base, std::ptrdiff_t size, std::ptrdiff_t at, source_place created)
        : iterator(base, size, at, created, watch::at(base)) {}
    iterator(Type *base, std::ptrdiff_t size, std::ptrdiff_t at, source_place created, watch buffer)
        : track_(base, size, at), created_(created), watch_(buffer) {}
    // A const iterator from a plain one.
    operator Type *() const { return track_.pointer(); }

    reference operator*() const { return reach(track_.pointer()); }
    auto operator->() const { return &**this; }
    reference operator[](std::ptrdiff_t i) const { return reach(track_.pointer(i * Access::step)); }

    iterator &operator+=(std::ptrdiff_t by) {
        track_.move(by * Access::step);
        return *this;
    }
    iterator &operator-=(std::ptrdiff_t by) { return *this += -by; }
    iterator &operator++() { return *this += 1; }
    iterator &operator--() { return *this += -1; }
    iterator operator++(int) {
        const iterator before = *this;
        *this += 1;
        return before;
    }
    iterator operator--(int) {
        const iterator before = *this;
        *this += -1;
        return before;
    }
    iterator operator+(std::ptrdiff_t by) const { return iterator(*this) += by; }
    iterator operator-(std::ptrdiff_t by) const { return iterator(*this) -= by; }
    std::ptrdiff_t operator-(const iterator &o) const { return (place() - o.place()) / Access::step; }

    friend bool operator==(const iterator &a, const iterator &b) { return a.place() == b.place(); }
    friend bool operator!=(const iterator &a, const iterator &b) { return a.place() != b.place(); }
    friend bool operator<(const iterator &a, const iterator &b) { return a.place() < b.place(); }
    friend bool operator>(const iterator &a, const iterator &b) { return a.place() > b.place(); }
    friend bool operator<=(const iterator &a, const iterator &b) { return a.place() <= b.place(); }
    friend bool operator>=(const iterator &a, const iterator &b) { return a.place() >= b.place(); }

private:
    Type *place() const { return track_.pointer(); }
    reference reach(Type *at) const {
        if (!watch_.admits(at, sizeof(value_type), created_, std::is_const<Type>::value)) return Access::nowhere();
        return Access::at(at, created_);
    }
    track<Type> track_;
    source_place created_;
    watch watch_;
};

// Start of a port's data, for iterators that watch it.
template <typename Port>
auto base_of(Port &port, int) -> decltype(port.iterated()) { return port.iterated(); }
template <typename Port>
auto base_of(Port &port, long) { return port.data(); }

// Start of a port's data and, if it is circular, its range.
template <typename Port, typename = void>
struct port_circle {
    template <typename Block>
    static auto base(Block &port) { return base_of(port, 0); }
    template <typename Block>
    static std::ptrdiff_t size(Block &port) { return std::ptrdiff_t(port.size()); }
};
template <typename Port>
struct port_circle<Port, std::void_t<decltype(std::declval<Port &>().circular_base())>> {
    template <typename Block>
    static auto base(Block &port) { return port.circular_base(); }
    template <typename Block>
    static std::ptrdiff_t size(Block &port) { return std::ptrdiff_t(port.circular_size()); }
};
template <typename Port>
using if_port = std::enable_if_t<!std::is_pointer<std::decay_t<Port>>::value,
                                 std::remove_reference_t<decltype(*std::declval<Port &>().data())>>;

} // namespace sim

template <typename Type>
using scalar_iterator = sim::iterator<Type, sim::scalar_access<Type>>;
template <typename Type, unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none>
using vector_iterator = sim::iterator<Type, sim::vector_access<Type, Lanes>>;
template <typename Type, unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none>
using restrict_vector_iterator = vector_iterator<Type, Lanes>;
template <typename Type, unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none>
using unaligned_vector_iterator = sim::iterator<Type, sim::unaligned_access<Type, Lanes>>;
template <typename Type, std::size_t Size = 0, aie_dm_resource Resource = aie_dm_resource::none>
using circular_iterator = scalar_iterator<Type>;
template <typename Type, std::size_t Size = 0, aie_dm_resource Resource = aie_dm_resource::none>
using random_circular_iterator = scalar_iterator<Type>;
template <typename Type, unsigned Lanes, std::size_t Size = 0, aie_dm_resource Resource = aie_dm_resource::none>
using vector_circular_iterator = vector_iterator<Type, Lanes>;
template <typename Type, unsigned Lanes, std::size_t Size = 0, aie_dm_resource Resource = aie_dm_resource::none>
using vector_random_circular_iterator = vector_iterator<Type, Lanes>;

#define AIE_SIM_HERE const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

// --- straight ------------------------------------------------------------------------------------

template <aie_dm_resource Resource = aie_dm_resource::none, typename Type>
scalar_iterator<Type> begin(Type *data, std::size_t /*count*/ = 0) {
    return {data, 0, 0, {}};
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename Type>
scalar_iterator<const Type> cbegin(const Type *data, std::size_t /*count*/ = 0) {
    return {data, 0, 0, {}};
}
template <typename Type>
scalar_iterator<Type> end(Type *data, std::size_t count) {
    return {data, 0, std::ptrdiff_t(count), {}};
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename Port, typename Type = sim::if_port<Port>>
scalar_iterator<Type> begin(Port &port) {
    return {sim::base_of(port, 0), 0, 0, {}, sim::watch::of(port, 0)};
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename Port, typename Type = sim::if_port<Port>>
scalar_iterator<const Type> cbegin(Port &port) {
    return {sim::base_of(port, 0), 0, 0, {}, sim::watch::of(port, 0)};
}

// The vector iterators over straight memory differ only in name and in the type that reading gives.
#define AIE_SIM_BEGIN(name, Iterator)                                                          \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type> \
    Iterator<Type, Lanes> name(Type *data, AIE_SIM_HERE) {                                     \
        return {data, 0, 0, {file, line}};                                                     \
    }                                                                                          \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type> \
    Iterator<Type, Lanes> name(Type *data, std::size_t, AIE_SIM_HERE) {                        \
        return {data, 0, 0, {file, line}};                                                     \
    }                                                                                          \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Port, \
              typename Type = sim::if_port<Port>>                                              \
    Iterator<Type, Lanes> name(Port &port, AIE_SIM_HERE) {                                     \
        return {sim::base_of(port, 0), 0, 0, {file, line}, sim::watch::of(port, 0)};           \
    }                                                                                          \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type> \
    Iterator<const Type, Lanes> c##name(const Type *data, AIE_SIM_HERE) {                      \
        return {data, 0, 0, {file, line}};                                                     \
    }                                                                                          \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type> \
    Iterator<const Type, Lanes> c##name(const Type *data, std::size_t, AIE_SIM_HERE) {         \
        return {data, 0, 0, {file, line}};                                                     \
    }                                                                                          \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Port, \
              typename Type = sim::if_port<Port>>                                              \
    Iterator<const Type, Lanes> c##name(Port &port, AIE_SIM_HERE) {                            \
        return {sim::base_of(port, 0), 0, 0, {file, line}, sim::watch::of(port, 0)};           \
    }
AIE_SIM_BEGIN(begin_vector, vector_iterator)
AIE_SIM_BEGIN(begin_restrict_vector, vector_iterator)
AIE_SIM_BEGIN(begin_unaligned_vector, unaligned_vector_iterator)
#undef AIE_SIM_BEGIN

// --- circular ------------------------------------------------------------------------------------

// Over `Size` elements, a number known at run time, or a port that is circular.
#define AIE_SIM_CIRCULAR(name)                                                                                     \
    template <std::size_t Size, aie_dm_resource Resource = aie_dm_resource::none, typename Type>                   \
    scalar_iterator<Type> name(Type *data) {                                                                       \
        return {data, std::ptrdiff_t(Size), 0, {}};                                                                \
    }                                                                                                              \
    template <aie_dm_resource Resource = aie_dm_resource::none, typename Type>                                     \
    scalar_iterator<Type> name(Type *data, std::size_t size) {                                                     \
        return {data, std::ptrdiff_t(size), 0, {}};                                                                \
    }                                                                                                              \
    template <aie_dm_resource Resource = aie_dm_resource::none, typename Port, typename Type = sim::if_port<Port>> \
    scalar_iterator<Type> name(Port &port) {                                                                       \
        using circle = sim::port_circle<Port>;                                                                     \
        const auto at = sim::base_of(port, 0) - circle::base(port);                                                \
        return {circle::base(port), circle::size(port), at, {}, sim::watch::of(port, 0)};                          \
    }                                                                                                              \
    template <std::size_t Size, aie_dm_resource Resource = aie_dm_resource::none, typename Type>                   \
    scalar_iterator<const Type> c##name(const Type *data) {                                                        \
        return {data, std::ptrdiff_t(Size), 0, {}};                                                                \
    }                                                                                                              \
    template <aie_dm_resource Resource = aie_dm_resource::none, typename Type>                                     \
    scalar_iterator<const Type> c##name(const Type *data, std::size_t size) {                                      \
        return {data, std::ptrdiff_t(size), 0, {}};                                                                \
    }                                                                                                              \
    template <aie_dm_resource Resource = aie_dm_resource::none, typename Port, typename Type = sim::if_port<Port>> \
    scalar_iterator<const Type> c##name(Port &port) {                                                              \
        using circle = sim::port_circle<Port>;                                                                     \
        const auto at = sim::base_of(port, 0) - circle::base(port);                                                \
        return {circle::base(port), circle::size(port), at, {}, sim::watch::of(port, 0)};                          \
    }
AIE_SIM_CIRCULAR(begin_circular)
AIE_SIM_CIRCULAR(begin_random_circular)
#undef AIE_SIM_CIRCULAR

#define AIE_SIM_VECTOR_CIRCULAR(name)                                                                            \
    template <unsigned Lanes, std::size_t Size, aie_dm_resource Resource = aie_dm_resource::none, typename Type> \
    vector_iterator<Type, Lanes> name(Type *data, AIE_SIM_HERE) {                                                \
        return {data, std::ptrdiff_t(Size), 0, {file, line}};                                                    \
    }                                                                                                            \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type>                   \
    vector_iterator<Type, Lanes> name(Type *data, std::size_t size, AIE_SIM_HERE) {                              \
        return {data, std::ptrdiff_t(size), 0, {file, line}};                                                    \
    }                                                                                                            \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Port,                   \
              typename Type = sim::if_port<Port>>                                                                \
    vector_iterator<Type, Lanes> name(Port &port, AIE_SIM_HERE) {                                                \
        using circle = sim::port_circle<Port>;                                                                   \
        const auto at = sim::base_of(port, 0) - circle::base(port);                                              \
        return {circle::base(port), circle::size(port), at, {file, line}, sim::watch::of(port, 0)};              \
    }                                                                                                            \
    template <unsigned Lanes, std::size_t Size, aie_dm_resource Resource = aie_dm_resource::none, typename Type> \
    vector_iterator<const Type, Lanes> c##name(const Type *data, AIE_SIM_HERE) {                                 \
        return {data, std::ptrdiff_t(Size), 0, {file, line}};                                                    \
    }                                                                                                            \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type>                   \
    vector_iterator<const Type, Lanes> c##name(const Type *data, std::size_t size, AIE_SIM_HERE) {               \
        return {data, std::ptrdiff_t(size), 0, {file, line}};                                                    \
    }                                                                                                            \
    template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Port,                   \
              typename Type = sim::if_port<Port>>                                                                \
    vector_iterator<const Type, Lanes> c##name(Port &port, AIE_SIM_HERE) {                                       \
        using circle = sim::port_circle<Port>;                                                                   \
        const auto at = sim::base_of(port, 0) - circle::base(port);                                              \
        return {circle::base(port), circle::size(port), at, {file, line}, sim::watch::of(port, 0)};              \
    }
AIE_SIM_VECTOR_CIRCULAR(begin_vector_circular)
AIE_SIM_VECTOR_CIRCULAR(begin_vector_random_circular)
AIE_SIM_VECTOR_CIRCULAR(begin_restrict_vector_circular)
AIE_SIM_VECTOR_CIRCULAR(begin_restrict_vector_random_circular)
#undef AIE_SIM_VECTOR_CIRCULAR

// --- streams over memory: `>>` reads the next vector, `<<` writes it -----------------------------

template <typename Type, unsigned Lanes>
class vector_input_buffer_stream {
public:
    explicit vector_input_buffer_stream(const Type *data, AIE_SIM_HERE) : at_(data, 0, 0, {file, line}) {}
    vector_input_buffer_stream &operator>>(vector<Type, Lanes> &v) {
        v = *at_++;
        return *this;
    }
    vector<Type, Lanes> pop() { return *at_++; }

private:
    vector_iterator<const Type, Lanes> at_;
};
template <typename Type, unsigned Lanes>
class vector_output_buffer_stream {
public:
    explicit vector_output_buffer_stream(Type *data, AIE_SIM_HERE) : at_(data, 0, 0, {file, line}) {}
    vector_output_buffer_stream &operator<<(const vector<Type, Lanes> &v) {
        *at_++ = v;
        return *this;
    }
    void push(const vector<Type, Lanes> &v) { *at_++ = v; }

private:
    vector_iterator<Type, Lanes> at_;
};
template <unsigned Lanes, typename Type>
vector_input_buffer_stream<Type, Lanes> make_vector_input_buffer_stream(const Type *data, AIE_SIM_HERE) {
    return vector_input_buffer_stream<Type, Lanes>(data, file, line);
}
template <unsigned Lanes, typename Type>
vector_output_buffer_stream<Type, Lanes> make_vector_output_buffer_stream(Type *data, AIE_SIM_HERE) {
    return vector_output_buffer_stream<Type, Lanes>(data, file, line);
}

#undef AIE_SIM_HERE

} // namespace aie
