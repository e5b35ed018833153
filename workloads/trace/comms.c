/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the communicators that the ranks of a trace make of each other. */
#include "workloads/trace/comms.h"

#include "workloads/trace/rank_lists.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const how_words[] = {
    [TRACE_DUP] = "duplicates",
    [TRACE_SPLIT] = "splits",
    [TRACE_MEMBERS] = "lists members of",
};

struct arrival {
    uint32_t rank, me, own, ticket, color, key;
};

/* A child communicator of one round, which has one child per colour, or one per
 * list of members. */
struct child {
    uint32_t color; /* the colour, or the number of the list */
    uint32_t number, came, first_rank;
};

/* One creation in which all members of a communicator take part. */
struct round {
    uint8_t how;
    uint32_t first_rank, came;
    struct arrival *arrivals; /* for a split */
    struct child *children;
    uint32_t narrivals, nchildren;
};

struct comm {
    struct trace_comm is;
    /* Number in trace_comms.lists; NO_LIST if the members are not known. */
    uint32_t list;
    /* For TRACE_KNOWN: its key, and the next communicator of the same list. */
    uint32_t key, next;
    struct round *rounds; /* rounds from head on are not complete */
    uint32_t nrounds, room;
    uint32_t head, done; /* rounds[head] is the round with the number `done` */
    /* Rounds that each member has joined; NULL before the first. */
    uint32_t *made;
};

/* The communicator that a rank's own number denotes. */
struct binding {
    uint32_t own, number, me;
    /* For a split that is not complete: the ticket of the rank's arrival. If
     * the members are unknown: the number of rounds that the rank has
     * joined. */
    uint32_t ticket;
};
#define PENDING (NO_LIST - 1)

struct bindings {
    struct binding *slots; /* a slot is free if its own is NO_COMM */
    uint32_t n, room;      /* room: 0 or a power of 2 */
};

struct trace_comms {
    const struct trace *t;
    struct comm **comms;
    uint32_t ncomms;
    struct rank_lists lists;
    struct bindings *of; /* one per rank */
    /* seen[r] is epoch if r is in the list that is being read. */
    uint32_t *seen, epoch;
    uint32_t *scratch;
    uint32_t tickets;
};

/* --- communicators -------------------------------------------------------- */

static struct comm *comm_new(struct trace_comms *c, uint32_t list,
                             enum trace_how how, uint32_t parent)
{
    struct comm *m = xcalloc(1, sizeof *m);

    m->is = (struct trace_comm){
        .number = c->ncomms, .parent = parent, .how = (uint8_t)how};
    m->list = list;
    m->next = NO_LIST;
    if (list != NO_LIST) {
        m->is.n = c->lists.items[list].n;
        m->is.members = c->lists.items[list].ranks;
    }
    if ((c->ncomms & (c->ncomms - 1)) == 0)
        c->comms =
            xrealloc(c->comms, c->ncomms ? 2 * c->ncomms : 1, sizeof *c->comms);
    return c->comms[c->ncomms++] = m;
}

static void rounds_clear(struct comm *m)
{
    for (uint32_t i = m->head; i < m->nrounds; i++) {
        free(m->rounds[i].arrivals);
        free(m->rounds[i].children);
    }
    free(m->rounds);
}

/* Returns the round that a rank joins after it has joined `made` rounds; begins
 * the round if the rank is its first. */
static struct round *round_of(struct comm *m, uint32_t made, uint32_t rank,
                              enum trace_how how)
{
    uint32_t at = m->head + made - m->done;

    assert(made >= m->done && at <= m->nrounds);
    if (at < m->nrounds)
        return &m->rounds[at];
    if (m->nrounds == m->room && m->head > m->room / 2) {
        m->nrounds -= m->head;
        memmove(m->rounds, m->rounds + m->head, m->nrounds * sizeof *m->rounds);
        m->head = 0;
    } else if (m->nrounds == m->room) {
        m->room = m->room ? 2 * m->room : 4;
        m->rounds = xrealloc(m->rounds, m->room, sizeof *m->rounds);
    }
    m->rounds[m->nrounds] =
        (struct round){.how = (uint8_t)how, .first_rank = rank};
    return &m->rounds[m->nrounds++];
}

/* Returns the child of a colour, or of a list; makes it if the rank is the
 * first that needs it. */
