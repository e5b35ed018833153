/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the messages and receives of a run: at once, or when an engine has
 * found the pair. */
#include "sim/transport/fabric.h"
#include "sim/transport/matcher.h"

static void fabric_matched(void *user, uint32_t send, uint32_t recv)
{
    struct fabric *f = user;

    f->events->matched(f->user, send, recv);
}

void fabric_match(struct fabric *f, size_t n, bool lengths)
{
    const struct matching *l = &f->m->matching;
    struct match_listener listener = {f, fabric_matched};

    f->match = match_new(f->processes, n);
    if (l->engine == MATCHER_LIST)
        match_count_walks(f->match);
    f->match_by_engine = matchers[l->engine] && matchers[l->engine]->on_gpu;
    if (f->match_by_engine || l->forbids || lengths)
        f->queues = match_queues_new(l, f->engine, f->processes, n, listener);
}

void fabric_sent(struct fabric *f, uint32_t send, struct envelope e)
{
    match_send(f->match, send, e);
    if (f->queues)
        match_queues_sent(f->queues, send, e);
}

bool fabric_arrived(struct fabric *f, uint32_t send, uint32_t recv,
                    struct envelope e)
{
    if (f->queues && match_queues_arrival(f->queues, send, recv, e)) {
        if (recv != MATCH_NONE && f->events->found)
            f->events->found(f->user, send, recv, false);
        return false;
    }
    return recv != MATCH_NONE;
}

bool fabric_posted(struct fabric *f, uint32_t recv, uint32_t send,
                   struct envelope e)
{
    if (f->queues && match_queues_posting(f->queues, recv, send, e)) {
        if (send != MATCH_NONE && f->events->found)
            f->events->found(f->user, send, recv, true);
        return false;
    }
    return send != MATCH_NONE;
}
