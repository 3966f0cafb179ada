// The ranks of a collective in a graph: kernels, and which of their ports belong to the collective.
#pragma once

#include <adf.h>

namespace aiec {

// A kernel with the numbers of its first input port and first output port for a collective; its
// other ports follow. If it has none, the number means nothing.
struct rank {
    adf::kernel *kernel;
    unsigned in, out;
};

// When a rank sends its windows: whenever its kernel releases one, or one in each firing, as the
// kernel returns.
enum sending { any_time, once };

// Consecutive kernels whose ports have equal numbers.
struct kernel_row {
    adf::kernel *kernels;
    unsigned in, out;
};
inline kernel_row with_ports(adf::kernel *kernels, unsigned in, unsigned out) { return {kernels, in, out}; }

// One kernel of each row of a matrix, with equal port numbers.
template <unsigned Columns>
struct kernel_column {
    adf::kernel (*rows)[Columns];
    unsigned column, in, out;
};
template <unsigned Columns>
kernel_column<Columns> column(adf::kernel (*rows)[Columns], unsigned number, unsigned in, unsigned out) {
    return {rows, number, in, out};
}

// The rank at a position of a list of ranks, of an array of kernels with their first ports, or of
// one of the types above.
inline rank rank_at(const rank *ranks, unsigned place) { return ranks[place]; }
inline rank rank_at(adf::kernel *kernels, unsigned place) { return {&kernels[place], 0, 0}; }
inline rank rank_at(const kernel_row &row, unsigned place) { return {&row.kernels[place], row.in, row.out}; }
template <unsigned Columns>
rank rank_at(const kernel_column<Columns> &ranks, unsigned place) {
    return {&ranks.rows[place][ranks.column], ranks.in, ranks.out};
}

} // namespace aiec
