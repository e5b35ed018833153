/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses a plan that `sluice export --plan` wrote as a workload. */
#include "workloads/plan_file.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

/* Fails if GPUs are used and the machine has another number per node, because
 * GPUs are numbered node by node. */
static int plan_given_gpus(const struct plan_file *f, const struct machine *m,
                           struct err *err)
{
    for (size_t i = 0; i < f->plan.nops; i++) {
        const struct op *o = &f->plan.ops[i];
        if ((o->src_gpu != NO_GPU || o->dst_gpu != NO_GPU) &&
            f->gpus_per_node != m->ngpus)
            return fail(err,
                        "made for %s, whose nodes have %u GPUs; those of %s "
                        "have %u",
                        f->machine, f->gpus_per_node, m->name, m->ngpus);
    }
    return 0;
}

/* Drops the values that operations carry, because they matter only for
 * checks. */
static void plan_given_drop_values(struct plan *p)
{
    free(p->pieces);
    free(p->first_piece);
    p->pieces = NULL;
    p->first_piece = NULL;
    p->npieces = p->pieces_room = p->first_piece_room = 0;
}

int plan_file_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                      const char *words, struct err *err)
{
    const char *path = words + strlen(plan_workload.prefix);
    struct plan_file f;

    if (plan_file_load(&f, path, err) < 0)
        return -1;
    if (plan_given_gpus(&f, m, err) < 0) {
        plan_file_clear(&f);
        return fail_in(err, "%s", path);
    }
    *p = f.plan;
    *ranks = p->nodes * p->ranks_per_node;
    f.plan = (struct plan){0};
    plan_file_clear(&f);
    plan_given_drop_values(p);
    return 0;
}

const struct workload plan_workload = {
    .prefix = "plan:",
    .words = "plan:FILE",
    .summary = "a plan that sluice export --plan wrote, as it is",
    .help = "Its ranks are on as many nodes, on the same cores, as when it was "
            "written; of\nanother machine only if that has as many GPUs in a "
            "node.",
    .options = "matching runtime runtime-exhaustion",
    .platform = "lassen",
    .messages = plan_file_to_plan,
};
