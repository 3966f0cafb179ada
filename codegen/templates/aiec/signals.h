// Windows whose content means nothing: that they come is all they say.
#pragma once

#include "ports.h"

namespace aiec {

template <typename Collective, unsigned Elements = Collective::window_elements>
struct signals {
    using Element = typename Collective::element_type;

    static void send(out_port<Element> out) {
        acquire(out);
        writer<Element> window(out);
        for (unsigned i = 0; i < Elements; ++i) {
            window.put(Element{});
        }
        release(out);
    }
    static void receive(in_port<Element> in) {
        acquire(in);
        reader<Element>(in).skip(Elements);
        release(in);
    }
    // One from each input port, then one to each output port.
    template <unsigned Ins, unsigned Outs>
    static void pass(const ins<Collective, Ins> &in, const outs<Collective, Outs> &out) {
        for (unsigned i = 0; i != Ins; ++i) {
            receive(in[i]);
        }
        for (unsigned o = 0; o != Outs; ++o) {
            send(out[o]);
        }
    }
};

} // namespace aiec
