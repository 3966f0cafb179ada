// Runs emitted routes against switches that record their settings.
#include <xaiengine.h>

// Calls an emitted function for a VC1902. Returns its code.
AieRC run(AieRC (*routes)(XAie_DevInst *));
