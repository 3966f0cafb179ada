// barrier: no rank leaves before all have entered. Windows of 16 bytes travel, whose content means nothing.
#pragma once

#include "member.h"
#include "ports.h"

namespace aiec {

template <typename C>
struct signals {
    using T = typename C::element_type;

    static void send(out_port<T> out) {
        acquire(out);
        writer<T> window(out);
        for (unsigned i = 0; i < C::window_elements; ++i) {
            window.put(T{});
        }
        release(out);
    }
    static void receive(in_port<T> in) {
        acquire(in);
        reader<T>(in).skip(C::window_elements);
        release(in);
    }
    // One from each input port, then one to each output port.
    template <unsigned Ins, unsigned Outs>
    static void pass(const ins<C, Ins> &in, const outs<C, Outs> &out) {
        for (unsigned i = 0; i != Ins; ++i) {
            receive(in[i]);
        }
        for (unsigned o = 0; o != Outs; ++o) {
            send(out[o]);
        }
    }
};

// Up a tree and down again. In: the children, then the parent. Out: the parent, then the children.
template <typename C, unsigned UpIns, unsigned UpOuts, unsigned DownIns, unsigned DownOuts>
class barrier_tree : public member<C> {
public:
    barrier_tree(unsigned rank, const ins<C, UpIns + DownIns> &in, const outs<C, UpOuts + DownOuts> &out)
        : member<C>(rank), up_in_(part<UpIns>(in, 0)), down_in_(part<DownIns>(in, UpIns)),
          up_out_(part<UpOuts>(out, 0)), down_out_(part<DownOuts>(out, UpOuts)) {}

    void barrier() {
        this->contributes(nullptr, 0);
        signals<C>::pass(up_in_, up_out_);
        signals<C>::pass(down_in_, down_out_);
        this->results(nullptr, 0);
    }

private:
    ins<C, UpIns> up_in_;
    ins<C, DownIns> down_in_;
    outs<C, UpOuts> up_out_;
    outs<C, DownOuts> down_out_;
};

// In round k a rank signals the one 2^k further and waits for the one 2^k before: after it, it knows that 2^(k+1) ranks
// have entered. In: the ranks 2^k before. Out: the ranks 2^k further.
template <typename C, unsigned Rounds>
class barrier_dissemination : public member<C> {
public:
    barrier_dissemination(unsigned rank, const ins<C, Rounds> &in, const outs<C, Rounds> &out)
        : member<C>(rank), in_(in), out_(out) {}

    void barrier() {
        this->contributes(nullptr, 0);
        for (unsigned round = 0; round < Rounds; ++round) {
            signals<C>::send(out_[round]);
            signals<C>::receive(in_[round]);
        }
        this->results(nullptr, 0);
    }

private:
    ins<C, Rounds> in_;
    outs<C, Rounds> out_;
};

} // namespace aiec
