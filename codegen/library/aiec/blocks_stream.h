// What a gather and a scatter over streams share: blocks that a rank passes on, and the order in
// which blocks pass the root. Every block on a stream has data_elements.
#pragma once

#include "opened.h"
#include "windows.h"

namespace aiec {

// Passes on `count` blocks.
template <typename Collective>
void pass_blocks(in_end<Collective> in, out_end<Collective> out, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        windows<Collective, true, true>::forward(in, out);
    }
}

// Tells simulators how many elements pass a rank that is not the root: the blocks of all ranks
// beyond it on their own links, and these with its own block on the link to the root.
template <typename Collective, typename Stream, typename Other, unsigned Count>
void open_chain([[maybe_unused]] Stream *near, [[maybe_unused]] const list<Other *, Count> &far,
                const counts<Count> &below) {
    [[maybe_unused]] unsigned blocks = 1;
    for (unsigned child = 0; child != Count; ++child) {
        AIEC_ON_OPEN(far[child], below[child] * Collective::data_elements);
        blocks += below[child];
    }
    AIEC_ON_OPEN(near, blocks * Collective::data_elements);
}

// The elements of all blocks that pass the root, in the order of their links: Order::ranks, of
// which Order::first tells those of each link.
template <typename Collective, typename Order, unsigned Links>
class root_order : public opened {
    static constexpr unsigned blocks = Order::first[Links];

public:
    root_order() : opened(blocks * Collective::data_elements) {}

    // The rank whose block has the next element.
    unsigned rank() const { return Order::ranks[block_]; }

protected:
    // The link of the next element.
    unsigned link() const { return link_; }
    template <typename Value>
    void step() {
        opened::step<Value>();
        at_ += elements_of<Value>();
        if (at_ < Collective::data_elements) {
            return;
        }
        at_ = 0;
        ++block_;
        while (link_ + 1 < Links && block_ >= Order::first[link_ + 1]) {
            ++link_;
        }
    }

    // Tells simulators how many elements pass each link.
    template <typename Stream>
    static void open_links([[maybe_unused]] const list<Stream *, Links> &streams) {
        for (unsigned i = 0; i != Links; ++i) {
            AIEC_ON_OPEN(streams[i], (Order::first[i + 1] - Order::first[i]) * Collective::data_elements);
        }
    }

private:
    unsigned block_ = 0, link_ = 0, at_ = 0;
};

} // namespace aiec
