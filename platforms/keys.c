/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, refuses and shows the values of a platform's objects by the rows of
 * their tables. */
#include "platforms/keys.h"

#include "platforms/read.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- units ---------------------------------------------------------------- */

/* Ends of keys; a longer one stands before its own ends, because the first that
 * matches counts. */
static const struct unit {
    const char *end;
    double of;
    bool time, rate;
} units[] = {
    {"_ns_per_byte", 1e-9, .time = true},
    {"_us", 1e-6, .time = true},
    {"_ns", 1e-9, .time = true},
    {"_cycles", 1, .time = true},
    {"_GBps", 1e9, .rate = true},
    {"_MHz", 1e6, .rate = true},
    {"_GiB", .of = 0x1p30},
    {"_MiB", .of = 0x1p20},
};

static struct unit unit_of(const char *key)
{
    size_t n = strlen(key);

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t end = strlen(units[i].end);
        if (n > end && !strcmp(key + n - end, units[i].end))
            return units[i];
    }
    return (struct unit){.of = 1};
}

double key_unit(const char *key)
{
    return unit_of(key).of;
}

bool key_is_time(const char *key)
{
    return unit_of(key).time;
}

bool key_is_rate(const char *key)
{
    return unit_of(key).rate;
}

/* --- reading -------------------------------------------------------------- */

/* Returns the field of a row as a pointer to void, because the row's kind gives
 * its type. */
static void *field(const struct key *k, void *out)
{
    return (char *)out + k->at;
}

static const void *const_field(const struct key *k, const void *of)
{
    return (const char *)of + k->at;
}

static void set_default(const struct key_table *table, const struct key *k,
                        void *out)
{
    double v = k->initial * key_unit(k->key);

    switch (k->kind) {
    case KEY_COST:
    case KEY_FROM_0:
    case KEY_POSITIVE:
        if (k->as)
            v = *(double *)field(key_find(table, k->as), out);
        *(double *)field(k, out) = v;
        break;
    case KEY_WHOLE:
        *(unsigned *)field(k, out) =
            k->as ? *(unsigned *)field(key_find(table, k->as), out)
                  : (unsigned)v;
        break;
    case KEY_BYTES:
        *(uint64_t *)field(k, out) =
            isinf(k->initial) ? UINT64_MAX : (uint64_t)v;
        break;
    default:
        break;
    }
}

static int key_read_bytes(uint64_t *out, const struct key *k,
                          const struct json *in, struct err *err)
{
    unsigned bytes;

    if (!k->most)
        return json_get_count(in, k->key, out, err);
    if (read_unsigned(in, k->key, k->least, k->most, &bytes, err) < 0)
        return -1;
    *out = bytes;
    return 0;
}

static int key_read_word(unsigned *out, const struct key *k,
                         const struct json *in, struct err *err)
{
    unsigned word;

    if (read_name(in, k->key, k->words + k->least, k->nwords - k->least, &word,
                  err) < 0)
        return -1;
    *out = word + k->least;
    return 0;
}

static int key_read_value(const struct key *k, void *out, const struct json *in,
                          struct err *err)
{
    void *to = field(k, out);

    switch (k->kind) {
    case KEY_COST:
        return read_cost(in, k->key, key_unit(k->key), to, err);
    case KEY_FROM_0:
        return read_not_negative(in, k->key, key_unit(k->key), to, err);
    case KEY_POSITIVE:
        return read_positive(in, k->key, key_unit(k->key), to, err);
    case KEY_WHOLE:
        return read_unsigned(in, k->key, k->least, k->most, to, err);
    case KEY_BYTES:
        return key_read_bytes(to, k, in, err);
    case KEY_FLAG:
        return json_get_bool(in, k->key, to, err);
    case KEY_WORD:
        return key_read_word(to, k, in, err);
    case KEY_TEXT:
        return read_text(in, k->key, to, err);
    case KEY_SOURCE:
        return source_read(to, in, k->key, err);
    case KEY_OTHER:
        break;
    }
    return 0;
}

/* Refuses a key that objects of another case have: "KEY: only of A and B". */
static int refuse_case(const struct key_table *table, const struct key *k,
                       struct err *err)
{
    char cases[200] = "";
    size_t n = 0;

    for (size_t i = 0; i < table->ncases && n < sizeof cases; i++)
        if (k->only >> i & 1)
            n += (size_t)snprintf(cases + n, sizeof cases - n, "%s%s",
                                  n ? " or " : "", table->cases[i]);
    return fail(err, "%s: only of %s", k->key, cases);
}

