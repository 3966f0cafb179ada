// Sends each number to the kernel of its range, and sorts what comes. The rest of the result is -1.
#include <adf.h>
#include <aiec/design.h>

// Puts a number in its place among `count` sorted ones.
static void insert(int32 *numbers, unsigned count, int32 number) {
    unsigned at = count;
    for (; at > 0 && numbers[at - 1] > number; --at) numbers[at] = numbers[at - 1];
    numbers[at] = number;
}

template <typename Comm>
static void exchanged(Comm &comm, const int32 *__restrict own, int32 *__restrict sorted) {
    const unsigned me = comm.mail.rank();
    const auto range = [](int32 number) { return unsigned(number / design::RANGE); };
    for (unsigned turn = 1; turn < design::N; ++turn) {
        const unsigned to = (me + turn) % design::N;
        unsigned count = 0;
        for (unsigned i = 0; i < design::BLOCK; ++i) count += range(own[i]) == to;
        auto ahead = comm.mail.open_send(1, to);
        ahead.push(int32(count));
        auto out = comm.mail.open_send(count, to);
        for (unsigned i = 0; i < design::BLOCK; ++i) {
            if (range(own[i]) == to) out.push(own[i]);
        }
    }
    unsigned count = 0;
    for (unsigned i = 0; i < design::BLOCK; ++i) {
        if (range(own[i]) == me) insert(sorted, count++, own[i]);
    }
    for (unsigned turn = 1; turn < design::N; ++turn) {
        const unsigned from = (me + turn) % design::N;
        auto ahead = comm.mail.open_receive(1, from);
        auto in = comm.mail.open_receive(unsigned(ahead.pop()), from);
        while (in.left() > 0) insert(sorted, count++, in.pop());
    }
    for (; count < design::N * design::BLOCK; ++count) sorted[count] = -1;
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void sorter(Comm &comm, adf::input_buffer<int32> &own, adf::output_buffer<int32> &sorted) {
    exchanged(comm, own.data(), sorted.data());
}
#else
void sorter(Comm &comm, input_window<int32> *own, output_window<int32> *sorted) {
    exchanged(comm, own->ptr, sorted->ptr);
}
#endif
