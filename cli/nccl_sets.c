/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_sets.c - joins settings of NCCL with other values of a platform. */
#include "cli/nccl_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct nccl_sets *s, char *path)
{
    s->own[s->nown++] = path;
    s->sets.items[s->sets.n++] = path;
}

/* Returns whether the command sets the variable, too. */
static bool is_given(const struct texts *nccl, const char *setting)
{
    size_t name = strcspn(setting, "=") + 1;

    for (size_t i = 0; i < nccl->n; i++)
        if (!strncmp(nccl->items[i], setting, name))
            return true;
    return false;
}

int nccl_sets_join(struct nccl_sets *s, const struct log *log,
                   const struct texts *nccl, const struct texts *others,
                   struct err *err)
{
    struct err ignored; /* a log names many that change no prediction */

    *s = (struct nccl_sets){.nown = 0};
    for (size_t i = 0; log && i < log->nsettings && s->nown < TEXTS; i++) {
        char *path = is_given(nccl, log->settings[i])
                         ? NULL
                         : nccl_setting_path(log->settings[i], &ignored);
        if (!path)
            continue;
        add(s, path);
        fprintf(stderr, "sluice: %s: with %s, as the log says\n", log->path,
                log->settings[i]);
    }
    for (size_t i = 0; i < nccl->n; i++) {
        char *path = nccl_setting_path(nccl->items[i], err);
        if (!path)
            return -1;
        add(s, path);
    }
    for (size_t i = 0; i < others->n; i++)
        if (s->sets.n < sizeof s->sets.items / sizeof *s->sets.items)
            s->sets.items[s->sets.n++] = others->items[i];
        else
            return fail(err, "--set: too many with those of NCCL");
    return 0;
}

void nccl_sets_clear(struct nccl_sets *s)
{
    for (size_t i = 0; i < s->nown; i++)
        free(s->own[i]);
}
