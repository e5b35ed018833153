/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the costs of messages: the segments of each runtime, memory and
 * locality. */
#include "platforms/keys.h"
#include "platforms/read.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { MAX_SEGMENTS = 1000 };

/* A segment has one case, by the memories and localities of its messages. */
enum {
    HOST_ON = 1,
    HOST_OFF = 2,
    GPU_ON = 4,
    GPU_OFF = 8,
    KERNELS_ON = 16,
    KERNELS_OFF = 32
};
static const char *const segment_cases[] = {
    "host messages on a node",
    "host messages between nodes",
    "messages between the GPUs of a node",
    "messages between GPUs of two nodes",
    "messages of kernels on a node",
    "messages of kernels between nodes"};
#define AT(field) offsetof(struct segment, field)
static const struct key segment_rows[] = {
    /* --- the protocol --- */
    {"protocol", KEY_WORD, AT(protocol), KEY_ALWAYS, .words = protocol_names,
     .nwords = NPROTOCOLS, .group = "protocol",
     .help = "how messages of the segment are sent"},
    {"up_to_bytes", KEY_BYTES, AT(up_to_B), .initial = KEY_NO_LIMIT,
     .group = "protocol",
     .help = "the largest message of the segment; the last one has none"},
    {"next_from_bytes", KEY_OTHER, .group = "protocol",
     .help = "the first size that was measured to be of the next segment: the "
             "limit is between both, and advise draws it there"},
    {"rendezvous", KEY_WORD, AT(rendezvous), .words = rendezvous_names,
     .nwords = NRENDEZVOUS, .group = "protocol", .off_node = "mult_pong",
     .help = "get: the receiver reads the bytes, so that the whole latency "
             "comes after the match (left out: put)"},
    {"buffer_free", KEY_WORD, AT(buffer_free), .least = FREE_AT_ONCE,
     .words = buffer_free_names, .nwords = NBUFFER_FREE, .group = "protocol",
     .off_node = "mult_pong",
     .help = "when the sender may use its memory again (left out: rendezvous: "
             "transferred; otherwise at_once)"},
    {"ack_us", KEY_FROM_0, AT(ack_s), .group = "protocol",
     .off_node = "mult_pong",
     .help = "after the last byte, of a buffer that is acknowledged"},
    /* --- the wire --- */
    {"alpha_us", KEY_FROM_0, AT(alpha_s), KEY_ALWAYS, .group = "wire",
     .help = "time of a message without bytes, one way of a ping-pong, with "
             "the parts of both CPUs"},
    {"beta_ns_per_byte", KEY_FROM_0, AT(beta_s_per_B), KEY_ALWAYS,
     .group = "wire",
     .help = "time of each byte, likewise; it caps the rate of a flow"},
    {"gap_us", KEY_COST, AT(gap_s), .group = "wire", .benchmark = "maxrate",
     .help = "time between two such messages at a NIC (left out: the NIC's)"},
    {"other_peer_us", KEY_COST, AT(other_peer_s), .group = "wire",
     .benchmark = "fan",
     .help = "more latency if the receiver's last message came from another "
             "process, because its cache lines are cold"},
    {"nic", KEY_OTHER, .group = "wire",
     .help = "the id of a NIC, socket: the nearest one, by_nodes: one for all "
             "messages of two nodes (left out: socket)"},
    {"copies", KEY_POSITIVE, AT(copies),
     .only = HOST_ON | KERNELS_ON | KERNELS_OFF, .group = "wire",
     .help = "how often bytes pass through memory and wires: 2 if both CPUs "
             "copy them (left out: once)"},
    {"extra_bytes", KEY_COST, AT(extra_B), .only = HOST_ON, .group = "wire",
     .help = "bytes that the wires carry more a message"},
    {"uncached_ns_per_byte", KEY_COST, AT(uncached_s_per_B), .only = HOST_ON,
     .group = "wire",
     .help = "how much longer a byte takes that is in no cache (cache_MiB)"},
    /* --- the CPUs --- */
    {"send_us", KEY_FROM_0, AT(send_s), .group = "sender", .benchmark = "ring",
     .off_node = "mult_pong",
     .help = "part of alpha in which the sender's CPU is busy"},
    {"send_ns_per_byte", KEY_COST, AT(send_s_per_B), .group = "sender",
     .benchmark = "ring", .off_node = "mult_pong",
     .help = "part of beta, likewise"},
    {"self_us", KEY_FROM_0, AT(self_s), .only = HOST_ON, .group = "sender",
     .benchmark = "fan",
     .help = "CPU time of a process's message to itself, instead of all else"},
    {"self_ns_per_byte", KEY_COST, AT(self_s_per_B), .only = HOST_ON,
     .group = "sender", .benchmark = "fan", .help = "and for each byte"},
    {"recv_us", KEY_FROM_0, AT(recv_s), .group = "receiver",
     .benchmark = "ring", .off_node = "mult_pong",
     .help = "part of alpha in which the receiver's CPU is busy"},
    {"recv_ns_per_byte", KEY_COST, AT(recv_s_per_B), .group = "receiver",
     .benchmark = "ring", .off_node = "mult_pong",
     .help = "part of beta, likewise"},
    {"moved_by", KEY_WORD, AT(mover), .words = mover_names, .nwords = NMOVERS,
     .group = "receiver",
     .help = "receiver: its CPU copies the bytes (left out: wire)"},
    {"receiver_copies", KEY_OTHER, .group = "receiver",
     .help = "true: short for moved_by receiver"},
    {"engine_us", KEY_COST, AT(engine_s), .only = GPU_ON | KERNELS_ON,
     .group = "receiver",
     .help = "the receiving GPU's copy engine serves the message alone for so "
             "long (left out: copies.engine_us)"},
    {"alpha_shares", KEY_OTHER, .group = "sender and receiver",
     .benchmark = "ring", .off_node = "mult_pong",
     .help = "[sender, receiver]: send_us and recv_us as shares of alpha"},
    {"beta_shares", KEY_OTHER, .group = "sender and receiver",
     .benchmark = "ring", .off_node = "mult_pong",
     .help = "[sender, receiver]: the same of beta (left out: [0, 0])"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the numbers are from"},
};
#undef AT
const struct key_table segment_keys = {
    "messages.PATH.LOCALITY.segments[]",
    "alpha + beta * bytes of messages up to a size; either times or shares of "
    "them say how long the CPUs are busy",
    KEY_ROWS(segment_rows), KEY_ROWS(segment_cases), .benchmark = "ping_pong"};

enum { ON_NODE_BIT = 1, OFF_NODE_BIT = 2 };
#define AT(field) offsetof(struct message_table, field)
static const struct key table_rows[] = {
    {"segments", KEY_OTHER, .needed = KEY_ALWAYS,
     .help = "a list by rising size"},
    {"other_rack_us", KEY_FROM_0, AT(other_rack_s), .only = OFF_NODE_BIT,
     .source = "other_rack_source",
     .help = "more latency between nodes of different racks"},
    {"other_rack_source", KEY_SOURCE, AT(other_rack_source),
     .only = OFF_NODE_BIT, .with = "other_rack_us", .help = "where it is from"},
};
#undef AT
static const char *const table_cases[] = {"messages on a node",
                                          "messages between nodes"};
const struct key_table table_keys = {
    "messages.PATH.LOCALITY",
    "PATH: cpu, gpu (GPUDirect) or gpu_no_gdr; LOCALITY: shared_cache (cpu "
    "alone), on_socket, on_node or off_node; runtimes.NAME.PATH.LOCALITY has "
    "the same of another runtime than mpi",
    KEY_ROWS(table_rows), KEY_ROWS(table_cases), .benchmark = "ping_pong"};

/* Reads "alpha_shares": [of the sender, of the receiver]; the wire has the
 * rest. */
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

/* Reads the shares of alpha and beta that are the CPUs' time. */
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

/* Reads how long the CPUs are busy: as shares, if no times are given. */
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
    return read_not_negative(o, "send_us", 1e-6, &s->send_s, err) < 0 ||
                   read_not_negative(o, "recv_us", 1e-6, &s->recv_s, err) < 0
               ? -1
               : 0;
}

