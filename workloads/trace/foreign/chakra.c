/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads Chakra execution traces: a graph of nodes for each rank (NPU), in files
 * NAME.0.et, NAME.1.et, ..., or .json for their JSON form.
 *
 * A node begins when the nodes of its data_deps have ended and those of its
 * ctrl_deps have begun (these are its callers if the trace was converted from
 * PyTorch). For the nodes that wait for it, a node that sends has ended when it
 * has begun, as in ASTRA-sim, because the channels hold data that nobody
 * receives yet: a ring of sends for which each rank's receive waits is no
 * deadlock. Nodes run on three lanes beside the CPU that sends messages,
 * because no kernel holds that: kernels on 1, operations of the CPU (is_cpu_op)
 * on 2, communication on 3. A COMP node takes its duration, or its num_ops if
 * it has none. comm_size is the contribution of a rank to a collective, as in
 * ASTRA-sim: to all members together for an all-to-all or reduce-scatter, else
 * to one. Messages are in GPU memory. A pg_name is a group of the ranks that
 * have nodes with it. A collective without comm_type is computing for its
 * duration, because it is an operation of the CPU that only calls, or is
 * unknown.
 */
#include "workloads/trace/foreign/chakra.h"
#include "workloads/trace/foreign/chakra_order.h"
#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/readers.h"
#include "workloads/trace/foreign.h"
#include "workloads/trace/names.h"

#include "base/packed.h"

#include <stdlib.h>
#include <string.h>

/* The number of names of computes that are kept; all names of communication
 * are. */
#define CHAKRA_NAMES (1u << 16)
/* There are at most this many times as many ranks as files. */
#define CHAKRA_SPARSE 16

enum { CHAKRA_LANE_GPU = 1, CHAKRA_LANE_CPU, CHAKRA_LANE_COMM };

struct chakra_group {
    char *name;
    uint32_t *members, n, room;
};

enum chakra_remark {
    CHAKRA_ABSENT,
    CHAKRA_DIMS,
    CHAKRA_NO_TIME,
    CHAKRA_NO_SIZE,
    CHAKRA_NREMARKS
};

struct chakra_rank {
    struct input in;
    struct chakra_nodes nodes; /* for the JSON form */
    struct chakra_order order;
    struct chakra_node node; /* read last, or that of the last event */
    bool opened, ended, checked;
    bool *known; /* groups for which an event was returned */
    bool holds;  /* node waits because the event of its group comes first */
    /* These are of the rank, because it may be read again: its count begins
     * again. */
    uint64_t remarks[CHAKRA_NREMARKS];
};

struct chakra_state {
    struct rank_files files;
    struct chakra_rank *ranks;
    struct chakra_group *groups;
    size_t ngroups;
    struct names names;
    bool is_json;
    /* Number of the remark in the trace, plus 1. */
    size_t remark[CHAKRA_NREMARKS];
};

/* --- groups --------------------------------------------------------------- */

static struct chakra_group *chakra_group_of(struct chakra_state *s,
                                            const char *name)
{
    for (size_t i = 0; i < s->ngroups; i++)
        if (!strcmp(s->groups[i].name, name))
            return &s->groups[i];
    return NULL;
}

static void group_add(struct chakra_state *s, const char *name, uint32_t rank)
{
    struct chakra_group *g = chakra_group_of(s, name);

    if (!g) {
        s->groups = xrealloc(s->groups, s->ngroups + 1, sizeof *s->groups);
        g = &s->groups[s->ngroups++];
        *g = (struct chakra_group){.name = xstrdup(name)};
    }
    if (g->n && g->members[g->n - 1] == rank)
        return;
    if (g->n == g->room) {
        g->room = g->room ? 2 * g->room : 8;
        g->members = xrealloc(g->members, g->room, sizeof *g->members);
    }
    g->members[g->n++] = rank;
}

/* --- nodes ---------------------------------------------------------------- */

static int chakra_fail(struct trace *t, uint32_t rank,
                       const struct chakra_node *n, struct err *err,
                       const char *text)
{
    struct trace_event e = {.name = n->name && *n->name ? n->name : NULL,
                            .place = n->place};

    return trace_fail(t, rank, &e, err, "%s", text);
}

static int chakra_rank_open(struct trace *t, uint32_t rank, struct err *err)
{
    struct chakra_state *s = t->state;
    struct chakra_rank *r = &s->ranks[rank];
    const char *path = t->rank[rank].file;

    r->opened = true;
    if (!s->is_json)
        return input_open(&r->in, path, err);
#ifdef SLUICE_YAJL
    return chakra_json_read(path, &r->nodes, err);
#else
    return fail(err, "%s: sluice was built without yajl (libyajl-dev)", path);
#endif
}

