/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out whether the ranks share their GPUs through CUDA MPS, and refuses a
 * mixture. */
#include "validate/native/mps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fails with the reason, because CUDA only says that MPS is off. */
static int not_running(struct err *err)
{
    const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
    char control[512];

    if (!folder || !*folder)
        folder = "/tmp/nvidia-mps";
    snprintf(control, sizeof control, "%s/control", folder);
    if (access(control, F_OK) != 0)
        return fail(err,
                    "--mps on: MPS does not run: %s is not there (start "
                    "nvidia-cuda-mps-control -d, or set "
                    "CUDA_MPS_PIPE_DIRECTORY)",
                    control);
    return fail(err,
                "--mps on: there is %s, but CUDA says that this process is "
                "no client of MPS",
                control);
}

static int own(bool *on, const struct native *n, const char *wanted,
               struct err *err)
{
    bool want_on = wanted && !strcmp(wanted, "on");
    bool want_off = wanted && !strcmp(wanted, "off");

    *on = false;
    if (wanted && !want_on && !want_off && strcmp(wanted, "any") != 0)
        return fail(err, "--mps: expected on, off or any, got '%s'", wanted);
    if (!n->gpu->mps)
        return want_on ? fail(err, "--mps on: there is no GPU") : 0;
    if (n->gpu->mps(on, err) < 0)
        return -1;
    if (want_on && !*on)
        return not_running(err);
    return want_off && *on ? fail(err, "--mps off: MPS runs") : 0;
}

int mps_find(struct native_options *o, const struct native *n,
             const char *wanted, struct err *err)
{
    bool on;

    if (native_agree(n, own(&on, n, wanted, err), err) < 0)
        return -1;
    double some = native_max(n, on), all = 1 - native_max(n, !on);
    if (some != all)
        return fail(err, "some ranks are clients of MPS, some are not");
    o->mps = !n->gpu->mps ? "host_memory" : on ? "MPS_on" : "MPS_off";
    /* The rows would say both. */
    const char *other = on ? "MPS_off" : "MPS_on";
    if (n->gpu->mps && o->config && strstr(o->config, other))
        return fail(err, "--config %s: it is %s", o->config, o->mps);
    return 0;
}
