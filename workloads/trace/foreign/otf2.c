/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads archives of OTF2, the format of Score-P, by its own library. Each rank
 * has a reader of its location, of which only some are open at a time, so that
 * a trace of thousands of ranks needs neither their files nor their buffers at
 * once.
 */
#include "workloads/trace/foreign/otf2_calls.h"
#include "workloads/trace/foreign/readers.h"
#include "workloads/trace/foreign.h"
#include "workloads/trace/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most readers that are open; each has a file and a chunk (usually 1
 * MiB). */
#define OTF2_OPEN 64
/* The number of records that are read at once. */
#define OTF2_BATCH 256

struct otf2_rank {
    struct otf2_queue queue;
    OTF2_EvtReader *reader; /* NULL if it is not open now */
    uint64_t position;      /* number of records read */
    uint64_t used;          /* time of last use, counted in batches */
    bool ended;
    char *file;
};

struct otf2_state {
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *callbacks;
    struct otf2_defs defs;
    struct otf2_rank *ranks;
    uint32_t *open; /* ranks whose readers are open */
    size_t nopen;
    uint64_t batches;
    /* Number of the remark in the trace, plus 1. */
    size_t remark[OTF2_NREMARKS];
    char said[256]; /* message of the library */
};

/* --- errors --------------------------------------------------------------- */

/* Keeps the library's first message, so that the library prints none. */
static OTF2_ErrorCode otf2_hear(void *arg, const char *file, uint64_t line,
                                const char *function, OTF2_ErrorCode code,
                                const char *format, va_list values)
{
    struct otf2_state *s = arg;

    (void)file, (void)line, (void)function;
    if (s && format && !s->said[0])
        (void)vsnprintf(s->said, sizeof s->said, format, values);
    return code;
}

static int otf2_fail(struct otf2_state *s, const char *path,
                     OTF2_ErrorCode code, struct err *err)
{
    int result = fail(err, "%s: %s%s%s", path,
                      code == OTF2_SUCCESS ? "not an OTF2 archive"
                                           : OTF2_Error_GetDescription(code),
                      s->said[0] ? ": " : "", s->said);

    s->said[0] = '\0';
    return result;
}

/* --- remarks -------------------------------------------------------------- */

static const char *const otf2_remarks[OTF2_NREMARKS] = {
    [OTF2_OPEN_RECEIVES] =
        "%llu nonblocking receives or collectives never complete: left out, "
        "as the trace does not say what they were",
    [OTF2_CANCELLED_RECEIVES] =
        "%llu receives were cancelled: left out, as the trace does not say "
        "what they were",
    [OTF2_LATE_RECEIVES] =
        "%llu nonblocking receives have no record of being posted: posted "
        "where they complete",
    [OTF2_SENDS_WITHOUT_REQUEST] =
        "%llu nonblocking sends have no request (Score-P without XNONBLOCK): "
        "MPI_Waitall completes all of them, MPI_Wait the oldest; receives "
        "are posted where they complete",
    [OTF2_UNEVEN] = "%llu collectives have a count for each member (MPI_"
                    "Alltoallv): the trace has their sum, taken in equal parts",
    [OTF2_STRANGE_COMMS] =
        "%llu records are in communicators of threads or GPUs: left out",
    [OTF2_GROUP_SYNCS] =
        "%llu synchronisations of groups (MPI_Win_start, _post) take no time",
    [OTF2_LOCKS] = "%llu locks of windows take no time",
    [OTF2_PAUSES] =
        "measurement was off %llu times: what the ranks did then is computing",
    [OTF2_UNKNOWN_RECORDS] = "%llu records are of a newer OTF2: left out",
};

/* Makes remarks of the counts of all ranks, as far as they are read. */
static void otf2_say_remarks(struct trace *t)
{
    struct otf2_state *s = t->state;

    for (int k = 0; k < OTF2_NREMARKS; k++) {
        uint64_t n = 0;
        for (uint32_t i = 0; i < t->ranks; i++)
            n += s->ranks[i].queue.remarks[k];
        if (n == 0)
            continue;
        if (!s->remark[k]) {
            trace_remark(t, "%s", "");
            s->remark[k] = t->nremarks;
        }
        char **text = &t->remarks[s->remark[k] - 1];
        free(*text);
        _Pragma("GCC diagnostic push");
        _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
        *text = xasprintf(otf2_remarks[k], (unsigned long long)n);
        _Pragma("GCC diagnostic pop");
    }
}

