/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads GOAL schedules, the text that LogGOPSim and ATLAHS simulate. */
#include "workloads/trace/goal.h"

#include "workloads/trace/input.h"

#include <inttypes.h>
#include <stdlib.h>

struct goal_rank {
    const char *begin; /* after "rank R {"; NULL if it is not found yet */
    uint64_t line;
    struct goal_block *block; /* NULL if it is not read yet, or at its end */
    uint32_t at;              /* number of operations that were returned */
    uint64_t *list;           /* the operations that the last one requires */
    size_t room;
    bool ended;
};

struct goal {
    struct input in;
    struct goal_rank *ranks;
};

/* --- the blocks of the ranks ---------------------------------------------- */

static bool goal_is(const char *path, const char *head, size_t n)
{
    struct goal_lines l = {.at = head, .end = head + n};
    struct scan line;

    (void)path;
    return goal_line(&l, &line) > 0 && scan_is(scan_word(&line), "num_ranks");
}

static int goal_open_fail(const struct trace *t, const struct goal_lines *l,
                          struct err *err, const char *what)
{
    return fail(err, "%s:%" PRIu64 ": %s", t->path, l->line, what);
}

static int goal_num_ranks(struct trace *t, struct goal_lines *l,
                          struct err *err)
{
    struct scan line;
    uint64_t n;

    int result = goal_line(l, &line);
    if (result < 0)
        return goal_open_fail(t, l, err, goal_line_wrong(l));
    if (!result || !scan_is(scan_word(&line), "num_ranks"))
        return goal_open_fail(t, l, err, "expected num_ranks");
    if (!scan_whole(&line, &n) || !scan_done(&line) || n == 0)
        return goal_open_fail(t, l, err, "expected a number of ranks");
    /* Each rank needs a block, of "rank 0 {" and "}" at least. */
    if (n > (uint64_t)(l->end - l->at) / 10 + 1)
        return fail(err,
                    "%s:%" PRIu64 ": %" PRIu64 " ranks in a file of %zu B: "
                    "expected a block of each",
                    t->path, l->line, n, (size_t)(l->end - l->at));
    trace_set_ranks(t, (uint32_t)n);
    for (uint32_t r = 0; r < n; r++)
        t->rank[r] = (struct trace_rank){.file = t->path, .places_lines = true};
    return 0;
}

/* Reads "rank R {". */
static int goal_rank_line(struct trace *t, struct goal *g, struct goal_lines *l,
                          struct scan line, struct err *err)
{
    uint64_t rank;
    struct scan word = scan_word(&line);

    if (!scan_is(word, "rank"))
        return goal_open_fail(t, l, err, "expected 'rank', a number and {");
    scan_blanks(&line);
    if (!scan_digits(&line, &rank) ||
        (scan_blanks(&line), line.at == line.end) || *line.at++ != '{' ||
        !scan_done(&line))
        return goal_open_fail(t, l, err, "expected 'rank', a number and {");
    if (rank >= t->ranks)
        return fail(err, "%s:%" PRIu64 ": rank %" PRIu64 " of %" PRIu32,
                    t->path, l->line, rank, t->ranks);
    if (g->ranks[rank].begin)
        return fail(err, "%s:%" PRIu64 ": rank %" PRIu64 " has two blocks",
                    t->path, l->line, rank);
    g->ranks[rank].begin = l->at;
    g->ranks[rank].line = l->line;
    return 0;
}

/* Moves the position to after the end of a block. */
static int goal_skip_block(struct trace *t, struct goal_lines *l,
                           struct input *in, struct err *err)
{
    struct scan line;
    int result;

    while ((result = goal_line(l, &line)) > 0) {
        in->at = l->at;
        input_pass(in);
        if (*line.at == '}')
            return 0;
        if (*line.at == 'r' && scan_is(scan_word(&line), "rank"))
            return goal_open_fail(t, l, err, "expected the } of a block");
    }
    return goal_open_fail(t, l, err,
                          result < 0 ? goal_line_wrong(l)
                                     : "the file ends within a block");
}