static struct child *child_of(struct trace_comms *c, const struct comm *parent,
                              struct round *r, uint32_t color, uint32_t list,
                              uint32_t rank)
{
    for (uint32_t i = 0; i < r->nchildren; i++)
        if (r->children[i].color == color)
            return &r->children[i];
    r->children = xrealloc(r->children, r->nchildren + 1, sizeof *r->children);
    r->children[r->nchildren] = (struct child){
        .color = color,
        .number = comm_new(c, list, r->how, parent->is.number)->is.number,
        .first_rank = rank};
    return &r->children[r->nchildren++];
}

/* --- numbers of a rank ---------------------------------------------------- */

static uint32_t slot_of(const struct bindings *b, uint32_t own)
{
    uint32_t at = (own * 0x9e3779b1u) >> 7 & (b->room - 1);

    while (b->slots[at].own != own && b->slots[at].own != NO_COMM)
        at = (at + 1) & (b->room - 1);
    return at;
}

static struct binding *binding_of(const struct bindings *b, uint32_t own)
{
    if (!b->room)
        return NULL;
    struct binding *found = &b->slots[slot_of(b, own)];
    return found->own == own ? found : NULL;
}

static void bind(struct trace_comms *c, uint32_t rank, uint32_t own,
                 uint32_t number, uint32_t me)
{
    struct bindings *b = &c->of[rank], old = *b;

    if (own == NO_COMM)
        return;
    if (2 * b->n >= b->room) {
        b->room = old.room ? 2 * old.room : 4;
        b->slots = xmalloc(b->room * sizeof *b->slots);
        memset(b->slots, 0xff, b->room * sizeof *b->slots);
        for (uint32_t i = 0; i < old.room; i++)
            if (old.slots[i].own != NO_COMM)
                b->slots[slot_of(b, old.slots[i].own)] = old.slots[i];
        free(old.slots);
    }
    struct binding *slot = &b->slots[slot_of(b, own)];
    b->n += slot->own != own;
    *slot = (struct binding){.own = own, .number = number, .me = me};
}

/* --- making one ----------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;

    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if ((int32_t)x->key != (int32_t)y->key)
        return (int32_t)x->key < (int32_t)y->key ? -1 : 1;
    return x->me < y->me ? -1 : x->me > y->me;
}

/* Completes a split, because all members have come: puts the members of each
 * colour in order. A rank that has given its number to another communicator
 * meanwhile keeps that one. */
static void split_end(struct trace_comms *c, const struct comm *parent,
                      struct round *r, uint32_t n)
{
    qsort(r->arrivals, n, sizeof *r->arrivals, by_key);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && r->arrivals[end].color == r->arrivals[i].color;
             end++)
            c->scratch[end - i] = r->arrivals[end].rank;
        uint32_t list = rank_lists_of(&c->lists, c->t, c->scratch, end - i);
        uint32_t number =
            comm_new(c, list, TRACE_SPLIT, parent->is.number)->is.number;
        for (uint32_t k = i; k < end; k++) {
            struct binding *b =
                binding_of(&c->of[r->arrivals[k].rank], r->arrivals[k].own);
            if (b && b->number == PENDING && b->ticket == r->arrivals[k].ticket)
                *b = (struct binding){
                    .own = b->own, .number = number, .me = k - i};
        }
    }
}

/* Returns whether the members of m's splits can be known. They cannot if a rank
 * of m is missing in the trace, because its colour is missing, too. */
static bool members_known(const struct trace_comms *c, const struct comm *m)
{
    return m->list != NO_LIST && !c->lists.items[m->list].missing;
}

static void split(struct trace_comms *c, uint32_t rank,
                  const struct trace_event *e, struct comm *parent,
                  struct round *r, uint32_t me)
{
    if (e->new_comm == NO_COMM)
        return;
    if (!members_known(c, parent)) {
        struct child *child = child_of(c, parent, r, e->color, NO_LIST, rank);
        bind(c, rank, e->new_comm, child->number, UNKNOWN_PEER);
        return;
    }
    uint32_t n = r->narrivals++;
    if ((n & (n - 1)) == 0)
        r->arrivals = xrealloc(r->arrivals, n ? 2 * n : 1, sizeof *r->arrivals);
    r->arrivals[n] = (struct arrival){.rank = rank,
                                      .me = me,
                                      .own = e->new_comm,
                                      .ticket = ++c->tickets,
                                      .color = e->color,
                                      .key = e->key};
    bind(c, rank, e->new_comm, PENDING, UNKNOWN_PEER);
    binding_of(&c->of[rank], e->new_comm)->ticket = c->tickets;
}

/* Writes the event's members to c->scratch as ranks of the world, and the
 * rank's place among them to *me, UNKNOWN_PEER if it is none of them. */
