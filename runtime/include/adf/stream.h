// Streams as kernels see them (UG1079, "stream-based access"): reads block without words, writes
// without space. Elements narrower than a word are packed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../aie_api/detail/vector.hpp"
#include "sim/kernel_node.h"
#include "sim/more_room.h"
#include "types.h"

namespace adf {
namespace sim {

struct stream_view : view_base {
    port *at = nullptr;
    kernel_node *kernel = nullptr;
};

// Takes `n` bytes as they arrive, `unit` bytes (an element or a word) at a time. Returns true when
// TLAST came with one of them.
inline bool read_bytes(const stream_view &s, unsigned char *to, std::size_t n, std::size_t unit) {
    counts::quiet whole;
    tick();
    if (s.at->channel) kernel_node::move_in_channel(*s.at, n / unit);
    fifo &queue = s.at->wire->branches[s.at->branch].queue;
    const std::size_t step = std::min<std::size_t>(unit, 4);
    bool last = false;
    for (std::size_t done = 0; done < n;) {
        s.kernel->wait_for({s.at, step});
        const std::size_t piece = std::min(n - done, queue.size() / step * step);
        const bool ended = queue.pop(to + done, piece);
        s.kernel->not_before(queue.came() + s.at->wire->latency);
        last = ended || last;
        done += piece;
        s.at->count(piece, ended);
    }
    whole.end();
    counts::words(true, s.at->index, (n + 3) / 4, to);
    return last;
}

inline void write_bytes(const stream_view &s, const unsigned char *from, std::size_t n, std::size_t unit, bool last) {
    counts::quiet whole;
    tick();
    if (s.at->channel) kernel_node::move_in_channel(*s.at, n / unit);
    net &wire = *s.at->wire;
    if (s.at->what == carries::packet && !s.at->in_packet && n >= 4) kernel_node::begin_packet(*s.at, from);
    const std::size_t step = std::min<std::size_t>(unit, 4);
    for (std::size_t done = 0; done < n;) {
        s.kernel->wait_for({s.at, step});
        const std::size_t piece = std::min(n - done, wire.space() / step * step);
        const bool ended = last && done + piece == n;
        wire.push(from + done, piece, ended, s.kernel->time);
        done += piece;
        s.at->count(piece, ended);
    }
    whole.end();
    counts::words(false, s.at->index, (n + 3) / 4, from);
}

template <typename Type>
Type read_value(const stream_view &s, bool *last = nullptr) {
    Type value{};
    const bool seen = read_bytes(s, reinterpret_cast<unsigned char *>(&value), sizeof(Type), sizeof(Type));
    if (last) *last = seen;
    return value;
}
template <typename Type>
void write_value(const stream_view &s, const Type &value, bool last = false) {
    write_bytes(s, reinterpret_cast<const unsigned char *>(&value), sizeof(Type), sizeof(Type), last);
}
template <typename Type, unsigned Lanes>
aie::vector<Type, Lanes> read_lanes(const stream_view &s, bool *last = nullptr) {
    aie::vector<Type, Lanes> v;
    const bool seen = read_bytes(s, reinterpret_cast<unsigned char *>(v.data()), Lanes * sizeof(Type), sizeof(Type));
    if (last) *last = seen;
    return v;
}
template <typename Type, unsigned Lanes>
void write_lanes(const stream_view &s, const aie::vector<Type, Lanes> &v, bool last = false) {
    write_bytes(s, reinterpret_cast<const unsigned char *>(v.data()), Lanes * sizeof(Type), sizeof(Type), last);
}

} // namespace sim
} // namespace adf

// The emitted library calls this when a kernel opens its end of a channel.
#define AIEC_ON_OPEN(stream, count) ::adf::sim::kernel_node::open_channel(*(stream)->at, count)

template <typename Type>
struct input_stream : adf::sim::stream_view {
    using value_type = Type;
};
template <typename Type>
struct output_stream : adf::sim::stream_view {
    using value_type = Type;
};

#define ADF_SIM_STREAMS(Type)                       \
    using input_stream_##Type = input_stream<Type>; \
    using output_stream_##Type = output_stream<Type>;
ADF_SIM_STREAMS(int8)
ADF_SIM_STREAMS(int16)
ADF_SIM_STREAMS(int32)
ADF_SIM_STREAMS(int64)
ADF_SIM_STREAMS(uint8)
ADF_SIM_STREAMS(uint16)
ADF_SIM_STREAMS(uint32)
ADF_SIM_STREAMS(uint64)
ADF_SIM_STREAMS(float)
ADF_SIM_STREAMS(cint16)
ADF_SIM_STREAMS(cint32)
ADF_SIM_STREAMS(cfloat)
#undef ADF_SIM_STREAMS

