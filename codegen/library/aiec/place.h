// Location constraints from tables (UG1079, "Mapping Constraints"). Columns and rows of tiles count
// from 0; row 0 is the lowest row with cores.
#pragma once

#include <adf.h>

namespace aiec {

// From byte `offset` on in the memory module of a tile.
struct spot {
    int column, row, offset;
};

// The tile of a kernel; with `stack`, also where its stack and heap lie.
struct tile_place {
    int column, row;
};
struct kernel_place {
    int column, row;
    spot stack;
};

// The buffers of a port of a kernel: two or one.
struct pingpong_place {
    unsigned kernel, port;
    spot ping, pong;
};
struct single_place {
    unsigned kernel, port;
    spot at;
};

// The column and channel of a PLIO, or the column of a GMIO, whose channel the compiler chooses.
struct plio_place {
    int column, channel;
};
using gmio_place = int;

// A kernel of an array by its number. The last index runs fastest.
inline adf::kernel &kernel_of(adf::kernel *kernels, unsigned number) { return kernels[number]; }
template <unsigned Columns>
adf::kernel &kernel_of(adf::kernel (*rows)[Columns], unsigned number) {
    return rows[number / Columns][number % Columns];
}
template <unsigned Rows, unsigned Columns>
adf::kernel &kernel_of(adf::kernel (*layers)[Rows][Columns], unsigned number) {
    return kernel_of(layers[number / (Rows * Columns)], number % (Rows * Columns));
}

// One row of the table for each kernel.
template <typename Kernels, unsigned Count>
void place_kernels(Kernels kernels, const tile_place (&table)[Count]) {
    for (unsigned i = 0; i < Count; ++i) {
        adf::location<adf::kernel>(kernel_of(kernels, i)) = adf::tile(table[i].column, table[i].row);
    }
}
template <typename Kernels, unsigned Count>
void place_kernels(Kernels kernels, const kernel_place (&table)[Count]) {
    for (unsigned i = 0; i < Count; ++i) {
        const spot &stack = table[i].stack;
        adf::location<adf::kernel>(kernel_of(kernels, i)) = adf::tile(table[i].column, table[i].row);
        adf::location<adf::stack>(kernel_of(kernels, i)) = adf::address(stack.column, stack.row, stack.offset);
    }
}

template <typename Of, typename Port>
void place_port(Port &&port, const pingpong_place &at) {
    adf::location<Of>(port) = {adf::address(at.ping.column, at.ping.row, at.ping.offset),
                              adf::address(at.pong.column, at.pong.row, at.pong.offset)};
}
template <typename Of, typename Port>
void place_port(Port &&port, const single_place &place) {
    adf::location<Of>(port) = adf::address(place.at.column, place.at.row, place.at.offset);
}

// One row of the table for each port with its own buffers.
template <typename Kernels, typename Place, unsigned Count>
void place_inputs(Kernels kernels, const Place (&table)[Count]) {
    for (const Place &place : table) {
        place_port<adf::buffer>(kernel_of(kernels, place.kernel).in[place.port], place);
    }
}
template <typename Kernels, typename Place, unsigned Count>
void place_outputs(Kernels kernels, const Place (&table)[Count]) {
    for (const Place &place : table) {
        place_port<adf::buffer>(kernel_of(kernels, place.kernel).out[place.port], place);
    }
}

// The same for run-time parameters: those that a kernel takes, and those that it gives back.
template <typename Kernels, typename Place, unsigned Count>
void place_parameters(Kernels kernels, const Place (&table)[Count]) {
    for (const Place &place : table) {
        place_port<adf::parameter>(kernel_of(kernels, place.kernel).in[place.port], place);
    }
}
template <typename Kernels, typename Place, unsigned Count>
void place_given_back(Kernels kernels, const Place (&table)[Count]) {
    for (const Place &place : table) {
        place_port<adf::parameter>(kernel_of(kernels, place.kernel).inout[place.port], place);
    }
}

template <typename Plio, unsigned Count>
void place_plio(Plio (&plio)[Count], const plio_place (&table)[Count]) {
    for (unsigned i = 0; i < Count; ++i) {
        adf::location<adf::PLIO>(plio[i]) = adf::shim(table[i].column, table[i].channel);
    }
}

template <typename Gmio, unsigned Count>
void place_gmio(Gmio (&gmio)[Count], const gmio_place (&table)[Count]) {
    for (unsigned i = 0; i < Count; ++i) adf::location<adf::GMIO>(gmio[i]) = adf::shim(table[i]);
}

} // namespace aiec
