// reduce along the cascade: partial results go from core to neighbouring core as accumulators, up
// to 384 bits a cycle (AM009), without memory, locks or nets. Contributions are combined in the
// order of the chain; its last rank is the root.
//
//     comm.total.reduce(values);                      // an array, as in other shapes
//     auto total = comm.total.open(64);               // or step by step
//     for (unsigned i = 0; i < 64; ++i) sum += total.next(x(i));
#pragma once

#include <type_traits>

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include "cascade_ports.h"
#include "computed.h"
#include "member.h"
#include "memory.h"
#include "opened.h"
#include "ops.h"
#include "windows.h"

namespace aiec {

// The accumulators that carry elements: lanes that hold them exactly, in vectors of 128 bits or
// more.
template <typename Tag, unsigned Lanes>
struct cascade_lanes {
    using tag = Tag;
    static constexpr unsigned lanes = Lanes;
};
template <typename Element, unsigned Bytes = sizeof(Element)>
struct cascade_unit {
    static_assert(Bytes < 8, "64-bit integers do not fit the cascade");
};
template <typename Element>
struct cascade_unit<Element, 1> : cascade_lanes<acc48, 16> {};
template <typename Element>
struct cascade_unit<Element, 2> : cascade_lanes<acc48, 8> {};
template <typename Element>
struct cascade_unit<Element, 4> : cascade_lanes<acc80, 4> {};
template <>
struct cascade_unit<float, sizeof(float)> : cascade_lanes<accfloat, 8> {};
template <>
struct cascade_unit<cint16, sizeof(cint16)> : cascade_lanes<cacc48, 4> {};
template <>
struct cascade_unit<cint32, sizeof(cint32)> : cascade_lanes<cacc80, 2> {};
template <>
struct cascade_unit<cfloat, sizeof(cfloat)> : cascade_lanes<caccfloat, 4> {};

template <typename Collective>
using partials_in = cascade_in<typename cascade_unit<typename Collective::element_type>::tag>;
template <typename Collective>
using partials_out = cascade_out<typename cascade_unit<typename Collective::element_type>::tag>;

// One rank. The first rank has no input cascade and the last no output cascade: these are null.
// Out: of the last, a window for the result, or none.
template <typename Collective, bool First, bool Last, unsigned Outs = 0>
class reduce_cascade : public member<Collective> {
    static_assert(!First || !Last, "a chain has two ranks at least");
    static_assert(Outs <= (Last ? 1 : 0), "only the last rank has the result");
    using Element = typename Collective::element_type;
    using unit = cascade_unit<Element>;
    static constexpr unsigned lanes = unit::lanes;
    static constexpr unsigned vectors = Collective::data_elements / lanes, rest = Collective::data_elements % lanes;
    using vector = aie::vector<Element, lanes>;

public:
    static constexpr bool is_root = Last;

    reduce_cascade(unsigned rank, partials_in<Collective> in, partials_out<Collective> out,
                   const outs<Collective, Outs> &result = {})
        : member<Collective>(rank), in_(in), out_(out), result_(result) {}

    template <typename Data>
    void reduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        if constexpr (Last) {
            all_vectors(updates(values), values, values);
        } else {
            all_vectors(reads(static_cast<const Element *>(values)), values, nullptr);
        }
    }

    // Own data is computed. The root finds the combination in `result`; the others do not use it.
    template <typename One, typename Several, typename Data>
    void reduce(const computed_data<One, Several> &own, [[maybe_unused]] Data &&result) {
        using from = computed_cursor<Element, computed_data<One, Several>>;
        const from start(own, 0);
        this->contributes(start, Collective::data_elements);
        if constexpr (Last) {
            Element *values = this->template memory<Collective::data_elements>(result);
            all_vectors(moves(start, values), start, values);
        } else {
            all_vectors(reads(start), start, nullptr);
        }
    }

    // An element takes a vector along the cascade, and a vector as many as its elements fill. So
    // all ranks take the same steps.
    class end : public opened {
    public:
        end(reduce_cascade &rank, unsigned count) : opened(count), rank_(rank) {}

