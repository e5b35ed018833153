/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads reports of Nsight Systems that were exported as SQLite: the MPI calls
 * of each rank in order of time, with computing between them. Kernels and
 * copies of GPUs run in that time and make no events.
 *
 * A call of MPI_START_WAIT_EVENTS waits for the requests of its rows (one
 * each). The report does not have the requests that an MPI_Test completed: if
 * no call waits for a request, a wait is added where its handle begins again,
 * or at the end. The size of a collective is that of the count that the rank
 * gives; for calls with one count per member, it is their sum. Versions before
 * 2022 or so write calls as NVTX ranges without arguments, so these calls are
 * known by name alone.
 */
#include "workloads/trace/foreign.h"
#include "workloads/trace/foreign/nsys_state.h"
#include "workloads/trace/foreign/readers.h"

#include <stdlib.h>
#include <string.h>

/* --- remarks -------------------------------------------------------------- */

static void nsys_say_remarks(struct trace *t)
{
    static const char *const texts[NSYS_NREMARKS] = {
        [NSYS_WITHOUT_ARGUMENTS] =
            "calls of MPI are written without their arguments: they are known "
            "by name alone",
        [NSYS_STRANGE_COMMS] = "calls are in communicators whose members the "
                               "report does not say: left out",
        [NSYS_UNEVEN] = "collectives have a count for each member, of which "
                        "the report has the sum: taken in equal parts",
        [NSYS_NOT_WAITED] = "requests complete in calls that the report does "
                            "not tell (MPI_Test): waited for later",
    };
    struct nsys_state *s = t->state;

    for (int k = 0; k < NSYS_NREMARKS; k++) {
        uint64_t n = 0;
        for (uint32_t i = 0; i < t->ranks; i++)
            n += s->ranks[i].remarks[k];
        trace_remark_count(t, &s->remark[k], n, texts[k]);
    }
}

/* --- events --------------------------------------------------------------- */

static int nsys_begin(struct trace *t, struct nsys_rank *r, struct err *err)
{
    struct nsys_state *s = t->state;

    r->calls = nsys_calls(&s->files[r->file], r->process, err);
    if (!r->calls)
        return -1;
    r->begun = true;
    return nsys_next_row(t, r, err);
}

static int nsys_next_event(struct trace *t, uint32_t rank,
                           struct trace_event *e, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];

    if (!r->begun && nsys_begin(t, r, err) < 0)
        return -1;
    while (r->at == r->n) {
        if (r->has_row) {
            if (nsys_next_call(t, rank, err) < 0)
                return -1;
            continue;
        }
        if (r->ended)
            return 0;
        r->ended = true;
        r->at = r->n = r->nlist = 0;
        nsys_end_requests(r);
        for (size_t i = 0; i < r->n; i++)
            r->ready[i].requests = r->list;
        nsys_say_remarks(t);
    }
    *e = r->ready[r->at++];
    return 1;
}

/* --- communicators -------------------------------------------------------- */

static size_t comm_find(struct nsys_state *s, const struct nsys_membership *m)
{
    for (size_t i = 0; i < s->ncomms; i++)
        if (s->comms[i].root == m->root && s->comms[i].uid == m->uid &&
            s->comms[i].n == m->size)
            return i;
    s->comms = xrealloc(s->comms, s->ncomms + 1, sizeof *s->comms);
    struct nsys_comm *c = &s->comms[s->ncomms];
    *c = (struct nsys_comm){
        .root = m->root, .uid = m->uid, .n = (uint32_t)m->size};
    c->members = xcalloc(c->n + (size_t)1, sizeof *c->members);
    for (uint32_t i = 0; i < c->n; i++)
        c->members[i] = UINT32_MAX;
    return s->ncomms++;
}

/* Finds the world: the first communicator in which every rank has its own
 * number. */
static void find_world(struct trace *t)
{
    struct nsys_state *s = t->state;

    for (size_t i = 0; i < s->ncomms; i++) {
        struct nsys_comm *c = &s->comms[i];
        c->world = c->n == t->ranks && c->n > 1;
        for (uint32_t k = 0; k < c->n && c->world; k++)
            c->world = c->members[k] == k || c->members[k] == UINT32_MAX;
        if (c->world)
            return;
    }
}

static int nsys_comms(struct trace *t, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_membership *list;
    size_t n;
    int result = 0;

    for (size_t f = 0; f < s->nfiles && result == 0; f++) {
        result = nsys_memberships(&s->files[f], &list, &n, err);
        for (size_t i = 0; i < n && result == 0; i++) {
            const struct nsys_membership *m = &list[i];
            if (m->rank < 0 || m->rank >= t->ranks || m->size < 1 ||
                m->size > t->ranks || m->local < 0 || m->local >= m->size)
                continue; /* such as MPI_COMM_NULL */
            size_t c = comm_find(s, m);
            s->comms[c].members[m->local] = (uint32_t)m->rank;
            nsys_bind(&s->ranks[m->rank], m->handle, c);
        }
        free(list);
    }
    if (result == 0)
        find_world(t);
    return result;
}

/* --- opening -------------------------------------------------------------- */

struct nsys_found {
    int64_t rank, process;
    size_t file;
};

/* Finds the ranks of each file. If a file does not name them, it has the rank
 * in its name if it is one of several, else rank 0. */
