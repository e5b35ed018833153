/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads profiles of PyTorch (Kineto), one file per rank.
 *
 * A rank is a graph of the activities of its GPU. A stream is a lane beside the
 * CPU that messages need; its kernels and copies run one after the other, each
 * for the time that was measured. A kernel of NCCL or RCCL is a collective, or
 * a message, with the size and group of processes in its own arguments or in
 * the call that launched it; its time is not used. An activity also depends on
 * the one that had ended last on another stream before it began. The time
 * between, in which the CPU prepared it, is computing ("gap"). If a profile has
 * no such kernels, the calls of gloo on the CPU's threads are used. All
 * activities of a rank are in memory (some 50 B each) while it is read.
 */
#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/kineto_graph.h"
#include "workloads/trace/foreign/readers.h"
#include "workloads/trace/foreign.h"
#include "workloads/trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* The largest number of ranks. */
#define KINETO_RANKS (1 << 20)

enum kineto_remark {
    KINETO_WITHOUT_SIZE,
    KINETO_WITHOUT_GROUP,
    KINETO_OF_ALL,
    KINETO_UNEVEN,
    KINETO_ROOTS,
    KINETO_NREMARKS
};

struct kineto_rank {
    struct kineto_graph graph;
    /* holds: an activity waits because the event of its gap or its group comes
     * first. */
    bool loaded, ended, holds;
    struct kineto_before before;
    bool gap_given;
    bool *known; /* groups for which an event was returned */
    size_t nknown;
    uint64_t deps[2];
    uint64_t remarks[KINETO_NREMARKS];
};

struct kineto_state {
    struct rank_files files;
    struct kineto_world world;
    struct kineto_rank *ranks;
    /* Number of the remark in the trace, plus 1. */
    size_t remark[KINETO_NREMARKS];
};

/* --- remarks -------------------------------------------------------------- */

static const char *const kineto_remarks[KINETO_NREMARKS] = {
    [KINETO_WITHOUT_SIZE] =
        "kernels communicate, but the profile does not say what or how much: "
        "kept as computing, for the times they took",
    [KINETO_WITHOUT_GROUP] =
        "collectives do not say among which ranks: kept as computing, for the "
        "times they took",
    [KINETO_OF_ALL] = "collectives do not say of which group of processes: "
                      "taken as of all ranks",
    [KINETO_UNEVEN] = "collectives have a count for each member, of which the "
                      "profile has the sum: taken in equal parts",
    [KINETO_ROOTS] = "collectives have a root that the profile does not say: "
                     "taken as the first rank of their group",
};

static void kineto_say_remarks(struct trace *t)
{
    struct kineto_state *s = t->state;

    for (int k = 0; k < KINETO_NREMARKS; k++) {
        uint64_t n = 0;
        for (uint32_t i = 0; i < t->ranks; i++)
            n += s->ranks[i].remarks[k];
        trace_remark_count(t, &s->remark[k], n, kineto_remarks[k]);
    }
}

/* --- communication -------------------------------------------------------- */

static int kineto_fail(struct trace *t, uint32_t rank,
                       const struct kineto_activity *a, struct err *err,
                       const char *text)
{
    struct kineto_state *s = t->state;
    struct trace_event e = {.name = s->world.names.text[a->name],
                            .place = a->place};

    return trace_fail(t, rank, &e, err, "%s", text);
}

/* Returns the bytes that each member contributes, -1 if they are not given. */
static int64_t kineto_member_bytes(const struct kineto_comm *c, int64_t members)
{
    int64_t in = c->in_B, out = c->out_B;

    switch (c->collective) {
    case TRACE_BARRIER:
        return 0;
    case TRACE_ALLTOALL:
        return in >= 0 ? in / members : -1;
    case TRACE_REDUCE_SCATTER:
        return in >= 0 ? in / members : out >= 0 ? out : -1;
    case TRACE_SCATTER:
        return out >= 0 ? out : in >= 0 ? in / members : -1;
    case TRACE_ALLGATHER:
        return in >= 0 ? in : out >= 0 ? out / members : -1;
    default:
        return in >= 0 ? in : out >= 0 ? out : -1;
    }
}

static bool kineto_is_rooted(uint8_t collective)
{
    return collective == TRACE_BROADCAST || collective == TRACE_REDUCE ||
           collective == TRACE_GATHER || collective == TRACE_SCATTER;
}

