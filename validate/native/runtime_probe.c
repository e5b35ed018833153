/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe loop: compute threads enqueue; one thread sends by MPI_Isend, finds
 * messages by MPI_Iprobe of any source and tag, and tests every request. */
#include "validate/native/runtime.h"

#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>

/* Tags of one message, and of several together, each after its size. */
enum { PLAIN, TOGETHER };

struct probe_request {
    MPI_Request request;
    char *data; /* own memory; NULL if it is the caller's */
    size_t bytes;
    int host, tag;
    bool receives;
};

/* Small messages to one host that wait for more. */
struct gathering {
    char *data;
    size_t bytes, n;
    double since_s;
};

struct layer {
    struct layer_options o;
    struct queue *out, *arrived;
    struct probe_request *requests; /* pending requests */
    size_t nrequests, room;
    struct gathering *gathering; /* one per host; NULL if not used */
    size_t waiting;              /* messages in `gathering` */
};

static struct layer *probe_open(const struct layer_options *o)
{
    struct layer *l = xcalloc(1, sizeof *l);
    int hosts;

    l->o = *o;
    l->out = queue_new();
    l->arrived = queue_new();
    MPI_TRY(MPI_Comm_size(o->comm, &hosts));
    if (o->aggregate_B) {
        l->gathering = xcalloc((size_t)hosts, sizeof *l->gathering);
        for (int h = 0; h < hosts; h++)
            l->gathering[h].data = xmalloc(o->aggregate_B);
    }
    return l;
}

static void probe_close(struct layer *l)
{
    int hosts;

    MPI_TRY(MPI_Comm_size(l->o.comm, &hosts));
    for (int h = 0; l->gathering && h < hosts; h++)
        free(l->gathering[h].data);
    free(l->gathering);
    free(l->requests);
    queue_free(l->out);
    queue_free(l->arrived);
    free(l);
}

static bool probe_post(struct layer *l, int to, const void *from, size_t bytes)
{
    queue_put(l->out, (struct queued){to, (char *)from, bytes});
    return true;
}

static struct probe_request *new_request(struct layer *l)
{
    if (l->nrequests == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->requests = xrealloc(l->requests, l->room, sizeof *l->requests);
    }
    return &l->requests[l->nrequests++];
}

static void probe_send(struct layer *l, int to, char *data, size_t bytes,
                       int tag, bool own)
{
    struct probe_request *q = new_request(l);

    *q = (struct probe_request){.data = own ? data : NULL, .host = to};
    MPI_TRY(
        MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, l->o.comm, &q->request));
}

/* --- small messages together ---------------------------------------------- */

static void gathering_flush(struct layer *l, int to)
{
    struct gathering *g = &l->gathering[to];

    if (!g->n)
        return;
    probe_send(l, to, g->data, g->bytes, TOGETHER, true);
    l->waiting -= g->n;
    *g = (struct gathering){.data = xmalloc(l->o.aggregate_B)};
}

static bool gathering_add(struct layer *l, const struct queued *m)
{
    size_t head = sizeof m->bytes;

    if (!l->gathering || head + m->bytes > l->o.aggregate_B)
        return false;
    struct gathering *g = &l->gathering[m->host];
    if (g->bytes + head + m->bytes > l->o.aggregate_B)
        gathering_flush(l, m->host);
    if (!g->n++)
        g->since_s = seconds();
    memcpy(g->data + g->bytes, &m->bytes, head);
    memcpy(g->data + g->bytes + head, m->data, m->bytes);
    g->bytes += head + m->bytes;
    l->waiting++;
    return true;
}

static void gathering_old(struct layer *l)
{
    int hosts;

    if (!l->waiting)
        return;
    double now_s = seconds();
    MPI_TRY(MPI_Comm_size(l->o.comm, &hosts));
    for (int h = 0; h < hosts; h++)
        if (l->gathering[h].n &&
            now_s - l->gathering[h].since_s >= l->o.flush_s)
            gathering_flush(l, h);
}

static void take_apart(struct layer *l, const struct probe_request *q)
{
    for (size_t at = 0; at < q->bytes;) {
        struct queued m = {.host = q->host};
        memcpy(&m.bytes, q->data + at, sizeof m.bytes);
        at += sizeof m.bytes;
        m.data = xmalloc(m.bytes);
        memcpy(m.data, q->data + at, m.bytes);
        at += m.bytes;
        queue_put(l->arrived, m);
    }
    free(q->data);
}

/* --- the loop ------------------------------------------------------------- */

static bool probe_sends(struct layer *l)
{
    struct queued m;
    bool any = false;

    while (queue_take(l->out, &m)) {
        any = true;
        if (!gathering_add(l, &m))
            probe_send(l, m.host, m.data, m.bytes, PLAIN, false);
    }
    gathering_old(l);
    return any;
}

static bool probe_receives(struct layer *l)
{
    MPI_Status status;
    int there, bytes;

    MPI_TRY(
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, l->o.comm, &there, &status));
    if (!there)
        return false;
    MPI_TRY(MPI_Get_count(&status, MPI_BYTE, &bytes));
    struct probe_request *q = new_request(l);
    *q = (struct probe_request){.data = xmalloc((size_t)bytes + 1),
                                .bytes = (size_t)bytes,
                                .host = status.MPI_SOURCE,
                                .tag = status.MPI_TAG,
                                .receives = true};
    MPI_TRY(MPI_Irecv(q->data, bytes, MPI_BYTE, q->host, q->tag, l->o.comm,
                      &q->request));
    return true;
}

static bool probe_tests(struct layer *l)
{
    bool any = false;

    for (size_t i = 0; i < l->nrequests;) {
        struct probe_request *q = &l->requests[i];
        int done;
        MPI_TRY(MPI_Test(&q->request, &done, MPI_STATUS_IGNORE));
        if (!done) {
            i++;
            continue;
        }
        any = true;
        if (q->receives && q->tag == TOGETHER)
            take_apart(l, q);
        else if (q->receives)
            queue_put(l->arrived, (struct queued){q->host, q->data, q->bytes});
        else
            free(q->data);
        *q = l->requests[--l->nrequests];
    }
    return any;
}

static bool probe_turn(struct layer *l)
{
    bool sends = probe_sends(l), receives = probe_receives(l);

    return probe_tests(l) || sends || receives;
}

static size_t probe_pending(const struct layer *l)
{
    return l->nrequests + l->waiting;
}

static void probe_round(struct layer *l, const struct host_round *r)
{
    layer_exchange(l, &layer_probe, r, l->arrived, probe_pending);
}

const struct layer_kind layer_probe = {.name = "mpi_probe",
                                       .open = probe_open,
                                       .close = probe_close,
                                       .round = probe_round,
                                       .post = probe_post,
                                       .turn = probe_turn};
