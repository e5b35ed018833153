/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints JSON as text, with short values on one line, so that a person can read
 * it. */
#include "base/json.h"

#include "base/outfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A list of more than MOST_LINES numbers is printed as a block of data. */
enum { COLUMNS = 100, MOST_LINES = 64 };

void json_print_string(const char *text, FILE *to)
{
    putc('"', to);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", to);
        else if (*c == '\t')
            fputs("\\t", to);
        else if ((unsigned char)*c < 0x20)
            fprintf(to, "\\u%04x", (unsigned)*c);
        else
            putc(*c, to);
    }
    putc('"', to);
}

/* Writes the shortest digits that read back as the same double. */
static void format_number(double v, char *buf, size_t size)
{
    if (!isfinite(v)) {
        snprintf(buf, size, "null");
        return;
    }
    if (v == floor(v) && fabs(v) < 0x1p53) {
        snprintf(buf, size, "%.0f", v);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buf, size, "%.*g", digits, v);
        if (strtod(buf, NULL) == v)
            return;
    }
}

static void print_scalar(const struct json *v, FILE *to)
{
    char buf[40];

    if (json_is_string(v)) {
        json_print_string(json_string(v), to);
    } else if (json_is_number(v)) {
        format_number(json_number(v), buf, sizeof buf);
        fputs(buf, to);
    } else {
        fputs(json_type_name(v), to); /* true, false or null */
    }
}

static bool is_container(const struct json *v)
{
    return json_is_object(v) || json_is_array(v);
}

static void print_flat(const struct json *v, FILE *to)
{
    bool object = json_is_object(v);

    if (!is_container(v)) {
        print_scalar(v, to);
        return;
    }
    putc(object ? '{' : '[', to);
    for (const struct json *c = json_at(v, 0); c; c = json_next(c)) {
        fputs(object ? " " : "", to);
        if (object) {
            json_print_string(json_key(c), to);
            fputs(": ", to);
        }
        print_flat(c, to);
        if (json_next(c))
            fputs(object ? "," : ", ", to);
    }
    fputs(!object ? "]" : json_size(v) ? " }" : "}", to);
}

/* Returns a lower bound of the columns on one line; it stops counting above
 * `most`. */
static size_t flat_columns(const struct json *v, size_t most)
{
    size_t n = 4;

    if (json_is_string(v))
        return n + strlen(json_string(v));
    if (!is_container(v))
        return json_is_number(v) ? 12 : 5;
    for (const struct json *c = json_at(v, 0); c && n <= most;
         c = json_next(c)) {
        n += flat_columns(c, most - n) + 2;
        if (json_is_object(v))
            n += strlen(json_key(c)) + 5;
    }
    return n;
}

static bool all_numbers(const struct json *v)
{
    for (const struct json *c = json_at(v, 0); c; c = json_next(c))
        if (!json_is_number(c))
            return false;
    return json_is_array(v);
}

/* Prints as many numbers on each line as fit. */
static void print_numbers(const struct json *v, unsigned level, FILE *to)
{
    size_t used = COLUMNS;
    char buf[40];

    putc('[', to);
    for (const struct json *c = json_at(v, 0); c; c = json_next(c)) {
        format_number(json_number(c), buf, sizeof buf);
        if (used + strlen(buf) + 2 > COLUMNS)
            used = (size_t)fprintf(to, "\n%*s", (int)(level + 1) * 2, "");
        else
            used += (size_t)fprintf(to, " ");
        used += (size_t)fprintf(to, json_next(c) ? "%s," : "%s", buf);
    }
    fprintf(to, "\n%*s]", (int)level * 2, "");
}

static void json_print_scalar(const struct json *v, unsigned level,
                              size_t before, FILE *to)
{
    bool object = json_is_object(v);
    size_t used = (size_t)level * 2 + before;
    size_t room = used < COLUMNS ? COLUMNS - used : 0;

    if (!is_container(v) || !json_size(v) ||
        (level && flat_columns(v, room) <= room)) {
        print_flat(v, to);
        return;
    }
    if (json_size(v) > MOST_LINES && all_numbers(v)) {
        print_numbers(v, level, to);
        return;
    }
    fputs(object ? "{\n" : "[\n", to);
    for (const struct json *c = json_at(v, 0); c; c = json_next(c)) {
        fprintf(to, "%*s", (int)(level + 1) * 2, "");
        if (object) {
            json_print_string(json_key(c), to);
            fputs(": ", to);
        }
        json_print_scalar(c, level + 1, object ? strlen(json_key(c)) + 4 : 0,
                          to);
        fputs(json_next(c) ? ",\n" : "\n", to);
    }
    fprintf(to, "%*s%c", (int)level * 2, "", object ? '}' : ']');
}

void json_print(const struct json *doc, FILE *to)
{
    json_print_scalar(doc, 0, 0, to);
    putc('\n', to);
}

int json_write(const struct json *doc, const char *path, struct err *err)
{
    struct outfile out;

    if (outfile_open(&out, path, err) < 0)
        return -1;
    json_print(doc, out.stream);
    return outfile_close(&out, err);
}

char *json_text(const struct json *doc)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    if (!to)
        return xstrdup("");
    json_print(doc, to);
    fclose(to);
    return text;
}