/* Refuses keys that the protocol does not have. */
static int check_protocol(struct segment *s, const struct json *o,
                          struct err *err)
{
    bool acknowledged = s->buffer_free == FREE_ACKNOWLEDGED;

    if (json_member(o, "rendezvous") && s->protocol != PROTOCOL_RENDEZVOUS)
        return fail(err,
                    "rendezvous: only of a segment whose protocol is "
                    "rendezvous, got %s",
                    protocol_names[s->protocol]);
    if (json_member(o, "ack_us") && !acknowledged)
        return fail(err, "ack_us: nothing is acknowledged: expected "
                         "\"buffer_free\": \"acknowledged\" beside it");
    return acknowledged ? read_not_negative(o, "ack_us", 1e-6, &s->ack_s, err)
                        : 0;
}

static int read_mover(struct segment *s, const struct json *o, struct err *err)
{
    bool copies = false;

    if (!json_member(o, "receiver_copies"))
        return 0;
    if (json_member(o, "moved_by"))
        return fail(err, "receiver_copies: expected either this or moved_by, "
                         "got both");
    if (json_get_bool(o, "receiver_copies", &copies, err) < 0)
        return -1;
    s->mover = copies ? MOVED_BY_RECEIVER : MOVED_BY_WIRE;
    return 0;
}

