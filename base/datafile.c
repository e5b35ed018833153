/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds files that come with sluice, for a program in a build folder, an
 * installed program, or a program that uses the installed library. */
#include "base/datafile.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Removes the last `n` parts of a path. */
static void cut(char *path, int n)
{
    while (n--) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = 0;
    }
}

/* Returns the path of the file from which this code was loaded, the program or
 * libsluice, without its last `parts` parts, and with `below` appended. NULL if
 * it is unknown; the caller frees it. */
static char *beside_code(int parts, const char *below)
{
    static const char here;
    char code[PATH_MAX] = "";
    Dl_info info;
    struct link_map *map;

    /* The link map has no name for the program itself. */
    if (dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) && map &&
        *map->l_name) {
        if (!realpath(map->l_name, code))
            return NULL;
    } else {
        ssize_t len = readlink("/proc/self/exe", code, sizeof code - 1);
        code[len > 0 ? len : 0] = 0;
    }
    cut(code, parts);
    return *code ? xasprintf("%s%s", code, below) : NULL;
}

static char *datafile_place_of(int i)
{
    const char *given = getenv("SLUICE_DATA");

    switch (i) {
    case 0:
        return given && *given ? xstrdup(given) : NULL;
    case 1: /* for bin/sluice and lib/libsluice.so */
        return beside_code(2, "/share/sluice");
    case 2: /* for lib/x86_64-linux-gnu/libsluice.so */
        return beside_code(3, "/share/sluice");
    case 3: /* for build/release/sluice */
        return beside_code(3, "");
    case 4:
        return xstrdup(SLUICE_SOURCE_DIR);
    default:
        return xstrdup(SLUICE_DATA_DIR);
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

char *datafile_place(const char *name, int i)
{
    char *folder = datafile_place_of(i);

    if (!folder)
        return NULL;
    char *path = xasprintf("%s/%s", folder, name);
    char *place = shortened(path);
    free(folder);
    free(path);
    return place;
}

/* Returns the first readable file of that name from the place `first` on. */
static char *find_from(const char *name, int first)
{
    for (int i = first; i < DATAFILE_PLACES; i++) {
        char *path = datafile_place(name, i);
        if (path && access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

char *datafile_find(const char *name, struct err *err)
{
    char *path = find_from(name, 0);

    return path ? path
                : fail_null(err,
                            "%s: not found: neither in the source tree nor in "
                            "%s; $SLUICE_DATA may name the folder that has it",
                            name, SLUICE_DATA_DIR);
}

char *datafile_script(const char *name, struct err *err)
{
    char *path = find_from(name, 1);

    return path ? path
                : fail_null(err,
                            "%s: not found: neither in the source tree nor in "
                            "%s",
                            name, SLUICE_DATA_DIR);
}

char *datafile_module(const char *name, struct err *err)
{
    char *places[] = {
        beside_code(1, "/"),
        beside_code(1, "/sluice/"),
        beside_code(2, "/" SLUICE_LIBDIR "/sluice/"),
        beside_code(2, "/" SLUICE_LIBDIR "/"), /* libsluice itself */
        xstrdup(SLUICE_BUILD_DIR "/"),
        xstrdup(SLUICE_MODULE_DIR "/"),
    };
    enum { NPLACES = sizeof places / sizeof places[0] };
    char *found = NULL;

    for (int i = 0; i < NPLACES; i++) {
        char *path =
            places[i] && !found ? xasprintf("%s%s", places[i], name) : NULL;
        if (path && access(path, R_OK) == 0)
            found = path;
        else
            free(path);
        free(places[i]);
    }
    if (!found)
        err_set(err, ERR_WORK, __FILE__, __LINE__,
                "%s: not found next to the program nor in %s", name,
                SLUICE_MODULE_DIR);
    return found;
}
