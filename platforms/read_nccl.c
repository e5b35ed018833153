/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads how NCCL divides collectives into channels and chunks. */
#include "platforms/keys.h"
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = 255, MAX_SLOTS = 64, MAX_SLOT_B = 1 << 30 };

#define AT(field) offsetof(struct nccl_protocol, field)
static const struct key protocol_rows[] = {
    {"start_us", KEY_FROM_0, AT(start_s), KEY_ALWAYS, .source = "start_source",
     .help = "time of a collective that no step has: from the call to the "
             "first byte, and from the last byte to the end"},
    {"start_source", KEY_SOURCE, AT(start_source), KEY_ALWAYS,
     .help = "where it is from"},
    {"take_ns_per_byte", KEY_FROM_0, AT(take_s_per_B), .source = "take_source",
     .help = "until a channel's threads have copied or added a byte that "
             "came, in which they send none (0: beta has it, as if fitted to "
             "whole collectives)"},
    {"take_source", KEY_SOURCE, AT(take_source), .with = "take_ns_per_byte",
     .help = "where it is from"},
    {"tree_ns_per_byte", KEY_FROM_0, AT(tree_s_per_B), .source = "tree_source",
     .help = "until a channel's threads have sent a byte up a tree, or down, "
             "while they send another one down, or up (left out: beta and "
             "take)"},
    {"tree_source", KEY_SOURCE, AT(tree_source), .with = "tree_ns_per_byte",
     .help = "where it is from"},
    {"fill_ns_per_byte", KEY_FROM_0, AT(fill_s_per_B), .source = "fill_source",
     .help = "until a channel's pipeline is full and at the end empty again, "
             "for each byte of a slice"},
    {"fill_source", KEY_SOURCE, AT(fill_source), .with = "fill_ns_per_byte",
     .help = "where it is from"},
    {"step_us", KEY_FROM_0, AT(step_s), .source = "step_source",
     .help = "after each chunk, until a channel's threads go on to the next"},
    {"step_source", KEY_SOURCE, AT(step_source), .with = "step_us",
     .help = "where it is from"},
    {"ring_less_us", KEY_FROM_0, AT(ring_less_s), .source = "ring_source",
     .help = "by which a step of a ring between nodes is shorter than alpha, "
             "which is a tree's"},
    {"ring_source", KEY_SOURCE, AT(ring_source), .with = "ring_less_us",
     .help = "where it is from"},
    {"round_us", KEY_FROM_0, AT(round_s), .source = "round_source",
     .help = "in which a channel's threads pass on the lines that they hold at "
             "once; fewer threads take more rounds, and beta has those of all"},
    {"round_source", KEY_SOURCE, AT(round_source), .with = "round_us",
     .help = "where it is from"},
    {"channels", KEY_WHOLE, AT(channels), .least = 1, .most = MAX_CHANNELS,
     .help = "channels of the algorithm (left out: those of the machine)"},
    {"slot_bytes", KEY_WHOLE, AT(slot_B), KEY_ALWAYS, .least = 1,
     .most = MAX_SLOT_B, .help = "payload of a slot of a channel's buffer"},
    {"chunk_slots", KEY_WHOLE, AT(chunk_slots), KEY_ALWAYS, .least = 1,
     .most = MAX_SLOTS, .help = "slots of a ring's chunk"},
    {"slices", KEY_WHOLE, AT(slices), KEY_ALWAYS, .least = 1, .most = MAX_SLOTS,
     .help = "parts in which a chunk is passed on"},
    {"channel_bytes", KEY_WHOLE, AT(channel_B), KEY_ALWAYS, .least = 1,
     .most = MAX_SLOT_B,
     .help = "fewer channels are used if one would have less than this"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS, .help = "where it is from"},
};
#undef AT
const struct key_table nccl_protocol_keys = {
    "nccl.PROTOCOL",
    "simple, ll, ll128, nvls, the algorithm by switches that reduce, p2p, pat "
    "and collnet; in "
    "runtimes.nccl_* beta is that of a channel in a node, of a GPU between "
    "nodes",
    KEY_ROWS(protocol_rows), KEY_NO_CASES, .benchmark = "nccl"};

