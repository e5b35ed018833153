/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matching.h - the engine by which a machine's runtime finds the receive of a
 * message, the constants of its laws (sim/transport/matching.h), and the uses
 * of MPI that it forbids. They are read from `matching` of a platform, and from
 * the presets in platforms/matching. */
#ifndef PLATFORMS_MATCHING_H
#define PLATFORMS_MATCHING_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>

enum matcher {
    MATCHER_NONE, /* matching takes no time */
#define MATCHER(upper, lower) MATCHER_##upper,
#include "platforms/matchers.def"
#undef MATCHER
    NMATCHERS
};
extern const char *const matcher_names[NMATCHERS];

/* A relaxed semantics forbids these (Klenk et al. 2017, table II). */
enum forbidden {
    FORBID_ANY_SOURCE, /* receives from any rank */
    FORBID_ANY_TAG,
    FORBID_UNEXPECTED, /* messages that come before their receive is posted */
    /* Two messages, or two receives, of one source, tag and communicator that
     * are under way at once, because only their order would distinguish
     * them. */
    FORBID_EQUAL,
    NFORBIDDEN
};
extern const char *const forbidden_names[NFORBIDDEN];

struct matching {
    enum matcher engine;
    unsigned forbids; /* bits 1 << enum forbidden */
    /* list: the time of a search, and of each entry that it examines. */
    double attempt_s, entry_s;
    /* The other engines count cycles of this clock. */
    double clock_Hz;
    /* matrix, partitioned: a pass dequeues up to cta_messages messages and
     * examines one receive after the other. */
    double pass_cycles;    /* a pass */
    double receive_cycles; /* a receive that is matched */
    double miss_cycles;    /* a receive that is not */
    double scan_cycles;  /* each receive, if all warps scan and none reduces */
    double short_cycles; /* each receive, if one warp without a matrix does it
                            ... */
    unsigned short_messages; /* ... because the queues have at most so many
                                messages */
    unsigned cta_messages;   /* a warp for each 32 */
    double compaction;   /* added share of the time, to make the queues dense */
    unsigned queues;     /* partitioned: the source modulo this is the queue */
    double queue_cycles; /* each receive, for each warp of other queues in the
                            CTA */
    unsigned ctas;       /* the most CTAs */
    unsigned resident_ctas; /* CTAs that run at a time */
    /* hash: a round enters receives into the tables and searches for
     * messages. */
    double round_cycles; /* a round, for each 1024 receives of a CTA */
    double hash_cycles;  /* each receive that is entered */
    double slots; /* slots of the first table for each thread; the second has a
                     fifth of them */
    char *name;   /* name of the preset; NULL if it is the platform's own */
    struct number_source *source; /* NULL if nothing is given */
};

/* Reads the object `matching` of a platform, which is unpacked
 * (matching_unpack()). If there is an error, nothing is to be freed. */
int matching_read(struct matching *l, const struct json *o,
                  struct err *err) MUST_CHECK;
void matching_clear(struct matching *l);
/* Puts presets into `matching` of a platform's document: "ENGINE", "PRESET" or
 * either with "@DEVICE", whose constants come first; keys that they do not have
 * stay as they are. "none" leaves no engine. */
int matching_apply(struct json *doc, const char *words,
                   struct err *err) MUST_CHECK;
/* Does the same with the words of the document itself: "matching": "WORDS", or
 * `preset` in the object, whose other members change the preset's. */
int matching_unpack(struct json *doc, struct err *err) MUST_CHECK;

struct matching_preset {
    char *name, *about;
    bool device; /* set if it has constants; otherwise it has an engine and the
                    uses it forbids */
};
/* Returns all presets, sorted by name; matching_presets_free() frees them. */
struct matching_preset *matching_presets(size_t *n);
void matching_presets_free(struct matching_preset *list, size_t n);

#endif
