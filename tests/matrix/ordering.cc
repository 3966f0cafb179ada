// Twenty calls of each of seven collectives. Every element carries its rank, the number of the call
// and its place.
#pragma once
#include "mpi.h"

constexpr unsigned ranks = 6, block = 22;

inline int32 tag(unsigned rank, unsigned call, unsigned i) { return int32(rank << 24 | call << 12 | i); }

// Arrays of one block or of one for each rank.
struct tagged {
    alignas(32) int32 one[block], all[ranks * block], got[ranks * block];
    unsigned me, call;

    tagged(unsigned rank, unsigned number) : me(rank), call(number) {
        for (unsigned i = 0; i < block; ++i) one[i] = tag(me, call, i);
        for (unsigned i = 0; i < ranks * block; ++i) {
            all[i] = tag(me, call, i);
            got[i] = -1;
        }
        mpi::come_late();
        ++mpi::called;
    }
    // From rank r came the elements from `first` on.
    void blocks_hold(const char *what, unsigned first) const {
        for (unsigned i = 0; i < ranks * block; ++i) {
            mpi::expect(what, me, call, i, got[i], tag(i / block, call, first + i % block));
        }
    }
};

template <typename Comm>
void worker(Comm &comm) {
    const unsigned me = comm.rank();
    for (unsigned call = 0; call < 20; ++call) {
        tagged a(me, call);
        comm.up.gather(a.one, comm.up.is_root ? a.got : nullptr);
        if (comm.up.is_root) a.blocks_hold("gather", 0);

        tagged b(me, call);
        comm.down.broadcast(b.one);
        for (unsigned i = 0; i < block; ++i) mpi::expect("broadcast", me, call, i, b.one[i], tag(1, call, i));

        tagged c(me, call);
        comm.round.allgather(c.one, c.got);
        c.blocks_hold("allgather", 0);

        tagged d(me, call);
        comm.aside.sendrecv(d.one, &d.got[0]);
        for (unsigned i = 0; i < block; ++i)
            mpi::expect("sendrecv", me, call, i, d.got[i], tag((me + ranks - 2) % ranks, call, i));

        tagged e(me, call);
        comm.across.alltoall(e.all, e.got);
        e.blocks_hold("alltoall", me * block);

        tagged f(me, call);
        comm.packed.gather(f.one, comm.packed.is_root ? f.got : nullptr);
        if (comm.packed.is_root) f.blocks_hold("gather over a merge", 0);

        tagged g(me, call);
        comm.summed.reduce(g.one);
        for (unsigned i = 0; comm.summed.is_root && i < block; ++i) {
            int32 sum = 0;
            for (unsigned r = 0; r < ranks; ++r) sum += tag(r, call, i);
            mpi::expect("reduce over a merge", me, call, i, g.one[i], sum);
        }
    }
}
