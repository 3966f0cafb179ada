// Sums the distances of own numbers to the blocks that pass on a ring.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aiec/design.h>

using four = aie::vector<int32, 4>;

template <typename Comm>
static void summed(Comm &comm, const int32 *__restrict own, int32 *__restrict sums) {
    constexpr unsigned block = design::BLOCK;
    alignas(32) int32 passing[block];
    for (unsigned i = 0; i < block; ++i) {
        sums[i] = 0;
        passing[i] = own[i];
    }
    for (unsigned turn = 0;; ++turn) {
        for (unsigned i = 0; i < block; ++i)
            for (unsigned j = 0; j < block; ++j) {
                const int32 distance = own[i] - passing[j];
                sums[i] += distance < 0 ? -distance : distance;
            }
        if (turn + 1 == comm.size()) break;
        auto out = comm.around.open_send();
        auto in = comm.around.open_receive();
        for (unsigned j = 0; j < block; j += 4) {
            out.push(aie::load_v<4>(passing + j));
            four next;
            in.pop(next);
            aie::store_v(passing + j, next);
        }
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void holder(Comm &comm, adf::input_buffer<int32> &own, adf::output_buffer<int32> &distances) {
    summed(comm, own.data(), distances.data());
}
#else
void holder(Comm &comm, input_window<int32> *own, output_window<int32> *distances) {
    summed(comm, own->ptr, distances->ptr);
}
#endif
