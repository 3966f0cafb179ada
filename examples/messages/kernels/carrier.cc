// Carries the packets of all sorters.
#include <adf.h>

template <typename Comm>
void carrier(Comm &comm) {
    comm.mail.carry();
}
