/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows MPI groups: lists of ranks of a communicator, and the groups that are
 * made from them. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>
#include <string.h>

/* Memory that lists of ranks may use, in addition to a multiple of the file's
 * size. */
#define LISTS_B ((size_t)64 << 20)

int dumpi_lists_add(struct dumpi_rank *r, size_t n, struct err *err)
{
    size_t file_B = (size_t)(r->file.in.end - r->file.in.begin);

    r->lists_B += n * sizeof(uint32_t);
    return r->lists_B <= LISTS_B + 4 * file_B
               ? 0
               : dumpi_fail(r, err,
                            "groups and communicators of more than %zu "
                            "ranks in all",
                            (LISTS_B + 4 * file_B) / sizeof(uint32_t));
}

/* --- groups --------------------------------------------------------------- */

static struct dumpi_group *dumpi_group_of(struct dumpi_rank *r, int64_t handle)
{
    size_t h = (size_t)handle, n = r->ngroups;

    if (h >= n) {
        r->ngroups = h + 1 > 2 * n ? h + 1 : 2 * n;
        r->group = xrealloc(r->group, r->ngroups, sizeof *r->group);
        memset(r->group + n, 0, (r->ngroups - n) * sizeof *r->group);
    }
    if (h == DUMPI_EMPTY_GROUP)
        r->group[h].known = true;
    return &r->group[h];
}

static void group_set(struct dumpi_rank *r, int64_t handle,
                      struct dumpi_group g)
{
    struct dumpi_group *to = dumpi_group_of(r, handle);

    dumpi_list_free(&to->ranks);
    *to = g;
}

/* Lists the ranks of a group that is a whole communicator. Returns false if its
 * size, or the group, is unknown. */
static bool group_list(struct dumpi_rank *r, struct dumpi_group *g,
                       struct err *err, int *result)
{
    uint32_t size = g->whole ? r->comm[g->in].size : 0;

    *result = 0;
    if (!g->known || !g->whole)
        return g->known;
    if (!size)
        return false;
    if ((*result = dumpi_lists_add(r, size, err)) < 0)
        return false;
    for (uint32_t i = 0; i < size; i++)
        dumpi_list_add(&g->ranks, i);
    g->whole = false;
    return true;
}

void dumpi_groups_clear(struct dumpi_rank *r)
{
    for (size_t i = 0; i < r->ngroups; i++)
        dumpi_list_free(&r->group[i].ranks);
    free(r->group);
    r->group = NULL;
    r->ngroups = 0;
}

int dumpi_group_free(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_group *g = dumpi_group_of(r, dumpi_value(r, 0));
    size_t ranks_B = g->ranks.n * sizeof(uint32_t);

    r->lists_B -= r->lists_B < ranks_B ? r->lists_B : ranks_B;
    dumpi_list_free(&g->ranks);
    g->known = false;
    return dumpi_other(r, err);
}

/* Makes a group of a communicator's members: as ranks of the world if these are
 * known, else as ranks of the communicator. */
int dumpi_comm_group(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_group g = {.known = true};

    if (dumpi_comm(r, dumpi_value(r, 0), &g.in, err) < 0)
        return -1;
    const struct dumpi_comm *c = &r->comm[g.in];
    g.whole = !c->members;
    g.in = c->same;
    if (c->members) {
        g.in = TRACE_WORLD;
        if (dumpi_lists_add(r, c->size, err) < 0)
            return -1;
        for (uint32_t i = 0; i < c->size; i++)
            dumpi_list_add(&g.ranks, c->members[i]);
    }
    group_set(r, dumpi_value(r, 1), g);
    return dumpi_other(r, err);
}

/* --- groups by ranks ------------------------------------------------------ */

static int group_rank(struct dumpi_rank *r, const struct dumpi_group *g,
                      int64_t i, uint32_t *rank, struct err *err)
{
    size_t size = g->whole ? r->comm[g->in].size : g->ranks.n;

    if (i < 0 || (size_t)i >= (size ? size : DUMPI_INT_MOST) ||
        (!g->whole && !size))
        return dumpi_fail(r, err, "rank %lld: the group has %zu ranks",
                          (long long)i, size);
    *rank = g->whole ? (uint32_t)i : g->ranks.at[i];
    return 0;
}

/* Makes a group of the ranks `picked` of another one or, unless `with`, of its
 * other ranks. */
static int group_pick(struct dumpi_rank *r, int64_t from, int64_t to,
                      const struct dumpi_list *picked, bool with,
                      struct err *err)
{
    struct dumpi_group *g = dumpi_group_of(r, from), made = {.known = true};
    int result = 0;
    uint32_t rank = 0;