/* Reads the next node of the file. Returns 1, or 0 at the end. */
static int chakra_read(struct trace *t, uint32_t rank, struct chakra_node *n,
                       struct err *err)
{
    struct chakra_state *s = t->state;
    struct chakra_rank *r = &s->ranks[rank];

    if (!r->opened && chakra_rank_open(t, rank, err) < 0)
        return -1;
    if (s->is_json) {
        chakra_node_clear(n);
        if (r->nodes.at == r->nodes.n)
            return 0;
        *n = r->nodes.nodes[r->nodes.at++];
        plain_name(n->name);
        return 1;
    }
    int result = chakra_pb_next(&r->in, n, err);
    if (n->name)
        plain_name(n->name);
    if (result < 0) {
        struct err what = *err;
        return chakra_fail(t, rank, n, err, what.text);
    }
    return result;
}

static bool is_comm(const struct chakra_node *n)
{
    return n->type == CHAKRA_SEND || n->type == CHAKRA_RECV ||
           n->type == CHAKRA_COLL;
}

static int chakra_rewind_rank(struct chakra_state *s, uint32_t rank)
{
    struct chakra_rank *r = &s->ranks[rank];

    input_close(&r->in);
    chakra_nodes_clear(&r->nodes);
    chakra_order_clear(&r->order);
    chakra_node_clear(&r->node);
    free(r->known);
    *r = (struct chakra_rank){.node = chakra_node_new()};
    return 0;
}

/* Reads the groups of all ranks, unless the first nodes have none. */
static int chakra_groups(struct trace *t, struct err *err)
{
    struct chakra_state *s = t->state;
    struct chakra_node n = chakra_node_new();
    int result = 0;

    for (uint32_t i = 0; i < t->ranks && result >= 0; i++) {
        if (t->rank[i].missing)
            continue;
        unsigned comms = 0;
        while ((result = chakra_read(t, i, &n, err)) > 0) {
            t->has_flops |=
                n.type == CHAKRA_COMP && n.duration_us <= 0 && n.num_ops > 0;
            if (is_comm(&n) && n.group)
                group_add(s, n.group, i);
            comms += is_comm(&n);
            if (!s->ngroups && comms >= 256)
                break; /* because there are no groups */
        }
        (void)chakra_rewind_rank(s, i);
    }
    chakra_node_clear(&n);
    return result < 0 ? -1 : 0;
}

/* Returns the trace's copy of a node's name. */
static const char *chakra_name(struct chakra_state *s,
                               const struct chakra_node *n)
{
    const char *name =
        is_comm(n) || s->names.n < CHAKRA_NAMES ? n->name : "COMP_NODE";

    size_t number = names_number(&s->names, name);
    return s->names.text[number];
}

/* --- events --------------------------------------------------------------- */

static void chakra_compute(struct chakra_rank *r, const struct chakra_node *n,
                           struct trace_event *e)
{
    trace_event_set(e, TRACE_COMPUTE);
    e->lane = n->is_cpu_op ? CHAKRA_LANE_CPU : CHAKRA_LANE_GPU;
    e->work_s = n->duration_us / 1e6;
    if (n->type < CHAKRA_MEM_LOAD || n->duration_us > 0)
        return;
    if (n->type == CHAKRA_COMP && n->num_ops > 0) {
        e->work_s = NAN;
        e->work_flops = n->num_ops;
        return;
    }
    r->remarks[CHAKRA_NO_TIME]++;
}

static int chakra_message(struct trace *t, uint32_t rank,
                          const struct chakra_node *n, struct trace_event *e,
                          struct err *err)
{
    bool sends = n->type == CHAKRA_SEND;
    int64_t peer = sends ? n->comm_dst : n->comm_src;

    trace_event_set(e, sends ? TRACE_SEND : TRACE_RECV);
    if (peer < 0 || n->comm_size < 0)
        return chakra_fail(t, rank, n, err,
                           sends ? "expected comm_dst and comm_size"
                                 : "expected comm_src and comm_size");
    if (peer >= t->ranks)
        return chakra_fail(t, rank, n, err,
                           "its peer is not among the ranks, of which each "
                           "has a file");
    e->peer = (uint32_t)peer;
    e->bytes = (uint64_t)n->comm_size;
    e->tag = n->comm_tag < 0 ? 0 : (uint32_t)n->comm_tag & 0x7fffffff;
    return 1;
}

