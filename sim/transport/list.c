/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtimes of platforms/runtimes.def, and the stages of each kind of
 * transfers, by number. */
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

const struct transfer_stages transfer_kinds[TRANSFERS_AT_REST] = {
    [TRANSFER_MESSAGE] = {message_go, message_prepare},
    [TRANSFER_SEND] = {message_go, message_prepare},
    [TRANSFER_RECEIVE] = {message_go, NULL},
    [TRANSFER_PUT] = {put_go, NULL},
    [TRANSFER_PUSH] = {push_go, NULL},
    [TRANSFER_COPY] = {copy_go, copy_prepare},
    [TRANSFER_COPY_ASYNC] = {copy_go, copy_prepare},
    [TRANSFER_PACK] = {pack_go, NULL},
    [TRANSFER_WORK] = {work_go, NULL},
    [TRANSFER_HOST_MESSAGE] = {host_message_go, NULL},
    [TRANSFER_HOST_MESSAGE_SEND] = {host_message_go, NULL},
    [TRANSFER_HOST_MESSAGE_RECEIVE] = {host_message_go, NULL},
    [TRANSFER_THREAD_POOL] = {thread_pool_go, NULL},
};
