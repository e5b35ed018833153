/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims about Fig 4.3, L08 to L17: one node sends 32 or 256 messages to 4 or
 * 16 nodes. */
#include "results/papers/claim_lab.h"

#include <math.h>
#include <stdlib.h>

/*
 * Indices of sizes. The claims call 10^4 B the border; because the figure's
 * curves are not published, "above" is the decade above it.
 */
enum { S_1, S_16, S_64, S_256, S_1K, S_2K, S_4K, S_8K, S_16K, S_64K, S_256K };

static bool in_set(unsigned s, strategy_set set)
{
    return set >> s & 1;
}

/* Counts the sizes from..to at which one of `good` is the fastest of
 * `among`. */
static unsigned wins(const struct grid *g, unsigned from, unsigned to,
                     strategy_set good, strategy_set among)
{
    unsigned n = 0;

    for (unsigned i = from; i <= to; i++)
        n += in_set(fastest(g->times[i], among), good);
    return n;
}

static bool wins_all(const struct grid *g, unsigned from, unsigned to,
                     strategy_set good, strategy_set among)
{
    return wins(g, from, to, good, among) == to - from + 1;
}

/* --- one claim in all sources --------------------------------------------- */

/* A claim about one pattern; `among` are the strategies that it compares. */
struct said {
    bool (*holds)(const struct grid *g, strategy_set among);
    strategy_set among;
    unsigned messages;
    bool few, many; /* 4 nodes, 16 nodes */
};

/* Returns text such as "1-1024 B 3-step/staged, 2048-8192 B ...". The caller
 * frees it. */
static char *winners(const struct grid *g, strategy_set among)
{
    char *text = NULL;

    for (unsigned i = 0, end; i < NSIZES; i = end) {
        unsigned best = fastest(g->times[i], among);
        for (end = i + 1; end < NSIZES && fastest(g->times[end], among) == best;
             end++)
            ;
        text_add(&text, "%s%llu-%llu B %s (%.1f-%.1f us)", i ? ", " : "",
                 (unsigned long long)sizes[i],
                 (unsigned long long)sizes[end - 1], strategies[best]->name,
                 g->times[i][best] * 1e6, g->times[end - 1][best] * 1e6);
    }
    return text;
}

static int say_source(bool *holds, struct lab *lab, struct verdict *v,
                      const struct said *said, enum source source,
                      struct err *err)
{
    *holds = true;
    for (int k = 0; k < 2; k++) {
        const struct grid *g;
        unsigned nodes = k ? 16 : 4;
        if (!(k ? said->many : said->few))
            continue;
        if (lab_grid(&g, lab, source, said->messages, nodes, 0, err) < 0)
            return -1;
        bool here = said->holds(g, said->among);
        char *list = winners(g, said->among);
        verdict_note(v, "%s, %u messages, %u nodes: %s; fastest: %s",
                     source_names[source], said->messages, nodes,
                     here ? "yes" : "no", list);
        free(list);
        *holds &= here;
    }
    return 0;
}

/*
 * Decides by the closed forms as printed, because Section 4.6 is about the
 * paper's models. The corrected forms are noted too, and so is the simulation
 * of the paper's machine, which uses the strategies' real messages, whereas the
 * closed forms assume a worst case.
 */
static void conclude(struct verdict *v, const bool holds[NSOURCES])
{
    v->from = EVIDENCE_MODEL;
    verdict_part(v, holds[PRINTED], "closed forms as printed");
    verdict_note(v,
                 "beside it: closed forms corrected %s; simulation of "
                 "lassen-paper %s",
                 holds[CORRECTED] ? "yes" : "no",
                 holds[SIMULATED] ? "yes" : "no");
}

static int say(struct lab *lab, struct verdict *v, const struct said *said,
               struct err *err)
{
    bool holds[NSOURCES] = {false};

