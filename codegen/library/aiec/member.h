// Common base of every rank of every collective, and the type for kernels outside a collective.
#pragma once

#include <type_traits>

#include <adf.h>

// Called once per call with the data that a rank contributes, and with its result. Simulators
// define both to check collectives.
#ifndef AIEC_ON_CONTRIBUTION
#define AIEC_ON_CONTRIBUTION(collective, rank, data, count)
#endif
#ifndef AIEC_ON_RESULT
#define AIEC_ON_RESULT(collective, rank, data, count)
#endif
// True if the condition holds, which is a misuse of the port. Only simulators look.
#ifndef AIEC_MISUSED
#define AIEC_MISUSED(port, what, condition) false
#endif

// Calls of a collective, by operation: `each` is expanded once for each name.
#define AIEC_OPERATIONS(each) \
    each(reduce) \
    each(allreduce) \
    each(broadcast) \
    each(gather) \
    each(allgather) \
    each(scatter) \
    each(reduce_scatter) \
    each(alltoall) \
    each(scan) \
    each(barrier) \
    each(sync) \
    each(sendrecv)

namespace aiec {

// What `open` returns where it does not compile, so that no other error follows.
template <typename Element>
struct no_end {
    unsigned left() const;
    unsigned rank() const;
    template <typename Value>
    Value next(const Value &mine);
    template <typename Value>
    void push(const Value &value);
    template <typename... Values>
    Element pop(Values &...values);
};

// `Collective` is one of the structs of collectives.h.
template <typename Collective>
class member {
public:
    using element = typename Collective::element_type;

    static constexpr unsigned elements = Collective::data_elements; // of a block
    static constexpr bool is_member = true;

    explicit member(unsigned rank) : rank_(rank) {}

    unsigned rank() const { return rank_; }
    static constexpr unsigned size() { return Collective::rank_count; }

    // Does not compile: ends over streams have an `open` of their own.
    template <typename Never = void, typename... Any>
    no_end<element> open(Any &&...) const {
        static_assert(!std::is_void_v<Never>,
                      "only collectives over streams have `open`: write `shape stream` in the design (of a reduce, "
                      "broadcast, gather or scatter), or `shape cascade` of a reduce");
        return {};
    }

protected:
    // The caller's memory for `Count` elements: an array of exactly `Count` elements (at least
    // `Count` if not `Exact`), or a pointer to at least `Count`. It begins at a multiple of 32
    // bytes.
    template <unsigned Count, bool Exact = true, typename Data>
    static element *memory(Data &&data) {
        check_size<Count, Exact, Data>();
        return data;
    }
    template <unsigned Count, bool Exact = true, typename Data>
    static const element *constant(Data &&data) {
        check_size<Count, Exact, Data>();
        return data;
    }

    void contributes([[maybe_unused]] const element *data, [[maybe_unused]] unsigned count) const {
        AIEC_ON_CONTRIBUTION(Collective::spelling, rank_, data, count);
    }
    // `data` has elements like an array, but they are not stored.
    template <typename Data, typename = std::enable_if_t<std::is_class_v<Data>>>
    void contributes([[maybe_unused]] const Data &data, [[maybe_unused]] unsigned count) const {
        AIEC_ON_CONTRIBUTION(Collective::spelling, rank_, data, count);
    }
    void results([[maybe_unused]] const element *data, [[maybe_unused]] unsigned count) const {
        AIEC_ON_RESULT(Collective::spelling, rank_, data, count);
    }

    // The rank `distance` further, or before; after the last rank comes the first. `distance` is at
    // most the size.
    unsigned after(unsigned distance) const {
        const unsigned rank = rank_ + distance;
        return rank < size() ? rank : rank - size();
    }
    unsigned before(unsigned distance) const {
        const unsigned from = rank_ >= distance ? rank_ : rank_ + size();
        return from - distance;
    }

private:
    template <unsigned Count, bool Exact, typename Data>
    static constexpr void check_size() {
        using array = std::remove_reference_t<Data>;
        constexpr unsigned bytes = Count * sizeof(element);
        static_assert(!std::is_array_v<array> || (Exact ? sizeof(array) == bytes : sizeof(array) >= bytes),
                      "the array does not have as many elements as the collective's `data` asks for");
    }

    unsigned rank_;
};

// A kernel that is not in the group: its calls do nothing, and its rank is one past the last.
template <typename Collective>
class outside : public member<Collective> {
public:
    static constexpr bool is_member = false;
    static constexpr bool is_root = false;

    outside() : member<Collective>(Collective::rank_count) {}

#define AIEC_CALL(operation) \
    template <typename... Data> \
    void operation(Data &&...) const {}
    AIEC_OPERATIONS(AIEC_CALL)
#undef AIEC_CALL
};

} // namespace aiec
