// A hash table with open addressing, which clients fill and read. It is empty when a run starts.
#include <adf.h>
#include <aiec/design.h>

namespace {

class keys_with_values {
public:
    keys_with_values() {
        for (unsigned i = 0; i < design::SLOTS; ++i) taken_[i] = 0;
    }

    // Stores pairs of key and value. Returns how many keys are new.
    int32 put(unsigned, const int32 *pairs, unsigned count) {
        int32 added = 0;
        for (unsigned i = 0; i < count; i += 2) {
            const unsigned at = slot(pairs[i]);
            added += !taken_[at];
            taken_[at] = 1;
            keys_[at] = pairs[i];
            values_[at] = pairs[i + 1];
        }
        return added;
    }
    // The value of a key, or -1.
    int32 get(unsigned, int32 key) {
        const unsigned at = slot(key);
        return taken_[at] ? values_[at] : -1;
    }

private:
    // Where a key lies or would lie: the table has more slots than there are keys.
    unsigned slot(int32 key) const {
        unsigned at = unsigned(key) * 2654435761U % design::SLOTS;
        while (taken_[at] && keys_[at] != key) at = at + 1 == design::SLOTS ? 0 : at + 1;
        return at;
    }

    int32 taken_[design::SLOTS], keys_[design::SLOTS], values_[design::SLOTS];
};

} // namespace

template <typename Comm>
void keeper(Comm &comm) {
    keys_with_values all;
    comm.table.serve(all); // until all clients have returned
}
