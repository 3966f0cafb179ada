// Where the functions of the runtime are compiled. As a rule with every source that includes the headers, as inline functions.
// With AIEC_SIM_LINKED a source has the declarations alone, which halves the time that it takes to compile, and the program
// needs the object of run.cc: that has the functions.
#pragma once

#ifdef AIEC_SIM_LINKED
#define ADF_SIM_RUN
#else
#define ADF_SIM_RUN inline
#endif