    verdict_note(v,
                 "run: node 0 sends %u messages evenly from its GPUs; each "
                 "strategy at sizes from 1 B to 1 MiB",
                 said->messages);
    for (int s = 0; s < NSOURCES; s++)
        if (say_source(&holds[s], lab, v, said, (enum source)s, err) < 0)
            return -1;
    conclude(v, holds);
    return 0;
}

/* --- L08 to L10: 32 messages ---------------------------------------------- */

static bool three_or_standard(const struct grid *g, strategy_set among)
{
    return wins_all(g, S_1, S_8K,
                    strategies_named("3-step/staged,standard/staged"), among);
}

int claim_32_few(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = three_or_standard,
                              .among = strategies_usual(),
                              .messages = 32,
                              .few = true},
               err);
}

/* The same, but with Split+MD in place of 3-Step. */
static bool split_or_standard(const struct grid *g, strategy_set among)
{
    return wins_all(g, S_1, S_8K, strategies_named("split+md,standard/staged"),
                    among) &&
           wins(g, S_1, S_8K, strategies_named("split+md"), among) > 0;
}

int claim_32_many(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = split_or_standard,
                              .among = strategies_usual(),
                              .messages = 32,
                              .many = true},
               err);
}

/* Staged strategies win well below 10^4 B, the device-aware Standard well
 * above. */
static bool standard_device_large(const struct grid *g, strategy_set among)
{
    return wins_all(g, S_1, S_4K, strategies_staged(), among) &&
           wins_all(g, S_16K, S_64K, strategies_named("standard/device"),
                    among);
}

int claim_32_large(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = standard_device_large,
                              .among = strategies_usual(),
                              .messages = 32,
                              .few = true,
                              .many = true},
               err);
}

/* --- L11 to L15: 256 messages --------------------------------------------- */

static bool staged_aware(const struct grid *g, strategy_set among)
{
    return wins_all(
        g, S_1, S_8K,
        strategies_named("3-step/staged,2-step/staged,split+md,split+dd"),
        among);
}

int claim_256_staged(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = staged_aware,
                              .among = strategies_usual(),
                              .messages = 256,
                              .few = true,
                              .many = true},
               err);
}

/* The paper says "often", which here means most sizes. */
static bool steps_staged(const struct grid *g, strategy_set among)
{
    return 2 * wins(g, S_1, S_8K,
                    strategies_named("3-step/staged,2-step/staged"), among) >
           S_8K + 1;
}

int claim_256_few(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = steps_staged,
                              .among = strategies_staged(),
                              .messages = 256,
                              .few = true},
               err);
}

static bool split_staged(const struct grid *g, strategy_set among)
{
    return 2 * wins(g, S_1, S_8K, strategies_named("split+md"), among) >
           S_8K + 1;
}

int claim_256_many(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = split_staged,
                              .among = strategies_staged(),
                              .messages = 256,
                              .many = true},
               err);
}

static bool steps_device(const struct grid *g, strategy_set among)
{
    return wins_all(g, S_16K, S_64K,
                    strategies_named("3-step/device,2-step/device"), among);
}

int claim_256_large(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){.holds = steps_device,
                              .among = strategies_device(),
                              .messages = 256,
                              .few = true,
                              .many = true},
               err);
}

/* The best case wins above 10^3 B, but not for small messages. */
static bool best_case(const struct grid *g, strategy_set among)
{
    strategy_set best = strategies_named("2-step-1/device");

    return wins_all(g, S_2K, S_64K, best, among) &&
           wins(g, S_1, S_64, best, among) == 0;
}

int claim_best_case(struct lab *lab, struct verdict *v, struct err *err)
{
    return say(lab, v,
               &(struct said){
                   .holds = best_case,
                   .among = strategies_usual() |
                            strategies_named("2-step-1/staged,2-step-1/device"),
                   .messages = 256,
                   .few = true,
                   .many = true},
               err);
}

/* --- L16: duplicates ------------------------------------------------------ */

/* Finds the sizes, as bits, at which another node-aware strategy is the fastest
 * if a quarter of the data is left out. */
