/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the ranks' files of a DUMPI trace by the names that DUMPI gives. */
#include "workloads/trace/dumpi/find.h"

#include "base/packed.h"
#include "workloads/trace/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define META ".meta"

/* The parts of a name that DUMPI gives: PREFIX-RANK.bin. */
struct parted {
    size_t prefix; /* length of the prefix */
    uint32_t rank;
};

/* --- names ---------------------------------------------------------------- */

/* Splits a name. Returns false unless it has one to ten digits before .bin and
 * a prefix before these. */
static bool name_part(struct parted *p, const char *name)
{
    size_t n = packed_before(name, ".bin"), digits = 0;
    uint64_t rank = 0;

    while (digits < n && name[n - 1 - digits] >= '0' &&
           name[n - 1 - digits] <= '9')
        digits++;
    if (digits == 0 || digits > 10 || digits == n ||
        name[n - 1 - digits] != '-')
        return false;
    for (size_t i = n - digits; i < n; i++)
        rank = rank * 10 + (uint64_t)(name[i] - '0');
    *p = (struct parted){n - digits - 1,
                         rank < UINT32_MAX ? (uint32_t)rank : UINT32_MAX};
    return true;
}

static const char *find_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Returns the folder of a path, with its slash; the caller frees it. */
static char *folder_of(const char *path)
{
    return xasprintf("%.*s", (int)(find_base(path) - path), path);
}

/* --- the folder ----------------------------------------------------------- */

static void files_add(struct dumpi_files *f, uint32_t rank, char *path)
{
    if ((f->nfiles & (f->nfiles + 1)) == 0)
        f->file = xrealloc(f->file, 2 * f->nfiles + 2, sizeof *f->file);
    f->file[f->nfiles++] = (struct dumpi_name){rank, path};
}

static DIR *folder_open(const char *folder, struct err *err)
{
    DIR *d = opendir(*folder ? folder : ".");

    return d ? d : fail_null(err, "%s: %s", folder, strerror(errno));
}

/* Adds the ranks' files with this prefix. */
static int files_scan(struct dumpi_files *f, const char *folder,
                      const char *prefix, struct err *err)
{
    DIR *d = folder_open(folder, err);
    struct parted p;

    if (!d)
        return -1;
    for (struct dirent *e; (e = readdir(d));)
        if (name_part(&p, e->d_name) && p.prefix == strlen(prefix) &&
            memcmp(e->d_name, prefix, p.prefix) == 0)
            files_add(f, p.rank, xasprintf("%s%s", folder, e->d_name));
    closedir(d);
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    const struct dumpi_name *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return strcmp(x->path, y->path);
}

static int files_check(struct dumpi_files *f, struct err *err)
{
    qsort(f->file, f->nfiles, sizeof *f->file, by_rank);
    for (size_t i = 1; i < f->nfiles; i++)
        if (f->file[i].rank == f->file[i - 1].rank)
            return fail(err, "%s and %s are both of rank %u",
                        f->file[i - 1].path, f->file[i].path, f->file[i].rank);
    const struct dumpi_name *last = &f->file[f->nfiles - 1];
    if (last->rank >= (f->ranks ? f->ranks : DUMPI_MOST_RANKS))
        return fail(err, "%s: of rank %u, but %s%s %u ranks: of another run?",
                    last->path, last->rank, f->ranks ? f->meta : "a trace",
                    f->ranks ? " says" : " has at most",
                    f->ranks ? f->ranks : DUMPI_MOST_RANKS);
    return 0;
}

/* --- the .meta ------------------------------------------------------------ */

/* Returns the value if the line begins with this key, else NULL. */
static const char *meta_value(const char *line, const char *end,
                              const char *key)
{
    size_t n = strlen(key);

    if ((size_t)(end - line) <= n || memcmp(line, key, n) != 0 ||
        line[n] != '=')
        return NULL;
    return line + n + 1;
}

static int meta_number(uint64_t *number, const char *at, const char *end,
                       struct err *err)
{
    uint64_t n = 0;

    if (at == end)
        return fail(err, "expected a number");
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || n > UINT64_MAX / 10 - 1)
            return fail(err, "expected a number");
        n = n * 10 + (uint64_t)(*at - '0');
    }
    *number = n;
    return 0;
}

static int meta_line(struct dumpi_files *f, const char *line, const char *end,
                     char **prefix, struct err *err)
{
    const char *value;
    uint64_t ranks = 0;

    if ((value = meta_value(line, end, "startime")))
        return meta_number(&f->start_s, value, end, err);
    if ((value = meta_value(line, end, "fileprefix")) && !*prefix) {
        char *path = xasprintf("%.*s", (int)(end - value), value);
        *prefix = xstrdup(find_base(path));
        free(path);
    }
    if (!(value = meta_value(line, end, "numprocs")))
        return 0;
    if (meta_number(&ranks, value, end, err) < 0)
        return -1;
    if (ranks == 0 || ranks > DUMPI_MOST_RANKS)
        return fail(err, "numprocs: expected 1 to %u, got %llu",
                    DUMPI_MOST_RANKS, (unsigned long long)ranks);
    f->ranks = (uint32_t)ranks;
    return 0;
}

