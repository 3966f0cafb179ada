// Words of a channel to any peer that find no room in the memory of a rank, which would wait for
// ever: a run goes on to show how much room it needs.
#pragma once

#include "../types.h"
#include "linked.h"

namespace adf {
namespace sim {

class more_room {
public:
    more_room();
    ~more_room();
    more_room(const more_room &) = delete;
    more_room &operator=(const more_room &) = delete;

    bool has(unsigned from) const;
    bool keep(unsigned from, int32 word, bool ends);
    // The first word of a sender that has some.
    int32 take(unsigned from, bool &ends);

private:
    struct queues;
    queues *queues_;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "more_room.inl"
#endif
