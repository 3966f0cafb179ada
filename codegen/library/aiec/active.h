// active: kernels, the clients, call handlers of one kernel, the owner (active messages, as of
// GASNet). A request is one packet: the header, the handler's number, its arguments, and the
// elements of its array. A reply is one packet: the header and the result.
//
// All clients are merged into the owner's one input, and its one output is split to them. So a
// request never waits behind a reply. A client that has asked reads until its reply has come, and
// the owner reads each request to its end before it replies. A handler replies as it returns: once,
// and to its caller alone. It cannot call a handler of its own owner.
//
// No hardware answers for an owner that computes: handlers run in `serve` and `serve_one` alone.
//
// The owner begins each run with a packet to every client, which takes it ahead of its first
// request. So no request of the next run comes too early.
#pragma once

#include <type_traits>

#include <adf.h>

#include "list.h"
#include "member.h"
#include "packet_header.h"

namespace aiec {

// The types that a handler takes, in order.
template <typename... Types>
struct arguments {};
// The last of them, if it is an array: at most `Most` elements. A handler takes pointer and number.
template <typename Element, unsigned Most>
struct payload {};

template <typename Type>
int32 to_word(Type value) {
    word_of<Type> both;
    both.element = value;
    return both.word;
}
template <typename Type>
Type from_word(int32 word) {
    word_of<Type> both;
    both.word = word;
    return both.element;
}

// Converts to `Type` and to no other one.
template <typename Type>
struct exactly {
    template <typename To, typename = std::enable_if_t<std::is_same_v<To, Type>>>
    operator To() const;
};

// True if `Call` of the handlers takes the client and these types, without conversions, and returns
// a `Result`.
template <typename Result, typename Call, typename Handlers, typename... Types>
constexpr bool answers() {
    if constexpr (std::is_invocable_v<Call, Handlers &, exactly<unsigned>, exactly<Types>...>) {
        return std::is_same_v<Result, std::invoke_result_t<Call, Handlers &, exactly<unsigned>, exactly<Types>...>>;
    } else {
        return false;
    }
}

// A client. In: packets from the owner. Out: packets to it. `Collective::calls` has its calls.
template <typename Collective>
class active_caller : public member<Collective> {
public:
    static constexpr bool is_root = false;

    active_caller(unsigned rank, const list<input_pktstream *, 1> &in, const list<output_pktstream *, 1> &out)
        : member<Collective>(rank), in_(in[0]), out_(out[0]), id_(getPacketid(out[0], 0)) {}

    // The owner's part.
    template <typename Handlers>
    void serve(Handlers &&) {
        (void)AIEC_MISUSED(out_, "only the owner serves", true);
    }
    template <typename Handlers>
    bool serve_one(Handlers &&handlers) {
        serve(handlers);
        return false;
    }

    // Ends the run: the kernel's wrapper does it.
    void leave() {
        begin();
        send_signal(out_, header(packet_kind::leave));
    }

protected:
    // Calls handler `Number`. Returns when the stream has taken the request, or the result has
    // come.
    template <typename Result, unsigned Number, typename... Types>
    Result request(Types... values) {
        return request_with<Result, Number, 0>(static_cast<const int32 *>(nullptr), 0, values...);
    }
    // The same with elements of an array, at most `Most`.
    template <typename Result, unsigned Number, unsigned Most, typename Element, typename... Types>
    Result request_with(const Element *elements, unsigned count, Types... values) {
        if (AIEC_MISUSED(out_, "sent more elements than its handler takes", count > Most)) count = Most;
        begin();
        const int32 words[] = {static_cast<int32>(Number), to_word(values)...};
        constexpr unsigned ahead = 1 + sizeof...(Types);
        writeincr(out_, header(packet_kind::ask).word(), false);
        for (unsigned i = 0; i < ahead; ++i) writeincr(out_, words[i], i + 1 == ahead && count == 0);
        for (unsigned i = 0; i < count; ++i) writeincr(out_, to_word(elements[i]), i + 1 == count);
        if constexpr (!std::is_void_v<Result>) {
            readincr(in_); // the header
            return from_word<Result>(readincr(in_));
        }
    }

private:
    packet_header header(packet_kind kind) const {
        const unsigned own = number_among_others<Collective>(this->rank());
        return {id_, kind, own, own};
    }

    // Takes the packet with which the owner begins.
    void begin() {
        if (begun_) return;
        begun_ = true;
        readincr(in_);
        readincr(in_);
    }

    input_pktstream *in_;
    output_pktstream *out_;
    unsigned id_;        // of packets to the owner
    bool begun_ = false; // the owner has begun this run
};

// The owner. In: packets of all clients. Out: packets to them.
template <typename Collective>
class active_server : public member<Collective> {
    static constexpr unsigned clients = Collective::rank_count - 1;
    static_assert(clients <= 32, "a header tells 32 clients apart");

public:
    static constexpr bool is_root = true;

