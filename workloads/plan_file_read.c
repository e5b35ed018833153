/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads such a file back, and refuses what no plan could be. */
#include "workloads/plan_file.h"

#include "workloads/plan_file_words.h"
#include "workloads/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (UINT64_C(1) << 53) /* that a double holds exactly */
#define MAX_WORK_S 1e6

struct reader {
    struct text t;
    struct plan_file *f;
    uint32_t ranks, gpus;
};

/* --- words ---------------------------------------------------------------- */

/* A number below `end`, or "any", which is UINT64_MAX. */
static int plan_read_number(struct text *t, const char *what, uint64_t end,
                            bool any, uint64_t *out)
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

static int small(struct text *t, const char *what, uint64_t end, uint32_t *out)
{
    uint64_t v = 0;

    if (plan_read_number(t, what, end, false, &v) < 0)
        return -1;
    *out = (uint32_t)v;
    return 0;
}

/* One of the words; its index. */
static int word(struct text *t, const char *what, const char *const *words,
                int n)
{
    for (int i = 0; i < n; i++)
        if (text_word(t, words[i]))
            return i;
    return text_fail(t, "%s: not among those that there are", what);
}

static int line(struct text *t, const char *key)
{
    int rc = text_data_line(t, "#");

    if (rc < 0)
        return -1;
    if (rc == 0)
        return text_fail(t, "the file ends after this line: expected %s", key);
    return 0;
}

static int line_of(struct text *t, const char *key)
{
    if (line(t, key) < 0)
        return -1;
    return text_word(t, key) ? 0 : text_fail(t, "expected '%s'", key);
}

static int line_end(struct text *t)
{
    return text_line_ends(t) ? 0 : text_fail(t, "expected the line's end");
}

/* --- the head ------------------------------------------------------------- */

static int count(struct text *t, const char *key, uint64_t from, uint64_t end,
                 uint32_t *out)
{
    if (line_of(t, key) < 0 || small(t, key, end, out) < 0)
        return -1;
    if (*out < from)
        return text_fail(t, "%s: expected a number above 0", key);
    return line_end(t);
}

static int plan_read_name(struct text *t, const char *key, char **out)
{
    if (line_of(t, key) < 0)
        return -1;
    *out = text_rest(t);
    return *out ? 0 : text_fail(t, "%s: expected a name", key);
}

static int read_cores(struct reader *r)
{
    struct plan *p = &r->f->plan;

    if (line_of(&r->t, "cores") < 0)
        return -1;
    /* As many as there are, not as the file claims. */
    size_t room = 0;
    for (uint32_t i = 0; i < p->ranks_per_node; i++) {
        if (i == room) {
            room = room ? 2 * room : 64;
            p->core = xrealloc(p->core, room, sizeof *p->core);
        }
        if (small(&r->t, "cores", PLAN_MAX_RANKS, &p->core[i]) < 0)
            return -1;
    }
    return line_end(&r->t);
}

static int read_head(struct reader *r)
{
    struct text *t = &r->t;
    struct plan *p = &r->f->plan;

    if (line_of(t, "sluice-plan") < 0)
        return -1;
    if (!text_word(t, "1"))
        return text_fail(t, "sluice-plan: expected 1, the form that is known");
    if (line_end(t) < 0 || plan_read_name(t, "name", &p->name) < 0 ||
        plan_read_name(t, "machine", &r->f->machine) < 0 ||
        count(t, "nodes", 1, PLAN_MAX_RANKS, &p->nodes) < 0 ||
        count(t, "gpus_per_node", 0, PLAN_MAX_RANKS, &r->f->gpus_per_node) <
            0 ||
        count(t, "ranks_per_node", 1, PLAN_MAX_RANKS, &p->ranks_per_node) < 0)
        return -1;
    if ((uint64_t)p->nodes * p->ranks_per_node > PLAN_MAX_RANKS ||
        (uint64_t)p->nodes * r->f->gpus_per_node > PLAN_MAX_RANKS)
        return text_fail(t, "more than %u ranks or GPUs", PLAN_MAX_RANKS);
    r->ranks = p->nodes * p->ranks_per_node;
    r->gpus = p->nodes * r->f->gpus_per_node;
    return read_cores(r);
}

