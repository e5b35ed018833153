/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plan files: every strategy's plan, exchanges and all that a plan can hold
 * read back equal; bad files are refused with the line. */
#include "sim/plan/plan_check.h"
#include "tests/check.h"
#include "tests/scratch.h"
#include "tests/toys.h"

#include "base/seconds.h"
#include "platforms/platform.h"
#include "strategies/strategy.h"
#include "workloads/exchange.h"
#include "workloads/plan_file.h"

static bool same_op(const struct op *a, const struct op *b)
{
    if (a->kind != b->kind || a->phase != b->phase || a->dir != b->dir ||
        a->src != b->src || a->dst != b->dst || a->src_gpu != b->src_gpu ||
        a->dst_gpu != b->dst_gpu || a->bytes != b->bytes ||
        a->first_dep != b->first_dep)
        return false;
    return a->kind == OP_WORK || a->synced == b->synced;
}

static void check_same_lists(const struct plan *a, const struct plan *b)
{
    for (size_t i = 0; i < a->nops; i++) {
        CHECK(same_op(&a->ops[i], &b->ops[i]));
        CHECK_EQ(plan_first_piece(a, i), plan_first_piece(b, i));
        CHECK_EQ(!a->match, !b->match);
        CHECK(!a->match ||
              !memcmp(&a->match[i], &b->match[i], sizeof *a->match));
    }
    for (size_t i = 0; i < a->ndeps; i++)
        CHECK_EQ(a->deps[i], b->deps[i]);
    for (size_t i = 0; i < a->npieces; i++) {
        CHECK_EQ(a->pieces[i].class_id, b->pieces[i].class_id);
        CHECK_EQ(a->pieces[i].first, b->pieces[i].first);
        CHECK_EQ(a->pieces[i].count, b->pieces[i].count);
    }
}

static void check_same_plan(const struct plan *a, const struct plan *b)
{
    CHECK(!strcmp(a->name, b->name));
    CHECK_EQ(a->nodes, b->nodes);
    CHECK_EQ(a->ranks_per_node, b->ranks_per_node);
    CHECK(!memcmp(a->core, b->core, a->ranks_per_node * sizeof *a->core));
    CHECK_EQ(a->nops, b->nops);
    CHECK_EQ(a->ndeps, b->ndeps);
    CHECK_EQ(a->npieces, b->npieces);
    if (a->nops == b->nops && a->ndeps == b->ndeps && a->npieces == b->npieces)
        check_same_lists(a, b);
}

static void check_same_halo(const struct halo *a, const struct halo *b)
{
    CHECK_EQ(a->ngpus, b->ngpus);
    CHECK_EQ(a->gpus_per_node, b->gpus_per_node);
    CHECK_EQ(a->value_bytes, b->value_bytes);
    CHECK_EQ(a->nclasses, b->nclasses);
    for (uint32_t i = 0; i < a->nclasses && i < b->nclasses; i++) {
        CHECK_EQ(a->classes[i].src, b->classes[i].src);
        CHECK_EQ(a->classes[i].dst_node, b->classes[i].dst_node);
        CHECK_EQ(a->classes[i].dst_mask, b->classes[i].dst_mask);
        CHECK_EQ(a->classes[i].count, b->classes[i].count);
    }
}

static char *write_plan(const struct plan *p, const struct machine *m,
                        const struct halo *h)
{
    char *path = scratch_path("plan");
    FILE *f = fopen(path, "w");
    struct err err = {0};

    CHECK(plan_file_write(f, p, m, h, &err) == 0);
    CHECK(fclose(f) == 0);
    return path;
}

static void there_and_back(const struct plan *p, const struct machine *m,
                           const struct halo *h)
{
    struct plan_file back;
    struct err err = {0};
    char *path = write_plan(p, m, h);

    CHECK(plan_check_ranks(p, &err) == 0);
    if (plan_file_load(&back, path, &err) < 0) {
        fprintf(stderr, "%s: %s\n", p->name, err.text);
        CHECK(!"read back");
    } else {
        check_same_plan(p, &back.plan);
        if (h)
            check_same_halo(h, &back.halo);
        CHECK(!strcmp(back.machine, m->name));
        CHECK_EQ(back.gpus_per_node, m->ngpus);
        plan_file_clear(&back);
    }
    free(path);
}

/* Tests machines of several shapes, and halos from sparse to dense. */
static void check_strategies(void)
{
    struct err err;

    for (uint64_t seed = 1; seed <= 30; seed++) {
        unsigned gpus = 1 + (unsigned)seed % 4, nodes = 1 + (unsigned)seed % 5;
        struct machine m = toy_machine(nodes, gpus, 8);
        struct halo h = toy_halo(nodes * gpus - (gpus > 1), gpus, seed);
        struct strategy_options options = {.keep_duplicates = seed % 2,
                                           .message_cap_B = 16 + seed};
        for (size_t s = 0; s < nstrategies; s++) {
            struct plan p;
            if (strategy_plan(strategies[s], &p, &m, &h, &options, &err) < 0)
                continue;
            there_and_back(&p, &m, &h);
            plan_clear(&p);
        }
        toy_halo_clear(&h);
        machine_clear(&m);
    }
}

