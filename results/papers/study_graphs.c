/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the graphs and partitions of a study in a folder. */
#include "results/papers/study_graphs.h"

#include "base/digest.h"
#include "base/outfile.h"
#include "workloads/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- names ---------------------------------------------------------------- */

int study_files_of(struct study_files *f, const char *folder,
                   const struct study_graph *sg, double scale,
                   const struct graph *tiny, struct err *err)
{
    char *words = study_words(sg, scale);
    uint64_t d = digest_text(DIGEST_OF_NOTHING, words);

    free(words);
    d = digest_add(d, tiny->first, ((size_t)tiny->n + 1) * sizeof *tiny->first);
    d = digest_add(d, tiny->to, graph_arcs(tiny) * sizeof *tiny->to);
    *f = (struct study_files){folder, sg, scale, d};
    if (folder && mkdir(folder, 0777) < 0 && errno != EEXIST)
        return fail(err, "--graphs %s: cannot be made: %s", folder,
                    strerror(errno));
    return 0;
}

/* Returns DIR/NAME-SCALE-DIGEST. The caller frees it. */
static char *stem(const struct study_files *f)
{
    return xasprintf("%s/%s-%.9g-%016llx", f->folder, f->sg->name, f->scale,
                     (unsigned long long)f->digest);
}

static char *parts_path(const struct study_files *f, enum graph_partition how,
                        unsigned gpus)
{
    char *begin = stem(f);
    char *path =
        xasprintf("%s-%s-%u.parts", begin, graph_partition_names[how], gpus);

    free(begin);
    return path;
}

/* --- graphs --------------------------------------------------------------- */

static int keep_graph(const struct study_files *f, const char *path,
                      struct err *err)
{
    struct graph g;

    if (access(path, F_OK) == 0)
        return 0;
    if (study_make(&g, f->sg, f->scale, err) < 0)
        return -1;
    int result = graph_save(&g, path, err);
    graph_clear(&g);
    return result;
}

int study_files_graph(struct graph *g, const struct study_files *f,
                      struct err *err)
{
    if (!f->folder)
        return study_make(g, f->sg, f->scale, err);
    char *begin = stem(f);
    char *path = xasprintf("%s.sluice-graph", begin);
    int result = keep_graph(f, path, err);
    if (result == 0)
        result = graph_read(g, path, err);
    free(path);
    free(begin);
    return result;
}

/* --- partitions ----------------------------------------------------------- */

static int write_parts(const char *path, const uint32_t *part, uint32_t n,
                       struct err *err)
{
    struct outfile out;

    if (outfile_open(&out, path, err) < 0)
        return -1;
    /* Each number is one digit, because there are at most 8 GPUs. */
    for (uint32_t v = 0; v < n; v++) {
        putc_unlocked('0' + (int)part[v], out.stream);
        putc_unlocked('\n', out.stream);
    }
    return outfile_close(&out, err);
}

static int keep_part(const char *path, const struct graph *g,
                     enum graph_partition how, unsigned gpus, struct err *err)
{
    uint32_t *part;

    if (access(path, F_OK) == 0)
        return 0;
    if (study_part(&part, g, how, gpus, err) < 0)
        return -1;
    int result = write_parts(path, part, g->n, err);
    free(part);
    return result;
}

/* Makes a partition under a lock, which ends with its file descriptor, so also
 * if the process is killed. */
static int keep_part_alone(const struct study_files *f, const char *path,
                           const struct graph *g, enum graph_partition how,
                           unsigned gpus, struct err *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *name = xasprintf("%s/lock", f->folder);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int result = 0;

    if (fd < 0 || fcntl(fd, F_SETLKW, &lock) < 0)
        result =
            fail_work(err, "%s: cannot be locked: %s", name, strerror(errno));
    if (result == 0)
        result = keep_part(path, g, how, gpus, err);
    if (fd >= 0)
        close(fd);
    free(name);
    return result;
}

int study_files_part(uint32_t **part, const struct study_files *f,
                     const struct graph *g, enum graph_partition how,
                     unsigned gpus, struct err *err)
{
    bool quick = gpus == 1 || how == GRAPH_RANDOM || how == GRAPH_CONTIGUOUS;

    if (!f->folder || quick)
        return study_part(part, g, how, gpus, err);
    char *path = parts_path(f, how, gpus);
    int result = 0;
    if (access(path, F_OK) != 0)
        result = keep_part_alone(f, path, g, how, gpus, err);
    *part = xcalloc(g->n, sizeof **part);
    if (result == 0)
        result = parts_read(*part, g->n, gpus, path, "vertices", err);
    if (result < 0) {
        free(*part);
        *part = NULL;
    }
    free(path);
    return result;
}
