// Windows with meaningless content: only their arrival counts.
#pragma once

#include "element.h"
#include "ends.h"

namespace aiec {

template <typename Collective, unsigned Elements = Collective::window_elements>
struct signals {
    using Element = typename Collective::element_type;

    static void send(out_port<Element> out) {
        acquire(out);
        clear(start(out));
        release(out);
    }
    static void receive(in_port<Element> in) {
        acquire(in);
        release(in);
    }
    // Takes one from each input port, then gives one to each output port.
    template <unsigned Ins, unsigned Outs>
    static void pass(const ins<Collective, Ins> &in, const outs<Collective, Outs> &out) {
        for (unsigned i = 0; i != Ins; ++i) {
            receive(in[i]);
        }
        for (unsigned o = 0; o != Outs; ++o) {
            send(out[o]);
        }
    }

private:
    // Clears the window, so that every run sends equal data.
    static void clear(Element *to) {
        if constexpr (has_vectors<Element> && Elements * sizeof(Element) == 16) {
            aie::store_v(to, aie::zeros<Element, Elements>());
        } else {
            for (unsigned i = 0; i < Elements; ++i) {
                to[i] = Element{};
            }
        }
    }
};

} // namespace aiec