static int goal_find_ranks(struct trace *t, struct goal *g, struct err *err)
{
    struct goal_lines l = {.at = g->in.begin, .end = g->in.end};
    struct scan line;
    int result;

    if (goal_num_ranks(t, &l, err) < 0)
        return -1;
    g->ranks = xcalloc(t->ranks, sizeof *g->ranks);
    while ((result = goal_line(&l, &line)) > 0)
        if (goal_rank_line(t, g, &l, line, err) < 0 ||
            goal_skip_block(t, &l, &g->in, err) < 0)
            return -1;
    if (result < 0)
        return goal_open_fail(t, &l, err, goal_line_wrong(&l));
    for (uint32_t r = 0; r < t->ranks; r++)
        if (!g->ranks[r].begin)
            return fail(err, "%s: rank %" PRIu32 " of %" PRIu32 " has no block",
                        t->path, r, t->ranks);
    return 0;
}

static int goal_open(struct trace *t, struct err *err)
{
    struct goal *g = xcalloc(1, sizeof *g);

    t->state = g;
    if (input_open(&g->in, t->path, err) < 0)
        return -1;
    return goal_find_ranks(t, g, err);
}

/* --- events --------------------------------------------------------------- */

/* Lists the operations that operation `op` requires: first those that must have
 * ended, then those that must have begun. */
static void goal_list(struct goal_rank *r, uint32_t op, struct trace_event *e)
{
    const struct goal_block *b = r->block;
    size_t n = b->first[op + 1] - b->first[op], at = 0;

    if (n > r->room) {
        r->room = 2 * n;
        r->list = xrealloc(r->list, r->room, sizeof *r->list);
    }
    for (int begun = 0; begun < 2; begun++) {
        for (uint32_t i = b->first[op]; i < b->first[op + 1]; i++)
            if (b->edges[i].begun == begun)
                r->list[at++] = b->edges[i].before;
        *(begun ? &e->nstarted : &e->nrequests) = at;
    }
    e->nstarted -= e->nrequests;
    e->requests = r->list;
}

static void goal_event(struct goal_rank *r, uint32_t op, struct trace_event *e)
{
    const struct goal_op *o = &r->block->ops[op];
    const char *name = o->call == TRACE_SEND   ? "send"
                       : o->call == TRACE_RECV ? "recv"
                                               : "calc";

    trace_event_set(e, (enum trace_call)o->call);
    e->name = name;
    e->place = o->line;
    e->free = true;
    e->request = op;
    e->in_gpu = o->in_gpu;
    e->lane = o->cpu;
    if (o->call == TRACE_COMPUTE) {
        e->work_s = isnan(o->exact_s) ? (double)o->size / 1e9 : o->exact_s;
    } else {
        e->peer = o->peer;
        e->tag = o->tag;
        e->bytes = o->size;
    }
    goal_list(r, op, e);
}

static int goal_next(struct trace *t, uint32_t rank, struct trace_event *e,
                     struct err *err)
{
    struct goal *g = t->state;
    struct goal_rank *r = &g->ranks[rank];

    if (r->ended)
        return 0;
    if (!r->block && !(r->block = goal_block_read(t, rank, r->begin, g->in.end,
                                                  r->line, err)))
        return -1;
    if (r->at == r->block->nops) {
        goal_block_free(r->block);
        r->block = NULL;
        r->ended = true;
        return 0;
    }
    goal_event(r, r->block->order ? r->block->order[r->at] : r->at, e);
    r->at++;
    return 1;
}

static int goal_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct goal_rank *r = &((struct goal *)t->state)->ranks[rank];

    (void)err;
    r->at = 0;
    r->ended = false;
    return 0;
}

static void goal_close(struct trace *t)
{
    struct goal *g = t->state;

    if (!g)
        return;
    for (uint32_t r = 0; g->ranks && r < t->ranks; r++) {
        goal_block_free(g->ranks[r].block);
        free(g->ranks[r].list);
    }
    free(g->ranks);
    input_close(&g->in);
    free(g);
}

const struct trace_format goal_format = {
    .name = "goal",
    .summary = "GOAL schedules, the text of LogGOPSim and ATLAHS",
    .files = "the file",
    .is = goal_is,
    .open = goal_open,
    .next = goal_next,
    .rewind = goal_rewind,
    .close = goal_close,
};
