// The types of windows under the path that some designs include. Kernels of streams come through it
// as well (parsamajidi21/TreeTensorNetworkVCK190, `contractions/contraction00.cpp`).
#pragma once

#include "../cascade.h"
#include "../chess.h"
#include "../window.h"