static int changes(unsigned *at, struct lab *lab, enum source source,
                   unsigned messages, unsigned nodes, struct err *err)
{
    strategy_set aware =
        strategies_usual() & ~strategies_named("standard/staged,"
                                               "standard/device");
    const struct grid *with, *without;

    if (lab_grid(&with, lab, source, messages, nodes, 0, err) < 0 ||
        lab_grid(&without, lab, source, messages, nodes, 0.25, err) < 0)
        return -1;
    *at = 0;
    for (unsigned i = 0; i <= S_64K; i++)
        if (fastest(with->times[i], aware) != fastest(without->times[i], aware))
            *at |= 1u << i;
    return 0;
}

static char *list_sizes(unsigned at)
{
    char *text = NULL;

    for (unsigned i = 0; i < NSIZES; i++)
        if (at >> i & 1)
            text_add(&text, " %llu", (unsigned long long)sizes[i]);
    return text ? text : xstrdup(" none");
}

int claim_duplicates(struct lab *lab, struct verdict *v, struct err *err)
{
    bool holds[NSOURCES] = {false};

    verdict_note(v, "run: a quarter of the data redundant, removed or not; at "
                    "which sizes (B) another node-aware strategy is the "
                    "fastest");
    for (int s = 0; s < NSOURCES; s++) {
        unsigned few = 0, many = 0;
        for (unsigned nodes = 4; nodes <= 16; nodes += 12) {
            unsigned at32, at256;
            if (changes(&at32, lab, (enum source)s, 32, nodes, err) < 0 ||
                changes(&at256, lab, (enum source)s, 256, nodes, err) < 0)
                return -1;
            few |= at32;
            many |= at256;
        }
        /* With 256 messages some change above 10^3 B, none below. */
        holds[s] =
            few == 0 && many >> S_1K != 0 && (many & ((1u << S_1K) - 1)) == 0;
        char *a = list_sizes(few), *b = list_sizes(many);
        verdict_note(v, "%s: %s; 32 messages:%s; 256 messages:%s",
                     source_names[s], holds[s] ? "yes" : "no", a, b);
        free(a);
        free(b);
    }
    conclude(v, holds);
    return 0;
}

/* --- L17: device-aware, node-aware ---------------------------------------- */

/* The volume that the paper itself calls "extremely large": 32 messages of 10^4
 * B. */
#define LARGE_B 320000.0

/* Finds the smallest volume at which 3-step or 2-step from device memory is the
 * fastest of all; INFINITY if there is none. */
static int least_volume(double *least, struct lab *lab, enum source source,
                        struct err *err)
{
    static const unsigned counts[] = {32, 256}, nodes[] = {4, 16};

    *least = INFINITY;
    for (int k = 0; k < 4; k++) {
        const struct grid *g;
        unsigned messages = counts[k / 2];
        if (lab_grid(&g, lab, source, messages, nodes[k % 2], 0, err) < 0)
            return -1;
        for (unsigned i = 0; i < NSIZES; i++)
            if (in_set(fastest(g->times[i], strategies_usual()),
                       strategies_named("3-step/device,2-step/device")))
                *least = fmin(*least, messages * (double)sizes[i]);
    }
    return 0;
}

int claim_device_volume(struct lab *lab, struct verdict *v, struct err *err)
{
    bool holds[NSOURCES] = {false};

    verdict_note(v,
                 "run: all four patterns; the least volume of a node at "
                 "which a device-aware 3-Step or 2-Step is the fastest of "
                 "all (wanted: some, from %.0f B on)",
                 LARGE_B);
    for (int s = 0; s < NSOURCES; s++) {
        double least;
        if (least_volume(&least, lab, (enum source)s, err) < 0)
            return -1;
        holds[s] = isfinite(least) && least >= LARGE_B;
        verdict_note(v, "%s: %s; %.0f B", source_names[s],
                     holds[s] ? "yes" : "no", least);
    }
    conclude(v, holds);
    return 0;
}