// The physical stream port of a core that an access uses. It only affects scheduling.
enum class aie_stream_resource_in { a, b };
enum class aie_stream_resource_out { a, b };
enum aie_stream_macro { SS_rsrc1, SS_rsrc2, WSS_rsrc1, WSS_rsrc2, MS_rsrc1, MS_rsrc2, WMS_rsrc1, WMS_rsrc2 };

// What it calls for a channel to any peer.
#define AIEC_MORE_ROOM ::adf::sim::more_room
#define AIEC_ON_STORED(stream, words) ((stream)->at->kept = std::max<std::uint64_t>((stream)->at->kept, words))
#define AIEC_ON_CREDIT(stream, elements) ((stream)->at->awaits = (elements))
#define AIEC_MISUSED(stream, what, condition) ((condition) && ::adf::sim::kernel_node::is_misused(*(stream)->at, what))

// --- reading -------------------------------------------------------------------------------------

template <typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
Type readincr(input_stream<Type> *s) { return adf::sim::read_value<Type>(*s); }
template <typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
Type readincr(input_stream<Type> *s, bool &tlast) { return adf::sim::read_value<Type>(*s, &tlast); }
template <typename Type>
void readincr(input_stream<Type> *s, typename input_stream<Type>::value_type &value, bool &tlast) {
    value = adf::sim::read_value<Type>(*s, &tlast);
}
template <aie_stream_resource_in Resource, typename Type>
Type readincr(input_stream<Type> *s) { return adf::sim::read_value<Type>(*s); }
template <aie_stream_resource_in Resource, typename Type>
Type readincr(input_stream<Type> *s, bool &tlast) { return adf::sim::read_value<Type>(*s, &tlast); }

template <unsigned Lanes, typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
aie::vector<Type, Lanes> readincr_v(input_stream<Type> *s) { return adf::sim::read_lanes<Type, Lanes>(*s); }
template <unsigned Lanes, typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
aie::vector<Type, Lanes> readincr_v(input_stream<Type> *s, bool &tlast) {
    return adf::sim::read_lanes<Type, Lanes>(*s, &tlast);
}
template <unsigned Lanes, aie_stream_resource_in Resource, typename Type>
aie::vector<Type, Lanes> readincr_v(input_stream<Type> *s) { return adf::sim::read_lanes<Type, Lanes>(*s); }
template <unsigned Lanes, aie_stream_resource_in Resource, typename Type>
aie::vector<Type, Lanes> readincr_v(input_stream<Type> *s, bool &tlast) {
    return adf::sim::read_lanes<Type, Lanes>(*s, &tlast);
}

// --- writing -------------------------------------------------------------------------------------

template <typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
void writeincr(output_stream<Type> *s, const typename output_stream<Type>::value_type &value, bool tlast = false) {
    adf::sim::write_value<Type>(*s, value, tlast);
}
template <aie_stream_resource_out Resource, typename Type>
void writeincr(output_stream<Type> *s, const typename output_stream<Type>::value_type &value, bool tlast = false) {
    adf::sim::write_value<Type>(*s, value, tlast);
}
template <typename Type, unsigned Lanes, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
void writeincr(output_stream<Type> *s, const aie::vector<Type, Lanes> &v, bool tlast = false) {
    adf::sim::write_lanes(*s, v, tlast);
}
template <aie_stream_resource_out Resource, typename Type, unsigned Lanes>
void writeincr(output_stream<Type> *s, const aie::vector<Type, Lanes> &v, bool tlast = false) {
    adf::sim::write_lanes(*s, v, tlast);
}
template <unsigned Lanes, typename Type>
void writeincr_v(output_stream<Type> *s, const aie::vector<Type, Lanes> &v, bool tlast = false) {
    adf::sim::write_lanes(*s, v, tlast);
}
template <unsigned Lanes, aie_stream_resource_out Resource, typename Type>
void writeincr_v(output_stream<Type> *s, const aie::vector<Type, Lanes> &v, bool tlast = false) {
    adf::sim::write_lanes(*s, v, tlast);
}

