/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of processes that send and receive under a runtime with a
 * communication thread, and the stages of a message between them. */
#include "sim/transport/transport.h"

#include <math.h>
#include <stdlib.h>

enum { HOST_MESSAGES = 256 }; /* allocated at a time */

/* --- memory of messages --------------------------------------------------- */

static struct host_message *host_message_new(struct host_processes *h)
{
    if (!h->unused) {
        struct host_message *chunk = xcalloc(HOST_MESSAGES, sizeof *chunk);
        h->chunks = xrealloc(h->chunks, h->nchunks + 1, sizeof(void *));
        h->chunks[h->nchunks++] = chunk;
        for (size_t i = HOST_MESSAGES; i-- > 0;) {
            chunk[i].next = h->unused;
            h->unused = &chunk[i];
        }
    }
    struct host_message *l = h->unused;
    h->unused = l->next;
    return l;
}

void message_queue_add(struct message_queue *q, struct host_message *l)
{
    l->next = NULL;
    if (q->first)
        q->last->next = l;
    else
        q->first = l;
    q->last = l;
    q->n++;
}

void message_queue_add_first(struct message_queue *q, struct host_message *l)
{
    l->next = q->first;
    if (!q->first)
        q->last = l;
    q->first = l;
    q->n++;
}

struct host_message *message_queue_take(struct message_queue *q)
{
    struct host_message *l = q->first;

    if (l) {
        q->first = l->next;
        q->n--;
    }
    return l;
}

static void thread_pool_init(struct thread_pool *c, struct host_process *h,
                             uint32_t process, bool sends)
{
    *c = (struct thread_pool){.at = {.f = h->f,
                                     .from = process,
                                     .to = process,
                                     .kind = TRANSFER_THREAD_POOL,
                                     .cause = CAUSE_CPU},
                              .host = h,
                              .sends = sends};
}

/* Returns the compute threads of a process: all but one of its cores, because
 * one thread communicates. */
static unsigned host_processes_threads(const struct fabric *f,
                                       const struct runtime_costs *c)
{
    unsigned cores = f->m->ncores / f->per_node;

    if (c->threads)
        return c->threads;
    return cores > 2 ? cores - 1 : 1;
}

void host_processes_init(struct fabric *f, enum runtime by)
{
    const struct runtime_costs *c = &f->m->costs[by];
    struct host_processes *h = xcalloc(1, sizeof *h);
    uint64_t packets = (uint64_t)c->packets_per_host * f->processes;

    *h = (struct host_processes){
        .costs = c,
        .rules = transports[by]->rules,
        .name = runtime_words[by],
        .threads = host_processes_threads(f, c),
        .eager_B = c->eager_B ? c->eager_B : machine_rendezvous_limit(f->m)};
    h->of = xcalloc(f->processes, sizeof *h->of);
    for (uint32_t i = 0; i < f->processes; i++) {
        struct host_process *host = &h->of[i];
        host->f = f;
        thread_pool_init(&host->sends, host, i, true);
        thread_pool_init(&host->takes, host, i, false);
        host->packets = host->arrival_packets = packets;
        host->counts.reserved_B = 2 * runtime_pool_B(c, f->processes);
    }
    f->host_processes = h;
}

void host_processes_free(struct host_processes *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->nchunks; i++)
        free(h->chunks[i]);
    free(h->chunks);
    free(h->epochs);
    free(h->of);
    free(h);
}

/* --- memory --------------------------------------------------------------- */

void host_process_hold(struct host_process *h, double bytes)
{
    struct host_counts *c = &h->counts;

    c->live_B += bytes;
    c->most_B = fmax(c->most_B, c->live_B);
}

void host_process_drop(struct host_processes *h, uint32_t process, double bytes)
{
    h->of[process].counts.live_B -= bytes;
}

void host_process_windows(struct host_processes *h, uint32_t process,
                          double bytes)
{
    h->of[process].counts.reserved_B += bytes;
}

void host_message_starve(struct host_message *l, struct host_process *h,
                         struct message_queue *q, const char *what)
{
    struct host_processes *all = h->f->host_processes;

    h->counts.retries++;
    if (all->costs->exhaustion_fails && !all->broken) {
        all->broken = true;
        all->broken_host = (uint32_t)(h - all->of);
        all->broken_at = l->t->number;
        all->broken_what = what;
    }
    l->since_s = fabric_now(h->f);
    message_queue_add(q, l);
}

