// The share of some columns in y. It is added to sums that come in from the kernel before and leave
// for the next one, or a reduction adds it.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aiec/design.h>

constexpr float alpha = 2, beta = 3;
constexpr unsigned columns = design::SIZE / design::QUARTERS;
using lanes = aie::vector<float, columns>;

#if AIEC_BUFFER_PORTS
template <typename Port>
static const float *elements(Port &port) { return port.data(); }
#else
static const float *elements(input_window<float> *port) { return port->ptr; }
#endif

// As many blocks as the design gives a kernel.
template <typename Comm, typename X, typename... Blocks>
void part(Comm &comm, X &&x, Blocks &&...blocks) {
    const float *const all[] = {elements(blocks)...};
    const float *own = elements(x) + comm.sums.rank() * sizeof...(blocks) * columns;
    const auto share = [&](unsigned row) {
        aie::accum<accfloat, columns> sum = aie::zeros<accfloat, columns>();
        for (unsigned i = 0; i < sizeof...(blocks); ++i) {
            const lanes some = aie::load_v<columns>(own + i * columns);
            const float *a = all[i] + row * columns, *b = a + design::SIZE * columns;
            sum = aie::mac(sum, aie::load_v<columns>(a), aie::mul(some, alpha).to_vector<float>());
            sum = aie::mac(sum, aie::load_v<columns>(b), aie::mul(some, beta).to_vector<float>());
        }
        return aie::reduce_add(sum.template to_vector<float>());
    };
    if constexpr (design::WINDOWS) {
        alignas(32) float shares[design::SIZE];
        for (unsigned row = 0; row < design::SIZE; ++row) shares[row] = share(row);
        comm.sums.reduce(shares);
    } else {
        auto before = comm.sums.open_receive();
        auto next = comm.sums.open_send();
        for (unsigned row = 0; row < design::SIZE; ++row) next.push(before.pop() + share(row));
    }
}