/* Checks the costs that only many messages, or those of a process to itself,
 * show. */
static int check_on_node(struct segment *s, const struct json *o,
                         enum locality where, struct err *err)
{
    s->self_copies = json_member(o, "self_us");
    s->has_engine = json_member(o, "engine_us");
    if (s->uncached_s_per_B > 0 && s->beta_s_per_B <= 0)
        return fail(err, "uncached_ns_per_byte: expected a beta_ns_per_byte "
                         "above 0 beside it");
    if (json_member(o, "self_ns_per_byte") && !s->self_copies)
        return fail(err, "self_ns_per_byte: expected self_us beside it");
    if (json_member(o, "moved_by") && s->mover == MOVED_BY_RECEIVER &&
        where == OFF_NODE)
        return fail(err, "moved_by: only on a node is it the receiver");
    if (json_member(o, "copies") && s->copies < 1)
        return fail(err, "copies: expected at least 1, got %g", s->copies);
    return 0;
}

/* Checks the first size that was measured to be of the next segment, because
 * the limit is anywhere from up_to_bytes to below it. */
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

/* Returns the case of the segments of a table. */
static unsigned segment_case(enum runtime by, enum msg_path path,
                             enum locality where)
{
    unsigned on = runtime_is_of_kernels(by) ? KERNELS_ON
                  : path == PATH_HOST       ? HOST_ON
                                            : GPU_ON;

    return where == OFF_NODE ? on << 1 : on;
}

static int read_segment(const struct machine *m, struct segment *s,
                        enum runtime by, enum msg_path path,
                        enum locality where, const struct json *o,
                        struct err *err)
{
    return keys_read(&segment_keys, s, o, segment_case(by, path, where), err) <
                       0 ||
                   check_next(o, s->up_to_B, err) < 0 ||
                   read_busy(s, o, err) < 0 || check_protocol(s, o, err) < 0 ||
                   read_mover(s, o, err) < 0 ||
                   check_on_node(s, o, where, err) < 0 ||
                   read_nic(m, s, o, err) < 0
               ? -1
               : 0;
}

/* Checks that limits rise, and that only the last segment has none. */
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

/* Checks that a limit which is anywhere below its next_from_bytes does not pass
 * that of the segment after it. */
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
        if (read_segment(m, &t->segments[i], by, path, where, o, err) < 0 ||
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

    if (keys_read(&table_keys, t, o,
                  where == OFF_NODE ? OFF_NODE_BIT : ON_NODE_BIT, err) < 0 ||
        json_get_array(o, "segments", &segments, err) < 0)
        return -1;
    return read_segments(m, t, by, path, where, segments, err);
}

static int read_path(struct machine *m, enum runtime by, enum msg_path path,
                     const struct json *o, struct err *err)
{
    /* GPUs share no cache */
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