/* --- the halo ------------------------------------------------------------- */

/* Those of the job's GPUs that the bits stand for. */
static int check_mask(struct text *t, const struct halo *h,
                      const struct halo_class *c)
{
    uint32_t first = c->dst_node * h->gpus_per_node;

    for (uint32_t bit = 0; bit < 32; bit++)
        if (c->dst_mask >> bit & 1 &&
            (bit >= h->gpus_per_node || first + bit >= h->ngpus ||
             first + bit == c->src))
            return text_fail(t, "class: GPU %u of node %u cannot need it", bit,
                             c->dst_node);
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

static int read_class(struct text *t, const struct halo *h,
                      struct halo_class *c)
{
    uint64_t mask = 0;

    if (line(t, "a class") < 0 ||
        small(t, "class: GPU", h->ngpus, &c->src) < 0 ||
        small(t, "class: node", halo_nodes(h), &c->dst_node) < 0 ||
        plan_read_number(t, "class: mask", UINT64_C(1) << 32, false, &mask) <
            0 ||
        plan_read_number(t, "class: values", MAX_BYTES / h->value_bytes, false,
                         &c->count) < 0)
        return -1;
    c->dst_mask = (uint32_t)mask;
    return check_mask(t, h, c) < 0 ? -1 : line_end(t);
}

static int read_classes(struct reader *r, uint32_t nclasses)
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

static int read_halo(struct reader *r)
{
    struct text *t = &r->t;
    struct halo *h = &r->f->halo;
    uint32_t nclasses = 0;

    h->gpus_per_node = r->f->gpus_per_node;
    if (line_of(t, "halo") < 0 ||
        small(t, "halo: GPUs", (uint64_t)r->gpus + 1, &h->ngpus) < 0 ||
        small(t, "halo: bytes of a value", HALO_MAX_VALUE_BYTES + 1,
              &h->value_bytes) < 0 ||
        small(t, "halo: classes", UINT32_MAX, &nclasses) < 0 || line_end(t) < 0)
        return -1;
    if (!h->ngpus)
        return h->value_bytes || nclasses
                   ? text_fail(t, "halo: without GPUs expected 0 0 0")
                   : 0;
    if (h->gpus_per_node > HALO_MAX_GPUS_PER_NODE || !h->value_bytes)
        return text_fail(t, "halo: expected values of 1 byte or more, and at "
                            "most 32 GPUs a node");
    h->gpu_rows = xcalloc(h->ngpus, sizeof *h->gpu_rows);
    h->gpu_nnz = xcalloc(h->ngpus, sizeof *h->gpu_nnz);
    return read_classes(r, nclasses);
}

/* --- operations ----------------------------------------------------------- */

static int rank(struct reader *r, uint32_t *out)
{
    return small(&r->t, "rank", r->ranks, out);
}

static int gpu_of(struct reader *r, uint32_t rank, uint32_t *out)
{
    if (small(&r->t, "GPU", r->gpus, out) < 0)
        return -1;
    if (*out / r->f->gpus_per_node != plan_node(&r->f->plan, rank))
        return text_fail(&r->t, "GPU %u is not on the node of rank %u", *out,
                         rank);
    return 0;
}

static int read_copy(struct reader *r, enum phase phase)
{
    uint32_t who, from, to;
    uint64_t bytes = 0;
    int dir = word(&r->t, "direction", copy_dir_names, NCOPY_DIRS);

    if (dir < 0 || rank(r, &who) < 0 || gpu_of(r, who, &from) < 0 ||
        gpu_of(r, who, &to) < 0 ||
        plan_read_number(&r->t, "bytes", MAX_BYTES, false, &bytes) < 0)
        return -1;
    if (dir == D2D) {
        plan_copy_peer(&r->f->plan, phase, who, from, to, bytes);
        return 0;
    }
    if (from != to)
        return text_fail(&r->t, "only a D2D copy has two GPUs");
    plan_copy(&r->f->plan, phase, who, (enum copy_dir)dir, from, bytes);
    return 0;
}

static int read_msg(struct reader *r, enum phase phase)
{
    uint32_t src, dst, from = NO_GPU, to = NO_GPU;
    uint64_t bytes = 0;

    if (rank(r, &src) < 0 || rank(r, &dst) < 0 ||
        plan_read_number(&r->t, "bytes", MAX_BYTES, false, &bytes) < 0)
        return -1;
    if (text_word(&r->t, "gpus") &&
        (gpu_of(r, src, &from) < 0 || gpu_of(r, dst, &to) < 0))
        return -1;
    plan_msg(&r->f->plan, phase, src, dst, from, to, bytes);
    return 0;
}

static int read_work(struct reader *r)
{
    uint32_t who;
    double work_s;

    if (rank(r, &who) < 0)
        return -1;
    if (!text_real(&r->t, &work_s) || !(work_s >= 0 && work_s <= MAX_WORK_S))
        return text_fail(&r->t, "work: expected 0 to %g seconds", MAX_WORK_S);
    uint32_t lane = 0;
    if (text_word(&r->t, "lane") &&
        small(&r->t, "lane", UINT8_MAX + 1, &lane) < 0)
        return -1;
    plan_work_beside(&r->f->plan, who, (uint8_t)lane, work_s);
    return 0;
}

/* The newest operation's communicator, where one is said. */
static int read_context(struct reader *r)
{
    uint32_t context = 0;

    if (!text_word(&r->t, "context"))
        return 0;
    if (small(&r->t, "context", UINT32_MAX, &context) < 0)
        return -1;
    plan_context(&r->f->plan, context);
    return 0;
}

static int read_send(struct reader *r, enum phase phase)
{
    uint32_t src, dst, tag;
    uint64_t bytes = 0;

    if (rank(r, &src) < 0 || rank(r, &dst) < 0 ||
        small(&r->t, "tag", ANY_TAG, &tag) < 0 ||
        plan_read_number(&r->t, "bytes", MAX_BYTES, false, &bytes) < 0)
        return -1;
    struct plan *p = &r->f->plan;
    uint32_t op = plan_send(p, phase, src, dst, tag, bytes);
    if (text_word(&r->t, "gpus") && (gpu_of(r, src, &p->ops[op].src_gpu) < 0 ||
                                     gpu_of(r, dst, &p->ops[op].dst_gpu) < 0))
        return -1;
    p->ops[op].synced = text_word(&r->t, "synced");
    return read_context(r);
}

static int read_recv(struct reader *r, enum phase phase)
{
    uint32_t who;
    uint64_t from = 0, tag = 0, bytes = 0;

    if (rank(r, &who) < 0 ||
        plan_read_number(&r->t, "rank", r->ranks, true, &from) < 0 ||
        plan_read_number(&r->t, "tag", ANY_TAG, true, &tag) < 0 ||
        plan_read_number(&r->t, "bytes", MAX_BYTES, true, &bytes) < 0)
        return -1;
    struct plan *p = &r->f->plan;
    uint32_t op =
        plan_recv(p, phase, who, (uint32_t)from, (uint32_t)tag, bytes);
    if (text_word(&r->t, "gpu") && gpu_of(r, who, &p->ops[op].dst_gpu) < 0)
        return -1;
    p->ops[op].src_gpu = p->ops[op].dst_gpu;
    return read_context(r);
}

static int read_probe(struct reader *r, enum phase phase)
{
    uint32_t who;
    uint64_t from = 0, tag = 0;

    if (rank(r, &who) < 0 ||
        plan_read_number(&r->t, "rank", r->ranks, true, &from) < 0 ||
        plan_read_number(&r->t, "tag", ANY_TAG, true, &tag) < 0)
        return -1;
    plan_probe(&r->f->plan, phase, who, (uint32_t)from, (uint32_t)tag);
    return read_context(r);
}

static int read_pack(struct reader *r, enum phase phase)
{
    uint32_t who, where = NO_GPU;
    uint64_t bytes = 0;

    if (rank(r, &who) < 0 ||
        plan_read_number(&r->t, "bytes", MAX_BYTES, false, &bytes) < 0)
        return -1;
    if (text_word(&r->t, "gpu") && gpu_of(r, who, &where) < 0)
        return -1;
    plan_pack(&r->f->plan, phase, who, where, bytes,
              text_word(&r->t, "synced"));
    return 0;
}

static int read_reduce(struct reader *r, enum phase phase)
{
    uint32_t who, where = NO_GPU, inputs;
    uint64_t bytes = 0;

    if (rank(r, &who) < 0 ||
        plan_read_number(&r->t, "bytes", MAX_BYTES, false, &bytes) < 0 ||
        small(&r->t, "inputs", PLAN_MAX_INPUTS + 1, &inputs) < 0)
        return -1;
    if (!inputs)
        return text_fail(&r->t, "inputs: a reduction has at least 1");
    if (text_word(&r->t, "gpu") && gpu_of(r, who, &where) < 0)
        return -1;
    plan_reduce(&r->f->plan, phase, who, where, bytes, inputs,
                text_word(&r->t, "synced"));
    return 0;
}

static int read_kind(struct reader *r)
{
    static const char *const kinds[] = {
        [OP_COPY] = "copy",     [OP_MSG] = "msg",     [OP_WORK] = "work",
        [OP_SEND] = "send",     [OP_RECV] = "recv",   [OP_PACK] = "pack",
        [OP_REDUCE] = "reduce", [OP_PROBE] = "probe",
    };
    int kind = word(&r->t, "operation", kinds, sizeof kinds / sizeof *kinds);
    int phase = PHASE_WORK;

    if (kind < 0)
        return -1;
    if (kind != OP_WORK)
        phase = word(&r->t, "phase", plan_file_phases, NPHASES);
    if (phase < 0)
        return -1;
    switch (kind) {
    case OP_COPY:
        return read_copy(r, (enum phase)phase);
    case OP_MSG:
        return read_msg(r, (enum phase)phase);
    case OP_SEND:
        return read_send(r, (enum phase)phase);
    case OP_RECV:
        return read_recv(r, (enum phase)phase);
    case OP_PACK:
        return read_pack(r, (enum phase)phase);
    case OP_REDUCE:
        return read_reduce(r, (enum phase)phase);
    case OP_PROBE:
        return read_probe(r, (enum phase)phase);
    default:
        return read_work(r);
    }
}

/* --- what it waits for and carries ---------------------------------------- */

static int check_dep(struct reader *r, uint32_t dep)
{
    const struct plan *p = &r->f->plan;
    const struct op *op = &p->ops[p->nops - 1], *before;

    before = &p->ops[dep & DEP_OP];
    if (dep & FOR_RECEIVE && op->kind != OP_MSG)
        return text_fail(&r->t, "posted: only a msg has such a receive");
    if (dep & AFTER_SENT && before->kind != OP_MSG && before->kind != OP_SEND &&
        before->kind != OP_COPY)
        return text_fail(&r->t, "sent: operation %u is no message or copy",
                         dep & DEP_OP);
    if (plan_waits_on(op, dep) != plan_ends_on(p, dep))
        return text_fail(&r->t, "operation %u ends on rank %u, not on %u",
                         dep & DEP_OP, plan_ends_on(p, dep),
                         plan_waits_on(op, dep));
    return 0;
}

static int read_deps(struct reader *r, uint32_t flags)
{
    struct plan *p = &r->f->plan;
    uint64_t before;

    if (!text_number(&r->t, &before))
        return text_fail(&r->t, "expected numbers of operations");
    do {
        if (before >= p->nops - 1)
            return text_fail(&r->t, "%llu is no earlier operation",
                             (unsigned long long)before);
        uint32_t dep = (uint32_t)before | flags;
        if (check_dep(r, dep) < 0)
            return -1;
        plan_after(p, dep);
    } while (text_number(&r->t, &before));
    return 0;
}

/* The operation has the bytes of what it carries. */
static int check_bytes(struct reader *r)
{
    const struct plan *p = &r->f->plan;
    const struct op *op = &p->ops[p->nops - 1];
    uint64_t values = 0;

    for (size_t i = plan_first_piece(p, p->nops - 1);
         i < p->npieces && values < MAX_BYTES; i++)
        values += p->pieces[i].count;
    if (values != op->bytes / r->f->halo.value_bytes ||
        op->bytes % r->f->halo.value_bytes)
        return text_fail(&r->t, "carries %llu values of %u bytes in %llu bytes",
                         (unsigned long long)values, r->f->halo.value_bytes,
                         (unsigned long long)op->bytes);
    return 0;
}

static int read_piece(struct reader *r)
{
    const struct halo *h = &r->f->halo;
    struct piece piece = {0};

    if (small(&r->t, "carries: class", h->nclasses, &piece.class_id) < 0)
        return -1;
    uint64_t has = h->classes[piece.class_id].count;
    if (plan_read_number(&r->t, "carries: first", has, false, &piece.first) <
            0 ||
        plan_read_number(&r->t, "carries: count", has - piece.first + 1, false,
                         &piece.count) < 0)
        return -1;
    if (!piece.count)
        return text_fail(&r->t, "carries: no values");
    plan_piece(&r->f->plan, piece);
    return 0;
}

static int read_pieces(struct reader *r)
{
    const struct plan *p = &r->f->plan;
    uint8_t kind = p->ops[p->nops - 1].kind;

    if (kind != OP_COPY && kind != OP_MSG && kind != OP_PACK)
        return text_fail(&r->t, "only a copy, a pack or a msg carries values");
    do {
        if (read_piece(r) < 0)
            return -1;
    } while (!text_line_ends(&r->t));
    return check_bytes(r);
}

static int read_op(struct reader *r)
{
    static const struct {
        const char *word;
        uint32_t flags;
    } modes[] = {
        {"after", 0},
        {"sent", AFTER_SENT},
        {"posted", FOR_RECEIVE},
        {"posted_sent", FOR_RECEIVE | AFTER_SENT},
    };
    enum { N = sizeof modes / sizeof modes[0] };

    if (line(&r->t, "an operation") < 0 || read_kind(r) < 0)
        return -1;
    while (!text_line_ends(&r->t)) {
        if (text_word(&r->t, "carries"))
            return read_pieces(r);
        int i = 0;
        while (i < N && !text_word(&r->t, modes[i].word))
            i++;
        if (i == N)
            return text_fail(&r->t, "expected after, sent, posted, posted_sent "
                                    "or carries");
        if (read_deps(r, modes[i].flags) < 0)
            return -1;
    }
    return 0;
}

static int plan_read_whole(struct reader *r)
{
    uint32_t nops = 0;

    if (read_head(r) < 0 || read_halo(r) < 0 ||
        count(&r->t, "ops", 0, LAST_STEP, &nops) < 0)
        return -1;
    for (uint32_t i = 0; i < nops; i++)
        if (read_op(r) < 0)
            return -1;
    if (line_of(&r->t, "end") < 0 || line_end(&r->t) < 0)
        return -1;
    int more = text_data_line(&r->t, "#");
    return more > 0 ? text_fail(&r->t, "there is more after the end") : more;
}

int plan_file_load(struct plan_file *f, const char *path, struct err *err)
{
    struct reader r = {.f = f};

    memset(f, 0, sizeof *f);
    if (text_open(&r.t, path, err) < 0)
        return -1;
    int result = plan_read_whole(&r);
    text_close(&r.t);
    if (result < 0)
        plan_file_clear(f);
    return result;
}

void plan_file_clear(struct plan_file *f)
{
    plan_clear(&f->plan);
    halo_clear(&f->halo);
    free(f->machine);
    memset(f, 0, sizeof *f);
}
