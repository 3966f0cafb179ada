// Ports of kernels and graphs.
#ifndef AIEC_WITNESS_ADF_PORTS_H
#define AIEC_WITNESS_ADF_PORTS_H

// UG1076 2022.1 and UG1079, "port<T>": T is one of these. The examples of the guides name them and
// `ratio` unqualified where nothing says `using namespace adf` (UG1079 2025.2, "Buffer Location
// Constraints": `adf::port<input>`, `adf::runtime<ratio>`), so they are global.
struct input;
struct output;
struct inout;

namespace adf {

using ::inout;
using ::input;
using ::output;

// UG1076 2022.1 and UG1079, "port<T>".
template <typename T>
class port {
    static_assert(witness::is_one_of<T, input, output, inout>::value, "a port is port<input>, port<output> or port<inout>");

public:
    port();
};

// "port<T>", aliases.
using input_port = port<input>;
using output_port = port<output>;
using inout_port = port<inout>;

// "port<T>", operators: each takes an lvalue and returns it.
template <typename T>
port<T> &negate(port<T> &);
template <typename T>
port<T> &async(port<T> &);
template <typename T>
port<T> &sync(port<T> &);

} // namespace adf

#endif
