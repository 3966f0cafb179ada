// Windows under the path that some designs include.
#pragma once

#include "../chess.h"
#include "../window.h"
