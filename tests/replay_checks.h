/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_checks.h - compares the time of a trace's replay on 2 nodes of Lassen
 * with a plan's, and checks its error. */
#ifndef TESTS_REPLAY_CHECKS_H
#define TESTS_REPLAY_CHECKS_H

#include "tests/trace_made.h"

static struct machine lassen;
static const struct made_run on_lassen = {
    .options = {.compute_scale = 1, .flops = 1e9}, .m = &lassen, .nodes = 2};

static inline double time_of(struct plan *p)
{
    struct exec_result x;
    struct err err = {0};
    double time_s = NAN;

    if (exec_plan(&x, &lassen, p, NULL, EXEC_TIMES, &err) == 0) {
        time_s = x.time_s;
        exec_result_clear(&x);
    }
    CHECK(!err.text[0]);
    plan_clear(p);
    return time_s;
}

static inline void start(struct plan *p, unsigned nodes, unsigned each)
{
    plan_init(p, &lassen, "by hand", nodes, each, NULL);
}

static inline void check_time(struct trace *t, double want_s)
{
    char text[1024];

    CHECK_EQ((made_time(&on_lassen, t, text, sizeof text) == want_s), 1);
    CHECK(!text[0]);
    if (text[0])
        fprintf(stderr, "%s\n", text);
    trace_close(t);
}

static inline void check_refused(struct trace *t, const char *part)
{
    char text[1024];

    CHECK(isnan(made_time(&on_lassen, t, text, sizeof text)));
    CHECK(strstr(text, part) != NULL);
    if (!strstr(text, part))
        fprintf(stderr, "got: %s\nexpected: %s\n", text, part);
    trace_close(t);
}

static inline bool load_lassen(void)
{
    struct err err;

    if (platform_load(&lassen, "lassen", NULL, 0, &err) == 0)
        return true;
    fprintf(stderr, "%s\n", err.text);
    return false;
}

#endif
