// xrt_native_apis.html 2022.2: outside of xrt/; later releases have it there too.
#include "xrt/witness.h"
