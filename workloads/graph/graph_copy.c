/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and maps sluice's own copy of a graph: a header, then first, to and,
 * if it has coordinates, x and y, each padded with zeros to a multiple of a
 * block. The copy is used in place. */
#include "workloads/graph/graph_read.h"

#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, ORDER = 0x01020304, BLOCK = 32, HAS_COORDINATES = 1 };

struct header {
    char magic[8];
    uint32_t version;
    uint32_t order; /* it reads differently in the other byte order */
    uint64_t vertices, arcs;
    uint64_t flags;
    uint64_t file_B;
    uint64_t unused;   /* 0 */
    uint64_t checksum; /* sum of the whole file with 0 in this place */
};
_Static_assert(sizeof(struct header) == 64, "two blocks, no gaps");

/* A checksum of four lanes, each a round of xxHash64 (Collet) per word. Every
 * step is invertible, so that no change of a single word is lost. */
struct sum {
    uint64_t lane[4];
};

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu

static uint64_t rotate(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void sum_block(struct sum *s, const void *block)
{
    uint64_t words[4];

    memcpy(words, block, sizeof words);
    for (int i = 0; i < 4; i++)
        s->lane[i] = rotate(s->lane[i] + words[i] * PRIME_2, 31) * PRIME_1;
}

/* Adds data as if they were padded with zeros. */
static void sum_add(struct sum *s, const void *data, size_t bytes)
{
    struct sum now = *s; /* in registers, because data might alias *s */
    size_t whole = bytes / BLOCK * BLOCK;
    char last[BLOCK] = {0};

    for (size_t at = 0; at < whole; at += BLOCK)
        sum_block(&now, (const char *)data + at);
    if (whole < bytes) {
        memcpy(last, (const char *)data + whole, bytes - whole);
        sum_block(&now, last);
    }
    *s = now;
}

static uint64_t sum_end(const struct sum *s)
{
    uint64_t all = 0;

    for (int i = 0; i < 4; i++) {
        all = (all ^ s->lane[i]) * PRIME_1;
        all ^= all >> 32;
    }
    return all;
}
uint64_t graph_copy_checksum(const void *copy, size_t bytes)
{
    struct sum s = {{0}};
    struct header h;

    memcpy(&h, copy, sizeof h);
    h.checksum = 0;
    sum_add(&s, &h, sizeof h);
    sum_add(&s, (const char *)copy + sizeof h, bytes - sizeof h);
    return sum_end(&s);
}

struct section {
    size_t at, bytes; /* without padding */
};

enum { FIRST, TO, X, Y, NSECTIONS };

/* Sets the sections, and returns the size of the file. The numbers of h must be
 * checked, so that nothing overflows. */
static uint64_t lay_out(struct section s[NSECTIONS], const struct header *h)
{
    bool places = h->flags & HAS_COORDINATES;
    uint64_t at = sizeof *h;

    s[FIRST].bytes = (h->vertices + 1) * sizeof(uint64_t);
    s[TO].bytes = h->arcs * sizeof(uint32_t);
    s[X].bytes = s[Y].bytes = places ? h->vertices * sizeof(float) : 0;
    for (int i = 0; i < NSECTIONS; i++) {
        s[i].at = at;
        at += (s[i].bytes + BLOCK - 1) / BLOCK * BLOCK;
    }
    return at;
}

/* Writes a section with its padding; errors are found when the file is
 * closed. */
static void write_section(FILE *f, const void *data, size_t bytes)
{
    static const char zeros[BLOCK];

    if (!bytes)
        return;
    fwrite(data, 1, bytes, f);
    fwrite(zeros, 1, (BLOCK - bytes % BLOCK) % BLOCK, f);
}

int graph_save(const struct graph *g, const char *path, struct err *err)
{
    const void *data[NSECTIONS] = {g->first, g->to, g->x, g->y};
    struct header h = {.magic = GRAPH_COPY_MAGIC,
                       .version = VERSION,
                       .order = ORDER,
                       .vertices = g->n,
                       .arcs = graph_arcs(g),
                       .flags = g->x ? HAS_COORDINATES : 0};
    struct section sections[NSECTIONS];
    struct sum sum = {{0}};
    struct outfile out;

    h.file_B = lay_out(sections, &h);
    sum_add(&sum, &h, sizeof h);
    for (int i = 0; i < NSECTIONS; i++)
        sum_add(&sum, data[i], sections[i].bytes);
    h.checksum = sum_end(&sum);

    if (outfile_open(&out, path, err) < 0)
        return -1;
    fwrite(&h, sizeof h, 1, out.stream);
    for (int i = 0; i < NSECTIONS; i++)
        write_section(out.stream, data[i], sections[i].bytes);
    return outfile_close(&out, err);
}

static int check_header(const struct header *h, uint64_t file_B,
                        const char *path, struct err *err)
{
    struct section sections[NSECTIONS];

    if (!memcmp(h->magic, "\x1f\x8b", 2))
        return fail(err, "%s: gzipped: unpack it first", path);
    if (memcmp(h->magic, GRAPH_COPY_MAGIC, sizeof h->magic) != 0)
        return fail(err, "%s: not a graph that sluice has saved", path);
    if (h->order != ORDER)
        return fail(err, "%s: saved on a machine of another byte order", path);
    if (h->version != VERSION)
        return fail(err, "%s: version %u: expected %d; convert the graph again",
                    path, h->version, VERSION);
    if (!h->vertices || h->vertices > GRAPH_MAX_VERTICES ||
        h->arcs > file_B / sizeof(uint32_t) || h->flags > HAS_COORDINATES ||
        h->unused || h->file_B != lay_out(sections, h))
        return fail(err, "%s: damaged: its header does not fit together", path);
    if (h->file_B != file_B)
        return fail(err, "%s: damaged: %" PRIu64 " bytes of %" PRIu64, path,
                    file_B, h->file_B);
    return 0;
}

/* Returns whether the heads of v are valid. They are in increasing order, so
 * only the last can be too large. */
static bool vertex_good(const struct graph *g, uint32_t v, uint64_t arcs)
{
    uint64_t from = g->first[v], to = g->first[v + 1], least = 0;
    bool good = true;

    if (from > to || to > arcs)
        return false;
    for (uint64_t k = from; k < to; k++) {
        good &= (g->to[k] >= least) & (g->to[k] != v);
        least = (uint64_t)g->to[k] + 1;
    }
    return good && least <= g->n;
}

/* Checks the graph itself, because a file with wrong numbers may have a right
 * checksum. */
static int check_graph(const struct graph *g, uint64_t arcs, const char *path,
                       struct err *err)
{
    if (g->first[0] != 0 || g->first[g->n] != arcs)
        return fail(err, "%s: the arcs do not begin at 0 and end at %" PRIu64,
                    path, arcs);
    for (uint32_t v = 0; v < g->n; v++) {
        if (!vertex_good(g, v, arcs))
            return fail(err, "%s: the arcs of vertex %u are not in order", path,
                        v);
        if (g->x && !(isfinite(g->x[v]) && isfinite(g->y[v])))
            return fail(err, "%s: vertex %u lies nowhere", path, v);
    }
    return 0;
}

static int check_map(struct graph *g, const char *path, struct err *err)
{
    struct section s[NSECTIONS];
    const struct header *h = g->map;
    char *bytes = g->map;

    if (check_header(h, g->map_B, path, err) < 0)
        return -1;
    if (h->checksum != graph_copy_checksum(g->map, g->map_B))
        return fail(err, "%s: damaged: its checksum is another", path);

    lay_out(s, h);
    g->n = (uint32_t)h->vertices;
    g->first = (void *)(bytes + s[FIRST].at);
    g->to = (void *)(bytes + s[TO].at);
    if (h->flags & HAS_COORDINATES) {
        g->x = (void *)(bytes + s[X].at);
        g->y = (void *)(bytes + s[Y].at);
    }
    return check_graph(g, h->arcs, path, err);
}

static int map_file(struct graph *g, int fd, const char *path, struct err *err)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return fail(err, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return fail(err, "%s: not a plain file: it cannot be mapped", path);
    if ((size_t)status.st_size < sizeof(struct header))
        return fail(err,
                    "%s: not a graph that sluice has saved: %lld bytes are "
                    "too few",
                    path, (long long)status.st_size);

    g->map_B = (size_t)status.st_size;
    g->map = mmap(NULL, g->map_B, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (g->map == MAP_FAILED)
        return fail_work(err, "%s: cannot be mapped: %s", path,
                         strerror(errno));
    return 0;
}

int graph_map(struct graph *g, const char *path, struct err *err)
{
    struct graph found = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return fail(err, "%s: cannot be opened: %s", path, strerror(errno));
    int result = map_file(&found, fd, path, err);
    close(fd);
    if (result < 0)
        return -1;
    if (check_map(&found, path, err) < 0) {
        graph_clear(&found);
        return -1;
    }
    *g = found;
    return 0;
}
