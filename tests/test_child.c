/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child process that runs out of memory reports it once, and its parent knows
 * of it. */
#include "base/child.h"
#include "tests/check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* If too much memory is asked for, the sanitizers end the program
 * themselves. */
#if defined(__SANITIZE_ADDRESS__)
enum { REFUSES_MEMORY = 0 };
#else
enum { REFUSES_MEMORY = 1 };
#endif

static int ask(void *arg, struct err *err)
{
    (void)err;
    free(xmalloc(*(size_t *)arg));
    return 0;
}

/* Asks under a limit, so that the kernel refuses memory that it has. */
static int ask_under_limit(void *arg, struct err *err)
{
    struct rlimit limit = {(rlim_t)1 << 28, (rlim_t)1 << 28};

    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return fail(err, "no limit");
    return ask(arg, err);
}

static int ask_for_many(void *arg, struct err *err)
{
    (void)err;
    free(xcalloc(SIZE_MAX / 2, *(size_t *)arg));
    return 0;
}

static int refuse(void *arg, struct err *err)
{
    (void)arg;
    return fail(err, "refused");
}

/* Checks the text that `job` in a child, and then this process, writes to
 * standard error. */
static void check_said(int (*job)(void *arg, struct err *err), size_t bytes,
                       int code, const char *want)
{
    struct err err = {0};
    char said[256] = "";
    FILE *to = tmpfile();
    int kept = dup(2);

    CHECK(to && kept >= 0 && dup2(fileno(to), 2) == 2);
    int result = child_run(job, &bytes, &err);
    int got = result < 0 ? err_print(&err) : 0;
    dup2(kept, 2);
    close(kept);
    rewind(to);
    said[fread(said, 1, sizeof said - 1, to)] = 0;
    fclose(to);
    CHECK_EQ(got, code);
    if (strcmp(said, want) != 0)
        fprintf(stderr, "said '%s', expected '%s'\n", said, want);
    CHECK(!strcmp(said, want));
}

int main(void)
{
    check_said(ask, 100, 0, "");
    check_said(refuse, 0, 2, "sluice: refused\n");
    if (!REFUSES_MEMORY)
        return check_result();
    check_said(ask, SIZE_MAX / 2, 1,
               "sluice: out of memory: wanted 9223372036854775807 bytes\n");
    check_said(ask_under_limit, (size_t)1 << 30, 1,
               "sluice: out of memory: wanted 1073741824 bytes\n");
    check_said(ask_for_many, 8, 1,
               "sluice: out of memory: wanted 9223372036854775807 times 8 "
               "bytes\n");
    return check_result();
}
