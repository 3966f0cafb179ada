// The AIE API on the host, checked against plain arithmetic. Prints the first line that is wrong.
#include <aie_api/aie.hpp>
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                  \
    if (!(condition)) {                                   \
        std::printf("line %d: %s\n", __LINE__, #condition); \
        return 1;                                         \
    } else                                                \
        static_cast<void>(0)

int main() {
    alignas(aie::vector_decl_align) int32 data[8] = {3, -1, 4, 1, -5, 9, 2, 6};
    const auto v = aie::load_v<8>(data);
    CHECK(v.size() == 8 && v.bits() == 256);
    CHECK(aie::reduce_add(v) == 19 && aie::reduce_max(v) == 9 && aie::reduce_min(v) == -5);
    CHECK(aie::equal(aie::add(v, v), aie::mul(v, 2).to_vector<int32>()));
    CHECK(aie::equal(aie::sub(v, v), aie::zeros<int32, 8>()));
    CHECK(aie::equal(aie::max(v, 0), aie::select(v, aie::zeros<int32, 8>(), aie::lt(v, 0))));
    CHECK(aie::reduce_add(aie::abs(v)) == 31);
    CHECK((aie::equal(aie::concat(v.extract<4>(0), v.extract<4>(1)), v)));

    const auto top = aie::broadcast<int32, 4>(2147483647);
    CHECK(aie::add(top, 1)[0] == -2147483647 - 1); // wraps
    const auto narrow = aie::broadcast<int8, 16>(100);
    CHECK(aie::add(narrow, narrow)[5] == -56);

    auto acc = aie::mul(aie::broadcast<int16, 8>(-3), aie::broadcast<int16, 8>(5));
    acc = aie::mac(acc, aie::broadcast<int16, 8>(1), aie::broadcast<int16, 8>(2));
    CHECK(acc.to_vector<int16>(0)[7] == -13);
    CHECK(acc.to_vector<int16>(2)[7] == -4); // towards minus infinity

    const auto c = aie::broadcast<cint16, 8>(cint16(1, 2));
    CHECK(aie::reduce_add(c) == cint16(8, 16));
    CHECK(cint32(1, 2) * cint32(3, 4) == cint32(-5, 10));
    CHECK(cfloat(1.5F, 0) - cfloat(0.5F, 1) == cfloat(1, -1));
    CHECK(aie::reduce_add(aie::broadcast<float, 8>(0.25F)) == 2.0F);

    int32 copied[8];
    auto to = aie::begin_vector<4>(copied);
    for (auto from = aie::cbegin_vector<4>(data); from != aie::cbegin_vector<4>(data + 8); ++from) *to++ = *from;
    int32 sum = 0;
    for (auto it = aie::cbegin(copied, 8); it < copied + 8; ++it) sum += *it;
    CHECK(sum == 19);
    v8int32 pushed = v;
    pushed.push(7);
    CHECK(pushed[0] == 7 && pushed[7] == 2 && ext_elem(pushed, 1) == 3);
    return 0;
}
