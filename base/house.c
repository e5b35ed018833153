/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files that are shipped with sluice, next to the program or in the
 * source tree. */
#include "base/house.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cuts the last `n` parts off a path. */
static void cut(char *path, int n)
{
    while (n--) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = 0;
    }
}

static char *shortened(const char *path)
{
    char here[PATH_MAX];
    size_t len;

    if (!getcwd(here, sizeof here))
        return xstrdup(path);
    len = strlen(here);
    if (len > 1 && !strncmp(path, here, len) && path[len] == '/')
        return xstrdup(path + len + 1);
    return xstrdup(path);
}

char *house_place(const char *name, int i)
{
    char program[PATH_MAX] = SLUICE_SOURCE_DIR;

    if (i == 0) {
        ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
        program[len > 0 ? len : 0] = 0;
        cut(program, 3); /* build/release/sluice */
    }
    char *path = xasprintf("%s/%s", program, name);
    char *place = shortened(path);
    free(path);
    return place;
}

char *house_file(const char *name, struct err *err)
{
    for (int i = 0; i < HOUSE_PLACES; i++) {
        char *path = house_place(name, i);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return fail_null(err, "%s: not found beside the program nor in %s", name,
                     SLUICE_SOURCE_DIR);
}
