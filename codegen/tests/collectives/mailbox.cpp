// Messages of a mailbox: their words, and the accesses to streams that each rank makes (counting/).
// What comes is written here; nothing runs beside it.
#include "aiec/mailbox.h"
#include "packet_words.h"

namespace {

// Ranks 0, 1 and 3 are numbers 0, 1 and 2 beside the root.
struct inbox {
    using element_type = int32;
    static constexpr const char *spelling = "inbox";
    static constexpr unsigned rank_count = 4, data_elements = 64, root = 2;
};

// Takes a word off.
void word(output_pktstream &out, int32 expected, bool last) {
    same("word", out.words.at(0).first, expected);
    same("TLAST", out.words.at(0).second, last);
    out.words.pop_front();
}

void sender() {
    input_stream<int32> in;
    output_pktstream out;
    aiec::mailbox_sender<inbox> rank(3, {&in}, {&out});
    const int32 all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    rank.send(all, 7);
    accesses("seven elements, after the root has begun", 1, 2 + 7);
    rank.send(all, aiec::pieces{1, 1, 4, 4});
    accesses("four pieces", 0, 2 + 4);
    rank.send(all, 0);
    accesses("nothing", 0, 2);
    header(out, 0, kind::end, 2, 2);
    word(out, 7 * 4, false);
    words(out, 0, 7);
    header(out, 0, kind::end, 2, 2);
    word(out, 4 * 4, false);
    for (int32 i = 0; i < 4; ++i) word(out, 1 + 4 * i, i == 3);
    header(out, 0, kind::end, 2, 2);
    word(out, 0, true);

    const int8 bytes[] = {1, 2, 3, 4, 5};
    rank.send(bytes, 5);
    accesses("five bytes", 0, 2 + 2);
    const cint32 pairs[] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    rank.send(pairs, aiec::pieces{1, 2, 1, 0});
    accesses("two pairs", 0, 2 + 4);
    header(out, 0, kind::end, 2, 2);
    word(out, 5, false);
    word(out, 0x04030201, false);
    word(out, 5, true);
    header(out, 0, kind::end, 2, 2);
    word(out, 16, false);
    words(out, 3, 4);
    rank.leave();
    accesses("it leaves", 0, 2);
    header(out, 0, kind::leave, 2, 2);
}

// A sender that sends nothing takes the root's word, too.
void silent() {
    input_stream<int32> in;
    output_pktstream out;
    aiec::mailbox_sender<inbox> rank(0, {&in}, {&out});
    rank.leave();
    accesses("it leaves without a message", 1, 2);
    header(out, 0, kind::leave, 0, 0);
}

void message(std::deque<std::pair<int32, bool>> &to, unsigned sender, int32 bytes, int32 first, int32 words) {
    to.emplace_back(aiec::packet_header(0, kind::end, sender, sender).word(), false);
    to.emplace_back(bytes, words == 0);
    for (int32 i = 0; i < words; ++i) to.emplace_back(first + i, i + 1 == words);
}

void root() {
    input_pktstream in;
    output_stream<int32> out;
    aiec::mailbox_root<inbox> rank(2, &in, {&out});
    accesses("the root begins", 0, 1);
    message(in.words, 2, 5 * 4, 100, 5);
    packet(in.words, kind::leave, 0, 0, 0, 1);
    message(in.words, 1, 4 * 4, 200, 4);
    message(in.words, 1, 5, 0x04030201, 2);
    message(in.words, 2, 0, 0, 0);
    for (unsigned number = 1; number < 3; ++number) packet(in.words, kind::leave, number, number, 0, 1);

    int32 all[16] = {};
    const aiec::message first = rank.receive(all, 16);
    same("sender", first.from, 3);
    same("elements", first.count, 5);
    for (int32 i = 0; i < 5; ++i) same("element", all[i], 100 + i);
    accesses("five elements", 2 + 5, 0);
    const aiec::message second = rank.receive(all, {1, 1, 4, 4});
    same("sender", second.from, 1);
    same("elements", second.count, 4);
    for (int32 i = 0; i < 4; ++i) same("element", all[1 + 4 * i], 200 + i);
    accesses("a rank has left, then four pieces", 2 + 2 + 4, 0);
    int8 bytes[8] = {};
    same("elements", rank.receive(bytes, 8).count, 5);
    for (int8 i = 0; i < 4; ++i) same("element", bytes[i], i + 1);
    same("element", bytes[4], 2);
    same("element behind the last", bytes[5], 0);
    accesses("five bytes", 2 + 2, 0);
    const aiec::message empty = rank.receive(all, 16);
    same("came", empty.came, true);
    same("elements", empty.count, 0);
    accesses("nothing", 2, 0);
    same("came", rank.receive(all, 16).came, false);
    accesses("all have left", 2 * 2, 0);
    same("came", rank.receive(all, 16).came, false);
    rank.leave();
    accesses("no more", 0, 0);
}

// What does not fit is read and dropped.
void early() {
    input_pktstream in;
    output_stream<int32> out;
    aiec::mailbox_root<inbox> rank(2, &in, {&out});
    accesses("the root begins", 0, 1);
    message(in.words, 0, 3 * 4, 1, 3);
    message(in.words, 0, 2 * 4, 1, 2);
    for (unsigned number = 0; number < 3; ++number) packet(in.words, kind::leave, number, number, 0, 1);
    int32 all[3] = {};
    same("elements", rank.receive(all, 2).count, 2);
    same("element", all[2], 0);
    rank.leave();
    accesses("a message is left", 2 + 3 + 2 + 2 + 3 * 2, 0);
    same("words", long(in.words.size()), 0);
}

} // namespace

int main() {
    sender();
    silent();
    root();
    early();
    return failed ? 1 : 0;
}