#define AT(field) offsetof(struct nccl_model, field)
static const struct key nccl_rows[] = {
    {"channels", KEY_WHOLE, AT(channels), .least = 1, .most = MAX_CHANNELS,
     .source = "channels_source",
     .help = "channels of a GPU (left out: as NCCL's search finds them)"},
    {"channels_source", KEY_SOURCE, AT(channels_source), .with = "channels",
     .help = "where it is from"},
    {"call_us", KEY_FROM_0, AT(call_s), .source = "call_source",
     .help = "time of a thread of the CPU for a collective of one GPU: the "
             "call and the launch of its kernel"},
    {"call_source", KEY_SOURCE, AT(call_source), .with = "call_us",
     .help = "where it is from"},
    {"channel_us", KEY_FROM_0, AT(channel_s), .source = "channel_source",
     .help = "likewise for each channel of a collective but the first"},
    {"channel_source", KEY_SOURCE, AT(channel_source), .with = "channel_us",
     .help = "where it is from"},
    {"send_us", KEY_FROM_0, AT(send_s), .source = "send_source",
     .help = "likewise for each send or receive of a group"},
    {"send_source", KEY_SOURCE, AT(send_source), .with = "send_us",
     .help = "where it is from"},
    {"slots", KEY_WHOLE, AT(slots), KEY_ALWAYS, .least = 1, .most = MAX_SLOTS,
     .help = "slots of a channel's buffer"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS, .help = "where it is from"},
    {"simple", KEY_OTHER, .needed = KEY_ALWAYS, .help = "the protocol simple"},
    {"ll", KEY_OTHER, .needed = KEY_ALWAYS, .help = "the protocol ll"},
    {"ll128", KEY_OTHER, .needed = KEY_ALWAYS, .help = "the protocol ll128"},
    {"nvls", KEY_OTHER,
     .help = "the algorithm by switches that reduce (RCCL has none)"},
    {"p2p", KEY_OTHER, .help = "groups of sends and receives: all-to-alls"},
    {"pat", KEY_OTHER,
     .help = "parallel aggregated trees, for nodes of one GPU"},
    {"collnet", KEY_OTHER, .help = "switches of the network that reduce"},
    {"socket_GBps", KEY_POSITIVE, AT(socket_Bps), .source = "socket_source",
     .help = "the network of a node by sockets, each way (NCCL_IB_DISABLE)"},
    {"socket_us", KEY_FROM_0, AT(socket_s), .with = "socket_GBps",
     .source = "socket_source",
     .help = "a message's time by sockets, besides its alpha"},
    {"socket_source", KEY_SOURCE, AT(socket_source), .with = "socket_GBps",
     .help = "where both are from"},
    {"version", KEY_TEXT, AT(version_text), .untimed = true,
     .help = "as 2.27, by which its choice follows (left out: the newest that "
             "is known)"},
    {"settings", KEY_OTHER, .untimed = true,
     .help = "its environment variables"},
};
#undef AT
const struct key_table nccl_keys = {
    "nccl", "how NCCL divides collectives (parts/nccl has its own numbers)",
    KEY_ROWS(nccl_rows), KEY_NO_CASES, .benchmark = "nccl"};

static int read_protocol(struct nccl_protocol *p, unsigned slots,
                         const struct json *o, struct err *err)
{
    if (keys_read(&nccl_protocol_keys, p, o, 0, err) < 0)
        return -1;
    return read_unsigned(o, "chunk_slots", 1, slots, &p->chunk_slots, err);
}

/* Returns 227 for "2.27" or "2.27.3", 0 if it has another form. */
static unsigned version_of(const char *text)
{
    char *end;

    if (strncmp(text, "2.", 2) != 0 || text[2] < '0' || text[2] > '9')
        return 0;
    unsigned long minor = strtoul(text + 2, &end, 10);
    if (minor > 99 || strspn(end, "0123456789.") != strlen(end))
        return 0;
    return 200 + (unsigned)minor;
}

static int read_version(struct nccl_model *n, struct err *err)
{
    n->version = n->version_text ? version_of(n->version_text) : NCCL_NEWEST;
    return n->version
               ? 0
               : fail(err, "version: expected one such as 2.27, got \"%s\"",
                      n->version_text);
}

int read_nccl_model(struct machine *m, const struct json *o, struct err *err)
{
    struct nccl_model *n = &m->nccl;
    struct json *p;

    if (keys_read(&nccl_keys, n, o, 0, err) < 0 || read_version(n, err) < 0)
        return -1;
    if (json_member(o, "settings")) {
        if (json_get_object(o, "settings", &p, err) < 0)
            return -1;
        if (read_nccl_settings(&n->settings, p, err) < 0)
            return fail_at_place(err, "settings");
    }
    for (int i = 0; i < NNCCL_PROTOCOLS; i++)
        if (i >= NCCL_NVLS && !json_member(o, nccl_protocol_names[i]))
            continue;
        else if (json_get_object(o, nccl_protocol_names[i], &p, err) < 0)
            return -1;
        else if (read_protocol(&n->protocols[i], n->slots, p, err) < 0)
            return fail_at_place(err, "%s", nccl_protocol_names[i]);
    return nccl_settings_apply(m, err);
}