void host_message_fed(struct host_message *l, struct host_process *h,
                      const struct transfer *by)
{
    h->counts.waited_s += fabric_now(h->f) - l->since_s;
    transfer_waited(l->t, CAUSE_PACKET, by);
}

double host_message_new_s(const struct host_message *l)
{
    const double *share = l->t->f->host_processes->new_share;

    return host_message_costs(l)->large_recv_s_per_B * (double)l->wire_B *
           (share ? share[l->t->to] : 1);
}

/* --- compute threads ------------------------------------------------------ */

/* Returns the time of the threads' current messages: that of the longest call,
 * because they work at the same time, plus their contention. */
static double thread_pool_time_s(const struct thread_pool *c)
{
    const struct host_processes *h = c->at.f->host_processes;
    uint32_t sharing =
        (c->active.n + h->costs->devices - 1) / h->costs->devices;
    double longest_s = 0;

    for (const struct host_message *l = c->active.first; l; l = l->next)
        longest_s = fmax(longest_s,
                         c->sends ? h->rules->call_s(l) : h->rules->take_s(l));
    return longest_s + (c->sends ? (sharing - 1) * h->costs->call_thread_s : 0);
}

/* Gives the threads their next messages. A call that ends an epoch is one
 * thread's alone. */
static void thread_pool_draw(struct thread_pool *c)
{
    const struct host_processes *h = c->at.f->host_processes;
    struct host_message *l;

    while ((l = c->waiting.first) && c->active.n < h->threads) {
        if (l->completing && c->sends && c->active.n)
            return;
        if (c->sends && !l->completing && h->rules->admits &&
            !h->rules->admits(l))
            continue; /* because admits() has removed it */
        message_queue_add(&c->active, message_queue_take(&c->waiting));
        if (c->goes_on)
            transfer_waited(l->t, CAUSE_CPU, &c->at);
        if (l->completing && c->sends)
            return;
        if (c->sends)
            transfer_began(l->t);
    }
}

static void thread_pool_done(void *arg);

/* Gives the CPU's threads their next messages, or releases the CPU if there are
 * none. */
static void thread_pool_next(void *arg)
{
    struct thread_pool *c = arg;

    thread_pool_draw(c);
    if (c->active.n) {
        engine_after(c->at.f->engine, thread_pool_time_s(c), thread_pool_done,
                     c);
        return;
    }
    c->works = c->goes_on = false;
    transfer_release_cpu(&c->at, c->at.from);
}

/* Takes the CPU, and begins after all other events of this moment, because they
 * may add messages for the same threads. */
static void thread_pool_take_cpu(struct thread_pool *c)
{
    struct server *cpu = &c->at.f->cpu[c->at.from];

    c->at.number = c->waiting.first->t->number;
    if (server_take(cpu))
        engine_after(c->at.f->engine, 0, thread_pool_next, c);
    else if (c->sends)
        server_wait_first(cpu, &c->at.waiter);
    else
        server_wait(cpu, &c->at.waiter);
}

/* Lets threads that receive yield to others that wait for the CPU, and queue
 * behind these. Returns whether they did. */
static bool thread_pool_gives_way(struct thread_pool *c)
{
    if (c->sends || !c->waiting.first || !c->at.f->cpu[c->at.from].first)
        return false;
    struct transfer over = c->at;
    c->goes_on = false;
    thread_pool_take_cpu(c);
    transfer_release_cpu(&over, over.from);
    return true;
}

static void thread_pool_done(void *arg)
{
    struct thread_pool *c = arg;
    const struct runtime_rules *rules = c->at.f->host_processes->rules;
    struct host_message *l;

    c->goes_on = true;
    while ((l = message_queue_take(&c->active))) {
        c->at.number = l->t->number;
        if (c->sends)
            rules->called(l);
        else
            rules->taken(l);
    }
    if (!thread_pool_gives_way(c))
        thread_pool_next(c);
}

void thread_pool_go(struct transfer *t)
{
    thread_pool_next(t);
}

void thread_pool_add(struct thread_pool *c, struct host_message *l)
{
    message_queue_add(&c->waiting, l);
    if (c->works)
        return;
    c->works = true;
    thread_pool_take_cpu(c);
}

