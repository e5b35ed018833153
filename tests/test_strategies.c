/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every strategy on many halos, checked value by value without simulated time:
 * the values that each operation needs must have been brought to its source by
 * its dependencies, and at the end every GPU has its values. */
#include "tests/check.h"
#include "tests/toys.h"

#include "strategies/strategy.h"
#include "workloads/workload.h"

#include <igraph/igraph.h>

/* A plan that is checked. Places are the ranks' host memories, then the GPUs.
 * Values are those of class 0, then those of class 1, ... */
struct exam {
    const struct strategy *s;
    const struct machine *m;
    const struct halo *h;
    const struct strategy_options *options;
    const struct plan *p;
    bool spelled;    /* each value is sent once per GPU that needs it */
    uint64_t *first; /* number of the first value of a class */
    uint64_t nvalues, nplaces;
    uint8_t *carried;             /* counts by op and value */
    uint16_t *arrived, *departed; /* counts by place and value */
    uint16_t *crossed; /* counts of crossings between nodes, by value */
};

static uint64_t host_place(const struct exam *e, uint32_t rank)
{
    (void)e;
    return rank;
}

static uint64_t gpu_place(const struct exam *e, uint32_t gpu)
{
    return (uint64_t)e->p->nodes * e->p->ranks_per_node + gpu;
}

static uint64_t source(const struct exam *e, const struct op *op)
{
    bool gpu = op->kind == OP_COPY ? op->dir == D2H : op->src_gpu != NO_GPU;

    return gpu ? gpu_place(e, op->src_gpu) : host_place(e, op->src);
}

static uint64_t target(const struct exam *e, const struct op *op)
{
    bool gpu = op->kind == OP_COPY ? op->dir == H2D : op->dst_gpu != NO_GPU;

    return gpu ? gpu_place(e, op->dst_gpu) : host_place(e, op->dst);
}

static uint32_t node_of_gpu(const struct exam *e, uint32_t gpu)
{
    return gpu / e->h->gpus_per_node;
}

static void check_phase(const struct exam *e, const struct op *op,
                        const struct halo_class *class)
{
    uint32_t from = node_of_gpu(e, class->src), at = plan_node(e->p, op->src);
    bool leaves = from != class->dst_node;

    switch ((enum phase)op->phase) {
    case PHASE_COPY_OUT:
        CHECK(op->kind == OP_COPY && op->dir == D2H);
        CHECK_EQ(op->src_gpu, class->src);
        break;
    case PHASE_ON_NODE:
        CHECK(!leaves);
        break;
    case PHASE_GATHER:
        CHECK(leaves && at == from);
        break;
    case PHASE_OFF_NODE:
        CHECK(leaves && at == from);
        CHECK_EQ(plan_node(e->p, op->dst), class->dst_node);
        break;
    case PHASE_SCATTER:
        CHECK(leaves && at == class->dst_node);
        break;
    case PHASE_COPY_IN:
        CHECK(op->kind == OP_COPY && op->dir == H2D);
        CHECK_EQ(at, class->dst_node);
        break;
    default:
        CHECK(!"a phase of an exchange");
    }
    if (op->phase != PHASE_OFF_NODE)
        CHECK_EQ(at, plan_node(e->p, op->dst));
}

static void carry(struct exam *e, size_t number)
{
    const struct op *op = &e->p->ops[number];
    uint64_t from = source(e, op) * e->nvalues, values = 0;
    uint64_t to = target(e, op) * e->nvalues;

    for (uint32_t i = plan_first_piece(e->p, number);
         i < plan_end_piece(e->p, number); i++) {
        struct piece piece = e->p->pieces[i];
        CHECK(piece.class_id < e->h->nclasses);
        const struct halo_class *class = &e->h->classes[piece.class_id];
        CHECK(piece.first + piece.count <= class->count);
        check_phase(e, op, class);
        values += piece.count;
        for (uint64_t j = 0; j < piece.count; j++) {
            uint64_t v = e->first[piece.class_id] + piece.first + j;
            e->carried[number * e->nvalues + v]++;
            e->departed[from + v]++;
            e->arrived[to + v]++;
            if (op->phase == PHASE_OFF_NODE)
                e->crossed[v]++;
        }
    }
    CHECK(values > 0);
    CHECK_EQ(op->bytes, values * e->h->value_bytes);
}

/* Checks that GPU memory belongs to the node and the socket of the rank that
 * uses it. */
