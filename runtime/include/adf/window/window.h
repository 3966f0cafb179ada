// Windows under the path that some designs include.
#pragma once

#include "../window.h"
