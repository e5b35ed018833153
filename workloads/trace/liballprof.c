/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text traces of liballprof, the PMPI library that comes with
 * LogGOPSim: one file per rank, one line per call, with its arguments between
 * colons. */
#include "workloads/trace/liballprof.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#define LIBALLPROF_MOST_NAMES 256

#define LIBALLPROF_COLLECTIVE(name, arguments, which)                          \
    {                                                                          \
        name, arguments, TRACE_COLLECTIVE, which, true, false                  \
    }

static const struct liballprof_call liballprof_calls[] = {
    {"Send", "pntxgc", TRACE_SEND, 0, true, false},
    {"Recv", "pntxgcp", TRACE_RECV, 0, true, false},
    {"Isend", "pntxgcq", TRACE_SEND, 0, false, false},
    {"Irecv", "pntxgcq", TRACE_RECV, 0, false, false},
    {"Wait", "qp", TRACE_WAIT, 0, false, false},
    {"Waitall", "aAp", TRACE_WAIT, 0, false, false},
    {"Waitany", "aApp", TRACE_WAIT, 1, false, false},
    {"Waitsome", "aAppp", TRACE_WAIT, 1, false, false},
    {"Test", "qpp", TRACE_POLL, 0, false, false},
    {"Testall", "aApp", TRACE_POLL, 0, false, false},
    {"Testany", "aAppp", TRACE_POLL, 0, false, false},
    {"Testsome", "aAppp", TRACE_POLL, 0, false, false},
    {"Iprobe", "xgcpp", TRACE_POLL, 0, false, false},
    {"Probe", "xgcp", TRACE_PROBE, 0, true, false},
    {"Sendrecv", "pntxgpntxgcp", TRACE_SEND, 1, false, false},
    {"Sendrecv_replace", "pntxgxgcp", TRACE_SEND, 2, false, false},
    {"Ssend", "pntxgc", TRACE_SEND, 0, true, true},
    {"Rsend", "pntxgc", TRACE_SEND, 0, true, false},
    {"Bsend", "pntxgc", TRACE_SEND, 0, true, false},
    {"Issend", "pntxgcq", TRACE_SEND, 0, false, true},
    {"Irsend", "pntxgcq", TRACE_SEND, 0, false, false},
    {"Ibsend", "pntxgcq", TRACE_SEND, 0, false, false},
    {"Send_init", "pntxgcq", TRACE_SEND, 3, false, false},
    {"Ssend_init", "pntxgcq", TRACE_SEND, 3, false, true},
    {"Rsend_init", "pntxgcq", TRACE_SEND, 3, false, false},
    {"Bsend_init", "pntxgcq", TRACE_SEND, 3, false, false},
    {"Recv_init", "pntxgcq", TRACE_RECV, 3, false, false},
    {"Start", "q", TRACE_OTHER, 1, false, false},
    {"Startall", "aA", TRACE_OTHER, 1, false, false},
    {"Cancel", "q", TRACE_CANCEL, 0, false, false},
    LIBALLPROF_COLLECTIVE("Barrier", "c", TRACE_BARRIER),
    LIBALLPROF_COLLECTIVE("Bcast", "pntrc", TRACE_BROADCAST),
    LIBALLPROF_COLLECTIVE("Reduce", "ppntprc", TRACE_REDUCE),
    LIBALLPROF_COLLECTIVE("Allreduce", "ppntpc", TRACE_ALLREDUCE),
    LIBALLPROF_COLLECTIVE("Scan", "ppntpc", TRACE_SCAN),
    LIBALLPROF_COLLECTIVE("Exscan", "ppntpc", TRACE_EXSCAN),
    LIBALLPROF_COLLECTIVE("Alltoall", "pntpntc", TRACE_ALLTOALL),
    LIBALLPROF_COLLECTIVE("Allgather", "pntpntc", TRACE_ALLGATHER),
    LIBALLPROF_COLLECTIVE("Gather", "pntpntrc", TRACE_GATHER),
    LIBALLPROF_COLLECTIVE("Scatter", "pntpntrc", TRACE_SCATTER),
    LIBALLPROF_COLLECTIVE("Alltoallv", "pvdtpvdtc", TRACE_ALLTOALL),
    LIBALLPROF_COLLECTIVE("Allgatherv", "pntpvdtc", TRACE_ALLGATHER),
    LIBALLPROF_COLLECTIVE("Gatherv", "pntpvdtrc", TRACE_GATHER),
    LIBALLPROF_COLLECTIVE("Scatterv", "pvdtpntrc", TRACE_SCATTER),
    LIBALLPROF_COLLECTIVE("Reduce_scatter", "ppvtpc", TRACE_REDUCE_SCATTER),
    {"Comm_rank", "cp", TRACE_OTHER, 0, false, false},
    {"Comm_size", "cp", TRACE_OTHER, 0, false, false},
    {"Comm_dup", "cp", TRACE_COMM, TRACE_DUP, true, false},
    {"Comm_split", "ckyp", TRACE_COMM, TRACE_SPLIT, true, false},
    {"Init", NULL, TRACE_INIT, 0, false, false},
    {"Init_thread", NULL, TRACE_INIT, 0, false, false},
    {"Finalize", NULL, TRACE_FINALIZE, 0, false, false},
};
enum { LIBALLPROF_NCALLS = sizeof liballprof_calls / sizeof *liballprof_calls };