static int read_members(struct trace_comms *c, uint32_t rank,
                        const struct trace_event *e, const struct comm *parent,
                        uint32_t *me, struct err *err)
{
    *me = UNKNOWN_PEER;
    if (e->nmembers > parent->is.n)
        return trace_fail(c->t, rank, e, err,
                          "%zu members of a communicator of %u", e->nmembers,
                          parent->is.n);
    c->epoch++;
    for (size_t i = 0; i < e->nmembers; i++) {
        if (e->members[i] >= parent->is.n)
            return trace_fail(c->t, rank, e, err,
                              "member %u of a communicator of %u ranks",
                              e->members[i], parent->is.n);
        uint32_t world = parent->is.members[e->members[i]];
        if (c->seen[world] == c->epoch)
            return trace_fail(c->t, rank, e, err, "rank %u is a member twice",
                              e->members[i]);
        c->seen[world] = c->epoch;
        c->scratch[i] = world;
        if (world == rank)
            *me = (uint32_t)i;
    }
    return 0;
}

static int members(struct trace_comms *c, uint32_t rank,
                   const struct trace_event *e, struct comm *parent,
                   struct round *r, struct err *err)
{
    uint32_t me;

    if (parent->list == NO_LIST) {
        struct child *child = child_of(c, parent, r, 0, NO_LIST, rank);
        bind(c, rank, e->new_comm, child->number, UNKNOWN_PEER);
        return 0;
    }
    if (read_members(c, rank, e, parent, &me, err) < 0)
        return -1;
    if (e->new_comm == NO_COMM)
        return 0;
    if (me == UNKNOWN_PEER)
        return trace_fail(c->t, rank, e, err,
                          "gets a communicator that it is no member of");
    uint32_t list =
        rank_lists_of(&c->lists, c->t, c->scratch, (uint32_t)e->nmembers);
    struct child *child = child_of(c, parent, r, list, list, rank);
    child->came++;
    bind(c, rank, e->new_comm, child->number, me);
    return 0;
}

/* Fails unless each list was given by as many ranks as it has members, because
 * all members must give the same list. */
static int members_end(const struct trace_comms *c, uint32_t rank,
                       const struct trace_event *e, const struct round *r,
                       struct err *err)
{
    for (uint32_t i = 0; i < r->nchildren; i++) {
        const struct child *child = &r->children[i];
        if (child->came != c->comms[child->number]->is.n)
            return trace_fail(c->t, rank, e, err,
                              "%u of the %u members that rank %u lists made "
                              "the communicator",
                              child->came, c->comms[child->number]->is.n,
                              child->first_rank);
    }
    return 0;
}

static int comm_known(struct trace_comms *c, uint32_t rank,
                      const struct trace_event *e, struct err *err)
{
    uint32_t me;

    if (!e->nmembers)
        return trace_fail(c->t, rank, e, err, "a communicator of no rank");
    if (read_members(c, rank, e, c->comms[TRACE_WORLD], &me, err) < 0)
        return -1;
    uint32_t list =
        rank_lists_of(&c->lists, c->t, c->scratch, (uint32_t)e->nmembers);
    uint32_t number = c->lists.items[list].known;
    while (number != NO_LIST && c->comms[number]->key != e->key)
        number = c->comms[number]->next;
    if (number == NO_LIST) {
        struct comm *m = comm_new(c, list, TRACE_KNOWN, TRACE_WORLD);
        m->key = e->key;
        m->next = c->lists.items[list].known;
        number = c->lists.items[list].known = m->is.number;
    }
    bind(c, rank, e->new_comm, number, me);
    return 1;
}

/* --- the interface -------------------------------------------------------- */

struct trace_comms *trace_comms_new(const struct trace *t)
{
    struct trace_comms *c = xcalloc(1, sizeof *c);

    c->t = t;
    c->of = xcalloc(t->ranks, sizeof *c->of);
    c->seen = xcalloc(t->ranks, sizeof *c->seen);
    c->scratch = xmalloc(t->ranks * sizeof *c->scratch);
    for (uint32_t r = 0; r < t->ranks; r++)
        c->scratch[r] = r;
    comm_new(c, rank_lists_of(&c->lists, c->t, c->scratch, t->ranks),
             TRACE_KNOWN, TRACE_WORLD);
    for (uint32_t r = 0; r < t->ranks; r++)
        bind(c, r, TRACE_WORLD, TRACE_WORLD, r);
    return c;
}

