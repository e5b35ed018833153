/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of ranks of a NUMA domain, a socket, a node or two nodes do ping-pongs
 * at once. */
#include "validate/native/bench.h"
#include "validate/native/pattern.h"
#include "validate/native/slots.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_COLD = 4096 };

enum pair_method { HOST, GPU_AWARE, IPC, COPY_TO_CPU, NPAIR_METHODS };
static const char *const pair_methods[NPAIR_METHODS] = {"mpi", "gpu_aware",
                                                        "ipc", "copy_to_cpu"};

/* The domain of the pairs: they are within such a domain; or between the nodes,
 * spread over such domains. */
enum domain { NUMA, SOCKET, NODE, NDOMAINS };
static const char *const domain_names[NDOMAINS] = {"numa", "socket", "node"};

struct pairing {
    enum domain domain;
    bool off_node;
    int active;     /* domains */
    int per_domain; /* pairs per domain */
};

struct multi_pair {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned *sockets, *numas; /* one per rank */
    bool wanted[NSLOTS_KINDS];
    int *ranks;    /* buffer for the ranks of a domain */
    uint64_t room; /* bytes to send, and as many to receive */

    /* The current point. */
    enum pair_method method;
    /* theirs: the other rank's receive buffers */
    struct slots send, recv, theirs;
    int bytes, other; /* other: the other rank; -1 if this one takes no part */
    bool first;
    void *bounce; /* pinned host memory (COPY_TO_CPU) */
    char *peer;   /* the other rank's buffers, as opened here (IPC) */
};

/* --- one message ---------------------------------------------------------- */

static void pair_copy(const struct multi_pair *b, void *to, const void *from)
{
    DIE_TRY(b->n->gpu->copy(to, from, (size_t)b->bytes, NULL, DIE));
    DIE_TRY(b->n->gpu->wait(NULL, DIE));
}

static void pair_send(struct multi_pair *b, void *out)
{
    int bytes = b->bytes;

    if (b->method == IPC) {
        pair_copy(b, slots_take(&b->theirs), out);
        bytes = 0;
    } else if (b->method == COPY_TO_CPU) {
        pair_copy(b, b->bounce, out);
        out = b->bounce;
    }
    MPI_TRY(MPI_Send(out, bytes, MPI_BYTE, b->other, 0, MPI_COMM_WORLD));
}

