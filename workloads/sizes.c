/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads ranges of sizes, "bytes=8..1G*4", in the words of workloads. */
#include "workloads/sizes.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* Returns the text after "bytes=", or NULL; *length is up to the next comma. */
static const char *sizes_value(const char *words, size_t *length)
{
    for (const char *at = words; (at = strstr(at, "bytes=")); at++) {
        if (at == words || !strchr(":,", at[-1]))
            continue;
        at += strlen("bytes=");
        *length = strcspn(at, ",");
        return at;
    }
    return NULL;
}

bool sizes_are_given(const char *words)
{
    size_t length;
    const char *value = sizes_value(words, &length);

    return value && memmem(value, length, "..", 2) != NULL;
}

/* --- steps ---------------------------------------------------------------- */

struct size_range {
    uint64_t first, last;
    uint64_t factor; /* or 1 if there is a step */
    uint64_t step;   /* or 0 if there is a factor */
};

static bool size_range_of(struct size_range *r, const char *text)
{
    const char *end = number_take_bytes(text, &r->first);

    *r = (struct size_range){.first = end ? r->first : 0, .factor = 2};
    if (!end || strncmp(end, "..", 2) != 0)
        return false;
    end = number_take_bytes(end + 2, &r->last);
    if (!end)
        return false;
    if (*end == '*')
        return number_whole(end + 1, &r->factor);
    if (*end == '+') {
        r->factor = 1;
        return number_bytes(end + 1, &r->step) && r->step > 0;
    }
    return !*end;
}

static int size_range_check(const struct size_range *r, const char *text,
                            struct err *err)
{
    if (!r->first || r->last < r->first)
        return fail(err, "bytes=%s: expected sizes above 0, the smaller first",
                    text);
    if (!r->step && r->factor < 2)
        return fail(err, "bytes=%s: expected a factor of 2 or more", text);
    if (r->step && (r->last - r->first) / r->step >= SIZES_MOST)
        return fail(err, "bytes=%s: more than %d sizes", text, SIZES_MOST);
    return 0;
}

static void sizes_fill(struct sizes *s, const struct size_range *r)
{
    s->bytes = xcalloc(SIZES_MOST, sizeof *s->bytes);
    for (uint64_t v = r->first; s->n < SIZES_MOST;) {
        s->bytes[s->n++] = v;
        if (r->step ? r->last - v < r->step : v > r->last / r->factor)
            return;
        v = v * r->factor + r->step;
    }
}

int sizes_read(struct sizes *s, const char *words, struct err *err)
{
    struct size_range range;
    size_t length;
    const char *value = sizes_value(words, &length);

    *s = (struct sizes){0};
    if (!sizes_are_given(words))
        return 0;
    char *text = xasprintf("%.*s", (int)length, value);
    int result =
        size_range_of(&range, text)
            ? size_range_check(&range, text, err)
            : fail(err,
                   "bytes=%s: expected FIRST..LAST, FIRST..LAST*FACTOR or "
                   "FIRST..LAST+STEP, such as 8..1G*4",
                   text);
    free(text);
    if (result < 0)
        return fail_in(err, "%s", words);
    sizes_fill(s, &range);
    return 0;
}

void sizes_clear(struct sizes *s)
{
    free(s->bytes);
    *s = (struct sizes){0};
}

char *sizes_words(const char *words, uint64_t bytes)
{
    size_t length;
    const char *value = sizes_value(words, &length);

    return xasprintf("%.*s%llu%s", (int)(value - words), words,
                     (unsigned long long)bytes, value + length);
}
