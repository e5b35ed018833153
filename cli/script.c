/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a script in Python, without a shell and without the user's settings of
 * Python. */
#include "cli/script.h"

#include "base/child.h"
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

/* A script that is to be started. */
struct start {
    char *path, *program; /* program: this one's path */
    const char *argument;
    const struct json *input;
};

static int start_find(struct start *s, const char *script, struct err *err)
{
    struct err none;
    char *library = datafile_module("libsluice.so", &none);

    if (library)
        setenv("SLUICE_LIBRARY", library, 1);
    free(library);
    s->program = realpath("/proc/self/exe", NULL);
    s->path = datafile_script(script, err);
    return s->path ? 0 : -1;
}

static void start_clear(struct start *s)
{
    free(s->path);
    free(s->program);
}

/* Becomes the script; returns -1 if that fails. */
static int start_become(const struct start *s, struct err *err)
{
    if (feed(s->input, err) < 0)
        return -1;
    /* -E, -s: no settings of the user; -B: no files beside the script. */
    (void)execlp("python3", "python3", "-EsB", s->path,
                 s->program ? s->program : "sluice", s->argument, (char *)NULL);
    return errno == ENOENT
               ? fail_work(err, "python3: not found on PATH")
               : fail_work(err, "python3: cannot be run: %s", strerror(errno));
}

int script_start(const char *script, const char *argument,
                 const struct json *input, struct err *err)
{
    struct start s = {.argument = argument, .input = input};
    int result = start_find(&s, script, err);

    if (result == 0)
        result = start_become(&s, err);
    start_clear(&s);
    return result;
}

/* --- a script that answers ------------------------------------------------ */

/* The child: becomes the script, whose standard output is the pipe, or answers
 * itself that it cannot. */
static void script_child(const void *arg, int fd)
{
    const struct start *s = arg;
    struct err err = {0};

    if (dup2(fd, STDOUT_FILENO) < 0)
        return;
    if (start_become(s, &err) < 0) {
        struct json *doc = json_new_object();
        json_add_string(doc, "error", err.text);
        json_add_number(doc, "code", 1);
        json_print(doc, stdout);
        fflush(stdout);
        json_free(doc);
    }
}

/* Reads until the writing end is closed; the caller frees the text. */
static char *read_answer(int fd)
{
    char *text, part[4096];
    size_t size;
    FILE *to = open_memstream(&text, &size);
    ssize_t n;

    while ((n = read(fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            fwrite(part, 1, (size_t)n, to);
    fclose(to);
    return text;
}

/* Returns the document, unless it says that the script failed. */
static struct json *judge_answer(struct json *doc, struct err *err)
{
    const char *error = json_string(json_member(doc, "error"));

    if (!error)
        return doc;
    if (json_number(json_member(doc, "code")) >= 2)
        (void)fail(err, "%s", error);
    else
        (void)fail_work(err, "%s", error);
    json_free(doc);
    return NULL;
}

struct json *script_run(const char *script, const char *argument,
                        const struct json *input, struct err *err)
{
    struct start s = {.argument = argument, .input = input};
    struct child child;
    struct json *doc = NULL;

    if (start_find(&s, script, err) == 0 &&
        child_spawn(&child, script_child, &s, err) == 0) {
        char *text = read_answer(child.from);
        doc = json_parse(text, script, err);
        free(text);
        if (child_reap(&child, doc != NULL, err) == 0)
            doc = judge_answer(doc, err);
    }
    start_clear(&s);
    return doc;
}