static void check_exchange(void)
{
    struct machine m = toy_machine(4, 0, 8);
    struct exchange x;
    struct plan p;
    struct err err = {0};

    CHECK(exchange_draw(
              &x, "random:ranks=50,messages=20,rounds=5,bytes=0..1000,seed=3",
              machine_cores(&m), &err) == 0);
    CHECK(exchange_to_plan(&p, &m, &x, &err) == 0);
    there_and_back(&p, &m, NULL);
    plan_clear(&p);
    exchange_clear(&x);
    machine_clear(&m);
}

/* Tests each kind of operation and each kind of dependency, in any order. */
static void check_all_kinds(void)
{
    struct machine m = toy_machine(2, 2, 2);
    struct plan p;

    plan_init(&p, &m, "all kinds, 1e-300 s", 2, 3, (unsigned[]){2, 0, 3});
    uint32_t d2h = plan_copy(&p, PHASE_COPY_OUT, 1, D2H, 1, 1000);
    uint32_t msg = plan_msg(&p, PHASE_GATHER, 1, 4, NO_GPU, NO_GPU, 1 << 20);
    plan_after(&p, d2h);
    uint32_t gpus = plan_msg(&p, PHASE_OFF_NODE, 1, 4, 0, 3, 5);
    plan_after(&p, msg | AFTER_SENT);
    plan_after(&p, d2h);
    plan_posted_after(&p, msg);
    plan_after(&p, d2h);
    uint32_t work = plan_work(&p, 4, 1e-300);
    plan_after(&p, gpus);
    plan_msg(&p, PHASE_SCATTER, 0, 4, NO_GPU, NO_GPU, 0);
    plan_posted_after(&p, work);
    uint32_t back = plan_send(&p, PHASE_ON_NODE, 4, 5, ANY_TAG - 1, 77);
    plan_msg(&p, PHASE_SCATTER, 0, 4, NO_GPU, NO_GPU, 0);
    plan_posted_after(&p, back | AFTER_SENT);
    plan_recv(&p, PHASE_COPY_IN, 5, ANY_RANK, ANY_TAG, UINT64_MAX);
    plan_recv(&p, PHASE_COPY_IN, 5, 2, 3, 4);
    plan_copy_peer(&p, PHASE_WORK, 5, 2, 3, 9);
    plan_work(&p, 5, 0.1);
    uint32_t pack = plan_pack(&p, PHASE_PACK, 4, 3, 80, true);
    plan_pack(&p, PHASE_UNPACK, 4, 2, 0, false);
    plan_after(&p, pack);
    plan_pack(&p, PHASE_PACK, 4, NO_GPU, 7, false);
    plan_reduce(&p, PHASE_GATHER, 4, 3, 80, PLAN_MAX_INPUTS, true);
    plan_after(&p, pack);
    plan_reduce(&p, PHASE_WORK, 5, NO_GPU, 8, 1, false);
    there_and_back(&p, &m, NULL);
    plan_clear(&p);
    machine_clear(&m);
}

/* --- refusals ------------------------------------------------------------- */

#define HEAD                                                                   \
    "sluice-plan 1\nname a b\nmachine duo\nnodes 2\ngpus_per_node 1\n"         \
    "ranks_per_node 2\ncores 0 1\n"
#define HALO HEAD "halo 2 8 2\n0 1 1 10\n1 0 1 20\n"

static void refused(const char *text, const char *want)
{
    struct plan_file f;
    struct err err = {0};
    char *path = scratch_file("bad", text);

    if (plan_file_load(&f, path, &err) == 0) {
        fprintf(stderr, "not refused, expected \"%s\": %s", want, text);
        CHECK(!"refused");
        plan_file_clear(&f);
    } else {
        CHECK_HAS(err.text, want);
        CHECK_HAS(err.text, path);
        CHECK(f.plan.ops == NULL && f.machine == NULL);
    }
    free(path);
}

