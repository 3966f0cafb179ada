// The name of adf.h before 2021.
#pragma once

#include "adf.h"

namespace cardano = adf;
