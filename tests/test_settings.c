/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --set: factors of single numbers and groups, and costs of 0 on every machine,
 * with which a run takes as long as with a negligible cost. */
#include "platforms/platform.h"
#include "platforms/provenance.h"
#include "platforms/settings.h"
#include "study/advise/candidates.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#define SEGMENT "messages.cpu.off_node.segments."
#define MOST_SETS 16

static struct machine with(const char *platform, const char *sets)
{
    const char *list[MOST_SETS];
    char *words = xstrdup(sets), *rest = words;
    struct machine m = {0};
    struct err err = {0};
    size_t n = 0;

    for (char *word; rest && *rest && (word = strsep(&rest, " "));)
        list[n++] = word;
    if (platform_load(&m, platform, list, n, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"loads");
    }
    free(words);
    return m;
}

static const char *refused(const char *set)
{
    static struct err err;
    struct machine m;

    if (platform_load(&m, "lassen", &set, 1, &err) == 0) {
        machine_clear(&m);
        return "";
    }
    return err.text;
}

static double send_of(const struct machine *m, size_t i)
{
    return m->messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[i].send_s;
}

static double recv_of(const struct machine *m, size_t i)
{
    return m->messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[i].recv_s;
}

/* Only the group's numbers change. */
static void test_factors(void)
{
    struct machine is = with("lassen", "");
    struct machine one = with("lassen", SEGMENT "1.send_us=x1.5");
    struct machine two = with("lassen", SEGMENT "1.send_us+recv_us=x1.5");
    struct machine all = with("lassen", SEGMENT "0+1+2.send_us=x0");

    CHECK(send_of(&one, 1) == 1.5 * 0.6 * 1e-6);
    CHECK(recv_of(&one, 1) == recv_of(&is, 1));
    CHECK(send_of(&two, 1) == send_of(&one, 1));
    CHECK_NEAR(recv_of(&two, 1), 1.5 * recv_of(&is, 1), 1e-12);
    CHECK(send_of(&two, 0) == send_of(&is, 0));
    for (size_t i = 0; i < 3; i++)
        CHECK(send_of(&all, i) == 0 && recv_of(&all, i) == recv_of(&is, i));
    CHECK(send_of(&all, 3) == send_of(&is, 3));
    machine_clear(&is);
    machine_clear(&one);
    machine_clear(&two);
    machine_clear(&all);
}

/* Everything that is a NIC's bandwidth changes, and nothing else; shares are
 * two numbers. */
static void test_nic(void)
{
    struct machine is = with("lassen", "");
    struct machine fast = with("lassen", "nic=x2");
    struct machine flat =
        with("flat8",
             SEGMENT "0.alpha_shares=[0.2,0.4] " SEGMENT "*.alpha_shares=x0.5");
    const struct message_table
        *t = &fast.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE],
        *was = &is.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE];

    CHECK_NEAR(fast.network.bandwidth_Bps, 2 * is.network.bandwidth_Bps, 1e-12);
    CHECK_NEAR(fast.network.process_Bps, 2 * is.network.process_Bps, 1e-12);
    for (size_t i = 0; i < is.nwires; i++) {
        bool nic = !strcmp(is.wires[i].type, "nic");
        CHECK_NEAR(fast.wires[i].bandwidth_Bps,
                   is.wires[i].bandwidth_Bps * (nic ? 2 : 1), 1e-12);
    }
    for (size_t i = 0; i < t->nsegments; i++) {
        CHECK_NEAR(t->segments[i].beta_s_per_B,
                   was->segments[i].beta_s_per_B / 2, 1e-12);
        CHECK(t->segments[i].alpha_s == was->segments[i].alpha_s);
    }
    const struct segment *s =
        &flat.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0];
    CHECK_NEAR(s->send_s, 0.1 * s->alpha_s, 1e-12);
    CHECK_NEAR(s->recv_s, 0.2 * s->alpha_s, 1e-12);
    machine_clear(&is);
    machine_clear(&fast);
    machine_clear(&flat);
}

