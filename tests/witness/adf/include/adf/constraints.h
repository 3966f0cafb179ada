// Constraints that have a value.
#ifndef AIEC_WITNESS_ADF_CONSTRAINTS_H
#define AIEC_WITNESS_ADF_CONSTRAINTS_H

// UG1076 2022.1 and UG1079, "constraint<T>": the argument of runtime<>. Global for the reason given
// at `input`.
struct ratio;

namespace adf {

using ::ratio;
struct aiengine;

// UG1076 2022.1 and UG1079, "constraint<T>": `constraint<T> operator=(T)`; the default constructor
// is not used.
template <typename T>
class constraint {
public:
    constraint() = delete;
    constraint(const constraint &) = delete;
    constraint &operator=(const constraint &) = delete;
    constraint &operator=(T value);
};

// The same page: references to constraints, from kernels as lvalues.
template <typename Of>
typename std::enable_if<std::is_same<Of, ratio>::value, constraint<float> &>::type runtime(kernel &);
constraint<std::string> &source(kernel &);
constraint<std::string> &initialization_function(kernel &);
constraint<std::vector<std::string>> &headers(kernel &);
constraint<int> &stack_size(kernel &);
constraint<int> &heap_size(kernel &);
constraint<int> &repetition_count(kernel &);

#if AIEC_WITNESS_RELEASE <= 20231
// The same page to 2023.1: `void fabric<aiengine>(kernel&)`.
template <typename Of>
typename std::enable_if<std::is_same<Of, aiengine>::value>::type fabric(kernel &);
#endif

// The same page: `void single_buffer(port<T>&)`.
template <typename T>
void single_buffer(port<T> &);

// The same page: `constraint<int>& fifo_depth(connect&)`; the connection has a name.
template <typename Source, typename Destination>
constraint<int> &fifo_depth(connect<Source, Destination> &);

#if AIEC_WITNESS_BUFFERS
// UG1079 2023.1, "Buffer Port Attributes and API": samples in each dimension, the fastest one
// first: `dimensions(k.in[0]) = {256}`.
template <typename T>
constraint<std::vector<unsigned int>> &dimensions(port<T> &);
#endif

} // namespace adf

#endif
