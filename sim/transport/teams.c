/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of processes that send and receive under a runtime with a
 * communication thread, and the stages of a message between them. */
#include "sim/transport/transport.h"

#include <math.h>
#include <stdlib.h>

enum { LETTERS = 256 }; /* allocated at a time */

/* --- memory of messages --------------------------------------------------- */

static struct letter *letter_new(struct teams *h)
{
    if (!h->unused) {
        struct letter *chunk = xcalloc(LETTERS, sizeof *chunk);
        h->chunks = xrealloc(h->chunks, h->nchunks + 1, sizeof(void *));
        h->chunks[h->nchunks++] = chunk;
        for (size_t i = LETTERS; i-- > 0;) {
            chunk[i].next = h->unused;
            h->unused = &chunk[i];
        }
    }
    struct letter *l = h->unused;
    h->unused = l->next;
    return l;
}

void letters_add(struct letters *q, struct letter *l)
{
    l->next = NULL;
    if (q->first)
        q->last->next = l;
    else
        q->first = l;
    q->last = l;
    q->n++;
}

void letters_add_first(struct letters *q, struct letter *l)
{
    l->next = q->first;
    if (!q->first)
        q->last = l;
    q->first = l;
    q->n++;
}

struct letter *letters_take(struct letters *q)
{
    struct letter *l = q->first;

    if (l) {
        q->first = l->next;
        q->n--;
    }
    return l;
}

static void crew_init(struct crew *c, struct team *h, uint32_t process,
                      bool sends)
{
    *c = (struct crew){.at = {.f = h->f,
                              .from = process,
                              .to = process,
                              .kind = TRANSFER_CREW,
                              .cause = CAUSE_CPU},
                       .host = h,
                       .sends = sends};
}

/* Returns the compute threads of a process: all but one of its cores, because
 * one thread communicates. */
static unsigned teams_threads(const struct fabric *f,
                              const struct runtime_costs *c)
{
    unsigned cores = f->m->ncores / f->per_node;

    if (c->threads)
        return c->threads;
    return cores > 2 ? cores - 1 : 1;
}

void teams_init(struct fabric *f, enum runtime by)
{
    const struct runtime_costs *c = &f->m->costs[by];
    struct teams *h = xcalloc(1, sizeof *h);
    uint64_t packets = (uint64_t)c->packets_per_host * f->processes;

    *h = (struct teams){.costs = c,
                        .rules = transports[by]->rules,
                        .name = runtime_words[by],
                        .threads = teams_threads(f, c),
                        .eager_B = c->eager_B ? c->eager_B
                                              : machine_rendezvous_limit(f->m)};
    h->of = xcalloc(f->processes, sizeof *h->of);
    for (uint32_t i = 0; i < f->processes; i++) {
        struct team *host = &h->of[i];
        host->f = f;
        crew_init(&host->sends, host, i, true);
        crew_init(&host->takes, host, i, false);
        host->packets = host->arrival_packets = packets;
        host->counts.reserved_B = 2 * runtime_pool_B(c, f->processes);
    }
    f->teams = h;
}

void teams_free(struct teams *h)
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

void team_hold(struct team *h, double bytes)
{
    struct host_counts *c = &h->counts;

    c->live_B += bytes;
    c->most_B = fmax(c->most_B, c->live_B);
}

void team_drop(struct teams *h, uint32_t process, double bytes)
{
    h->of[process].counts.live_B -= bytes;
}

void team_windows(struct teams *h, uint32_t process, double bytes)
{
    h->of[process].counts.reserved_B += bytes;
}

void letter_starve(struct letter *l, struct team *h, struct letters *q,
                   const char *what)
{
    struct teams *all = h->f->teams;

    h->counts.retries++;
    if (all->costs->exhaustion_fails && !all->broken) {
        all->broken = true;
        all->broken_host = (uint32_t)(h - all->of);
        all->broken_at = l->t->number;
        all->broken_what = what;
    }
    l->since_s = fabric_now(h->f);
    letters_add(q, l);
}

void letter_fed(struct letter *l, struct team *h, const struct transfer *by)
{
    h->counts.waited_s += fabric_now(h->f) - l->since_s;
    transfer_waited(l->t, CAUSE_PACKET, by);
}

double letter_new_s(const struct letter *l)
{
    const double *share = l->t->f->teams->new_share;

    return letter_costs(l)->large_recv_s_per_B * (double)l->wire_B *
           (share ? share[l->t->to] : 1);
}

/* --- compute threads ------------------------------------------------------ */

/* Returns the time of the threads' current messages: that of the longest call,
 * because they work at the same time, plus their contention. */
static double crew_time_s(const struct crew *c)
{
    const struct teams *h = c->at.f->teams;
    uint32_t sharing =
        (c->active.n + h->costs->devices - 1) / h->costs->devices;
    double longest_s = 0;

    for (const struct letter *l = c->active.first; l; l = l->next)
        longest_s = fmax(longest_s,
                         c->sends ? h->rules->call_s(l) : h->rules->take_s(l));
    return longest_s + (c->sends ? (sharing - 1) * h->costs->call_thread_s : 0);
}