static void test_refused(void)
{
    CHECK_HAS(refused(SEGMENT "1.send_u=x2"), "no number has this name");
    CHECK_HAS(refused("network.topology=x2"), "no number has this name");
    CHECK_HAS(refused("messages.cpu=3"),
              "messages.cpu=3: expected an object, got a number");
    CHECK_HAS(refused("nick=x2"), "no number has this name");
    CHECK_HAS(refused("networ.nodes=x2"), "(did you mean network?)");
    CHECK_HAS(refused(SEGMENT "1.send_us=x"), "got \"x\"");
    CHECK_HAS(refused(SEGMENT "1.send_us=x-1"), "got \"x-1\"");
    CHECK_HAS(refused("nic=x0"), "expected a number above 0, got 0");
    CHECK_HAS(refused("network.nodes=x1.1"), "expected a whole number");
}

/* --- every number --------------------------------------------------------- */

struct settings {
    char **list;
    size_t n;
};

/* Adds a setting for each number below v, whose path is `path`. */
static void add_each(struct settings *s, const struct json *v, const char *path)
{
    size_t nth = 0;

    for (const struct json *c = json_at(v, 0); c; c = json_next(c), nth++) {
        char *at = json_is_array(v) ? xasprintf("%s.%zu", path, nth)
                   : *path          ? xasprintf("%s.%s", path, json_key(c))
                                    : xstrdup(json_key(c));
        if (json_is_number(c) && *path) {
            s->list = xrealloc(s->list, s->n + 1, sizeof *s->list);
            s->list[s->n++] = xasprintf("%s=x1", at);
        } else if (!json_is_object(v) || !source_is_key(json_key(c))) {
            add_each(s, c, at);
        }
        free(at);
    }
}

/* Sets all numbers of a platform at once, because that is faster. */
static size_t set_each(const char *platform)
{
    struct err err = {0};
    struct json *doc = platform_json(platform, NULL, 0, &err);
    struct settings s = {0};
    struct machine m;

    CHECK(doc != NULL);
    add_each(&s, doc, "");
    if (platform_load_document(&m, platform, doc, (const char *const *)s.list,
                               s.n, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"numbers that can be set");
    } else {
        machine_clear(&m);
    }
    for (size_t i = 0; i < s.n; i++)
        free(s.list[i]);
    free(s.list);
    json_free(doc);
    return s.n;
}

/* Every number of every platform can be set. */
static void test_each(void)
{
    struct platform_list list;
    size_t n = 0;

    platform_list(&list);
    for (size_t i = 0; i < list.n; i++)
        n += set_each(list.entries[i].name);
    platform_list_clear(&list);
    CHECK(n > 5000);
}

/* --- costs of zero -------------------------------------------------------- */

static bool is_cost(const char *key)
{
    static const char *const ends[] = {"_us", "_ns", "_ns_per_byte", "_cycles"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t n = strlen(key), k = strlen(ends[i]);
        if (n > k && !strcmp(key + n - k, ends[i]))
            return true;
    }
    return false;
}

/* Returns whether the error is that a part exceeds its whole, which no machine
 * can have. */
static bool contradicts(const char *why)
{
    static const char *const reasons[] = {
        "is a part of it", "expected at most what a miss takes",
        "expected a beta_ns_per_byte above 0 beside it"};

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strstr(why, reasons[i]))
            return true;
    return false;
}

struct zeros {
    const char *platform;
    struct json *doc;
    size_t n, contradictions;
};

static void check_zero(struct zeros *z, struct json *number, const char *key)
{
    double was = json_number(number);
    struct machine m;
    struct err err = {0};

    json_set_number(number, 0);
    z->n++;
    if (platform_read(&m, z->doc, &err) == 0) {
        machine_clear(&m);
    } else if (contradicts(err.text)) {
        z->contradictions++;
    } else {
        fprintf(stderr, "%s, %s: %s\n", z->platform, key, err.text);
        CHECK(!"0 is a cost");
    }
    json_set_number(number, was);
}