/* Counts the remark, and returns false: the call stays computing for its
 * measured time. */
static bool keep_time(struct kineto_rank *r, enum kineto_remark why)
{
    r->remarks[why]++;
    return false;
}

/* Returns the number of members of a call's group; 0 if it is unknown. */
static uint32_t comm_members(const struct trace *t, const struct kineto_comm *c)
{
    const struct kineto_state *s = t->state;

    if (c->group != KINETO_NONE)
        return s->world.groups[c->group].n;
    if (c->group_size == KINETO_NOT_SAID || c->group_size == t->ranks)
        return t->ranks;
    return 0;
}

static bool collective_event(struct trace *t, struct kineto_rank *r,
                             const struct kineto_comm *c, uint32_t members,
                             struct trace_event *e)
{
    int64_t bytes = kineto_member_bytes(c, members);

    if (bytes < 0)
        return keep_time(r, KINETO_WITHOUT_SIZE);
    trace_event_set(e, TRACE_COLLECTIVE);
    e->collective = c->collective;
    e->bytes = e->recv_bytes = (uint64_t)bytes;
    if (kineto_is_rooted(c->collective)) {
        e->peer = 0;
        r->remarks[KINETO_ROOTS]++;
    }
    r->remarks[KINETO_UNEVEN] += c->uneven;
    r->remarks[KINETO_OF_ALL] +=
        c->group == KINETO_NONE && c->group_size == KINETO_NOT_SAID &&
        ((struct kineto_state *)t->state)->world.ngroups != 1;
    return true;
}

static bool message_event(struct kineto_rank *r, const struct kineto_comm *c,
                          uint32_t members, struct trace_event *e)
{
    bool sends = c->op == KINETO_SEND;
    int64_t bytes = sends || c->out_B < 0 ? c->in_B : c->out_B;

    if (bytes < 0 || c->peer < 0 || c->peer >= members)
        return keep_time(r, KINETO_WITHOUT_SIZE);
    trace_event_set(e, sends ? TRACE_SEND : TRACE_RECV);
    e->peer = (uint32_t)c->peer;
    e->bytes = (uint64_t)bytes;
    return true;
}

/* Makes the event of a call. Returns false if it stays computing. */
static bool comm_event(struct trace *t, struct kineto_rank *r,
                       const struct kineto_activity *a, struct trace_event *e)
{
    const struct kineto_comm *c =
        a->comm == KINETO_NONE ? NULL : &r->graph.p.comms[a->comm];

    if (!c || c->op == KINETO_UNKNOWN)
        return keep_time(r, KINETO_WITHOUT_SIZE);
    uint32_t members = comm_members(t, c);
    if (members == 0)
        return keep_time(r, KINETO_WITHOUT_GROUP);
    if (c->op == KINETO_COLLECTIVE ? !collective_event(t, r, c, members, e)
                                   : !message_event(r, c, members, e))
        return false;
    e->comm = c->group == KINETO_NONE ? TRACE_WORLD : c->group + 1;
    e->in_gpu = !a->on_cpu;
    return true;
}

/* --- groups --------------------------------------------------------------- */

static bool *group_known(struct kineto_rank *r, uint32_t group)
{
    if (group >= r->nknown) {
        size_t n = group + (size_t)16;
        r->known = xrealloc(r->known, n, sizeof *r->known);
        memset(r->known + r->nknown, 0, (n - r->nknown) * sizeof *r->known);
        r->nknown = n;
    }
    return &r->known[group];
}

/* Makes the event of an activity's group, before its first use. Returns 1, or 0
 * if there is none to make. */
static int tell_group(struct trace *t, uint32_t rank,
                      const struct kineto_activity *a, struct trace_event *e,
                      struct err *err)
{
    struct kineto_state *s = t->state;
    struct kineto_rank *r = &s->ranks[rank];
    bool member = false;