/* Gives the threads their next messages. A call that ends an epoch is one
 * thread's alone. */
static void crew_draw(struct crew *c)
{
    const struct teams *h = c->at.f->teams;
    struct letter *l;

    while ((l = c->waiting.first) && c->active.n < h->threads) {
        if (l->completing && c->sends && c->active.n)
            return;
        if (c->sends && !l->completing && h->rules->admits &&
            !h->rules->admits(l))
            continue; /* because admits() has removed it */
        letters_add(&c->active, letters_take(&c->waiting));
        if (c->goes_on)
            transfer_waited(l->t, CAUSE_CPU, &c->at);
        if (l->completing && c->sends)
            return;
        if (c->sends)
            transfer_began(l->t);
    }
}

static void crew_done(void *arg);

/* Gives the CPU's threads their next messages, or releases the CPU if there are
 * none. */
static void crew_next(void *arg)
{
    struct crew *c = arg;

    crew_draw(c);
    if (c->active.n) {
        engine_after(c->at.f->engine, crew_time_s(c), crew_done, c);
        return;
    }
    c->works = c->goes_on = false;
    transfer_release_cpu(&c->at, c->at.from);
}

/* Takes the CPU, and begins after all other events of this moment, because they
 * may add messages for the same threads. */
static void crew_take_cpu(struct crew *c)
{
    struct server *cpu = &c->at.f->cpu[c->at.from];

    c->at.number = c->waiting.first->t->number;
    if (server_take(cpu))
        engine_after(c->at.f->engine, 0, crew_next, c);
    else if (c->sends)
        server_wait_first(cpu, &c->at.waiter);
    else
        server_wait(cpu, &c->at.waiter);
}

/* Lets threads that receive yield to others that wait for the CPU, and queue
 * behind these. Returns whether they did. */
static bool crew_gives_way(struct crew *c)
{
    if (c->sends || !c->waiting.first || !c->at.f->cpu[c->at.from].first)
        return false;
    struct transfer over = c->at;
    c->goes_on = false;
    crew_take_cpu(c);
    transfer_release_cpu(&over, over.from);
    return true;
}

static void crew_done(void *arg)
{
    struct crew *c = arg;
    const struct team_rules *rules = c->at.f->teams->rules;
    struct letter *l;

    c->goes_on = true;
    while ((l = letters_take(&c->active))) {
        c->at.number = l->t->number;
        if (c->sends)
            rules->called(l);
        else
            rules->taken(l);
    }
    if (!crew_gives_way(c))
        crew_next(c);
}

void crew_go(struct transfer *t)
{
    crew_next(t);
}

void crew_add(struct crew *c, struct letter *l)
{
    letters_add(&c->waiting, l);
    if (c->works)
        return;
    c->works = true;
    crew_take_cpu(c);
}

/* --- the communication thread --------------------------------------------- */

static void comm_done(void *arg);

static void comm_next(void *arg)
{
    struct team *h = arg;
    const struct runtime_costs *c = h->f->teams->costs;
    const struct chore *first = h->first_chore;
    double s = first->s + c->test_s * h->requests;

    if (first->looks)
        s += c->entry_s * (h->entries + h->requests);
    h->counts.comm_s += s;
    engine_after(h->f->engine, s, comm_done, h);
}

static void comm_done(void *arg)
{
    struct team *h = arg;
    struct chore *done = h->first_chore;
    const struct transfer *t = done->of->t;

    h->first_chore = done->next;
    done->of->held++; /* because it is used below */
    done->then(done->of);
    if (h->first_chore) {
        transfer_waited(h->first_chore->of->t, CAUSE_COMM, t);
        comm_next(h);
    } else {
        h->comm_works = false;
        h->comm_idle_s = fabric_now(h->f);
    }
    letter_let_go(done->of);
}

/* Returns the rest of the current polling round, because an idle communication
 * thread sees a task only at the end of its round. */
static double comm_round_left_s(const struct team *h)
{
    const struct runtime_costs *c = h->f->teams->costs;
    double round_s = c->poll_s + c->test_s * h->requests;
    double idle_s = fabric_now(h->f) - h->comm_idle_s;

    if (round_s <= 0)
        return 0;
    return fmax(ceil(idle_s / round_s - 1e-9) * round_s - idle_s, 0);
}

static void comm_add(struct team *h, struct chore *c)
{
    c->next = NULL;
    if (h->first_chore)
        h->last_chore->next = c;
    else
        h->first_chore = c;
    h->last_chore = c;
    if (h->comm_works)
        return;
    h->comm_works = true;
    engine_after(h->f->engine, comm_round_left_s(h), comm_next, h);
}

void letter_chore(struct letter *l, enum letter_end end, double s,
                  void (*then)(struct letter *l))
{
    struct chore *c = &l->chores[end];

    if (s <= 0 && letter_costs(l)->test_s <= 0) {
        then(l);
        return;
    }
    *c = (struct chore){.of = l, .s = s, .then = then};
    comm_add(end == LETTER_FROM ? letter_from(l) : letter_to(l), c);
}