#define ADF_SIM_LANES(Lanes)                                                                                                                 \
    template <typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>                                                 \
    aie::vector<Type, Lanes> readincr_v##Lanes(input_stream<Type> *s) { return adf::sim::read_lanes<Type, Lanes>(*s); }                      \
    template <typename Type>                                                                                                                 \
    aie::vector<Type, Lanes> readincr_v##Lanes(input_stream<Type> *s, bool &tlast) { return adf::sim::read_lanes<Type, Lanes>(*s, &tlast); } \
    template <typename Type>                                                                                                                 \
    void writeincr_v##Lanes(output_stream<Type> *s, const aie::vector<Type, Lanes> &v, bool tlast = false) {                                 \
        adf::sim::write_lanes(*s, v, tlast);                                                                                                 \
    }
ADF_SIM_LANES(2)
ADF_SIM_LANES(4)
ADF_SIM_LANES(8)
ADF_SIM_LANES(16)
ADF_SIM_LANES(32)
#undef ADF_SIM_LANES

// The macro spellings, whose first argument names a physical port.
#define READINCR(resource, s) readincr(s)
#define READINCRW(resource, s) readincr_v4(s)
#define WRITEINCR(resource, s, value) writeincr(s, value)
#define WRITEINCRW(resource, s, value) adf::sim::write_wide(s, value)

namespace adf {
namespace sim {

// A write of 128 bits, whatever the type of the stream: the core has one such instruction (UG1078,
// "Streams").
template <typename Stream, typename Value>
void write_wide(Stream *s, const Value &value) { writeincr_v4(s, value); }
template <typename Type, typename Lane, unsigned Lanes, typename = std::enable_if_t<!std::is_same<Type, Lane>::value>>
void write_wide(output_stream<Type> *s, const aie::vector<Lane, Lanes> &v) {
    static_assert(Lanes * sizeof(Lane) == 16, "WRITEINCRW writes 128 bits");
    write_lanes(*s, v, false);
}

} // namespace sim
} // namespace adf

// --- intrinsics, which name streams by their number in the kernel --------------------------------

namespace adf {
namespace sim {

inline const stream_view &running_stream(direction way, unsigned number) {
    kernel_node *k = running_kernel();
    if (!k) stop("a stream intrinsic is used outside of a kernel");
    for (const auto &p : k->ports(way)) {
        if (p->what != carries::stream && p->what != carries::packet) continue;
        if (number-- == 0) return static_cast<stream_view &>(*p->view);
    }
    stop(k->name() + " has no such stream port");
}

} // namespace sim
} // namespace adf

inline int32 get_ss(int number) {
    const adf::sim::stream_view &s = adf::sim::running_stream(adf::sim::direction::in, unsigned(number));
    return adf::sim::read_value<int32>(s, &s.kernel->in_status[unsigned(number) % 2].last);
}
inline int32 get_ss(int number, bool &tlast) {
    return adf::sim::read_value<int32>(adf::sim::running_stream(adf::sim::direction::in, unsigned(number)), &tlast);
}
inline float getf_ss(int number) {
    return adf::sim::read_value<float>(adf::sim::running_stream(adf::sim::direction::in, unsigned(number)));
}
// 128 bits. These are templates, which cost nothing if unused.
#define ADF_SIM_WIDE(name, Type, Lanes)                                                                                   \
    template <typename = void>                                                                                            \
    aie::vector<Type, Lanes> name(int number) {                                                                           \
        return adf::sim::read_lanes<Type, Lanes>(adf::sim::running_stream(adf::sim::direction::in, unsigned(number)));    \
    }                                                                                                                     \
    template <typename = void>                                                                                            \
    aie::vector<Type, Lanes> name(int number, bool &tlast) {                                                       \
        return adf::sim::read_lanes<Type, Lanes>(adf::sim::running_stream(adf::sim::direction::in, unsigned(number)), &tlast); \
    }
ADF_SIM_WIDE(get_wss, int32, 4)
ADF_SIM_WIDE(getc_wss, cint16, 4)
ADF_SIM_WIDE(getf_wss, float, 4)
#undef ADF_SIM_WIDE
inline void put_ms(int number, int32 value, bool tlast = false) {
    adf::sim::write_value(adf::sim::running_stream(adf::sim::direction::out, unsigned(number)), value, tlast);
}
inline void put_ms(int number, float value, bool tlast = false) {
    adf::sim::write_value(adf::sim::running_stream(adf::sim::direction::out, unsigned(number)), value, tlast);
}
template <typename Number, typename = std::enable_if_t<std::is_arithmetic<Number>::value>>
void put_ms(int number, Number value, bool tlast = false) {
    put_ms(number, std::conditional_t<std::is_floating_point<Number>::value, float, int32>(value), tlast);
}
template <typename Type, unsigned Lanes>
void put_wms(int number, const aie::vector<Type, Lanes> &v, bool tlast = false) {
    static_assert(Lanes * sizeof(Type) == 16, "put_wms writes 128 bits");
    adf::sim::write_lanes(adf::sim::running_stream(adf::sim::direction::out, unsigned(number)), v, tlast);
}

