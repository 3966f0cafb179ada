// The types of graphs under the path that some designs include.
#pragma once

#include "../../adf.h"
