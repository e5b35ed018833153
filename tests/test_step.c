/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps by hand: the sums of lists of calls, and lists that are refused. */
#include "apps/agents/execution.h"

#include "base/json.h"
#include "platforms/platform.h"
#include "tests/check.h"

#include <math.h>
#include <string.h>

#define US 1e-6

/* Returns the step of one preset, by its text. */
static struct step step_of(const char *text, struct err *err)
{
    struct step s = {0};
    struct json *doc = json_parse(text, "a test", err);

    CHECK(doc != NULL);
    if (doc && step_read(&s, doc, "bfs", false, err) < 0)
        step_clear(&s);
    json_free(doc);
    return s;
}

static double us(const struct execution *x, enum step_part part,
                 const struct gpu_calls *c)
{
    return step_part_s(&x->steps[BFS][1], part, c) / US;
}

/*
 * A launch takes 3.5, a small copy 3, a synchronisation 7 and an event 1 us:
 * Gunrock's calls are 38 us more on several GPUs, and 11.5 us for each other;
 * Table II of Chen et al. 2022 has 46 to 51 us for the second GPU on roads.
 */
static void gunrock(void)
{
    struct gpu_calls c = {.s = {[GPU_CALL_LAUNCH] = 3.5 * US,
                                [GPU_CALL_SYNC] = 7 * US,
                                [GPU_CALL_COPY_TO_GPU] = 3 * US,
                                [GPU_CALL_COPY_TO_HOST] = 3 * US,
                                [GPU_CALL_PEER_COPY] = 3 * US,
                                [GPU_CALL_EVENT_RECORD] = 1 * US,
                                [GPU_CALL_EVENT_WAIT] = 1 * US,
                                [GPU_CALL_EVENT_QUERY] = 1 * US}};
    struct err err = {0};
    struct execution x;
    struct machine daisy;

    CHECK(execution_load(&x, "bsp", NULL, 0, &err) == 0);
    CHECK(platform_load(&daisy, "daisy", NULL, 0, &err) == 0);
    CHECK_NEAR(us(&x, STEP_BEFORE, &c) + us(&x, STEP_AFTER, &c), 64.5, 1e-9);
    CHECK_NEAR(us(&x, STEP_SEND, &c), 38, 1e-9);
    CHECK_NEAR(us(&x, STEP_SEND_PEER, &c) + us(&x, STEP_RECEIVE_PEER, &c), 11.5,
               1e-9);
    /* The same with Daisy's calls. */
    const struct gpu_calls *d = &daisy.gpu.calls;
    double second = us(&x, STEP_SEND, d) + us(&x, STEP_SEND_PEER, d) +
                    us(&x, STEP_RECEIVE_PEER, d) + us(&x, STEP_RECEIVE, d);
    CHECK(second > 46 && second < 51);
    machine_clear(&daisy);
    execution_clear(&x);
}

/*
 * A launch takes the CPU 4 and the stream 3, a copy 1 and 2, the wait 2. After
 * two launches and a copy the stream is done at 8 + 3 + 2, and the CPU knows it
 * at 15. While a kernel of 20 runs, the CPU is ahead: launches behind it take
 * only the stream's time.
 */
