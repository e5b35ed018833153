/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files of the ranks of a liballprof trace by the name of one of
 * them. */
#include "workloads/trace/liballprof.h"
#include "workloads/trace/scan.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#define LIBALLPROF_MOST_RANKS (UINT32_C(1) << 20)

/* --- recognition ---------------------------------------------------------- */

/* Returns whether a line begins as "MPI_Init:-:...", the first line of a trace
 * that is neither empty nor begins with #. */
static bool liballprof_is_call(struct scan line)
{
    const char *c = line.at + 4;

    if (line.end - line.at < 6 || memcmp(line.at, "MPI_", 4) != 0)
        return false;
    while (c < line.end && (isalnum((unsigned char)*c) || *c == '_'))
        c++;
    return c + 1 < line.end && *c == ':' &&
           (c[1] == '-' || isdigit((unsigned char)c[1]));
}

static bool liballprof_looks_like(const char *head, size_t n)
{
    const char *at = head, *end = head + n;

    while (at < end) {
        struct scan line = scan_line(at, end, &at);
        scan_blanks(&line);
        if (line.at < line.end && *line.at != '#')
            return liballprof_is_call(line);
    }
    return false;
}

static bool liballprof_file_looks_like(const char *path)
{
    char head[TRACE_HEAD_B];
    struct stat about;
    struct err err;
    size_t n;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
           input_head(path, head, sizeof head, &n, &err) == 0 &&
           liballprof_looks_like(head, n);
}

