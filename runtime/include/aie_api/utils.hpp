// Printing of vectors, masks and accumulators (UG1529, "Debugging").
#pragma once

#include "detail/print.hpp"
