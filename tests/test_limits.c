/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests limits on all platforms, by both engines: if a message has very many
 * bytes it goes at one of the machine's rates, if it has few it takes its
 * latency, and a cost that is set to 0 is gone, because the time is then that
 * of a cost next to nothing. The argument is the number of messages of the
 * chain in which costs are 0 (6). */
#include "tests/known.h"
#include "tests/on_machines.h"

#define NEAR 1e-6
#define A_BYTE 0.01 /* share of alpha, for the byte itself and hops */
enum { PART = 12, SIMGRID_PART = 60 };

static unsigned draws;

static void tell(const char *name, const struct machine *m,
                 const struct between *b, const char *what, double got,
                 double want)
{
    printf("%s, %s, %s: %s %.9g, expected %.9g\n", name,
           b->gpu[0] == NO_GPU ? "cpu" : "gpu",
           locality_names[between_where(m, b)], what, got, want);
}

static const struct message_table *table_of(const struct machine *m,
                                            const struct between *b)
{
    enum msg_path path = b->gpu[0] == NO_GPU ? PATH_HOST : machine_gpu_path(m);

    return &m->messages[RUNTIME_MPI][path][between_where(m, b)];
}

/* --- many bytes ----------------------------------------------------------- */

/* Returns whether it is the rate of a wire, of a memory, or of the segment, on
 * a node beyond the caches. */
static bool is_rate(const struct machine *m, double Bps,
                    const struct segment *s)
{
    double beta = s->beta_s_per_B;
    const double others[] = {beta > 0 ? 1 / beta : INFINITY,
                             m->network.bandwidth_Bps, m->network.process_Bps,
                             m->network.gpu_Bps,
                             1 / (beta + s->uncached_s_per_B)};
    bool is = false;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        is |= fabs(Bps / others[i] - 1) < NEAR;
    for (size_t i = 0; i < m->nwires; i++)
        is |= fabs(Bps / m->wires[i].bandwidth_Bps - 1) < NEAR;
    for (size_t i = 0; i < m->ndevices; i++)
        is |= fabs(Bps / m->devices[i].memory_Bps - 1) < NEAR;
    return is;
}

static void many_bytes(const char *name, const struct machine *m,
                       const struct between *b, enum engine_kind engine)
{
    const uint64_t many = UINT64_C(1) << 40;
    const struct message_table *t = table_of(m, b);
    const struct segment *last = &t->segments[t->nsegments - 1];
    double beta = last->beta_s_per_B;
    double once_s = between_time(m, b, many, engine);
    double twice_s = between_time(m, b, 2 * many, engine);
    double Bps = (double)many / (twice_s - once_s);
    bool well = is_rate(m, Bps, last) && Bps * beta <= 1 + NEAR;

    if (!well)
        tell(name, m, b, "B/s", Bps, 1 / beta);
    CHECK(well);
}

/* --- few bytes ------------------------------------------------------------ */

/* A message of a byte takes its alpha, to a hundredth (A_BYTE), unless it has a
 * cost besides, of at most this part of alpha. */
static struct {
    const char *what; /* names of platforms */
    enum locality where;
    bool gpus;
    struct known known;
} beside[] = {
    {"dane dane-alltoall",
     ON_NODE,
     false,
     {0.07, "extra_bytes on the wires, beside the byte", 0}},
    {"lumi", OFF_NODE, false, {0.29, "hop_ns of 559", 0}},
    {"lumi", OFF_NODE, true, {0.26, "hop_ns of 559", 0}},
    {"mare_nostrum marenostrum5", OFF_NODE, false, {0.08, "hop_ns of 104", 0}},
    {"mare_nostrum marenostrum5", OFF_NODE, true, {0.02, "hop_ns of 104", 0}},
};

/* Returns the known cost besides, or NULL if there is none. */
static struct known *known_beside(const char *name, enum locality where,
                                  bool gpus)
{
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
        if (has_word(beside[i].what, name) && beside[i].where == where &&
            beside[i].gpus == gpus)
            return &beside[i].known;
    return NULL;
}

static void few_bytes(const char *name, const struct machine *m,
                      const struct between *b, enum engine_kind engine)
{
    double alpha_s = table_of(m, b)->segments[0].alpha_s;
    double time_s = between_time(m, b, 1, engine);
    double more = time_s / alpha_s - 1;
    struct known *k = more > A_BYTE ? known_beside(name, between_where(m, b),
                                                   b->gpu[0] != NO_GPU)
                                    : NULL;
    bool well =
        more >= -NEAR && (more <= A_BYTE || (k && known_covers(k, more)));

    if (!well)
        tell(name, m, b, "s of a byte", time_s, alpha_s);
    CHECK(well);
}

/* --- a cost of zero ------------------------------------------------------- */

/* Returns whether 0 is refused, because a byte's time in no cache is beside
 * this beta (read_messages.c). */
static bool is_needed(const char *name, const char *key)
{
    return has_word("h200-shared h200-turns h200-x2", name) &&
           strstr(key, "messages.cpu.on_socket") == key &&
           strstr(key, ".beta_ns_per_byte");
}

static void no_cost(const char *name, struct varied *v, const struct plan *p,
                    enum engine_kind engine, unsigned part, uint64_t *seed)
{
    for (size_t i = 0; i < v->of.n; i++) {
        if (v->of.list[i].rate || random_below(seed, part) ||
            is_needed(name, v->of.list[i].key))
            continue;
        double gone_s = varied_time(v, i, 0, p, engine);
        double little_s = varied_time(v, i, 1e-9, p, engine);
        bool well = fabs(gone_s - little_s) <= NEAR * little_s;
        if (!well)
            printf("%s, %s: %s=0: %.9g s, next to 0 %.9g s\n", name,
                   engine_kind_names[engine], v->of.list[i].key, gone_s,
                   little_s);
        CHECK(well);
    }
}

static unsigned by_simgrid; /* kinds of messages that were tested */

static void look(const char *name, const struct machine *m)
{
    uint64_t seed = 5;
    struct varied v;
    struct plan p;
    double time_s;

    by_simgrid += on_all_kinds(name, m, &seed, many_bytes);
    by_simgrid += on_all_kinds(name, m, &seed, few_bytes);
    varied_init(&v, name);
    draw_messages(&p, m, draws, true, &seed);
    no_cost(name, &v, &p, ENGINE_FLUID, PART, &seed);
    if (drawn_time(&time_s, m, &p, ENGINE_SIMGRID) == 0)
        no_cost(name, &v, &p, ENGINE_SIMGRID, SIMGRID_PART, &seed);
    plan_clear(&p);
    varied_clear(&v);
}

int main(int argc, char **argv)
{
    draws = draws_of(argc, argv, 6);
    on_all_machines(look);
    CHECK(by_simgrid > 200);
    KNOWN_CHECK_SEEN(beside);
    return check_result();
}
