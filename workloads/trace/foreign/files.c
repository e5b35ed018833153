/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files of a trace's ranks by their names. */
#include "workloads/trace/foreign/files.h"

#include "base/packed.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- names ---------------------------------------------------------------- */

/* Returns the place of the last number of a stem, and its length. */
static size_t name_number(const char *name, size_t stem, size_t *digits)
{
    size_t end = stem;

    while (end && !isdigit((unsigned char)name[end - 1]))
        end--;
    size_t begin = end;
    while (begin && isdigit((unsigned char)name[begin - 1]))
        begin--;
    *digits = end - begin;
    return begin;
}

/* Returns the part that names of one trace have in common: the name with # for
 * the last number of the stem, or for all numbers. The caller frees it. */
static char *name_kind(const char *name, size_t stem, int all_numbers)
{
    size_t rest = strlen(name + stem);
    char *kind = xcalloc(stem + rest + 2, 1);
    size_t digits, number = name_number(name, stem, &digits), n = 0;

    for (size_t i = 0; i < stem; i++) {
        bool digit = all_numbers ? isdigit((unsigned char)name[i])
                                 : i >= number && i < number + digits;
        if (!digit)
            kind[n++] = name[i];
        else if (n == 0 || kind[n - 1] != '#')
            kind[n++] = '#';
    }
    memcpy(kind + n, name + stem, rest);
    return kind;
}

/* --- folders -------------------------------------------------------------- */

static void files_add(struct rank_files *f, char *path, const char *name,
                      size_t stem)
{
    size_t digits, at = name_number(name, stem, &digits);
    uint64_t number = UINT64_MAX;

    if (digits && digits < 19)
        number = strtoull(name + at, NULL, 10);
    f->files = xrealloc(f->files, f->n + 1, sizeof *f->files);
    f->files[f->n++] = (struct rank_file){path, number};
}

static int files_by_number(const void *a, const void *b)
{
    const struct rank_file *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Adds all files of the folder of this kind. If *kind is NULL, the first file
 * defines it, and another kind is an error. */
static int files_of_folder(struct rank_files *f, const char *folder,
                           const char *ending, int all_numbers, char **kind,
                           struct err *err)
{
    DIR *d = opendir(folder);
    bool any = *kind == NULL;
    int result = 0;

    if (!d)
        return fail(err, "%s: %s", folder, strerror(errno));
    for (struct dirent *e; result == 0 && (e = readdir(d));) {
        size_t stem = packed_before(e->d_name, ending);
        if (!stem || e->d_name[0] == '.')
            continue;
        char *its = name_kind(e->d_name, stem, all_numbers);
        if (!*kind)
            *kind = xstrdup(its);
        if (!strcmp(its, *kind))
            files_add(f, xasprintf("%s/%s", folder, e->d_name), e->d_name,
                      stem);
        else if (any)
            result = fail(err,
                          "%s: files of several traces (%s, %s): name one of "
                          "them",
                          folder, *kind, its);
        free(its);
    }
    closedir(d);
    if (f->n)
        qsort(f->files, f->n, sizeof *f->files, files_by_number);
    return result;
}

int rank_files_find(struct rank_files *f, const char *path, const char *ending,
                    int all_numbers, struct err *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *kind = NULL, *folder;
    struct stat about;

    *f = (struct rank_files){0};
    if (stat(path, &about) < 0)
        return fail(err, "%s: %s", path, strerror(errno));
    bool is_folder = S_ISDIR(about.st_mode);
    size_t stem = packed_before(name, ending), digits = 0;
    if (!is_folder && (!stem || (name_number(name, stem, &digits), !digits))) {
        files_add(f, xstrdup(path), name, 0); /* it is the only one */
        return 0;
    }
    if (!is_folder)
        kind = name_kind(name, stem, all_numbers);
    folder = is_folder ? xstrdup(path)
             : slash   ? xasprintf("%.*s", (int)(slash - path), path)
                       : xstrdup(".");
    int result = files_of_folder(f, *folder ? folder : "/", ending, all_numbers,
                                 &kind, err);
    if (result == 0 && f->n == 0)
        result = fail(err, "%s: no file *%s", path, ending);
    free(folder);
    free(kind);
    return result;
}

void rank_files_clear(struct rank_files *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->files[i].path);
    free(f->files);
    *f = (struct rank_files){0};
}
