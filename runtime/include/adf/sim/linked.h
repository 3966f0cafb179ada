// Where the functions of the runtime are compiled. By default every source that includes the
// headers compiles them as inline functions. With AIEC_SIM_LINKED a source has only the
// declarations, which halves its compile time. The program then needs the object of run.cc with the
// functions.
#pragma once

#ifdef AIEC_SIM_LINKED
#define ADF_SIM_RUN
#else
#define ADF_SIM_RUN inline
#endif