/* --- the communication thread --------------------------------------------- */

static void comm_done(void *arg);

static void comm_next(void *arg)
{
    struct host_process *h = arg;
    const struct runtime_costs *c = h->f->host_processes->costs;
    const struct comm_task *first = h->first_task;
    double s = first->s + c->test_s * h->requests;

    if (first->looks)
        s += c->entry_s * (h->entries + h->requests);
    h->counts.comm_s += s;
    engine_after(h->f->engine, s, comm_done, h);
}

static void comm_done(void *arg)
{
    struct host_process *h = arg;
    struct comm_task *done = h->first_task;
    const struct transfer *t = done->of->t;

    h->first_task = done->next;
    done->of->held++; /* because it is used below */
    done->then(done->of);
    if (h->first_task) {
        transfer_waited(h->first_task->of->t, CAUSE_COMM, t);
        comm_next(h);
    } else {
        h->comm_works = false;
        h->comm_idle_s = fabric_now(h->f);
    }
    host_message_let_go(done->of);
}

/* Returns the rest of the current polling round, because an idle communication
 * thread sees a task only at the end of its round. */
static double comm_round_left_s(const struct host_process *h)
{
    const struct runtime_costs *c = h->f->host_processes->costs;
    double round_s = c->poll_s + c->test_s * h->requests;
    double idle_s = fabric_now(h->f) - h->comm_idle_s;

    if (round_s <= 0)
        return 0;
    return fmax(ceil(idle_s / round_s - 1e-9) * round_s - idle_s, 0);
}

static void comm_add(struct host_process *h, struct comm_task *c)
{
    c->next = NULL;
    if (h->first_task)
        h->last_task->next = c;
    else
        h->first_task = c;
    h->last_task = c;
    if (h->comm_works)
        return;
    h->comm_works = true;
    engine_after(h->f->engine, comm_round_left_s(h), comm_next, h);
}

void host_message_task(struct host_message *l, enum host_message_end end,
                       double s, void (*then)(struct host_message *l))
{
    struct comm_task *c = &l->tasks[end];

    if (s <= 0 && host_message_costs(l)->test_s <= 0) {
        then(l);
        return;
    }
    *c = (struct comm_task){.of = l, .s = s, .then = then};
    comm_add(end == HOST_MESSAGE_FROM ? host_message_from(l)
                                      : host_message_to(l),
             c);
}

void host_message_look(struct host_message *l, double s,
                       void (*then)(struct host_message *l))
{
    struct comm_task *c = &l->tasks[HOST_MESSAGE_TO];

    *c = (struct comm_task){.of = l, .s = s, .looks = true, .then = then};
    comm_add(host_message_to(l), c);
}

/* --- the wire ------------------------------------------------------------- */

void host_message_go(struct transfer *t)
{
    t->message->then(t->message);
}

static void host_message_go_on(void *arg)
{
    struct host_message *l = arg;

    l->then(l);
}

/* Returns the segment of one message one way, which is an eager one, because
 * the runtime sends the control messages of a rendezvous itself. */
static const struct segment *one_way(const struct message_table *t,
                                     uint64_t bytes)
{
    const struct segment *s = table_segment(t, bytes);

    for (size_t i = t->nsegments; i-- > 0;)
        if (s->protocol == PROTOCOL_RENDEZVOUS &&
            t->segments[i].protocol != PROTOCOL_RENDEZVOUS)
            return &t->segments[i];
    return s;
}

double host_message_latency_s(const struct host_message *l)
{
    return segment_latency_s(l->t->segment) + transfer_far_s(l->t);
}

void host_message_control(struct host_message *l,
                          void (*then)(struct host_message *l))
{
    l->then = then;
    engine_after(l->t->f->engine, host_message_latency_s(l), host_message_go_on,
                 l);
}

static int host_message_nic(const struct host_message *l)
{
    const struct fabric *f = l->t->f;

    return machine_nic_between(f->m, l->bulk, fabric_node(f, l->t->from),
                               fabric_node(f, l->t->to));
}

/* Continues after the bytes. */
static void host_message_flowed(struct host_message *l)
{
    transfer_flowed(l->t);
    if (l->t->leaves)
        transfer_release_nic(l->t, host_message_nic(l));
    l->after_wire(l);
}