    if (!a->is_comm || a->comm == KINETO_NONE)
        return 0;
    const struct kineto_comm *c = &r->graph.p.comms[a->comm];
    if (c->op == KINETO_UNKNOWN || c->group == KINETO_NONE)
        return 0;
    bool *known = group_known(r, c->group);
    if (*known)
        return 0;
    *known = true;
    const struct kineto_group *g = &s->world.groups[c->group];
    for (uint32_t i = 0; i < g->n; i++) {
        if (g->members[i] >= t->ranks)
            return kineto_fail(t, rank, a, err,
                               "its group has a rank that the trace has not");
        member |= g->members[i] == rank;
    }
    if (!member)
        return kineto_fail(t, rank, a, err,
                           "its group does not have its own rank");
    trace_event_set(e, TRACE_COMM);
    e->how = TRACE_KNOWN;
    e->new_comm = e->key = c->group + 1;
    e->members = g->members;
    e->nmembers = g->n;
    e->name = g->name;
    e->place = a->place;
    return 1;
}

/* Refuses a collective without a group in a lone file that has no number of
 * ranks, because its members are unknown. */
static int check_world(struct trace *t, uint32_t rank,
                       const struct kineto_activity *a, struct err *err)
{
    const struct kineto_state *s = t->state;

    if (t->ranks > 1 || s->world.size == 1 || !a->is_comm ||
        a->comm == KINETO_NONE)
        return 0;
    const struct kineto_comm *c = &s->ranks[rank].graph.p.comms[a->comm];
    if (c->op != KINETO_COLLECTIVE || c->group != KINETO_NONE ||
        c->group_size != KINETO_NOT_SAID)
        return 0;
    return kineto_fail(t, rank, a, err,
                       "the profile says neither its group's ranks nor the "
                       "size of the world");
}

/* --- events --------------------------------------------------------------- */

#define REQUEST_OF(activity) (2 * (uint64_t)(activity) + 1)

static void kineto_deps(struct kineto_rank *r, struct trace_event *e)
{
    const struct kineto_before *b = &r->before;
    size_t n = 0;

    if (b->own != SIZE_MAX)
        r->deps[n++] = REQUEST_OF(b->own);
    if (b->other != SIZE_MAX)
        r->deps[n++] = REQUEST_OF(b->other);
    e->requests = r->deps;
    e->nrequests = n;
}

static void kineto_gap(struct kineto_rank *r, size_t activity,
                       struct trace_event *e)
{
    const struct kineto_activity *a = &r->graph.p.activities[activity];

    trace_event_set(e, TRACE_COMPUTE);
    e->free = true;
    e->lane = r->before.lane;
    e->work_s = r->before.gap_us / 1e6;
    e->request = REQUEST_OF(activity) - 1;
    e->name = "gap";
    e->place = a->place;
    kineto_deps(r, e);
    r->gap_given = true;
}

/* Makes the next event of the activity that is held: its group, its gap, or
 * itself. */
static int kineto_held(struct trace *t, uint32_t rank, struct trace_event *e,
                       struct err *err)
{
    struct kineto_state *s = t->state;
    struct kineto_rank *r = &s->ranks[rank];
    size_t activity = r->graph.at - 1;
    const struct kineto_activity *a = &r->graph.p.activities[activity];

    r->holds = true;
    int told =
        check_world(t, rank, a, err) < 0 ? -1 : tell_group(t, rank, a, e, err);
    if (told)
        return told;
    if (r->before.gap_us > 0 && !r->gap_given) {
        kineto_gap(r, activity, e);
        return 1;
    }
    r->holds = false;
    if (!a->is_comm || !comm_event(t, r, a, e)) {
        trace_event_set(e, TRACE_COMPUTE);
        e->work_s = r->before.us / 1e6;
    }
    e->free = true;
    e->lane = r->before.lane;
    e->request = REQUEST_OF(activity);
    e->name = s->world.names.text[a->name];
    e->place = a->place;
    kineto_deps(r, e);
    if (r->gap_given) { /* the gap came after these */
        r->deps[0] = REQUEST_OF(activity) - 1;
        e->nrequests = 1;
    }
    return 1;
}

static int kineto_load(struct trace *t, uint32_t rank, struct err *err)
{
    struct kineto_state *s = t->state;
    struct kineto_rank *r = &s->ranks[rank];

    if (kineto_read(t->rank[rank].file, &s->world, &r->graph.p, err) < 0)
        return -1;
    kineto_graph_init(&r->graph);
    r->loaded = true;
    return 0;
}

static void kineto_unload(struct kineto_rank *r)
{
    kineto_profile_clear(&r->graph.p);
    free(r->known);
    r->known = NULL;
    r->nknown = 0;
    r->loaded = false;
}

