// Adds up what all counters send, in whatever order it comes.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void added(Comm &comm, int32 *__restrict totals) {
    for (unsigned i = 0; i < design::VALUES; ++i) totals[i] = 0;
    int32 found[2 * design::BLOCK];
    while (const auto message = comm.inbox.receive(found, 2 * design::BLOCK)) {
        for (unsigned i = 0; i < message.count; i += 2) totals[found[i]] += found[i + 1];
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void adder(Comm &comm, adf::output_buffer<int32> &totals) {
    added(comm, totals.data());
}
#else
void adder(Comm &comm, output_window<int32> *totals) {
    added(comm, totals->ptr);
}
#endif
