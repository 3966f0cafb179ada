// Buffer ports as kernels see them (UG1079, "buffer port-based access"): references to a block
// whose memory is accessed with the iterators of the AIE API. Sizes and margins are in samples. The
// margin lies in front.
#pragma once

#include <cstddef>
#include <type_traits>

#include "../aie_api/detail/iterators.hpp"
#include "block.h"

namespace adf {

// A size that the graph gives with dimensions(...).
inline constexpr unsigned inherited_extent = 0;

template <unsigned... Extents>
struct extents {
    static constexpr std::size_t samples() {
        std::size_t n = 1;
        ((n *= Extents), ...);
        return sizeof...(Extents) == 0 ? 0 : n;
    }
};

// Samples of the buffer before that come first.
template <unsigned Samples>
struct margin {
    static constexpr std::size_t samples() { return Samples; }
};

namespace sim {

// The options of a buffer type, in any order.
template <typename Option>
struct buffer_option {
    static constexpr std::size_t extent = 0;
    static constexpr std::size_t before = 0;
};
template <unsigned... Extents>
struct buffer_option<extents<Extents...>> {
    static constexpr std::size_t extent = extents<Extents...>::samples();
    static constexpr std::size_t before = 0;
};
template <unsigned Samples>
struct buffer_option<margin<Samples>> {
    static constexpr std::size_t extent = 0;
    static constexpr std::size_t before = Samples;
};

// What passes through a buffer port. A name alone.
template <typename Type, direction Way, bool Async>
struct buffer_port;

} // namespace sim

// A buffer port of a kernel. `Async`: the kernel locks it itself. `Circular`: iterators go round.
template <typename Type, sim::direction Way, bool Async, bool Circular, typename... Options>
struct io_buffer : sim::block_view {
    static_assert(sim::of_this_device<Type>::value && sim::element_of<Type>::known, "a buffer cannot hold elements of this type");
    using value_type = Type;
    // What passes, whatever the size and the addressing: emitted projects compare it and
    // `margin_samples` with the design.
    using aiec_port = sim::buffer_port<Type, Way, Async>;
    using pointer = std::conditional_t<Way == sim::direction::in, const Type *, Type *>;
    static constexpr std::size_t declared_samples = (std::size_t(0) + ... + sim::buffer_option<Options>::extent);
    static constexpr std::size_t margin_samples = (std::size_t(0) + ... + sim::buffer_option<Options>::before);

    io_buffer() = default;
    io_buffer(const io_buffer &) = delete;
    io_buffer &operator=(const io_buffer &) = delete;

    // The first sample, or that of the margin if there is one. Accesses through this pointer are
    // checked only by their effects.
    Type *data() {
        raw = true;
        return iterated();
    }
    // As above, for iterators, which check their own accesses. To ask for the address is no access:
    // while the port is not held, it is that of the buffer that was held last.
    Type *iterated() {
        sim::tick();
        return reinterpret_cast<Type *>(block_view::data ? block_view::data : at->last_buffer());
    }
    // Samples, without the margin.
    unsigned size() const {
        if constexpr (declared_samples > 0) return unsigned(declared_samples);
        else return unsigned(winsize / sizeof(Type));
    }
    static constexpr unsigned get_margin() { return unsigned(margin_samples); }

    // A circular buffer goes round over its margin too.
    Type *circular_base() { return iterated(); }
    std::size_t circular_size() const { return std::size_t(count); }

    void acquire() { kernel->acquire(*this); }
    void release() { kernel->release(*this); }

    Type &operator[](std::size_t i) { return aie::begin(*this)[std::ptrdiff_t(i)]; }
};

template <typename Type, typename... Options>
using input_buffer = io_buffer<Type, sim::direction::in, false, false, Options...>;
template <typename Type, typename... Options>
using output_buffer = io_buffer<Type, sim::direction::out, false, false, Options...>;
template <typename Type, typename... Options>
using inout_buffer = io_buffer<Type, sim::direction::inout, false, false, Options...>;
template <typename Type, typename... Options>
using input_async_buffer = io_buffer<Type, sim::direction::in, true, false, Options...>;
template <typename Type, typename... Options>
using output_async_buffer = io_buffer<Type, sim::direction::out, true, false, Options...>;
template <typename Type, typename... Options>
using inout_async_buffer = io_buffer<Type, sim::direction::inout, true, false, Options...>;
template <typename Type, typename... Options>
using input_circular_buffer = io_buffer<Type, sim::direction::in, false, true, Options...>;
template <typename Type, typename... Options>
using output_circular_buffer = io_buffer<Type, sim::direction::out, false, true, Options...>;
template <typename Type, typename... Options>
using input_async_circular_buffer = io_buffer<Type, sim::direction::in, true, true, Options...>;
template <typename Type, typename... Options>
using output_async_circular_buffer = io_buffer<Type, sim::direction::out, true, true, Options...>;
// Short forms for one dimension, as public kernels have them: `input_buffer_1d<float, 64>`.
template <typename Type, unsigned Elements, unsigned Margin = 0>
using input_buffer_1d = input_buffer<Type, extents<Elements>, margin<Margin>>;
template <typename Type, unsigned Elements>
using output_buffer_1d = output_buffer<Type, extents<Elements>>;

// Buffers in memory tiles and in DDR memory exist on AIE-ML only. Their use gives an error with
// this reason.
template <typename Type>
struct shared_buffer {
    static_assert(sizeof(Type) == 0, "the host runtime has no shared_buffer: memory tiles of AIE-ML are not modelled");
};
template <typename Type>
struct external_buffer {
    static_assert(sizeof(Type) == 0, "the host runtime has no external_buffer: memory tiles of AIE-ML are not modelled");
};

} // namespace adf
