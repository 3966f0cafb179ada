// barrier: no rank leaves before all have entered. Ranks exchange windows of 16 bytes with
// meaningless content.
#pragma once

#include "member.h"
#include "signals.h"

namespace aiec {

// Up a tree and down again. In: the children, then the parent. Out: the parent, then the children.
template <typename Collective, unsigned UpIns, unsigned UpOuts, unsigned DownIns, unsigned DownOuts>
class barrier_tree : public member<Collective> {
public:
    barrier_tree(unsigned rank, const ins<Collective, UpIns + DownIns> &in,
                 const outs<Collective, UpOuts + DownOuts> &out)
        : member<Collective>(rank), up_in_(part<UpIns>(in, 0)), down_in_(part<DownIns>(in, UpIns)),
          up_out_(part<UpOuts>(out, 0)), down_out_(part<DownOuts>(out, UpOuts)) {}

    void barrier() {
        this->contributes(nullptr, 0);
        signals<Collective>::pass(up_in_, up_out_);
        signals<Collective>::pass(down_in_, down_out_);
        this->results(nullptr, 0);
    }

private:
    ins<Collective, UpIns> up_in_;
    ins<Collective, DownIns> down_in_;
    outs<Collective, UpOuts> up_out_;
    outs<Collective, DownOuts> down_out_;
};

// In round k a rank signals the rank 2^k further and waits for the rank 2^k before. After the round
// it knows that 2^(k+1) ranks have entered. In: the ranks 2^k before. Out: the ranks 2^k further.
template <typename Collective, unsigned Rounds>
class barrier_dissemination : public member<Collective> {
public:
    barrier_dissemination(unsigned rank, const ins<Collective, Rounds> &in, const outs<Collective, Rounds> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    void barrier() {
        this->contributes(nullptr, 0);
        for (unsigned round = 0; round < Rounds; ++round) {
            signals<Collective>::send(out_[round]);
            signals<Collective>::receive(in_[round]);
        }
        this->results(nullptr, 0);
    }

private:
    ins<Collective, Rounds> in_;
    outs<Collective, Rounds> out_;
};

} // namespace aiec
