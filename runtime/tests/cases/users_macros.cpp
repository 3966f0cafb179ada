// Every header, behind macros of users: it compiles, or it uses a name that is theirs.
#include "users_macros.h"

#include "adf.h"
#include "adf/io_buffer/io_buffer.h"
#include "adf/stream/streams.h"
#include "adf/window/window.h"
#include "aie_api/aie.hpp"
#include "aie_api/aie_adf.hpp"
#include "aie_api/operators.hpp"
#include "aie_api/utils.hpp"
#include "cardano.h"