/* Beginnings of the names of calls that have no effect on time. */
static const char *const liballprof_quiet[] = {
    "Type_",        "Attr_",        "Comm_get",      "Comm_set",
    "Comm_compare", "Comm_group",   "Group",         "Get_",
    "Errhandler_",  "Error_",       "Op_",           "Keyval_",
    "Info_",        "Wtime",        "Wtick",         "Address",
    "Initialized",  "Finalized",    "Pack",          "Unpack",
    "Cart_coords",  "Cart_rank",    "Cart_shift",    "Dims_",
    "Query",        "Topo_",        "Graph_get",     "Cart_get",
    "Cartdim_get",  "Comm_free",    "Alloc_mem",     "Free_mem",
    "Buffer_",      "Request_free", "Test_cancelled"};
enum { LIBALLPROF_NQUIET = sizeof liballprof_quiet / sizeof *liballprof_quiet };

/* --- lines ---------------------------------------------------------------- */

static const struct liballprof_call *liballprof_find_call(struct scan name)
{
    size_t n = (size_t)(name.end - name.at);

    for (int i = 0; i < LIBALLPROF_NCALLS; i++)
        if (liballprof_calls[i].name[0] == *name.at &&
            !strncmp(liballprof_calls[i].name, name.at, n) &&
            !liballprof_calls[i].name[n])
            return &liballprof_calls[i];
    return NULL;
}

static bool liballprof_is_quiet(struct scan name)
{
    for (int i = 0; i < LIBALLPROF_NQUIET; i++) {
        size_t n = strlen(liballprof_quiet[i]);
        if ((size_t)(name.end - name.at) >= n &&
            !memcmp(name.at, liballprof_quiet[i], n))
            return true;
    }
    return false;
}

/* Returns the trace's copy of a call's name (MPI_ included, at most 64 bytes),
 * or "other" if the trace has too many. */
static const char *liballprof_name(struct liballprof *x, struct scan word)
{
    size_t n = (size_t)(word.end - word.at);

    n = n < 64 ? n : 64;
    for (size_t i = 0; i < x->nnames; i++)
        if (!strncmp(x->names[i], word.at, n) && !x->names[i][n])
            return x->names[i];
    if (x->nnames == LIBALLPROF_MOST_NAMES)
        return "other";
    if (!x->names)
        x->names = xcalloc(LIBALLPROF_MOST_NAMES, sizeof *x->names);
    return x->names[x->nnames++] = xasprintf("%.*s", (int)n, word.at);
}

/* Reads the time at the end of the line, and skips the arguments before it
 * because nothing needs them. */
