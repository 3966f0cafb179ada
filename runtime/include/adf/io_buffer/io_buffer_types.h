// The types of buffer ports under the path that some designs include.
#pragma once

#include "../buffer.h"
#include "../chess.h"
