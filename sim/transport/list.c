/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtimes of platforms/runtimes.def, by number. */
#include "sim/transport/transport.h"

#define RUNTIME(upper, lower, word)                                            \
    extern const struct transport lower##_transport;
#include "platforms/runtimes.def"
#undef RUNTIME

const struct transport *const transports[NRUNTIMES] = {
#define RUNTIME(upper, lower, word) [RUNTIME_##upper] = &lower##_transport,
#include "platforms/runtimes.def"
#undef RUNTIME
};
