// Active messages: the words of requests and replies, and the accesses to streams that each rank
// makes (counting/). What comes is written here; nothing runs beside it.
#include "aiec/active.h"
#include "packet_words.h"

namespace {

// As the emitter writes it. Ranks 0, 1 and 3 are numbers 0, 1 and 2 beside the owner.
struct server {
    using element_type = int32;
    static constexpr const char *spelling = "server";
    static constexpr unsigned rank_count = 4, data_elements = 4, root = 2;

    template <typename Rank>
    struct calls : Rank {
        using Rank::Rank;
        void add(int32 idx, float v) { return this->template request<void, 0>(idx, v); }
        uint32 get(int32 idx) { return this->template request<uint32, 1>(idx); }
        void fill(int32 at, const int32 *data, unsigned data_count) {
            return this->template request_with<void, 2, 4>(data, data_count, at);
        }
        int32 end() { return this->template request<int32, 3>(); }
    };

    template <typename Request, typename Handlers>
    static void handle(Request &request, Handlers &handlers) {
        const auto call_add = [](auto &all, auto... with) -> decltype(all.add(with...)) { return all.add(with...); };
        const auto call_get = [](auto &all, auto... with) -> decltype(all.get(with...)) { return all.get(with...); };
        const auto call_fill = [](auto &all, auto... with) -> decltype(all.fill(with...)) { return all.fill(with...); };
        const auto call_end = [](auto &all, auto... with) -> decltype(all.end(with...)) { return all.end(with...); };
        switch (request.handler()) {
        case 0: return request.template run<void>(call_add, handlers, aiec::arguments<int32, float>());
        case 1: return request.template run<uint32>(call_get, handlers, aiec::arguments<int32>());
        case 2:
            return request.template run<void>(call_fill, handlers, aiec::arguments<int32, aiec::payload<int32, 4>>());
        case 3: return request.template run<int32>(call_end, handlers, aiec::arguments<>());
        }
    }
};

// Types without conversions, and the result.
struct right {
    uint32 get(unsigned, int32) const;
};
struct wrong {
    uint32 get(unsigned, float) const;
};
struct none {};
constexpr auto call_get = [](auto &all, auto... with) -> decltype(all.get(with...)) { return all.get(with...); };
template <typename Result, typename Handlers>
constexpr bool has_get = aiec::answers<Result, decltype(call_get), Handlers, int32>();
static_assert(has_get<uint32, right> && !has_get<uint32, wrong> && !has_get<int32, right> && !has_get<uint32, none>);

// Takes a word off.
void word(output_pktstream &out, int32 expected, bool last) {
    same("word", out.words.at(0).first, expected);
    same("TLAST", out.words.at(0).second, last);
    out.words.pop_front();
}

void client() {
    input_pktstream in;
    output_pktstream out;
    aiec::active_client<server> rank(3, {&in}, {&out});
    packet(in.words, kind::grant, 2, 2, 0, 1);
    rank.add(5, 2.0F);
    accesses("a short request, after the owner has begun", 2, 2 + 2);
    header(out, 0, kind::ask, 2, 2);
    word(out, 0, false);
    word(out, 5, false);
    word(out, aiec::to_word(2.0F), true);

    packet(in.words, kind::end, 2, 2, -7, 1);
    same("result", rank.get(9), static_cast<uint32>(-7));
    accesses("a request with a result", 2, 2 + 1);
    header(out, 0, kind::ask, 2, 2);
    word(out, 1, false);
    word(out, 9, true);

    const int32 all[] = {10, 11, 12, 13, 14};
    rank.fill(3, all, 3);
    accesses("a long request", 0, 2 + 1 + 3);
    header(out, 0, kind::ask, 2, 2);
    word(out, 2, false);
    word(out, 3, false);
    words(out, 10, 3);
    rank.fill(4, all, 0);
    accesses("a long request of nothing", 0, 2 + 1);
    header(out, 0, kind::ask, 2, 2);
    word(out, 2, false);
    word(out, 4, true);

    packet(in.words, kind::end, 2, 2, 1, 1);
    same("result", rank.end(), 1);
    accesses("no arguments", 2, 2);
    header(out, 0, kind::ask, 2, 2);
    word(out, 3, true);
    rank.leave();
    accesses("it leaves", 0, 2);
    header(out, 0, kind::leave, 2, 2);
}

// A client that asks nothing takes the owner's packet, too.
void silent() {
    input_pktstream in;
    output_pktstream out;
    aiec::active_client<server> rank(0, {&in}, {&out});
    packet(in.words, kind::grant, 0, 0, 0, 1);
    rank.leave();
    accesses("it leaves without a request", 2, 2);
    header(out, 0, kind::leave, 0, 0);
}

void request(std::deque<std::pair<int32, bool>> &to, unsigned client, std::initializer_list<int32> words) {
    to.emplace_back(aiec::packet_header(0, kind::ask, client, client).word(), false);
    for (const int32 &word : words) to.emplace_back(word, &word + 1 == words.end());
}

struct handlers {
    void add(unsigned from, int32 idx, float v) {
        same("client", from, 3);
        same("argument", idx, 5);
        same("argument", long(v), 2);
    }
    uint32 get(unsigned from, int32 idx) {
        same("client", from, 1);
        return 100 + idx;
    }
    void fill(unsigned, int32 at, const int32 *data, unsigned count) {
        filled = count;
        for (unsigned i = 0; i < count; ++i) same("element", data[i], at + i);
    }
    int32 end(unsigned) { return -1; }

