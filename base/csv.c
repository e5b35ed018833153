/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads CSV tables through libcsv, and returns their cells as text, numbers and
 * counts, with errors that name file and line. */
#include "base/csv.h"

#include "base/datafile.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/unxz.h"

#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void csv_clear(struct csv *t)
{
    for (size_t i = 0; i < t->ncols; i++)
        free(t->names[i]);
    for (size_t i = 0; i < t->nrows * t->ncols; i++)
        free(t->cells[i]);
    for (size_t i = 0; i < t->ncomments; i++)
        free(t->comments[i]);
    free(t->names);
    free(t->cells);
    free(t->comments);
    free(t->lines);
    free(t->path);
    memset(t, 0, sizeof *t);
}

/* The fields of one line, as libcsv finds them. */
struct fields {
    char **texts;
    size_t n, room;
};

static void on_field(void *text, size_t len, void *arg)
{
    struct fields *f = arg;

    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 32;
        f->texts = xrealloc(f->texts, f->room, sizeof *f->texts);
    }
    char *copy = xmalloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = 0;
    f->texts[f->n++] = copy;
}

static void on_row(int end, void *arg)
{
    (void)end;
    (void)arg;
}

static int csv_split(struct fields *f, const char *line, size_t len,
                     struct err *err)
{
    struct csv_parser parser;

    f->n = 0;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
        return fail_work(err, "libcsv does not start");
    size_t got = csv_parse(&parser, line, len, on_field, on_row, f);
    int bad = got != len || csv_fini(&parser, on_field, on_row, f);
    int why = csv_error(&parser);
    csv_free(&parser);
    if (bad)
        return fail(err, "malformed: %s", csv_strerror(why));
    return 0;
}

static void drop(struct fields *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->texts[i]);
    f->n = 0;
}

static void add_comment(struct csv *t, const char *text)
{
    t->comments = xrealloc(t->comments, t->ncomments + 1, sizeof *t->comments);
    t->comments[t->ncomments++] = xstrdup(text);
}

static int add_names(struct csv *t, struct fields *f, struct err *err)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(f->texts[i], f->texts[k]))
                return fail(err, "two columns named %s", f->texts[i]);
    t->ncols = f->n;
    t->names = xcalloc(f->n, sizeof *t->names);
    memcpy(t->names, f->texts, f->n * sizeof *t->names);
    f->n = 0; /* the table owns them now */
    return 0;
}

static int add_row(struct csv *t, struct fields *f, unsigned line, size_t *room,
                   struct err *err)
{
    if (f->n != t->ncols)
        return fail(err, "expected %zu fields, got %zu", t->ncols, f->n);
    if (t->nrows == *room) {
        *room = *room ? 2 * *room : 256;
        t->cells = xrealloc(t->cells, *room * t->ncols, sizeof *t->cells);
        t->lines = xrealloc(t->lines, *room, sizeof *t->lines);
    }
    memcpy(&t->cells[t->nrows * t->ncols], f->texts, f->n * sizeof *t->cells);
    t->lines[t->nrows++] = line;
    f->n = 0;
    return 0;
}

/* Refuses control characters, because cells become names and comments are
 * shown; tabs count as blanks. */
static int check_line(const char *line, size_t len, struct err *err)
{
    if (strlen(line) != len)
        return fail(err, "a 0 byte: this is no text");
    const char *bad = printable_fault(line);
    while (bad && *bad == '\t')
        bad = printable_fault(bad + 1);
    return bad ? printable_check(bad, "this line", err) : 0;
}

/* No line of a table is longer; the limit is needed because a device may never
 * end one. */
enum { CSV_LINE_B = 1 << 20 };

/* Reads a line. Returns its length with its newline, 0 at the end, or -1. */
static ssize_t csv_line(char *line, FILE *in, struct err *err)
{
    ssize_t n = 0;

    for (int c; n < CSV_LINE_B && (c = getc_unlocked(in)) != EOF;) {
        line[n++] = (char)c;
        if (c == '\n')
            break;
    }
    if (n == CSV_LINE_B && line[n - 1] != '\n')
        return fail(err, "the line is longer than %d bytes", CSV_LINE_B);
    line[n] = 0;
    return n;
}

static int csv_read_error(const struct csv *t, struct err *err)
{
    if (errno == EISDIR)
        return fail(err, "%s: cannot be read: %s", t->path, strerror(errno));
    return fail_work(err, "%s: %s", t->path, strerror(errno));
}

