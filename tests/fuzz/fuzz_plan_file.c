/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a plan file: it is refused or gives a plan that reads back equal
 * after it is written. */
#include "sim/plan/plan_check.h"
#include "workloads/plan_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks the reader's guarantees for an accepted plan. */
static void check(const struct plan_file *f)
{
    const struct plan *p = &f->plan;
    uint32_t ranks = p->nodes * p->ranks_per_node;
    struct err err;

    if (plan_check_ranks(p, &err) < 0)
        abort();
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->src >= ranks || o->dst >= ranks)
            abort();
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            if ((p->deps[d] & DEP_OP) >= i)
                abort();
    }
    for (size_t i = 0; i < p->npieces; i++)
        if (p->pieces[i].class_id >= f->halo.nclasses ||
            p->pieces[i].first + p->pieces[i].count >
                f->halo.classes[p->pieces[i].class_id].count)
            abort();
}

static char *text_of(const struct plan_file *f)
{
    struct machine m = {.name = f->machine, .ngpus = f->gpus_per_node};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct err err;

    if (plan_file_write(out, &f->plan, &m, &f->halo, &err) < 0)
        abort();
    fclose(out);
    return text;
}

static int load(struct plan_file *f, const void *data, size_t size,
                struct err *err)
{
    char path[64];
    int fd = memfd_create("plan", 0);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int result = plan_file_load(f, path, err);
    close(fd);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan_file f, again;
    struct err err = {0};

    if (load(&f, data, size, &err) < 0) {
        if (!err.text[0] || strchr(err.text, '\n') || f.plan.ops)
            abort();
        return 0;
    }
    check(&f);
    char *once = text_of(&f);
    if (load(&again, once, strlen(once), &err) < 0)
        abort();
    char *twice = text_of(&again);
    if (strcmp(once, twice) != 0)
        abort();
    free(once);
    free(twice);
    plan_file_clear(&f);
    plan_file_clear(&again);
    return 0;
}
