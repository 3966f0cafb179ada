// The operators of aie::operators (UG1079, "Operator Overloading").
#pragma once

#include "detail/operators.hpp"
