/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operations of one rank of a GOAL schedule, and their dependencies.
 */
#include "workloads/trace/goal.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- labels --------------------------------------------------------------- */

struct goal_label {
    const char *at;
    uint32_t length, op;
};

/* A hash table of labels by name, with open addressing. */
struct goal_labels {
    struct goal_label *slots;
    size_t room, n;
};

/* A requirement with a label that is defined only later. */
struct goal_later {
    struct scan who, whom;
    uint64_t line;
    uint32_t edge;
};

struct goal_reader {
    const struct trace *t;
    uint32_t rank;
    struct err *err;
    struct goal_lines lines;
    struct goal_labels labels;
    struct goal_block *b;
    size_t ops_room, edges_room;
    struct goal_later *later;
    size_t nlater, later_room;
};

static int goal_fail(const struct goal_reader *r, struct scan at,
                     const char *what)
{
    struct trace_event e = {.place = r->lines.line};
    int n = at.end - at.at < 40 ? (int)(at.end - at.at) : 40;

    if (n == 0)
        return trace_fail(r->t, r->rank, &e, r->err,
                          "expected %s, and the line ends", what);
    return trace_fail(r->t, r->rank, &e, r->err, "expected %s, got '%.*s'",
                      what, n, at.at);
}

static bool goal_is_label(struct scan word)
{
    if (word.at == word.end || (unsigned char)((*word.at | 32) - 'a') > 25)
        return false;
    for (const char *c = word.at; c < word.end; c++)
        if ((unsigned char)((*c | 32) - 'a') > 25 &&
            (unsigned char)(*c - '0') > 9 && *c != '_')
            return false;
    return true;
}

static struct goal_label *goal_slot(const struct goal_labels *l,
                                    struct scan word)
{
    size_t length = (size_t)(word.end - word.at);
    uint64_t h = length;

    for (const char *c = word.at; c < word.end; c++)
        h = h * 131 + (unsigned char)*c;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = (size_t)(h >> 32);; i++) {
        struct goal_label *s = &l->slots[i & (l->room - 1)];
        if (!s->at || (s->length == length && !memcmp(s->at, word.at, length)))
            return s;
    }
}

static void goal_labels_grow(struct goal_labels *l)
{
    struct goal_labels old = *l;

    l->room = old.room ? 2 * old.room : 64;
    l->slots = xcalloc(l->room, sizeof *l->slots);
    for (size_t i = 0; i < old.room; i++) {
        struct goal_label *s = &old.slots[i];
        if (s->at)
            *goal_slot(l, (struct scan){s->at, s->at + s->length}) = *s;
    }
    free(old.slots);
}

static int goal_label_add(struct goal_reader *r, struct scan word, uint32_t op)
{
    if (word.end - word.at > UINT32_MAX / 2)
        return goal_fail(r, word, "a shorter label");
    if (2 * (r->labels.n + 1) > r->labels.room)
        goal_labels_grow(&r->labels);
    struct goal_label *s = goal_slot(&r->labels, word);
    if (s->at)
        return goal_fail(r, word, "a label that is not used yet");
    *s = (struct goal_label){word.at, (uint32_t)(word.end - word.at), op};
    r->labels.n++;
    return 0;
}

static bool goal_label_find(const struct goal_reader *r, struct scan word,
                            uint32_t *op)
{
    const struct goal_label *s =
        r->labels.room ? goal_slot(&r->labels, word) : NULL;

    if (!s || !s->at)
        return false;
    *op = s->op;
    return true;
}

/* --- operations ----------------------------------------------------------- */

static int goal_rank_word(struct goal_reader *r, struct scan *s, bool any,
                          uint32_t *out)
{
    struct scan before = *s;
    int64_t n;

    scan_blanks(&before);
    if (!scan_signed(s, &n))
        return goal_fail(r, scan_word(&before), "a rank");
    if (any && n == -1) {
        *out = ANY_RANK;
        return 0;
    }
    if (n < 0 || n >= r->t->ranks)
        return goal_fail(r, scan_word(&before),
                         any ? "a rank that there is, or -1"
                             : "a rank that there is");
    *out = (uint32_t)n;
    return 0;
}

static int goal_tag_word(struct goal_reader *r, struct scan *s,
                         struct goal_op *op)
{
    struct scan before = *s;
    int64_t n;

    if (!scan_signed(s, &n) || n < -1 || n >= ANY_TAG ||
        (n == -1 && op->call == TRACE_SEND))
        return goal_fail(r, scan_word(&before),
                         op->call == TRACE_SEND ? "a tag" : "a tag, or -1");
    op->tag = n < 0 ? ANY_TAG : (uint32_t)n;
    return 0;
}

static int goal_unit_word(struct goal_reader *r, struct scan *s, uint8_t *out)
{
    struct scan before = *s;
    uint64_t n;

    if (!scan_whole(s, &n) || n > UINT8_MAX)
        return goal_fail(r, scan_word(&before), "a number up to 255");
    *out = (uint8_t)n;
    return 0;
}

