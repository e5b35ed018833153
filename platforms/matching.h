/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matching.h - how a machine's runtime finds the receive of a message: its
 * engine, the constants of the laws in sim/transport/matching.h, and the uses
 * of MPI that it forbids. They are read from `matching` of a platform, and
 * from the presets in platforms/matching.
 */
#ifndef PLATFORMS_MATCHING_H
#define PLATFORMS_MATCHING_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>

enum matcher {
    MATCHER_NONE, /* no time */
#define MATCHER(upper, lower) MATCHER_##upper,
#include "platforms/matchers.def"
#undef MATCHER
    NMATCHERS
};
extern const char *const matcher_names[NMATCHERS];

/* A relaxed semantics does without these (Klenk et al. 2017, table II). */
enum forbidden {
    FORBID_ANY_SOURCE, /* receives from any rank */
    FORBID_ANY_TAG,
    FORBID_UNEXPECTED, /* messages that come before their receive is posted */
    /* Two messages, or two receives, of one source, tag and communicator that
     * are under way at once: only their order would tell them apart. */
    FORBID_EQUAL,
    NFORBIDDEN
};
extern const char *const forbidden_names[NFORBIDDEN];

struct matching {
    enum matcher engine;
    unsigned forbids; /* bits 1 << enum forbidden */
    /* list: of an attempt, and of each entry that it looks at. */
    double attempt_s, entry_s;
    /* All others: cycles of this clock. */
    double clock_Hz;
    /* matrix, partitioned. A pass takes up to cta_messages messages of a queue
     * and looks at one receive after the other. */
    double pass_cycles;      /* a pass */
    double receive_cycles;   /* a receive that is matched */
    double miss_cycles;      /* one that is not */
    double scan_cycles;      /* each, if all warps scan and none reduces */
    double short_cycles;     /* each, by one warp without a matrix ... */
    unsigned short_messages; /* ... for queues of at most so many messages */
    unsigned cta_messages;   /* a warp for each 32 */
    double compaction; /* a share of the time more, to make the queues dense */
    unsigned queues;   /* partitioned: source modulo this */
    double queue_cycles; /* each receive, for each warp of other queues in the
                            CTA */
    unsigned ctas;       /* at most */
    unsigned resident_ctas; /* so many of these run at a time */
    /* hash: a round enters receives into the tables and asks for messages. */
    double round_cycles; /* a round, for each 1024 receives of a CTA */
    double hash_cycles;  /* each receive that is entered */
    double slots;        /* of the first table for each thread; the second has a
                            fifth of them */
    char *name;          /* the preset's; NULL: the platform's own */
    struct number_source *source; /* NULL: nothing is given */
};

/* The object `matching` of a platform, unpacked (matching_unpack()). On an
 * error nothing is to be freed. */
int matching_read(struct matching *l, const struct json *o,
                  struct err *err) MUST_CHECK;
void matching_clear(struct matching *l);
/*
 * Puts presets into `matching` of a platform's document: "ENGINE", "PRESET" or
 * either with "@DEVICE", whose constants come first; keys that they do not
 * have stay as they are. "none": no engine.
 */
int matching_apply(struct json *doc, const char *words,
                   struct err *err) MUST_CHECK;
/* The same with the words of the document itself: "matching": "WORDS", or
 * `preset` in the object, whose other members change the preset's. */
int matching_unpack(struct json *doc, struct err *err) MUST_CHECK;

struct matching_preset {
    char *name, *about;
    bool device; /* constants; else an engine and what it forbids */
};
/* All that there are, by name; free with matching_presets_free(). */
struct matching_preset *matching_presets(size_t *n);
void matching_presets_free(struct matching_preset *list, size_t n);

#endif
