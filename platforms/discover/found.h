/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.h - the devices that a description of a node names: a tree of sockets,
 * PCI switches, GPUs and NICs, and the links besides that tree. */
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
    FOUND_FABRIC, /* all NVSwitches, which count as one */
};

/* Stands for none in the place of an item's number. */
#define NO_ITEM ((size_t)-1)
enum { FOUND_MOST = 4096 }; /* items and links */

struct found_item {
    enum found_kind kind;
    size_t parent; /* comes before it; NO_ITEM for a socket or a FABRIC */
    char *key; /* links name the item by it: a PCI address or an id; or NULL */
    char *model; /* "Tesla V100-SXM3-32GB-H", "cxi0"; or NULL */
    char *arch;  /* "sm_90", "gfx942"; NULL if it is that of the model */
    /* The rate of the wire to its parent, each way; 0 if it is not known. */
    double wire_Bps;
    struct json *wire_source; /* owned; NULL if it is not known */
    unsigned cores, cores_per_cache, sms;
    double memory_B;
    double port_Bps;          /* NICs: its ports together; 0: not known */
    struct json *port_source; /* owned */
    int rank;            /* NICs: only those of the highest rank are used */
    struct json *source; /* its numbers' source; or NULL */
};

/* A link besides the PCI wires. */
struct found_link {
    size_t ends[2];
    double Bps;          /* each way */
    const char *type;    /* "nvlink": static */
    struct json *source; /* owned */
};

struct found {
    char *what;  /* description for the about: "hwloc XML of gpu01 (DGX-2H)" */
    char *maker; /* maker of the GPUs: "nvidia", "amd", "intel"; or NULL */
    struct found_item *items;
    size_t nitems;
    struct found_link *links;
    size_t nlinks;
};

/* Returns a source in the form of a platform's file. */
struct json *found_source(enum provenance kind, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
void found_clear(struct found *f);
/* Adds an item, whose other fields are 0, as the last one. Returns -1 if there
 * are too many. */
int found_add(struct found *f, enum found_kind kind, size_t parent,
              struct err *err) MUST_CHECK;
struct found_item *found_last(struct found *f);
/* Returns the item of a key, or NO_ITEM. */
size_t found_key(const struct found *f, const char *key);
/* Adds a link each way. If both ends name it, it is entered once, but links to
 * a FABRIC add up. It takes the source over. */
int found_link(struct found *f, size_t a, size_t b, double Bps,
               const char *type, struct json *source,
               struct err *err) MUST_CHECK;
size_t found_count(const struct found *f, enum found_kind kind);
/* Finds the one FABRIC, and adds it if there is none. */
int found_fabric(struct found *f, size_t *item, struct err *err) MUST_CHECK;

/* Adds links that a GPU of a known model has, even if they are not named. */
int found_known_links(struct found *f, struct err *err) MUST_CHECK;

/* Removes items that no message passes: NICs of a lower rank, and PCI bridges
 * with fewer than two devices below. */
void found_prune(struct found *f);

/* Returns the platform's document. */
struct json *found_json(const struct found *f,
                        const struct discover_options *options,
                        struct err *err);

/* Returns at most 60 characters of a text, owned: letters, digits, blanks and
 * -_.:+/() as they are, others as ?. */
char *found_word(const char *text);

#endif