// Without waiting; whether it was done is asked afterwards (UG1078, "Streams").
inline int32 get_ss_nb(int number) {
    const adf::sim::stream_view &s = adf::sim::running_stream(adf::sim::direction::in, unsigned(number));
    auto &status = s.kernel->in_status[unsigned(number) % 2];
    status = {s.kernel->poll({s.at, 4}), false};
    return status.success ? adf::sim::read_value<int32>(s, &status.last) : 0;
}
inline int32 get_ss_nb(int number, bool &success) {
    const int32 value = get_ss_nb(number);
    success = adf::sim::running_kernel()->in_status[unsigned(number) % 2].success;
    return value;
}
inline void put_ms_nb(int number, int32 value, bool tlast = false) {
    const adf::sim::stream_view &s = adf::sim::running_stream(adf::sim::direction::out, unsigned(number));
    auto &status = s.kernel->out_status[unsigned(number) % 2];
    status.success = s.kernel->poll({s.at, 4});
    if (status.success) adf::sim::write_value(s, value, tlast);
}
inline unsigned get_ss0_success() { return adf::sim::running_kernel()->in_status[0].success; }
inline unsigned get_ss1_success() { return adf::sim::running_kernel()->in_status[1].success; }
inline unsigned get_ss0_tlast() { return adf::sim::running_kernel()->in_status[0].last; }
inline unsigned get_ss1_tlast() { return adf::sim::running_kernel()->in_status[1].last; }
inline unsigned get_ms0_success() { return adf::sim::running_kernel()->out_status[0].success; }
inline unsigned get_ms1_success() { return adf::sim::running_kernel()->out_status[1].success; }

// --- packets -------------------------------------------------------------------------------------

struct input_pktstream : adf::sim::stream_view {};
struct output_pktstream : adf::sim::stream_view {};

inline int32 readincr(input_pktstream *s) { return adf::sim::read_value<int32>(*s); }
inline int32 readincr(input_pktstream *s, bool &tlast) { return adf::sim::read_value<int32>(*s, &tlast); }
// Any type of 32 bits is a word of a packet.
template <typename Type, typename = std::enable_if_t<std::is_arithmetic<Type>::value>>
void writeincr(output_pktstream *s, Type value, bool tlast = false) {
    static_assert(sizeof(Type) <= 4, "a packet carries words of 32 bits");
    if constexpr (std::is_floating_point<Type>::value) {
        adf::sim::write_value(*s, float(value), tlast);
    } else {
        adf::sim::write_value(*s, int32(value), tlast);
    }
}

// The id of packets from (or to) this kernel at the packet switch of the other end. At the
// input of a split, the id of its output `branch`; at the output of a merge, that of its input.
inline uint32 getPacketid(output_pktstream *s, int branch) {
    const auto &to = *s->at->wire->branches.front().to;
    if (to.owner && to.owner->splits_packets()) return unsigned(branch);
    return to.owner && to.what == adf::sim::carries::packet ? to.index : 0;
}
inline uint32 getPacketid(input_pktstream *s, int branch) {
    const auto &from = *s->at->wire->from;
    return from.owner && from.owner->merges_packets() ? unsigned(branch) : from.index;
}

inline void writeHeader(output_pktstream *s, unsigned type, unsigned id, bool tlast = false) {
    if (s->at->in_packet && s->at->nested.depth == 0) s->at->nested.note();
    adf::sim::write_value(*s, adf::sim::packet_header(id, type), tlast);
}
// The header word alone, and onto a stream by its number (UG1078, "Packet headers").
inline uint32 generateHeader(unsigned type, unsigned id) { return adf::sim::packet_header(id, type); }
inline uint32 packet_header(unsigned id, unsigned type) { return adf::sim::packet_header(id, type); }
inline void put_ms_packet_header(int number, int tlast, unsigned id, unsigned type) {
    put_ms(number, int32(adf::sim::packet_header(id, type)), tlast != 0);
}
inline void put_ms_packet_header(int number, unsigned id, unsigned type) { put_ms_packet_header(number, 0, id, type); }

namespace adf {
using ::input_pktstream;
using ::input_stream;
using ::output_pktstream;
using ::output_stream;
} // namespace adf
