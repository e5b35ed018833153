/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a plan's file, and refuses contents that no plan can have. */
#include "workloads/plan_file.h"

#include "workloads/plan_file_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORK_S 1e6

/* --- operations ----------------------------------------------------------- */

static int rank(struct plan_reader *r, uint32_t *out)
{
    return plan_file_small(&r->t, "rank", r->ranks, out);
}

static int gpu_of(struct plan_reader *r, uint32_t rank, uint32_t *out)
{
    if (plan_file_small(&r->t, "GPU", r->gpus, out) < 0)
        return -1;
    if (*out / r->f->gpus_per_node != plan_node(&r->f->plan, rank))
        return text_fail(&r->t, "GPU %u is not on the node of rank %u", *out,
                         rank);
    return 0;
}

static int read_copy(struct plan_reader *r, enum phase phase)
{
    uint32_t who, from, to;
    uint64_t bytes = 0;
    int dir = plan_file_word(&r->t, "direction", copy_dir_names, NCOPY_DIRS);

    if (dir < 0 || rank(r, &who) < 0 || gpu_of(r, who, &from) < 0 ||
        gpu_of(r, who, &to) < 0 ||
        plan_file_number(&r->t, "bytes", PLAN_FILE_BYTES, false, &bytes) < 0)
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

static int read_msg(struct plan_reader *r, enum phase phase)
{
    uint32_t src, dst, from = NO_GPU, to = NO_GPU;
    uint64_t bytes = 0;

    if (rank(r, &src) < 0 || rank(r, &dst) < 0 ||
        plan_file_number(&r->t, "bytes", PLAN_FILE_BYTES, false, &bytes) < 0)
        return -1;
    if (text_word(&r->t, "gpus") &&
        (gpu_of(r, src, &from) < 0 || gpu_of(r, dst, &to) < 0))
        return -1;
    struct plan *p = &r->f->plan;
    uint32_t channels = 0;
    uint32_t op = plan_msg(p, phase, src, dst, from, to, bytes);
    if (text_word(&r->t, "channels") &&
        plan_file_small(&r->t, "channels", UINT8_MAX + 1, &channels) < 0)
        return -1;
    p->ops[op].channels = (uint8_t)channels;
    return 0;
}

static int read_work(struct plan_reader *r)
{
    uint32_t who;
    double work_s;

    if (rank(r, &who) < 0)
        return -1;
    if (!text_real(&r->t, &work_s) || !(work_s >= 0 && work_s <= MAX_WORK_S))
        return text_fail(&r->t, "work: expected 0 to %g seconds", MAX_WORK_S);
    uint32_t lane = 0;
    if (text_word(&r->t, "lane") &&
        plan_file_small(&r->t, "lane", UINT8_MAX + 1, &lane) < 0)
        return -1;
    plan_work_beside(&r->f->plan, who, (uint8_t)lane, work_s);
    return 0;
}

/* Reads the communicator of the newest operation if the line has one. */
static int read_context(struct plan_reader *r)
{
    uint32_t context = 0;

    if (!text_word(&r->t, "context"))
        return 0;
    if (plan_file_small(&r->t, "context", UINT32_MAX, &context) < 0)
        return -1;
    plan_context(&r->f->plan, context);
    return 0;
}

static int read_send(struct plan_reader *r, enum phase phase)
{
    uint32_t src, dst, tag;
    uint64_t bytes = 0;

    if (rank(r, &src) < 0 || rank(r, &dst) < 0 ||
        plan_file_small(&r->t, "tag", ANY_TAG, &tag) < 0 ||
        plan_file_number(&r->t, "bytes", PLAN_FILE_BYTES, false, &bytes) < 0)
        return -1;
    struct plan *p = &r->f->plan;
    uint32_t op = plan_send(p, phase, src, dst, tag, bytes);
    if (text_word(&r->t, "gpus") && (gpu_of(r, src, &p->ops[op].src_gpu) < 0 ||
                                     gpu_of(r, dst, &p->ops[op].dst_gpu) < 0))
        return -1;
    p->ops[op].synced = text_word(&r->t, "synced");
    return read_context(r);
}

static int read_recv(struct plan_reader *r, enum phase phase)
{
    uint32_t who;
    uint64_t from = 0, tag = 0, bytes = 0;

    if (rank(r, &who) < 0 ||
        plan_file_number(&r->t, "rank", r->ranks, true, &from) < 0 ||
        plan_file_number(&r->t, "tag", ANY_TAG, true, &tag) < 0 ||
        plan_file_number(&r->t, "bytes", PLAN_FILE_BYTES, true, &bytes) < 0)
        return -1;
    struct plan *p = &r->f->plan;
    uint32_t op =
        plan_recv(p, phase, who, (uint32_t)from, (uint32_t)tag, bytes);
    if (text_word(&r->t, "gpu") && gpu_of(r, who, &p->ops[op].dst_gpu) < 0)
        return -1;
    p->ops[op].src_gpu = p->ops[op].dst_gpu;
    return read_context(r);
}

static int read_probe(struct plan_reader *r, enum phase phase)
{
    uint32_t who;
    uint64_t from = 0, tag = 0;

    if (rank(r, &who) < 0 ||
        plan_file_number(&r->t, "rank", r->ranks, true, &from) < 0 ||
        plan_file_number(&r->t, "tag", ANY_TAG, true, &tag) < 0)
        return -1;
    plan_probe(&r->f->plan, phase, who, (uint32_t)from, (uint32_t)tag);
    return read_context(r);
}

static int read_pack(struct plan_reader *r, enum phase phase)
{
    uint32_t who, where = NO_GPU;
    uint64_t bytes = 0;

    if (rank(r, &who) < 0 ||
        plan_file_number(&r->t, "bytes", PLAN_FILE_BYTES, false, &bytes) < 0)
        return -1;
    if (text_word(&r->t, "gpu") && gpu_of(r, who, &where) < 0)
        return -1;
    plan_pack(&r->f->plan, phase, who, where, bytes,
              text_word(&r->t, "synced"));
    return 0;
}

static int read_reduce(struct plan_reader *r, enum phase phase)
{
    uint32_t who, where = NO_GPU, inputs;
    uint64_t bytes = 0;

    if (rank(r, &who) < 0 ||
        plan_file_number(&r->t, "bytes", PLAN_FILE_BYTES, false, &bytes) < 0 ||
        plan_file_small(&r->t, "inputs", PLAN_MAX_INPUTS + 1, &inputs) < 0)
        return -1;
    if (!inputs)
        return text_fail(&r->t, "inputs: a reduction has at least 1");
    if (text_word(&r->t, "gpu") && gpu_of(r, who, &where) < 0)
        return -1;
    plan_reduce(&r->f->plan, phase, who, where, bytes, inputs,
                text_word(&r->t, "synced"));
    return 0;
}

static int read_kind(struct plan_reader *r)
{
    static const char *const kinds[] = {
        [OP_COPY] = "copy",     [OP_MSG] = "msg",     [OP_WORK] = "work",
        [OP_SEND] = "send",     [OP_RECV] = "recv",   [OP_PACK] = "pack",
        [OP_REDUCE] = "reduce", [OP_PROBE] = "probe",
    };
    int kind =
        plan_file_word(&r->t, "operation", kinds, sizeof kinds / sizeof *kinds);
    int phase = PHASE_WORK;

    if (kind < 0)
        return -1;
    if (kind != OP_WORK)
        phase = plan_file_word(&r->t, "phase", plan_file_phases, NPHASES);
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

/* --- dependencies and values ---------------------------------------------- */

static int check_dep(struct plan_reader *r, uint32_t dep)
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

static int read_deps(struct plan_reader *r, uint32_t flags)
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

/* Checks that the operation has as many bytes as the values that it carries. */
static int check_bytes(struct plan_reader *r)
{
    const struct plan *p = &r->f->plan;
    const struct op *op = &p->ops[p->nops - 1];
    uint64_t values = 0;

    for (size_t i = plan_first_piece(p, p->nops - 1);
         i < p->npieces && values < PLAN_FILE_BYTES; i++)
        values += p->pieces[i].count;
    if (values != op->bytes / r->f->halo.value_bytes ||
        op->bytes % r->f->halo.value_bytes)
        return text_fail(&r->t, "carries %llu values of %u bytes in %llu bytes",
                         (unsigned long long)values, r->f->halo.value_bytes,
                         (unsigned long long)op->bytes);
    return 0;
}

static int read_piece(struct plan_reader *r)
{
    const struct halo *h = &r->f->halo;
    struct piece piece = {0};

    if (plan_file_small(&r->t, "carries: class", h->nclasses, &piece.class_id) <
        0)
        return -1;
    uint64_t has = h->classes[piece.class_id].count;
    if (plan_file_number(&r->t, "carries: first", has, false, &piece.first) <
            0 ||
        plan_file_number(&r->t, "carries: count", has - piece.first + 1, false,
                         &piece.count) < 0)
        return -1;
    if (!piece.count)
        return text_fail(&r->t, "carries: no values");
    plan_piece(&r->f->plan, piece);
    return 0;
}

static int read_pieces(struct plan_reader *r)
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

static int read_op(struct plan_reader *r)
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

    if (plan_file_line(&r->t, "an operation") < 0 || read_kind(r) < 0)
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

static int plan_read_whole(struct plan_reader *r)
{
    uint32_t nops = 0;

    if (plan_file_head(r) < 0 || plan_file_halo(r) < 0 ||
        plan_file_count(&r->t, "ops", 0, LAST_STEP, &nops) < 0)
        return -1;
    for (uint32_t i = 0; i < nops; i++)
        if (read_op(r) < 0)
            return -1;
    if (plan_file_line_of(&r->t, "end") < 0 || plan_file_line_end(&r->t) < 0)
        return -1;
    int more = text_data_line(&r->t, "#");
    return more > 0 ? text_fail(&r->t, "there is more after the end") : more;
}

int plan_file_load(struct plan_file *f, const char *path, struct err *err)
{
    struct plan_reader r = {.f = f};

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
