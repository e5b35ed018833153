/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI by one thread of a process (MPI_THREAD_FUNNELED; Dang et al. 2018,
 * III.B): compute threads queue their messages; the communication thread runs a
 * loop of MPI_Isend of each queued message, MPI_Iprobe of any source and tag,
 * MPI_Irecv of each message found, and MPI_Test of every pending request.
 *
 * Small messages to one destination wait for each other, until they are eager_B
 * together or the first has waited flush_s, and then are one message. A task is
 * one round of the loop: it takes test_s for each pending request besides its
 * own work, or poll_s if there is none.
 *
 * eager       Isend, latency, bytes; the receiver's loop finds it, at entry_s
 * for each arrival and pending request; the sender's next round sees that it
 * has left. rendezvous  Isend, latency; the receiver's loop finds and answers
 * it; latency; the sender's loop sees that, and the bytes flow; both test.
 */
#include "sim/transport/transport.h"

static bool probe_is_eager(const struct letter *l)
{
    return l->wire_B <= l->t->f->teams->eager_B;
}

/* Returns whether it waits for others to the same process. */
static bool probe_gathers(const struct letter *l)
{
    return letter_costs(l)->flush_s > 0 &&
           l->t->bytes < l->t->f->teams->eager_B;
}

static double probe_call_s(const struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    return c->call_s + (probe_gathers(l) && c->copy_Bps > 0
                            ? (double)l->t->bytes / c->copy_Bps
                            : 0);
}

static double probe_take_s(const struct letter *l)
{
    return letter_costs(l)->dequeue_s;
}

static void team_request(struct team *h)
{
    if (++h->requests > h->counts.most_requests)
        h->counts.most_requests = h->requests;
}

/* --- buffers at the receiver ---------------------------------------------- */

static bool probe_has_room(const struct letter *l)
{
    const struct team *to = letter_to(l);
    uint64_t most_B = letter_costs(l)->unexpected_B;

    return !most_B || to->unexpected_B <= 0 ||
           to->unexpected_B + (double)l->wire_B <= (double)most_B;
}

static void probe_flowed(struct letter *l);

static void probe_fly(struct letter *l)
{
    letter_to(l)->unexpected_B += (double)l->wire_B;
    letter_wire(l, probe_flowed);
}

static void probe_make_room(struct letter *l)
{
    struct team *to = letter_to(l);

    to->unexpected_B -= (double)l->wire_B;
    while (to->held.first && probe_has_room(to->held.first)) {
        struct letter *next = letters_take(&to->held);
        letter_fed(next, to, l->t);
        probe_fly(next);
    }
}

/* --- from the sender to the receiver -------------------------------------- */

/* Hands each message of a batch to a compute thread. */
static void probe_received(struct letter *l)
{
    struct team *to = letter_to(l);

    if (probe_is_eager(l)) {
        to->entries--;
        probe_make_room(l);
    } else {
        to->requests--;
    }
    for (struct letter *m = l; m; m = m->batch)
        crew_add(&to->takes, m);
}

/* Ends the send, because the sender's communication thread sees that it has
 * left. */
static void probe_completed(struct letter *l)
{
    letter_from(l)->requests--;
    if (probe_gathers(l))
        team_drop(l->t->f->teams, l->t->from, (double)l->wire_B);
    else
        letter_sent(l);
    letter_let_go(l);
}

static void probe_flowed(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);
    double bytes_s = c->recv_s_per_B * (double)l->wire_B;

    l->held++;
    if (probe_is_eager(l)) {
        letter_to(l)->entries++;
        team_hold(letter_to(l), (double)l->wire_B);
        letter_look(l, c->recv_s + bytes_s, probe_received);
    } else {
        bytes_s += letter_new_s(l);
        letter_chore(l, LETTER_TO, c->poll_s + bytes_s, probe_received);
    }
    letter_chore(l, LETTER_FROM, c->poll_s, probe_completed);
}

static void probe_put(struct letter *l)
{
    letter_wire(l, probe_flowed);
}

static void probe_cleared(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    letter_chore(l, LETTER_FROM,
                 c->poll_s + (c->send_s_per_B + c->large_send_s_per_B) *
                                 (double)l->wire_B,
                 probe_put);
}

static void probe_answer(struct letter *l)
{
    struct team *to = letter_to(l);

    to->entries--;
    team_request(to);
    team_hold(to, (double)l->wire_B);
    letter_control(l, probe_cleared);
}

static void probe_asked(struct letter *l)
{
    letter_to(l)->entries++;
    letter_look(l, letter_costs(l)->recv_s, probe_answer);
}

static void probe_isent(struct letter *l)
{
    struct team *to = letter_to(l);

    team_request(letter_from(l));
    if (!probe_is_eager(l))
        letter_control(l, probe_asked);
    else if (probe_has_room(l))
        probe_fly(l);
    else
        letter_starve(l, to, &to->held,
                      "buffers left for eager messages that it did not "
                      "expect");
}

/* Sends a batch, or a single message. */
static void probe_isend(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    letter_chore(
        l, LETTER_FROM,
        c->send_s + c->poll_s +
            (probe_is_eager(l) ? c->send_s_per_B * (double)l->wire_B : 0),
        probe_isent);
}

/* --- batches -------------------------------------------------------------- */

static struct letter **probe_batch(struct letter *l)
{
    struct letter **at = &letter_from(l)->batches;

    while (*at && (*at)->t->to != l->t->to)
        at = &(*at)->next;
    return at;
}

static void probe_close(struct letter **at)
{
    struct letter *first = *at;

    *at = first->next;
    first->open = false;
    probe_isend(first);
}

static void probe_time_out(void *arg)
{
    struct letter *l = arg;

    if (l->open)
        probe_close(probe_batch(l));
    letter_let_go(l);
}

static void probe_gather(struct letter *l)
{
    struct letter **at = probe_batch(l), *first = *at;
    uint64_t eager_B = l->t->f->teams->eager_B;

    if (first && first->wire_B + l->t->bytes > eager_B) {
        probe_close(at);
        first = *(at = probe_batch(l));
    }
    if (!first) {
        *at = first = l;
        l->next = NULL;
        l->open = true;
        l->held++;
        engine_after(l->t->f->engine, letter_costs(l)->flush_s, probe_time_out,
                     l);
    } else {
        first->last->batch = l;
        first->wire_B += l->t->bytes;
    }
    first->last = l;
    if (first->wire_B >= eager_B)
        probe_close(probe_batch(first));
}

static void probe_called(struct letter *l)
{
    if (!probe_gathers(l)) {
        probe_isend(l);
        return;
    }
    transfer_sent(l->t); /* because it was copied */
    probe_gather(l);
}

static void probe_taken(struct letter *l)
{
    letter_arrived(l);
}

static const struct team_rules mpi_probe_rules = {.call_s = probe_call_s,
                                                  .called = probe_called,
                                                  .take_s = probe_take_s,
                                                  .taken = probe_taken};

const struct transport mpi_probe_transport = {
    .summary = "MPI by one thread that sends, probes for any message, and "
               "tests what is pending",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_PAIR,
    .progress = letter_progress,
    .post_send = letter_send,
    .post_recv = letter_post,
    .rules = &mpi_probe_rules,
};
