// Puts its numbers to the pinboard and sums those of all kernels, from its own on.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void summed(Comm &comm, const int32 *mine, int32 *sums) {
    constexpr unsigned size = design::SIZE;
    auto &pins = comm.pins;
    const unsigned own = comm.written.rank();
    pins.put_notes(own * size, mine, size).wait();
    comm.written.barrier(); // all have put theirs

    int32 notes[2][size];
    const auto get = [&](unsigned step) { return pins.get_notes((own + step) % design::N * size, notes[step % 2], size); };
    for (unsigned i = 0; i < size; ++i) sums[i] = 0;
    auto next = get(0);
    for (unsigned step = 0; step < design::N; ++step) {
        next.wait();
        if (step + 1 < design::N) next = get(step + 1);
        for (unsigned i = 0; i < size; ++i) sums[i] += notes[step % 2][i] * int32(step + 1);
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void reader(Comm &comm, adf::input_buffer<int32> &mine, adf::output_buffer<int32> &sums) {
    summed(comm, mine.data(), sums.data());
}
#else
void reader(Comm &comm, input_window<int32> *mine, output_window<int32> *sums) {
    summed(comm, mine->ptr, sums->ptr);
}
#endif
