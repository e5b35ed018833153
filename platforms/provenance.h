/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h - where a number comes from, by the words of its source. */
#ifndef PLATFORMS_PROVENANCE_H
#define PLATFORMS_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>

enum provenance {
    PROVENANCE_MEASURED,
    PROVENANCE_FIT,           /* to measurements of this machine */
    PROVENANCE_SPECIFICATION, /* of a vendor or a centre */
    PROVENANCE_PUBLISHED,     /* of a paper, or of what else it names */
    PROVENANCE_TAKEN_OVER,    /* another machine's */
    PROVENANCE_ASSUMED,
    PROVENANCE_SET, /* by --set */
    NPROVENANCES
};
/* "measured", "fit", ..., as JSON has them. */
extern const char *const provenance_names[NPROVENANCES];

/*
 * Of a number with this source. A source of several numbers parts them by ";"
 * and says "alpha: ..." or "beta assumed: ..." of one; `number` ("alpha", or
 * NULL) picks such a clause, or else that which names none. Without a source
 * (NULL) it is assumed.
 */
enum provenance provenance_of(const char *source, const char *number);

/* Those words of the source: from where, and how many characters. */
struct provenance_words {
    const char *text; /* "": there is no source */
    size_t n;
};
struct provenance_words provenance_words_of(const char *source,
                                            const char *number);

/* Whether the source says that how a message's cost divides between CPUs and
 * wire ("alpha shares ... assumed", "ends: assumed ...") is assumed or taken
 * over. */
bool provenance_split_assumed(const char *source);

#endif
