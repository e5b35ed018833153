/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - words and numbers of one line of text that is mapped and does not
 * end in a zero, because traces have many megabytes. Blanks are spaces, tabs
 * and carriage returns. If a word is refused, the position stays before it. */
#ifndef WORKLOADS_TRACE_SCAN_H
#define WORKLOADS_TRACE_SCAN_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct scan {
    const char *at, *end;
};

/* No line of a trace is longer: it holds a million ranks' counts of an
 * all-to-all. */
#define SCAN_LINE_B ((size_t)1 << 24)
#define SCAN_LINE_LONG "the line is longer than 16 MiB"

static inline bool scan_is_long(struct scan line)
{
    return (size_t)(line.end - line.at) > SCAN_LINE_B;
}

/* Returns the line at `at` without its end; *next is the beginning of the line
 * after it. A line that is too long ends after SCAN_LINE_B; scan_is_long()
 * detects it. */
static inline struct scan scan_line(const char *at, const char *end,
                                    const char **next)
{
    const char *most =
        (size_t)(end - at) > SCAN_LINE_B ? at + SCAN_LINE_B + 1 : end;
    const char *stop = memchr(at, '\n', (size_t)(most - at));

    *next = stop ? stop + 1 : most;
    return (struct scan){at, stop ? stop : most};
}

static inline bool scan_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void scan_blanks(struct scan *s)
{
    while (s->at < s->end && scan_is_blank(*s->at))
        s->at++;
}

/* Skips blanks. Returns whether the line ends there. */
static inline bool scan_done(struct scan *s)
{
    scan_blanks(s);
    return s->at == s->end;
}

/* Returns the next word, which is empty at the end of the line. */
static inline struct scan scan_word(struct scan *s)
{
    scan_blanks(s);
    struct scan word = {s->at, s->at};
    while (word.end < s->end && !scan_is_blank(*word.end))
        word.end++;
    s->at = word.end;
    return word;
}

/* Reads digits, without blanks before them, of a number below 10^18. */
static inline bool scan_digits(struct scan *s, uint64_t *out)
{
    const char *c = s->at;
    uint64_t n = 0;

    while (c < s->end && (unsigned char)(*c - '0') < 10 && c - s->at < 19)
        n = 10 * n + (uint64_t)(*c++ - '0');
    if (c == s->at || c - s->at > 18)
        return false;
    s->at = c;
    *out = n;
    return true;
}

/* Reads a word that is a whole number, 0 or above. */
static inline bool scan_whole(struct scan *s, uint64_t *out)
{
    struct scan t = *s;

    scan_blanks(&t);
    if (!scan_digits(&t, out) || (t.at < t.end && !scan_is_blank(*t.at)))
        return false;
    *s = t;
    return true;
}

/* Reads a word that is a whole number, perhaps below 0. */
static inline bool scan_signed(struct scan *s, int64_t *out)
{
    struct scan t = *s;
    uint64_t n;

    scan_blanks(&t);
    bool below = t.at < t.end && *t.at == '-';
    t.at += below;
    if (!scan_digits(&t, &n) || (t.at < t.end && !scan_is_blank(*t.at)))
        return false;
    *s = t;
    *out = below ? -(int64_t)n : (int64_t)n;
    return true;
}

/* Reads any number as number.h does, which is slower. */
static inline bool scan_real_word(struct scan word, double *out)
{
    char text[64];
    size_t n = (size_t)(word.end - word.at);

    if (n >= sizeof text)
        return false;
    memcpy(text, word.at, n);
    text[n] = 0;
    return number_real(text, out);
}

/*
 * Reads a word that is a number such as 7, -12.5 or 1e6. Numbers of up to 15
 * digits, with at most 15 of them after a point, are read fast, because such an
 * integer and power of ten are exact in a double and their quotient is rounded
 * correctly (Clinger 1990); others go to scan_real_word().
 */
static inline bool scan_real(struct scan *s, double *out)
{
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    struct scan t = *s;
    uint64_t n = 0;
    int digits = 0, behind = -1;

    scan_blanks(&t);
    const char *first = t.at;
    bool below = t.at < t.end && *t.at == '-';
    for (t.at += below; t.at < t.end && digits < 16; t.at++) {
        if ((unsigned char)(*t.at - '0') < 10) {
            n = 10 * n + (uint64_t)(*t.at - '0');
            digits++;
            behind += behind >= 0;
        } else if (*t.at == '.' && behind < 0 && digits) {
            behind = 0;
        } else {
            break;
        }
    }
    bool quick = digits && digits < 16 && behind != 0 &&
                 (t.at == t.end || scan_is_blank(*t.at));
    if (quick) {
        double value = (double)n / tens[behind > 0 ? behind : 0];
        *out = below ? -value : value;
    } else {
        t.at = first;
        if (!scan_real_word(scan_word(&t), out))
            return false;
    }
    *s = t;
    return true;
}

static inline bool scan_is(struct scan word, const char *text)
{
    size_t n = (size_t)(word.end - word.at);

    return n == strlen(text) && !memcmp(word.at, text, n);
}

#endif
