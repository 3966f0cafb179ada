// Multiplications of a row of coefficients with sliding data (UG1529, "Special Multiplications";
// UG1079, "Multiple Lanes Multiplication"). With cs, ds the starts and l the lane:
//
// out[l] = sum over p < Points of coeff[cs + p * CoeffStep] * data[ds + l * DataStepY + p *
// DataStepX]
//
// Both vectors are circular: an index beyond the last lane continues at the first.
#pragma once

#include "multiply.hpp"

namespace aie {
namespace sim {

// A lane of a circular operand, at any index.
template <typename Operand>
auto circular(const Operand &x, int i) {
    // Sizes are powers of two, so that negatives go round, too.
    return operand<Operand>::lane(x, unsigned(i) % operand<Operand>::size);
}

// Two elements added or subtracted exactly, before they are multiplied.
template <typename Type>
exact_t<Type> paired(const exact_t<Type> &left, const exact_t<Type> &right, bool subtract) {
    return subtract ? wrap::sub(left, right) : wrap::add(left, right);
}

// The public members of a sliding multiplication: its accumulator, its types and its steps.
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, typename CoeffType,
          typename DataType, typename AccumTag>
struct sliding_shape {
    using tag = sim::tag_or_default_t<AccumTag, CoeffType, DataType>;
    using accum_type = accum<tag, Lanes>;
    using coeff_type = CoeffType;
    using data_type = DataType;
    static constexpr unsigned lanes = Lanes;
    static constexpr unsigned points = Points;
    static constexpr int coeff_step = CoeffStep;
    static constexpr int data_step_x = DataStepX;
    static constexpr int data_step_y = DataStepY;
    static constexpr unsigned accum_bits = tag::bits;
};

} // namespace sim

template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, typename CoeffType,
          typename DataType, typename AccumTag = accauto>
struct sliding_mul_ops
    : sim::sliding_shape<Lanes, Points, CoeffStep, DataStepX, DataStepY, CoeffType, DataType, AccumTag> {
    using shape = sim::sliding_shape<Lanes, Points, CoeffStep, DataStepX, DataStepY, CoeffType, DataType, AccumTag>;
    using typename shape::accum_type;
    using typename shape::tag;

    template <typename Coeff, typename Data>
    static accum_type mul(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
        accum_type acc;
        for (unsigned l = 0; l < Lanes; ++l) {
            sim::summing<tag> sum;
            for (unsigned p = 0; p < Points; ++p)
                sum.take(sim::circular(coeff, int(coeff_start) + int(p) * CoeffStep),
                         sim::circular(data, int(data_start) + int(l) * DataStepY + int(p) * DataStepX));
            acc.lane_at(l) = sum.total();
        }
        sim::count_products<CoeffType, DataType>(Lanes * Points, acc, coeff, data);
        return acc;
    }
    template <typename Coeff, typename Data>
    static accum_type mul(const Coeff &coeff, const Data &data) {
        return mul(coeff, 0, data, 0);
    }
    template <typename Coeff, typename Data>
    static accum_type negmul(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
        adf::sim::counts::quiet whole;
        const auto r = neg(mul(coeff, coeff_start, data, data_start));
        whole.end();
        sim::count_products<CoeffType, DataType>(Lanes * Points, r, coeff, data);
        return r;
    }
    template <typename Acc, typename Coeff, typename Data>
    static accum_type mac(const Acc &acc, const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
        adf::sim::counts::quiet whole;
        const accum_type r = add(acc, mul(coeff, coeff_start, data, data_start));
        whole.end();
        sim::count_sums<CoeffType, DataType>(Lanes * Points, r, acc, coeff, data);
        return r;
    }
    template <typename Acc, typename Coeff, typename Data>
    static accum_type msc(const Acc &acc, const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
        adf::sim::counts::quiet whole;
        const accum_type r = sub(acc, mul(coeff, coeff_start, data, data_start));
        whole.end();
        sim::count_sums<CoeffType, DataType>(Lanes * Points, r, acc, coeff, data);
        return r;
    }
};

template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, typename CoeffType, typename DataType, typename AccumTag = accauto>
using sliding_mul_x_ops = sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, 1, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepY, typename CoeffType, typename DataType, typename AccumTag = accauto>
using sliding_mul_y_ops = sliding_mul_ops<Lanes, Points, CoeffStep, 1, DataStepY, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepXY, typename CoeffType, typename DataType, typename AccumTag = accauto>
using sliding_mul_xy_ops = sliding_mul_ops<Lanes, Points, CoeffStep, DataStepXY, DataStepXY, CoeffType, DataType, AccumTag>;

template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX,
          typename AccumTag = accauto, typename Coeff, typename Data, sim::if_operands<Coeff, Data> = 0>
auto sliding_mul(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
    return sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, sim::value_t<Coeff>, sim::value_t<Data>,
                           AccumTag>::mul(coeff, coeff_start, data, data_start);
}
template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX, typename Acc,
          typename Coeff, typename Data, sim::if_accum<Acc> = 0>
auto sliding_mac(const Acc &acc, const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
    return sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, sim::value_t<Coeff>, sim::value_t<Data>,
                           typename sim::accumulator<Acc>::tag>::mac(acc, coeff, coeff_start, data, data_start);
}

// Filters with symmetric coefficients: only the first half is given, and data from both ends is
// added (or subtracted: antisymmetric) before multiplication. `Points` counts data elements of one
// register, so an odd number leaves one in the middle; with two registers it counts pairs (UG1079,
// "sliding_mul_sym Function with Two Data Registers"). The left side goes up from its start, the
// right side down from its own.
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, typename CoeffType,
          typename DataType, typename AccumTag = accauto>
struct sliding_mul_sym_ops
    : sim::sliding_shape<Lanes, Points, CoeffStep, DataStepX, DataStepY, CoeffType, DataType, AccumTag> {
    using shape = sim::sliding_shape<Lanes, Points, CoeffStep, DataStepX, DataStepY, CoeffType, DataType, AccumTag>;
    using typename shape::accum_type;
    using typename shape::tag;

    template <typename Coeff, typename Data>
    static accum_type mul_sym(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
        return folded(coeff, coeff_start, data, data_start, data, int(data_start) + far, false);
    }
    template <typename Coeff, typename Data>
    static accum_type mul_sym(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned ldata_start, unsigned rdata_start) {
        return folded(coeff, coeff_start, data, ldata_start, data, int(rdata_start), false);
    }
    template <typename Coeff, typename LData, typename RData>
    static accum_type mul_sym(const Coeff &coeff, unsigned coeff_start, const LData &ldata, unsigned ldata_start,
                              const RData &rdata, unsigned rdata_start) {
        return folded<Points, false>(coeff, coeff_start, ldata, ldata_start, rdata, int(rdata_start), false);
    }
    template <typename Coeff, typename Data>
    static accum_type mul_antisym(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned data_start) {
        return folded(coeff, coeff_start, data, data_start, data, int(data_start) + far, true);
    }
    template <typename Coeff, typename Data>
    static accum_type mul_antisym(const Coeff &coeff, unsigned coeff_start, const Data &data, unsigned ldata_start, unsigned rdata_start) {
        return folded(coeff, coeff_start, data, ldata_start, data, int(rdata_start), true);
    }
    template <typename Coeff, typename LData, typename RData>
    static accum_type mul_antisym(const Coeff &coeff, unsigned coeff_start, const LData &ldata, unsigned ldata_start,
                                  const RData &rdata, unsigned rdata_start) {
        return folded<Points, false>(coeff, coeff_start, ldata, ldata_start, rdata, int(rdata_start), true);
    }
    // Any of the argument lists above, added to an accumulator.
    template <typename Acc, typename... Arguments, sim::if_accum<Acc> = 0>
    static accum_type mac_sym(const Acc &acc, const Arguments &...arguments) {
        adf::sim::counts::quiet whole;
        const accum_type r = add(acc, mul_sym(arguments...));
        whole.end();
        sim::count_sums<CoeffType, DataType>(Lanes * ((Points + 1) / 2), r, acc, arguments...);
        return r;
    }
    template <typename Acc, typename... Arguments, sim::if_accum<Acc> = 0>
    static accum_type mac_antisym(const Acc &acc, const Arguments &...arguments) {
        adf::sim::counts::quiet whole;
        const accum_type r = add(acc, mul_antisym(arguments...));
        whole.end();
        sim::count_sums<CoeffType, DataType>(Lanes * ((Points + 1) / 2), r, acc, arguments...);
        return r;
    }

private:
    static constexpr int far = (int(Points) - 1) * DataStepX;

    template <unsigned Pairs = Points / 2, bool Middle = Points % 2 == 1, typename Coeff, typename LData, typename RData>
    static accum_type folded(const Coeff &coeff, unsigned coeff_start, const LData &ldata, unsigned ldata_start,
                             const RData &rdata, int rdata_start, bool subtract) {
        using exact = sim::exact_t<DataType>;
        accum_type acc;
        for (unsigned l = 0; l < Lanes; ++l) {
            sim::summing<tag> sum;
            const int left = int(ldata_start) + int(l) * DataStepY, right = rdata_start + int(l) * DataStepY;
            for (int p = 0; p < int(Pairs); ++p)
                sum.take(sim::circular(coeff, int(coeff_start) + p * CoeffStep),
                         sim::paired<DataType>(sim::converted<exact>(sim::circular(ldata, left + p * DataStepX)),
                                               sim::converted<exact>(sim::circular(rdata, right - p * DataStepX)), subtract));
            if (Middle)
                sum.take(sim::circular(coeff, int(coeff_start) + int(Pairs) * CoeffStep),
                         sim::converted<exact>(sim::circular(ldata, left + int(Pairs) * DataStepX)));
            acc.lane_at(l) = sum.total();
        }
        sim::count_products<CoeffType, DataType>(Lanes * (Pairs + Middle), acc, coeff, ldata, rdata);
        return acc;
    }
};

template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, typename CoeffType, typename DataType, typename AccumTag = accauto>
using sliding_mul_sym_x_ops = sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepX, 1, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepY, typename CoeffType, typename DataType, typename AccumTag = accauto>
using sliding_mul_sym_y_ops = sliding_mul_sym_ops<Lanes, Points, CoeffStep, 1, DataStepY, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepXY, typename CoeffType, typename DataType, typename AccumTag = accauto>
using sliding_mul_sym_xy_ops = sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepXY, DataStepXY, CoeffType, DataType, AccumTag>;

namespace sim {

// The class behind a free symmetric function: the first data operand decides the type.
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, typename Tag, typename Coeff, typename Data>
using sym_ops = sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, value_t<Coeff>, value_t<Data>, Tag>;

} // namespace sim

template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX,
          typename AccumTag = accauto, typename Coeff, typename Data, typename... Rest, sim::if_operands<Coeff, Data> = 0>
auto sliding_mul_sym(const Coeff &coeff, unsigned coeff_start, const Data &data, const Rest &...rest) {
    return sim::sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, AccumTag, Coeff, Data>::mul_sym(coeff, coeff_start, data, rest...);
}
template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX,
          typename AccumTag = accauto, typename Coeff, typename Data, typename... Rest, sim::if_operands<Coeff, Data> = 0>
auto sliding_mul_antisym(const Coeff &coeff, unsigned coeff_start, const Data &data, const Rest &...rest) {
    return sim::sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, AccumTag, Coeff, Data>::mul_antisym(coeff, coeff_start, data, rest...);
}
template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX, typename Acc,
          typename Coeff, typename Data, typename... Rest, sim::if_accum<Acc> = 0>
auto sliding_mac_sym(const Acc &acc, const Coeff &coeff, unsigned coeff_start, const Data &data, const Rest &...rest) {
    return sim::sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, typename sim::accumulator<Acc>::tag, Coeff,
                        Data>::mac_sym(acc, coeff, coeff_start, data, rest...);
}
template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX, typename Acc,
          typename Coeff, typename Data, typename... Rest, sim::if_accum<Acc> = 0>
auto sliding_mac_antisym(const Acc &acc, const Coeff &coeff, unsigned coeff_start, const Data &data, const Rest &...rest) {
    return sim::sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, typename sim::accumulator<Acc>::tag, Coeff,
                        Data>::mac_antisym(acc, coeff, coeff_start, data, rest...);
}

// A sum of whole vectors, each multiplied by the next coefficient from `coeff_start` on (UG1079,
// "accumulate").
template <unsigned Lanes, typename Acc, typename Coeff, typename... Data, sim::if_accum<Acc> = 0>
auto accumulate(const Acc &acc, const Coeff &coeff, unsigned coeff_start, const Data &...data) {
    auto sum = add(acc, zeros<typename sim::accumulator<Acc>::tag, Lanes>());
    (static_cast<void>(sum = mac(sum, data, sim::circular(coeff, int(coeff_start++)))), ...);
    return sum;
}
template <unsigned Lanes, typename AccumTag = accauto, typename CoeffElement, unsigned CoeffLanes, typename First,
          typename... Data, sim::if_operand<First> = 0>
auto accumulate(const vector<CoeffElement, CoeffLanes> &coeff, unsigned coeff_start, const First &first, const Data &...data) {
    using tag = sim::tag_or_default_t<AccumTag, CoeffElement, sim::value_t<First>>;
    return accumulate<Lanes>(zeros<tag, Lanes>(), coeff, coeff_start, first, data...);
}

} // namespace aie