static void cpu_and_stream(void)
{
    struct gpu_calls c = {
        .s = {[GPU_CALL_LAUNCH] = 4,
              [GPU_CALL_COPY_TO_HOST] = 1,
              [GPU_CALL_SYNC] = 2,
              [GPU_CALL_BARRIER] = 10,
              [GPU_CALL_GRID_SYNC] = 0.5},
        .stream_s = {[GPU_CALL_LAUNCH] = 3, [GPU_CALL_COPY_TO_HOST] = 2}};
    struct err err = {0};
    struct step s = step_of(
        "{\"step\": {\"source\": \"a test\", \"before\": [\"2 launch\","
        " \"copy_to_host\", \"sync\"], \"after\": [\"2 launch\", \"sync\"],"
        " \"send\": [\"barrier\", \"launch\"], \"turn\": [\"4 grid_sync\"],"
        " \"pagerank\": {\"send\": [\"launch\"]}}}",
        &err);
    struct step_clock k = {.host_s = 0};

    step_do(&k, &s, STEP_BEFORE, &c);
    CHECK_NEAR(k.host_s, 15, 1e-12);
    CHECK_NEAR(k.stream_s, 13, 1e-12);
    step_work(&k, 20);
    step_do(&k, &s, STEP_AFTER, &c);
    CHECK_NEAR(k.host_s, 15 + 20 + 3 + 3 + 2, 1e-12);
    CHECK_NEAR(step_part_s(&s, STEP_SEND, &c), 10 + 4 + 3, 1e-12);
    CHECK_NEAR(step_part_s(&s, STEP_TURN, &c), 2, 1e-12);
    CHECK_NEAR(step_part_s(&s, STEP_RECEIVE, &c), 0, 1e-12);
    step_clear(&s);
}

/* A copy that is called at 5, while a kernel runs until 8, begins at 5 + 10; if
 * until 17, at 5 + 20; until 26, at 5 + 40; a kernel until 60 it follows at
 * once. On an idle stream it begins when it is called. */
static void copies_behind(void)
{
    const struct gpu_calls c = {
        .s = {[GPU_CALL_COPY_TO_HOST] = 1, [GPU_CALL_SYNC] = 2},
        .stream_s = {[GPU_CALL_COPY_TO_HOST] = 3},
        .behind_s = 10};
    static const struct {
        double work_until, seen;
    } of[] = {{8, 5 + 10 + 3 + 2},
              {17, 5 + 20 + 3 + 2},
              {26, 5 + 40 + 3 + 2},
              {60, 60 + 3 + 2},
              {5, 5 + 3 + 2}};
    struct err err = {0};
    struct step s = step_of("{\"step\": {\"source\": \"a\","
                            " \"after\": [\"copy_to_host\", \"sync\"]}}",
                            &err);

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct step_clock k = {.host_s = 4, .stream_s = of[i].work_until};
        step_do(&k, &s, STEP_AFTER, &c);
        CHECK_NEAR(k.host_s, of[i].seen, 1e-12);
    }
    step_clear(&s);
    /* The second of two follows the first. */
    s = step_of("{\"step\": {\"source\": \"a\","
                " \"after\": [\"2 copy_to_host\", \"sync\"]}}",
                &err);
    struct step_clock k = {.host_s = 4, .stream_s = 8};
    step_do(&k, &s, STEP_AFTER, &c);
    CHECK_NEAR(k.host_s, 5 + 10 + 3 + 3 + 2, 1e-12);
    step_clear(&s);
}

/* Costs that were measured with two threads at once count if several GPUs are
 * in use; all others are those of one. */
static void calls_of_several(void)
{
    struct err err;
    struct machine m;

    CHECK_EQ(platform_load(&m, "h200-x2", NULL, 0, &err), 0);
    const struct gpu_calls *one = machine_gpu_calls(&m, 1);
    const struct gpu_calls *two = machine_gpu_calls(&m, 2);
    CHECK(one == &m.gpu.calls && two == &m.gpu.calls_of_several);
    CHECK(two->s[GPU_CALL_PEER_COPY] > one->s[GPU_CALL_PEER_COPY]);
    CHECK_NEAR(two->s[GPU_CALL_SYNC], one->s[GPU_CALL_SYNC], 0);
    CHECK_NEAR(two->stream_s[GPU_CALL_LAUNCH_WHOLE],
               one->stream_s[GPU_CALL_LAUNCH_WHOLE], 0);
    CHECK_NEAR(two->behind_s, one->behind_s, 0);
    machine_clear(&m);
    CHECK_EQ(platform_load(&m, "daisy", NULL, 0, &err), 0);
    CHECK(machine_gpu_calls(&m, 2) == &m.gpu.calls);
    machine_clear(&m);
}

/* Lists for several GPUs replace the others, and so do those of an
 * algorithm. */