static int kineto_next(struct trace *t, uint32_t rank, struct trace_event *e,
                       struct err *err)
{
    struct kineto_rank *r = &((struct kineto_state *)t->state)->ranks[rank];

    if (r->ended)
        return 0;
    if (!r->loaded && kineto_load(t, rank, err) < 0)
        return -1;
    if (r->holds)
        return kineto_held(t, rank, e, err);
    if (r->graph.at == r->graph.p.nactivities) {
        kineto_unload(r);
        r->ended = true;
        kineto_say_remarks(t);
        return 0;
    }
    r->before = kineto_graph_next(&r->graph);
    r->gap_given = false;
    return kineto_held(t, rank, e, err);
}

static int kineto_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct kineto_rank *r = &((struct kineto_state *)t->state)->ranks[rank];

    (void)err;
    kineto_unload(r);
    *r = (struct kineto_rank){0};
    return 0;
}

/* --- opening -------------------------------------------------------------- */

struct kineto_found {
    uint64_t rank;
    size_t file;
};

/* Finds the rank of each file, in the file or else as the number in its
 * name. */
static int kineto_find_ranks(struct trace *t, struct kineto_found *found,
                             uint64_t *ranks, struct err *err)
{
    struct kineto_state *s = t->state;

    *ranks = 0;
    for (size_t i = 0; i < s->files.n; i++) {
        const struct rank_file *f = &s->files.files[i];
        if (kineto_read_head(f->path, &s->world, err) < 0)
            return -1;
        uint64_t rank = s->world.rank >= 0 ? (uint64_t)s->world.rank
                        : s->files.n == 1  ? 0
                                           : f->number;
        if (rank >= KINETO_RANKS || s->world.size > KINETO_RANKS)
            return fail(err, "%s: rank %llu of %lld: expected at most %d",
                        f->path, (unsigned long long)rank,
                        (long long)s->world.size, KINETO_RANKS);
        found[i] = (struct kineto_found){rank, i};
        if (rank >= *ranks)
            *ranks = rank + 1;
        if (s->world.size > 0 && (uint64_t)s->world.size > *ranks)
            *ranks = (uint64_t)s->world.size;
    }
    return 0;
}

static int kineto_set_ranks(struct trace *t, const struct kineto_found *found,
                            uint64_t ranks, struct err *err)
{
    struct kineto_state *s = t->state;

    trace_set_ranks(t, (uint32_t)ranks);
    s->ranks = xcalloc(t->ranks, sizeof *s->ranks);
    for (uint32_t i = 0; i < t->ranks; i++)
        t->rank[i].missing = true;
    for (size_t i = 0; i < s->files.n; i++) {
        struct trace_rank *r = &t->rank[found[i].rank];
        const char *path = s->files.files[found[i].file].path;
        if (!r->missing)
            return fail(err,
                        "%s: of rank %llu, as %s: expected one file of each "
                        "rank beside it",
                        path, (unsigned long long)found[i].rank, r->file);
        *r = (struct trace_rank){.file = path};
    }
    return 0;
}

static int kineto_open(struct trace *t, struct err *err)
{
    struct kineto_state *s = t->state = xcalloc(1, sizeof *s);
    uint64_t ranks;

    t->ranks_are_gpus = true;
    if (rank_files_find(&s->files, t->path, ".json", 1, err) < 0)
        return -1;
    struct kineto_found *found = xcalloc(s->files.n, sizeof *found);
    int result = kineto_find_ranks(t, found, &ranks, err);
    if (result == 0)
        result = kineto_set_ranks(t, found, ranks, err);
    free(found);
    return result;
}

static void kineto_close(struct trace *t)
{
    struct kineto_state *s = t->state;

    if (!s)
        return;
    for (uint32_t i = 0; s->ranks && i < t->ranks; i++)
        kineto_unload(&s->ranks[i]);
    rank_files_clear(&s->files);
    kineto_world_clear(&s->world); /* with the names */
    free(s->ranks);
    free(s);
    t->state = NULL;
}

const struct trace_format kineto_reader = {
    .name = "kineto",
    .summary = KINETO_SUMMARY,
    .open = kineto_open,
    .next = kineto_next,
    .rewind = kineto_rewind,
    .close = kineto_close,
};