static void check_head(void)
{
    refused("", "empty");
    refused("sluice-plan 2\n", "bad:1: sluice-plan: expected 1");
    refused("{\"name\": 1}\n", "bad:1: expected 'sluice-plan'");
    refused("sluice-plan 1\nname \n", "bad:2: name: expected a name");
    refused("sluice-plan 1\nname a\nmachine m\nnode 2\n",
            "bad:4: expected 'nodes'");
    refused("sluice-plan 1\nname a\nmachine m\nnodes 0\n",
            "bad:4: nodes: expected a number above 0");
    refused("sluice-plan 1\nname a\nmachine m\nnodes 99999999999\n",
            "bad:4: nodes: expected a number below");
    refused("sluice-plan 1\nname a\nmachine m\nnodes 16000000\n"
            "gpus_per_node 1\nranks_per_node 2\n",
            "bad:6: more than 16777216 ranks");
    refused("sluice-plan 1\nname a\nmachine m\nnodes 1\ngpus_per_node 0\n"
            "ranks_per_node 4000000\ncores 1 2 3\n",
            "bad:7: cores: expected a number");
    refused(HEAD "halo 3 8 0\n", "halo: GPUs: expected a number below 3");
    refused(HEAD "halo 0 8 0\n", "expected 0 0 0");
    refused(HEAD "halo 2 0 0\n", "1 byte or more");
    refused(HEAD "halo 2 8 1\n0 0 1 10\n", "bad:9: class: GPU 0 of node 0");
    refused(HEAD "halo 2 8 1\n0 1 2 10\n", "GPU 1 of node 1 cannot need it");
    refused(HEAD "halo 2 8 1\n0 1 1 0\n", "of nothing");
    refused(HEAD "halo 2 8 1\n0 1 1 nan\n", "class: values: expected a number");
    refused(HEAD "halo 2 8 2\n1 0 1 1\n0 1 1 1\n", "not behind the one before");
    refused(HEAD "halo 2 8 4000000000\n0 1 1 10\n",
            "bad:9: the file ends after this line");
}

static void check_packs(void)
{
    refused(HALO "ops 1\npack pack 0 8 gpu 1\nend\n",
            "bad:12: GPU 1 is not on the node of rank 0");
    refused(HALO "ops 1\npack pack 0 8 gpu\nend\n", "bad:12: GPU: expected");
    refused(HALO "ops 1\npack pack 0 -8\nend\n", "bad:12: bytes: expected");
    refused(HALO "ops 1\nreduce work 0 8 0\nend\n",
            "bad:12: inputs: a reduction has at least 1");
    refused(HALO "ops 1\nreduce work 0 8 256\nend\n", "bad:12: inputs");
    refused(HALO "ops 1\npack pack 0 8 synced gpu 0\nend\n",
            "bad:12: expected after, sent");
    refused(HALO "ops 1\npack pack 0 8 carries 0 0 2\nend\n",
            "bad:12: carries 2 values of 8 bytes in 8 bytes");
}

static void check_ops(void)
{
    refused(HALO, "bad:10: the file ends after this line: expected ops");
    refused(HALO "ops 2\nwork 0 1\n",
            "bad:12: the file ends after this line: expected an operation");
    refused(HALO "ops 1\nwork 0 1\n", "expected end");
    refused(HALO "ops 1\nwork 0 1\nend\nend\n", "bad:14: there is more");
    refused(HALO "ops 1\nwork 0 nan\nend\n", "bad:12: work: expected 0 to");
    refused(HALO "ops 1\nwork 0 -1\nend\n", "work: expected 0 to");
    refused(HALO "ops 1\nwork 0 1e99\nend\n", "work: expected 0 to");
    refused(HALO "ops 1\nwork 4 1\nend\n", "rank: expected a number below 4");
    refused(HALO "ops 1\nwurk 4 1\nend\n", "operation: not among");
    refused(HALO "ops 1\nmsg on-node 0 1 8\nend\n", "phase: not among");
    refused(HALO "ops 1\nmsg on_node 0 1 99999999999999999\nend\n",
            "bytes: expected a number below");
    refused(HALO "ops 1\nmsg on_node 0 1 8 gpus 0 2\nend\n",
            "GPU: expected a number below 2");
    refused(HALO "ops 1\nmsg on_node 0 1 8 gpus 0 1\nend\n",
            "GPU 1 is not on the node of rank 1");
    refused(HALO "ops 1\ncopy copy_in H2H 0 0 0 8\nend\n",
            "direction: not among");
    refused(HALO "ops 1\ncopy copy_in H2D 0 1 1 8\nend\n",
            "GPU 1 is not on the node of rank 0");
    refused(HALO "ops 1\nsend on_node 0 1 4294967295 8\nend\n",
            "tag: expected a number below");
    refused(HALO "ops 1\nrecv on_node 0 none any any\nend\n",
            "rank: expected a number");
    refused(HALO "ops 1\nwork 0 1 befor 0\nend\n", "expected after, sent");
}