static int meta_read(struct dumpi_files *f, char **prefix, struct err *err)
{
    struct input in;
    int number = 0, result = 0;

    if (input_open(&in, f->meta, err) < 0)
        return -1;
    for (const char *line = in.begin; line < in.end && result == 0;) {
        const char *end = memchr(line, '\n', (size_t)(in.end - line));
        const char *next = end ? end + 1 : in.end;
        number++;
        end = end ? end : in.end;
        if (end > line && end[-1] == '\r')
            end--;
        if (end - line < 4096 && meta_line(f, line, end, prefix, err) < 0)
            result = fail_in(err, "%s:%d", f->meta, number);
        line = next;
    }
    if (result == 0 && !f->ranks)
        result = fail(err, "%s: expected a line numprocs=RANKS", f->meta);
    input_close(&in);
    return result;
}

bool dumpi_find_meta(const char *head, size_t n)
{
    static const char *const keys[] = {
        "hostname=", "numprocs=", "username=", "startime=", "fileprefix="};
    size_t found = 0;

    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        found += memmem(head, n, keys[k], strlen(keys[k])) != NULL;
    return found >= 3;
}

/* --- a path to a .meta, a file or a folder -------------------------------- */

static int find_by_meta(struct dumpi_files *f, const char *path,
                        struct err *err)
{
    char *folder = folder_of(path), *prefix = NULL;

    f->meta = xstrdup(path);
    int result = meta_read(f, &prefix, err);
    if (result == 0 && !prefix) /* the prefix is that of its own name */
        prefix = xasprintf("%.*s", (int)packed_before(find_base(path), META),
                           find_base(path));
    if (result == 0)
        result = files_scan(f, folder, prefix, err);
    if (result == 0 && f->nfiles == 0)
        result =
            fail(err, "%s: found no file %s%s-RANK.bin", path, folder, prefix);
    free(folder);
    free(prefix);
    return result;
}

static int find_by_file(struct dumpi_files *f, const char *path,
                        struct err *err)
{
    struct parted p;
    struct err ignored;

    if (!name_part(&p, find_base(path))) {
        f->alone = true;
        files_add(f, 0, xstrdup(path));
        return 0;
    }
    size_t upto = (size_t)(find_base(path) - path) + p.prefix;
    for (int i = 0; i < NPACKED; i++) {
        char *meta =
            xasprintf("%.*s%s%s", (int)upto, path, META, packed_endings[i]);
        size_t n;
        char c;
        int found = input_head(meta, &c, 1, &n, &ignored);
        int result = found == 0 ? find_by_meta(f, meta, err) : 0;
        free(meta);
        if (found == 0)
            return result;
    }
    char *folder = folder_of(path);
    char *prefix = xasprintf("%.*s", (int)p.prefix, find_base(path));
    int result = files_scan(f, folder, prefix, err);
    free(folder);
    free(prefix);
    return result;
}

/* The first .meta of a folder, or else the first rank's file; a second trace in
 * the folder is an error. */
struct seen {
    char *meta, *file; /* owned */
};

static int folder_see(struct seen *s, const char *folder, const char *name,
                      struct err *err)
{
    bool meta = packed_before(name, META);
    char **first = meta ? &s->meta : &s->file;
    struct parted p, q;

    if (!meta && !name_part(&p, name))
        return 0;
    if (!*first) {
        *first = xstrdup(name);
        return 0;
    }
    if (!meta && name_part(&q, *first) && p.prefix == q.prefix &&
        memcmp(*first, name, p.prefix) == 0)
        return 0;
    return meta || !s->meta
               ? fail(err, "%s: holds several traces: name one, as %s or %s",
                      folder, *first, name)
               : 0;
}

static int folder_look(struct seen *s, const char *folder, struct err *err)
{
    DIR *d = folder_open(folder, err);
    int result = 0;

    if (!d)
        return -1;
    for (struct dirent *e; result == 0 && (e = readdir(d));)
        result = folder_see(s, folder, e->d_name, err);
    closedir(d);
    return result;
}

static int find_in_folder(struct dumpi_files *f, const char *path,
                          struct err *err)
{
    struct seen s = {0};
    int result = folder_look(&s, path, err);

    if (result == 0 && !s.meta && !s.file)
        result = fail(err, "%s: found no file PREFIX-RANK.bin", path);
    if (result == 0) {
        char *named = xasprintf("%s/%s", path, s.meta ? s.meta : s.file);
        result =
            s.meta ? find_by_meta(f, named, err) : find_by_file(f, named, err);
        free(named);
    }
    free(s.meta);
    free(s.file);
    return result;
}

static bool is_folder(const char *path)
{
    DIR *d = opendir(path);

    if (d)
        closedir(d);
    return d != NULL;
}

bool dumpi_find_folder(const char *path)
{
    struct seen s = {0};
    struct err ignored;

    if (!is_folder(path))
        return false;
    bool several = folder_look(&s, path, &ignored) < 0;
    bool found = several || s.file;
    free(s.meta);
    free(s.file);
    return found;
}

int dumpi_find(struct dumpi_files *f, const char *path, struct err *err)
{
    int result = is_folder(path)             ? find_in_folder(f, path, err)
                 : packed_before(path, META) ? find_by_meta(f, path, err)
                                             : find_by_file(f, path, err);

    return result < 0 ? -1 : files_check(f, err);
}

void dumpi_files_clear(struct dumpi_files *f)
{
    for (size_t i = 0; i < f->nfiles; i++)
        free(f->file[i].path);
    free(f->file);
    free(f->meta);
    *f = (struct dumpi_files){0};
}
