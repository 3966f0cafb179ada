// active: kernels, the clients, call handlers of one kernel, the owner (active messages, as of
// GASNet). A request is one packet: the header, the handler's number, its arguments, and the
// elements of its array. A reply is one packet: the header and the result.
//
// Clients put elements to buffers of the owner and get elements of them by requests, too. The reply
// to a get has the elements, and that to a put has a word that says nothing. A client goes on while
// one put or get is under way, and takes its reply before it asks for another one.
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

#include "handlers.h"
#include "list.h"
#include "member.h"
#include "packet_header.h"

namespace aiec {

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

// A put or get that is under way.
template <typename Rank>
class transfer {
public:
    transfer() = default; // none
    transfer(Rank &rank, unsigned number) : rank_(&rank), number_(number) {}

    // Returns when the owner has stored the elements of a put, or those of a get have come.
    void wait() const {
        if (rank_) rank_->finish(number_);
    }

private:
    Rank *rank_ = nullptr;
    unsigned number_ = 0;
};

// What all ranks have.
template <typename Collective>
class active_rank : public member<Collective> {
public:
    using member<Collective>::member;

    // Does not compile, with any arguments and whatever is asked of its result.
    template <typename Never = void, typename... Any>
    message poll(Any &&...) const {
        static_assert(!std::is_void_v<Never>,
                      "active messages have no `poll`: no document shows how to ask an input_pktstream whether a word "
                      "has come; call `serve_one`, which waits for the next request (UG1079, \"Packet Stream Reading "
                      "and Writing\")");
        return {};
    }
};

// A client. In: packets from the owner. Out: packets to it. `Collective::calls` has its calls.
template <typename Collective>
class active_caller : public active_rank<Collective> {
public:
    static constexpr bool is_root = false;

    active_caller(unsigned rank, const list<input_pktstream *, 1> &in, const list<output_pktstream *, 1> &out)
        : active_rank<Collective>(rank), in_(in[0]), out_(out[0]), id_(getPacketid(out[0], 0)) {}

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

    // Waits for a put or get, unless it has ended.
    void finish(unsigned number) {
        if (number == started_) take_reply();
    }

    // Ends the run: the kernel's wrapper does it.
    void leave() {
        (void)AIEC_MISUSED(out_, "the kernel returned, and has not waited for a get", gets());
        integers_ = nullptr, floats_ = nullptr; // the array is gone
        take_reply();
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
        // The word that ends a put has room on its way.
        if (gets() || !std::is_void_v<Result>) take_reply();
        ask<Number>(elements, count, values...);
        if constexpr (!std::is_void_v<Result>) {
            readincr(in_); // the header
            return from_word<Result>(readincr(in_));
        }
    }

    // Puts to an array of `Size` elements of the owner, by request `Number`.
    template <unsigned Number, unsigned Size, typename Element>
    transfer<active_caller> put_elements(unsigned first, const Element *elements, unsigned count) {
        if (goes_beyond(first, count, Size)) count = 0;
        take_reply();
        if (count > 0) {
            ask<Number>(elements, count, first);
            start(1);
        }
        return {*this, started_};
    }
    // Gets from it.
    template <unsigned Number, unsigned Size, typename Element>
    transfer<active_caller> get_elements(unsigned first, Element *elements, unsigned count) {
        if (goes_beyond(first, count, Size)) count = 0;
        take_reply();
        if (count > 0) {
            ask<Number>(elements, 0, first, count);
            start(count);
            if constexpr (std::is_same_v<Element, float>) floats_ = elements;
            else integers_ = reinterpret_cast<int32 *>(elements);
        }
        return {*this, started_};
    }

private:
    // Sends a request.
    template <unsigned Number, typename Element, typename... Types>
    void ask(const Element *elements, unsigned count, Types... values) {
        begin();
        const int32 words[] = {static_cast<int32>(Number), to_word(values)...};
        constexpr unsigned ahead = 1 + sizeof...(Types);
        writeincr(out_, header(packet_kind::ask).word(), false);
        for (unsigned i = 0; i < ahead; ++i) writeincr(out_, words[i], i + 1 == ahead && count == 0);
        for (unsigned i = 0; i < count; ++i) writeincr(out_, to_word(elements[i]), i + 1 == count);
    }

    bool goes_beyond(unsigned first, unsigned count, unsigned size) {
        const bool beyond = first > size || count > size - first;
        (void)AIEC_MISUSED(out_, "went beyond a buffer of the owner", beyond);
        return beyond;
    }

    // A put or get is under way, whose reply has this many words.
    void start(unsigned words) {
        ++started_;
        left_ = words;
        integers_ = nullptr, floats_ = nullptr;
    }
    bool gets() const { return left_ > 0 && (integers_ || floats_); }

    // Takes the reply to the last put or get, if it is under way.
    void take_reply() {
        if (left_ == 0) return;
        readincr(in_); // the header
        for (unsigned i = 0; i < left_; ++i) {
            const int32 word = readincr(in_);
            if (floats_) floats_[i] = from_word<float>(word);
            else if (integers_) integers_[i] = word;
        }
        left_ = 0;
    }

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
    unsigned id_;               // of packets to the owner
    bool begun_ = false;        // the owner has begun this run
    unsigned started_ = 0;      // puts and gets
    unsigned left_ = 0;         // words of the reply to the last one, unless it has been read
    int32 *integers_ = nullptr; // where they go, if it is a get
    float *floats_ = nullptr;
};

// The owner. In: packets of all clients. Out: packets to them.
template <typename Collective>
class active_server : public active_rank<Collective> {
    static constexpr unsigned clients = Collective::rank_count - 1;
    static_assert(clients <= 32, "a header tells 32 clients apart");

public:
    static constexpr bool is_root = true;

