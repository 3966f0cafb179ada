// The arguments of a multiplication intrinsic: registers, each followed by the numbers that choose
// its lanes (UG1078, "MAC intrinsics"). All forms of all names are parsed here:
//
//   data, start, offsets [, offsets of lanes 8 to 15] [, step] [, square or conjugation]
//   [, [second data,] start [, square or conjugation]] [, center tap, or column and shift of it]
//   factors, start, offsets [, offsets of lanes 8 to 15] [, step] [, square or conjugation]
//
// A step is present if columns are left to step to. Offsets for lanes 8 to 15 are present with
// sixteen lanes (except for 8 by 8 bits, where an offset serves two lanes). Squares are for data
// that come in words and for factors of 8 bits, and are optional.
#pragma once

#include <tuple>

#include "lanes.hpp"
#include "reshape.hpp"

namespace aie {
namespace sim {

template <typename Type>
struct vector_test : std::false_type {};
template <typename Type, unsigned Lanes>
struct vector_test<vector<Type, Lanes>> : std::true_type {
    using element = Type;
    static constexpr unsigned size = Lanes;
};

// Arguments as numbers; registers are zeros.
template <typename Type>
std::uint32_t as_number(const Type &x) {
    if constexpr (vector_test<Type>::value) return 0;
    else return std::uint32_t(x);
}

// Reads the numbers behind a register one after the other.
struct reader {
    const std::uint32_t *next;
    std::uint32_t take() { return *next++; }
    int whole() { return int(take()); }
};

template <unsigned Lanes, typename Data, typename Factor, unsigned Code>
struct layout {
    static constexpr form Form = form_of(Code);
    static constexpr unsigned columns = columns_of<Lanes, Data, Factor>();
    static constexpr bool views = two_views(Form.how), packed = packed_v<Data, Factor>;
    static constexpr bool high = Lanes == 16 && !(sizeof(Data) == 1 && sizeof(Factor) == 1);
    // The center tap takes the last column, so that two columns leave nothing to step to; nor do
    // two columns of a word.
    static constexpr bool steps = columns > (packed || Form.tap == center::tap ? 2U : 1U);
    static constexpr bool z_steps = columns > 1;
    static constexpr unsigned taps = Form.tap == center::none ? 0 : Form.tap == center::tap ? 1 : 2;
    static constexpr unsigned x_numbers = 2 + high + steps, y_numbers = views ? 1 : 0, z_numbers = 2 + high + z_steps;
    // Optional last arguments: squares of both views, or a flag that conjugates.
    static constexpr unsigned x_extra = packed ? 1 : is_complex_v<Data> && !views ? 1 : 0;
    static constexpr unsigned y_extra = views ? (packed || is_complex_v<Data> ? 1 : 0) : 0;
    static constexpr unsigned z_extra = sizeof(Factor) == 1 || is_complex_v<Factor> ? 1 : 0;

    static void read(reader &from, picked &p, bool has_step, bool has_square) {
        p.start = from.whole();
        p.offsets = from.take();
        if constexpr (high) p.offsets |= std::uint64_t(from.take()) << 32;
        p.step = has_step ? from.whole() : 2; // of a word: the next word
        if (has_square) p.square = from.take();
    }
};

// A multiplication whose name has this number of lanes. `Long`: 80 bits.
template <unsigned Lanes, bool Long, unsigned Code>
struct product_of {
    static constexpr form Form = form_of(Code);
    template <typename Data, typename Factor>
    using tag = std::conditional_t<is_complex_v<Data> || is_complex_v<Factor>, std::conditional_t<Long, cacc80, cacc48>,
                                   std::conditional_t<Long, acc80, acc48>>;

    // Data, factors, and numbers between.
    template <typename... Arguments>
    static auto call(const Arguments &...arguments) {
        constexpr bool registers[] = {vector_test<Arguments>::value...};
        constexpr unsigned count = sizeof...(Arguments);
        constexpr unsigned second = next_register(registers, count, 1), third = next_register(registers, count, second + 1);
        static_assert(registers[0] && (third == count || next_register(registers, count, third + 1) == count),
                      "the intrinsic takes one to three registers");
        const auto all = std::tie(arguments...);
        if constexpr (count == 1) return lane_by_lane(std::get<0>(all), std::get<0>(all));
        else {
            const std::uint32_t numbers[] = {as_number(arguments)...};
            if constexpr (second == count) return self<count>(numbers, std::get<0>(all));
            else if constexpr (count == 2) return lane_by_lane(std::get<0>(all), std::get<1>(all));
            else if constexpr (second == 1 && third == count) // halves of one register
                return self<count - 1>(numbers + 1, concat(std::get<0>(all), std::get<1>(all)));
            else if constexpr (third == count)
                return chosen<second - 1, 0, count - second - 1>(numbers, std::get<0>(all), std::get<0>(all), std::get<second>(all));
            else
                return chosen<second - 1, third - second - 1, count - third - 1>(numbers, std::get<0>(all), std::get<second>(all),
                                                                                 std::get<third>(all));
        }
    }

private:
    template <std::size_t Count>
    static constexpr unsigned next_register(const bool (&registers)[Count], unsigned count, unsigned from) {
        while (from < count && !registers[from]) ++from;
        return from < count ? from : count;
    }

