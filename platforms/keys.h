/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - the keys of a platform's objects as tables. A row has a key, which
 * ends in its unit, the field that it fills, whether it must be given, the
 * benchmark that measures it, and a phrase of help. Reading, refusing, `show
 * platform`, `list keys`, platforms/KEYS.md, the completion of --set, and the
 * numbers that `advise` varies and proposes to measure all follow from these
 * rows, so that a new cost is one row, and its use in the simulator. */
#ifndef PLATFORMS_KEYS_H
#define PLATFORMS_KEYS_H

#include "base/json.h"
#include "platforms/provenance.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum key_kind {
    KEY_COST,     /* double, from 0 on. A 0 in a file asks for the effect if the
                     cost vanished: the field is then the least number above 0,
                     because 0 in a field means that the key is not given */
    KEY_FROM_0,   /* double, from 0 on */
    KEY_POSITIVE, /* double, above 0 */
    KEY_WHOLE,    /* unsigned, `least` to `most` */
    KEY_BYTES,    /* uint64_t; up to `most`, if that is not 0 */
    KEY_FLAG,     /* bool */
    KEY_WORD,     /* an enum: one of `words`, from number `least` on */
    KEY_TEXT,     /* char *, which its owner frees */
    KEY_SOURCE,   /* struct number_source *, likewise */
    KEY_OTHER     /* an object, a list or a number that code reads */
};

#define KEY_ALWAYS ~0u
#define KEY_NO_LIMIT INFINITY /* `initial` of KEY_BYTES */

struct key {
    const char *key;
    enum key_kind kind;
    size_t at; /* offset of the field in the object's struct */
    /* The cases of the object (such as the kinds of a device, as bits) in which
     * the key must be given, and those in which it may be; 0 if it may in
     * all. */
    unsigned needed, only;
    bool untimed; /* no time depends on it, so that advise does not vary it */
    const char *with; /* the key must be given if that one is */
    const char *as;   /* a key whose value it has if it is left out; else ... */
    double initial;   /* ... in the unit of the key */
    unsigned least, most;
    const char *const *words;
    unsigned nwords;
    const char *source; /* the key of its source; NULL if it is "source" */
    /* Benchmarks of sluice-native: one that measures it, and one that does so
     * between nodes; NULL if it is that of the table. */
    const char *benchmark, *off_node;
    const char *group; /* heading in a large object; NULL: none */
    const char *help;  /* a phrase */
};

struct key_table {
    const char *place; /* in a file: "messages.PATH.LOCALITY.segments[]" */
    const char *about; /* a phrase about the costs that the object gives */
    const struct key *rows;
    size_t n;
    const char *const *cases; /* names of the bits of `only` */
    size_t ncases;
    const char *benchmark; /* measures rows without one of their own; NULL if
                              none does */
};
/* Expands to a table and its size. */
#define KEY_ROWS(table) (table), sizeof(table) / sizeof(table)[0]
#define KEY_NO_CASES NULL, 0

/* Returns the unit of a key by its end, in seconds, bytes, hertz or bytes per
 * second: 1e-9 for "miss_ns". 1 if the number has no unit. */
double key_unit(const char *key);
/* Return whether a key is one of a time, and of a rate, which is as good as a
 * time because it divides bytes. */
bool key_is_time(const char *key);
bool key_is_rate(const char *key);

/* Reads an object of a case (a bit, 0 if it has none) into `out`, the object's
 * struct, in which all fields are 0; keys of KEY_OTHER are left to the caller.
 * Returns -1 and an error that begins with the key if one is unknown, missing
 * or has a bad value. */
int keys_read(const struct key_table *table, void *out, const struct json *in,
              unsigned in_case, struct err *err) MUST_CHECK;

/* Returns whether an object of a case may have the key. */
static inline bool key_allowed(const struct key *k, unsigned in_case)
{
    return !k->only || k->only & in_case;
}

/* Frees the texts and sources of an object's struct. */
void keys_free(const struct key_table *table, void *of);

/* Returns the row of a key, or NULL. */
const struct key *key_find(const struct key_table *table, const char *key);
/* Returns the key that fills the field at an offset of the object's struct,
 * which has one; so code names a number by its field, and only the table spells
 * the key. */
const char *key_of_field(const struct key_table *table, size_t at);
/* The key of a member of a struct, by the object's table. */
#define KEY_OF(table, type, member)                                            \
    key_of_field(&(table), offsetof(type, member))
/* Returns the source of a row's number in the object's struct, or NULL. */
const struct number_source *key_source(const struct key_table *table,
                                       const struct key *k, const void *of);
/* Writes the value in the key's unit, as it stands in a file. Returns false if
 * it need not be shown, because it is 0, off, or no single value. */
bool key_text(const struct key *k, const void *of, char *text, size_t size);

/* --- all objects ---------------------------------------------------------- */

extern const struct key_table file_keys, node_keys, device_keys, wire_type_keys,
    wire_keys, network_keys, level_keys, table_keys, segment_keys,
    matching_keys, runtime_costs_keys, copies_keys, mps_overhead_keys,
    copy_row_keys, gpu_keys, access_keys, calls_keys, packet_keys, nccl_keys,
    nccl_protocol_keys, nccl_settings_keys, graph_keys, library_keys,
    measured_keys;

/* Returns the i-th object, in the order of the documents, or NULL. */
const struct key_table *key_table_nth(size_t i);
/* Returns the row of a number by its path in a file, such as
 * "messages.cpu.off_node.segments.1.send_us", or by the name of a group, such
 * as "messages.cpu.*.segments.*.send_us+recv_us"; NULL if there is no such key.
 * *benchmark is the one that measures it, or "all" if none does alone. */
const struct key *key_at(const char *path, const char **benchmark);
/* Returns the key that holds the source of a number of an object, by the
 * object's name: "source", or that of the number's row. */
const char *key_source_key(const char *object, const char *number);
/* Returns whether the object that has the number at a path may have another
 * key; true if the object has no table. */
bool key_may_stand_at(const char *path, const char *key);

#endif