    unsigned filled = 99;
};

void begins(output_pktstream &out) {
    accesses("the owner begins", 0, 3 * 2);
    for (unsigned number = 0; number < 3; ++number) {
        header(out, number, kind::grant, number, number);
        words(out, 0, 1);
    }
}

void owner() {
    input_pktstream in;
    output_pktstream out;
    aiec::active_owner<server> rank(2, &in, {&out});
    begins(out);
    handlers all;
    request(in.words, 2, {0, 5, aiec::to_word(2.0F)});
    same("served", rank.serve_one(all), true);
    accesses("a short request", 2 + 2, 0);
    packet(in.words, kind::leave, 0, 0, 0, 1);
    request(in.words, 1, {1, 9});
    same("served", rank.serve_one(all), true);
    accesses("a client has left, then a request with a result", 2 + 2 + 1, 2);
    header(out, 1, kind::end, 1, 1);
    words(out, 109, 1);
    request(in.words, 1, {2, 20, 20, 21, 22});
    same("served", rank.serve_one(all), true);
    same("elements", all.filled, 3);
    accesses("a long request", 2 + 1 + 3, 0);
    request(in.words, 1, {2, 20});
    request(in.words, 2, {3});
    for (unsigned number = 1; number < 3; ++number) packet(in.words, kind::leave, number, number, 0, 1);
    rank.serve(all);
    same("elements", all.filled, 0);
    accesses("two requests, and all have left", 2 + 1 + 2 + 2 * 2, 2);
    header(out, 2, kind::end, 2, 2);
    words(out, -1, 1);
    same("served", rank.serve_one(all), false);
    rank.leave();
    accesses("no more", 0, 0);
}

// What is not served is read and dropped.
void early() {
    input_pktstream in;
    output_pktstream out;
    aiec::active_owner<server> rank(2, &in, {&out});
    begins(out);
    request(in.words, 0, {2, 20, 20, 21, 22});
    request(in.words, 0, {1, 4});
    for (unsigned number = 0; number < 3; ++number) packet(in.words, kind::leave, number, number, 0, 1);
    rank.leave();
    accesses("two requests are left", 6 + 3 + 3 * 2, 0);
    same("words", long(in.words.size()), 0);
}

} // namespace

int main() {
    client();
    silent();
    owner();
    early();
    return failed ? 1 : 0;
}
