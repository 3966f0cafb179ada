// Element types of windows, buffers, streams and run-time parameters.
#ifndef AIEC_WITNESS_ADF_SCALARS_H
#define AIEC_WITNESS_ADF_SCALARS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// UG1079, "Scalar Data Types", and UG1076 2022.1, "Window Data Types": types at global scope.
using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;

// UG1079, "Scalar Data Types": members real and imag.
struct cint16 {
    int16 real, imag;
};
struct cint32 {
    int32 real, imag;
};
struct cfloat {
    float real, imag;
};

// UG1079, "Stream Data Types": accumulators name what goes along a cascade; the graph only passes
// their names.
struct acc48;
struct cacc48;
struct acc80;
struct cacc80;
struct accfloat;
struct caccfloat;
#if AIEC_WITNESS_CASCADES
// UG1079 2023.2, "Stream Data Types", table 2.
struct acc16;
struct cacc16;
struct acc32;
struct cacc32;
struct acc64;
struct cacc64;
#endif

namespace adf {
namespace witness {

template <typename T, typename... Of>
struct is_one_of : std::false_type {};
template <typename T, typename First, typename... Rest>
struct is_one_of<T, First, Rest...>
    : std::integral_constant<bool, std::is_same<T, First>::value || is_one_of<T, Rest...>::value> {};

// UG1076 2022.1, "Window Data Types"; UG1079, "Stream Data Types".
template <typename T>
using is_element = is_one_of<T, int8, int16, int32, int64, uint8, uint16, uint32, uint64, cint16, cint32, float, cfloat>;

template <typename T>
using is_accumulator = is_one_of<T, acc48, cacc48, acc80, cacc80, accfloat, caccfloat
#if AIEC_WITNESS_CASCADES
                                 ,
                                 acc16, cacc16, acc32, cacc32, acc64, cacc64
#endif
                                 >;

} // namespace witness
} // namespace adf

#endif
