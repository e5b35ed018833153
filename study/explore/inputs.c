/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files that an experiment names, and computes their digests. */
#include "study/explore/inputs.h"

#include "base/digest.h"
#include "platforms/platform.h"
#include "study/run/own_words.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- names ---------------------------------------------------------------- */

/* Adds an input. It takes the path over. */
static void add_input(struct inputs *in, bool platform, char *path)
{
    in->list = xrealloc(in->list, in->n + 1, sizeof *in->list);
    in->list[in->n++] = (struct input){platform, path};
}

static void add_platforms(struct inputs *in, const char *names)
{
    char *copy = xstrdup(names), *rest = copy, *name;
    struct err ignored; /* the point reports it when it runs */

    while ((name = strsep(&rest, ","))) {
        char *path = platform_path(name, &ignored);
        if (path)
            add_input(in, true, path);
    }
    free(copy);
}

static void add_folder(struct inputs *in, const char *path)
{
    struct dirent **names;
    int n = scandir(path, &names, NULL, alphasort);

    for (int i = 0; i < n; i++) {
        struct stat about;
        char *file = xasprintf("%s/%s", path, names[i]->d_name);
        if (stat(file, &about) == 0 && S_ISREG(about.st_mode))
            add_input(in, false, file);
        else
            free(file);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

/* Adds a file or a folder; a word that is neither is the name of something
 * else. */
static void add_files(struct inputs *in, const char *word)
{
    struct stat about;

    if (!word || stat(word, &about) < 0)
        return;
    if (S_ISREG(about.st_mode))
        add_input(in, false, xstrdup(word));
    else if (S_ISDIR(about.st_mode))
        add_folder(in, word);
}

/* Adds the FILE of a workload's words, which is after the prefix, or after a
 * word or two more: "trace:ti:FILE". */
static void add_workload(struct inputs *in, const char *rest)
{
    for (size_t before = in->n; rest && in->n == before;) {
        add_files(in, rest);
        rest = strchr(rest, ':');
        rest += rest != NULL;
    }
}

void inputs_of(struct inputs *in, const struct json *experiment)
{
    struct request r;
    struct err ignored; /* the point reports it when it runs */

    *in = (struct inputs){.list = NULL};
    request_init(&r);
    if (request_read_json(&r, experiment, &ignored) < 0 || !r.work.words)
        return;
    const struct workload *w = workload_find(r.work.words, &ignored);
    if (r.platform || w)
        add_platforms(in, w ? request_platform(&r, w) : r.platform);
    struct request own;
    if (w && request_split(&own, &r, &ignored) == 0) {
        add_workload(in, own.work.words + strlen(w->prefix));
        request_unsplit(&own);
    }
    add_files(in, r.work.partition);
    add_files(in, r.placement);
    add_files(in, r.strategy);
    add_files(in, r.matching);
}

void inputs_clear(struct inputs *in)
{
    for (size_t i = 0; i < in->n; i++)
        free(in->list[i].path);
    free(in->list);
    *in = (struct inputs){.list = NULL};
}

/* --- digests -------------------------------------------------------------- */

static int digest_platform(const char *path, uint64_t *digest)
{
    struct err ignored;
    struct json *doc = platform_json(path, NULL, 0, &ignored);

    if (!doc)
        return -1;
    char *text = json_text(doc);
    *digest = digest_add(DIGEST_OF_NOTHING, text, strlen(text));
    free(text);
    json_free(doc);
    return 0;
}

static int digest_file(const char *path, uint64_t *digest)
{
    enum { PIECE_B = 1 << 16 };
    FILE *f = fopen(path, "rb");

    if (!f)
        return -1;
    unsigned char *piece = xmalloc(PIECE_B);
    size_t n;
    *digest = DIGEST_OF_NOTHING;
    while ((n = fread(piece, 1, PIECE_B, f)) > 0)
        *digest = digest_add(*digest, piece, n);
    int result = ferror(f) ? -1 : 0;
    fclose(f);
    free(piece);
    return result;
}

int input_digest(const struct input *in, uint64_t *digest)
{
    return in->platform ? digest_platform(in->path, digest)
                        : digest_file(in->path, digest);
}
