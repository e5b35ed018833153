/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a message of a plan, from making the plan to the end of its
 * simulation: the growth of a process' peak with messages. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "workloads/exchange.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { OWN_MEMORY = 0 }; /* because the sanitizer's is included */
#else
enum { OWN_MEMORY = 1 };
#endif

static struct machine flat;

static int run(const struct plan *p, struct err *err)
{
    struct exec_options o = exec_defaults;
    struct exec_result r;

    o.accuracy = AUTO_TOLERANCE;
    if (exec_plan(&r, &flat, p, &o, EXEC_MAKESPAN, err) < 0)
        return -1;
    exec_result_clear(&r);
    return 0;
}

/* Every rank sends to all others, with all messages posted at once. */
static int all_to_all(unsigned ranks, struct err *err)
{
    struct plan p;

    plan_init(&p, &flat, "all-to-all", 1, flat.ncores, NULL);
    if (plan_spread(&p, &flat, ranks, err) < 0)
        return -1;
    for (uint32_t k = 1; k < ranks; k++)
        for (uint32_t r = 0; r < ranks; r++)
            plan_msg(&p, PHASE_OFF_NODE, r, (r + k) % ranks, NO_GPU, NO_GPU,
                     1000);
    return run(&p, err);
}

/* Each of 256 ranks sends this many messages, 25 of them in each round. */
static int in_rounds(unsigned messages, struct err *err)
{
    struct exchange x;
    struct plan p;
    char words[96];

    snprintf(words, sizeof words,
             "random:ranks=256,messages=%u,rounds=%u,bytes=1..1000,seed=1",
             messages, messages / 25);
    if (exchange_draw(&x, words, machine_cores(&flat), err) < 0 ||
        exchange_to_plan(&p, &flat, &x, err) < 0)
        return -1;
    exchange_clear(&x);
    return run(&p, err);
}

/* Returns the peak of a process that does it, in bytes. */
static double peak_B(int (*work)(unsigned n, struct err *err), unsigned n)
{
    struct rusage use = {0};
    struct err err = {0};
    int status = 1;

    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int result = work(n, &err);
        if (result < 0)
            err_print(&err);
        _exit(result < 0);
    }
    CHECK(pid > 0 && wait4(pid, &status, 0, &use) == pid && status == 0);
    return (double)use.ru_maxrss * 1024;
}

int main(void)
{
    struct err err = {0};

    if (!OWN_MEMORY)
        return 77;
    if (platform_load(&flat, "flat8", NULL, 0, &err) < 0) {
        err_print(&err);
        return 1;
    }
    double small = peak_B(all_to_all, 256), large = peak_B(all_to_all, 768);
    double each = (large - small) / (768.0 * 767 - 256.0 * 255);
    printf("all at once: %.1f B a message\n", each);
    CHECK(each > 0 && each < 64);
    small = peak_B(in_rounds, 400), large = peak_B(in_rounds, 2000);
    each = (large - small) / (256.0 * 1600);
    printf("in rounds of 25: %.1f B a message\n", each);
    CHECK(each > 0 && each < 112);
    machine_clear(&flat);
    return check_result();
}
