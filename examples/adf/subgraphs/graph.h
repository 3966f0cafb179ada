#pragma once
#include <adf.h>
#include <string>
#include "kernels.h"
using namespace adf;

template <int COLUMN, int ROW>
class Pair : public graph {
public:
    input_port in;
    output_port out[2];
    kernel k[2];

    Pair() {
        k[0] = kernel::create(stage<int32, 128, false>);
        k[1] = kernel::create(stage<int32, 128, true>);
        for (int i = 0; i < 2; ++i) {
            source(k[i]) = "kernels/stage.cc";
            runtime<ratio>(k[i]) = 0.5;
            stack_size(k[i]) = 1536;
            heap_size(k[i]) = 256;
            location<kernel>(k[i]) = tile(COLUMN + i, ROW);
            location<stack>(k[i]) = bank(COLUMN + i, ROW, 3);
            connect<window<512>>(in, k[i].in[0]);
            connect<window<256>>(k[i].out[0], out[i]);
        }
        location<buffer>(k[0].in[0]) = {bank(COLUMN, ROW, 0), bank(COLUMN, ROW, 1)};
        location<buffer>(k[0].out[0]) = {address(COLUMN, ROW, 0x4000), address(COLUMN, ROW, 0x5000)};
        not_equal(location<buffer>(k[0].in[0]), location<buffer>(k[0].out[0]));
    }
};

template <int COLUMN>
class Column : public graph {
public:
    port<input> in;
    port<output> out[4];
    Pair<COLUMN, 1> first;
    Pair<COLUMN, 2> second;

    Column() {
        connect<>(in, first.in);
        connect<>(in, second.in);
        for (int i = 0; i < 2; ++i) {
            connect<>(first.out[i], out[i]);
            connect<>(second.out[i], out[2 + i]);
        }
        location<graph>(*this) = bounding_box(COLUMN, 0, COLUMN + 3, 3);
    }
};

class Top : public graph {
public:
    Column<6> left;
    Column<20> right;
    input_plio in[2];
    output_plio out[8];

    Top() {
        for (int i = 0; i < 2; ++i) {
            in[i] = input_plio::create("In" + std::to_string(i), plio_64_bits, "data/in" + std::to_string(i) + ".txt", 312.5);
            location<PLIO>(in[i]) = shim(6 + 14 * i, 0);
        }
        connect<>(in[0].out[0], left.in);
        connect<>(in[1].out[0], right.in);
        for (int i = 0; i < 8; ++i) {
            out[i] = output_plio::create("Out" + std::to_string(i), plio_64_bits, "data/out" + std::to_string(i) + ".txt", 312.5);
            connect<>(i < 4 ? left.out[i] : right.out[i - 4], out[i].in[0]);
        }
    }
};
