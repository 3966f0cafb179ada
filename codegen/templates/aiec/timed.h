// Cycle counts of calls, through a window of them: element c is how long call c of this firing took, from the call to
// its return; elements without a call are zero.
#pragma once

#include <utility>

#include <adf.h>
#include <aie_api/aie.hpp>

#include "ports.h"

namespace aiec {

// A class of a collective whose calls are timed. `Cycles` elements fit the window.
template <typename Base, unsigned Cycles>
class timed : public Base {
public:
    timed(whole_out_port<int64> cycles, const Base &base) : Base(base), cycles_(cycles) {}

    template <typename... Data>
    void reduce(Data &&...data) { time([&] { Base::reduce(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void allreduce(Data &&...data) { time([&] { Base::allreduce(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void broadcast(Data &&...data) { time([&] { Base::broadcast(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void scan(Data &&...data) { time([&] { Base::scan(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void gather(Data &&...data) { time([&] { Base::gather(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void allgather(Data &&...data) { time([&] { Base::allgather(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void scatter(Data &&...data) { time([&] { Base::scatter(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void reduce_scatter(Data &&...data) { time([&] { Base::reduce_scatter(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void alltoall(Data &&...data) { time([&] { Base::alltoall(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void sendrecv(Data &&...data) { time([&] { Base::sendrecv(std::forward<Data>(data)...); }); }
    template <typename... Data>
    void barrier(Data &&...data) { time([&] { Base::barrier(std::forward<Data>(data)...); }); }

    // Ends a firing: fills up the window.
    void finish() {
        while (calls_ < Cycles) {
            note(0);
        }
    }

private:
    template <typename Call>
    void time(Call call) {
        const unsigned long long start = aie::tile::current().cycles();
        call();
        note(static_cast<int64>(aie::tile::current().cycles() - start));
    }

    void note(int64 cycles) {
        if (calls_ < Cycles) {
            cycles_.put(cycles);
        }
        ++calls_;
    }

    writer<int64> cycles_;
    unsigned calls_ = 0; // of this firing
};

} // namespace aiec
