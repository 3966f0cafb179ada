// MPI's definitions, as plain loops over ranks: kernels call a collective of the library and
// compare the results, element by element. This header does not depend on shapes, windows or
// schedules. All kernels of the program share static data.
#pragma once

#include <adf.h>

#include <cstdio>

namespace mpi {

inline constexpr unsigned calls = 2;

inline unsigned long called = 0, wrong = 0;

// Prints at the end of the program the number of calls and of wrong elements.
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

// Element `i` of the contribution of `rank`. Sums of 63 of them are exact in every type.
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

// Number of ranks that have entered each phase of a barrier.
template <unsigned Phases, typename Tag>
inline unsigned entered[Phases] = {};

// At which number the counter of rank 0 of a clock starts.
template <typename Tag>
inline unsigned long long first_start = 0;

// One collective over `Size` ranks with blocks of `Block` elements: arrays of `Size` blocks, filled
// and compared.
template <typename T, unsigned Block, unsigned Blocks>
struct array {
    static constexpr unsigned elements = Block * Blocks;
    alignas(32) T items[elements];

    // The contribution of `rank`, or a value that must not be relied on.
    void fill(unsigned rank, unsigned call) {
        for (unsigned i = 0; i < elements; ++i) items[i] = value<T>(rank, call, i);
    }
    void clear() {
        for (T &item : items) item = T(99);
    }
    // `wanted` gives each expected element.
    template <typename Wanted>
    void compare(const char *what, unsigned rank, unsigned call, Wanted wanted) const {
        for (unsigned i = 0; i < elements; ++i) expect(what, rank, call, i, items[i], wanted(i));
    }
};

// The calls of one kernel.
struct turn {
    unsigned rank, call = 0;
    explicit turn(unsigned me) : rank(me) { come_late(); }
    explicit operator bool() const { return call < calls; }
    void operator++() {
        ++called;
        if (++call < calls) come_late();
    }
};

// Contributions of the ranks and their expected results. None of these depends on the communicator,
// so they are compiled once for all shapes.
template <typename T, unsigned Block, unsigned Size>
struct held {
    array<T, Block, 1> one;
    array<T, Block, Size> all;
    turn at;

    // Its own block in `one`, nothing in `all`.
    void one_to_all() {
        one.fill(at.rank, at.call);
        all.clear();
    }
    void all_to_one() {
        all.fill(at.rank, at.call);
        one.clear();
    }
    template <typename Op>
    void reduced(unsigned root) const {
        one.compare("reduce", at.rank, at.call, [this, root](unsigned i) {
            return at.rank == root ? combination<Op, T>(Size, at.call, i) : value<T>(at.rank, at.call, i);
        });
    }
    template <typename Op>
    void allreduced() const {
        one.compare("allreduce", at.rank, at.call, [this](unsigned i) { return combination<Op, T>(Size, at.call, i); });
    }
    // MPI leaves rank 0 of an exclusive scan open; here it keeps its own.
    template <typename Op>
    void scanned(bool exclusive) const {
        const unsigned end = exclusive && at.rank > 0 ? at.rank : at.rank + 1;
        one.compare("scan", at.rank, at.call, [this, end](unsigned i) { return combination<Op, T>(end, at.call, i); });
    }
    void is_of(const char *what, unsigned rank) const {
        one.compare(what, at.rank, at.call, [this, rank](unsigned i) { return value<T>(rank, at.call, i); });
    }
    void is_as_before(const char *what) const {
        one.compare(what, at.rank, at.call, [](unsigned) { return T(99); });
    }
    void side_by_side(const char *what) const {
        all.compare(what, at.rank, at.call, [this](unsigned i) { return value<T>(i / Block, at.call, i % Block); });
    }
    void is_block_of(unsigned root) const {
        one.compare("scatter", at.rank, at.call, [this, root](unsigned i) { return value<T>(root, at.call, at.rank * Block + i); });
    }
    template <typename Op>
    void is_block_of_combination() const {
        one.compare("reduce_scatter", at.rank, at.call,
                    [this](unsigned i) { return combination<Op, T>(Size, at.call, at.rank * Block + i); });
    }
    void is_transposed() const {
        all.compare("alltoall", at.rank, at.call,
                    [this](unsigned i) { return value<T>(i / Block, at.call, at.rank * Block + i % Block); });
    }
};

template <typename T, unsigned Block, unsigned Size>
struct test {
    using data = held<T, Block, Size>;

    template <typename Op, typename Comm>
    static void reduce(Comm &comm, unsigned root) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.one_to_all();
            comm.reduce(&my.one.items[0]);
            my.template reduced<Op>(root);
        }
    }
    template <typename Op, typename Comm>
    static void allreduce(Comm &comm) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.one_to_all();
            comm.allreduce(&my.one.items[0]);
            my.template allreduced<Op>();
        }
    }
    template <typename Op, typename Comm>
    static void scan(Comm &comm, bool exclusive) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.one_to_all();
            comm.scan(&my.one.items[0]);
            my.template scanned<Op>(exclusive);
        }
    }
    template <typename Comm>
    static void broadcast(Comm &comm, unsigned root) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.one_to_all();
            comm.broadcast(&my.one.items[0]);
            my.is_of("broadcast", root);
        }
    }
    template <typename Comm>
    static void gather(Comm &comm, unsigned root) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.one_to_all();
            comm.gather(&my.one.items[0], my.at.rank == root ? &my.all.items[0] : nullptr);
            if (my.at.rank == root) my.side_by_side("gather");
        }
    }
    template <typename Comm>
    static void allgather(Comm &comm) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.one_to_all();
            comm.allgather(&my.one.items[0], &my.all.items[0]);
            my.side_by_side("allgather");
        }
    }
    template <typename Comm>
    static void scatter(Comm &comm, unsigned root) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.all_to_one();
            comm.scatter(my.at.rank == root ? &my.all.items[0] : nullptr, &my.one.items[0]);
            my.is_block_of(root);
        }
    }
    template <typename Op, typename Comm>
    static void reduce_scatter(Comm &comm) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            my.all_to_one();
            comm.reduce_scatter(&my.all.items[0], &my.one.items[0]);
            my.template is_block_of_combination<Op>();
        }
    }
    template <typename Comm>
    static void alltoall(Comm &comm) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            array<T, Block, Size> send;
            send.fill(my.at.rank, my.at.call);
            my.all.clear();
            comm.alltoall(&send.items[0], &my.all.items[0]);
            my.is_transposed();
        }
    }
    // `From` gives each rank its sender. A number that is not a rank means no sender.
    template <typename From, typename Comm>
    static void sendrecv(Comm &comm) {
        for (data my{{}, {}, turn(comm.rank())}; my.at; ++my.at) {
            array<T, Block, 1> send;
            send.fill(my.at.rank, my.at.call);
            my.one.clear();
            comm.sendrecv(&send.items[0], &my.one.items[0]);
            const unsigned from = From::of(my.at.rank, Size);
            from < Size ? my.is_of("sendrecv", from) : my.is_as_before("sendrecv");
        }
    }
    // No rank leaves a phase before all have entered it.
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
    // All ranks have the counter of rank 0. Ways take no time in the host run, so nothing is off.
    template <typename Tag, typename Comm>
    static void clock(Comm &comm) {
        const adf::sim::kernel_node *me = adf::sim::running_kernel();
        for (turn at(comm.rank()); at; ++at) {
            if (at.rank == 0) first_start<Tag> = me->counter_start();
            comm.sync();
            const unsigned long long now = comm.now();
            expect("clock", at.rank, at.call, 0, now - me->time, first_start<Tag>);
        }
    }
};

} // namespace mpi