static void lists_instead(void)
{
    static const char text[] =
        "{\"step\": {\"before\": [\"launch\"], \"after\": [\"sync\"],"
        " \"several\": {\"after\": [\"2 sync\"]},"
        " \"pagerank\": {\"before\": [\"3 launch\"]}, \"source\": \"a\"}}";
    const struct gpu_calls c = {
        .s = {[GPU_CALL_LAUNCH] = 1, [GPU_CALL_SYNC] = 10}};
    struct err err = {0};
    struct json *doc = json_parse(text, "a test", &err);

    for (int i = 0; i < 4; i++) {
        struct step s = {0};
        CHECK(step_read(&s, doc, i & 2 ? "pagerank" : "bfs", i & 1, &err) == 0);
        CHECK_NEAR(step_part_s(&s, STEP_BEFORE, &c), i & 2 ? 3 : 1, 1e-12);
        CHECK_NEAR(step_part_s(&s, STEP_AFTER, &c), i & 1 ? 20 : 10, 1e-12);
        step_clear(&s);
    }
    json_free(doc);
}

static void refused(const char *text, const char *why)
{
    struct err err = {0};
    struct step s = step_of(text, &err);

    CHECK(!s.given);
    CHECK_HAS(err.text, why);
}

static void bad_lists(void)
{
    refused("{\"step\": {\"before\": [\"lunch\"], \"source\": \"a\"}}",
            "step: before[0]: unknown call \"lunch\": did you mean launch?");
    refused("{\"step\": {\"before\": [\"0 launch\"], \"source\": \"a\"}}",
            "step: before[0]: expected as in \"4 launch\"");
    refused("{\"step\": {\"before\": [\"sync\", 4], \"source\": \"a\"}}",
            "step: before[1]: expected a call, got a number");
    refused("{\"step\": {\"before\": \"launch\", \"source\": \"a\"}}",
            "step: before: expected an array, got \"launch\"");
    refused("{\"step\": {\"turn\": [\"launch\"], \"source\": \"a\"}}",
            "step: turn: launch is the CPU's");
    refused("{\"step\": {\"befor\": [], \"source\": \"a\"}}", "befor");
    refused("{\"step\": {\"before\": [\"launch\"]}}", "source");
    refused("{\"step\": {\"bfs\": {\"after\": [\"x\"]}, \"source\": \"a\"}}",
            "step: bfs: after[0]: unknown call \"x\"");
}

/* A missing file is reported as such, and nothing else. */
static void no_file(void)
{
    struct execution x;
    struct err err = {0};

    CHECK(execution_load(&x, "no/such.json", NULL, 0, &err) < 0);
    CHECK(!strcmp(err.text,
                  "no/such.json: cannot be read: No such file or directory"));
}

static void unknown_work(void)
{
    struct execution x;
    struct err err = {0};
    const char *set = "work.rounds_us=1";

    CHECK(execution_load(&x, "bsp", &set, 1, &err) < 0);
    CHECK_HAS(err.text,
              "work: rounds_us: unknown key (did you mean round_us?)");
}

/* A list calls a function whose cost is not given. */
static void missing_calls(void)
{
    struct err err = {0};
    struct machine m = {.name = "toy"};
    struct step s = step_of(
        "{\"step\": {\"source\": \"a\", \"send\": [\"memset\"]}}", &err);

    CHECK(step_check(&s, &m, false, &err) == 0);
    CHECK(step_check(&s, &m, true, &err) < 0);
    CHECK_HAS(err.text,
              "toy has no gpu.calls.memset_us, which step.send calls");
    step_clear(&s);
    s = step_of("{\"step\": {\"source\": \"a\", \"turn\": [\"access_hit\"]}}",
                &err);
    CHECK(step_check(&s, &m, true, &err) < 0);
    CHECK_HAS(err.text, "toy has no gpu.access, which step.turn takes");
    step_clear(&s);
}

int main(void)
{
    gunrock();
    cpu_and_stream();
    copies_behind();
    calls_of_several();
    lists_instead();
    bad_lists();
    no_file();
    unknown_work();
    missing_calls();
    return check_result();
}
