// Stores its pairs, waits until the others have, and looks keys up.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void asks(Comm &comm, const int32 *asked, int32 *__restrict found) {
    comm.table.put(asked, 2 * design::BLOCK); // has a result: when it returns, the server has the pairs
    comm.stored.barrier();
    for (unsigned i = 0; i < design::BLOCK; ++i) found[i] = comm.table.get(asked[2 * design::BLOCK + i]);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void client(Comm &comm, adf::input_buffer<int32> &asked, adf::output_buffer<int32> &found) {
    asks(comm, asked.data(), found.data());
}
#else
void client(Comm &comm, input_window<int32> *asked, output_window<int32> *found) {
    asks(comm, asked->ptr, found->ptr);
}
#endif