static int liballprof_last_time(struct liballprof_line *l, double *out)
{
    const char *colon = memrchr(l->s.at, ':', (size_t)(l->s.end - l->s.at));

    l->s.at = colon ? colon : l->s.end;
    return liballprof_time(l, out);
}

static int liballprof_read_call(struct liballprof_line *l,
                                const struct liballprof_call *c)
{
    double end_s;

    if (liballprof_time(l, &l->e->begin_s) < 0)
        return -1;
    bool second = false;
    l->list = -1;
    for (const char *a = c && c->arguments ? c->arguments : ""; *a; a++) {
        if (liballprof_argument(l, *a, &second) < 0)
            return -1;
        /* After the first buffer's type, counts are the second buffer's. */
        second |= *a == 't' && c->collective != TRACE_REDUCE_SCATTER;
    }
    if ((c && c->arguments ? liballprof_time(l, &end_s)
                           : liballprof_last_time(l, &end_s)) < 0)
        return -1;
    if (l->s.at < l->s.end)
        return liballprof_fail(l, "the end of the line");
    l->e->end_s = isnan(end_s) ? l->e->begin_s : end_s;
    if (isnan(l->e->begin_s))
        l->e->begin_s = l->e->end_s;
    if (l->e->end_s < l->e->begin_s)
        return trace_fail(l->t, l->rank, l->e, l->err, "ends before it begins");
    return c ? liballprof_mean(l, c) : 0;
}

/* Returns whether a word is MPI_ with letters, digits and underscores. */
static bool liballprof_is_name(struct scan word)
{
    if (word.end - word.at < 5 || memcmp(word.at, "MPI_", 4) != 0)
        return false;
    for (const char *c = word.at; c < word.end; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return true;
}

/* Reads a line such as "MPI_Isend:...". Returns 1, or -1 after an error. */
static int liballprof_read_line(struct liballprof_line *l)
{
    const char *colon = memchr(l->s.at, ':', (size_t)(l->s.end - l->s.at));
    struct scan name = {l->s.at, colon ? colon : l->s.end};

    trace_event_set(l->e, TRACE_OTHER);
    l->e->place = l->r->line;
    if (!colon || !liballprof_is_name(name))
        return liballprof_fail(l, "MPI_ and a call");
    l->e->name = liballprof_name(l->x, name);
    l->s.at = colon;
    name.at += 4;
    const struct liballprof_call *c = liballprof_find_call(name);
    if (c) {
        l->e->call = c->call;
        l->e->blocks = c->blocks;
    } else if (!liballprof_is_quiet(name)) {
        l->e->call = TRACE_UNKNOWN;
    }
    return liballprof_read_call(l, c) < 0 ? -1 : 1;
}

static int liballprof_next(struct trace *t, uint32_t rank,
                           struct trace_event *e, struct err *err)
{
    struct liballprof *x = t->state;
    struct liballprof_rank *r = &x->ranks[rank];
    struct liballprof_line l = {
        .t = t, .x = x, .r = r, .rank = rank, .e = e, .err = err};

    if (r->nthen) {
        *e = r->then[0];
        r->then[0] = r->then[1];
        r->nthen--;
        return 1;
    }
    if (r->starting_at < r->nstarting) {
        liballprof_start_next(r, e);
        return 1;
    }
    while (r->in.at < r->in.end) {
        input_pass(&r->in);
        l.s = scan_line(r->in.at, r->in.end, &r->in.at);
        r->line++;
        e->place = r->line;
        if (scan_is_long(l.s))
            return trace_fail(t, rank, e, err, SCAN_LINE_LONG);
        while (l.s.end > l.s.at && scan_is_blank(l.s.end[-1]))
            l.s.end--;
        if (l.s.at < l.s.end && *l.s.at != '#')
            return liballprof_read_line(&l);
    }
    return 0;
}

/* --- the format ----------------------------------------------------------- */

static int liballprof_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct liballprof_rank *r = &((struct liballprof *)t->state)->ranks[rank];
    const uint64_t *ids;

    (void)err;
    r->in.at = r->in.begin;
    r->in.given_back = 0;
    r->line = 0;
    r->next_comm = r->oldest_made = TRACE_WORLD + 1;
    r->ncomms = 0;
    r->npersistent = 0;
    r->next_request = 0;
    r->nthen = 0;
    r->nstarting = r->starting_at = 0;
    (void)pending_take_all(&r->requests, &ids);
    (void)pending_take_all(&r->persistents, &ids);
    return 0;
}

