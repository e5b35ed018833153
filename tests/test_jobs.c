/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel work: every item is done once, no worker does two at a time, and the
 * error is the same with any number of threads. */
#include "base/jobs.h"
#include "tests/check.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { PIECES = 500, WORKERS = 5 };

struct board {
    atomic_int done[PIECES], busy[WORKERS], under_way, most, strangers;
    bool fails[PIECES];
    bool first_sleeps;
};

static void nap(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static int mark(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct board *b = arg;
    int now = ++b->under_way;

    if (now > b->most)
        b->most = now;
    if (worker >= WORKERS || b->busy[worker]++)
        b->strangers++;
    nap(b->first_sleeps && i == 0 ? 2000 : 50);
    b->done[i]++;
    if (worker < WORKERS)
        b->busy[worker]--;
    b->under_way--;
    return b->fails[i] ? fail(err, "piece %zu", i) : 0;
}

static void check_all(unsigned most)
{
    struct board b = {0};
    struct err err = {0};

    CHECK(jobs_run(PIECES, most, mark, &b, &err) == 0);
    for (size_t i = 0; i < PIECES; i++)
        CHECK_EQ(b.done[i], 1);
    CHECK_EQ(b.strangers, 0);
    CHECK(b.most <= (int)(most ? most : 1));
}

/* The first item fails long after the second, and yet its error is reported;
 * the last items do not begin. */
static void check_first_error(unsigned most)
{
    struct board b = {.first_sleeps = true};
    struct err err = {0};
    int done = 0;

    b.fails[0] = b.fails[1] = b.fails[30] = true;
    CHECK(jobs_run(PIECES, most, mark, &b, &err) < 0);
    CHECK(!strcmp(err.text, "piece 0"));
    for (size_t i = 0; i < PIECES; i++)
        done += b.done[i];
    CHECK(most > 1 ? done < PIECES : done == 1);
}

int main(void)
{
    struct err err = {0};

    CHECK(jobs_cores() >= 1);
    CHECK(jobs_run(0, 3, mark, NULL, &err) == 0);
    for (unsigned most = 0; most <= WORKERS; most++) {
        check_all(most);
        check_first_error(most);
    }
    return check_result();
}
