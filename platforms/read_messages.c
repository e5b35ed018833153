/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the costs of messages: the segments of each runtime, memory and
 * locality. */
#include "platforms/read.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { MAX_SEGMENTS = 1000 };

/* "alpha_shares": [of the sender, of the receiver]; the wire has the rest. */
static int read_shares(const struct json *o, const char *key, double *send,
                       double *recv, struct err *err)
{
    struct json *array;
    double share[2];
    char got[80];

    if (json_get_array(o, key, &array, err) < 0)
        return -1;
    if (json_size(array) != 2)
        return fail(err, "%s: expected [sender, receiver], got %zu numbers",
                    key, json_size(array));
    for (size_t i = 0; i < 2; i++) {
        share[i] = json_number(json_at(array, i));
        if (!(share[i] >= 0 && share[i] <= 1))
            return fail(err, "%s[%zu]: expected a share from 0 to 1, got %s",
                        key, i,
                        json_describe(json_at(array, i), got, sizeof got));
    }
    if (share[0] + share[1] > 1 + 1e-12)
        return fail(err, "%s: expected a sum of at most 1, got %g", key,
                    share[0] + share[1]);
    *send = share[0];
    *recv = share[1];
    return 0;
}

static int read_nic(const struct machine *m, struct segment *s,
                    const struct json *o, struct err *err)
{
    const char *id = "socket";
    unsigned nic;

    s->nic = NIC_OF_SOCKET;
    if (json_member(o, "nic") && json_get_string(o, "nic", &id, err) < 0)
        return -1;
    if (!strcmp(id, "socket"))
        return 0;
    if (!strcmp(id, "by_nodes")) {
        s->nic = NIC_OF_NODES;
        return 0;
    }
    if (find_device(m, "nic", id, DEVICE_NIC, &nic, err) < 0)
        return -1;
    s->nic = (int)m->devices[nic].index;
    return 0;
}

/* The shares of alpha and beta that are the CPUs' time: a special case. */
static int read_by_shares(struct segment *s, const struct json *o,
                          struct err *err)
{
    double send, recv, send_B = 0, recv_B = 0;

    if (read_shares(o, "alpha_shares", &send, &recv, err) < 0)
        return -1;
    if (json_member(o, "beta_shares") &&
        read_shares(o, "beta_shares", &send_B, &recv_B, err) < 0)
        return -1;
    s->send_s = s->alpha_s * send;
    s->recv_s = s->alpha_s * recv;
    s->send_s_per_B = s->beta_s_per_B * send_B;
    s->recv_s_per_B = s->beta_s_per_B * recv_B;
    return 0;
}

/* Reads how long the CPUs are busy, in time or as shares of the whole time. */
static int read_busy(struct segment *s, const struct json *o, struct err *err)
{
    static const char *const share_keys[] = {"alpha_shares", "beta_shares"};
    static const char *const keys[] = {"send_us", "recv_us", "send_ns_per_byte",
                                       "recv_ns_per_byte"};
    bool absolute = false;

    for (size_t i = 0; i < 4; i++)
        absolute = absolute || json_member(o, keys[i]);
    if (!absolute)
        return read_by_shares(s, o, err);
    for (size_t i = 0; i < 2; i++)
        if (json_member(o, share_keys[i]))
            return fail(err,
                        "%s: expected either shares or times (send_us, "
                        "recv_us), got both",
                        share_keys[i]);
    if (read_not_negative(o, "send_us", 1e-6, &s->send_s, err) < 0 ||
        read_not_negative(o, "recv_us", 1e-6, &s->recv_s, err) < 0 ||
        read_optional_cost(o, "send_ns_per_byte", 1e-9, &s->send_s_per_B, err) <
            0 ||
        read_optional_cost(o, "recv_ns_per_byte", 1e-9, &s->recv_s_per_B, err) <
            0)
        return -1;
    return 0;
}

static int read_buffer_free(struct segment *s, const struct json *o,
                            struct err *err)
{
    unsigned when;

    if (json_member(o, "buffer_free")) {
        if (read_name(o, "buffer_free", buffer_free_names + 1, NBUFFER_FREE - 1,
                      &when, err) < 0)
            return -1;
        s->buffer_free = (enum buffer_free)(when + 1);
    }
    if (!json_member(o, "ack_us") && s->buffer_free != FREE_ACKNOWLEDGED)
        return 0;
    if (s->buffer_free != FREE_ACKNOWLEDGED)
        return fail(err, "ack_us: nothing is acknowledged: expected "
                         "\"buffer_free\": \"acknowledged\" beside it");
    return read_not_negative(o, "ack_us", 1e-6, &s->ack_s, err);
}

static int read_rendezvous(struct segment *s, const struct json *o,
                           struct err *err)
{
    unsigned how;

    if (!json_member(o, "rendezvous"))
        return 0;
    if (s->protocol != PROTOCOL_RENDEZVOUS)
        return fail(err,
                    "rendezvous: only of a segment whose protocol is "
                    "rendezvous, got %s",
                    protocol_names[s->protocol]);
    if (read_name(o, "rendezvous", rendezvous_names, NRENDEZVOUS, &how, err) <
        0)
        return -1;
    s->rendezvous = (enum rendezvous)how;
    return 0;
}

