/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads DUMPI traces (SST/macro's tracer: github.com/sstsimulator/sst-dumpi) of
 * all versions: one file per rank and a .meta for the run. The layout of
 * records is that of libundumpi, release 13.0. */
#include "workloads/trace/dumpi/find.h"
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>
#include <string.h>

/* The most seconds between the starts of files of one run. */
#define RUN_STARTS_S 3600
/* If clocks began further apart, they count from different origins. */
#define SAME_CLOCK_S 86400

static bool dumpi_is(const char *path, const char *head, size_t head_B)
{
    return dumpi_file_is(head, head_B) || dumpi_find_meta(head, head_B) ||
           (head_B == 0 && dumpi_find_folder(path));
}

/* --- the number of ranks -------------------------------------------------- */

/* The facts about its run that are in a file of unknown name. */
struct alone {
    uint32_t rank, ranks, most; /* most: the largest peer */
};

static void alone_see(struct alone *a, const struct dumpi_record *r)
{
    int64_t peer = -1;

    switch (r->call) {
    case DUMPI_MPI_Comm_size:
    case DUMPI_MPI_Comm_rank:
        if (r->arg[0].value != DUMPI_WORLD || r->arg[1].value < 0)
            return;
        *(r->call == DUMPI_MPI_Comm_size ? &a->ranks : &a->rank) =
            (uint32_t)r->arg[1].value;
        return;
    case DUMPI_MPI_Send:
    case DUMPI_MPI_Isend:
    case DUMPI_MPI_Recv:
    case DUMPI_MPI_Irecv:
        peer = r->arg[2].value;
        break;
    default:
        break;
    }
    if (peer > a->most)
        a->most = (uint32_t)peer;
}

/* Reads a whole file to find its rank and the number of ranks, by MPI_Comm_rank
 * and MPI_Comm_size. If these are missing, the largest peer gives a lower
 * bound. */
static int dumpi_alone(struct trace *t, struct dumpi_files *f, struct err *err)
{
    const char *path = f->file[0].path;
    struct dumpi_file file;
    struct alone a = {0};
    struct dumpi_record record;
    struct err ignored;

    if (dumpi_file_open(&file, path, err) < 0)
        return -1;
    const unsigned char *at = file.stream;
    while (dumpi_record_read(&record, &at, file.stream_end, file.version,
                             &ignored) > 0)
        alone_see(&a, &record);
    dumpi_file_close(&file);
    f->ranks = a.ranks ? a.ranks : (a.most > a.rank ? a.most : a.rank) + 1;
    f->file[0].rank = a.rank;
    if (a.rank >= f->ranks || f->ranks > DUMPI_MOST_RANKS)
        return fail(err, "%s: is rank %u of %u", path, a.rank, f->ranks);
    if (!a.ranks)
        trace_remark(t,
                     "%s: says nowhere how many ranks there are: at least %u, "
                     "by those it has messages with",
                     path, f->ranks);
    return 0;
}

/* --- files of one run ----------------------------------------------------- */

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static int dumpi_other_run(const struct dumpi_rank *a,
                           const struct dumpi_rank *b, struct err *err)
{
    const struct dumpi_file *x = &a->file, *y = &b->file;
    const char *path_a = a->trace->rank[a->rank].file;
    const char *path_b = b->trace->rank[b->rank].file;

    if (memcmp(&x->version, &y->version, sizeof x->version))
        return fail(err,
                    "%s and %s are of different runs: versions %u.%u.%u "
                    "and %u.%u.%u",
                    path_a, path_b, x->version.major, x->version.minor,
                    x->version.patch, y->version.major, y->version.minor,
                    y->version.patch);
    if (x->start_s && y->start_s &&
        apart(x->start_s, y->start_s) > RUN_STARTS_S)
        return fail(err,
                    "%s and %s are of different runs: one began %llu s after "
                    "the other",
                    path_a, path_b,
                    (unsigned long long)apart(x->start_s, y->start_s));
    if (x->user.value != y->user.value ||
        (x->user.value &&
         memcmp(x->user.at, y->user.at, (size_t)x->user.value) != 0))
        return fail(err, "%s and %s are of different runs: of two users",
                    path_a, path_b);
    return 0;
}

static int dumpi_one_run(const struct trace *t, const struct dumpi_files *f,
                         struct err *err)
{
    const struct dumpi_state *s = t->state;
    const struct dumpi_rank *first = s->rank[f->file[0].rank];

    if (f->meta && f->start_s && first->file.start_s &&
        apart(f->start_s, first->file.start_s) > RUN_STARTS_S)
        return fail(err,
                    "%s and %s are of different runs: one began %llu s "
                    "after the other",
                    f->meta, f->file[0].path,
                    (unsigned long long)apart(f->start_s, first->file.start_s));
    for (size_t i = 1; i < f->nfiles; i++)
        if (dumpi_other_run(first, s->rank[f->file[i].rank], err) < 0)
            return -1;
    return 0;
}

/* --- clocks --------------------------------------------------------------- */

/* Makes times relative to the earliest clock's origin if all clocks agree, else
 * to the origin of each rank's own clock. */
static void dumpi_clocks(struct trace *t, const struct dumpi_files *f)
{
    const struct dumpi_state *s = t->state;
    uint32_t least = UINT32_MAX, most = 0;
    bool wall = true;

    t->has_clock = true;
    for (size_t i = 0; i < f->nfiles; i++) {
        const struct dumpi_file *file = &s->rank[f->file[i].rank]->file;
        wall = wall && file->has_wall;
        t->has_clock = t->has_clock && file->has_times;
        least = file->wall_bias_s < least ? file->wall_bias_s : least;
        most = file->wall_bias_s > most ? file->wall_bias_s : most;
    }
    if (!t->has_clock)
        trace_remark(t, "calls have no times: no computing between them");
    else if (!wall)
        trace_remark(t, "calls have times of the CPU, not of the wall clock: "
                        "computing is what the process computed");
    bool alike = wall && most - least <= SAME_CLOCK_S;
    if (wall && !alike)
        trace_remark(t,
                     "the ranks' clocks count from different beginnings "
                     "(%u s apart): each rank's time is its own",
                     most - least);
    for (size_t i = 0; i < f->nfiles && alike; i++)
        s->rank[f->file[i].rank]->bias_s =
            s->rank[f->file[i].rank]->file.wall_bias_s - least;
}

/* --- missing files and calls ---------------------------------------------- */

static void dumpi_say_missing(struct trace *t, const struct dumpi_files *f)
{
    uint32_t missing = t->ranks - (uint32_t)f->nfiles, first = 0;

    while (first < t->ranks && !t->rank[first].missing)
        first++;
    if (missing)
        trace_remark(t, "%u of %u ranks have no file (the first: rank %u)",
                     missing, t->ranks, first);
}

/* Remarks on the calls that the tracer was configured not to record, the most
 * frequent first. */
static void dumpi_say_left_out(struct trace *t,
                               const uint64_t left_out[DUMPI_CALLS])
{
    bool said[DUMPI_CALLS] = {false};
    char *text = xstrdup("");
    uint64_t total = 0;

    for (int i = 0; i < DUMPI_CALLS; i++)
        total += left_out[i];
    for (int k = 0; k < 6; k++) {
        int most = 0;
        for (int i = 1; i < DUMPI_CALLS; i++)
            if (!said[i] && (said[most] || left_out[i] > left_out[most]))
                most = i;
        said[most] = true;
        if (!left_out[most])
            break;
        char *longer = xasprintf("%s%s%s %llu", text, k ? ", " : "",
                                 dumpi_call_names[most],
                                 (unsigned long long)left_out[most]);
        free(text);
        text = longer;
    }
    if (total)
        trace_remark(t,
                     "%llu calls were made and not recorded, most of them %s",
                     (unsigned long long)total, text);
    free(text);
}

static void dumpi_say_not_recorded(struct trace *t, const struct dumpi_files *f)
{
    const struct dumpi_state *s = t->state;
    uint64_t left_out[DUMPI_CALLS] = {0};

    for (size_t i = 0; i < f->nfiles; i++) {
        const struct dumpi_file *file = &s->rank[f->file[i].rank]->file;
        for (size_t c = 0; c < DUMPI_CALLS && file->not_recorded; c++)
            left_out[c] += dumpi_u32(file->not_recorded + 4 * c);
    }
    dumpi_say_left_out(t, left_out);
}

/* --- the interface -------------------------------------------------------- */

static int dumpi_open_ranks(struct trace *t, const struct dumpi_files *f,
                            struct err *err)
{
    struct dumpi_state *s = t->state;

    trace_set_ranks(t, f->ranks ? f->ranks : f->file[f->nfiles - 1].rank + 1);
    s->rank = xcalloc(t->ranks, sizeof(struct dumpi_rank *));
    for (uint32_t i = 0; i < t->ranks; i++)
        t->rank[i].missing = true;
    for (size_t i = 0; i < f->nfiles; i++) {
        uint32_t rank = f->file[i].rank;
        s->rank[rank] = dumpi_rank_new(t, s, rank, f->file[i].path, err);
        if (!s->rank[rank])
            return -1;
        t->rank[rank].missing = false;
        t->rank[rank].file = xstrdup(f->file[i].path);
    }
    return 0;
}

static int dumpi_open_files(struct trace *t, struct dumpi_files *f,
                            struct err *err)
{
    if (dumpi_find(f, t->path, err) < 0 ||
        (f->alone && dumpi_alone(t, f, err) < 0) ||
        dumpi_open_ranks(t, f, err) < 0 || dumpi_one_run(t, f, err) < 0)
        return -1;
    dumpi_clocks(t, f);
    dumpi_say_missing(t, f);
    dumpi_say_not_recorded(t, f);
    return 0;
}

static int dumpi_open(struct trace *t, struct err *err)
{
    struct dumpi_files f = {0};

    t->state = xcalloc(1, sizeof(struct dumpi_state));
    int result = dumpi_open_files(t, &f, err);
    dumpi_files_clear(&f);
    return result;
}

static int dumpi_next(struct trace *t, uint32_t rank, struct trace_event *e,
                      struct err *err)
{
    const struct dumpi_state *s = t->state;

    return dumpi_rank_next(s->rank[rank], e, err);
}

static int dumpi_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    const struct dumpi_state *s = t->state;

    (void)err;
    dumpi_rank_rewind(s->rank[rank]);
    return 0;
}

static void dumpi_close(struct trace *t)
{
    struct dumpi_state *s = t->state;

    for (uint32_t i = 0; s && s->rank && i < t->ranks; i++) {
        dumpi_rank_free(s->rank[i]);
        free((char *)(uintptr_t)t->rank[i].file);
    }
    if (s)
        free(s->rank);
    free(s);
}

const struct trace_format dumpi_format = {
    .name = "dumpi",
    .summary = "binary traces of SST/DUMPI: a file for each rank",
    .files = "the folder, PREFIX.meta, or a rank's PREFIX-RANK.bin",
    .is = dumpi_is,
    .open = dumpi_open,
    .next = dumpi_next,
    .rewind = dumpi_rewind,
    .close = dumpi_close,
};