static int liballprof_no_dots(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* Returns the path of the first file of a trace in a folder, by name; NULL if
 * there is none. The caller frees it. */
static char *liballprof_in_folder(const char *path)
{
    struct dirent **names;
    int n = scandir(path, &names, liballprof_no_dots, alphasort);
    char *found = NULL;

    for (int i = 0; i < n; i++) {
        char *file = found ? NULL : xasprintf("%s/%s", path, names[i]->d_name);
        if (file && liballprof_file_looks_like(file))
            found = file;
        else
            free(file);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    return found;
}

static bool liballprof_is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool liballprof_is(const char *path, const char *head, size_t n)
{
    if (!liballprof_is_folder(path))
        return liballprof_looks_like(head, n);
    char *file = liballprof_in_folder(path);
    bool result = file != NULL;
    free(file);
    return result;
}

/* --- files of the ranks --------------------------------------------------- */

/* The parts of a path around the last digits of its name, which are the
 * rank. */
struct liballprof_name {
    const char *name; /* after the folder */
    /* Lengths of the folder with its slash, and of the name before the
     * digits. */
    size_t folder, before;
    const char *after;
};

static bool liballprof_split(const char *path, struct liballprof_name *n)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = name + strlen(name);

    while (end > name && !isdigit((unsigned char)end[-1]))
        end--;
    const char *digits = end;
    while (digits > name && isdigit((unsigned char)digits[-1]))
        digits--;
    *n = (struct liballprof_name){name, (size_t)(name - path),
                                  (size_t)(digits - name), end};
    return digits < end;
}

/* Reads the rank in the name of a file. Returns false if the rest of the name
 * differs from n's. */
static bool liballprof_number(const struct liballprof_name *n, const char *name,
                              uint64_t *number)
{
    if (strncmp(name, n->name, n->before) != 0)
        return false;
    const char *behind = number_take_whole(name + n->before, number);
    return behind && !strcmp(behind, n->after);
}

struct liballprof_files {
    char **of; /* indexed by rank */
    uint32_t n, room;
};

static int liballprof_add(struct liballprof_files *f, char *file,
                          uint64_t number, struct err *err)
{
    if (number >= LIBALLPROF_MOST_RANKS) {
        int result = fail(err, "%s: rank %" PRIu64, file, number);
        free(file);
        return result;
    }
    if (number >= f->room) {
        uint32_t room = 2 * (uint32_t)number + 16;
        f->of = xrealloc(f->of, room, sizeof *f->of);
        memset(f->of + f->room, 0, (room - f->room) * sizeof *f->of);
        f->room = room;
    }
    if (f->of[number]) {
        int result = fail(err, "%s: rank %" PRIu64 " is in %s too", file,
                          number, f->of[number]);
        free(file);
        return result;
    }
    f->of[number] = file;
    if (number >= f->n)
        f->n = (uint32_t)number + 1;
    return 0;
}

static int liballprof_find(struct liballprof_files *f, const char *path,
                           struct err *err)
{
    struct liballprof_name n;
    struct dirent **names;
    uint64_t number;
    int result = 0;

    if (!liballprof_split(path, &n))
        return liballprof_add(f, xstrdup(path), 0, err);
    char *folder =
        n.folder ? xasprintf("%.*s", (int)n.folder, path) : xstrdup("./");
    int found = scandir(folder, &names, liballprof_no_dots, alphasort);
    for (int i = 0; i < found; i++) {
        if (result == 0 && liballprof_number(&n, names[i]->d_name, &number))
            result = liballprof_add(
                f, xasprintf("%.*s%s", (int)n.folder, path, names[i]->d_name),
                number, err);
        free(names[i]);
    }
    if (found >= 0)
        free(names);
    free(folder);
    return result;
}

/* Returns the number of ranks that MPI_Comm_size() reports in the first lines
 * of a file; 0 if it is not there. */
static uint32_t liballprof_size(const char *file)
{
    static const char call[] = "MPI_Comm_size:";
    char head[TRACE_HEAD_B];
    struct err err;
    size_t n;

    if (input_head(file, head, sizeof head, &n, &err) < 0)
        return 0;
    for (const char *at = head; at < head + n;) {
        struct scan line = scan_line(at, head + n, &at);
        if (line.end - line.at < (int)sizeof call ||
            memcmp(line.at, call, sizeof call - 1) != 0)
            continue;
        const char *comma = memchr(line.at, ',', (size_t)(line.end - line.at));
        comma = comma ? memchr(comma + 1, ',', (size_t)(line.end - comma - 1))
                      : NULL;
        uint64_t size;
        line.at = comma ? comma + 1 : line.end;
        return scan_digits(&line, &size) && size < LIBALLPROF_MOST_RANKS
                   ? (uint32_t)size
                   : 0;
    }
    return 0;
}

static void liballprof_set(struct trace *t, struct liballprof *l,
                           const struct liballprof_files *f, uint32_t ranks)
{
    trace_set_ranks(t, ranks);
    l->ranks = xcalloc(f->n, sizeof *l->ranks);
    l->n = f->n;
    for (uint32_t r = 0; r < ranks; r++) {
        char *file = r < f->n ? f->of[r] : NULL;
        if (file)
            l->ranks[r].file = file;
        t->rank[r] = (struct trace_rank){
            .file = file, .places_lines = true, .missing = !file};
    }
}

int liballprof_open_files(struct trace *t, struct liballprof *l,
                          struct err *err)
{
    struct liballprof_files f = {0};
    char *path = liballprof_is_folder(t->path) ? liballprof_in_folder(t->path)
                                               : xstrdup(t->path);
    int result = path ? liballprof_find(&f, path, err)
                      : fail(err, "%s: no file of a trace", t->path);
    uint32_t first = 0;

    while (result == 0 && first < f.n && !f.of[first])
        first++;
    uint32_t size = first < f.n ? liballprof_size(f.of[first]) : 0;
    if (result == 0 && f.n == 0)
        result = fail(err, "%s: no such file", t->path);
    if (result == 0 && size && f.n > size)
        result = fail(err,
                      "%s: rank %" PRIu32 ", but %s speaks of %" PRIu32
                      " ranks: are they of different runs?",
                      f.of[f.n - 1], f.n - 1, f.of[first], size);
    if (result == 0)
        liballprof_set(t, l, &f, size > f.n ? size : f.n);
    for (uint32_t r = 0; r < f.n && result < 0; r++)
        free(f.of[r]);
    free(f.of);
    free(path);
    return result;
}