static int read_mover(struct segment *s, const struct json *o, struct err *err)
{
    unsigned mover = s->mover;
    bool copies = false;

    if (json_member(o, "receiver_copies") && json_member(o, "moved_by"))
        return fail(err, "receiver_copies: expected either this or moved_by, "
                         "got both");
    if (json_member(o, "receiver_copies") &&
        json_get_bool(o, "receiver_copies", &copies, err) < 0)
        return -1;
    if (json_member(o, "moved_by") &&
        read_name(o, "moved_by", mover_names, NMOVERS, &mover, err) < 0)
        return -1;
    s->mover = copies ? MOVED_BY_RECEIVER : (enum mover)mover;
    return 0;
}

/* Reads the costs that only many messages, or those of a process to itself,
 * show. */
static int read_on_node(struct segment *s, const struct json *o,
                        struct err *err)
{
    s->self_copies = json_member(o, "self_us");
    s->has_engine = json_member(o, "engine_us");
    if (read_optional_cost(o, "engine_us", 1e-6, &s->engine_s, err) < 0 ||
        read_optional_cost(o, "other_peer_us", 1e-6, &s->other_peer_s, err) <
            0 ||
        read_optional_cost(o, "extra_bytes", 1, &s->extra_B, err) < 0 ||
        read_optional(o, "copies", 1, &s->copies, err) < 0 ||
        read_optional_cost(o, "uncached_ns_per_byte", 1e-9,
                           &s->uncached_s_per_B, err) < 0 ||
        read_optional_cost(o, "self_ns_per_byte", 1e-9, &s->self_s_per_B, err) <
            0)
        return -1;
    if (s->uncached_s_per_B > 0 && s->beta_s_per_B <= 0)
        return fail(err, "uncached_ns_per_byte: expected a beta_ns_per_byte "
                         "above 0 beside it");
    if (s->self_copies)
        return read_not_negative(o, "self_us", 1e-6, &s->self_s, err);
    if (json_member(o, "self_ns_per_byte"))
        return fail(err, "self_ns_per_byte: expected self_us beside it");
    return 0;
}

/* The first size that was measured to be of the next segment: the limit is
 * anywhere from up_to_bytes to below it. */
static int check_next(const struct json *o, uint64_t up_to_B, struct err *err)
{
    const struct json *next = json_member(o, "next_from_bytes");
    double bytes = next ? json_number(next) : 0;

    if (!next || (up_to_B < UINT64_MAX && bytes > (double)up_to_B &&
                  bytes < (double)NUMBER_EXACT_END && bytes == floor(bytes)))
        return 0;
    return fail(err, "next_from_bytes: expected a whole number above "
                     "up_to_bytes");
}

static int read_segment(const struct machine *m, struct segment *s,
                        const struct json *o, struct err *err)
{
    unsigned protocol;

    if (ONLY_KEYS(o, err, "protocol", "up_to_bytes", "next_from_bytes",
                  "alpha_us", "beta_ns_per_byte", "alpha_shares", "beta_shares",
                  "send_us", "recv_us", "send_ns_per_byte", "recv_ns_per_byte",
                  "rendezvous", "buffer_free", "ack_us", "moved_by",
                  "receiver_copies", "gap_us", "other_peer_us", "copies",
                  "extra_bytes", "uncached_ns_per_byte", "self_us",
                  "self_ns_per_byte", "engine_us", "nic", "source") < 0 ||
        read_name(o, "protocol", protocol_names, NPROTOCOLS, &protocol, err) <
            0 ||
        read_limit(o, &s->up_to_B, err) < 0 ||
        check_next(o, s->up_to_B, err) < 0 ||
        read_not_negative(o, "alpha_us", 1e-6, &s->alpha_s, err) < 0 ||
        read_not_negative(o, "beta_ns_per_byte", 1e-9, &s->beta_s_per_B, err) <
            0 ||
        read_busy(s, o, err) < 0)
        return -1;
    s->protocol = (enum protocol)protocol;
    if (read_rendezvous(s, o, err) < 0 || read_buffer_free(s, o, err) < 0 ||
        read_mover(s, o, err) < 0 ||
        read_optional_cost(o, "gap_us", 1e-6, &s->gap_s, err) < 0 ||
        read_on_node(s, o, err) < 0 || read_nic(m, s, o, err) < 0)
        return -1;
    return source_read(&s->source, o, "source", err);
}

/* Rising limits, and only the last without one. */
static int check_order(const struct message_table *t, size_t i, size_t n,
                       struct err *err)
{
    uint64_t limit = t->segments[i].up_to_B;

    if (i + 1 == n && limit != UINT64_MAX)
        return fail(err, "up_to_bytes: the last segment has no limit, got %llu",
                    (unsigned long long)limit);
    if (i + 1 < n && limit == UINT64_MAX)
        return fail(err, "up_to_bytes: expected a limit before the last "
                         "segment, got nothing");
    if (i > 0 && limit <= t->segments[i - 1].up_to_B)
        return fail(err,
                    "up_to_bytes: expected more than the %llu of the segment "
                    "before, got %llu",
                    (unsigned long long)t->segments[i - 1].up_to_B,
                    (unsigned long long)limit);
    return 0;
}

