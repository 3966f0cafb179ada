// Accesses to streams of the calls of a channel, counted (counting/). A push is one of them and a
// counter. Without a partner none is left.
#include <cstdio>

#include "aiec/channel.h"

namespace {

struct halo {
    using element_type = float;
    static constexpr const char *spelling = "halo";
    static constexpr unsigned rank_count = 2, data_elements = 64;
};

bool failed = false;
void same(const char *what, unsigned found, unsigned expected) {
    if (found == expected) return;
    failed = true;
    std::printf("%s: %u, not %u\n", what, found, expected);
}

} // namespace

int main() {
    input_stream<float> in;
    output_stream<float> out;
    aiec::channel_end<halo, 1, 1> both(0, {&in}, {&out});
    auto to = both.open_send(9);
    auto from = both.open_receive();
    same("words of an opening", counting::streams.words, 0);
    for (unsigned i = 0; i < 5; ++i) to.push(1.0f);
    to.push(aie::zeros<float, 4>());
    same("writes", counting::streams.writes, 5 + 1);
    same("words written", counting::streams.words, 9);
    same("left of 9", to.left(), 0);
    aie::vector<float, 8> lanes;
    from.pop(lanes);
    (void)from.pop();
    same("reads", counting::streams.reads, 2);
    same("words", counting::streams.words, 9 + 9);
    same("left of 64", from.left(), 55);
    // What a kernel holds: a port and a number.
    static_assert(sizeof to <= 2 * sizeof(void *) && sizeof from <= 2 * sizeof(void *));

    aiec::channel_outside<halo> outside;
    static_assert(!outside.is_member && !outside.sends && !outside.receives);
    auto nobody = outside.open_send(2);
    nobody.push(1.0f);
    same("left of 2", nobody.left(), 1);
    auto zeros = outside.open_receive(1);
    same("zero", unsigned(zeros.pop()), 0);
    same("all accesses", counting::streams.reads + counting::streams.writes, 8);
    return failed ? 1 : 0;
}
