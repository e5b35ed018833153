/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On all platforms, a message of very many bytes has one of the machine's
 * rates, one of few bytes takes its latency, and a cost that is set to 0
 * vanishes: the time equals that of a negligible cost. The argument is the
 * number of messages per platform (6). */
#include "tests/on_machines.h"

#define NEAR 1e-6
enum { PART = 12 };

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

/*
 * A message of one byte takes its alpha, within a hundredth (the byte itself,
 * and hops); those that take longer have a further cost, of at most this part
 * of alpha.
 */
static const struct {
    const char *platforms;
    enum locality where;
    bool gpus;
    double most;
    const char *why;
} beside[] = {
    {" dane dane-alltoall ", ON_NODE, false, 0.07,
     "extra_bytes on the wires, beside the byte"},
    {" lumi ", OFF_NODE, false, 0.29, "hop_ns of 559"},
    {" lumi ", OFF_NODE, true, 0.26, "hop_ns of 559"},
    {" mare_nostrum marenostrum5 ", OFF_NODE, false, 0.08, "hop_ns of 104"},
    {" mare_nostrum marenostrum5 ", OFF_NODE, true, 0.02, "hop_ns of 104"},
};

static double most_beside(const char *name, enum locality where, bool gpus)
{
    char word[64];

    snprintf(word, sizeof word, " %s ", name);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
        if (strstr(beside[i].platforms, word) && beside[i].where == where &&
            beside[i].gpus == gpus)
            return beside[i].most;
    return 0.01;
}

static void few_bytes(const char *name, const struct machine *m,
                      const struct between *b, enum engine_kind engine)
{
    double alpha_s = table_of(m, b)->segments[0].alpha_s;
    double time_s = between_time(m, b, 1, engine);
    double most = most_beside(name, between_where(m, b), b->gpu[0] != NO_GPU);
    bool well =
        time_s >= alpha_s * (1 - NEAR) && time_s <= alpha_s * (1 + most);

    if (!well)
        tell(name, m, b, "s of a byte", time_s, alpha_s);
    CHECK(well);
}

/* --- a cost of zero ------------------------------------------------------- */

static void no_cost(const char *name, const struct machine *m, uint64_t *seed)
{
    struct varied v;
    struct plan p;

    varied_init(&v, name);
    draw_messages(&p, m, draws, true, seed);
    for (size_t i = 0; i < v.of.n; i++) {
        if (v.of.list[i].rate || random_below(seed, PART))
            continue;
        double gone_s = varied_time(&v, i, 0, &p);
        double little_s = varied_time(&v, i, 1e-9, &p);
        bool well = fabs(gone_s - little_s) <= NEAR * little_s;
        if (!well)
            printf("%s: %s=0: %.9g s, next to 0 %.9g s\n", name,
                   v.of.list[i].key, gone_s, little_s);
        CHECK(well);
    }
    plan_clear(&p);
    varied_clear(&v);
}

static void look(const char *name, const struct machine *m)
{
    uint64_t seed = 5;

    for (unsigned i = 0; i < draws; i++) {
        struct between b = draw_between(m, &seed);
        if (isnan(between_time(m, &b, 1, ENGINE_FLUID)))
            continue;
        many_bytes(name, m, &b, ENGINE_FLUID);
        few_bytes(name, m, &b, ENGINE_FLUID);
    }
    no_cost(name, m, &seed);
}

int main(int argc, char **argv)
{
    draws = draws_of(argc, argv, 6);
    on_all_machines(look);
    return check_result();
}