/* Refuses unknown keys, and those of other cases. */
static int only_known(const struct key_table *table, const struct json *in,
                      unsigned in_case, struct err *err)
{
    const char **keys = xcalloc(table->n, sizeof *keys);
    size_t n = 0;
    int result = 0;

    for (size_t i = 0; i < table->n && result == 0; i++) {
        const struct key *k = &table->rows[i];
        keys[n++] = k->key;
        if (!key_allowed(k, in_case) && json_member(in, k->key))
            result = refuse_case(table, k, err);
    }
    if (result == 0)
        result = json_only_keys(in, keys, n, err);
    free(keys);
    return result;
}

/* Refuses an object that lacks a key which another one needs beside it. */
static int refuse_alone(const struct key *k, void *out, const struct json *in,
                        struct err *err)
{
    struct err lacks;

    if (key_read_value(k, out, in, &lacks) == 0)
        return 0;
    return fail(err, "%s beside %s", lacks.text, k->with);
}

int keys_read(const struct key_table *table, void *out, const struct json *in,
              unsigned in_case, struct err *err)
{
    if (only_known(table, in, in_case, err) < 0)
        return -1;
    for (size_t i = 0; i < table->n; i++) {
        const struct key *k = &table->rows[i];
        bool given = json_member(in, k->key) != NULL;
        bool needed = k->needed == KEY_ALWAYS || k->needed & in_case;
        bool beside = k->with && json_member(in, k->with);
        if (!key_allowed(k, in_case))
            continue;
        int result = 0;
        if (!given && !needed && beside)
            result = refuse_alone(k, out, in, err);
        else if (!given && !needed)
            set_default(table, k, out);
        else
            result = key_read_value(k, out, in, err);
        if (result < 0)
            return -1;
    }
    return 0;
}

void keys_free(const struct key_table *table, void *of)
{
    for (size_t i = 0; i < table->n; i++) {
        void *at = field(&table->rows[i], of);
        if (table->rows[i].kind == KEY_SOURCE)
            source_free(*(struct number_source **)at);
        else if (table->rows[i].kind == KEY_TEXT)
            free(*(char **)at);
    }
}

/* --- showing -------------------------------------------------------------- */

const struct key *key_find(const struct key_table *table, const char *key)
{
    for (size_t i = 0; i < table->n; i++)
        if (!strcmp(table->rows[i].key, key))
            return &table->rows[i];
    return NULL;
}

const char *key_of_field(const struct key_table *table, size_t at)
{
    size_t i = 0;

    while (i < table->n &&
           (table->rows[i].kind == KEY_OTHER || table->rows[i].at != at))
        i++;
    assert(i < table->n);
    return table->rows[i].key;
}

const struct number_source *key_source(const struct key_table *table,
                                       const struct key *k, const void *of)
{
    const char *const keys[] = {k->source, "source"};

    for (size_t i = 0; i < 2; i++) {
        const struct key *row = keys[i] ? key_find(table, keys[i]) : NULL;
        if (!row || row->kind != KEY_SOURCE)
            continue;
        const struct number_source *s =
            *(struct number_source *const *)const_field(row, of);
        if (s)
            return s;
    }
    return NULL;
}

static bool number_text(double value, char *text, size_t size)
{
    bool whole = value >= 0 && value < 0x1p53 && value == floor(value);

    snprintf(text, size, whole ? "%.0f" : "%.6g", value);
    return value > 0 && isfinite(value);
}

bool key_text(const struct key *k, const void *of, char *text, size_t size)
{
    const void *at = const_field(k, of);

    switch (k->kind) {
    case KEY_COST:
        if (*(const double *)at > 0 && *(const double *)at <= DBL_MIN) {
            snprintf(text, size, "0"); /* as it is given */
            return true;
        }
        /* fall through */
    case KEY_FROM_0:
    case KEY_POSITIVE:
        return number_text(*(const double *)at / key_unit(k->key), text,
                           size) ||
               k->needed == KEY_ALWAYS;
    case KEY_WHOLE:
        return number_text(*(const unsigned *)at, text, size);
    case KEY_BYTES:
        return *(const uint64_t *)at < UINT64_MAX &&
               number_text((double)*(const uint64_t *)at, text, size);
    case KEY_FLAG:
        snprintf(text, size, "%s", *(const bool *)at ? "true" : "false");
        return *(const bool *)at || k->needed;
    case KEY_WORD:
        snprintf(text, size, "%s", k->words[*(const unsigned *)at]);
        return *(const unsigned *)at > 0;
    case KEY_TEXT:
        snprintf(text, size, "%s",
                 *(char *const *)at ? *(char *const *)at : "");
        return *text;
    default:
        return false;
    }
}
