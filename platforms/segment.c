/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the cost of a message among the CPUs of its two ends and the wire. */
#include "platforms/segment.h"

#include <math.h>

const char *const buffer_free_names[NBUFFER_FREE] = {
    "by protocol", "at_once", "acknowledged", "transferred"};
const char *const rendezvous_names[NRENDEZVOUS] = {"put", "get"};
const char *const mover_names[NMOVERS] = {"wire", "receiver"};

/* Returns the share of both CPUs' time that fits into a ping-pong's time; the
 * rest is hidden in it, because a process does it while it waits. */
static double visible_part(double whole, double both)
{
    return both > whole * (1 + 1e-9) ? whole / both : 1;
}

static struct occupancy occupancy(double fixed_s, double of_fixed,
                                  double bytes_s, double of_bytes)
{
    return (struct occupancy){of_fixed * fixed_s + of_bytes * bytes_s,
                              (1 - of_fixed) * fixed_s +
                                  (1 - of_bytes) * bytes_s};
}

struct occupancies segment_occupancies(const struct segment *s, uint64_t bytes)
{
    double n = (double)bytes;
    double fixed = visible_part(s->alpha_s, s->send_s + s->recv_s);
    double each =
        visible_part(s->beta_s_per_B, s->send_s_per_B + s->recv_s_per_B);

    return (struct occupancies){
        occupancy(s->send_s, fixed, s->send_s_per_B * n, each),
        occupancy(s->recv_s, fixed, s->recv_s_per_B * n, each)};
}

double segment_alone_s(const struct segment *s, uint64_t bytes)
{
    return s->alpha_s + s->beta_s_per_B * (double)bytes;
}

/* Returns the rest, or 0 if only rounding is left. */
static double rest(double whole, double send, double recv)
{
    double left = whole - send - recv;

    return left > whole * 1e-12 ? left : 0;
}

double segment_latency_s(const struct segment *s)
{
    return rest(s->alpha_s, s->send_s, s->recv_s);
}

double segment_wire_s_per_B(const struct segment *s)
{
    return rest(s->beta_s_per_B, s->send_s_per_B, s->recv_s_per_B);
}

enum buffer_free segment_buffer_free(const struct segment *s)
{
    if (s->buffer_free != FREE_BY_PROTOCOL)
        return s->buffer_free;
    return s->protocol == PROTOCOL_RENDEZVOUS ? FREE_TRANSFERRED : FREE_AT_ONCE;
}
