/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the distribution of the time of the ranks of a replayed trace: text,
 * JSON, CSV. */
#include "cli/print_trace.h"

#include "cli/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_RANKS = 8, SHOWN_LATE = 3 };

/* --- sums ----------------------------------------------------------------- */

/* Returns one of the numbers of a rank, by its offset. */
static double part_of(const struct replay_rank_times *k, size_t offset)
{
    double value;

    memcpy(&value, (const char *)k + offset, sizeof value);
    return value;
}

static void print_part(const struct replay_times *t, const char *indent,
                       const char *name, size_t offset)
{
    double least_s = INFINITY, most_s = -1;
    uint32_t at = 0;

    for (uint32_t r = 0; r < t->ranks; r++) {
        double s = part_of(&t->rank[r], offset);
        least_s = fmin(least_s, s);
        if (s > most_s) {
            most_s = s;
            at = r;
        }
    }
    double sum_s = part_of(&t->sum, offset);
    printf("%s%-*s %12.2f %6.1f %% %12.2f %12.2f  %u\n", indent,
           34 - (int)strlen(indent), name, us(sum_s / t->ranks),
           percent(sum_s / t->ranks, t->time_s), us(least_s), us(most_s), at);
}

#define PART(field) offsetof(struct replay_rank_times, field)

static void print_waits(const struct replay_times *t)
{
    for (int kind = 0; kind < NREPLAY_WAITS; kind++) {
        if (t->sum.late_s[kind] > 0)
            print_part(t, "    ", replay_late_names[kind],
                       PART(late_s) + (size_t)kind * sizeof(double));
        if (t->sum.transfer_s[kind] > 0 && !t->graph)
            print_part(t, "    ", replay_transfer_names[kind],
                       PART(transfer_s) + (size_t)kind * sizeof(double));
    }
}

static void print_sums(const struct outcome *o, const struct replay_times *t)
{
    char head[64];

    snprintf(head, sizeof head, "%s: time of the ranks", o->name);
    printf("%-34s %12s %8s %12s %12s  %s\n", head, "mean us", "share",
           "least us", "most us", "at rank");
    print_part(t, "  ", "computing", PART(computing_s));
    print_part(t, "  ", "sending and receiving", PART(messages_s));
    print_part(t, "  ", t->graph ? "doing nothing" : "waiting",
               PART(waiting_s));
    print_waits(t);
    double after_s = t->time_s - t->sum.end_s / t->ranks;
    if (after_s > t->time_s * 1e-9)
        printf("  %-32s %12.2f %6.1f %%\n", "after a rank's end", us(after_s),
               percent(after_s, t->time_s));
    printf("%s: load balance %.1f %%, communication efficiency %.1f %%, "
           "parallel efficiency %.1f %%\n",
           o->name, 100 * t->load_balance, 100 * t->communication_efficiency,
           100 * t->parallel_efficiency);
}

/* --- ranks ---------------------------------------------------------------- */

struct ranked {
    uint32_t rank;
    double by_s;
};

static int longest_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->by_s != y->by_s)
        return x->by_s > y->by_s ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Returns the ranks, sorted by the number at this offset, the largest first.
 * The caller frees it. */
static struct ranked *rank_by(const struct replay_times *t, size_t offset)
{
    struct ranked *list = xcalloc(t->ranks, sizeof *list);

    for (uint32_t r = 0; r < t->ranks; r++)
        list[r] = (struct ranked){r, part_of(&t->rank[r], offset)};
    qsort(list, t->ranks, sizeof *list, longest_first);
    return list;
}

static double late_of(const struct replay_rank_times *k)
{
    double sum_s = 0;

    for (int kind = 0; kind < NREPLAY_WAITS; kind++)
        sum_s += k->late_s[kind];
    return sum_s;
}

static void print_rank_times_row(const struct replay_times *t, uint32_t rank)
{
    const struct replay_rank_times *k = &t->rank[rank];

    printf("  %-8u %12.2f %12.2f %12.2f %12.2f", rank, us(k->computing_s),
           us(k->messages_s), us(k->waiting_s), us(late_of(k)));
    if (k->most_for != NO_RANK)
        printf("  rank %u, %.2f us", k->most_for, us(k->most_for_s));
    printf("\n");
}

static void print_late(const struct outcome *o, const struct replay_times *t)
{
    struct ranked *list = rank_by(t, PART(caused_s));

    if (list[0].by_s > 0)
        printf("%s: others waited longest because of", o->name);
    for (uint32_t i = 0; i < t->ranks && i < SHOWN_LATE; i++)
        if (list[i].by_s > list[0].by_s / 100)
            printf("%s rank %u (%.2f us in all)", i ? "," : "", list[i].rank,
                   us(list[i].by_s));
    if (list[0].by_s > 0)
        printf("\n");
    free(list);
}

