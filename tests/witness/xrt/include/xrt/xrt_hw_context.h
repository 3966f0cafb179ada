// From 2023.1 here; in 2022.2 experimental.
#include "xrt/witness.h"
#if !AIEC_WITNESS_CONTEXT
#error "xrt/xrt_hw_context.h: from 2023.1"
#endif
