/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `--repeat k` takes as long as k equal rounds in a file, and an operation of
 * zero length changes no time. */
#include "base/random.h"
#include "platforms/platform.h"
#include "study/run/run.h"
#include "tests/check.h"
#include "tests/scratch.h"

static uint64_t seed;

static unsigned below(unsigned n)
{
    return (unsigned)random_below(&seed, n);
}

/* --- rounds of a file ----------------------------------------------------- */

enum { GPUS = 8, MESSAGES = 6 };

struct message {
    unsigned src, dst, bytes;
};

static size_t random_messages(struct message *list)
{
    static const unsigned bytes[] = {8, 700, 5000, 20000, 110205, 3000000};
    size_t n = 1 + below(MESSAGES);

    for (size_t i = 0; i < n; i++) {
        list[i].src = below(GPUS);
        list[i].dst = (list[i].src + 1 + below(GPUS - 1)) % GPUS;
        list[i].bytes = bytes[below(6)] + (unsigned)i;
    }
    return n;
}

static char *write_rounds(const char *name, const struct message *list,
                          size_t n, unsigned rounds)
{
    char *path = scratch_path(name), *words = xasprintf("comm:%s", path);
    FILE *f = fopen(path, "w");

    fprintf(f, "round,src,dst,bytes\n");
    for (unsigned r = 0; r < rounds; r++)
        for (size_t i = 0; i < n; i++)
            fprintf(f, "%u,%u,%u,%u\n", r, list[i].src, list[i].dst,
                    list[i].bytes);
    fclose(f);
    free(path);
    return words;
}

/* Stores the times of all candidates of a workload, in their own order; returns
 * how many there are. */
static size_t times_of(double *times_s, const char **names,
                       const struct machine *m, const char *words,
                       unsigned repeat, enum engine_kind engine)
{
    struct exec_options exec = exec_defaults;
    struct run_options options = {0};
    struct request request;
    struct outcome *list;
    struct err err = {0};
    struct job job;
    size_t n = 0, kept = 0;

    exec.engine = engine;
    request_init(&request);
    request.work.words = words;
    request.work.gpus = strncmp(words, "comm:", 5) ? 0 : GPUS;
    request.exec = &exec;
    if (job_load_on(&job, m, &request, &err) < 0 ||
        (repeat && job_repeat(&job, repeat, &err) < 0) ||
        job_run(&list, &n, &job, &options, &err) < 0) {
        err_print(&err);
        CHECK(!"run");
        return 0;
    }
    for (size_t c = 0; c < job.nchoices; c++)
        for (size_t i = 0; i < n; i++)
            if (!list[i].why && !strcmp(list[i].name, job.choices[c].name)) {
                names[kept] = job.choices[c].name;
                times_s[kept++] = list[i].time_s;
            }
    outcomes_free(list, n);
    job_clear(&job);
    return kept;
}

static void compare(const char *platform, const struct machine *m,
                    enum engine_kind engine)
{
    enum { MOST = 32 };
    struct message list[MESSAGES];
    unsigned steps = 2 + below(3);
    size_t n = random_messages(list);
    char *one = write_rounds("one.csv", list, n, 1);
    char *all = write_rounds("all.csv", list, n, steps);
    double repeated[MOST], rounds[MOST];
    const char *names[MOST];
    size_t ways = times_of(repeated, names, m, one, steps, engine);

    CHECK(ways > 0);
    CHECK_EQ(times_of(rounds, names, m, all, 0, engine), ways);
    for (size_t i = 0; i < ways; i++) {
        int before = check_failures;
        CHECK_NEAR(repeated[i], rounds[i], 1e-9);
        if (check_failures > before)
            fprintf(stderr, "  %s, %s, %u rounds of %zu messages, %s\n",
                    platform, names[i], steps, n, engine_kind_names[engine]);
    }
    free(one);
    free(all);
}

/* Tests all platforms that the strategies run on: nodes of 1 to 32 GPUs. */
static void repeats_are_rounds(void)
{
    struct platform_list list;

    platform_list(&list);
    for (size_t i = 0; i < list.n; i++) {
        struct machine m;
        struct err err = {0};
        CHECK(platform_load(&m, list.entries[i].name, NULL, 0, &err) == 0);
        seed = i;
        bool enough =
            m.ngpus && m.ngpus <= 32 && m.ngpus * m.network.nodes >= GPUS;
        for (int k = 0; enough && k < 4; k++)
            compare(list.entries[i].name, &m,
                    k ? ENGINE_FLUID : ENGINE_SIMGRID);
        machine_clear(&m);
    }
    platform_list_clear(&list);
}

/* --- operations of zero length -------------------------------------------- */

static double only_time(const char *platform, const char *words,
                        unsigned repeat)
{
    const char *names[32];
    double times[32] = {0};
    struct machine m;
    struct err err = {0};

    CHECK(platform_load(&m, platform, NULL, 0, &err) == 0);
    CHECK(times_of(times, names, &m, words, repeat, ENGINE_FLUID) > 0);
    machine_clear(&m);
    return times[0];
}

/* The time is 2 us + 0.1 ns/B * 1000 B. Both CPUs are busy for 6 us, 4 of which
 * are hidden, because the receiver waits: also behind work that takes no
 * time. */
static void no_work_by_hand(void)
{
    const char *machine = "tests/data/send_and_recv_above_alpha.json";

    CHECK_NEAR(
        only_time(machine, "schedule:tests/data/schedule_work_none.csv", 0),
        2.1e-6, 1e-9);
    CHECK_NEAR(
        only_time(machine, "schedule:tests/data/schedule_work_zero.csv", 0),
        2.1e-6, 1e-9);
}

/* Tests a message of which lassen's CPUs hide a part, from node 0 to node 0. */
static void twice_by_hand(void)
{
    double twice_s = only_time("lassen", "comm:tests/data/one_message.csv", 2);

    CHECK(twice_s ==
          only_time("lassen", "comm:tests/data/one_message_twice.csv", 0));
}

/* --- kernels -------------------------------------------------------------- */

/* Returns the time of a broadcast of NCCL whose launch is later by this. */
static double chain_s(double later_s, unsigned repeat)
{
    const char *names[64];
    double times[64];
    struct machine m;
    struct err err = {0};

    CHECK(platform_load(&m, "dgx-a100", NULL, 0, &err) == 0);
    m.nccl.protocols[NCCL_SIMPLE].start_s += later_s;
    size_t n = times_of(times, names, &m, "broadcast:bytes=1M,memory=device",
                        repeat, ENGINE_FLUID);
    machine_clear(&m);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], "nccl_ring/simple"))
            return times[i];
    CHECK(!"nccl_ring/simple ran");
    return 0;
}

/* Each step launches its kernel. The last ranks of a chain are in one step
 * while the first ones are in the next, so that steps take less than once. */
static void launches_of_steps(void)
{
    double once_s = chain_s(0, 0), four_s = chain_s(0, 4);

    CHECK(four_s < 4 * once_s);
    CHECK_NEAR(chain_s(10e-6, 0) - once_s, 10e-6, 1e-9);
    CHECK_NEAR(chain_s(10e-6, 4) - four_s, 40e-6, 1e-9);
    CHECK_NEAR(chain_s(10e-6, 90) - chain_s(0, 90), 900e-6, 1e-9);
}

int main(void)
{
    scratch_make();
    launches_of_steps();
    no_work_by_hand();
    twice_by_hand();
    repeats_are_rounds();
    scratch_clear();
    return check_result();
}
