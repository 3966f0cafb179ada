// The fill level of the buffers of a window that a kernel fills only in part: how far the last
// firing wrote in each. Kernels keep it from firing to firing, so that they clear the rest only
// when it holds data.
#pragma once

namespace aiec {

class cleared {
public:
    // The window's buffer now has `elements` elements; before, it may have had more. Returns the
    // end of the earlier ones, at most `all`. Windows have at most two buffers. A buffer that is
    // not known must be cleared completely.
    unsigned end_of_rest(const void *buffer, unsigned elements, unsigned all) {
        for (unsigned i = 0; i < 2; ++i) {
            if (buffers_[i] == buffer || buffers_[i] == nullptr) {
                const unsigned before = buffers_[i] == nullptr ? all : elements_[i];
                buffers_[i] = buffer;
                elements_[i] = elements;
                return before;
            }
        }
        return all;
    }

private:
    const void *buffers_[2] = {nullptr, nullptr};
    unsigned elements_[2] = {0, 0};
};

} // namespace aiec
