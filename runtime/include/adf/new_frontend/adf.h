// The name by which some graphs include the whole of ADF.
#pragma once

#include "../../adf.h"
