/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workloads/schedule.h"

#include "sim/csv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANKS (1u << 24)

bool schedule_is(const char *workload)
{
    return !strncmp(workload, "schedule:", 9);
}

static const char *cell(const struct csv *t, size_t row, const char *column)
{
    const char *text = csv_text(t, row, column);

    return text ? text : "";
}

/* A whole number below `most`, or "any" where that is allowed. */
static int number(const struct csv *t, size_t row, const char *column,
                  uint32_t most, bool any, uint32_t *out, struct err *err)
{
    uint64_t v;

    *out = UINT32_MAX;
    if (any && !strcmp(cell(t, row, column), "any"))
        return 0;
    if (csv_count(t, row, column, &v, err) < 0)
        return -1;
    if (v >= most)
        return fail(err, "%s:%u: %s: %llu is too large", t->path, t->lines[row],
                    column, (unsigned long long)v);
    *out = (uint32_t)v;
    return 0;
}

static int add_work(struct plan *p, const struct csv *t, size_t row,
                    uint32_t rank, struct err *err)
{
    double us;

    if (csv_number(t, row, "work_us", &us, err) < 0)
        return -1;
    if (us < 0)
        return fail(err, "%s:%u: work_us: expected 0 or more, got %g", t->path,
                    t->lines[row], us);
    plan_work(p, rank, us * 1e-6);
    return 0;
}

static int add_message(struct plan *p, const struct csv *t, size_t row,
                       uint32_t rank, bool recv, struct err *err)
{
    uint32_t peer, tag;
    uint64_t bytes = UINT64_MAX;

    if (number(t, row, "peer", MAX_RANKS, recv, &peer, err) < 0 ||
        number(t, row, "tag", ANY_TAG, recv, &tag, err) < 0)
        return -1;
    if ((!recv || *cell(t, row, "bytes")) &&
        csv_count(t, row, "bytes", &bytes, err) < 0)
        return -1;
    if (recv)
        plan_recv(p, PHASE_OFF_NODE, rank, peer, tag, bytes);
    else
        plan_send(p, PHASE_OFF_NODE, rank, peer, tag, bytes);
    return 0;
}

static int add_after(struct plan *p, const struct csv *t, size_t row,
                     struct err *err)
{
    const char *at = cell(t, row, "after");

    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (!*at)
            return 0;
        char *end;
        errno = 0;
        unsigned long long op = strtoull(at, &end, 10);
        if (!isdigit((unsigned char)*at) || errno ||
            (*end && !isspace((unsigned char)*end)))
            return fail(err, "%s:%u: after: expected numbers, got '%s'",
                        t->path, t->lines[row], at);
        if (op >= row)
            return fail(err, "%s:%u: after: %llu is no earlier operation",
                        t->path, t->lines[row], op);
        if (p->ops[op].src != p->ops[row].src)
            return fail(err, "%s:%u: after: operation %llu is rank %u's",
                        t->path, t->lines[row], op, p->ops[op].src);
        plan_after(p, (uint32_t)op);
        at = end;
    }
}

static int add_row(struct plan *p, const struct csv *t, size_t row,
                   struct err *err)
{
    const char *kind = cell(t, row, "kind");
    uint32_t op, rank;
    int result;

    if (number(t, row, "op", UINT32_MAX, false, &op, err) < 0 ||
        number(t, row, "rank", MAX_RANKS, false, &rank, err) < 0)
        return -1;
    if (op != row)
        return fail(err, "%s:%u: op: expected %zu, the row's number, got %u",
                    t->path, t->lines[row], row, op);
    if (!strcmp(kind, "work"))
        result = add_work(p, t, row, rank, err);
    else if (!strcmp(kind, "send") || !strcmp(kind, "recv"))
        result = add_message(p, t, row, rank, *kind == 'r', err);
    else
        result = fail(err, "%s:%u: kind: expected send, recv or work, got '%s'",
                      t->path, t->lines[row], kind);
    return result < 0 ? -1 : add_after(p, t, row, err);
}

static uint32_t ranks_of(const struct plan *p)
{
    uint32_t ranks = 1;

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        uint32_t most = o->src > o->dst ? o->src : o->dst;
        if (o->kind == OP_RECV && o->peer != ANY_RANK && o->peer > most)
            most = o->peer;
        if (most >= ranks)
            ranks = most + 1;
    }
    return ranks;
}

int schedule_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                     const char *workload, struct err *err)
{
    struct csv t;

    if (csv_load(&t, workload + 9, err) < 0)
        return -1;
    int result = csv_column(&t, "kind") < 0
                     ? fail(err, "%s: no column named kind", t.path)
                     : 0;
    plan_init(p, m, workload, 1, m->ncores, NULL);
    if (t.nrows >= AFTER_SENT)
        result = fail(err, "%s: too many operations", t.path);
    for (size_t i = 0; i < t.nrows && result == 0; i++)
        result = add_row(p, &t, i, err);
    csv_clear(&t);
    *ranks = ranks_of(p);
    if (result == 0)
        result = plan_spread(p, m, *ranks, err);
    if (result < 0)
        plan_clear(p);
    return result;
}