static void check_gpu(const struct exam *e, uint32_t rank, uint32_t gpu)
{
    CHECK_EQ(gpu / e->m->ngpus, plan_node(e->p, rank));
    CHECK_EQ(machine_gpu(e->m, gpu % e->m->ngpus)->socket,
             machine_core_socket(e->m, plan_core(e->p, rank)));
}

static void check_shape(const struct exam *e, const struct op *op)
{
    CHECK(op->kind == OP_MSG || op->kind == OP_COPY);
    if (op->kind == OP_MSG)
        CHECK(op->src != op->dst);
    CHECK(e->s->device_aware == (op->kind == OP_MSG && op->src_gpu != NO_GPU));
    if (op->src_gpu != NO_GPU) {
        check_gpu(e, op->src, op->src_gpu);
        check_gpu(e, op->dst, op->dst_gpu);
    }
}

/* Checks that the values that op `number` needs were at its source from the
 * start, or one of its dependencies brought them; and that it has no other
 * dependencies. */
static void check_deps(const struct exam *e, size_t number)
{
    const struct op *op = &e->p->ops[number];
    uint8_t *mine = &e->carried[number * e->nvalues];
    uint8_t *there = xcalloc(e->nvalues, 1);
    size_t missing = 0;

    for (uint32_t i = plan_first_dep(e->p, number);
         i < plan_end_dep(e->p, number); i++) {
        uint32_t dep = e->p->deps[i];
        CHECK(dep < number);
        CHECK_EQ(target(e, &e->p->ops[dep]), source(e, op));
        bool useful = false;
        for (uint64_t v = 0; v < e->nvalues; v++) {
            uint8_t brings = e->carried[dep * e->nvalues + v];
            there[v] = (uint8_t)(there[v] + brings);
            useful |= brings && mine[v];
        }
        CHECK(useful);
    }
    for (uint32_t c = 0; c < e->h->nclasses; c++) {
        bool owner = source(e, op) == gpu_place(e, e->h->classes[c].src);
        for (uint64_t j = 0; j < e->h->classes[c].count; j++) {
            uint64_t v = e->first[c] + j;
            missing += mine[v] && !owner && !there[v];
            if (e->spelled)
                missing += mine[v] > there[v] && !owner;
        }
    }
    CHECK_EQ(missing, 0);
    free(there);
}

/* Checks that after the last op each place that needs a value has it, and no
 * other place keeps it. */
static void check_place(const struct exam *e, uint64_t place, uint32_t c,
                        uint64_t v)
{
    const struct halo_class *class = &e->h->classes[c];
    uint64_t ranks = gpu_place(e, 0);
    uint32_t gpu = (uint32_t)(place - ranks);
    uint16_t arrived = e->arrived[place * e->nvalues + v];
    uint16_t departed = e->departed[place * e->nvalues + v];
    bool is_gpu = place >= ranks;
    bool needed = is_gpu && node_of_gpu(e, gpu) == class->dst_node &&
                  (class->dst_mask >> (gpu % e->h->gpus_per_node) & 1);

    if (is_gpu && gpu == class->src) {
        CHECK_EQ(arrived, 0);
        CHECK(departed > 0);
        if (e->spelled)
            CHECK_EQ(departed, gpu_set_count(class->dst_mask));
        return;
    }
    if (e->spelled)
        CHECK_EQ(arrived, departed + needed);
    else
        CHECK(arrived == (needed || departed > 0));
    if (is_gpu && !e->s->device_aware)
        CHECK_EQ(arrived, needed);
}

static void check_delivery(const struct exam *e)
{
    for (uint32_t c = 0; c < e->h->nclasses; c++) {
        const struct halo_class *class = &e->h->classes[c];
        bool leaves = node_of_gpu(e, class->src) != class->dst_node;
        uint32_t times = e->spelled ? gpu_set_count(class->dst_mask) : 1;
        for (uint64_t j = 0; j < class->count; j++) {
            uint64_t v = e->first[c] + j;
            CHECK_EQ(e->crossed[v], leaves ? times : 0);
            for (uint64_t place = 0; place < e->nplaces; place++)
                check_place(e, place, c, v);
        }
    }
}

/* Returns the bytes from node k to node l, with redundant ones only if they are
 * kept. */
static uint64_t volume(const struct exam *e, uint32_t k, uint32_t l)
{
    uint64_t values = 0;

    for (uint32_t c = 0; c < e->h->nclasses; c++) {
        const struct halo_class *class = &e->h->classes[c];
        if (k != l && node_of_gpu(e, class->src) == k && class->dst_node == l)
            values += class->count *
                      (e->spelled ? gpu_set_count(class->dst_mask) : 1);
    }
    return values * e->h->value_bytes;
}