    // Every client has read all packets of the last run, so this waits for none.
    active_server(unsigned rank, input_pktstream *in, const list<output_pktstream *, 1> &out)
        : active_rank<Collective>(rank), in_(in), out_(out[0]) {
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
            (void)AIEC_MISUSED(in_.port(), "served again inside of a handler", true);
            return false;
        }
        if (!in_.next()) return false;
        serving_ = true;
        Collective::handle(*this, handlers);
        serving_ = false;
        return true;
    }

    // Takes what is left of the run: the kernel's wrapper does it. A client whose request has a
    // result waits for ever.
    void leave() {
        while (in_.next()) {
            (void)AIEC_MISUSED(in_.port(), "the kernel returned, and requests to it are left", true);
            in_.skip();
        }
    }

    // The number of the handler that the request calls.
    unsigned handler() const { return static_cast<unsigned>(in_.first()); }

    // Calls it with the client and what has been read. Sends its result, if it has one.
    template <typename Result, typename Call, typename Handlers, typename... Read>
    void run(const Call &call, Handlers &handlers, arguments<>, Read... read) {
        if constexpr (std::is_void_v<Result>) {
            call(handlers, in_.from(), read...);
        } else {
            const Result result = call(handlers, in_.from(), read...);
            writeincr(out_, reply().word(), false);
            writeincr(out_, to_word(result), true);
        }
    }
    // Reads its next argument ahead of that.
    template <typename Result, typename Call, typename Handlers, typename First, typename... Others, typename... Read>
    void run(const Call &call, Handlers &handlers, arguments<First, Others...>, Read... read) {
        const First next = from_word<First>(in_.read());
        run<Result>(call, handlers, arguments<Others...>(), read..., next);
    }
    // Reads its array.
    template <typename Result, typename Call, typename Handlers, typename Element, unsigned Most, typename... Read>
    void run(const Call &call, Handlers &handlers, arguments<payload<Element, Most>>, Read... read) {
        Element elements[Most];
        unsigned count = 0;
        while (!in_.ended()) {
            const Element next = from_word<Element>(in_.read());
            if (count < Most) elements[count++] = next;
        }
        run<Result>(call, handlers, arguments<>(), read..., static_cast<const Element *>(elements), count);
    }

    // Stores what a put brings in the owner's array.
    template <typename Element, unsigned Size>
    void put(Element (&all)[Size]) {
        unsigned at = static_cast<unsigned>(in_.read());
        while (!in_.ended()) {
            const Element next = from_word<Element>(in_.read());
            if (at < Size) all[at++] = next;
        }
        send_signal(out_, reply());
    }
    // Sends what a get asks for.
    template <typename Element, unsigned Size>
    void get(const Element (&all)[Size]) {
        const unsigned first = static_cast<unsigned>(in_.read());
        const unsigned count = static_cast<unsigned>(in_.read());
        writeincr(out_, reply().word(), false);
        for (unsigned i = 0; i < count; ++i) writeincr(out_, to_word(all[first + i]), i + 1 == count);
    }

    // The owner has no transfers.
    void finish(unsigned) {}

protected:
    // A call of the owner would wait for itself.
    template <typename Result, unsigned Number, typename... Types>
    Result request(Types...) {
        (void)AIEC_MISUSED(in_.port(), "the owner called a handler of its own", true);
        return Result();
    }
    template <typename Result, unsigned Number, unsigned Most, typename... Types>
    Result request_with(Types... values) {
        return request<Result, Number>(values...);
    }
    template <unsigned Number, unsigned Size, typename Element>
    transfer<active_server> put_elements(unsigned, Element *, unsigned) {
        request<void, Number>();
        return {*this, 0};
    }
    template <unsigned Number, unsigned Size, typename Element>
    transfer<active_server> get_elements(unsigned, Element *elements, unsigned) {
        return put_elements<Number, Size>(0, elements, 0);
    }

private:
    packet_header reply() const {
        const unsigned to = number_among_others<Collective>(in_.from());
        return {id(to), packet_kind::end, to, to};
    }

    unsigned id(unsigned to) const { return getPacketid(out_, static_cast<int>(to)); }

    packets_of_others<Collective> in_;
    output_pktstream *out_;
    bool serving_ = false; // a handler runs
};

// A kernel that is neither: its calls do nothing.
template <typename Collective>
class active_idle : public active_rank<Collective> {
public:
    static constexpr bool is_member = false;
    static constexpr bool is_root = false;

    active_idle() : active_rank<Collective>(Collective::rank_count) {}

    template <typename Handlers>
    void serve(Handlers &&) {}
    template <typename Handlers>
    bool serve_one(Handlers &&) {
        return false;
    }
    void finish(unsigned) {}

protected:
    template <typename Result, unsigned Number, typename... Types>
    Result request(Types...) {
        return Result();
    }
    template <typename Result, unsigned Number, unsigned Most, typename... Types>
    Result request_with(Types...) {
        return Result();
    }
    template <unsigned Number, unsigned Size, typename Element>
    transfer<active_idle> put_elements(unsigned, Element *, unsigned) {
        return {*this, 0};
    }
    template <unsigned Number, unsigned Size, typename Element>
    transfer<active_idle> get_elements(unsigned, Element *, unsigned) {
        return {*this, 0};
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
