// XRT of the release that AIEC_WITNESS_RELEASE names: xrt/witness.h.
#include "xrt/witness.h"