void print_rank_times(const struct outcome *o, bool details)
{
    const struct replay_times *t = o->ranks;
    uint32_t n = details || t->ranks < SHOWN_RANKS ? t->ranks : SHOWN_RANKS;
    struct ranked *list = rank_by(t, PART(waiting_s));

    print_sums(o, t);
    if (!t->graph)
        print_late(o, t);
    printf("%s: ranks that waited longest (%u of %u)\n", o->name, n, t->ranks);
    printf("  %-8s %12s %12s %12s %12s  %s\n", "rank", "computing us",
           "messages us", "waiting us", "for the late", "longest for");
    for (uint32_t i = 0; i < n; i++)
        print_rank_times_row(t, list[i].rank);
    free(list);
}

/* --- JSON, CSV ------------------------------------------------------------ */

static const char *const late_keys[NREPLAY_WAITS] = {
    [REPLAY_RECEIVE] = "late_sender",
    [REPLAY_SEND] = "late_receiver",
    [REPLAY_COLLECTIVE] = "late_member",
    [REPLAY_OTHER] = "late_other",
};
static const char *const transfer_keys[NREPLAY_WAITS] = {
    [REPLAY_RECEIVE] = "message",
    [REPLAY_SEND] = "send",
    [REPLAY_COLLECTIVE] = "collective",
    [REPLAY_OTHER] = "other",
};

static void add_times(struct json *o, const struct replay_rank_times *k)
{
    char key[32];

    json_add_number(o, "computing_s", k->computing_s);
    json_add_number(o, "messages_s", k->messages_s);
    json_add_number(o, "waiting_s", k->waiting_s);
    for (int kind = 0; kind < NREPLAY_WAITS; kind++) {
        snprintf(key, sizeof key, "%s_s", late_keys[kind]);
        json_add_number(o, key, k->late_s[kind]);
        snprintf(key, sizeof key, "%ss", late_keys[kind]);
        json_add_number(o, key, (double)k->late[kind]);
        snprintf(key, sizeof key, "%s_s", transfer_keys[kind]);
        json_add_number(o, key, k->transfer_s[kind]);
    }
}

void add_rank_times(struct json *o, const struct replay_times *t)
{
    struct json *sum = json_new_object(), *list = json_new_array();

    add_times(sum, &t->sum);
    json_add_number(sum, "load_balance", t->load_balance);
    json_add_number(sum, "communication_efficiency",
                    t->communication_efficiency);
    json_add_number(sum, "parallel_efficiency", t->parallel_efficiency);
    json_add(o, "time_of_ranks", sum);
    for (uint32_t r = 0; r < t->ranks; r++) {
        const struct replay_rank_times *k = &t->rank[r];
        struct json *x = json_new_object();
        json_add_number(x, "rank", r);
        json_add_number(x, "end_s", k->end_s);
        add_times(x, k);
        if (k->most_for != NO_RANK) {
            json_add_number(x, "longest_for_rank", k->most_for);
            json_add_number(x, "longest_for_s", k->most_for_s);
        }
        json_add_number(x, "others_waited_s", k->caused_s);
        json_append(list, x);
    }
    json_add(o, "rank_times", list);
}

void print_rank_times_csv(const struct run_results *r)
{
    printf("strategy,rank,end_s,computing_s,messages_s,waiting_s");
    for (int kind = 0; kind < NREPLAY_WAITS; kind++)
        printf(",%s_s,%ss,%s_s", late_keys[kind], late_keys[kind],
               transfer_keys[kind]);
    printf(",longest_for_rank,longest_for_s,others_waited_s\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct replay_times *t = r->list[i].ranks;
        for (uint32_t rank = 0; t && rank < t->ranks; rank++) {
            const struct replay_rank_times *k = &t->rank[rank];
            printf("%s,%u,%.9g,%.9g,%.9g,%.9g", r->list[i].name, rank, k->end_s,
                   k->computing_s, k->messages_s, k->waiting_s);
            for (int kind = 0; kind < NREPLAY_WAITS; kind++)
                printf(",%.9g,%llu,%.9g", k->late_s[kind],
                       (unsigned long long)k->late[kind], k->transfer_s[kind]);
            if (k->most_for != NO_RANK)
                printf(",%u,%.9g", k->most_for, k->most_for_s);
            else
                printf(",,");
            printf(",%.9g\n", k->caused_s);
        }
    }
}