static void host_message_flow(struct host_message *l)
{
    struct transfer *t = l->t;
    const struct segment *s = l->bulk;
    bool host = t->from_gpu == NO_GPU;
    double s_per_B = t->leaves ? segment_wire_s_per_B(s) : s->beta_s_per_B;
    double traffic = !t->leaves && s->copies > 0 ? s->copies : 1;

    l->then = host_message_flowed;
    transfer_flow(
        t, 0,
        host ? fabric_process(t->f, t->from) : fabric_gpu(t->f, t->from_gpu),
        host ? fabric_process(t->f, t->to) : fabric_gpu(t->f, t->to_gpu),
        traffic * (double)l->wire_B, s_per_B > 1e-18 ? traffic / s_per_B : 0,
        host_message_nic(l));
}

static void host_message_has_place(struct host_message *l)
{
    l->then = host_message_flow;
    transfer_wait_gap(l->t, host_message_nic(l), 1, 0);
}

static void host_message_at_nic(struct host_message *l)
{
    if (!l->t->leaves) {
        host_message_flow(l);
        return;
    }
    l->then = host_message_has_place;
    transfer_take_nic(l->t, host_message_nic(l), 0);
}

void host_message_wire(struct host_message *l,
                       void (*then)(struct host_message *l))
{
    l->bulk = transfer_segment(l->t, l->wire_B);
    l->after_wire = then;
    host_message_from(l)->counts.messages++;
    host_message_control(l, host_message_at_nic);
}

/* --- the ends of a message ------------------------------------------------ */

void host_message_send(struct transfer *t)
{
    struct host_message *l = host_message_new(t->f->host_processes);

    *l = (struct host_message){
        .t = t, .wire_B = t->bytes, .held = 1, .posted = t->partner == t};
    t->message = l;
    t->leaves = transfer_leaves_node(t);
    t->segment = one_way(transfer_table(t), t->bytes);
    host_process_hold(host_message_from(l), (double)t->bytes);
    thread_pool_add(&host_message_from(l)->sends, l);
}

void host_message_let_go(struct host_message *l)
{
    struct host_processes *h = l->t->f->host_processes;

    if (--l->held)
        return;
    transfer_done(l->t);
    l->next = h->unused;
    h->unused = l;
}

void host_message_sent(struct host_message *l)
{
    host_process_drop(l->t->f->host_processes, l->t->from, (double)l->t->bytes);
    transfer_sent(l->t);
}

/* Ends a message that has arrived and whose receive is posted. */
static void host_message_end(struct host_message *l)
{
    struct transfer *recv = l->recv;

    transfer_ended(recv ? recv : l->t);
    if (recv)
        transfer_done(recv);
    host_message_let_go(l);
}

void host_message_announce(struct host_message *l)
{
    message_announce(l->t);
}

void host_message_arrived(struct host_message *l)
{
    l->there = true;
    if (l->t->kind == TRANSFER_HOST_MESSAGE ? l->posted : l->recv != NULL) {
        if (l->recv)
            transfer_waited(l->recv, CAUSE_MATCH, l->t);
        host_message_end(l);
    } else if (l->t->kind == TRANSFER_HOST_MESSAGE_SEND &&
               !l->t->f->host_processes->rules->windows) {
        host_message_announce(l);
    }
}

void host_message_post(struct transfer *t, const struct transfer *by)
{
    struct host_message *l = t->message;

    l->posted = true;
    if (l->then_posted) {
        transfer_waited(t, CAUSE_MATCH, by);
        l->then_posted(l);
    } else if (l->there) {
        transfer_waited(t, CAUSE_MATCH, by);
        host_message_end(l);
    }
}

void host_message_pair(struct transfer *t, struct transfer *recv,
                       bool posted_now)
{
    struct host_message *l = t->message;

    l->recv = recv;
    l->posted = true;
    if (l->then_posted) {
        l->posted_now = posted_now;
        if (posted_now)
            transfer_waited(t, CAUSE_MATCH, recv);
        l->then_posted(l);
    } else if (l->there) {
        if (!posted_now)
            transfer_waited(recv, CAUSE_MATCH, t);
        host_message_end(l);
    }
}
