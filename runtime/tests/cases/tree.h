// A kernel class of a binary tree: leaves have no input, the others two.
#pragma once
#include <adf.h>

class leaf {
public:
    explicit leaf(unsigned rank) : rank_(rank) {}
    void run(output_window<int32> *__restrict up);
    static void registerKernelClass() { REGISTER_FUNCTION(leaf::run); }

private:
    unsigned rank_;
};

class inner {
public:
    explicit inner(unsigned rank) : rank_(rank) {}
    void run(input_window<int32> *__restrict left, input_window<int32> *__restrict right, output_window<int32> *__restrict up);
    static void registerKernelClass() { REGISTER_FUNCTION(inner::run); }

private:
    unsigned rank_;
};
