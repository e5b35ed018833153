/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the time-independent traces of SimGrid's SMPI: lines of words. */
#include "workloads/trace/ti.h"

#include <inttypes.h>
#include <stdlib.h>

#define TI_MOST_UNKNOWN 64 /* names of unknown actions that are kept */

/* --- lines ---------------------------------------------------------------- */

/* Returns the trace's copy of an unknown action's name. */
static const char *ti_unknown_name(struct ti *ti, struct scan word)
{
    int n = word.end - word.at < 40 ? (int)(word.end - word.at) : 40;

    for (size_t i = 0; i < ti->nunknown; i++)
        if (strlen(ti->unknown[i]) == (size_t)n &&
            !memcmp(ti->unknown[i], word.at, (size_t)n))
            return ti->unknown[i];
    if (ti->nunknown == TI_MOST_UNKNOWN)
        return "other";
    if (!ti->unknown)
        ti->unknown = xcalloc(TI_MOST_UNKNOWN, sizeof *ti->unknown);
    ti->unknown[ti->nunknown] = xasprintf("%.*s", n, word.at);
    return ti->unknown[ti->nunknown++];
}

/* Reads the rank's next line that is neither empty nor a comment, without its
 * rank. Returns 1, 0 at the end, or -1. */
static int ti_next_line(struct ti_line *l, const struct ti *ti)
{
    struct input *in = &l->r->in;
    uint64_t rank;

    while (in->at < in->end) {
        input_pass(in);
        if (ti->numbered) {
            memcpy(&l->r->line, in->at, sizeof l->r->line);
            in->at += sizeof l->r->line;
        } else {
            l->r->line++;
        }
        l->s = scan_line(in->at, in->end, &in->at);
        l->e->place = l->r->line;
        if (scan_is_long(l->s))
            return trace_fail(l->t, l->rank, l->e, l->err, SCAN_LINE_LONG);
        scan_blanks(&l->s);
        if (l->s.at == l->s.end || *l->s.at == '#')
            continue;
        if (!scan_whole(&l->s, &rank))
            return ti_fail_word(l, "the number of a rank");
        if (rank == l->rank)
            return 1;
        if (ti->shared) {
            in->at = in->end;
            l->e->place = --l->r->line;
            break;
        }
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "a line of rank %" PRIu64
                          ": is the file of another rank or run?",
                          rank);
    }
    return 0;
}

static int ti_read_line(struct ti_line *l, struct ti *ti)
{
    struct scan word = scan_word(&l->s);

    if (word.at == word.end)
        return ti_fail_word(l, "an action");
    const struct ti_action *a = ti_find_action(word);
    uint64_t place = l->e->place;
    trace_event_set(l->e, a ? (enum trace_call)a->call : TRACE_UNKNOWN);
    l->e->place = place;
    l->e->name = a ? a->name : ti_unknown_name(ti, word);
    if (!a)
        return 1;
    l->e->collective = a->collective;
    l->e->blocks = a->blocks;
    if (a->read(l, a) < 0)
        return -1;
    return scan_done(&l->s) ? 1 : ti_fail_word(l, "the end of the line");
}

/* Makes a wait for the requests that are open at MPI_Finalize, or at the end.
 * Returns false if there are none. */
static bool ti_wait_for_rest(struct ti_line *l)
{
    if (!l->r->requests.n)
        return false;
    uint64_t place = l->e->place;
    trace_event_set(l->e, TRACE_WAIT);
    l->e->place = place;
    l->e->name = "waitall";
    l->e->nrequests = pending_take_all(&l->r->requests, &l->e->requests);
    return true;
}

static int ti_next(struct trace *t, uint32_t rank, struct trace_event *e,
                   struct err *err)
{
    struct ti *ti = t->state;
    struct ti_rank *r = &ti->ranks[rank];
    struct ti_line l = {.t = t, .r = r, .rank = rank, .e = e, .err = err};

    e->name = NULL;
    e->place = r->line;
    if (r->nthen) {
        *e = r->then[0];
        r->then[0] = r->then[1];
        r->nthen--;
        return 1;
    }
    int result = ti_next_line(&l, ti);
    if (result == 0)
        return ti_wait_for_rest(&l);
    if (result > 0)
        result = ti_read_line(&l, ti);
    if (result > 0 && e->call == TRACE_FINALIZE && r->requests.n) {
        r->then[r->nthen++] = *e;
        (void)ti_wait_for_rest(&l);
    }
    return result;
}

/* --- the format ----------------------------------------------------------- */

static int ti_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct ti *ti = t->state;
    struct ti_rank *r = &ti->ranks[rank];
    const uint64_t *ids;

    (void)err;
    r->in.at = r->first;
    r->in.given_back = 0;
    r->line = r->before;
    r->default_B = 1;
    r->next_request = 0;
    r->nthen = 0;
    (void)pending_take_all(&r->requests, &ids);
    return 0;
}

static int ti_open(struct trace *t, struct err *err)
{
    struct ti *ti = xcalloc(1, sizeof *ti);

    t->state = ti;
    t->has_flops = true;
    if (ti_open_files(t, ti, err) < 0)
        return -1;
    for (uint32_t r = 0; r < t->ranks; r++)
        if (ti_rewind(t, r, err) < 0)
            return -1;
    return 0;
}

static void ti_close(struct trace *t)
{
    struct ti *ti = t->state;

    if (!ti)
        return;
    ti_close_files(ti, t->ranks);
    for (uint32_t r = 0; ti->ranks && r < t->ranks; r++) {
        free(ti->ranks[r].counts);
        pending_clear(&ti->ranks[r].requests);
    }
    for (size_t i = 0; i < ti->nunknown; i++)
        free(ti->unknown[i]);
    free(ti->unknown);
    free(ti->ranks);
    free(ti);
}

const struct trace_format ti_format = {
    .name = "ti",
    .summary = "time-independent traces of SimGrid's SMPI",
    .files = "the file of all ranks, an index that names one for each, or a "
             "folder of these",
    .is = ti_is,
    .open = ti_open,
    .next = ti_next,
    .rewind = ti_rewind,
    .close = ti_close,
};
