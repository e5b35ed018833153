/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads how NCCL divides collectives into channels and chunks. */
#include "platforms/read.h"

enum { MAX_CHANNELS = 255, MAX_SLOTS = 64, MAX_SLOT_B = 1 << 30 };

static int read_nccl_protocol(struct nccl_protocol *p, unsigned slots,
                              const struct json *o, struct err *err)
{
    if (ONLY_KEYS(o, err, "start_us", "start_source", "take_ns_per_byte",
                  "take_source", "slot_bytes", "chunk_slots", "slices",
                  "channel_bytes", "source") < 0 ||
        read_not_negative(o, "start_us", 1e-6, &p->start_s, err) < 0 ||
        source_read(&p->start_source, o, "start_source", err) < 0 ||
        (json_member(o, "take_ns_per_byte") &&
         (read_not_negative(o, "take_ns_per_byte", 1e-9, &p->take_s_per_B,
                            err) < 0 ||
          source_read(&p->take_source, o, "take_source", err) < 0)) ||
        read_unsigned(o, "slot_bytes", 1, MAX_SLOT_B, &p->slot_B, err) < 0 ||
        read_unsigned(o, "chunk_slots", 1, slots, &p->chunk_slots, err) < 0 ||
        read_unsigned(o, "slices", 1, MAX_SLOTS, &p->slices, err) < 0 ||
        read_unsigned(o, "channel_bytes", 1, MAX_SLOT_B, &p->channel_B, err) <
            0 ||
        source_read(&p->source, o, "source", err) < 0)
        return -1;
    return 0;
}

int read_nccl(struct machine *m, const struct json *o, struct err *err)
{
    struct nccl_model *n = &m->nccl;
    struct json *p;

    if (ONLY_KEYS(o, err, "channels", "channels_source", "slots", "source",
                  "simple", "ll", "ll128", "nvls") < 0 ||
        read_unsigned(o, "channels", 1, MAX_CHANNELS, &n->channels, err) < 0 ||
        source_read(&n->channels_source, o, "channels_source", err) < 0 ||
        read_unsigned(o, "slots", 1, MAX_SLOTS, &n->slots, err) < 0 ||
        source_read(&n->source, o, "source", err) < 0)
        return -1;
    for (int i = 0; i < NNCCL_PROTOCOLS; i++)
        if (json_get_object(o, nccl_protocol_names[i], &p, err) < 0)
            return -1;
        else if (read_nccl_protocol(&n->protocols[i], n->slots, p, err) < 0)
            return fail_at_place(err, "%s", nccl_protocol_names[i]);
    return 0;
}
