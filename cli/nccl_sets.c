/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_sets.c - joins settings of NCCL with other values of a platform. */
#include "cli/nccl_sets.h"

#include "platforms/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the command sets the variable, too. */
static bool is_given(const struct texts *nccl, const char *setting)
{
    size_t name = strcspn(setting, "=") + 1;

    for (size_t i = 0; i < nccl->n; i++)
        if (!strncmp(nccl->items[i], setting, name))
            return true;
    return false;
}

static int append(struct texts *to, const struct texts *more, struct err *err)
{
    for (size_t i = 0; i < more->n; i++) {
        if (to->n == sizeof to->items / sizeof *to->items)
            return fail(err, "--set: too many with those of NCCL");
        to->items[to->n++] = more->items[i];
    }
    return 0;
}

/* Fails if the platform does not take the sets. */
static int try_sets(const char *platform, const struct texts *log,
                    const struct texts *command, struct err *err)
{
    struct texts all = *log;
    struct machine m;

    if (append(&all, command, err) < 0 ||
        platform_load(&m, platform, all.items, all.n, err) < 0)
        return -1;
    machine_clear(&m);
    return 0;
}

/* Adds a setting of a log, and says so, or why it is left out. A variable
 * without a model is passed over, because a log names many that change no
 * prediction. */
static void add_of_log(struct nccl_sets *s, const struct log *log,
                       const char *setting, const char *platform,
                       const struct texts *command)
{
    struct err err = {0};
    bool modelled;
    char *path = nccl_setting_path(setting, &modelled, &err);

    if (path) {
        s->sets.items[s->sets.n++] = path;
        if (try_sets(platform, &s->sets, command, &err) == 0) {
            s->own[s->nown++] = path;
            fprintf(stderr, "sluice: %s: with %s, as the log says\n", log->path,
                    setting);
            return;
        }
        s->sets.n--;
        free(path);
    }
    if (modelled)
        fprintf(stderr, "sluice: %s: without %s of the log: %s\n", log->path,
                setting, err.text);
}

static int add_of_command(struct nccl_sets *s, const struct texts *nccl,
                          struct texts *command, struct err *err)
{
    bool modelled;

    for (size_t i = 0; i < nccl->n; i++) {
        char *path = nccl_setting_path(nccl->items[i], &modelled, err);
        if (!path)
            return -1;
        s->own[s->nown++] = path;
        command->items[command->n++] = path;
    }
    return 0;
}

int nccl_sets_join(struct nccl_sets *s, const struct log *log,
                   const char *platform, const struct texts *nccl,
                   const struct texts *others, struct err *err)
{
    struct texts command = {.n = 0};
    struct err ignored = {0};

    *s = (struct nccl_sets){.nown = 0};
    if (add_of_command(s, nccl, &command, err) < 0 ||
        append(&command, others, err) < 0)
        return -1;
    /* If the platform refuses the command's own, the caller says so. */
    if (log && log->nsettings &&
        try_sets(platform, &s->sets, &command, &ignored) == 0)
        for (size_t i = 0; i < log->nsettings && s->sets.n < TEXTS; i++)
            if (!is_given(nccl, log->settings[i]))
                add_of_log(s, log, log->settings[i], platform, &command);
    return append(&s->sets, &command, err);
}

void nccl_sets_tell(const struct log *log)
{
    for (size_t i = 0; i < log->nsettings; i++) {
        struct err ignored = {0};
        bool modelled;
        free(nccl_setting_path(log->settings[i], &modelled, &ignored));
        if (modelled)
            fprintf(stderr,
                    "sluice: %s: without %s of the log, because it is not the "
                    "only file; --nccl sets it for all\n",
                    log->path, log->settings[i]);
    }
}

void nccl_sets_clear(struct nccl_sets *s)
{
    for (size_t i = 0; i < s->nown; i++)
        free(s->own[i]);
}
