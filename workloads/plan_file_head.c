/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the head of a plan's file, up to its operations; has the functions for
 * words, numbers and lines of both parts. */
#include "workloads/plan_file_words.h"

#include <stdlib.h>

#define MOST_COST 1e18

/* --- words ---------------------------------------------------------------- */

int plan_file_number(struct text *t, const char *what, uint64_t end, bool any,
                     uint64_t *out)
{
    if (any && text_word(t, "any")) {
        *out = UINT64_MAX;
        return 0;
    }
    if (!text_number(t, out))
        return text_fail(t, "%s: expected a number", what);
    if (*out >= end)
        return text_fail(t, "%s: expected a number below %llu", what,
                         (unsigned long long)end);
    return 0;
}

int plan_file_small(struct text *t, const char *what, uint64_t end,
                    uint32_t *out)
{
    uint64_t v = 0;

    if (plan_file_number(t, what, end, false, &v) < 0)
        return -1;
    *out = (uint32_t)v;
    return 0;
}

int plan_file_word(struct text *t, const char *what, const char *const *words,
                   int n)
{
    for (int i = 0; i < n; i++)
        if (text_word(t, words[i]))
            return i;
    return text_fail(t, "%s: not among those that there are", what);
}

int plan_file_line(struct text *t, const char *key)
{
    int rc = text_data_line(t, "#");

    if (rc < 0)
        return -1;
    if (rc == 0)
        return text_fail(t, "the file ends after this line: expected %s", key);
    return 0;
}

int plan_file_line_of(struct text *t, const char *key)
{
    if (plan_file_line(t, key) < 0)
        return -1;
    return text_word(t, key) ? 0 : text_fail(t, "expected '%s'", key);
}

int plan_file_line_end(struct text *t)
{
    return text_line_ends(t) ? 0 : text_fail(t, "expected the line's end");
}

/* --- the head ------------------------------------------------------------- */

int plan_file_count(struct text *t, const char *key, uint64_t from,
                    uint64_t end, uint32_t *out)
{
    if (plan_file_line_of(t, key) < 0 || plan_file_small(t, key, end, out) < 0)
        return -1;
    if (*out < from)
        return text_fail(t, "%s: expected a number above 0", key);
    return plan_file_line_end(t);
}

static int plan_read_name(struct text *t, const char *key, char **out)
{
    if (plan_file_line_of(t, key) < 0)
        return -1;
    *out = text_rest(t);
    return *out ? 0 : text_fail(t, "%s: expected a name", key);
}

static int read_cores(struct plan_reader *r)
{
    struct plan *p = &r->f->plan;

    if (plan_file_line_of(&r->t, "cores") < 0)
        return -1;
    /* The room grows with the numbers found, because the file may claim
     * more. */
    size_t room = 0;
    for (uint32_t i = 0; i < p->ranks_per_node; i++) {
        if (i == room) {
            room = room ? 2 * room : 64;
            p->core = xrealloc(p->core, room, sizeof *p->core);
        }
        if (plan_file_small(&r->t, "cores", PLAN_MAX_RANKS, &p->core[i]) < 0)
            return -1;
    }
    return plan_file_line_end(&r->t);
}

/* Reads a number of seconds or bytes, 0 or above. */
static int read_cost(struct text *t, const char *key, double *out)
{
    return text_real(t, out) && *out >= 0 && *out <= MOST_COST
               ? 0
               : text_fail(t, "%s: expected 0 to %g", key, MOST_COST);
}

/* Reads the plan's own values, one line for each that is not the default, up to
 * the line of the halo, whose first word it reads. */
static int read_plan_lines(struct plan_reader *r)
{
    struct text *t = &r->t;
    struct plan *p = &r->f->plan;
    int result = 0;

    while ((result = plan_file_line(t, "halo")) == 0) {
        if (text_word(t, "halo"))
            return 0;
        if (text_word(t, "runtime")) {
            int by = plan_file_word(t, "runtime", runtime_words, NRUNTIMES);
            p->runtime = by < 0 ? 0 : (enum runtime)by;
            result = by < 0 ? -1 : 0;
        } else if (text_word(t, "begin")) {
            result = read_cost(t, "begin", &p->begin_s);
        } else if (text_word(t, "channel_work")) {
            struct channel_work *w = &p->channel_work;
            if (read_cost(t, "channel_work", &w->beside_s_per_B) < 0 ||
                read_cost(t, "channel_work", &w->after_s_per_B) < 0 ||
                (!text_line_ends(t) &&
                 read_cost(t, "channel_work", &w->after_s) < 0))
                result = -1;
        } else if (text_word(t, "working_set")) {
            result = read_cost(t, "working_set", &p->working_set_B);
        } else if (text_word(t, "issued")) {
            p->issued = true;
        } else {
            return text_fail(t, "expected 'halo'");
        }
        if (result < 0 || plan_file_line_end(t) < 0)
            return -1;
    }
    return -1;
}

