// clock: every rank learns by how many cycles its tile's counter is ahead of that of rank 0. The
// counters of all tiles run at one pace, so a difference holds until the array is reset.
//
// Pairs of ranks exchange times in two ping-pongs (J. Hanlon, "XK-XMP-64 Performance Measurements",
// 3.2). One rank gives its time, the other one adjusts its clock. Times are read directly behind
// the arrival of a window, and both ranks answer with the same instructions. What remains is half
// the difference between the ways there and back.
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>

#include "ends.h"
#include "hypercube.h"
#include "member.h"

namespace aiec {

// What all ranks do. `offset`: cycles that the counter is ahead, which the kernel keeps from firing
// to firing.
template <typename Collective>
class clock_rank : public member<Collective> {
public:
    clock_rank(unsigned rank, int64 &offset) : member<Collective>(rank), offset_(offset) {}

    // Cycles by the counter of rank 0. Before the first sync(): by its own.
    unsigned long long now() const {
        return aie::tile::current().cycles() - static_cast<unsigned long long>(offset_);
    }

protected:
    using Element = typename Collective::element_type;

    // Gives its time to the rank at these ports (clkSyncSlave of the note).
    void give_time(in_port<Element> in, out_port<Element> out) {
        send(out, 0);
        answer(in, out); // with t0
        answer(in, out); // with t2
    }

    // Takes the time of the rank at these ports (clkSyncMaster). Returns twice the number of cycles
    // that the own clock is ahead of that one.
    int64 take_time(in_port<Element> in, out_port<Element> out) {
        answer(in, out);
        const heard there = answer(in, out); // t0, heard at t1
        const int64 t2 = receive(in);
        return 2 * there.at - there.word - t2;
    }

    // The clock is ahead by `sum` / 2^`bits`, which is rounded.
    void adjust(int64 sum, unsigned bits) { offset_ += (sum + (int64(1) << (bits - 1))) >> bits; }

    static void send(out_port<Element> out, int64 word) {
        acquire(out);
        Element *to = start(out);
        to[0] = word;
        to[1] = 0; // a window has 16 bytes
        release(out);
    }
    static int64 receive(in_port<Element> in) {
        acquire(in);
        const int64 word = start(in)[0];
        release(in);
        return word;
    }

    int64 &offset_;

private:
    // A word, and when it came.
    struct heard {
        int64 word, at;
    };

    // Answers a window with the time at which it came.
    heard answer(in_port<Element> in, out_port<Element> out) {
        acquire(in);
        const int64 at = static_cast<int64>(now());
        const int64 word = start(in)[0];
        release(in);
        send(out, at);
        return {word, at};
    }
};

// Over a hypercube, one dimension after the other. The rank with the larger number adjusts its
// clock. All pairs between the same two halves should find one difference: each takes the mean of
// theirs, by exchanges in the dimensions before. A keeper first adjusts its clock to the rank that
// it folds, and in the end tells it how much further it adjusted it. Ports: `hypercube`.
template <typename Collective, unsigned Rounds, fold Fold>
class clock_butterfly : public clock_rank<Collective> {
    using corner = hypercube<Collective, Rounds, Fold>;

public:
    clock_butterfly(unsigned rank, const ins<Collective, corner::ports> &in,
                    const outs<Collective, corner::ports> &out, int64 &offset)
        : clock_rank<Collective>(rank, offset), in_(in), out_(out) {}

    void sync() {
        this->contributes(nullptr, 0);
        this->offset_ = 0;
        if constexpr (Fold == fold::folded) {
            this->give_time(in_[0], out_[0]);
            this->offset_ = this->receive(in_[0]);
        } else if constexpr (Fold == fold::keeper) {
            this->adjust(this->take_time(in_[0], out_[Rounds]), 1);
            const int64 to_folded = this->offset_;
            dimensions();
            this->send(out_[Rounds], this->offset_ - to_folded);
        } else {
            dimensions();
        }
        this->results(nullptr, 0);
    }

private:
    void dimensions() {
        for (unsigned d = 0; d != Rounds; ++d) {
            if ((corner::number(this->rank()) >> d & 1) == 0) {
                this->give_time(in_[corner::first_in + d], out_[d]);
            } else {
                int64 sum = this->take_time(in_[corner::first_in + d], out_[d]);
                for (unsigned before = 0; before != d; ++before) {
                    this->send(out_[before], sum);
                    sum += this->receive(in_[corner::first_in + before]);
                }
                this->adjust(sum, d + 1); // twice the differences of 2^d pairs
            }
        }
    }

    ins<Collective, corner::ports> in_;
    outs<Collective, corner::ports> out_;
};

// Over a tree: a rank gives its time to its children, then adjusts its clock to its parent. Offsets
// of the parents come down from the root. In: the children, then the parent. Out: the parent, then
// the children.
template <typename Collective, unsigned UpIns, unsigned UpOuts, unsigned DownIns, unsigned DownOuts>
class clock_tree : public clock_rank<Collective> {
public:
    clock_tree(unsigned rank, const ins<Collective, UpIns + DownIns> &in,
               const outs<Collective, UpOuts + DownOuts> &out, int64 &offset)
        : clock_rank<Collective>(rank, offset), in_(in), out_(out) {}

    void sync() {
        this->contributes(nullptr, 0);
        this->offset_ = 0;
        for (unsigned child = 0; child != UpIns; ++child) {
            this->give_time(in_[child], out_[UpOuts + child]);
        }
        if constexpr (UpOuts > 0) {
            this->adjust(this->take_time(in_[UpIns], out_[0]), 1);
            this->offset_ += this->receive(in_[UpIns]);
        }
        for (unsigned child = 0; child != DownOuts; ++child) {
            this->send(out_[UpOuts + child], this->offset_);
        }
        this->results(nullptr, 0);
    }

private:
    ins<Collective, UpIns + DownIns> in_;
    outs<Collective, UpOuts + DownOuts> out_;
};

// A kernel outside the group: its own counter.
template <typename Collective>
class clock_outside : public outside<Collective> {
public:
    unsigned long long now() const { return aie::tile::current().cycles(); }
};

} // namespace aiec
