// Writes how many samples each rank has found, its own number, which is 0, first, and then these
// samples without gaps; zeros fill the rest.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void collected(Comm &comm, int16 *__restrict found) {
    constexpr unsigned ranks = design::N + 1, samples = design::SAMPLES, heads = 8;
    alignas(32) int16 none[samples] = {};
    alignas(32) int16 all[ranks * samples];
    unsigned counts[ranks];
    comm.peaks.gather(none, 0, all, counts);
    for (unsigned rank = 0; rank < heads; ++rank) {
        *found++ = int16(rank < ranks ? counts[rank] : 0);
    }
    unsigned written = heads;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        for (unsigned i = 0; i < counts[rank]; ++i, ++written) {
            *found++ = all[rank * samples + i];
        }
    }
    for (; written < design::collector::found_elements; ++written) {
        *found++ = 0;
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void collector(Comm &comm, adf::output_buffer<int16> &found) { collected(comm, found.data()); }
#else
void collector(Comm &comm, output_window<int16> *found) { collected(comm, found->ptr); }
#endif