/* --- readers of ranks ----------------------------------------------------- */

static void otf2_rank_close(struct otf2_state *s, size_t i)
{
    struct otf2_rank *r = &s->ranks[s->open[i]];

    OTF2_Reader_CloseEvtReader(s->reader, r->reader);
    r->reader = NULL;
    s->open[i] = s->open[--s->nopen];
}

static void otf2_make_room(struct otf2_state *s)
{
    size_t oldest = 0;

    if (s->nopen < OTF2_OPEN)
        return;
    for (size_t i = 1; i < s->nopen; i++)
        if (s->ranks[s->open[i]].used < s->ranks[s->open[oldest]].used)
            oldest = i;
    otf2_rank_close(s, oldest);
}

static OTF2_ErrorCode otf2_rank_open(struct otf2_state *s, uint32_t rank)
{
    struct otf2_rank *r = &s->ranks[rank];

    if (r->reader)
        return OTF2_SUCCESS;
    otf2_make_room(s);
    r->reader =
        OTF2_Reader_GetEvtReader(s->reader, s->defs.rank_location[rank]);
    if (!r->reader)
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    s->open[s->nopen++] = rank;
    uint64_t n;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    if (r->position) /* after the last record that was read */
        code = OTF2_EvtReader_Seek(r->reader, r->position);
    if (r->position && code == OTF2_SUCCESS)
        code = OTF2_EvtReader_ReadEvents(r->reader, 1, &n);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_RegisterEvtCallbacks(s->reader, r->reader,
                                                s->callbacks, &r->queue);
    return code;
}

