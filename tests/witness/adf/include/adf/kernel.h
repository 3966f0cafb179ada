// Kernels.
#ifndef AIEC_WITNESS_ADF_KERNEL_H
#define AIEC_WITNESS_ADF_KERNEL_H

namespace adf {

class kernel;

namespace witness {

// An array parameter of a constructor may be given as a std::vector (UG1076 2022.1, "C++ Kernel
// Class Support").
template <typename T>
struct array_argument {
    template <std::size_t N>
    using array = T[N];
    template <std::size_t N>
    using const_array = const T[N];
    template <std::size_t N>
    operator array<N> &() const;
    template <std::size_t N>
    operator const_array<N> &() const;
};
template <typename T>
struct argument {
    using type = T;
};
template <typename T>
struct argument<std::vector<T>> {
    using type = array_argument<T>;
};
template <typename T>
using argument_t = typename argument<typename std::decay<T>::type>::type;

template <typename Class, typename... Arguments>
struct object {
    static_assert(std::is_constructible<Class, Arguments...>::value ||
                      std::is_constructible<Class, typename std::conditional<std::is_array<typename std::remove_reference<Arguments>::type>::value,
                                                                             Arguments, argument_t<Arguments>>::type...>::value,
                  "the kernel class has no such constructor");
    static_assert(std::is_void<decltype(Class::registerKernelClass())>::value, "static void registerKernelClass() is missing");
    using type = kernel &;
};

// The argument of REGISTER_FUNCTION: a member function that returns nothing and has ports only.
template <typename Class, typename... Parameters>
constexpr bool registered(void (Class::*)(Parameters...)) {
    static_assert(are_kernel_parameters<Parameters...>::value, "a parameter of the kernel is no port of a documented type");
    return true;
}

template <typename... Parameters>
struct function {
    static_assert(are_kernel_parameters<Parameters...>::value, "a parameter of the kernel is no port of a documented type");
    using type = kernel &;
};

} // namespace witness

// UG1076 2022.1 and UG1079, "kernel". Its ports are vectors of port<...>; `param` has those of its
// lookup tables.
class kernel {
public:
    kernel();

    // "kernel": `static kernel & create(function)`. A kernel returns nothing (UG1079, "AI Engine
    // Kernel Programming": void functions).
    template <typename... Parameters>
    static typename witness::function<Parameters...>::type create(void (*)(Parameters...));

    // UG1076 2022.1 and UG1079, "C++ Kernel Class Support".
    template <typename Class, typename... Arguments>
    static typename witness::object<Class, Arguments...>::type create_object(Arguments &&...);

    std::vector<port<input>> in;
    std::vector<port<output>> out;
    std::vector<port<::inout>> inout;
    std::vector<port<input>> param;
};

} // namespace adf

// UG1076 2022.1 and UG1079, "C++ Kernel Class Support": macros, used in `static void
// registerKernelClass()`.
#define REGISTER_FUNCTION(function) static_cast<void>(::adf::witness::registered(&function))
#define REGISTER_PARAMETER(member) static_cast<void>(sizeof(member))

#endif
