// Sends each value that its samples have, with their number.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void counted(Comm &comm, const int32 *__restrict samples) {
    int32 found[2 * design::BLOCK]; // value and number in turn
    unsigned values = 0;
    for (unsigned i = 0; i < design::BLOCK; ++i) {
        unsigned at = 0;
        while (at < values && found[2 * at] != samples[i]) ++at;
        if (at == values) {
            found[2 * values++] = samples[i];
            found[2 * at + 1] = 0;
        }
        ++found[2 * at + 1];
    }
    comm.inbox.send(found, 2 * values);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void counter(Comm &comm, adf::input_buffer<int32> &samples) {
    counted(comm, samples.data());
}
#else
void counter(Comm &comm, input_window<int32> *samples) {
    counted(comm, samples->ptr);
}
#endif