/* Reads some more records of a rank. */
static int otf2_rank_read(struct trace *t, uint32_t rank, struct err *err)
{
    struct otf2_state *s = t->state;
    struct otf2_rank *r = &s->ranks[rank];
    uint64_t n = 0;

    (void)OTF2_Error_RegisterCallback(otf2_hear, s);
    r->used = ++s->batches;
    r->queue.err = err;
    OTF2_ErrorCode code = otf2_rank_open(s, rank);
    if (code == OTF2_SUCCESS)
        code = OTF2_EvtReader_ReadEvents(r->reader, OTF2_BATCH, &n);
    if (r->queue.failed)
        return -1;
    if (code != OTF2_SUCCESS && code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        return otf2_fail(s, r->file, code, err);
    r->position += n;
    if (n == OTF2_BATCH)
        return 0;
    otf2_queue_end(&r->queue);
    r->ended = true;
    otf2_say_remarks(t);
    return 0;
}

/* --- opening -------------------------------------------------------------- */

static char *otf2_file(const struct trace *t, uint64_t location,
                       const char *end)
{
    size_t n = strlen(t->path);

    return xasprintf("%.*s/%llu.%s", (int)(n > 5 ? n - 5 : n), t->path,
                     (unsigned long long)location, end);
}

static int otf2_set_ranks(struct trace *t, struct err *err)
{
    struct otf2_state *s = t->state;
    uint32_t missing = 0;

    trace_set_ranks(t, s->defs.ranks);
    t->has_clock = true;
    s->ranks = xcalloc(t->ranks, sizeof *s->ranks);
    s->open = xcalloc(OTF2_OPEN, sizeof *s->open);
    for (uint32_t i = 0; i < t->ranks; i++) {
        uint64_t id = s->defs.rank_location[i];
        const struct otf2_location *l = otf2_find(&s->defs.locations, id);
        otf2_queue_init(&s->ranks[i].queue, t, &s->defs, i);
        s->ranks[i].file = otf2_file(t, id, "evt");
        t->rank[i] =
            (struct trace_rank){.file = s->ranks[i].file, .places_lines = true};
        bool there = access(s->ranks[i].file, R_OK) == 0;
        s->ranks[i].ended = !there && l->nevents == 0;
        t->rank[i].missing = !there && l->nevents != 0;
        missing += t->rank[i].missing;
    }
    if (missing == t->ranks)
        return fail(err, "%s: no rank's file of events is there", t->path);
    return 0;
}

static void otf2_other_locations(struct trace *t)
{
    struct otf2_state *s = t->state;
    const struct otf2_location *l = s->defs.locations.rows;
    size_t threads = 0, streams = 0;

    for (size_t i = 0; i < s->defs.locations.n; i++) {
        threads += l[i].type == OTF2_LOCATION_TYPE_CPU_THREAD && l[i].nevents;
        streams += l[i].type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
    }
    for (uint32_t i = 0; i < t->ranks; i++) {
        const struct otf2_location *own =
            otf2_find(&s->defs.locations, s->defs.rank_location[i]);
        threads -= own->type == OTF2_LOCATION_TYPE_CPU_THREAD && own->nevents &&
                   threads;
    }
    if (threads || streams)
        trace_remark(t,
                     "%zu further threads and %zu streams of GPUs are not "
                     "read: a rank is its first thread",
                     threads, streams);
}

/* Reads the local definitions of each location, which map its clock and numbers
 * to those of the archive. */
static int otf2_read_local(struct trace *t, struct err *err)
{
    struct otf2_state *s = t->state;
    uint64_t n;

    if (OTF2_Reader_OpenDefFiles(s->reader) != OTF2_SUCCESS) {
        s->said[0] = '\0'; /* there are none */
        return 0;
    }
    OTF2_ErrorCode code = OTF2_SUCCESS;
    for (uint32_t i = 0; i < t->ranks && code == OTF2_SUCCESS; i++) {
        OTF2_DefReader *defs =
            OTF2_Reader_GetDefReader(s->reader, s->defs.rank_location[i]);
        if (!defs)
            continue;
        code = OTF2_Reader_ReadAllLocalDefinitions(s->reader, defs, &n);
        if (code != OTF2_SUCCESS) {
            char *file = otf2_file(t, s->defs.rank_location[i], "def");
            (void)otf2_fail(s, file, code, err);
            free(file);
        }
        OTF2_Reader_CloseDefReader(s->reader, defs);
    }
    OTF2_Reader_CloseDefFiles(s->reader);
    s->said[0] = '\0';
    return code == OTF2_SUCCESS ? 0 : -1;
}

static int otf2_select(struct trace *t, struct err *err)
{
    struct otf2_state *s = t->state;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    for (uint32_t i = 0; i < t->ranks && code == OTF2_SUCCESS; i++)
        code = OTF2_Reader_SelectLocation(s->reader, s->defs.rank_location[i]);
    if (code != OTF2_SUCCESS)
        return otf2_fail(s, t->path, code, err);
    if (otf2_read_local(t, err) < 0)
        return -1;
    code = OTF2_Reader_OpenEvtFiles(s->reader);
    return code == OTF2_SUCCESS ? 0 : otf2_fail(s, t->path, code, err);
}

/* Fails if the anchor file gives more definitions than their file can have,
 * because the library would read without end. */
static int otf2_count_defs(const struct trace *t, OTF2_Reader *reader,
                           struct err *err)
{
    size_t n = strlen(t->path);
    char *path = xasprintf("%.*s.def", (int)(n > 5 ? n - 5 : n), t->path);
    uint64_t ndefs = 0;
    struct stat about;
    int result = stat(path, &about);

    (void)OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &ndefs);
    if (result < 0)
        (void)fail(err, "%s: %s", path, strerror(errno));
    else if (ndefs > (uint64_t)about.st_size)
        result = fail(err, "%s: %llu definitions in %s, which has %llu B",
                      t->path, (unsigned long long)ndefs, path,
                      (unsigned long long)about.st_size);
    free(path);
    return result;
}

/* Fails if the anchor file gives more properties than it can have, because the
 * library reads as many strings. Their number is after a head of 46 bytes and
 * three strings. */