static int chakra_collective(struct trace *t, uint32_t rank,
                             const struct chakra_node *n, struct trace_event *e,
                             struct err *err)
{
    static const uint8_t kinds[] = {TRACE_ALLREDUCE,      TRACE_REDUCE,
                                    TRACE_ALLGATHER,      TRACE_GATHER,
                                    TRACE_SCATTER,        TRACE_BROADCAST,
                                    TRACE_ALLTOALL,       TRACE_REDUCE_SCATTER,
                                    TRACE_REDUCE_SCATTER, TRACE_BARRIER};
    struct chakra_state *s = t->state;
    struct chakra_rank *r = &s->ranks[rank];
    const struct chakra_group *g =
        n->group ? chakra_group_of(s, n->group) : NULL;
    uint32_t members = g ? g->n : t->ranks;

    trace_event_set(e, TRACE_COLLECTIVE);
    if (n->comm_type < 0 || n->comm_type >= (int64_t)sizeof kinds) {
        /* A node of the CPU needs no size, because it only makes the call. */
        r->remarks[CHAKRA_NO_SIZE] += !n->is_cpu_op;
        chakra_compute(r, n, e);
        return 1;
    }
    e->collective = kinds[n->comm_type];
    if (n->comm_size < 0 && e->collective != TRACE_BARRIER)
        return chakra_fail(t, rank, n, err, "expected comm_size");
    uint64_t bytes = n->comm_size < 0 ? 0 : (uint64_t)n->comm_size;
    if (e->collective == TRACE_ALLTOALL ||
        e->collective == TRACE_REDUCE_SCATTER || e->collective == TRACE_SCATTER)
        bytes /= members;
    e->bytes = e->recv_bytes = e->collective == TRACE_BARRIER ? 0 : bytes;
    e->comm = g ? (uint32_t)(g - s->groups) + 1 : TRACE_WORLD;
    if (e->collective == TRACE_REDUCE || e->collective == TRACE_GATHER ||
        e->collective == TRACE_SCATTER || e->collective == TRACE_BROADCAST)
        e->peer = n->root < 0 ? 0 : (uint32_t)n->root;
    if (e->peer != NO_PEER && e->peer >= members)
        return chakra_fail(t, rank, n, err, "its root is not a member");
    r->remarks[CHAKRA_DIMS] += n->some_dims;
    return 1;
}

/* Makes the event of a node's group before its first use. Returns false if
 * there is none to make. */
static bool chakra_tell(struct trace *t, struct chakra_rank *r,
                        struct trace_event *e)
{
    struct chakra_state *s = t->state;
    const struct chakra_node *n = &r->node;
    const struct chakra_group *g = n->type == CHAKRA_COLL && n->group
                                       ? chakra_group_of(s, n->group)
                                       : NULL;

    if (!g)
        return false;
    if (!r->known)
        r->known = xcalloc(s->ngroups, sizeof *r->known);
    if (r->known[g - s->groups])
        return false;
    r->known[g - s->groups] = true;
    trace_event_set(e, TRACE_COMM);
    e->how = TRACE_KNOWN;
    e->new_comm = e->key = (uint32_t)(g - s->groups) + 1;
    e->members = g->members;
    e->nmembers = g->n;
    e->name = g->name;
    e->place = n->place;
    return true;
}

static int chakra_event(struct trace *t, uint32_t rank, struct trace_event *e,
                        struct err *err)
{
    struct chakra_rank *r = &((struct chakra_state *)t->state)->ranks[rank];
    const struct chakra_node *n = &r->node;
    int result = 1;

    if (chakra_tell(t, r, e)) {
        r->holds = true;
        return 1;
    }
    r->holds = false;
    if (n->type == CHAKRA_SEND || n->type == CHAKRA_RECV)
        result = chakra_message(t, rank, n, e, err);
    else if (n->type == CHAKRA_COLL)
        result = chakra_collective(t, rank, n, e, err);
    else
        chakra_compute(r, n, e);
    if (is_comm(n) && (e->call != TRACE_COMPUTE || !n->is_cpu_op))
        e->lane = CHAKRA_LANE_COMM;
    e->in_gpu = e->call != TRACE_COMPUTE;
    e->free = true;
    e->request = n->id;
    e->requests = n->deps;
    e->nrequests = n->ndata;
    e->nstarted = n->nctrl;
    e->name = chakra_name(t->state, n);
    e->place = n->place;
    return result;
}

/* --- remarks -------------------------------------------------------------- */

static const char *const chakra_remarks[CHAKRA_NREMARKS] = {
    [CHAKRA_ABSENT] = "dependencies are on nodes that are not in the file: "
                      "taken as complete",
    [CHAKRA_DIMS] = "collectives are of some dimensions of a network "
                    "(involved_dim) that the trace does not describe: taken as "
                    "of all",
    [CHAKRA_NO_TIME] =
        "nodes have neither a duration nor operations: they take no time",
    [CHAKRA_NO_SIZE] = "nodes of collectives do not say of which kind: kept as "
                       "computing, for the times they took",
};