/* Receives a message; returns where it arrived. */
static void *pair_receive(struct multi_pair *b)
{
    void *in = slots_take(&b->recv);
    bool bounces = b->method == COPY_TO_CPU;

    MPI_TRY(MPI_Recv(bounces ? b->bounce : in, b->method == IPC ? 0 : b->bytes,
                     MPI_BYTE, b->other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (bounces)
        pair_copy(b, in, b->bounce);
    return in;
}

static double multi_pair_batch(void *arg, unsigned iterations)
{
    struct multi_pair *b = arg;
    double own, other;

    if (b->other < 0)
        return 0;
    (void)slots_writing_s(&b->send);
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        if (b->first)
            pair_send(b, slots_write(&b->send));
        (void)pair_receive(b);
        if (!b->first)
            pair_send(b, slots_write(&b->send));
    }
    double took = seconds() - begin;
    /* Each rank also waits while the other one writes. */
    own = slots_writing_s(&b->send);
    MPI_TRY(MPI_Sendrecv(&own, 1, MPI_DOUBLE, b->other, 1, &other, 1,
                         MPI_DOUBLE, b->other, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
    return (took - own - other) / (2 * (double)iterations);
}

/* Sends a message each way with known bytes. */
static void pair_check(struct multi_pair *b)
{
    size_t bytes = (size_t)b->bytes;
    char what[48];

    if (b->other < 0)
        return;
    snprintf(what, sizeof what, "the message from rank %d", b->other);
    pattern_wipe(b->n, b->recv.memory, bytes);
    MPI_TRY(MPI_Sendrecv(NULL, 0, MPI_BYTE, b->other, 1, NULL, 0, MPI_BYTE,
                         b->other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int turn = 0; turn < 2; turn++) {
        void *out = slots_take(&b->send);
        if (b->first == (turn == 0)) {
            pattern_fill(b->n, out, bytes, (uint64_t)b->n->rank);
            pair_send(b, out);
        } else {
            pattern_check(b->n, pair_receive(b), bytes, (uint64_t)b->other,
                          what);
        }
    }
}

/* --- sources and destinations --------------------------------------------- */

static unsigned domain_of(const struct multi_pair *b, enum domain d, int rank)
{
    return d == NUMA ? b->numas[rank] : d == SOCKET ? b->sockets[rank] : 0;
}

/* Returns the first rank of the index-th domain of the first node; -1 if there
 * are fewer. */
static int first_of(const struct multi_pair *b, enum domain d, int index)
{
    for (int r = 0; r < b->n->per_node; r++) {
        bool seen = false;
        for (int before = 0; before < r && !seen; before++)
            seen = domain_of(b, d, before) == domain_of(b, d, r);
        if (!seen && index-- == 0)
            return r;
    }
    return -1;
}

static int count_domains(const struct multi_pair *b, enum domain d)
{
    int count = 0;

    while (first_of(b, d, count) >= 0)
        count++;
    return count;
}

/* Lists the ranks of a domain, one part of it after the other, so that the two
 * halves of the list are in different parts; returns their number. */
static int domain_ranks(const struct multi_pair *b, enum domain d, int first)
{
    enum domain part = d == NODE ? SOCKET : NUMA;
    int n = 0;

    for (int i = 0, head; (head = first_of(b, part, i)) >= 0; i++)
        for (int r = 0; r < b->n->per_node; r++)
            if (domain_of(b, part, r) == domain_of(b, part, head) &&
                domain_of(b, d, r) == domain_of(b, d, first))
                b->ranks[n++] = r;
    return n;
}

/* Returns the most pairs that each of the active domains can have. */
static int domain_pairs(const struct multi_pair *b, const struct pairing *p)
{
    int least = b->n->per_node;

    for (int i = 0; i < p->active; i++) {
        int ranks = domain_ranks(b, p->domain, first_of(b, p->domain, i));
        int pairs = p->off_node ? ranks : ranks / 2;
        least = pairs < least ? pairs : least;
    }
    return least;
}

/* Sets this rank's part; returns how many pairs begin on socket 0, and two
 * ranks of one pair. */
static int pair_up(struct multi_pair *b, const struct pairing *p, int *one,
                   int *other)
{
    int near = 0, own = b->n->rank;

    b->other = -1;
    for (int i = 0; i < p->active; i++) {
        int n = domain_ranks(b, p->domain, first_of(b, p->domain, i));
        for (int k = 0; k < p->per_domain; k++) {
            int from = b->ranks[k];
            int to = p->off_node ? from + b->n->per_node : b->ranks[n / 2 + k];
            near += b->sockets[from] == 0;
            if (from == own || to == own) {
                b->first = from == own;
                b->other = b->first ? to : from;
            }
            *one = from;
            *other = to;
        }
    }
    return near;
}

/* --- points --------------------------------------------------------------- */

static void multi_pair_point(struct multi_pair *b, const struct pairing *p,
                             const char *device, enum slots_kind kind,
                             char *memory, uint64_t bytes)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    bool gpu = *device == 'g';
    int from = 0, to = 0, near = pair_up(b, p, &from, &to);
    bool same = !p->off_node && b->numas[from] == b->numas[to];
    struct samples s;

    b->bytes = (int)bytes;
    slots_begin(&b->send, b->n, memory, gpu, kind, bytes, 1);
    slots_begin(&b->recv, b->n, memory + b->room, gpu, kind, bytes, 1);
    if (b->peer)
        slots_begin(&b->theirs, b->n, b->peer + b->room, gpu, kind, bytes, 1);
    pair_check(b);
    repeat(&s, b->n, &how, multi_pair_batch, b);
    for (size_t i = 0; i < s.n; i++)
        table_row(b->t, "%s,%s,%s,%d,%s,%d,%d,%d,%d,%d,%s,%u,%.6e", device,
                  pair_methods[b->method],
                  native_locality(b->n, b->sockets, from, to), same,
                  domain_names[p->domain], p->active, p->per_domain,
                  p->active * p->per_domain, near, b->bytes, slots_names[kind],
                  s.iterations, s.s[i]);
    samples_clear(&s);
}

static void multi_pair_sizes(struct multi_pair *b, const struct pairing *p,
                             const char *device, char *memory)
{
    const struct sizes *sizes = &b->o->sizes;

    for (int k = 0; k < NSLOTS_KINDS; k++)
        for (uint64_t bytes = sizes->from; bytes <= sizes->to && b->wanted[k];
             bytes *= sizes->factor)
            if (k != SLOTS_COLD || bytes >= LEAST_COLD)
                multi_pair_point(b, p, device, (enum slots_kind)k, memory,
                                 bytes);
}

/* Opens the other rank's buffers by CUDA IPC. The other rank is the same for
 * every number of pairs, so that they are opened once. */
static void open_other(struct multi_pair *b, const struct pairing *p,
                       void *memory)
{
    struct pairing all = *p;
    struct gpu_share own, other;
    struct err err = {0};
    int one, two;

    all.per_domain = domain_pairs(b, p);
    (void)pair_up(b, &all, &one, &two);
    if (b->other < 0)
        return;
    DIE_TRY(b->n->gpu->share(&own, memory, DIE));
    MPI_TRY(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, b->other, 0, &other,
                         sizeof other, MPI_BYTE, b->other, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
    b->peer = b->n->gpu->open(&other, &err);
    if (!b->peer)
        native_die_of(&err);
}

static void all_counts(struct multi_pair *b, enum domain domain, bool off_node,
                       int active, const char *device, char *memory)
{
    struct pairing p = {.domain = domain, .off_node = off_node};

    p.active = active;
    int most = domain_pairs(b, &p);
    if (b->method == IPC)
        open_other(b, &p, memory);
    for (int pairs = 1, before = 0; before < most; pairs *= 2) {
        p.per_domain = before = pairs < most ? pairs : most;
        multi_pair_sizes(b, &p, device, memory);
    }
    if (b->peer)
        b->n->gpu->close(b->peer);
    b->peer = NULL;
    /* Memory must not be freed while another rank has it open. */
    native_quiet(b->n);
}

static void multi_pair_method(struct multi_pair *b, enum pair_method method,
                              const char *device, char *memory)
{
    b->method = method;
    for (int d = NUMA; d < NDOMAINS; d++) {
        int domains = count_domains(b, (enum domain)d);
        /* A socket with one NUMA domain, and a node with one socket, have no
         * pairs that are further apart. */
        if (d != NUMA && count_domains(b, (enum domain)(d - 1)) == domains)
            continue;
        all_counts(b, (enum domain)d, false, 1, device, memory);
        if (domains > 1)
            all_counts(b, (enum domain)d, false, domains, device, memory);
    }
    if (b->n->nodes < 2 || method == IPC)
        return;
    all_counts(b, NODE, true, 1, device, memory);
    for (int d = NUMA; d < NODE; d++) {
        int domains = count_domains(b, (enum domain)d);
        if (domains > 1 &&
            (d == NUMA || domains != count_domains(b, (enum domain)(d - 1))))
            all_counts(b, (enum domain)d, true, domains, device, memory);
    }
}

static void multi_pair_measure(void *arg, const char *device, void *buffer)
{
    struct multi_pair *b = arg;

    if (*device == 'c') {
        multi_pair_method(b, HOST, device, buffer);
        return;
    }
    multi_pair_method(b, b->n->device_mpi ? GPU_AWARE : IPC, device, buffer);
    multi_pair_method(b, COPY_TO_CPU, device, buffer);
}

static int multi_pair_memories(struct multi_pair *b, struct err *err)
{
    const struct gpu_api *gpu = b->n->gpu;

    b->sockets = native_sockets(b->n);
    b->numas = native_numas(b->n);
    b->ranks = xcalloc((size_t)b->n->per_node, sizeof *b->ranks);
    b->room = slots_room(b->wanted, b->o->sizes.to, 1);
    b->bounce = b->o->gpu ? gpu->host_new(b->o->sizes.to, err) : NULL;
    int result = native_agree(b->n, b->o->gpu && !b->bounce ? -1 : 0, err);
    if (result == 0)
        result =
            bench_memories(b->n, b->o, 2 * b->room, multi_pair_measure, b, err);
    if (b->bounce)
        gpu->host_free(b->bounce);
    free(b->ranks);
    free(b->numas);
    free(b->sockets);
    return result;
}

int bench_multi_pair(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "pairs_total pairs do ping-pongs at once, not synchronised after the "
        "start; all other ranks sleep; time_s is ONE-WAY: elapsed/(2*"
        "iterations), maximum over all ranks; one row a batch, after two that "
        "do not count",
        "domains_active domains have pairs_per_domain pairs each: within a "
        "NUMA domain, between those of a socket, between sockets of a node; "
        "off_node: rank k of node 0 with rank k of node 1, pairs_per_domain "
        "of each domain; pairs_socket0: pairs that begin on socket 0",
        "method: mpi: host memory; gpu_aware: GPU memory that the MPI sends; "
        "ipc (where it does not): the sender copies into the receiver's "
        "memory (CUDA IPC), then an empty message tells it; copy_to_cpu: copy "
        "to the host, message, copy to the GPU, each waited for",
        SLOTS_NOTE, NULL};
    const char *buffers = NULL;
    const struct opt more[] = {SLOTS_OPTION(buffers), {0}};
    struct bench_options o = {
        .sizes = {4, 4u << 20, 4},
        .ipc = true,
        .about = "1, 2, 4, ... and all pairs of ranks of a NUMA domain, of a "
                 "socket, of a node and "
                 "of two nodes do ping-pongs at once; the time is one way, of "
                 "the slowest pair.\n"};
    struct table t;
    struct multi_pair b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "multi_pair [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (n->ranks < 2)
        return fail(err, "multi_pair: expected two ranks or more");
    if (slots_option(b.wanted, buffers, err) < 0 ||
        table_open(&t, n, &o.native,
                   "multi_pair: ping-pongs of pairs of ranks at once", notes,
                   "device,method,locality,same_numa,domain,domains_active,"
                   "pairs_per_domain,pairs_total,pairs_socket0,"
                   "bytes_per_message,buffers,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, multi_pair_memories(&b, err), err);
}