static int otf2_count_properties(const struct trace *t, struct err *err)
{
    unsigned char head[TRACE_HEAD_B];
    size_t n, at = 46;
    struct stat about;

    if (stat(t->path, &about) < 0)
        return fail(err, "%s: %s", t->path, strerror(errno));
    if (input_head(t->path, (char *)head, sizeof head, &n, err) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        while (at < n && head[at])
            at++;
        at++;
    }
    if (at + 4 > n)
        /* The name is too long, or the file cut off: the library reports it. */
        return 0;
    uint32_t count = 0;
    for (size_t i = 0; i < 4; i++) /* 'B' is little-endian */
        count = count << 8 | head[at + (head[1] == 'B' ? 3 - i : i)];
    if (count <= (uint64_t)about.st_size / 2)
        return 0;
    return fail(err, "%s: byte %zu: %u properties in a file of %llu B", t->path,
                at, count, (unsigned long long)about.st_size);
}

static int otf2_open(struct trace *t, struct err *err)
{
    struct otf2_state *s = t->state = xcalloc(1, sizeof *s);

    if (otf2_count_properties(t, err) < 0)
        return -1;
    (void)OTF2_Error_RegisterCallback(otf2_hear, s);
    s->reader = OTF2_Reader_Open(t->path);
    if (!s->reader)
        return otf2_fail(s, t->path, OTF2_SUCCESS, err);
    if (OTF2_Reader_SetSerialCollectiveCallbacks(s->reader) != OTF2_SUCCESS ||
        !(s->callbacks = otf2_event_callbacks()))
        return otf2_fail(s, t->path, OTF2_ERROR_MEM_FAULT, err);
    if (otf2_count_defs(t, s->reader, err) < 0)
        return -1;
    if (otf2_defs_read(&s->defs, s->reader, err) < 0)
        return fail_in(err, "%s", t->path);
    if (otf2_set_ranks(t, err) < 0)
        return -1;
    otf2_other_locations(t);
    return otf2_select(t, err);
}

/* --- reading -------------------------------------------------------------- */

static int otf2_next(struct trace *t, uint32_t rank, struct trace_event *e,
                     struct err *err)
{
    struct otf2_state *s = t->state;
    struct otf2_rank *r = &s->ranks[rank];

    while (!otf2_queue_take(&r->queue, e)) {
        if (r->ended)
            return 0;
        if (otf2_rank_read(t, rank, err) < 0)
            return -1;
    }
    return 1;
}

static int otf2_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct otf2_state *s = t->state;
    struct otf2_rank *r = &s->ranks[rank];

    (void)err;
    for (size_t i = 0; i < s->nopen; i++)
        if (s->open[i] == rank) {
            otf2_rank_close(s, i);
            break;
        }
    otf2_queue_clear(&r->queue);
    otf2_queue_init(&r->queue, t, &s->defs, rank);
    r->ended = r->position == 0 && r->ended;
    r->position = 0;
    return 0;
}

static void otf2_close(struct trace *t)
{
    struct otf2_state *s = t->state;

    if (!s)
        return;
    (void)OTF2_Error_RegisterCallback(otf2_hear, s);
    while (s->nopen)
        otf2_rank_close(s, s->nopen - 1);
    for (uint32_t i = 0; s->ranks && i < t->ranks; i++) {
        otf2_queue_clear(&s->ranks[i].queue);
        free(s->ranks[i].file);
    }
    if (s->callbacks)
        OTF2_EvtReaderCallbacks_Delete(s->callbacks);
    if (s->reader)
        OTF2_Reader_Close(s->reader);
    (void)OTF2_Error_RegisterCallback(otf2_hear, NULL);
    otf2_defs_clear(&s->defs);
    free(s->ranks);
    free(s->open);
    free(s);
    t->state = NULL;
}

const struct trace_format otf2_reader = {
    .name = "otf2",
    .summary = OTF2_SUMMARY,
    .open = otf2_open,
    .next = otf2_next,
    .rewind = otf2_rewind,
    .close = otf2_close,
};
