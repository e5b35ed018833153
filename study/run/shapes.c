/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the workload of each shape ready on a machine, and plans it. */
#include "study/run/job_parts.h"

#include "apps/rounds/hosts.h"
#include "sim/plan/plan_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- halos ---------------------------------------------------------------- */

/* Checks that the placement changes only the nodes of a halo's GPUs, because
 * the GPUs of a node are numbered in blocks. */
static int job_place_gpus(const struct job *j, struct err *err)
{
    const struct placement *p = &j->placement;
    unsigned ngpus = j->machine->ngpus;

    if (!p->slot || (p->in_blocks && p->ranks == j->load.gpus &&
                     (p->ranks_per_node == ngpus || p->nodes == 1)))
        return 0;
    return fail(err,
                "--placement %s: expected a rank for each of the %u GPUs, %u "
                "after each other on a node",
                p->path, j->load.gpus, ngpus);
}

/* Packs halos, unless the user leaves that out or the platform has no cost of a
 * kernel. */
static void job_choose_packing(struct job *j, bool no_packing)
{
    const struct gpu_model *gpu = &j->machine->gpu;

    j->no_packing = no_packing             ? "--no-packing"
                    : gpu->launch_s <= 0   ? "no gpu.kernel_launch_us"
                    : gpu->memory_Bps <= 0 ? "no gpu.memory_GBps"
                                           : NULL;
    j->options.pack = !j->no_packing;
    j->options.turned = j->workload->traffic != NULL;
    j->options.contiguous = j->workload->traffic && !j->workload->packed;
}

int job_make_halo(struct job *j, const struct request *r, struct err *err)
{
    struct workload_request work = r->work;

    if (j->placement.slot && !work.gpus)
        work.gpus = j->placement.ranks;
    if (load_make(&j->load, j->workload, j->machine, &work, err) < 0 ||
        job_place_gpus(j, err) < 0)
        return -1;
    job_choose_packing(j, r->no_packing);
    return 0;
}

const struct plan *job_plan_halo(struct plan *room, const struct job *j,
                                 const struct choice *c, struct err *err)
{
    return strategy_plan(c->strategy, room, j->machine, &j->load.halo,
                         &j->options, err) < 0
               ? NULL
               : room;
}

/* --- messages as given ---------------------------------------------------- */

/* Puts the ranks of a plan on the nodes of the placement. */
static int job_place_plan(struct job *j, struct err *err)
{
    struct load *l = &j->load;
    struct plan all;

    if (!j->placement.slot)
        return 0;
    l->nodes = j->placement.nodes;
    if (!l->loop.steps)
        return placement_apply(&j->placement, j->machine, &l->plan, err);
    int result = placement_apply_loop(&j->placement, j->machine, &l->loop, err);
    if (result <= 0)
        return result;
    if (loop_unroll(&all, &l->loop, err) < 0)
        return -1;
    loop_clear(&l->loop);
    l->plan = all;
    return placement_apply(&j->placement, j->machine, &l->plan, err);
}

int job_make_plan(struct job *j, const struct request *r, struct err *err)
{
    return load_make(&j->load, j->workload, j->machine, &r->work, err) < 0
               ? -1
               : job_place_plan(j, err);
}

/* --- graphs --------------------------------------------------------------- */

static int job_find_algorithm(struct job *j, struct err *err)
{
    static const char *const names[NALGORITHMS] = {
#define ALGORITHM(X, x) [X] = #x,
#include "apps/agents/algorithms.def"
#undef ALGORITHM
    };

    for (int a = 0; a < NALGORITHMS; a++)
        if (!strcmp(names[a], j->workload->algorithm)) {
            j->algorithm = (enum algorithm)a;
            return 0;
        }
    return fail(err, "%s: no algorithm of that name", j->workload->algorithm);
}

static int job_find_edge_cost(struct job *j, double edge_ns, struct err *err)
{
    j->edge_s = isnan(edge_ns) ? 0 : edge_ns * 1e-9;
    if (!isnan(edge_ns) && !(j->edge_s > 0 && j->edge_s < 1))
        return fail(err,
                    "--edge-ns: expected a number above 0 and below 10^9, "
                    "got %g",
                    edge_ns);
    return 0;
}

int job_make_graph(struct job *j, const struct request *r, struct err *err)
{
    return load_make(&j->load, j->workload, j->machine, &r->work, err) < 0 ||
                   job_find_algorithm(j, err) < 0
               ? -1
               : job_find_edge_cost(j, r->edge_ns, err);
}

int job_check_cut(const char *how, struct err *err)
{
    struct cut_words ignored;

    return cut_read(&ignored, how, err);
}

/* --- collectives and traces ----------------------------------------------- */

/* Asks the machine's libraries which algorithms they cannot be told to use. A
 * library that the user names counts as one of the machine's. */
static int job_ask_libraries(struct job *j, struct err *err)
{
    const struct collective_library *list[MOST_LIBRARIES];
    struct collective asked = job_collective(j);
    size_t n;

    if (libraries_of(list, &n, j->machine, err) < 0)
        return -1;
    for (size_t i = 0; i < j->nchoices; i++)
        j->choices[i].untold = libraries_refuse(
            j->machine, j->library, j->choices[i].algorithm, &asked);
    if (!j->library)
        j->library = library_of(j->machine, asked.memory);
    return 0;
}

/* Keeps only the library's choice of a collective on many ranks, if that alone
 * is to be shown: many of the others would take minutes and gigabytes. */
static void job_compare_few(struct job *j)
{
    enum { MOST_COMPARED = 512 };
    struct collective asked = job_collective(j);

    if (!j->automatic || collective_ranks(&asked) <= MOST_COMPARED)
        return;
    struct library_choice taken = job_library_choice(j);
    for (size_t i = 0; i < j->nchoices; i++)
        if (j->choices[i].algorithm == taken.ours) {
            j->choices[0] = j->choices[i];
            j->nchoices = 1;
            j->alone = true;
        }
}

/* Makes a load each of whose plans is placed when it is made. */
static int job_make_placed(struct job *j, const struct request *r,
                           struct err *err)
{
    struct workload_request work = r->work;

    if (j->placement.slot)
        work.placed = &j->placement;
    work.ranks_are_gpus = j->replay.all_in_gpus;
    return load_make(&j->load, j->workload, j->machine, &work, err);
}

int job_make_collective(struct job *j, const struct request *r, struct err *err)
{
    if (job_make_placed(j, r, err) < 0 || job_ask_libraries(j, err) < 0)
        return -1;
    job_compare_few(j);
    return 0;
}

const struct plan *job_plan_collective(struct plan *p, const struct job *j,
                                       const struct choice *c, struct err *err)
{
    struct collective asked = job_collective(j);

    if (collective_plan(p, j->machine, c->algorithm, NULL, &asked, err) < 0)
        return NULL;
    if ((!j->placement.slot ||
         placement_apply(&j->placement, j->machine, p, err) == 0) &&
        plan_check(p, j->machine, err) == 0)
        return p;
    plan_clear(p);
    return NULL;
}

int job_make_trace(struct job *j, const struct request *r, struct err *err)
{
    if (job_make_placed(j, r, err) < 0)
        return -1;
    job_seat_ranks(j);
    return job_find_phases(j, r->no_packing, err);
}

const struct plan *job_plan_replay(struct plan *room, const struct job *j,
                                   const struct choice *c, struct err *err)
{
    return job_plan_trace(room, j, c, err) < 0 ? NULL : room;
}