/* A limit that is anywhere below its next_from_bytes does not pass that of the
 * segment behind it. */
static int check_next_limit(const struct json *array, size_t i, uint64_t limit,
                            struct err *err)
{
    const struct json *next =
        i ? json_member(json_at(array, i - 1), "next_from_bytes") : NULL;

    if (!next || json_number(next) <= (double)limit)
        return 0;
    return fail(err,
                "up_to_bytes: expected at least the next_from_bytes of the "
                "segment before, got %llu",
                (unsigned long long)limit);
}

/* Refuses keys of messages between the host memories of a node anywhere else;
 * `copies` are NCCL's, too. */
static int check_place(const struct json *o, enum runtime by,
                       enum msg_path path, enum locality where,
                       const struct segment *s, struct err *err)
{
    static const char *const keys[] = {"copies", "extra_bytes",
                                       "uncached_ns_per_byte", "self_us",
                                       "self_ns_per_byte"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_member(o, keys[i]) && !(i == 0 && runtime_is_nccl(by)) &&
            (path != PATH_HOST || where == OFF_NODE))
            return fail(err, "%s: only for host messages on a node", keys[i]);
    if (s->has_engine && (path == PATH_HOST || where == OFF_NODE))
        return fail(err, "engine_us: only for messages between the GPUs of a "
                         "node");
    if (json_member(o, "moved_by") && s->mover == MOVED_BY_RECEIVER &&
        where == OFF_NODE)
        return fail(err, "moved_by: only on a node is it the receiver");
    if (json_member(o, "copies") && s->copies < 1)
        return fail(err, "copies: expected at least 1, got %g", s->copies);
    return 0;
}

static int read_segments(const struct machine *m, struct message_table *t,
                         enum runtime by, enum msg_path path,
                         enum locality where, const struct json *array,
                         struct err *err)
{
    size_t n = json_size(array);
    const struct json *o;

    if (n < 1 || n > MAX_SEGMENTS)
        return fail(err, "segments: expected 1 to %d segments, got %zu",
                    MAX_SEGMENTS, n);
    t->segments = xcalloc(n, sizeof *t->segments);
    for (size_t i = 0; i < n; i++) {
        if (read_element(array, "segments", i, &o, err) < 0)
            return -1;
        t->nsegments++;
        if (read_segment(m, &t->segments[i], o, err) < 0 ||
            check_place(o, by, path, where, &t->segments[i], err) < 0 ||
            check_order(t, i, n, err) < 0 ||
            check_next_limit(array, i, t->segments[i].up_to_B, err) < 0)
            return fail_at_place(err, "segments[%zu]", i);
    }
    return 0;
}

static int read_table(const struct machine *m, struct message_table *t,
                      enum runtime by, enum msg_path path, enum locality where,
                      const struct json *o, struct err *err)
{
    struct json *segments;

    if (where == OFF_NODE ? ONLY_KEYS(o, err, "segments", "other_rack_us",
                                      "other_rack_source") < 0
                          : ONLY_KEYS(o, err, "segments") < 0)
        return -1;
    if (json_get_array(o, "segments", &segments, err) < 0 ||
        read_segments(m, t, by, path, where, segments, err) < 0)
        return -1;
    if (!json_member(o, "other_rack_us"))
        return 0;
    if (read_not_negative(o, "other_rack_us", 1e-6, &t->other_rack_s, err) < 0)
        return -1;
    return source_read(&t->other_rack_source, o, "other_rack_source", err);
}

static int read_path(struct machine *m, enum runtime by, enum msg_path path,
                     const struct json *o, struct err *err)
{
    /* GPUs share no cache. */
    const enum locality first = path == PATH_HOST ? SHARED_CACHE : ON_SOCKET;

    if (json_only_keys(o, locality_names + first, NLOCALITIES - first, err) < 0)
        return -1;
    for (enum locality w = first; w < NLOCALITIES; w++) {
        struct json *table;
        if (!json_member(o, locality_names[w]))
            continue;
        if (json_get_object(o, locality_names[w], &table, err) < 0)
            return -1;
        if (read_table(m, &m->messages[by][path][w], by, path, w, table, err) <
            0)
            return fail_at_place(err, "%s", locality_names[w]);
    }
    return 0;
}

int read_message_paths(struct machine *m, enum runtime by, const struct json *o,
                       struct err *err)
{
    for (enum msg_path p = 0; p < NPATHS; p++) {
        struct json *path;
        if (!json_member(o, msg_path_names[p]))
            continue;
        if (json_get_object(o, msg_path_names[p], &path, err) < 0)
            return -1;
        if (read_path(m, by, p, path, err) < 0)
            return fail_at_place(err, "%s", msg_path_names[p]);
    }
    return 0;
}

int read_messages(struct machine *m, const struct json *o, struct err *err)
{
    if (json_only_keys(o, msg_path_names, NPATHS, err) < 0)
        return -1;
    return read_message_paths(m, RUNTIME_MPI, o, err);
}