    // Without numbers: each lane with its own (UG1078, "Multiplication", simple).
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static auto lane_by_lane(const vector<Data, DataLanes> &x, const vector<Factor, FactorLanes> &z) {
        constexpr unsigned lanes = Lanes == 0 ? (DataLanes < FactorLanes ? DataLanes : FactorLanes) : Lanes;
        accum<tag<Data, Factor>, lanes> acc;
        for (unsigned i = 0; i < lanes; ++i) {
            summing<tag<Data, Factor>> sum;
            const auto data = exactly(x.data()[i], Form.conj_x);
            sum.take(prepared<Form.how>(data, data), exactly(z.data()[i], Form.conj_z));
            acc.lane_at(i) = sum.total();
        }
        return acc;
    }

    // One register for both sides: factors are chosen like data (UG1078, "Self-Multiplication").
    template <unsigned Count, typename Data, unsigned DataLanes>
    static auto self(const std::uint32_t *numbers, const vector<Data, DataLanes> &x) {
        using shape = layout<Lanes, Data, Data, 0>;
        constexpr unsigned each = 2 + shape::high + shape::steps, factors = 2 + shape::high + shape::z_steps;
        constexpr bool squares = Count - 1 == 2 * each + 2;
        static_assert(squares || Count - 1 == each + factors || Count - 1 == 2 * each, "start, offsets and step for either side, and squares or none");
        selection s;
        reader from{numbers + 1};
        shape::read(from, s.x, shape::steps, squares);
        const bool own_step = !squares && Count - 1 == each + factors ? shape::z_steps : shape::steps;
        shape::read(from, s.z, own_step, squares);
        accum<tag<Data, Data>, Lanes> acc;
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            summing<tag<Data, Data>> sum;
            for (unsigned column = 0; column < shape::columns; ++column)
                sum.take(exactly(element_at(x, data_index<Data>(s.x, lane, column)), false),
                         exactly(element_at(x, data_index<Data>(s.z, lane, column)), false));
            acc.lane_at(lane) = sum.total();
        }
        return acc;
    }

    template <unsigned XCount, unsigned YCount, unsigned ZCount, typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static auto chosen(const std::uint32_t *numbers, const vector<Data, DataLanes> &x, const vector<Data, DataLanes> &y,
                       const vector<Factor, FactorLanes> &z) {
        using shape = layout<Lanes, Data, Factor, Code>;
        static_assert(shape::columns > 1 || Form.tap == center::none || Form.tap == center::unit, "a center tap is a column of its own");
        static_assert(Form.tap != center::tap || !shape::packed, "data that come in words have no center tap (UG1078, MAC intrinsics)");
        constexpr unsigned before = shape::x_numbers, behind = shape::y_numbers + shape::taps;
        constexpr unsigned data_extra = XCount + YCount - before - behind;
        static_assert(XCount + YCount >= before + behind && (data_extra == 0 || data_extra == shape::x_extra + shape::y_extra),
                      "start, offsets and what else the lanes and columns of the data need (UG1078, Full Lane Addressing Scheme)");
        static_assert(YCount == 0 || YCount == behind || YCount == behind + shape::y_extra, "the second data has its start, and no offsets");
        static_assert(ZCount == shape::z_numbers || ZCount == shape::z_numbers + shape::z_extra,
                      "start, offsets and what else the lanes and columns of the factors need (UG1078, Full Lane Addressing Scheme)");
        selection s;
        s.conj_x = Form.conj_x, s.conj_z = Form.conj_z;
        reader from{numbers + 1};
        constexpr bool squares = shape::packed && data_extra != 0;
        shape::read(from, s.x, shape::steps, squares);
        if constexpr (is_complex_v<Data> && data_extra != 0 && !shape::views) s.conj_x = from.take() != 0;
        if constexpr (YCount != 0) from.take(); // the register
        if constexpr (shape::views) {
            s.y = s.x;
            s.y.start = from.whole();
            s.y.step = -s.x.step;
            if constexpr (squares) s.y.square = from.take();
            if constexpr (is_complex_v<Data> && data_extra != 0) s.conj_x = from.take() != 0;
        }
        if constexpr (Form.tap == center::tap) s.tap = from.whole();
        if constexpr (Form.tap == center::unit) s.column = from.take(), s.shift = from.whole();
        from.take();
        shape::read(from, s.z, shape::z_steps, sizeof(Factor) == 1 && ZCount != shape::z_numbers);
        if constexpr (!shape::z_steps) s.z.step = 0;
        if constexpr (is_complex_v<Factor> && ZCount != shape::z_numbers) s.conj_z = from.take() != 0;
        return summed(s, x, y, z);
    }

    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static auto summed(const selection &s, const vector<Data, DataLanes> &x, const vector<Data, DataLanes> &y, const vector<Factor, FactorLanes> &z) {
        using Tag = tag<Data, Factor>;
        accum<Tag, Lanes *(Form.tap == center::unit ? 2 : 1)> acc;
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            acc.lane_at(lane) = lane_product<Form.how, Form.conj_second, Form.tap == center::tap, Tag, Lanes>(lane, s, x, y, z);
            if constexpr (Form.tap == center::unit)
                acc.lane_at(Lanes + lane) = lanes_of<Tag>::shifted_up(element_at(y, data_index<Data, Factor>(s.y, lane, s.column)), s.shift);
        }
        return acc;
    }
};

} // namespace sim
} // namespace aie