/* Reads [tag T] [cpu C] [nic N]. The NIC has no effect, because the simulated
 * machine chooses it. */
static int goal_rest(struct goal_reader *r, struct scan *s, struct goal_op *op)
{
    uint8_t nic;

    while (!scan_done(s)) {
        struct scan word = scan_word(s);
        int result = scan_is(word, "cpu") ? goal_unit_word(r, s, &op->cpu)
                     : op->call != TRACE_COMPUTE && scan_is(word, "tag")
                         ? goal_tag_word(r, s, op)
                     : op->call != TRACE_COMPUTE && scan_is(word, "nic")
                         ? goal_unit_word(r, s, &nic)
                         : goal_fail(r, word,
                                     op->call == TRACE_COMPUTE
                                         ? "cpu, or the end of the line"
                                         : "tag, cpu, nic or the end of the "
                                           "line");
        if (result < 0)
            return -1;
    }
    return 0;
}

/* Reads "4096b" or "4096 b". */
static int goal_bytes(struct goal_reader *r, struct scan *s, uint64_t *out)
{
    struct scan before = *s;

    scan_blanks(s);
    if (!scan_digits(s, out))
        return goal_fail(r, scan_word(&before), "a size such as 4096b");
    scan_blanks(s);
    if (s->at == s->end || *s->at != 'b')
        return goal_fail(r, scan_word(&before), "a size such as 4096b");
    s->at++;
    return 0;
}

static int goal_message(struct goal_reader *r, struct scan *s,
                        struct goal_op *op)
{
    bool send = op->call == TRACE_SEND;

    if (goal_bytes(r, s, &op->size) < 0)
        return -1;
    struct scan word = scan_word(s);
    if (!scan_is(word, send ? "to" : "from"))
        return goal_fail(r, word, send ? "to" : "from");
    return goal_rank_word(r, s, !send, &op->peer);
}

/* Reads an operation that begins with `word`. Returns 1, or 0 if that is
 * neither send nor recv nor calc. */
static int goal_op_read(struct goal_reader *r, struct scan word, struct scan *s,
                        struct goal_op *op)
{
    *op = (struct goal_op){.line = r->lines.line,
                           .in_gpu = r->lines.in_gpu,
                           .exact_s = r->lines.exact_s};
    op->call = scan_is(word, "send")   ? TRACE_SEND
               : scan_is(word, "recv") ? TRACE_RECV
               : scan_is(word, "calc") ? TRACE_COMPUTE
                                       : TRACE_UNKNOWN;
    if (op->call == TRACE_UNKNOWN)
        return 0;
    r->lines.in_gpu = false;
    r->lines.exact_s = NAN;
    if (op->call != TRACE_COMPUTE) {
        if (goal_message(r, s, op) < 0)
            return -1;
    } else if (!scan_whole(s, &op->size)) {
        return goal_fail(r, scan_word(s), "a whole number of ns");
    }
    return goal_rest(r, s, op) < 0 ? -1 : 1;
}

static uint32_t goal_op_add(struct goal_reader *r, const struct goal_op *op)
{
    struct goal_block *b = r->b;

    if (b->nops == r->ops_room) {
        r->ops_room = r->ops_room ? 2 * r->ops_room : 64;
        b->ops = xrealloc(b->ops, r->ops_room, sizeof *b->ops);
    }
    b->ops[b->nops] = *op;
    return b->nops++;
}

/* --- requirements --------------------------------------------------------- */

static struct goal_edge *goal_edge_add(struct goal_reader *r, bool begun)
{
    struct goal_block *b = r->b;

    if (b->nedges == r->edges_room) {
        r->edges_room = r->edges_room ? 2 * r->edges_room : 64;
        b->edges = xrealloc(b->edges, r->edges_room, sizeof *b->edges);
    }
    b->edges[b->nedges] = (struct goal_edge){.begun = begun};
    return &b->edges[b->nedges++];
}

static void goal_later_add(struct goal_reader *r, struct scan who,
                           struct scan whom)
{
    if (r->nlater == r->later_room) {
        r->later_room = r->later_room ? 2 * r->later_room : 64;
        r->later = xrealloc(r->later, r->later_room, sizeof *r->later);
    }
    r->later[r->nlater++] = (struct goal_later){.who = who,
                                                .whom = whom,
                                                .line = r->lines.line,
                                                .edge = r->b->nedges - 1};
}

