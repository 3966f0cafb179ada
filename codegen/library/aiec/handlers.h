// What active.h needs of the object with the handlers and buffers of an owner, which `serve` takes.
#pragma once

#include <type_traits>

#include <adf.h>

namespace aiec {

// The types that a handler takes, in order.
template <typename... Types>
struct arguments {};
// The last of them, if it is an array: at most `Most` elements. A handler takes pointer and number.
template <typename Element, unsigned Most>
struct payload {};

// Converts to `Type` and to no other one.
template <typename Type>
struct exactly {
    template <typename To, typename = std::enable_if_t<std::is_same_v<To, Type>>>
    operator To() const;
};

// True if `Call` of the handlers takes the client and these types, without conversions, and returns
// a `Result`.
template <typename Result, typename Call, typename Handlers, typename... Types>
constexpr bool answers() {
    if constexpr (std::is_invocable_v<Call, Handlers &, exactly<unsigned>, exactly<Types>...>) {
        return std::is_same_v<Result, std::invoke_result_t<Call, Handlers &, exactly<unsigned>, exactly<Types>...>>;
    } else {
        return false;
    }
}

// True if `Buffer` of the handlers is an array of `Size` elements.
template <typename Element, unsigned Size, typename Buffer, typename Handlers>
constexpr bool has_array() {
    if constexpr (std::is_invocable_v<Buffer, Handlers &>) {
        return std::is_same_v<Element (&)[Size], std::invoke_result_t<Buffer, Handlers &>>;
    } else {
        return false;
    }
}

} // namespace aiec