    if (!with && !group_list(r, g, err, &result))
        made.known = false;
    if (result < 0)
        return -1;
    made.known = made.known && g->known;
    made.in = g->in;
    unsigned char *left_out =
        with || !made.known ? NULL : xcalloc(g->ranks.n + 1, 1);
    for (size_t i = 0; i < picked->n && made.known && result == 0; i++) {
        result = group_rank(r, g, picked->at[i], &rank, err);
        if (result == 0 && with)
            dumpi_list_add(&made.ranks, rank);
        else if (result == 0)
            left_out[picked->at[i]] = 1;
    }
    for (size_t i = 0; left_out && result == 0 && i < g->ranks.n; i++)
        if (!left_out[i])
            dumpi_list_add(&made.ranks, g->ranks.at[i]);
    free(left_out);
    if (result == 0)
        result = dumpi_lists_add(r, made.ranks.n, err);
    if (result < 0) {
        dumpi_list_free(&made.ranks);
        return -1;
    }
    group_set(r, to, made);
    return dumpi_other(r, err);
}

static int group_picks(struct dumpi_rank *r, bool with, struct err *err)
{
    const struct dumpi_arg *ranks = dumpi_values(r, 2);
    struct dumpi_list picked = {0};

    for (int64_t i = 0; i < ranks->value; i++)
        dumpi_list_add(&picked, (uint32_t)dumpi_int_of(ranks, (size_t)i));
    int result =
        group_pick(r, dumpi_value(r, 0), dumpi_value(r, 3), &picked, with, err);
    dumpi_list_free(&picked);
    return result;
}

int dumpi_group_incl(struct dumpi_rank *r, struct err *err)
{
    return group_picks(r, true, err);
}

int dumpi_group_excl(struct dumpi_rank *r, struct err *err)
{
    return group_picks(r, false, err);
}

/* Adds first, first + stride, ... up to last. */
static int range_add(struct dumpi_rank *r, struct dumpi_list *l, int32_t first,
                     int32_t last, int32_t stride, struct err *err)
{
    if (stride == 0 || first < 0 || last < 0)
        return dumpi_fail(r, err, "range from %d to %d by %d", first, last,
                          stride);
    int64_t n = ((int64_t)last - first) / stride + 1;
    if ((int64_t)last - first == 0)
        n = 1;
    else if ((last < first) != (stride < 0))
        n = 0;
    if (n > DUMPI_INT_MOST / 256 || dumpi_lists_add(r, (size_t)n, err) < 0)
        return dumpi_fail(r, err, "range from %d to %d by %d: too long", first,
                          last, stride);
    /* The list is temporary; its ranks count once the group is kept. */
    r->lists_B -= (size_t)n * sizeof *l->at;
    for (int64_t i = 0; i < n; i++)
        dumpi_list_add(l, (uint32_t)(first + i * stride));
    return 0;
}

static int group_ranges(struct dumpi_rank *r, bool with, struct err *err)
{
    const struct dumpi_arg *ranges = dumpi_values(r, 2);
    const unsigned char *at = ranges->at;
    struct dumpi_list picked = {0};
    int result = 0;

    for (int64_t i = 0; i < ranges->value && result == 0; i++) {
        struct dumpi_arg range = {dumpi_u32(at), at + 4};
        at += 4 + 4 * range.value;
        if (range.value != 3)
            result = dumpi_fail(r, err,
                                "range %lld: expected first, last and stride",
                                (long long)i);
        else
            result = range_add(r, &picked, dumpi_int_of(&range, 0),
                               dumpi_int_of(&range, 1), dumpi_int_of(&range, 2),
                               err);
        if (result == 0 && picked.n > DUMPI_INT_MOST / 256)
            result = dumpi_fail(r, err, "ranges of too many ranks");
    }
    if (result == 0)
        result = group_pick(r, dumpi_value(r, 0), dumpi_value(r, 3), &picked,
                            with, err);
    dumpi_list_free(&picked);
    return result;
}

int dumpi_group_range_incl(struct dumpi_rank *r, struct err *err)
{
    return group_ranges(r, true, err);
}

int dumpi_group_range_excl(struct dumpi_rank *r, struct err *err)
{
    return group_ranges(r, false, err);
}

/* --- groups as sets ------------------------------------------------------- */

/* Returns a byte for each rank up to the largest of both groups, 1 if the rank
 * is in g; the caller frees it. */
static unsigned char *group_marks(const struct dumpi_group *g,
                                  const struct dumpi_group *other)
{
    size_t most = 0;

    for (size_t i = 0; i < g->ranks.n; i++)
        most = g->ranks.at[i] > most ? g->ranks.at[i] : most;
    for (size_t i = 0; i < other->ranks.n; i++)
        most = other->ranks.at[i] > most ? other->ranks.at[i] : most;
    unsigned char *mark = xcalloc(most + 1, 1);
    for (size_t i = 0; i < g->ranks.n; i++)
        mark[g->ranks.at[i]] = 1;
    return mark;
}