static int nsys_find_ranks(struct trace *t, struct nsys_found **found,
                           size_t *n, struct err *err)
{
    struct nsys_state *s = t->state;

    for (size_t i = 0; i < s->nfiles; i++) {
        struct nsys_process *list;
        size_t k;
        if (nsys_processes(&s->files[i], &list, &k, err) < 0) {
            free(list);
            return -1;
        }
        *found = xrealloc(*found, *n + k + 1, sizeof **found);
        for (size_t j = 0; j < k; j++)
            (*found)[(*n)++] =
                (struct nsys_found){list[j].rank, list[j].process, i};
        if (k == 0)
            (*found)[(*n)++] = (struct nsys_found){
                s->nfiles == 1 ? 0 : (int64_t)s->paths.files[i].number,
                NSYS_NOT_SAID, i};
        free(list);
    }
    return 0;
}

static int nsys_set_ranks(struct trace *t, const struct nsys_found *found,
                          size_t n, struct err *err)
{
    struct nsys_state *s = t->state;
    int64_t ranks = 0;

    for (size_t i = 0; i < n; i++) {
        if (found[i].rank < 0 || found[i].rank >= NSYS_RANKS)
            return fail(err, "%s: rank %lld: expected 0 to %d",
                        s->files[found[i].file].path, (long long)found[i].rank,
                        NSYS_RANKS - 1);
        if (found[i].rank >= ranks)
            ranks = found[i].rank + 1;
    }
    trace_set_ranks(t, (uint32_t)ranks);
    t->has_clock = true;
    s->ranks = xcalloc(t->ranks, sizeof *s->ranks);
    for (uint32_t i = 0; i < t->ranks; i++)
        t->rank[i].missing = true;
    for (size_t i = 0; i < n; i++) {
        struct trace_rank *r = &t->rank[found[i].rank];
        const char *path = s->files[found[i].file].path;
        if (!r->missing && s->ranks[found[i].rank].process == found[i].process)
            continue; /* several threads of one process */
        if (!r->missing)
            return fail(err, "%s: of rank %lld, as %s", path,
                        (long long)found[i].rank, r->file);
        *r = (struct trace_rank){.file = path, .places_lines = true};
        s->ranks[found[i].rank].file = found[i].file;
        s->ranks[found[i].rank].process = found[i].process;
    }
    return 0;
}

static int open_files(struct trace *t, struct err *err)
{
    struct nsys_state *s = t->state;
    uint64_t kernels = 0, copies = 0;

    s->files = xcalloc(s->paths.n, sizeof *s->files);
    s->begin_ns = INT64_MAX;
    for (size_t i = 0; i < s->paths.n; i++) {
        s->nfiles++;
        if (nsys_file_open(&s->files[i], s->paths.files[i].path, err) < 0)
            return -1;
        int minus_1 = nsys_sends_to(&s->files[i], -1, err);
        if (minus_1 < 0)
            return -1;
        s->any_is_minus_2 |= minus_1;
        if (s->files[i].begin_ns < s->begin_ns)
            s->begin_ns = s->files[i].begin_ns;
        kernels += s->files[i].kernels;
        copies += s->files[i].copies;
    }
    if (kernels || copies)
        trace_remark(t,
                     "%llu kernels and %llu copies of GPUs ran in the time "
                     "between calls, which counts as computing",
                     (unsigned long long)kernels, (unsigned long long)copies);
    return 0;
}

static int nsys_open(struct trace *t, struct err *err)
{
    struct nsys_state *s = t->state = xcalloc(1, sizeof *s);
    struct nsys_found *found = NULL;
    size_t n = 0;

    if (rank_files_find(&s->paths, t->path, ".sqlite", 1, err) < 0 ||
        open_files(t, err) < 0)
        return -1;
    int result = nsys_find_ranks(t, &found, &n, err);
    if (result == 0)
        result = nsys_set_ranks(t, found, n, err);
    free(found);
    return result < 0 ? -1 : nsys_comms(t, err);
}

static void rank_clear(struct nsys_rank *r)
{
    sqlite3_finalize(r->calls);
    free(r->handles);
    free(r->list);
    *r = (struct nsys_rank){.file = r->file,
                            .process = r->process,
                            .bindings = r->bindings,
                            .nbindings = r->nbindings};
}

static int nsys_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];

    (void)err;
    rank_clear(r);
    for (size_t i = 0; i < r->nbindings; i++)
        r->bindings[i].told = false;
    if (s->ncomms == 0)
        r->nbindings = 0;
    return 0;
}

static void nsys_close(struct trace *t)
{
    struct nsys_state *s = t->state;

    if (!s)
        return;
    for (uint32_t i = 0; s->ranks && i < t->ranks; i++) {
        rank_clear(&s->ranks[i]);
        free(s->ranks[i].bindings);
    }
    for (size_t i = 0; i < s->nfiles; i++)
        nsys_file_close(&s->files[i]);
    for (size_t i = 0; i < s->ncomms; i++)
        free(s->comms[i].members);
    rank_files_clear(&s->paths);
    names_clear(&s->names);
    free(s->comms);
    free(s->files);
    free(s->ranks);
    free(s);
    t->state = NULL;
}

const struct trace_format nsys_reader = {
    .name = "nsys",
    .summary = NSYS_SUMMARY,
    .open = nsys_open,
    .next = nsys_next_event,
    .rewind = nsys_rewind,
    .close = nsys_close,
};
