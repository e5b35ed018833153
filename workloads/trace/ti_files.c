/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the lines of each rank of a time-independent trace: in one file of all
 * ranks, in files that an index names, or in a folder. */
#include "workloads/trace/ti.h"

#include "workloads/trace/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- recognition ---------------------------------------------------------- */

/* Returns whether a line is "RANK word", with a word of letters and
 * underscores. */
static bool ti_is_action(struct scan line)
{
    uint64_t rank;

    if (!scan_whole(&line, &rank))
        return false;
    struct scan word = scan_word(&line);
    if (word.at == word.end)
        return false;
    for (const char *c = word.at; c < word.end; c++)
        if ((unsigned char)((*c | 32) - 'a') > 25 && *c != '_')
            return false;
    return true;
}

/* Finds the first line that is neither empty nor a comment. Returns false if
 * these bytes have none. */
static bool ti_first_line(const char *head, size_t n, struct scan *line)
{
    const char *at = head, *end = head + n;

    while (at < end) {
        *line = scan_line(at, end, &at);
        if (!ti_says_nothing(*line))
            return true;
    }
    return false;
}

bool ti_looks_like(const char *head, size_t n)
{
    struct scan line;

    return ti_first_line(head, n, &line) && ti_is_action(line);
}

static bool ti_file_looks_like(const char *path)
{
    char head[TRACE_HEAD_B];
    struct err err;
    struct stat about;
    size_t n;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
           input_head(path, head, sizeof head, &n, &err) == 0 &&
           ti_looks_like(head, n);
}

/* Returns the path of the file that a line of an index names: relative to the
 * index or, if there is none, to the current folder. Returns NULL if there is
 * no such file; the caller frees the path. */
static char *ti_named(const char *index, struct scan line)
{
    const char *slash = strrchr(index, '/');
    int folder = slash ? (int)(slash + 1 - index) : 0;

    while (line.end > line.at && scan_is_blank(line.end[-1]))
        line.end--;
    scan_blanks(&line);
    int n = line.end - line.at < 4096 ? (int)(line.end - line.at) : 0;
    char *beside =
        xasprintf("%.*s%.*s", *line.at == '/' ? 0 : folder, index, n, line.at);
    struct stat about;
    if (n && stat(beside, &about) == 0)
        return beside;
    free(beside);
    char *here = xasprintf("%.*s", n, line.at);
    if (n && stat(here, &about) == 0)
        return here;
    free(here);
    return NULL;
}

static bool ti_is_index(const char *path, const char *head, size_t n)
{
    struct scan line;

    if (!ti_first_line(head, n, &line) ||
        memchr(line.at, 0, (size_t)(line.end - line.at)))
        return false;
    char *first = ti_named(path, line);
    bool result = first && ti_file_looks_like(first);
    free(first);
    return result;
}

/* --- a folder ------------------------------------------------------------- */

