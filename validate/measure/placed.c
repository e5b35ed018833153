/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the nodes of the ranks of measured calls in a file of them. */
#include "validate/measure/placed.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

int placed_load(struct placed_jobs *jobs, const char *path,
                const struct machine *m, const char *of, struct err *err)
{
    *jobs = (struct placed_jobs){.m = m, .of = of ? xstrdup(of) : NULL};
    if (!path)
        return 0;
    int result = csv_load(&jobs->rows, path, err);
    if (result == 0)
        result = node_names_load(&jobs->names, m, err);
    if (result < 0)
        placed_clear(jobs);
    return result;
}

static void placed_free(struct placed *p)
{
    free(p->session);
    free(p->dims);
    placement_clear(&p->placement);
    free(p);
}

void placed_clear(struct placed_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        placed_free(jobs->list[i]);
    free(jobs->list);
    node_names_clear(&jobs->names);
    csv_clear(&jobs->rows);
    free(jobs->of);
    *jobs = (struct placed_jobs){0};
}

static bool is(const struct csv *t, size_t row, const char *column,
               const char *value)
{
    const char *text = csv_text(t, row, column);

    return text && !strcmp(text, value);
}

/* Sets the node of the ranks of a row. */
static int take_row(struct placed_jobs *jobs, size_t row, unsigned *node,
                    unsigned *known, unsigned ranks, struct err *err)
{
    const struct csv *t = &jobs->rows;
    const char *name = csv_text(t, row, "node");
    uint64_t first, count;
    unsigned n;

    if (csv_count(t, row, "first_rank", &first, err) < 0 ||
        csv_count(t, row, "rank_count", &count, err) < 0)
        return -1;
    if (first > ranks || count > ranks - first)
        return fail(err, "%s:%u: ranks %llu to %llu of %u", t->path,
                    t->lines[row], (unsigned long long)first,
                    (unsigned long long)(first + count) - 1, ranks);
    if (!name || node_names_find(&jobs->names, name, &n, err) < 0)
        return fail_in(err, "%s:%u: node", t->path, t->lines[row]);
    for (uint64_t r = first; r < first + count; r++)
        node[r] = n;
    *known += (unsigned)count;
    return 0;
}

static int find_nodes(struct placed_jobs *jobs, struct placed *p,
                      struct err *err)
{
    const struct csv *t = &jobs->rows;
    unsigned *node = xcalloc(p->ranks, sizeof *node), known = 0;
    uint64_t ranks;
    int result = 0;

    for (size_t row = 0; row < t->nrows && result == 0; row++) {
        if ((jobs->of && !is(t, row, "machine", jobs->of)) ||
            !is(t, row, "session", p->session))
            continue;
        result = csv_count(t, row, "ranks", &ranks, err);
        if (result == 0 && ranks == p->ranks)
            result = take_row(jobs, row, node, &known, p->ranks, err);
    }
    if (result == 0 && known && known != p->ranks)
        result = fail(err, "%s: session %s has nodes for %u of %u ranks",
                      t->path, p->session, known, p->ranks);
    if (result == 0 && known) {
        result = placement_make(&p->placement, jobs->m, node, p->ranks, err);
        p->known = result == 0;
    }
    free(node);
    return result;
}

/* Sets the dimensions of the torus that the job has to itself. */
static int set_dims(struct machine *m, const char *dims, struct err *err)
{
    struct network *net = &m->network;
    const char *rest = dims;
    unsigned n = 0, nodes = 1;
    uint64_t width;

    if (net->topology != TOPOLOGY_TORUS)
        return fail(err, "torus_dims: %s is no torus", m->name);
    while (*rest && n < 8) {
        rest = number_take_whole(rest, &width);
        if (!rest || !width || width > 100000 || (*rest && *rest != 'x'))
            return fail(err, "torus_dims: expected such as 4x4x4, got %s",
                        dims);
        net->down[n] = (unsigned)width;
        net->up[n] = net->parallel[n] = 1;
        nodes *= net->down[n++];
        rest += *rest == 'x';
    }
    net->levels = n;
    net->nodes = nodes;
    return 0;
}

const struct placed *placed_find(struct placed_jobs *jobs, const char *session,
                                 unsigned ranks, const char *dims,
                                 struct err *err)
{
    for (size_t i = 0; i < jobs->n; i++) {
        const struct placed *p = jobs->list[i];
        if (p->ranks == ranks && !strcmp(p->session, session) &&
            !strcmp(p->dims, dims))
            return p;
    }
    struct placed *p = xcalloc(1, sizeof *p);
    p->session = xstrdup(session);
    p->dims = xstrdup(dims);
    p->ranks = ranks;
    p->machine = *jobs->m;
    if ((*dims && set_dims(&p->machine, dims, err) < 0) ||
        find_nodes(jobs, p, err) < 0) {
        placed_free(p);
        return NULL;
    }
    if (p->known)
        p->machine = placement_machine(&p->placement, jobs->m);
    jobs->list = xrealloc(jobs->list, jobs->n + 1, sizeof(void *));
    jobs->list[jobs->n++] = p;
    return p;
}
