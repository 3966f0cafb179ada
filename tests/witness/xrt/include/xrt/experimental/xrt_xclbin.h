// xrt_native_apis.html: in this folder from 2025.1.
#include "xrt/witness.h"
#if AIEC_WITNESS_RELEASE < 20251
#error "experimental/xrt_xclbin.h before 2025.1"
#endif
