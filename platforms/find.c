/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds platform files by name, and lists them. */
#include "platforms/platform.h"

#include "base/known.h"
#include "base/text.h"
#include "base/datafile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NFOLDERS = 1 + DATAFILE_PLACES };

/* Fills in the folders that are searched, in order; NULL if there is none. */
static void folders_init(char *folders[NFOLDERS])
{
    const char *given = getenv("SLUICE_PLATFORMS");

    folders[0] = given && *given ? xstrdup(given) : NULL;
    for (int i = 0; i < DATAFILE_PLACES; i++)
        folders[1 + i] = datafile_place("platforms", i);
}

static void folders_clear(char *folders[NFOLDERS])
{
    for (size_t i = 0; i < NFOLDERS; i++)
        free(folders[i]);
}

static int find_unknown(const char *name, struct err *err)
{
    struct platform_list list;

    platform_list(&list);
    const char **names = xcalloc(list.n, sizeof *names);
    for (size_t i = 0; i < list.n; i++)
        names[i] = list.entries[i].name;
    char *hint = known_hint(name, names, list.n, "sluice list platforms");
    (void)fail(err, "%s: unknown platform%s", name, hint);
    free(hint);
    free(names);
    platform_list_clear(&list);
    return -1;
}

char *platform_find(const char *name)
{
    char *folders[NFOLDERS], *path = NULL;

    folders_init(folders);
    for (size_t i = 0; i < NFOLDERS && !path; i++) {
        if (!folders[i])
            continue;
        path = xasprintf("%s/%s.json", folders[i], name);
        if (access(path, R_OK) != 0) {
            free(path);
            path = NULL;
        }
    }
    folders_clear(folders);
    return path;
}

char *platform_path(const char *name_or_path, struct err *err)
{
    if (strchr(name_or_path, '/') || text_before(name_or_path, ".json"))
        return xstrdup(name_or_path);
    char *path = platform_find(name_or_path);
    if (!path)
        (void)find_unknown(name_or_path, err);
    return path;
}

static char *about_file(const char *path)
{
    struct err err = {0};
    const char *about;
    struct json *doc = json_load(path, &err);

    if (!doc)
        return xasprintf("(%s)", err.text);
    char *text = json_get_string(doc, "about", &about, &err) < 0
                     ? xasprintf("(%s)", err.text)
                     : xstrdup(about);
    json_free(doc);
    return text;
}

static bool has(const struct platform_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->entries[i].name, name))
            return true;
    return false;
}

static void add_folder(struct platform_list *list, const char *folder)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    struct dirent *file;

    while (dir && (file = readdir(dir))) {
        size_t len = text_before(file->d_name, ".json");
        if (!len || file->d_name[0] == '.')
            continue;
        char *name = xasprintf("%.*s", (int)len, file->d_name);
        if (has(list, name)) {
            free(name);
            continue;
        }
        char *path = xasprintf("%s/%s", folder, file->d_name);
        list->entries =
            xrealloc(list->entries, list->n + 1, sizeof *list->entries);
        list->entries[list->n++] =
            (struct platform_entry){name, about_file(path)};
        free(path);
    }
    if (dir)
        closedir(dir);
}

static int find_by_name(const void *a, const void *b)
{
    return strcmp(((const struct platform_entry *)a)->name,
                  ((const struct platform_entry *)b)->name);
}

void platform_list(struct platform_list *list)
{
    char *folders[NFOLDERS];

    *list = (struct platform_list){0};
    folders_init(folders);
    for (size_t i = 0; i < NFOLDERS; i++)
        add_folder(list, folders[i]);
    folders_clear(folders);
    if (list->n)
        qsort(list->entries, list->n, sizeof *list->entries, find_by_name);
}

void platform_list_clear(struct platform_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->entries[i].name);
        free(list->entries[i].about);
    }
    free(list->entries);
    *list = (struct platform_list){0};
}
