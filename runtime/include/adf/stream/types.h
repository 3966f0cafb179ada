// The types of streams under the path that some designs include.
#pragma once

#include "../cascade.h"
#include "../chess.h"