static int goal_requires(struct goal_reader *r, struct scan who, struct scan *s)
{
    struct scan verb = scan_word(s);
    bool begun = scan_is(verb, "irequires");

    if (!goal_is_label(who))
        return goal_fail(r, who, "send, recv, calc, a label or }");
    if (!begun && !scan_is(verb, "requires"))
        return goal_fail(r, verb, "a colon, requires or irequires");
    struct scan whom = scan_word(s);
    if (!goal_is_label(whom))
        return goal_fail(r, whom, "a label");
    if (!scan_done(s))
        return goal_fail(r, scan_word(s), "the end of the line");
    struct goal_edge *e = goal_edge_add(r, begun);
    if (!goal_label_find(r, who, &e->op) ||
        !goal_label_find(r, whom, &e->before))
        goal_later_add(r, who, whom);
    return 0;
}

static int goal_resolve(struct goal_reader *r)
{
    for (size_t i = 0; i < r->nlater; i++) {
        const struct goal_later *l = &r->later[i];
        struct goal_edge *e = &r->b->edges[l->edge];
        r->lines.line = l->line;
        if (!goal_label_find(r, l->who, &e->op))
            return goal_fail(r, l->who, "the label of an operation");
        if (!goal_label_find(r, l->whom, &e->before))
            return goal_fail(r, l->whom, "the label of an operation");
    }
    return 0;
}

/* --- the block ------------------------------------------------------------ */

/* Reads a label and a colon, which may be a word of its own; *word becomes the
 * word after it. Returns false if there is no label. */
static bool goal_labelled(struct scan *word, struct scan *s, struct scan *label)
{
    const char *colon = memchr(word->at, ':', (size_t)(word->end - word->at));

    if (!colon) {
        struct scan after = *s;
        scan_blanks(&after);
        if (after.at == after.end || *after.at != ':')
            return false;
        colon = after.at;
        *label = *word;
    } else {
        *label = (struct scan){word->at, colon};
    }
    s->at = colon + 1;
    *word = scan_word(s);
    return true;
}

/* Returns 1 if the block continues, 0 if it ends. */
static int goal_block_line(struct goal_reader *r, struct scan s)
{
    struct scan word = scan_word(&s), label;
    struct goal_op op;

    if (scan_is(word, "}"))
        return scan_done(&s)
                   ? 0
                   : goal_fail(r, scan_word(&s), "the end of the line");
    bool labelled = goal_labelled(&word, &s, &label);
    int result = goal_op_read(r, word, &s, &op);
    if (result < 0)
        return -1;
    if (result == 0)
        return labelled ? goal_fail(r, word, "send, recv or calc")
               : goal_requires(r, word, &s) < 0 ? -1
                                                : 1;
    if (labelled && !goal_is_label(label))
        return goal_fail(r, label, "a label");
    uint32_t number = goal_op_add(r, &op);
    return labelled && goal_label_add(r, label, number) < 0 ? -1 : 1;
}

static int goal_lines_read(struct goal_reader *r)
{
    struct scan line;
    int result;

    while ((result = goal_line(&r->lines, &line)) > 0) {
        result = goal_block_line(r, line);
        if (result <= 0)
            return result;
        if (r->b->nops == UINT32_MAX / 4 || r->b->nedges == UINT32_MAX / 4)
            return goal_fail(r, line, "fewer operations of one rank");
    }
    struct trace_event e = {.place = r->lines.line};
    return trace_fail(r->t, r->rank, &e, r->err, "%s",
                      result < 0 ? goal_line_wrong(&r->lines)
                                 : "the file ends within its block");
}

static void goal_sort_edges(struct goal_block *b)
{
    struct goal_edge *sorted = xcalloc(b->nedges, sizeof *sorted);

    b->first = xcalloc((size_t)b->nops + 2, sizeof *b->first);
    for (uint32_t i = 0; i < b->nedges; i++)
        b->first[b->edges[i].op + 2]++;
    for (uint32_t i = 0; i < b->nops; i++)
        b->first[i + 2] += b->first[i + 1];
    for (uint32_t i = 0; i < b->nedges; i++)
        sorted[b->first[b->edges[i].op + 1]++] = b->edges[i];
    free(b->edges);
    b->edges = sorted;
}

/* --- the interface -------------------------------------------------------- */

struct goal_block *goal_block_read(const struct trace *t, uint32_t rank,
                                   const char *begin, const char *end,
                                   uint64_t line, struct err *err)
{
    struct goal_reader r = {.t = t, .rank = rank, .err = err};

    r.lines = (struct goal_lines){
        .at = begin, .end = end, .line = line, .exact_s = NAN};
    r.b = xcalloc(1, sizeof *r.b);
    int result = goal_lines_read(&r);
    if (result == 0)
        result = goal_resolve(&r);
    if (result == 0) {
        goal_sort_edges(r.b);
        result = goal_block_order(t, rank, r.b, err);
    }
    free(r.labels.slots);
    free(r.later);
    if (result == 0)
        return r.b;
    goal_block_free(r.b);
    return NULL;
}

void goal_block_free(struct goal_block *b)
{
    if (!b)
        return;
    free(b->ops);
    free(b->edges);
    free(b->first);
    free(b->order);
    free(b);
}
