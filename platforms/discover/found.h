/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.h - what a description of a node names: a tree of sockets, PCI
 * switches, GPUs and NICs, and the links beside that tree. */
#ifndef PLATFORMS_DISCOVER_FOUND_H
#define PLATFORMS_DISCOVER_FOUND_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/discover/discover.h"
#include "platforms/provenance.h"

#include <stddef.h>

enum found_kind {
    FOUND_SOCKET,
    FOUND_BRIDGE,
    FOUND_GPU,
    FOUND_NIC,
    FOUND_FABRIC, /* the NVSwitches, which count as one */
};

/* In the place of an item's number: none. */
#define NO_ITEM ((size_t)-1)
enum { FOUND_MOST = 4096 }; /* items and links */

struct found_item {
    enum found_kind kind;
    size_t parent; /* comes before it; NO_ITEM: a socket, or a FABRIC */
    char *key;     /* by which links name it: a PCI address or an id; or NULL */
    char *model;   /* "Tesla V100-SXM3-32GB-H", "cxi0"; or NULL */
    char *arch;    /* "sm_90", "gfx942"; or NULL: that of the model */
    /* The wire to its parent, each way; 0: not known. */
    double wire_Bps;
    struct json *wire_source; /* owned; NULL: not known */
    unsigned cores, cores_per_cache, sms;
    double memory_B;
    double port_Bps;          /* NICs: of its ports together; 0: not known */
    struct json *port_source; /* owned */
    int rank;            /* NICs: only those of the highest rank are used */
    struct json *source; /* of its numbers; or NULL */
};

/* A link that is no PCI wire. */
struct found_link {
    size_t ends[2];
    double Bps;          /* each way */
    const char *type;    /* "nvlink": static */
    struct json *source; /* owned */
};

struct found {
    char *what;  /* "hwloc XML of gpu01 (DGX-2H)": for the about */
    char *maker; /* of the GPUs: "nvidia", "amd", "intel"; or NULL */
    struct found_item *items;
    size_t nitems;
    struct found_link *links;
    size_t nlinks;
};

/* A source in the form of a platform's file. */
struct json *found_source(enum provenance kind, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
void found_clear(struct found *f);
/* A new item, all else 0; it is the last one. -1: there are too many. */
int found_add(struct found *f, enum found_kind kind, size_t parent,
              struct err *err) MUST_CHECK;
struct found_item *found_last(struct found *f);
/* The item of a key, or NO_ITEM. */
size_t found_key(const struct found *f, const char *key);
/* A link each way; one that is named from both ends is entered once, but
 * `count` links to a FABRIC add up. The source is taken over. */
int found_link(struct found *f, size_t a, size_t b, double Bps,
               const char *type, struct json *source,
               struct err *err) MUST_CHECK;
size_t found_count(const struct found *f, enum found_kind kind);
/* The one FABRIC, made when it is first asked for. */
int found_fabric(struct found *f, size_t *item, struct err *err) MUST_CHECK;

/* Links that a GPU of this model has, whether or not they are named. */
int found_known_links(struct found *f, struct err *err) MUST_CHECK;

/* Takes out what no message passes: NICs of a lower rank, PCI bridges with
 * fewer than two devices below. */
void found_prune(struct found *f);

/* The platform's document. */
struct json *found_json(const struct found *f,
                        const struct discover_options *options,
                        struct err *err);

/* Letters, digits and -_.:+/ of a text, others as ?, at most 60; owned. */
char *found_word(const char *text);

#endif