void letter_look(struct letter *l, double s, void (*then)(struct letter *l))
{
    struct chore *c = &l->chores[LETTER_TO];

    *c = (struct chore){.of = l, .s = s, .looks = true, .then = then};
    comm_add(letter_to(l), c);
}

/* --- the wire ------------------------------------------------------------- */

void letter_go(struct transfer *t)
{
    t->letter->then(t->letter);
}

static void letter_go_on(void *arg)
{
    struct letter *l = arg;

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

double letter_latency_s(const struct letter *l)
{
    return segment_latency_s(l->t->segment) + transfer_far_s(l->t);
}

void letter_control(struct letter *l, void (*then)(struct letter *l))
{
    l->then = then;
    engine_after(l->t->f->engine, letter_latency_s(l), letter_go_on, l);
}

static int letter_nic(const struct letter *l)
{
    const struct fabric *f = l->t->f;

    return machine_nic_between(f->m, l->bulk, fabric_node(f, l->t->from),
                               fabric_node(f, l->t->to));
}

/* Continues after the bytes. */
static void letter_flowed(struct letter *l)
{
    transfer_flowed(l->t);
    if (l->t->leaves)
        transfer_release_nic(l->t, letter_nic(l));
    l->after_wire(l);
}

static void letter_flow(struct letter *l)
{
    struct transfer *t = l->t;
    const struct segment *s = l->bulk;
    bool host = t->from_gpu == NO_GPU;
    double s_per_B = t->leaves ? segment_wire_s_per_B(s) : s->beta_s_per_B;
    double traffic = !t->leaves && s->copies > 0 ? s->copies : 1;

    l->then = letter_flowed;
    transfer_flow(
        t, 0,
        host ? fabric_process(t->f, t->from) : fabric_gpu(t->f, t->from_gpu),
        host ? fabric_process(t->f, t->to) : fabric_gpu(t->f, t->to_gpu),
        traffic * (double)l->wire_B, s_per_B > 1e-18 ? traffic / s_per_B : 0,
        letter_nic(l));
}

static void letter_has_place(struct letter *l)
{
    l->then = letter_flow;
    transfer_wait_gap(l->t, letter_nic(l), 1, 0);
}

static void letter_at_nic(struct letter *l)
{
    if (!l->t->leaves) {
        letter_flow(l);
        return;
    }
    l->then = letter_has_place;
    transfer_take_nic(l->t, letter_nic(l), 0);
}

void letter_wire(struct letter *l, void (*then)(struct letter *l))
{
    l->bulk = transfer_segment(l->t, l->wire_B);
    l->after_wire = then;
    letter_from(l)->counts.messages++;
    letter_control(l, letter_at_nic);
}

/* --- the ends of a message ------------------------------------------------ */

void letter_send(struct transfer *t)
{
    struct letter *l = letter_new(t->f->teams);

    *l = (struct letter){
        .t = t, .wire_B = t->bytes, .held = 1, .posted = t->partner == t};
    t->letter = l;
    t->leaves = transfer_leaves_node(t);
    t->segment = one_way(transfer_table(t), t->bytes);
    team_hold(letter_from(l), (double)t->bytes);
    crew_add(&letter_from(l)->sends, l);
}

struct occupancies letter_progress(const struct segment *s, uint64_t bytes)
{
    (void)s;
    (void)bytes;
    return (struct occupancies){0};
}

void letter_let_go(struct letter *l)
{
    struct teams *h = l->t->f->teams;

    if (--l->held)
        return;
    transfer_done(l->t);
    l->next = h->unused;
    h->unused = l;
}

void letter_sent(struct letter *l)
{
    team_drop(l->t->f->teams, l->t->from, (double)l->t->bytes);
    transfer_sent(l->t);
}

/* Ends a message that has arrived and whose receive is posted. */
static void letter_end(struct letter *l)
{
    struct transfer *recv = l->recv;

    transfer_ended(recv ? recv : l->t);
    if (recv)
        transfer_done(recv);
    letter_let_go(l);
}

void letter_announce(struct letter *l)
{
    message_announce(l->t);
}

void letter_arrived(struct letter *l)
{
    l->there = true;
    if (l->t->kind == TRANSFER_LETTER ? l->posted : l->recv != NULL) {
        if (l->recv)
            transfer_waited(l->recv, CAUSE_MATCH, l->t);
        letter_end(l);
    } else if (l->t->kind == TRANSFER_LETTER_SEND &&
               !l->t->f->teams->rules->windows) {
        letter_announce(l);
    }
}

void letter_post(struct transfer *t, const struct transfer *by)
{
    struct letter *l = t->letter;

    l->posted = true;
    if (l->then_posted) {
        transfer_waited(t, CAUSE_MATCH, by);
        l->then_posted(l);
    } else if (l->there) {
        transfer_waited(t, CAUSE_MATCH, by);
        letter_end(l);
    }
}

void letter_pair(struct transfer *t, struct transfer *recv, bool posted_now)
{
    struct letter *l = t->letter;

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
        letter_end(l);
    }
}
