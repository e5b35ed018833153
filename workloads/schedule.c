/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a CSV of sends, receives and work into a plan. */
#include "workloads/schedule.h"

#include "base/csv.h"
#include "base/number.h"
#include "workloads/workload.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *cell(const struct csv *t, size_t row, const char *column)
{
    const char *text = csv_text(t, row, column);

    return text ? text : "";
}

/* Checks that a column is empty which a kind of operation does not have. */
static int empty(const struct csv *t, size_t row, const char *column,
                 struct err *err)
{
    if (!*cell(t, row, column))
        return 0;
    return fail(err, "%s:%u: %s: a %s has none, got '%s'", t->path,
                t->lines[row], column, cell(t, row, "kind"),
                cell(t, row, column));
}

/* Reads a number, or "any". */
static int number_or_any(const struct csv *t, size_t row, const char *column,
                         uint32_t most, bool any, uint32_t *out,
                         struct err *err)
{
    *out = UINT32_MAX;
    if (any && !strcmp(cell(t, row, column), "any"))
        return 0;
    return csv_below(t, row, column, most, out, err);
}

static int add_work(struct plan *p, const struct csv *t, size_t row,
                    uint32_t rank, struct err *err)
{
    double us;

    if (empty(t, row, "peer", err) < 0 || empty(t, row, "tag", err) < 0 ||
        empty(t, row, "bytes", err) < 0 ||
        csv_number(t, row, "work_us", &us, err) < 0)
        return -1;
    /* Above this the clock cannot resolve microseconds. */
    if (!(us >= 0 && us <= 1e12))
        return fail(err, "%s:%u: work_us: expected 0 to 1e12, got %g", t->path,
                    t->lines[row], us);
    plan_work(p, rank, us * 1e-6);
    return 0;
}

static int add_message(struct plan *p, const struct csv *t, size_t row,
                       uint32_t rank, bool recv, struct err *err)
{
    uint32_t peer, tag;
    uint64_t bytes = UINT64_MAX;

    if (empty(t, row, "work_us", err) < 0 ||
        number_or_any(t, row, "peer", PLAN_MAX_RANKS, recv, &peer, err) < 0 ||
        number_or_any(t, row, "tag", ANY_TAG, recv, &tag, err) < 0)
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
        uint64_t op;
        const char *end = number_take_whole(at, &op);
        if (!end || (*end && !isspace((unsigned char)*end)))
            return fail(err, "%s:%u: after: expected numbers, got '%s'",
                        t->path, t->lines[row], at);
        if (op >= row)
            return fail(err,
                        "%s:%u: after: %" PRIu64 " is no earlier operation",
                        t->path, t->lines[row], op);
        if (p->ops[op].src != p->ops[row].src)
            return fail(err, "%s:%u: after: operation %" PRIu64 " is rank %u's",
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

    if (csv_below(t, row, "op", UINT32_MAX, &op, err) < 0 ||
        csv_below(t, row, "rank", PLAN_MAX_RANKS, &rank, err) < 0)
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
        if (o->kind == OP_RECV && p->match[i].peer != ANY_RANK &&
            p->match[i].peer > most)
            most = p->match[i].peer;
        if (most >= ranks)
            ranks = most + 1;
    }
    return ranks;
}

static int check_columns(const struct csv *t, struct err *err)
{
    static const char *const names[] = {"op",  "rank",  "kind",    "peer",
                                        "tag", "bytes", "work_us", "after"};
    enum { N = sizeof names / sizeof names[0] };

    for (size_t i = 0; i < N; i++)
        if (csv_column(t, names[i]) < 0)
            return fail(err, "%s: no column named %s", t->path, names[i]);
    for (size_t i = 0; i < t->ncols; i++) {
        size_t k = 0;
        while (k < N && strcmp(t->names[i], names[k]) != 0)
            k++;
        if (k == N)
            return fail(err, "%s: unknown column '%s'", t->path, t->names[i]);
    }
    return 0;
}

int schedule_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                     const char *workload, struct err *err)
{
    const char *path = workload + strlen(schedule_workload.prefix);
    struct csv t;

    if (csv_load(&t, path, err) < 0)
        return -1;
    int result = check_columns(&t, err);
    const char *slash = strrchr(path, '/');
    plan_init(p, m, slash ? slash + 1 : path, 1, m->ncores, NULL);
    if (t.nrows >= LAST_STEP)
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

const struct workload schedule_workload = {
    .prefix = "schedule:",
    .words = "schedule:FILE.csv",
    .summary = "sends and receives, as ranks post them: "
               "op,rank,kind,peer,tag,bytes,work_us,after",
    .help = "kind is send, recv or work; peer and tag of a receive may be any; "
            "after names the\noperations of the rank that must have ended.",
    .options =
        "nodes ranks-per-node placement matching runtime runtime-exhaustion",
    .platform = "lassen",
    .messages = schedule_to_plan,
};
