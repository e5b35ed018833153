/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that gets its columns with the rows: numbers, and words that are each
 * stored once. */
#include "cli/report.h"

#include "base/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- words ---------------------------------------------------------------- */

static uint32_t *report_slot(const struct report_table *t, const char *word)
{
    size_t i = digest_text(DIGEST_OF_NOTHING, word) & (t->nslots - 1);

    while (t->slots[i] && strcmp(t->words[t->slots[i]], word) != 0)
        i = (i + 1) & (t->nslots - 1);
    return &t->slots[i];
}

static void more_slots(struct report_table *t)
{
    free(t->slots);
    t->nslots = t->nslots ? 2 * t->nslots : 256;
    t->slots = xcalloc(t->nslots, sizeof *t->slots);
    t->words = xrealloc(t->words, t->nslots, sizeof *t->words);
    for (uint32_t i = 1; i <= t->nwords; i++)
        *report_slot(t, t->words[i]) = i;
}

static uint32_t word_index(struct report_table *t, const char *word)
{
    if (2 * (t->nwords + (size_t)2) > t->nslots)
        more_slots(t);
    uint32_t *slot = report_slot(t, word);
    if (!*slot) {
        *slot = ++t->nwords;
        t->words[t->nwords] = xstrdup(word);
    }
    return *slot;
}

/* --- cells ---------------------------------------------------------------- */

static struct report_column *column_of(struct report_table *t, const char *name)
{
    for (size_t i = 0; i < t->ncolumns; i++)
        if (!strcmp(t->columns[i].name, name))
            return &t->columns[i];
    t->columns = xrealloc(t->columns, t->ncolumns + 1, sizeof *t->columns);
    t->columns[t->ncolumns] = (struct report_column){.name = xstrdup(name)};
    return &t->columns[t->ncolumns++];
}

static void put_cell(struct report_column *c, size_t row,
                     struct report_cell cell)
{
    while (c->n <= row) {
        if (c->n == c->room) {
            c->room = c->room ? 2 * c->room : 64;
            c->cells = xrealloc(c->cells, c->room, sizeof *c->cells);
        }
        c->cells[c->n++] = (struct report_cell){.number = NAN};
    }
    c->cells[row] = cell;
}

void report_number(struct report_table *t, const char *column, double value)
{
    if (!isnan(value))
        put_cell(column_of(t, column), t->nrows - 1,
                 (struct report_cell){.number = value});
}

void report_word(struct report_table *t, const char *column, const char *word)
{
    if (!word || !*word)
        return;
    struct report_column *c = column_of(t, column);
    uint32_t index = word_index(t, word);
    c->words = true;
    put_cell(c, t->nrows - 1, (struct report_cell){NAN, index});
}

void report_exact(struct report_table *t, const char *column)
{
    column_of(t, column)->exact = true;
}

/* --- printing ------------------------------------------------------------- */

static void print_string(FILE *to, const char *text)
{
    struct json *s = json_new_string(text);
    char *quoted = json_text(s);

    quoted[strcspn(quoted, "\n")] = '\0';
    fputs(quoted, to);
    free(quoted);
    json_free(s);
}

/* Returns whether all rows have the same value. */
static bool is_same(const struct report_table *t, const struct report_column *c)
{
    if (c->n < t->nrows)
        return false;
    for (size_t i = 0; i < c->n; i++)
        if (c->cells[i].word != c->cells[0].word ||
            (!c->cells[0].word && c->cells[i].number != c->cells[0].number))
            return false; /* NAN differs from itself, too */
    return true;
}

/* Prints the words of a column in order of first appearance; `of` is their
 * places, from 1. */
static void print_words(const struct report_table *t,
                        const struct report_column *c, FILE *to)
{
    uint32_t *of = xcalloc(t->nwords + (size_t)1, sizeof *of);
    uint32_t n = 0;

    fputs(",\"words\":[", to);
    for (size_t i = 0; i < c->n; i++)
        if (c->cells[i].word && !of[c->cells[i].word]) {
            of[c->cells[i].word] = ++n;
            fputs(n > 1 ? "," : "", to);
            print_string(to, t->words[c->cells[i].word]);
        }
    if (is_same(t, c)) {
        fputs("],\"of\":0", to);
        free(of);
        return;
    }
    fputs("],\"of\":[", to);
    for (size_t i = 0; i < t->nrows; i++) {
        uint32_t word = i < c->n ? c->cells[i].word : 0;
        fprintf(to, "%s%d", i ? "," : "", word ? (int)of[word] - 1 : -1);
    }
    fputs("]", to);
    free(of);
}

static int digits_of(double x)
{
    char text[40];

    snprintf(text, sizeof text, "%.15g", x);
    return strtod(text, NULL) == x ? 15 : 17;
}

static void print_numbers(const struct report_table *t,
                          const struct report_column *c, FILE *to)
{
    if (is_same(t, c)) {
        fprintf(to, ",\"values\":%.*g",
                c->exact ? digits_of(c->cells[0].number) : 9,
                c->cells[0].number);
        return;
    }
    fputs(",\"values\":[", to);
    for (size_t i = 0; i < t->nrows; i++) {
        double x = i < c->n ? c->cells[i].number : NAN;
        if (isfinite(x))
            fprintf(to, "%s%.*g", i ? "," : "", c->exact ? digits_of(x) : 9, x);
        else
            fputs(i ? ",null" : "null", to);
    }
    fputs("]", to);
}

/* Turns the numbers of a column into words, because it has words too. */
static void numbers_to_words(struct report_table *t, struct report_column *c)
{
    for (size_t i = 0; i < c->n; i++) {
        char text[40];
        if (isnan(c->cells[i].number))
            continue;
        snprintf(text, sizeof text, "%.*g",
                 c->exact ? digits_of(c->cells[i].number) : 9,
                 c->cells[i].number);
        c->cells[i] = (struct report_cell){NAN, word_index(t, text)};
    }
}

void report_table_print(struct report_table *t, FILE *to)
{
    fputs("[", to);
    for (size_t i = 0; i < t->ncolumns; i++) {
        struct report_column *c = &t->columns[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", to);
        print_string(to, c->name);
        if (c->words) {
            numbers_to_words(t, c);
            print_words(t, c, to);
        } else {
            print_numbers(t, c, to);
        }
        fputs("}", to);
    }
    fputs("]", to);
}

void report_table_clear(struct report_table *t)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        free(t->columns[i].name);
        free(t->columns[i].cells);
    }
    for (uint32_t i = 1; i <= t->nwords; i++)
        free(t->words[i]);
    free(t->columns);
    free(t->words);
    free(t->slots);
    *t = (struct report_table){0};
}