static void check_zeros(struct zeros *z, struct json *v)
{
    for (struct json *c = json_at(v, 0); c; c = json_next(c))
        if (json_is_object(c) || json_is_array(c))
            check_zeros(z, c);
        else if (json_is_object(v) && json_is_number(c) && is_cost(json_key(c)))
            check_zero(z, c, json_key(c));
}

static void test_zeros(void)
{
    struct platform_list list;
    size_t n = 0, contradictions = 0;

    platform_list(&list);
    for (size_t i = 0; i < list.n; i++) {
        struct zeros z = {.platform = list.entries[i].name};
        struct err err = {0};
        z.doc = platform_json(z.platform, NULL, 0, &err);
        CHECK(z.doc != NULL);
        check_zeros(&z, z.doc);
        json_free(z.doc);
        n += z.n;
        contradictions += z.contradictions;
    }
    platform_list_clear(&list);
    CHECK(n > 1000);
    CHECK(contradictions < n / 4);
}

/* Returns the fastest candidate's time with a number that is set to `value`. */
static double time_with(const char *platform, const char *words,
                        const char *key, const char *value)
{
    char *set = xasprintf("%s=%s", key, value);
    struct request r;
    struct candidates w;
    struct err err = {0};
    double least_s = INFINITY;

    request_init(&r);
    r.platform = platform;
    r.work.words = words;
    r.work.nodes = 2;
    r.sets.items[r.sets.n++] = set;
    if (candidates_load(&w, &r, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"loads");
        return NAN;
    }
    struct timed_candidates timed =
        candidates_timed(&w, (struct draws_how){.jobs = 1});
    for (size_t i = 0; i < w.n; i++) {
        double time_s = INFINITY;
        if (timed.time(&time_s, timed.of, i, &w.machine, NULL, &err) == 0)
            least_s = fmin(least_s, time_s);
    }
    candidates_clear(&w);
    free(set);
    return least_s;
}

/* A cost of 0 is the limit of ever smaller ones, and differs from a missing
 * one, which would be another machine. */
static void test_limit(void)
{
    static const struct {
        const char *platform, *words, *key;
    } cases[] = {
        {"lassen", "alltoall:bytes=64k", "gpu.kernel_launch_us"},
        {"lassen", "alltoall:bytes=64k", "node.devices.*.message_gap_ns"},
        {"lassen", "alltoall:bytes=4k", "copies.engine_us"},
        {"lassen", "stencil:9pt:96x96", "gpu.kernel_launch_us"},
        {"lassen", "stencil:9pt:96x96", "gpu.stream_sync_us"},
        {"frontier", "stencil:9pt:96x96", "gpu.stream_sync_us"},
        {"lassen", "bfs:rmat:scale=8", "gpu.remote_atomic_us"},
        {"dgx-a100", "bfs:rmat:scale=8", "gpu.access.same_address_ns"},
        {"dgx-a100", "bfs:rmat:scale=8", "gpu.access.hit_ns"},
        {"lassen", "alltoall:bytes=16k",
         SEGMENT "*.send_ns_per_byte+recv_ns_per_byte+gap_us"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double none_s =
            time_with(cases[i].platform, cases[i].words, cases[i].key, "x0");
        double some_s =
            time_with(cases[i].platform, cases[i].words, cases[i].key, "x1e-9");
        if (!(fabs(none_s / some_s - 1) < 1e-6))
            fprintf(stderr, "%s of %s: %g us, %g us\n", cases[i].key,
                    cases[i].platform, none_s * 1e6, some_s * 1e6);
        CHECK_NEAR(none_s, some_s, 1e-6);
    }
}

int main(void)
{
    test_factors();
    test_nic();
    test_refused();
    test_each();
    test_zeros();
    test_limit();
    return check_result();
}
