/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads decimal numbers strictly, most of them exactly by a multiplication or
 * division, others by strtod(). */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *number_take_whole(const char *text, uint64_t *out)
{
    uint64_t value = 0;

    if (!is_digit(*text))
        return NULL;
    for (; is_digit(*text); text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return NULL;
        value = value * 10 + digit;
    }
    *out = value;
    return text;
}

bool number_whole(const char *text, uint64_t *out)
{
    uint64_t v;
    const char *end = number_take_whole(text, &v);

    if (!end || *end)
        return false;
    *out = v;
    return true;
}

static unsigned unit_shift(char unit)
{
    return unit == 'k' || unit == 'K' ? 10
           : unit == 'M'              ? 20
           : unit == 'G'              ? 30
                                      : 0;
}

const char *number_take_bytes(const char *text, uint64_t *out)
{
    uint64_t v;
    const char *end = number_take_whole(text, &v);

    if (!end)
        return NULL;
    unsigned shift = unit_shift(*end);
    if (v > UINT64_MAX >> shift)
        return NULL;
    *out = v << shift;
    if (!shift)
        return end;
    return end + (strncmp(end + 1, "iB", 2) ? 1 : 3);
}

bool number_bytes(const char *text, uint64_t *out)
{
    uint64_t v;
    const char *end = number_take_bytes(text, &v);

    if (!end || *end)
        return false;
    *out = v;
    return true;
}

/* A number digits * 10^exponent, without its sign. */
struct decimal {
    uint64_t digits; /* valid if they fit into 64 bits */
    size_t ndigits;  /* without leading zeros */
    /* The number is less than 10^below_10_to. These two are inexact if they are
     * far out of a double's range, because a very large exponent is not read to
     * its end. */
    long exponent;
    long below_10_to;
};

enum { WHOLE_DIGITS = 19, LARGEST_EXPONENT = 9999, LARGEST_POWER = 308 };

static const char *take_digits(const char *text, struct decimal *d)
{
    for (; is_digit(*text); text++) {
        d->digits = d->digits * 10 + (uint64_t)(*text - '0');
        d->ndigits += d->ndigits > 0 || *text != '0';
    }
    return text;
}

static const char *take_exponent(const char *text, struct decimal *d)
{
    bool negative = *text == '-';
    long exponent = 0;

    text += negative || *text == '+';
    if (!is_digit(*text))
        return NULL;
    for (; is_digit(*text); text++)
        if (exponent <= LARGEST_EXPONENT)
            exponent = 10 * exponent + (*text - '0');
    d->exponent += negative ? -exponent : exponent;
    d->below_10_to += negative ? -exponent : exponent;
    return text;
}

/* Parses the form of a number. Returns its end, or NULL. */
static const char *take_decimal(const char *text, struct decimal *d)
{
    const char *whole = text += *text == '-';

    *d = (struct decimal){0};
    text = take_digits(text, d);
    long digits = d->below_10_to = text - whole;
    if (*text == '.') {
        const char *part = text + 1;
        text = take_digits(part, d);
        d->exponent = part - text;
        digits += text - part;
    }
    if (!digits)
        return NULL;
    if (*text == 'e' || *text == 'E')
        text = take_exponent(text + 1, d);
    return !text || *text == 'x' || *text == 'X' ? NULL : text;
}

/*
 * Returns whether a double holds both the digits and the power of ten exactly,
 * and if so the value: one product or quotient of two exact numbers is the
 * nearest double (W. D. Clinger, How to Read Floating Point Numbers Accurately,
 * PLDI 1990).
 */
static bool is_exact(const struct decimal *d, double *out)
{
    static const double powers[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST = sizeof powers / sizeof powers[0] - 1 };

    if (FLT_EVAL_METHOD != 0 || d->below_10_to > LARGEST_POWER ||
        d->ndigits > WHOLE_DIGITS || d->digits > UINT64_C(1) << DBL_MANT_DIG ||
        d->exponent < -MOST || d->exponent > MOST)
        return false;
    *out = d->exponent < 0 ? (double)d->digits / powers[-d->exponent]
                           : (double)d->digits * powers[d->exponent];
    return true;
}

/* Calls strtod() in the locale C, whatever the program's is. */
static double c_strtod(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double v = c ? strtod_l(text, NULL, c) : strtod(text, NULL);

    if (c)
        freelocale(c);
    return v;
}

const char *number_take_real(const char *text, double *out)
{
    struct decimal d;
    const char *end = take_decimal(text, &d);
    double v;

    if (!end)
        return NULL;
    if (is_exact(&d, &v))
        v = *text == '-' ? -v : v;
    else
        v = c_strtod(text);
    if (!isfinite(v))
        return NULL;
    *out = v;
    return end;
}

const char *number_skip_real(const char *text)
{
    struct decimal d;
    const char *end = take_decimal(text, &d);

    if (end && d.below_10_to > LARGEST_POWER && !isfinite(c_strtod(text)))
        return NULL;
    return end;
}

bool number_real(const char *text, double *out)
{
    double v;
    const char *end = number_take_real(text, &v);

    if (!end || *end)
        return false;
    *out = v;
    return true;
}

bool number_count(const char *text, uint64_t *out)
{
    double v;

    if (number_whole(text, out))
        return true;
    if (!number_real(text, &v) || !(v >= 0 && v < (double)NUMBER_EXACT_END) ||
        v != floor(v))
        return false;
    *out = (uint64_t)v;
    return true;
}

double number_four_digits(double v)
{
    char text[40];

    snprintf(text, sizeof text, "%.4g", v);
    return strtod(text, NULL);
}