void trace_comms_free(struct trace_comms *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->ncomms; i++) {
        rounds_clear(c->comms[i]);
        free(c->comms[i]->made);
        free(c->comms[i]);
    }
    rank_lists_clear(&c->lists);
    for (uint32_t r = 0; r < c->t->ranks; r++)
        free(c->of[r].slots);
    free(c->comms);
    free(c->of);
    free(c->seen);
    free(c->scratch);
    free(c);
}

/* Lets a member join a round, but does not complete the round. */
static int round_join(struct trace_comms *c, uint32_t rank,
                      const struct trace_event *e, struct comm *parent,
                      struct round *r, uint32_t me, struct err *err)
{
    if (r->how != e->how)
        return trace_fail(c->t, rank, e, err,
                          "rank %u %s the communicator where rank %u %s it",
                          rank, how_words[e->how], r->first_rank,
                          how_words[r->how]);
    if (e->how == TRACE_MEMBERS)
        return members(c, rank, e, parent, r, err);
    if (e->how == TRACE_SPLIT) {
        split(c, rank, e, parent, r, me);
        return 0;
    }
    struct child *child = child_of(c, parent, r, 0, parent->list, rank);
    bind(c, rank, e->new_comm, child->number, me);
    return 0;
}

static int round_end(struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e, struct comm *parent,
                     struct round *r, struct err *err)
{
    if (r->how == TRACE_SPLIT)
        split_end(c, parent, r, r->narrivals);
    else if (r->how == TRACE_MEMBERS && members_end(c, rank, e, r, err) < 0)
        return -1;
    free(r->arrivals);
    free(r->children);
    parent->head++;
    parent->done++;
    return 1;
}

/* Returns the counter of the rounds that the rank has joined. */
static uint32_t *made_of(struct trace_comms *c, struct comm *parent,
                         uint32_t rank, uint32_t own, uint32_t me)
{
    if (!parent->is.n)
        return &binding_of(&c->of[rank], own)->ticket;
    if (!parent->made)
        parent->made = xcalloc(parent->is.n, sizeof *parent->made);
    return &parent->made[me];
}

int trace_comms_add(struct trace_comms *c, uint32_t rank,
                    const struct trace_event *e, struct err *err)
{
    struct trace_membership m;

    assert(rank < c->t->ranks && e->call == TRACE_COMM);
    if (e->new_comm == TRACE_WORLD)
        return trace_fail(c->t, rank, e, err,
                          "makes the communicator of all ranks anew");
    if (e->how == TRACE_KNOWN)
        return comm_known(c, rank, e, err);

    int rc = trace_comms_find(c, rank, e, &m, err);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return trace_fail(c->t, rank, e, err,
                          "of communicator %u, whose members are not known yet",
                          e->comm);
    if (m.comm->n && m.me == UNKNOWN_PEER)
        return trace_fail(c->t, rank, e, err,
                          "of communicator %u, which it is no member of",
                          e->comm);
    struct comm *parent = c->comms[m.comm->number];
    struct round *r = round_of(
        parent, (*made_of(c, parent, rank, e->comm, m.me))++, rank, e->how);
    if (round_join(c, rank, e, parent, r, m.me, err) < 0)
        return -1;
    if (++r->came < parent->is.n || !parent->is.n)
        return 0;
    return round_end(c, rank, e, parent, r, err);
}

int trace_comms_find(const struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e, struct trace_membership *m,
                     struct err *err)
{
    assert(rank < c->t->ranks);
    const struct binding *b = binding_of(&c->of[rank], e->comm);

    if (!b)
        return trace_fail(c->t, rank, e, err,
                          "communicator %u: made nowhere before", e->comm);
    if (b->number == PENDING)
        return 0;
    *m = (struct trace_membership){&c->comms[b->number]->is, b->me};
    return 1;
}

int trace_comms_peer(const struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e,
                     const struct trace_membership *m, uint32_t peer,
                     uint32_t *world, struct err *err)
{
    if (peer == ANY_RANK || peer == NO_PEER)
        *world = peer;
    else if (!m->comm->n)
        *world = UNKNOWN_PEER;
    else if (peer < m->comm->n)
        *world = m->comm->members[peer];
    else
        return trace_fail(c->t, rank, e, err,
                          "rank %u of a communicator of %u ranks", peer,
                          m->comm->n);
    return 0;
}

uint32_t trace_comms_n(const struct trace_comms *c)
{
    return c->ncomms;
}

const struct trace_comm *trace_comms_get(const struct trace_comms *c,
                                         uint32_t number)
{
    assert(number < c->ncomms);
    return &c->comms[number]->is;
}