/* Adds the ranks of `from` that are (or are not) in `in`. */
static void group_add(struct dumpi_list *to, const struct dumpi_group *from,
                      const struct dumpi_group *in, bool present)
{
    unsigned char *mark = group_marks(in, from);

    for (size_t i = 0; i < from->ranks.n; i++)
        if (mark[from->ranks.at[i]] == present)
            dumpi_list_add(to, from->ranks.at[i]);
    free(mark);
}

/* Makes a union, intersection or difference. The order is that of the first
 * group, then of the second (MPI 4.0, 7.3.2). */
static int group_set_of(struct dumpi_rank *r, uint16_t call, struct err *err)
{
    struct dumpi_group made = {.known = true}, *a, *b;
    int result = 0;

    /* Adds the slot, which may move the other group. */
    (void)dumpi_group_of(r, dumpi_value(r, 1));
    a = dumpi_group_of(r, dumpi_value(r, 0));
    b = dumpi_group_of(r, dumpi_value(r, 1));
    if (!group_list(r, a, err, &result) || !group_list(r, b, err, &result))
        made.known = false;
    if (result < 0)
        return -1;
    if (a->ranks.n && b->ranks.n && a->in != b->in)
        /* The communicators are unrelated, so ranks cannot be compared. */
        made.known = false;
    made.in = a->ranks.n ? a->in : b->in;
    if (made.known && call == DUMPI_MPI_Group_intersection)
        group_add(&made.ranks, a, b, true);
    if (made.known && call == DUMPI_MPI_Group_difference)
        group_add(&made.ranks, a, b, false);
    if (made.known && call == DUMPI_MPI_Group_union) {
        for (size_t i = 0; i < a->ranks.n; i++)
            dumpi_list_add(&made.ranks, a->ranks.at[i]);
        group_add(&made.ranks, b, a, false);
    }
    if (dumpi_lists_add(r, made.ranks.n, err) < 0) {
        dumpi_list_free(&made.ranks);
        return -1;
    }
    group_set(r, dumpi_value(r, 2), made);
    return dumpi_other(r, err);
}

int dumpi_group_union(struct dumpi_rank *r, struct err *err)
{
    return group_set_of(r, DUMPI_MPI_Group_union, err);
}

int dumpi_group_intersection(struct dumpi_rank *r, struct err *err)
{
    return group_set_of(r, DUMPI_MPI_Group_intersection, err);
}

int dumpi_group_difference(struct dumpi_rank *r, struct err *err)
{
    return group_set_of(r, DUMPI_MPI_Group_difference, err);
}

/* --- groups in another communicator --------------------------------------- */

static void says_unknown(struct dumpi_rank *r, int64_t group)
{
    if (r->state->said_group)
        return;
    r->state->said_group = true;
    char *where = dumpi_where(r);
    trace_remark(r->trace,
                 "%s: which ranks are in group %lld cannot be told: the call "
                 "is left out",
                 where, (long long)group);
    free(where);
}

/* Translates ranks of the world to ranks of a communicator whose members are
 * known. */
static int group_translate(struct dumpi_rank *r, const struct dumpi_group *g,
                           const struct dumpi_comm *c, struct dumpi_list *ranks,
                           struct err *err)
{
    uint32_t *rank_in = xmalloc((r->trace->ranks + 1) * sizeof *rank_in);
    int result = 1;

    memset(rank_in, 0xff, (r->trace->ranks + 1) * sizeof *rank_in);
    for (uint32_t i = 0; i < c->size; i++)
        rank_in[c->members[i]] = i;
    for (size_t i = 0; i < g->ranks.n && result > 0; i++) {
        uint32_t world = g->ranks.at[i];
        if (world >= r->trace->ranks || rank_in[world] == UINT32_MAX)
            result = dumpi_fail(r, err,
                                "rank %u of the group is not in the "
                                "communicator",
                                world);
        else
            dumpi_list_add(ranks, rank_in[world]);
    }
    free(rank_in);
    return result;
}

int dumpi_group_in(struct dumpi_rank *r, int64_t group, uint32_t comm,
                   struct dumpi_list *ranks, struct err *err)
{
    struct dumpi_group *g = dumpi_group_of(r, group);
    int result;

    ranks->n = 0;
    if (!group_list(r, g, err, &result)) {
        if (result == 0)
            says_unknown(r, group);
        return result;
    }
    if (g->in == r->comm[comm].same || g->ranks.n == 0) {
        for (size_t i = 0; i < g->ranks.n; i++)
            dumpi_list_add(ranks, g->ranks.at[i]);
        return 1;
    }
    if (g->in == TRACE_WORLD && r->comm[comm].members)
        return group_translate(r, g, &r->comm[comm], ranks, err);
    says_unknown(r, group);
    return 0;
}
