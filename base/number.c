/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads decimal numbers strictly; strtod() only sees what has their form. */
#include "base/number.h"

#include <math.h>
#include <stddef.h>
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

static const char *skip_digits(const char *text, size_t *n)
{
    for (; is_digit(*text); text++)
        (*n)++;
    return text;
}

/* The end of a number's form, or NULL. */
static const char *form_of_real(const char *text)
{
    size_t digits = 0, exponent = 0;

    if (*text == '-')
        text++;
    text = skip_digits(text, &digits);
    if (*text == '.')
        text = skip_digits(text + 1, &digits);
    if (!digits)
        return NULL;
    if (*text != 'e' && *text != 'E')
        return text;
    text += 1 + (text[1] == '+' || text[1] == '-');
    text = skip_digits(text, &exponent);
    return exponent ? text : NULL;
}

const char *number_take_real(const char *text, double *out)
{
    const char *form = form_of_real(text);
    char *end;

    if (!form)
        return NULL;
    double v = strtod(text, &end);
    /* "0x8" has the form 0, and is more to strtod(). */
    if (end != form || !isfinite(v))
        return NULL;
    *out = v;
    return form;
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
    /* From 2^53 on a double may stand for its neighbour. */
    if (!number_real(text, &v) || !(v >= 0 && v < 0x1p53) || v != floor(v))
        return false;
    *out = (uint64_t)v;
    return true;
}
