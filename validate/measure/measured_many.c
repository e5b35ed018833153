/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads rows of one rank, or all, with many others: all_to_all_v, spmv. */
#include "validate/measure/measured_rows.h"

#include <stdio.h>
#include <string.h>

int strategy_named(const char *const *names, const struct csv *t, size_t row,
                   unsigned *out, struct err *err)
{
    const char *name;

    if (cell_word(t, row, "strategy", names, &name, err) < 0)
        return -1;
    for (*out = 0; strcmp(names[*out], name) != 0;)
        ++*out;
    return 0;
}

/* Reads which call made the exchange: the program's messages, MPI_Alltoallv,
 * or, if the row does not say, MPI_Alltoall, which gives every rank its part of
 * every message. */
static int all_to_all_call(struct row *r, struct experiment *x,
                           const char **name, struct err *err)
{
    static const char *const names[] = {"isend_irecv", "mpi_collective", NULL};

    *name = "mpi_collective";
    if (csv_column(r->t, "implementation") < 0)
        x->split = true;
    else if (cell_word(r->t, r->row, "implementation", names, name, err) < 0)
        return -1;
    x->library = !strcmp(*name, names[1]);
    if (x->library)
        snprintf(r->note, sizeof r->note,
                 "mpi_collective: all messages at once stand for the library's "
                 "algorithm");
    return 0;
}

int read_all_to_all(struct measured_point *out, struct row *r, struct err *err)
{
    static const char *const names[] = {"cuda_aware", "copy_to_cpu",
                                        "extra_message", "dup_devptr", NULL};
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *call;

    x->kind = EXPERIMENT_ALL_TO_ALL;
    if (all_to_all_call(r, x, &call, err) < 0 ||
        csv_count(t, r->row, "bytes_per_gpu_pair", &x->bytes, err) < 0 ||
        strategy_named(names, t, r->row, &x->strategy, err) < 0)
        return -1;
    const char *kind = x->split     ? "all_to_all"
                       : x->library ? "all_to_all_v_library"
                                    : "all_to_all_v";
    int got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = row_ranks_per_node(r, r->m->ngpus, &x->ranks_per_node, err);
    if (got)
        return got;
    if (!r->m->ngpus || x->ranks_per_node < r->m->ngpus)
        return leave_out(r, "%s has %u GPUs: %u ranks a node do not fit",
                         r->m->name, r->m->ngpus, x->ranks_per_node);
    x->racks = racks_of_run(t, r->row);
    x->other_rack = x->racks > 1;
    x->mps_off = !row_mps(r);
    snprintf(out->group, sizeof out->group, "%s/%s/%s/%u", kind, call,
             names[x->strategy], x->nodes);
    snprintf(out->label, sizeof out->label, "%llu B%s",
             (unsigned long long)x->bytes, rack(x));
    snprintf(out->decision, sizeof out->decision, "%s, %u nodes, %s", kind,
             x->nodes, out->label);
    snprintf(out->choice, sizeof out->choice, "%s", names[x->strategy]);
    out->aware = x->strategy == CUDA_AWARE;
    return 0;
}

int read_spmv(struct measured_point *out, struct row *r, struct err *err)
{
    static const char *const names[] = {"cuda_aware", "copy_to_cpu",
                                        "node_aware", "dup_devptr_node_aware",
                                        NULL};
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    unsigned level;

    x->kind = EXPERIMENT_SPMV;
    if (cell_small(t, r->row, "level", &level, err) < 0 ||
        strategy_named(names, t, r->row, &x->strategy, err) < 0)
        return -1;
    if (level != 0)
        return leave_out(r, "only level 0 is simulated: the coarse matrices "
                            "are not published");
    if (x->strategy > COPY_TO_CPU)
        return leave_out(r, "strategies with aggregation are not simulated");
    x->comm_only = cell_is(t, r->row, "program", "comm_only");
    if (!cell_empty(t, r->row, "program") && !x->comm_only &&
        !cell_is(t, r->row, "program", "full"))
        return leave_out(r, "program %.32s is not simulated",
                         csv_text(t, r->row, "program"));
    if (cell_is(t, r->row, "result_mismatch", "1"))
        return leave_out(r, "result_mismatch is 1: a wrong product");
    int got = row_nodes(r, &x->nodes, err);
    if (got)
        return got;
    if (r->m->gpu.memory_Bps <= 0 || r->m->ncores < 2 * r->m->ngpus)
        return leave_out(r, "%s does not say how fast its GPUs are",
                         r->m->name);
    x->other_rack = racks_of_run(t, r->row) > 1;
    snprintf(out->group, sizeof out->group, "%s/%s",
             x->comm_only ? "spmv_comm_only" : "spmv", names[x->strategy]);
    snprintf(out->label, sizeof out->label, "level 0, %u nodes%s", x->nodes,
             rack(x));
    snprintf(out->decision, sizeof out->decision, "%s, %s",
             x->comm_only ? "spmv_comm_only" : "spmv", out->label);
    snprintf(out->choice, sizeof out->choice, "%s", names[x->strategy]);
    out->aware = x->strategy == CUDA_AWARE;
    return 0;
}
