// The memory of a rank for words that came before its kernel asked for them (channel_any.h).
#pragma once

#include <adf.h>

// Where words go that find no room in a rank's memory. Simulators have a place, to tell how much
// room is needed.
#ifndef AIEC_MORE_ROOM
#define AIEC_MORE_ROOM ::aiec::no_more_room
#endif

namespace aiec {

struct no_more_room {
    static bool has(unsigned) { return false; }
    static bool keep(unsigned, int32, bool) { return false; }
    static int32 take(unsigned, bool &) { return 0; }
};

// Words that came: a queue for each sender, all in one memory.
template <unsigned Senders, unsigned Words, typename More = AIEC_MORE_ROOM>
class kept_words : More {
    static constexpr unsigned none = 0x7fff, end = 0x8000; // positions have 15 bits
    static_assert(Words < none, "more words than positions");

public:
    kept_words() {
        for (unsigned i = 0; i < Senders; ++i) first_[i] = none;
    }

    unsigned count() const { return count_; }
    bool has(unsigned from) const { return first_[from] != none || More::has(from); }

    // False if there is no room.
    bool keep(unsigned from, int32 word, bool ends) {
        if (More::has(from) || (free_ == none && fresh_ == Words)) {
            const bool is_kept = More::keep(from, word, ends);
            count_ += is_kept;
            return is_kept;
        }
        const unsigned at = free_ == none ? fresh_++ : free_;
        if (free_ != none) free_ = next_[at];
        words_[at] = word;
        next_[at] = static_cast<unsigned short>(none | (ends ? end : 0));
        if (first_[from] == none) first_[from] = static_cast<unsigned short>(at);
        else next_[last_[from]] = static_cast<unsigned short>((next_[last_[from]] & end) | at);
        last_[from] = static_cast<unsigned short>(at);
        ++count_;
        return true;
    }
    // The first word of a sender that has some. `ends`: it is the last of an opening.
    int32 take(unsigned from, bool &ends) {
        --count_;
        const unsigned at = first_[from];
        if (at == none) return More::take(from, ends);
        ends = (next_[at] & end) != 0;
        first_[from] = static_cast<unsigned short>(next_[at] & none);
        next_[at] = static_cast<unsigned short>(free_);
        free_ = at;
        return words_[at];
    }

private:
    int32 words_[Words];
    unsigned short next_[Words];
    unsigned short first_[Senders], last_[Senders];
    unsigned free_ = none, fresh_ = 0, count_ = 0;
};

} // namespace aiec
