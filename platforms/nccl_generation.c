/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_generation.c - the generations of GPUs that NCCL, or RCCL, tells apart.
 */
#include "platforms/nccl_parts.h"

#include <stdlib.h>
#include <string.h>

struct part {
    const char *family;
    int base;
    long least;
    enum nccl_generation generation;
    const char *name;
};

/* Returns the part of an architecture, or NULL if it is of no family. */
static const struct part *part_of(const char *arch)
{
    static const struct part parts[] = {
#define NCCL_PART(...) {__VA_ARGS__},
#include "platforms/nccl_parts.def"
    };
    const struct part *found = NULL;

    for (size_t i = 0; arch && i < sizeof parts / sizeof parts[0]; i++) {
        size_t n = strlen(parts[i].family);
        if (!strncmp(arch, parts[i].family, n) &&
            strtol(arch + n, NULL, parts[i].base) >= parts[i].least)
            found = &parts[i];
    }
    return found;
}

enum nccl_generation nccl_generation_by(const char *arch)
{
    const struct part *part = part_of(arch);

    return part ? part->generation : NCCL_NO_GENERATION;
}

const char *nccl_part_by(const char *arch)
{
    const struct part *part = part_of(arch);

    return part ? part->name : NULL;
}