    // Every client has read all packets of the last run, so this waits for none.
    active_server(unsigned rank, input_pktstream *in, const list<output_pktstream *, 1> &out)
        : member<Collective>(rank), in_(in), out_(out[0]) {
        for (unsigned to = 0; to < clients; ++to) send_signal(out_, {id(to), packet_kind::grant, to, to});
    }

    // Serves requests as they come, until all clients have returned. `handlers` is any object with
    // a member function for each handler, which takes the rank of the client and the arguments.
    template <typename Handlers>
    void serve(Handlers &&handlers) {
        while (serve_one(handlers)) {}
    }
    // Waits for one request and serves it. False if all clients have returned.
    template <typename Handlers>
    bool serve_one(Handlers &&handlers) {
        if (serving_) {
            (void)AIEC_MISUSED(in_, "served again inside of a handler", true);
            return false;
        }
        if (!next_request()) return false;
        serving_ = true;
        Collective::handle(*this, handlers);
        serving_ = false;
        return true;
    }

    // Takes what is left of the run: the kernel's wrapper does it. A client whose request has a
    // result waits for ever.
    void leave() {
        while (next_request()) {
            (void)AIEC_MISUSED(in_, "the kernel returned, and requests to it are left", true);
            while (!last_) readincr(in_, last_);
        }
    }

    // The number of the handler that the request calls.
    unsigned handler() const { return handler_; }

    // Calls it with the client and what has been read. Sends its result, if it has one.
    template <typename Result, typename Call, typename Handlers, typename... Read>
    void run(const Call &call, Handlers &handlers, arguments<>, Read... read) {
        if constexpr (std::is_void_v<Result>) {
            call(handlers, from_, read...);
        } else {
            const Result result = call(handlers, from_, read...);
            const unsigned to = number_among_others<Collective>(from_);
            writeincr(out_, packet_header(id(to), packet_kind::end, to, to).word(), false);
            writeincr(out_, to_word(result), true);
        }
    }
    // Reads its next argument ahead of that.
    template <typename Result, typename Call, typename Handlers, typename First, typename... Others, typename... Read>
    void run(const Call &call, Handlers &handlers, arguments<First, Others...>, Read... read) {
        const First next = from_word<First>(readincr(in_, last_));
        run<Result>(call, handlers, arguments<Others...>(), read..., next);
    }
    // Reads its array.
    template <typename Result, typename Call, typename Handlers, typename Element, unsigned Most, typename... Read>
    void run(const Call &call, Handlers &handlers, arguments<payload<Element, Most>>, Read... read) {
        Element elements[Most];
        unsigned count = 0;
        while (!last_) {
            const Element next = from_word<Element>(readincr(in_, last_));
            if (count < Most) elements[count++] = next;
        }
        run<Result>(call, handlers, arguments<>(), read..., static_cast<const Element *>(elements), count);
    }

protected:
    // A call of the owner would wait for itself.
    template <typename Result, unsigned Number, typename... Types>
    Result request(Types...) {
        (void)AIEC_MISUSED(in_, "the owner called a handler of its own", true);
        return Result();
    }
    template <typename Result, unsigned Number, unsigned Most, typename... Types>
    Result request_with(Types... values) {
        return request<Result, Number>(values...);
    }

private:
    // Reads header and number of the next request. False if none comes any more.
    bool next_request() {
        while (left_ < clients) {
            const packet_header header(in_);
            handler_ = static_cast<unsigned>(readincr(in_, last_));
            if (header.kind() == packet_kind::ask) {
                from_ = rank_among_all<Collective>(header.from());
                return true;
            }
            ++left_;
        }
        return false;
    }

    unsigned id(unsigned to) const { return getPacketid(out_, static_cast<int>(to)); }

    input_pktstream *in_;
    output_pktstream *out_;
    unsigned left_ = 0;    // clients that have ended the run
    unsigned from_ = 0;    // rank of the client of this request
    unsigned handler_ = 0; // its handler's number
    bool last_ = true;     // its last word has been read
    bool serving_ = false; // its handler runs
};

// A kernel that is neither: its calls do nothing.
template <typename Collective>
class active_idle : public member<Collective> {
public:
    static constexpr bool is_member = false;
    static constexpr bool is_root = false;

    active_idle() : member<Collective>(Collective::rank_count) {}

    template <typename Handlers>
    void serve(Handlers &&) {}
    template <typename Handlers>
    bool serve_one(Handlers &&) {
        return false;
    }

protected:
    template <typename Result, unsigned Number, typename... Types>
    Result request(Types...) {
        return Result();
    }
    template <typename Result, unsigned Number, unsigned Most, typename... Types>
    Result request_with(Types...) {
        return Result();
    }
};

// The three with a member function for each handler, under its name.
template <typename Collective>
using active_client = typename Collective::template calls<active_caller<Collective>>;
template <typename Collective>
using active_owner = typename Collective::template calls<active_server<Collective>>;
template <typename Collective>
using active_outside = typename Collective::template calls<active_idle<Collective>>;

} // namespace aiec