        // Takes own data, an element or a vector. Returns the combination of all ranks at the root,
        // and that of the ranks so far elsewhere.
        Element next(Element mine) {
            this->template step<Element>();
            vector all = aie::zeros<Element, lanes>();
            all.set(mine, 0);
            wrapping_around<true>([&] { all = rank_.passed_on(all); });
            return all.get(0);
        }
        template <unsigned Lanes>
        aie::vector<Element, Lanes> next(const aie::vector<Element, Lanes> &mine) {
            this->template step<aie::vector<Element, Lanes>>();
            aie::vector<Element, Lanes> all = mine;
            wrapping_around<true>([&] {
                if constexpr (Lanes < lanes) {
                    vector wide = aie::zeros<Element, lanes>();
                    wide.insert(0, mine);
                    all = rank_.passed_on(wide).template extract<Lanes>(0);
                } else {
                    for (unsigned i = 0; i < Lanes / lanes; ++i) {
                        all.insert(i, rank_.passed_on(mine.template extract<lanes>(i)));
                    }
                }
            });
            return all;
        }

    private:
        reduce_cascade &rank_;
    };

    end open(unsigned count = Collective::data_elements) {
        static_assert(Outs == 0, "the `result` of a reduction comes from calls with arrays, not from open ends");
        return end(*this, count);
    }

private:
    // `memory` is that of a pass (memory.h); `own` has the same elements by number. The last rank
    // has the result in `values`.
    template <typename Memory, typename Own>
    void all_vectors(const Memory &memory, const Own &own, [[maybe_unused]] Element *values) {
        // Values that do not fit an element wrap when they leave an accumulator.
        wrapping_around<true>([&] {
            whole_vectors<Memory>(memory.from, memory.to, own);
            if constexpr (rest > 0) {
                [[maybe_unused]] const vector all = passed_on(gathered<rest>(own, vectors * lanes));
                if constexpr (Last) {
                    for (unsigned i = 0; i < rest; ++i) {
                        values[vectors * lanes + i] = all.get(i);
                    }
                }
            }
        });
        if constexpr (Last) {
            send_result(values);
            this->results(values, Collective::data_elements);
        }
    }
    template <typename Memory, typename Own>
    void whole_vectors([[maybe_unused]] typename Memory::from_type from, [[maybe_unused]] typename Memory::to_type to,
                       [[maybe_unused]] const Own &own) {
        for (unsigned i = 0; i != vectors; ++i) chess_prepare_for_pipelining {
            if constexpr (Memory::has_vectors) {
                Memory::keep_outcome(to, passed_on(Memory::template own<vector>(from, to)));
                from += lanes;
            } else {
                Memory::keep_outcome(to, passed_on(gathered<lanes>(own, i * lanes)));
            }
            to += lanes;
        }
    }

    // `Count` elements from that one on; behind them zeros if they are fewer than a vector.
    template <unsigned Count, typename Own>
    static vector gathered(const Own &own, unsigned first) {
        vector values = aie::zeros<Element, lanes>();
        for (unsigned i = 0; i < Count; ++i) {
            values.set(own[first + i], i);
        }
        return values;
    }

    void send_result([[maybe_unused]] const Element *values) {
        if constexpr (Outs > 0) {
            for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
                blocks<Collective>::single::send(result_[0], blocks<Collective>::at(values, 0, chunk),
                                                 blocks<Collective>::elements(chunk));
            }
        }
    }

    // Combines own elements with those from the ranks before, and passes the result to the next
    // rank.
    vector passed_on(vector all) {
        if constexpr (!First) {
            all = combine(taken(), all);
        }
        if constexpr (!Last) {
            give(all);
        }
        return all;
    }

    static vector combine(const vector &a, const vector &b) {
        if constexpr (Collective::vectorised && has_vector_form<typename Collective::op_type, vector>) {
            return Collective::op_type::apply_vector(a, b);
        } else {
            vector both = b;
            for (unsigned i = 0; i < lanes; ++i) {
                both.set(Collective::op_type::apply(a.get(i), b.get(i)), i);
            }
            return both;
        }
    }

    // Accumulators are signed; the bits are equal.
    vector taken() {
        const aie::accum<typename unit::tag, lanes> carried = readincr_v<lanes>(in_);
        if constexpr (std::is_unsigned_v<Element>) {
            return carried.template to_vector<std::make_signed_t<Element>>(0).template cast_to<Element>();
        } else {
            return carried.template to_vector<Element>(0);
        }
    }
    void give(const vector &all) {
        aie::accum<typename unit::tag, lanes> carried;
        if constexpr (std::is_unsigned_v<Element>) {
            carried.from_vector(all.template cast_to<std::make_signed_t<Element>>(), 0);
        } else {
            carried.from_vector(all, 0);
        }
        writeincr(out_, carried);
    }

    partials_in<Collective> in_;
    partials_out<Collective> out_;
    outs<Collective, Outs> result_;
};

} // namespace aiec