/* Checks the bytes between each pair of nodes, and that there are as many
 * messages as in the strategy's paper. */
static void check_counts(const struct exam *e)
{
    for (uint32_t k = 0; k < e->p->nodes; k++)
        for (uint32_t l = 0; l < e->p->nodes; l++) {
            uint64_t messages = 0, bytes = 0;
            for (size_t i = 0; i < e->p->nops; i++) {
                const struct op *op = &e->p->ops[i];
                if (op->phase != PHASE_OFF_NODE ||
                    plan_node(e->p, op->src) != k ||
                    plan_node(e->p, op->dst) != l)
                    continue;
                messages++;
                bytes += op->bytes;
            }
            CHECK_EQ(bytes, volume(e, k, l));
            if (k != l && e->s->messages)
                CHECK_EQ(messages,
                         e->s->messages(e->m, e->h, e->options, k, l));
        }
}

static void check_dag(const struct plan *p)
{
    igraph_vector_int_t edges;
    igraph_t graph;
    igraph_bool_t dag = false;

    igraph_vector_int_init(&edges, 0);
    for (size_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            igraph_vector_int_push_back(&edges, p->deps[d]);
            igraph_vector_int_push_back(&edges, (igraph_integer_t)i);
        }
    igraph_create(&graph, &edges, (igraph_integer_t)p->nops, IGRAPH_DIRECTED);
    igraph_is_dag(&graph, &dag);
    CHECK(dag);
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&edges);
}

static bool same_op(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->phase == b->phase && a->dir == b->dir &&
           a->src == b->src && a->dst == b->dst && a->src_gpu == b->src_gpu &&
           a->dst_gpu == b->dst_gpu && a->bytes == b->bytes &&
           a->first_dep == b->first_dep;
}

static bool same_plan(const struct plan *a, const struct plan *b)
{
    bool same = a->nops == b->nops && a->ndeps == b->ndeps &&
                a->npieces == b->npieces && !strcmp(a->name, b->name);

    for (size_t i = 0; same && i < a->nops; i++)
        same = same_op(&a->ops[i], &b->ops[i]) &&
               plan_first_piece(a, i) == plan_first_piece(b, i);
    for (size_t i = 0; same && i < a->ndeps; i++)
        same = a->deps[i] == b->deps[i];
    for (size_t i = 0; same && i < a->npieces; i++)
        same = a->pieces[i].class_id == b->pieces[i].class_id &&
               a->pieces[i].first == b->pieces[i].first &&
               a->pieces[i].count == b->pieces[i].count;
    return same;
}

static void number_values(struct exam *e)
{
    e->first = xcalloc(e->h->nclasses + 1, sizeof *e->first);
    for (uint32_t c = 0; c < e->h->nclasses; c++)
        e->first[c + 1] = e->first[c] + e->h->classes[c].count;
    e->nvalues = e->first[e->h->nclasses];
    e->nplaces = gpu_place(e, e->p->nodes * e->m->ngpus);
    e->carried = xcalloc(e->p->nops * e->nvalues + 1, 1);
    e->arrived = xcalloc(e->nplaces * e->nvalues + 1, sizeof *e->arrived);
    e->departed = xcalloc(e->nplaces * e->nvalues + 1, sizeof *e->departed);
    e->crossed = xcalloc(e->nvalues + 1, sizeof *e->crossed);
}

static void examine(struct exam *e)
{
    number_values(e);
    for (size_t i = 0; i < e->p->nops; i++) {
        check_shape(e, &e->p->ops[i]);
        carry(e, i);
        check_deps(e, i);
    }
    check_delivery(e);
    check_counts(e);
    check_dag(e->p);
    free(e->first);
    free(e->carried);
    free(e->arrived);
    free(e->departed);
    free(e->crossed);
}

static void conform(const struct strategy *s, const struct machine *m,
                    const struct halo *h,
                    const struct strategy_options *options, const char *what)
{
    struct plan plan, again;
    struct err err = {0};
    int before = check_failures;

    if (strategy_plan(s, &plan, m, h, options, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"planned");
        return;
    }
    CHECK(strategy_plan(s, &again, m, h, options, &err) == 0);
    CHECK(same_plan(&plan, &again));

    struct exam e = {.s = s, .m = m, .h = h, .options = options, .p = &plan};
    e.spelled = options->keep_duplicates || s->spelled;
    examine(&e);
    if (check_failures > before)
        fprintf(stderr, "... in %s, %s%s\n", s->name, what,
                options->keep_duplicates ? ", duplicates kept" : "");
    plan_clear(&plan);
    plan_clear(&again);
}

