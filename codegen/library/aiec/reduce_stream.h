// reduce over a chain of streams: each rank reads the combination of those before it, adds its own
// data, and writes the result to the next one, element by element.
//
//     comm.total.reduce(values);                      // an array, as in other shapes
//     auto total = comm.total.open(64);               // or step by step
//     for (unsigned i = 0; i < 64; ++i) sum += total.next(x(i));
#pragma once

#include <utility>

#include "opened.h"
#include "reduce.h"

namespace aiec {

// In: the neighbours further from the root. Out: the neighbour nearer to it. The first `Before`
// inputs are combined before own data.
template <typename Collective, unsigned Ins, unsigned Outs, unsigned Before, bool Root>
class reduce_stream : public reduce_tree<Collective, Ins, Outs, Before, Root> {
    using base = reduce_tree<Collective, Ins, Outs, Before, Root>;
    using Element = typename Collective::element_type;

    // One value that is own data, as a place (memory.h).
    template <typename Value>
    struct held {
        static constexpr bool has_vectors = true;
        Value value;
        template <typename>
        Value load() const { return value; }
    };

public:
    using base::base;

    class end : public linked_end<Collective, Ins, Outs> {
    public:
        using linked_end<Collective, Ins, Outs>::linked_end;

        // Takes own data, an element or a vector. Returns the combination of all ranks at the root,
        // and that of the ranks so far elsewhere.
        Element next(Element mine) { return pass(mine); }
        template <unsigned Lanes>
        aie::vector<Element, Lanes> next(const aie::vector<Element, Lanes> &mine) { return pass(mine); }

    private:
        template <typename Value>
        Value pass(const Value &mine) {
            this->template step<Value>();
            Value all = mine;
            wrapping_around<is_vector<Value> && narrows<typename Collective::op_type>>(
                [&] { all = combined(mine, std::make_index_sequence<Ins>()); });
            for (unsigned i = 0; i != Outs; ++i) {
                write(this->out_[i], all);
            }
            return all;
        }
        template <typename Value, std::size_t... i>
        Value combined(const Value &mine, std::index_sequence<i...>) const {
            using memory = pass_memory<own_data::from, kept::nothing, held<Value>, nowhere>;
            return node<Collective, Before, memory>::template outcome<Value>(held<Value>{mine}, nowhere{},
                                                                             read<Value>(this->in_[i])...);
        }
    };

    end open(unsigned count = Collective::data_elements) {
        return end(this->in_, this->out_, count);
    }
    template <typename... Data>
    void reduce(Data &&...data) {
        open();
        base::reduce(std::forward<Data>(data)...);
    }
};

} // namespace aiec