static void check_deps(void)
{
    refused(HALO "ops 2\nwork 0 1\nwork 0 1 after 1\nend\n",
            "bad:13: 1 is no earlier operation");
    refused(HALO "ops 2\nwork 0 1\nwork 0 1 after 99999999999\nend\n",
            "99999999999 is no earlier operation");
    refused(HALO "ops 2\nwork 0 1\nwork 0 1 after\nend\n",
            "expected numbers of operations");
    refused(HALO "ops 2\nwork 1 1\nwork 0 1 after 0\nend\n",
            "operation 0 ends on rank 1, not on 0");
    refused(HALO "ops 2\nmsg on_node 0 1 8\nwork 0 1 after 0\nend\n",
            "operation 0 ends on rank 1, not on 0");
    refused(HALO "ops 2\nwork 0 1\nwork 0 1 sent 0\nend\n",
            "operation 0 is no message");
    refused(HALO "ops 2\nwork 0 1\nwork 0 1 posted 0\nend\n",
            "only a msg has such a receive");
}

static void check_pieces(void)
{
    refused(HALO "ops 1\nmsg on_node 0 1 8 carries 2 0 1\nend\n",
            "carries: class: expected a number below 2");
    refused(HALO "ops 1\nmsg on_node 0 1 8 carries 0 10 1\nend\n",
            "carries: first: expected a number below 10");
    refused(HALO "ops 1\nmsg on_node 0 1 8 carries 0 9 2\nend\n",
            "carries: count: expected a number below 2");
    refused(HALO "ops 1\nmsg on_node 0 1 8 carries 0 9 0\nend\n", "no values");
    refused(HALO "ops 1\nmsg on_node 0 1 8 carries 0 0 2\nend\n",
            "carries 2 values of 8 bytes in 8 bytes");
    refused(HALO "ops 1\nwork 0 1 carries 0 0 2\nend\n",
            "only a copy, a pack or");
    refused(HALO "ops 1\nmsg on_node 0 1 8 carries\nend\n",
            "carries: class: expected a number");
}

/* Tests the fuzzer's corpus: bad-* is refused, the others are plans. */
static void check_corpus(void)
{
    DIR *folder = opendir("tests/corpus/plan_file");
    int files = 0;

    CHECK(folder != NULL);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        struct plan_file f;
        struct err err;
        if (e->d_name[0] == '.')
            continue;
        files++;
        char *path = xasprintf("tests/corpus/plan_file/%s", e->d_name);
        bool good = plan_file_load(&f, path, &err) == 0;
        CHECK_EQ(good, strncmp(e->d_name, "bad-", 4) != 0);
        if (good)
            plan_file_clear(&f);
        free(path);
    }
    if (folder)
        closedir(folder);
    CHECK(files >= 9);
}

/* 100,000 operations and as many dependencies are read in about a second. */
static void check_speed(void)
{
    struct machine m = toy_machine(4, 4, 8);
    struct plan_file back;
    struct plan p;
    struct err err;

    plan_init(&p, &m, "long", 4, 16, NULL);
    for (uint32_t i = 0; i < 100000; i++) {
        plan_msg(&p, PHASE_OFF_NODE, i % 64, (i + 1) % 64, NO_GPU, NO_GPU, i);
        if (i)
            plan_after(&p, i - 1);
    }
    char *path = write_plan(&p, &m, NULL);
    double begin = seconds();
    CHECK(plan_file_load(&back, path, &err) == 0);
    printf("100,000 operations read in %.3f s\n", seconds() - begin);
    CHECK(seconds() - begin < 5);
    CHECK_EQ(back.plan.nops, 100000);
    plan_file_clear(&back);
    plan_clear(&p);
    machine_clear(&m);
    free(path);
}

/* A plan that the file cannot express is refused, not shortened silently. */
static void check_unwritten(void)
{
    struct machine m;
    struct plan p;
    struct err err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    CHECK(platform_load(&m, "duo", NULL, 0, &err) == 0);
    plan_init(&p, &m, "rma", 2, 1, NULL);
    p.window_B = xcalloc(2, sizeof *p.window_B);
    CHECK(plan_file_write(f, &p, &m, NULL, &err) < 0);
    CHECK(strstr(err.text, "rma: a plan with windows of its own"));
    free(p.window_B);
    p.window_B = NULL;
    p.new_share = xcalloc(2, sizeof *p.new_share);
    CHECK(plan_file_write(f, &p, &m, NULL, &err) < 0);
    CHECK(strstr(err.text, "rma: a plan with shares of new memory"));
    plan_clear(&p);
    machine_clear(&m);
    fclose(f);
    CHECK_EQ(size, 0);
    free(text);
}

int main(void)
{
    scratch_make();
    check_strategies();
    check_exchange();
    check_all_kinds();
    check_head();
    check_unwritten();
    check_ops();
    check_packs();
    check_deps();
    check_pieces();
    check_corpus();
    check_speed();
    scratch_clear();
    return check_result();
}
