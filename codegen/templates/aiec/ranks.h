// The ranks of a collective in a graph: kernels, and which of their ports belong to the collective.
#pragma once

#include <adf.h>

namespace aiec {

// A kernel with the numbers of the first input port and of the first output port that it has for a collective; the
// others follow. Where it has none, the number means nothing.
struct rank {
    adf::kernel *kernel;
    unsigned in, out;
};

// When a rank sends its windows: whenever its kernel says, or one in each firing, as the kernel returns.
enum sending { any_time, once };

// Kernels side by side whose ports have the same numbers.
struct kernel_row {
    adf::kernel *kernels;
    unsigned in, out;
};
inline kernel_row with_ports(adf::kernel *kernels, unsigned in, unsigned out) { return {kernels, in, out}; }

// One kernel of each row of a matrix, likewise.
template <unsigned Columns>
struct kernel_column {
    adf::kernel (*rows)[Columns];
    unsigned column, in, out;
};
template <unsigned Columns>
kernel_column<Columns> column(adf::kernel (*rows)[Columns], unsigned number, unsigned in, unsigned out) {
    return {rows, number, in, out};
}

// The rank at a place of a list of ranks, of kernels whose ports are the first they have, or of one of the above.
inline rank rank_at(const rank *ranks, unsigned place) { return ranks[place]; }
inline rank rank_at(adf::kernel *kernels, unsigned place) { return {&kernels[place], 0, 0}; }
inline rank rank_at(const kernel_row &row, unsigned place) { return {&row.kernels[place], row.in, row.out}; }
template <unsigned Columns>
rank rank_at(const kernel_column<Columns> &ranks, unsigned place) {
    return {&ranks.rows[place][ranks.column], ranks.in, ranks.out};
}

} // namespace aiec
