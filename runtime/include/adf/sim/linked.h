// Where the functions of the runtime are compiled. By default every source that includes the
// headers compiles them as inline functions. With AIEC_SIM_LINKED a source has only the
// declarations, and compiles in a third of the time. The program then needs the object of run.cc
// with the functions.
//
// A function that is no template belongs in a .inl file, unless the simulation calls it for every
// element. Each source instantiates all templates that inline functions of the headers use, even
// if it calls none of them and the headers are precompiled. Constructors and destructors of
// classes with containers are such functions.
#pragma once

#ifdef AIEC_SIM_LINKED
#define ADF_SIM_RUN
#else
#define ADF_SIM_RUN inline
#endif
