/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a script in Python, without a shell and without the user's settings of
 * Python. */
#include "cli/script.h"

#include "base/datafile.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes a file of the document standard input. A pipe would not do, because
 * nobody reads it before this process is the script. */
static int feed(const struct json *input, struct err *err)
{
    FILE *f = temporary_file(err);

    if (!f)
        return -1;
    json_print(input, f);
    /* Above 2, because the file itself may be standard input if that is
     * closed, and would be closed with the file. */
    int copy = fflush(f) || ferror(f) || fseek(f, 0, SEEK_SET)
                   ? -1
                   : fcntl(fileno(f), F_DUPFD, STDERR_FILENO + 1);
    bool bad = copy < 0;
    fclose(f);
    bad = bad || dup2(copy, STDIN_FILENO) < 0;
    if (bad)
        (void)fail_work(err, "temporary file: cannot be written: %s",
                        strerror(errno));
    if (copy >= 0)
        close(copy);
    return bad ? -1 : 0;
}

int script_start(const char *script, const char *argument,
                 const struct json *input, struct err *err)
{
    char *path = datafile_find(script, err);
    char *program = realpath("/proc/self/exe", NULL);

    if (!path) {
        free(program);
        return -1;
    }
    int result = feed(input, err);
    if (result == 0) {
        /* -E, -s: no settings of the user; -B: no files beside the script. */
        (void)execlp("python3", "python3", "-EsB", path,
                     program ? program : "sluice", argument, (char *)NULL);
        result = errno == ENOENT ? fail_work(err, "python3: not found on PATH")
                                 : fail_work(err, "python3: cannot be run: %s",
                                             strerror(errno));
    }
    free(path);
    free(program);
    return result;
}
