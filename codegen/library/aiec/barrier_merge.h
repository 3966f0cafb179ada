// barrier, flat, with the signals to the root merged. A pktmerge joins the windows of all other
// ranks into one stream of packets (UG1079). So the root needs one stream port for any number of
// ranks, no DMA channel and no memory. The other ranks are barrier_tree<Collective, 0, 1, 1, 0>:
// one window to the merge, one from the root. The root's answer is one multicast.
//
// Packets arrive in any order, and their senders do not matter. A rank sends its next packet only
// after the root has answered, so packets of two calls never meet in the stream.
#pragma once

#include <adf.h>

#include "barrier.h"

namespace aiec {

// The root. `Senders`: ranks whose packets arrive. Out: one port for all of them.
template <typename Collective, unsigned Senders>
class barrier_merge : public member<Collective> {
public:
    barrier_merge(unsigned rank, input_pktstream *in, const outs<Collective, 1> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    void barrier() {
        this->contributes(nullptr, 0);
        for (unsigned packets = 0; packets < Senders; ++packets) {
            skip_packet();
        }
        signals<Collective>::send(out_[0]);
        this->results(nullptr, 0);
    }

private:
    // Header and words up to the one that is marked as the last.
    void skip_packet() {
        for (bool last = false; !last;) {
            readincr(in_, last);
        }
    }

    input_pktstream *in_;
    outs<Collective, 1> out_;
};

} // namespace aiec
