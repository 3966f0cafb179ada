// What MPI defines, as plain loops over ranks: kernels call a collective of the library and compare what they got, element by element.
// Nothing here knows of shapes, windows or schedules. All kernels of the program share what is static.
#pragma once

#include <adf.h>

#include <cstdio>

namespace mpi {

inline constexpr unsigned calls = 2;

inline unsigned long called = 0, wrong = 0;

// Says at the end of the program how many calls there were and how many elements were wrong.
struct summary {
    ~summary() { std::printf("%lu calls, %lu wrong\n", called, wrong); }
};
inline summary at_end;

template <typename T>
void expect(const char *what, unsigned rank, unsigned call, unsigned i, T got, T wanted) {
    if (got == wanted) return;
    if (++wrong <= 10) {
        std::printf("%s: element %u at rank %u in call %u is %g, not %g\n", what, i, rank, call, double(got), double(wanted));
    }
}

// Element `i` of what `rank` hands in. Sums of 63 of them are exact in every type.
template <typename T>
T value(unsigned rank, unsigned call, unsigned i) { return T(int((rank * 31 + i * 7 + call * 5) % 97) - 48); }

struct sum {
    template <typename T>
    static T combined(T a, T b) { return T(a + b); }
};
struct max {
    template <typename T>
    static T combined(T a, T b) { return a < b ? b : a; }
};

// The combination of element `i` of the ranks from 0 up to but not including `end`.
template <typename Op, typename T>
T combination(unsigned end, unsigned call, unsigned i) {
    T all = value<T>(0, call, i);
    for (unsigned rank = 1; rank < end; ++rank) all = Op::combined(all, value<T>(rank, call, i));
    return all;
}

// Other kernels get their turn, sometimes.
inline void come_late() {
    static adf::sim::random_source chance{adf::sim::settings::get().seed + 1};
    for (unsigned long n = chance.below(4); n > 0; --n) adf::sim::running_kernel()->wait_for({});
}

// How many ranks have entered each phase of a barrier.
template <unsigned Phases, typename Tag>
inline unsigned entered[Phases] = {};

// One collective over `Size` ranks with blocks of `Block` elements: arrays of so many blocks, filled and compared.
template <typename T, unsigned Block, unsigned Blocks>
struct array {
    alignas(32) T items[Block * Blocks];

    // What `rank` hands in, or what nobody may count on.
    void fill(unsigned rank, unsigned call) {
        for (unsigned i = 0; i < Block * Blocks; ++i) items[i] = value<T>(rank, call, i);
    }
    void clear() {
        for (T &item : items) item = T(99);
    }
};

template <typename T, unsigned Block, unsigned Size>
struct test {
    using one = array<T, Block, 1>;
    using all = array<T, Block, Size>;

    template <typename Comm, typename Call>
    static void each_call(Comm &comm, Call call) {
        for (unsigned number = 0; number < calls; ++number) {
            come_late();
            call(comm.rank(), number);
            ++called;
        }
    }

    template <typename Op, typename Comm>
    static void reduce(Comm &comm, unsigned root) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one data;
            data.fill(me, call);
            comm.reduce(&data.items[0]);
            for (unsigned i = 0; i < Block; ++i) {
                const T wanted = me == root ? combination<Op, T>(Size, call, i) : value<T>(me, call, i);
                expect("reduce", me, call, i, data.items[i], wanted);
            }
        });
    }
    template <typename Op, typename Comm>
    static void allreduce(Comm &comm) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one data;
            data.fill(me, call);
            comm.allreduce(&data.items[0]);
            for (unsigned i = 0; i < Block; ++i)
                expect("allreduce", me, call, i, data.items[i], combination<Op, T>(Size, call, i));
        });
    }
    template <typename Op, typename Comm>
    static void scan(Comm &comm, bool exclusive) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one data;
            data.fill(me, call);
            comm.scan(&data.items[0]);
            // MPI leaves rank 0 of an exclusive scan open; here it keeps its own.
            const unsigned end = exclusive && me > 0 ? me : me + 1;
            for (unsigned i = 0; i < Block; ++i)
                expect("scan", me, call, i, data.items[i], combination<Op, T>(end, call, i));
        });
    }
    template <typename Comm>
    static void broadcast(Comm &comm, unsigned root) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one data;
            data.fill(me, call);
            comm.broadcast(&data.items[0]);
            for (unsigned i = 0; i < Block; ++i) expect("broadcast", me, call, i, data.items[i], value<T>(root, call, i));
        });
    }
    template <typename Comm>
    static void gather(Comm &comm, unsigned root) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one send;
            all recv;
            send.fill(me, call);
            recv.clear();
            comm.gather(&send.items[0], me == root ? &recv.items[0] : nullptr);
            if (me == root) side_by_side("gather", me, call, recv);
        });
    }
    template <typename Comm>
    static void allgather(Comm &comm) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one send;
            all recv;
            send.fill(me, call);
            recv.clear();
            comm.allgather(&send.items[0], &recv.items[0]);
            side_by_side("allgather", me, call, recv);
        });
    }
    template <typename Comm>
    static void scatter(Comm &comm, unsigned root) {
        each_call(comm, [&](unsigned me, unsigned call) {
            all send;
            one recv;
            send.fill(me, call);
            recv.clear();
            comm.scatter(me == root ? &send.items[0] : nullptr, &recv.items[0]);
            for (unsigned i = 0; i < Block; ++i)
                expect("scatter", me, call, i, recv.items[i], value<T>(root, call, me * Block + i));
        });
    }
    template <typename Op, typename Comm>
    static void reduce_scatter(Comm &comm) {
        each_call(comm, [&](unsigned me, unsigned call) {
            all send;
            one recv;
            send.fill(me, call);
            recv.clear();
            comm.reduce_scatter(&send.items[0], &recv.items[0]);
            for (unsigned i = 0; i < Block; ++i)
                expect("reduce_scatter", me, call, i, recv.items[i], combination<Op, T>(Size, call, me * Block + i));
        });
    }
    template <typename Comm>
    static void alltoall(Comm &comm) {
        each_call(comm, [&](unsigned me, unsigned call) {
            all send, recv;
            send.fill(me, call);
            recv.clear();
            comm.alltoall(&send.items[0], &recv.items[0]);
            for (unsigned i = 0; i < Block * Size; ++i)
                expect("alltoall", me, call, i, recv.items[i], value<T>(i / Block, call, me * Block + i % Block));
        });
    }
    // Everybody sends to the next rank, the last one to the first.
    template <typename Comm>
    static void sendrecv(Comm &comm) {
        each_call(comm, [&](unsigned me, unsigned call) {
            one send, recv;
            send.fill(me, call);
            recv.clear();
            comm.sendrecv(&send.items[0], &recv.items[0]);
            for (unsigned i = 0; i < Block; ++i)
                expect("sendrecv", me, call, i, recv.items[i], value<T>((me + Size - 1) % Size, call, i));
        });
    }
    // Nobody leaves a phase before all have entered it.
    template <unsigned Phases, typename Tag, typename Comm>
    static void barrier(Comm &comm) {
        for (unsigned phase = 0; phase < Phases; ++phase) {
            come_late();
            ++entered<Phases, Tag>[phase];
            comm.barrier();
            expect("barrier", comm.rank(), phase, 0, entered<Phases, Tag>[phase], Size);
        }
        called += calls;
    }

private:
    static void side_by_side(const char *what, unsigned me, unsigned call, const all &got) {
        for (unsigned i = 0; i < Block * Size; ++i)
            expect(what, me, call, i, got.items[i], value<T>(i / Block, call, i % Block));
    }
};

} // namespace mpi
