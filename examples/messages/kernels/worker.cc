// Compares the times at which all kernels are done, by the clock of rank 0.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void placed(Comm &comm, const int32 *__restrict cycles, int32 *__restrict before) {
    comm.time.sync();
    for (unsigned turn = 0; turn < 4; ++turn) {
        const unsigned long long begin = comm.time.now();
        while (comm.time.now() - begin < unsigned(cycles[turn])) {} // stands for work
        alignas(32) int64 done[2] = {int64(comm.time.now()), 0};
        alignas(32) int64 all[2 * design::N];
        comm.all.allgather(done, all);
        before[turn] = 0;
        for (unsigned rank = 0; rank < design::N; ++rank) before[turn] += all[2 * rank] < done[0];
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void worker(Comm &comm, adf::input_buffer<int32> &cycles, adf::output_buffer<int32> &before) {
    placed(comm, cycles.data(), before.data());
}
#else
void worker(Comm &comm, input_window<int32> *cycles, output_window<int32> *before) {
    placed(comm, cycles->ptr, before->ptr);
}
#endif