static void conform_all(const struct machine *m, const struct halo *h,
                        struct strategy_options options, const char *what)
{
    for (size_t i = 0; i < nstrategies; i++)
        for (int keep = 0; keep < 2; keep++) {
            options.keep_duplicates = keep;
            conform(strategies[i], m, h, &options, what);
        }
}

static void random_halos(void)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t dice = seed;
        uint32_t nodes = 1 + toy_below(&dice, 6);
        uint32_t gpn = 1 + toy_below(&dice, nodes > 3 ? 4 : 6);
        uint32_t missing = toy_below(&dice, 2) ? toy_below(&dice, gpn) : 0;
        unsigned cores = (gpn + 1) / 2 + toy_below(&dice, 6);
        struct machine m = toy_machine(nodes, gpn, cores);
        struct halo h = toy_halo(nodes * gpn - missing, gpn, seed);
        struct strategy_options options = {
            .message_cap_B = toy_below(&dice, 2) ? 0 : 1 + toy_below(&dice, 90),
            .ranks_per_node = toy_below(&dice, 2) ? 0 : 2 * ((gpn + 1) / 2),
        };
        char what[64];
        snprintf(what, sizeof what, "seed %d: %u GPUs, %u per node", (int)seed,
                 h.ngpus, gpn);
        conform_all(&m, &h, options, what);
        toy_halo_clear(&h);
        machine_clear(&m);
    }
}

static void hand_made_halos(void)
{
    struct machine m = toy_machine(3, 3, 4);
    struct halo h = {.ngpus = 8, .gpus_per_node = 3, .value_bytes = 8};

    conform_all(&m, &h, (struct strategy_options){0}, "nothing to send");
    toy_class(&h, 0, 1, 7, 5);
    conform_all(&m, &h, (struct strategy_options){0}, "one class for three");
    toy_class(&h, 0, 2, 1, 1);
    toy_class(&h, 0, 2, 3, 4);
    toy_class(&h, 1, 0, 5, 2);
    toy_class(&h, 7, 0, 7, 100);
    conform_all(&m, &h, (struct strategy_options){0}, "uneven last node");
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* Sets of GPUs of a node use every word of them, up to the 128th. */
static void wide_nodes(void)
{
    static const uint32_t gpn[] = {72, 128};

    for (size_t i = 0; i < 2; i++) {
        struct machine m = toy_machine(2, gpn[i], gpn[i]);
        struct halo h = {
            .ngpus = 2 * gpn[i], .gpus_per_node = gpn[i], .value_bytes = 8};
        gpu_set last = gpu_set_of(gpn[i] - 1);
        toy_class(&h, 0, 0, gpu_set_of(5) | gpu_set_of(40) | last, 3);
        toy_class(&h, 0, 1, gpu_set_of(33), 9);
        toy_class(&h, 0, 1, last, 1);
        toy_class(&h, 0, 1, last | gpu_set_of(31) | gpu_set_of(64), 5);
        toy_class(&h, gpn[i] - 1, 1, last | 1, 7);
        toy_class(&h, 2 * gpn[i] - 1, 0, gpu_set_of(63) | gpu_set_of(64), 2);
        conform_all(&m, &h, (struct strategy_options){0}, "a wide node");
        toy_halo_clear(&h);
        machine_clear(&m);
    }
}

/* Tests workloads in which GPUs send each other messages in each round. */
static void traffic_halos(void)
{
    static const char *const words[] = {
        "alltoall:bytes=24", "alltoallv:mean=3,spread=1,seed=2",
        "sendrecv:bytes=5",
        "moe:tokens=6,experts=14,topk=3,skew=1,hidden=4,seed=3"};
    struct machine m = toy_machine(3, 3, 4);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct err err = {0};
        struct halo h;
        const struct workload *w = workload_find(words[i], &err);
        CHECK(w && w->traffic);
        if (!w ||
            w->traffic(&h, 7, 3, words[i] + strlen(w->prefix), &err) < 0) {
            CHECK(!"made");
            continue;
        }
        for (uint32_t k = 0; k < halo_rounds(&h); k++)
            conform_all(&m, h.nrounds ? &h.rounds[k] : &h,
                        (struct strategy_options){.turned = i % 2}, words[i]);
        halo_clear(&h);
    }
    machine_clear(&m);
}

int main(void)
{
    random_halos();
    hand_made_halos();
    wide_nodes();
    traffic_halos();
    return check_result();
}
