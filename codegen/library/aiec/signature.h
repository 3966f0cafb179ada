// The parameters of a kernel's function, compared with the ports that the design declares, and
// those of a constructor, compared with the tables and numbers that it gets.
#pragma once

#include <cstddef>
#include <type_traits>

namespace aiec {

template <bool Value>
struct truth : std::integral_constant<bool, Value> {};

// What a buffer passes, where its type says it (`aiec_port`, in aiec's own headers).
template <typename Type, typename = void>
struct port_of {
    static constexpr bool known = false;
    using type = void;
};
template <typename Type>
struct port_of<Type, std::conditional_t<true, void, typename Type::aiec_port>> {
    static constexpr bool known = true;
    using type = typename Type::aiec_port;
};

// Buffers whose types do not differ in what they pass, or in the margin before it. Extents and
// addressing are the kernel's own.
template <typename Found, typename Usual, bool Known = port_of<Found>::known &&port_of<Usual>::known>
struct pass_alike : std::true_type {};
template <typename Found, typename Usual>
struct pass_alike<Found, Usual, true>
    : truth<std::is_same<typename port_of<Found>::type, typename port_of<Usual>::type>::value &&
            Found::margin_samples == Usual::margin_samples> {};

// Numbers of one size and kind.
template <typename Found, typename Usual, bool Numbers>
struct alike : std::is_same<Found, Usual> {};
template <typename Found, typename Usual>
struct alike<Found, Usual, true>
    : truth<sizeof(Found) == sizeof(Usual) &&
            std::is_floating_point<Found>::value == std::is_floating_point<Usual>::value> {};

// True if a function may take `Found` where `Usual` is the usual parameter for a port.
template <typename Found, typename Usual>
struct takes : alike<Found, Usual, std::is_arithmetic<Found>::value && std::is_arithmetic<Usual>::value> {};
template <typename Found, typename Usual>
struct takes<const Found, const Usual> : takes<Found, Usual> {};
template <typename Found, typename Usual>
struct takes<Found &, Usual &>
    : std::conditional_t<std::is_class<Found>::value && std::is_class<Usual>::value, pass_alike<Found, Usual>,
                         truth<std::is_const<Found>::value == std::is_const<Usual>::value &&
                               takes<Found, Usual>::value>> {};
template <typename Found, typename Usual, std::size_t Count>
struct takes<Found[Count], Usual[Count]> : takes<Found, Usual> {};
template <typename Found, typename Usual, std::size_t Count>
struct takes<const Found[Count], const Usual[Count]> : takes<Found, Usual> {};

// Stands for a port with two spellings.
template <typename One, typename Other>
struct either {};
template <typename Found, typename One, typename Other>
struct takes<Found, either<One, Other>>
    : truth<std::is_same<Found, One>::value || std::is_same<Found, Other>::value> {};

// What a function takes, but the value where a reference to a constant takes one.
template <typename Found, typename Usual>
struct taken {
    using type = Found;
};
template <typename Found, typename Usual>
struct taken<const Found &, Usual> {
    using type = Found;
};
template <typename Found, typename Usual>
struct taken<const Found &, Usual &> {
    using type = const Found &;
};

template <typename... Types>
struct parameters {};
template <typename Found, typename Usual>
struct all_take : std::false_type {};
template <>
struct all_take<parameters<>, parameters<>> : std::true_type {};
template <typename Found, typename... Others, typename Usual, typename... More>
struct all_take<parameters<Found, Others...>, parameters<Usual, More...>>
    : truth<takes<typename taken<Found, Usual>::type, Usual>::value &&
            all_take<parameters<Others...>, parameters<More...>>::value> {};

// True if a function has parameters for these ports. Of a function of another form nothing is
// known.
template <typename Function, typename... Usual>
struct has_ports : std::true_type {};
template <typename... Found, typename... Usual>
struct has_ports<void (*)(Found...), Usual...> : all_take<parameters<Found...>, parameters<Usual...>> {};
template <typename Class, typename... Found, typename... Usual>
struct has_ports<void (Class::*)(Found...), Usual...> : all_take<parameters<Found...>, parameters<Usual...>> {};

// True if a table of `Usual` fills an array of `Found`. A table of no stated type fills every
// array.
template <typename Found, typename Usual>
struct fills : takes<std::remove_cv_t<Found>, Usual> {};
template <typename Found>
struct fills<Found, void> : std::true_type {};

// Stands for a table of `Length` numbers of type `Usual`.
template <std::size_t Length, typename Usual = void>
struct table {
    template <typename Element>
    using array = Element[Length];
    template <typename Element, typename = std::enable_if_t<fills<Element, Usual>::value>>
    operator array<Element> &() const;
};
// Stands for a table of any length.
struct any_table {
    template <typename Element, std::size_t Length>
    using array = Element[Length];
    template <typename Element, std::size_t Length>
    operator array<Element, Length> &() const;
};
template <typename Type>
struct any_length {
    using type = Type;
};
template <std::size_t Length>
struct any_length<table<Length>> {
    using type = any_table;
};

// True if a value of type `Found` can be the whole number. Every number is true or false. A
// negative number stands for its bits in a type without sign: -1 sets them all.
template <typename Found>
constexpr bool holds(long long number) {
    constexpr bool is_small = sizeof(Found) < sizeof(long long);
    constexpr unsigned bits = is_small ? 8 * sizeof(Found) : 8;
    constexpr long long behind = 1LL << (std::is_signed<Found>::value ? bits - 1 : bits);
    return !is_small || std::is_floating_point<Found>::value || std::is_same<Found, bool>::value ||
           (number >= -(1LL << (bits - 1)) && number < behind);
}
// Stands for a whole number, and for one that every type of number can hold.
template <long long Number>
struct number {
    template <typename Found, typename = std::enable_if_t<std::is_arithmetic<Found>::value && holds<Found>(Number)>>
    operator Found() const;
};
using any_number = number<0>;
// Stands for a number with a point.
struct decimal {
    template <typename Found, typename = std::enable_if_t<std::is_floating_point<Found>::value>>
    operator Found() const;
};
template <typename Type>
struct any_type {
    using type = Type;
};
template <std::size_t Length, typename Usual>
struct any_type<table<Length, Usual>> {
    using type = table<Length>;
};
template <long long Number>
struct any_type<number<Number>> {
    using type = any_number;
};
template <>
struct any_type<decimal> {
    using type = any_number;
};

// False if a class has a constructor for tables of other lengths alone.
template <typename Class, typename... Given>
struct takes_tables : truth<std::is_constructible<Class, Given...>::value ||
                            !std::is_constructible<Class, typename any_length<Given>::type...>::value> {};

// False if a class has a constructor for tables of other types, or for other numbers, alone.
template <typename Class, typename... Given>
struct takes_numbers : truth<std::is_constructible<Class, Given...>::value ||
                             !std::is_constructible<Class, typename any_type<Given>::type...>::value> {};

} // namespace aiec