/* Returns the seconds by which a rank's clock is to be advanced so that it
 * agrees with the first rank's, from "# Init clockdiff: US" in older versions,
 * or "# clockdiff: S s" in newer ones; 0 if the file has neither. */
static double liballprof_clock(const struct input *in)
{
    static const struct {
        const char *begins;
        double unit_s;
    } lines[] = {{"# Init clockdiff: ", 1e-6}, {"# clockdiff: ", 1}};
    const char *at = in->begin;

    for (int n = 0; n < 20 && at < in->end; n++) {
        struct scan line = scan_line(at, in->end, &at);
        for (int i = 0; i < 2; i++) {
            size_t length = strlen(lines[i].begins);
            double diff;
            if ((size_t)(line.end - line.at) < length ||
                memcmp(line.at, lines[i].begins, length) != 0)
                continue;
            line.at += length;
            return scan_real(&line, &diff) ? diff * lines[i].unit_s : 0;
        }
    }
    return 0;
}

/* Returns the first time in a file, in microseconds. */
static uint64_t liballprof_origin(struct trace *t, uint32_t rank)
{
    struct trace_event e = {0};
    struct err err;
    double begin_s = NAN;

    while (isnan(begin_s) && liballprof_next(t, rank, &e, &err) > 0)
        begin_s = e.begin_s;
    (void)liballprof_rewind(t, rank, &err);
    return begin_s >= 0 ? (uint64_t)(begin_s * 1e6) : 0;
}

static int liballprof_open(struct trace *t, struct err *err)
{
    struct liballprof *l = xcalloc(1, sizeof *l);
    uint32_t missing = 0, first = 0;

    t->state = l;
    t->has_clock = true;
    if (liballprof_open_files(t, l, err) < 0)
        return -1;
    for (uint32_t r = 0; r < t->ranks; r++) {
        missing += t->rank[r].missing;
        if (t->rank[r].missing)
            continue;
        if (input_open(&l->ranks[r].in, l->ranks[r].file, err) < 0 ||
            liballprof_rewind(t, r, err) < 0)
            return -1;
        l->ranks[r].clock_s = liballprof_clock(&l->ranks[r].in);
    }
    while (t->rank[first].missing)
        first++;
    l->origin_us = liballprof_origin(t, first);
    if (missing)
        trace_remark(
            t, "the files of %" PRIu32 " of %" PRIu32 " ranks are missing",
            missing, t->ranks);
    return 0;
}

static void liballprof_clear(struct liballprof_rank *r)
{
    input_close(&r->in);
    free(r->file);
    free(r->comms);
    pending_clear(&r->requests);
    pending_clear(&r->persistents);
    free(r->persistent);
    free(r->counts[0]);
    free(r->counts[1]);
    free(r->starting);
}

static void liballprof_close(struct trace *t)
{
    struct liballprof *l = t->state;

    if (!l)
        return;
    for (uint32_t r = 0; r < l->n; r++)
        liballprof_clear(&l->ranks[r]);
    for (size_t i = 0; i < l->nnames; i++)
        free(l->names[i]);
    free(l->names);
    free(l->ranks);
    free(l);
}

const struct trace_format liballprof_format = {
    .name = "liballprof",
    .summary = "text traces of liballprof, LogGOPSim's PMPI library",
    .files = "the file of any rank, or the folder of all",
    .is = liballprof_is,
    .open = liballprof_open,
    .next = liballprof_next,
    .rewind = liballprof_rewind,
    .close = liballprof_close,
};
