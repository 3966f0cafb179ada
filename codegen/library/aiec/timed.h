// Cycle counts of calls, through a window: element c is the duration of call c of this firing, from
// the call to its return. Elements without a call are zero.
#pragma once

#include <utility>

#include <adf.h>
#include <aie_api/aie.hpp>

#include "cleared.h"
#include "member.h"
#include "ports.h"

// Called with a port whose unwritten elements keep the data of an earlier firing. Simulators define
// it.
#ifndef AIEC_ON_KEPT
#define AIEC_ON_KEPT(port)
#endif

namespace aiec {

// A class of a collective with timed calls. `Cycles` elements fit the window.
template <typename Base, unsigned Cycles>
class timed : public Base {
public:
    timed(whole_out_port<int64> cycles, const Base &base) : Base(base), cycles_(start(cycles)), window_(cycles) {}

#define AIEC_CALL(operation) \
    template <typename... Data> \
    void operation(Data &&...data) { time([&] { Base::operation(std::forward<Data>(data)...); }); }
    AIEC_OPERATIONS(AIEC_CALL)
#undef AIEC_CALL

    // Ends a firing: clears counts that an earlier firing left behind the current ones.
    void finish(cleared &state) {
        const unsigned used = calls_ < Cycles ? calls_ : Cycles;
        const unsigned end = state.end_of_rest(cycles_, used, Cycles);
        for (unsigned i = used; i < end; ++i) {
            cycles_[i] = 0;
        }
        AIEC_ON_KEPT(window_.port);
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
            cycles_[calls_] = cycles;
        }
        ++calls_;
    }

    int64 *cycles_;
    [[maybe_unused]] whole_out_port<int64> window_;
    unsigned calls_ = 0; // of this firing
};

} // namespace aiec