static void chakra_say_remarks(struct trace *t)
{
    struct chakra_state *s = t->state;

    for (int k = 0; k < CHAKRA_NREMARKS; k++) {
        uint64_t n = 0;
        for (uint32_t i = 0; i < t->ranks; i++)
            n += s->ranks[i].remarks[k];
        trace_remark_count(t, &s->remark[k], n, chakra_remarks[k]);
    }
}

/* --- reading -------------------------------------------------------------- */

/* Reads nodes until one may be returned, and moves it to r->node. Returns 1, or
 * 0 at the end. */
static int chakra_node_next(struct trace *t, uint32_t rank, struct err *err)
{
    struct chakra_rank *r = &((struct chakra_state *)t->state)->ranks[rank];

    while (!chakra_order_take(&r->order, &r->node)) {
        if (r->checked) {
            const struct chakra_node *rest = chakra_order_rest(&r->order);
            return rest ? chakra_fail(t, rank, rest, err,
                                      "nodes that depend on each other in a "
                                      "circle")
                        : 0;
        }
        int result = chakra_read(t, rank, &r->node, err);
        if (result < 0)
            return -1;
        if (result == 0) {
            chakra_order_end(&r->order);
            r->remarks[CHAKRA_ABSENT] = r->order.absent;
            r->checked = true;
            continue;
        }
        if (r->node.id == NO_REQUEST)
            return chakra_fail(t, rank, &r->node, err, "its id is too large");
        if (!chakra_order_add(&r->order, &r->node))
            return chakra_fail(t, rank, &r->node, err,
                               "a node with its id was there before");
    }
    return 1;
}

static int chakra_next(struct trace *t, uint32_t rank, struct trace_event *e,
                       struct err *err)
{
    struct chakra_rank *r = &((struct chakra_state *)t->state)->ranks[rank];

    if (r->holds)
        return chakra_event(t, rank, e, err);
    if (r->ended)
        return 0;
    int result = chakra_node_next(t, rank, err);
    if (result > 0)
        return chakra_event(t, rank, e, err);
    r->ended = result == 0;
    if (r->ended)
        chakra_say_remarks(t);
    return result;
}

static int chakra_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    (void)err;
    return chakra_rewind_rank(t->state, rank);
}

/* --- opening -------------------------------------------------------------- */

static int chakra_set_ranks(struct trace *t, struct err *err)
{
    struct chakra_state *s = t->state;
    const struct rank_files *f = &s->files;
    uint64_t ranks = f->n ? f->files[f->n - 1].number : 0;

    if (f->n == 1 && ranks == UINT64_MAX)
        ranks = f->files[0].number = 0;
    if (ranks >= CHAKRA_SPARSE * (uint64_t)f->n + 1024)
        return fail(err, "%s: rank %llu, of a trace of %zu files",
                    f->files[f->n - 1].path, (unsigned long long)ranks, f->n);
    trace_set_ranks(t, (uint32_t)ranks + 1);
    s->ranks = xcalloc(t->ranks, sizeof *s->ranks);
    for (uint32_t i = 0; i < t->ranks; i++) {
        t->rank[i].missing = true;
        s->ranks[i].node = chakra_node_new();
    }
    for (size_t i = 0; i < f->n; i++) {
        struct trace_rank *r = &t->rank[f->files[i].number];
        if (!r->missing)
            return fail(err, "%s: of the same rank as %s", f->files[i].path,
                        r->file);
        *r = (struct trace_rank){.file = f->files[i].path};
    }
    return 0;
}

static int chakra_open(struct trace *t, struct err *err)
{
    struct chakra_state *s = t->state = xcalloc(1, sizeof *s);

    t->ranks_are_gpus = true;
    s->is_json = packed_before(t->path, ".json");
    if (rank_files_find(&s->files, t->path, s->is_json ? ".json" : ".et", 0,
                        err) < 0 ||
        chakra_set_ranks(t, err) < 0)
        return -1;
    return chakra_groups(t, err);
}

static void chakra_close(struct trace *t)
{
    struct chakra_state *s = t->state;

    if (!s)
        return;
    for (uint32_t i = 0; s->ranks && i < t->ranks; i++)
        (void)chakra_rewind_rank(s, i);
    for (size_t i = 0; i < s->ngroups; i++) {
        free(s->groups[i].name);
        free(s->groups[i].members);
    }
    rank_files_clear(&s->files);
    names_clear(&s->names);
    free(s->groups);
    free(s->ranks);
    free(s);
    t->state = NULL;
}

const struct trace_format chakra_reader = {
    .name = "chakra",
    .summary = CHAKRA_SUMMARY,
    .open = chakra_open,
    .next = chakra_next,
    .rewind = chakra_rewind,
    .close = chakra_close,
};
