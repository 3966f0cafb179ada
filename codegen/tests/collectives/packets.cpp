// Packets of a channel to any peer: their words, and the accesses to streams that each rank makes
// (counting/). What comes is written here; nothing runs beside it.
#include "aiec/channel_any.h"
#include "packet_words.h"

namespace {

// Ranks 0, 1 and 3 are numbers 0, 1 and 2 beside the root.
struct mail {
    using element_type = int32;
    static constexpr const char *spelling = "mail";
    static constexpr unsigned rank_count = 4, data_elements = 64, root = 2, packet_words = 7, depth_words = 14;
};
// More than two elements go by credits.
struct small : mail {
    static constexpr unsigned depth_words = 2;
};
// A credit is for two packets.
struct wide : mail {
    static constexpr unsigned depth_words = 16;
};
void sender() {
    input_pktstream in;
    output_pktstream out;
    aiec::channel_any<mail> rank(3, {&in}, {&out});
    for (int i = 0; i < 2; ++i) packet(in.words, kind::grant, 2, 2, 0, 1);
    auto to = rank.open_send(9, 1);
    for (int32 i = 0; i < 6; ++i) to.push(i);
    accesses("six elements stay", 0, 0);
    to.push(6);
    accesses("the seventh fills a packet", 2, 2 + 8);
    to.push(7);
    to.push(8);
    accesses("the last one ends the opening", 2, 2 + 3);
    says(out, 0, kind::ask, 2, 2);
    header(out, 0, kind::part, 1, 2);
    words(out, 0, 7);
    says(out, 0, kind::ask, 2, 2);
    header(out, 0, kind::end, 1, 2);
    words(out, 7, 2);
    packet(in.words, kind::leave, 2, 2, 0, 1);
    rank.leave();
    accesses("all leave", 2, 2);
    header(out, 0, kind::leave, 2, 2);
}

// The credit of rank 1 comes while this rank waits for its grant, and is for one packet.
void sender_by_credits() {
    input_pktstream in;
    output_pktstream out;
    aiec::channel_any<small> rank(3, {&in}, {&out});
    packet(in.words, kind::credit, 2, 1, 7, 1);
    packet(in.words, kind::grant, 2, 2, 0, 1);
    packet(in.words, kind::credit, 2, 1, 1, 1);
    packet(in.words, kind::grant, 2, 2, 0, 1);
    auto to = rank.open_send(8, 1);
    for (int32 i = 0; i < 7; ++i) to.push(i);
    accesses("a credit, a grant and a packet", 2 + 2, 2 + 8);
    to.push(7);
    accesses("the last element has a credit, too", 2 + 2, 2 + 2);
    says(out, 0, kind::ask, 2, 2);
    header(out, 0, kind::part, 1, 2);
    words(out, 0, 7);
    says(out, 0, kind::ask, 2, 2);
    header(out, 0, kind::end, 1, 2);
    words(out, 7, 1);
}

// The first pop gives a credit of two packets, the 15th one of the last element.
void receiver_by_credits() {
    input_pktstream in;
    output_pktstream out;
    aiec::channel_any<wide> rank(0, {&in}, {&out});
    auto from = rank.open_receive(17, 3);
    accesses("opening says nothing", 0, 0);
    packet(in.words, kind::grant, 0, 0, 0, 1);
    packet(in.words, kind::part, 0, 2, 200, 7);
    packet(in.words, kind::part, 0, 2, 207, 7);
    packet(in.words, kind::grant, 0, 0, 0, 1);
    packet(in.words, kind::end, 0, 2, 214, 3);
    for (int32 i = 0; i < 14; ++i) same("by credit", from.pop(), 200 + i);
    accesses("a credit and two packets", 2 + 2 * 8, 2 + 2);
    for (int32 i = 14; i < 17; ++i) same("by credit", from.pop(), 200 + i);
    accesses("a credit and the last packet", 2 + 4, 2 + 2);
    says(out, 0, kind::ask, 0, 0);
    says(out, 0, kind::credit, 2, 0, 14);
    says(out, 0, kind::ask, 0, 0);
    says(out, 0, kind::credit, 2, 0, 3);
}

// Three words come early.
void receiver() {
    input_pktstream in;
    output_pktstream out;
    aiec::channel_any<mail> rank(0, {&in}, {&out});
    auto early = rank.open_receive(3, 1);
    auto wanted = rank.open_receive(14, 3);
    packet(in.words, kind::end, 0, 1, 100, 3);
    packet(in.words, kind::part, 0, 2, 200, 7);
    packet(in.words, kind::end, 0, 2, 207, 7);
    for (int32 i = 0; i < 7; ++i) same("wanted", wanted.pop(), 200 + i);
    accesses("a packet comes early", 4 + 8, 0);
    for (int32 i = 7; i < 14; ++i) same("wanted", wanted.pop(), 200 + i);
    accesses("a packet comes as wanted", 8, 0);
    for (int32 i = 0; i < 3; ++i) same("early", early.pop(), 100 + i);
    accesses("the early one has been read", 0, 0);
}

// Both ask; each is let send when the packet before it is on its way, but not its receiver.
void root() {
    input_pktstream in;
    output_pktstream out;
    aiec::channel_relay<mail> rank(2, &in, {&out});
    packet(in.words, kind::ask, 0, 0, 0, 1);
    packet(in.words, kind::ask, 1, 1, 0, 1);
    packet(in.words, kind::end, 1, 0, 300, 7);
    packet(in.words, kind::end, 0, 1, 400, 2);
    for (unsigned number = 0; number < 3; ++number) packet(in.words, kind::leave, number, number, 0, 1);
    rank.carry();
    accesses("two packets are carried", 2 * 2 + 8 + 3 + 3 * 2, 2 * 2 + 8 + 3 + 3 * 2);
    says(out, 0, kind::grant, 0, 0);
    header(out, 1, kind::end, 1, 0);
    words(out, 300, 7);
    says(out, 1, kind::grant, 1, 1);
    header(out, 0, kind::end, 0, 1);
    words(out, 400, 2);
    for (unsigned number = 0; number < 3; ++number) {
        header(out, number, kind::leave, number, number);
        words(out, 0, 1);
    }
}

} // namespace

int main() {
    sender();
    sender_by_credits();
    receiver();
    receiver_by_credits();
    root();
    return failed ? 1 : 0;
}
