/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads SimGrid, the reference engine, if it is requested. */
#include "sim/network/simgrid.h"

#include "base/datafile.h"

#include <dlfcn.h>
#include <stdlib.h>

const struct simgrid_module *simgrid_load(struct err *err)
{
    char *path = datafile_module("sluice_simgrid.so", err);

    if (!path)
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct simgrid_module *found =
        module ? dlsym(module, "sluice_simgrid") : NULL;
    if (!found)
        err_set(err, ERR_WORK, __FILE__, __LINE__, "%s: %s", path, dlerror());
    free(path);
    return found;
}