static int read_lines(struct csv *t, FILE *in, struct err *err)
{
    struct fields fields = {0};
    char *buffer = xmalloc(CSV_LINE_B + 1);
    size_t row_room = 0;
    unsigned number = 0;
    int result = 0;

    for (ssize_t len; result == 0 && (len = csv_line(buffer, in, err)) != 0;) {
        char *line = buffer;
        if (!number++ && skip_byte_order_mark(line) > line) {
            line += skip_byte_order_mark(line) - line;
            len -= len < 0 ? 0 : line - buffer;
        }
        while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
            line[--len] = 0;
        if (len == 0)
            continue;
        result = len < 0 ? -1 : check_line(line, (size_t)len, err);
        if (result < 0) {
            result = fail_in(err, "%s:%u", t->path, number);
            break;
        }
        if (line[0] == '#') {
            add_comment(t, line + 1);
            continue;
        }
        result = csv_split(&fields, line, (size_t)len, err);
        if (result == 0 && fields.n > 0) /* otherwise it has only blanks */
            result = t->ncols ? add_row(t, &fields, number, &row_room, err)
                              : add_names(t, &fields, err);
        if (result < 0)
            result = fail_in(err, "%s:%u", t->path, number);
        drop(&fields);
    }
    if (result == 0 && ferror(in))
        result = csv_read_error(t, err);
    free(fields.texts);
    free(buffer);
    return result;
}

int csv_load(struct csv *t, const char *path, struct err *err)
{
    memset(t, 0, sizeof *t);
    FILE *in = fopen(path, "r");
    if (!in)
        return fail(err, "%s: cannot be read: %s", path, strerror(errno));
    in = unxz(in, err);
    if (!in)
        return fail_in(err, "%s", path);
    t->path = xstrdup(path);
    int result = read_lines(t, in, err);
    fclose(in);
    if (result == 0 && t->nrows == 0)
        result = fail(err, "%s: no rows", path);
    if (result < 0)
        csv_clear(t);
    return result;
}

/* Returns whether a spreadsheet would compute the text. */
static bool is_formula(const char *text)
{
    double x;

    return *text && strchr("=+-@\t\r", *text) && text[1] &&
           !number_real(text, &x);
}

void csv_print_text(FILE *to, const char *text)
{
    fputs(is_formula(text) ? "\"'" : "\"", to);
    for (; *text; text++)
        fprintf(to, *text == '"' ? "\"\"" : "%c", *text);
    putc('"', to);
}

void csv_print_cell(FILE *to, const char *text)
{
    if (text[strcspn(text, ",\"\n#")] || is_formula(text))
        csv_print_text(to, text);
    else
        fputs(text, to);
}

void csv_print_number(double v)
{
    if (isnan(v))
        putchar(',');
    else
        printf(v == floor(v) ? ",%.15g" : ",%.9g", v);
}

void csv_origin(const struct csv *t, char *buf, size_t size)
{
    static const char begin[] = " source: ", commit[] = " commit ";
    const char *text = NULL;

    for (size_t i = 0; i < t->ncomments && !text; i++)
        if (!strncmp(t->comments[i], begin, sizeof begin - 1))
            text = t->comments[i] + sizeof begin - 1;
    snprintf(buf, size, "%s", text ? text : "");
    const char *hash = text ? strstr(text, commit) : NULL;
    if (!hash)
        return;
    hash += sizeof commit - 1;
    const char *name = text, *end = text + strcspn(text, " ");
    for (const char *c = text; c < end; c++)
        if (*c == '/')
            name = c + 1;
    snprintf(buf, size, "%.*s %.*s", (int)(end - name), name,
             (int)strcspn(hash, " ,;"), hash);
}

int csv_column(const struct csv *t, const char *name)
{
    for (size_t i = 0; i < t->ncols; i++)
        if (!strcmp(t->names[i], name))
            return (int)i;
    return -1;
}

const char *csv_text(const struct csv *t, size_t row, const char *name)
{
    int col = csv_column(t, name);

    return col < 0 ? NULL : t->cells[row * t->ncols + (size_t)col];
}

int csv_number(const struct csv *t, size_t row, const char *name, double *out,
               struct err *err)
{
    const char *text = csv_text(t, row, name);

    if (!text)
        return fail(err, "%s: no column named %s", t->path, name);
    if (!number_real(text, out))
        return fail(err, "%s:%u: %s: expected a number, got '%s'", t->path,
                    t->lines[row], name, text);
    return 0;
}

int csv_count(const struct csv *t, size_t row, const char *name, uint64_t *out,
              struct err *err)
{
    const char *text = csv_text(t, row, name);
    double any;
    uint64_t v;

    if (csv_number(t, row, name, &any, err) < 0)
        return -1;
    if (!number_count(text, &v) || v >= NUMBER_EXACT_END)
        return fail(err, "%s:%u: %s: expected a whole number, got '%s'",
                    t->path, t->lines[row], name, text);
    *out = v;
    return 0;
}

int csv_below(const struct csv *t, size_t row, const char *name, uint32_t most,
              uint32_t *out, struct err *err)
{
    uint64_t v;

    if (csv_count(t, row, name, &v, err) < 0)
        return -1;
    if (v >= most)
        return fail(err, "%s:%u: %s: %llu is too large", t->path, t->lines[row],
                    name, (unsigned long long)v);
    *out = (uint32_t)v;
    return 0;
}

int csv_load_data(struct csv *t, const char *name, struct err *err)
{
    char *path = datafile_find(name, err);
    int result = path ? csv_load(t, path, err) : -1;

    free(path);
    return result;
}