static int ti_by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int ti_no_dots(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* Returns the files of a trace in a folder, sorted by name; the caller frees
 * them. */
static char **ti_in_folder(const char *path, size_t *n)
{
    struct dirent **names;
    int found = scandir(path, &names, ti_no_dots, ti_by_name);
    char **files = NULL;

    *n = 0;
    for (int i = 0; i < found; i++) {
        char *file = xasprintf("%s/%s", path, names[i]->d_name);
        free(names[i]);
        if (!ti_file_looks_like(file)) {
            free(file);
            continue;
        }
        files = xrealloc(files, *n + 1, sizeof *files);
        files[(*n)++] = file;
    }
    if (found >= 0)
        free(names);
    return files;
}

static bool ti_is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool ti_folder_has_some(const char *path)
{
    size_t n;
    char **files = ti_in_folder(path, &n);

    for (size_t i = 0; i < n; i++)
        free(files[i]);
    free(files);
    return n > 0;
}

bool ti_is(const char *path, const char *head, size_t n)
{
    if (ti_is_folder(path))
        return ti_folder_has_some(path);
    return ti_looks_like(head, n) || ti_is_index(path, head, n);
}

/* --- one file per rank ---------------------------------------------------- */

/* Opens one file per rank, and takes ownership of `files`. */
static int ti_open_each(struct trace *t, struct ti *ti, char **files, size_t n,
                        struct err *err)
{
    ti->files = files;
    ti->nfiles = n;
    trace_set_ranks(t, (uint32_t)n);
    ti->ranks = xcalloc(n, sizeof *ti->ranks);
    for (uint32_t r = 0; r < n; r++) {
        if (input_open(&ti->ranks[r].in, files[r], err) < 0)
            return -1;
        ti->ranks[r].first = ti->ranks[r].in.at;
        t->rank[r] =
            (struct trace_rank){.file = files[r], .places_lines = true};
    }
    return 0;
}

static void ti_free_files(char **files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(files[i]);
    free(files);
}

static char **ti_read_index(const char *path, size_t *n, struct err *err)
{
    struct input in;
    char **files = NULL;
    unsigned long number = 0;

    *n = 0;
    if (input_open(&in, path, err) < 0)
        return NULL;
    while (in.at < in.end) {
        struct scan line = scan_line(in.at, in.end, &in.at);
        number++;
        input_pass(&in);
        if (ti_says_nothing(line))
            continue;
        char *file = ti_named(path, line);
        if (!file) {
            int length =
                line.end - line.at < 200 ? (int)(line.end - line.at) : 200;
            (void)fail(err, "%s:%lu: no such file: %.*s", path, number, length,
                       line.at);
            ti_free_files(files, *n);
            input_close(&in);
            return NULL;
        }
        files = xrealloc(files, *n + 1, sizeof *files);
        files[(*n)++] = file;
    }
    input_close(&in);
    return files;
}

static int ti_open_index(struct trace *t, struct ti *ti, struct err *err)
{
    size_t n;
    char **files = ti_read_index(t->path, &n, err);

    if (!files)
        return -1;
    if (n > 1)
        return ti_open_each(t, ti, files, n, err);
    char *only = files[0];
    free(files);
    return ti_open_one(t, ti, only, err);
}

static int ti_first_rank(const char *path, uint64_t *rank, struct err *err)
{
    char head[TRACE_HEAD_B];
    struct scan line;
    size_t n;

    if (input_head(path, head, sizeof head, &n, err) < 0)
        return -1;
    if (!ti_first_line(head, n, &line) || !scan_whole(&line, rank))
        return fail(err, "%s: no line of a trace", path);
    return 0;
}

/* Sorts the files of a folder by rank. */
static int ti_sort_folder(const char *folder, char **files, size_t n,
                          char **sorted, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t rank;
        if (ti_first_rank(files[i], &rank, err) < 0)
            return -1;
        if (rank >= n)
            return fail(err,
                        "%s: rank %" PRIu64 ", but there are %zu files of "
                        "ranks in %s",
                        files[i], rank, n, folder);
        if (sorted[rank])
            return fail(err, "%s: rank %" PRIu64 " is in %s too", files[i],
                        rank, sorted[rank]);
        sorted[rank] = files[i];
    }
    return 0;
}

static int ti_open_folder(struct trace *t, struct ti *ti, struct err *err)
{
    size_t n;
    char **files = ti_in_folder(t->path, &n);

    if (n == 0) {
        free(files);
        return fail(err, "%s: no file of a trace", t->path);
    }
    if (n == 1) {
        char *only = files[0];
        free(files);
        return ti_open_one(t, ti, only, err);
    }
    char **sorted = xcalloc(n, sizeof *sorted);
    if (ti_sort_folder(t->path, files, n, sorted, err) < 0) {
        free(sorted);
        ti_free_files(files, n);
        return -1;
    }
    free(files);
    return ti_open_each(t, ti, sorted, n, err);
}

/* --- the interface -------------------------------------------------------- */

int ti_open_files(struct trace *t, struct ti *ti, struct err *err)
{
    char head[TRACE_HEAD_B];
    size_t n;

    if (ti_is_folder(t->path))
        return ti_open_folder(t, ti, err);
    if (input_head(t->path, head, sizeof head, &n, err) < 0)
        return -1;
    if (!ti_looks_like(head, n) && ti_is_index(t->path, head, n))
        return ti_open_index(t, ti, err);
    return ti_open_one(t, ti, xstrdup(t->path), err);
}

void ti_close_files(struct ti *ti, uint32_t ranks)
{
    for (uint32_t r = 0; ti->ranks && !ti->shared && r < ranks; r++)
        input_close(&ti->ranks[r].in);
    input_close(&ti->whole);
    ti_free_files(ti->files, ti->nfiles);
}