int plan_file_head(struct plan_reader *r)
{
    struct text *t = &r->t;
    struct plan *p = &r->f->plan;

    if (plan_file_line_of(t, "sluice-plan") < 0)
        return -1;
    if (!text_word(t, "1"))
        return text_fail(t, "sluice-plan: expected 1, the form that is known");
    if (plan_file_line_end(t) < 0 || plan_read_name(t, "name", &p->name) < 0 ||
        plan_read_name(t, "machine", &r->f->machine) < 0 ||
        plan_file_count(t, "nodes", 1, PLAN_MAX_RANKS, &p->nodes) < 0 ||
        plan_file_count(t, "gpus_per_node", 0, PLAN_MAX_RANKS,
                        &r->f->gpus_per_node) < 0 ||
        plan_file_count(t, "ranks_per_node", 1, PLAN_MAX_RANKS,
                        &p->ranks_per_node) < 0)
        return -1;
    if ((uint64_t)p->nodes * p->ranks_per_node > PLAN_MAX_RANKS ||
        (uint64_t)p->nodes * r->f->gpus_per_node > PLAN_MAX_RANKS)
        return text_fail(t, "more than %u ranks or GPUs", PLAN_MAX_RANKS);
    r->ranks = p->nodes * p->ranks_per_node;
    r->gpus = p->nodes * r->f->gpus_per_node;
    return read_cores(r);
}

/* --- the halo ------------------------------------------------------------- */

/* Checks that the bits are GPUs of the job. */
static int check_mask(struct text *t, const struct halo *h,
                      const struct halo_class *c)
{
    uint32_t first = c->dst_node * h->gpus_per_node;

    for (gpu_set rest = c->dst_mask; rest; rest &= rest - 1) {
        uint32_t bit = gpu_set_first(rest);
        if (bit >= h->gpus_per_node || first + bit >= h->ngpus ||
            first + bit == c->src)
            return text_fail(t, "class: GPU %u of node %u cannot need it", bit,
                             c->dst_node);
    }
    return c->dst_mask && c->count ? 0 : text_fail(t, "class: of nothing");
}

static bool in_order(const struct halo_class *a, const struct halo_class *b)
{
    if (a->src != b->src)
        return a->src < b->src;
    if (a->dst_node != b->dst_node)
        return a->dst_node < b->dst_node;
    return a->dst_mask < b->dst_mask;
}

/* Reads a mask as numbers of 32 bits, those of the GPUs from 0 on first. */
static int read_mask(struct text *t, const struct halo *h, struct halo_class *c)
{
    for (uint32_t bit = 0; bit < h->gpus_per_node; bit += 32) {
        uint64_t mask = 0;
        if (plan_file_number(t, "class: mask", UINT64_C(1) << 32, false,
                             &mask) < 0)
            return -1;
        c->dst_mask |= (gpu_set)mask << bit;
    }
    return 0;
}

static int read_class(struct text *t, const struct halo *h,
                      struct halo_class *c)
{
    *c = (struct halo_class){0};
    if (plan_file_line(t, "a class") < 0 ||
        plan_file_small(t, "class: GPU", h->ngpus, &c->src) < 0 ||
        plan_file_small(t, "class: node", halo_nodes(h), &c->dst_node) < 0 ||
        read_mask(t, h, c) < 0 ||
        plan_file_number(t, "class: values", PLAN_FILE_BYTES / h->value_bytes,
                         false, &c->count) < 0)
        return -1;
    return check_mask(t, h, c) < 0 ? -1 : plan_file_line_end(t);
}

static int read_classes(struct plan_reader *r, uint32_t nclasses)
{
    struct halo *h = &r->f->halo;
    size_t room = 0;

    while (h->nclasses < nclasses) {
        if (h->nclasses == room) {
            room = room ? 2 * room : 64;
            h->classes = xrealloc(h->classes, room, sizeof *h->classes);
        }
        struct halo_class *c = &h->classes[h->nclasses];
        if (read_class(&r->t, h, c) < 0)
            return -1;
        if (h->nclasses && !in_order(c - 1, c))
            return text_fail(&r->t, "class: not behind the one before");
        h->nclasses++;
    }
    return 0;
}

int plan_file_halo(struct plan_reader *r)
{
    struct text *t = &r->t;
    struct halo *h = &r->f->halo;
    uint32_t nclasses = 0;

    h->gpus_per_node = r->f->gpus_per_node;
    if (read_plan_lines(r) < 0 ||
        plan_file_small(t, "halo: GPUs", (uint64_t)r->gpus + 1, &h->ngpus) <
            0 ||
        plan_file_small(t, "halo: bytes of a value", HALO_MAX_VALUE_BYTES + 1,
                        &h->value_bytes) < 0 ||
        plan_file_small(t, "halo: classes", UINT32_MAX, &nclasses) < 0 ||
        plan_file_line_end(t) < 0)
        return -1;
    if (!h->ngpus)
        return h->value_bytes || nclasses
                   ? text_fail(t, "halo: without GPUs expected 0 0 0")
                   : 0;
    if (h->gpus_per_node > HALO_MAX_GPUS_PER_NODE || !h->value_bytes)
        return text_fail(t,
                         "halo: expected values of 1 byte or more, and at "
                         "most %d GPUs a node",
                         HALO_MAX_GPUS_PER_NODE);
    h->gpu_rows = xcalloc(h->ngpus, sizeof *h->gpu_rows);
    h->gpu_nnz = xcalloc(h->ngpus, sizeof *h->gpu_nnz);
    return read_classes(r, nclasses);
}
