/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a benchmark, cell by cell: a table that is printed while it
 * runs, or the rows of a JSON document. */
#include "cli/bench.h"

#include "cli/document.h"

#include <stdarg.h>
#include <stdio.h>

void bench_begin_json(struct bench *b, const char *kind)
{
    b->doc = document_new("bench");
    b->rows = json_new_array();
    json_add_string(b->doc, "kind", kind);
    if (b->m)
        json_add_string(b->doc, "platform", b->m->name);
    json_add_number(b->doc, "limit_s", b->limit_s);
}

void bench_print_json(struct bench *b)
{
    bool any = json_at(b->rows, 0) != NULL;

    json_add(b->doc, "rows", b->rows);
    if (any)
        document_print(b->doc);
    else
        json_free(b->doc);
}

void bench_text(const struct bench *b, const char *fmt, ...)
{
    va_list args;

    if (b->doc)
        return;
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    fflush(stdout);
}

void bench_row(struct bench *b, const struct exec_options *o)
{
    if (!b->doc)
        return;
    b->row = json_new_object();
    json_append(b->rows, b->row);
    if (!o)
        return;
    json_add_string(b->row, "engine", engine_kind_names[exec_engine(o)]);
    if (o->accuracy >= 0)
        json_add_number(b->row, "accuracy", o->accuracy);
}

void bench_json_number(struct bench *b, const char *key, double value)
{
    if (b->doc)
        json_add_number(b->row, key, value);
}

void bench_json_words(struct bench *b, const char *key, const char *words)
{
    if (b->doc)
        json_add_string(b->row, key, words);
}

void bench_json_workload(struct bench *b, const char *words)
{
    if (b->doc)
        document_add_workload(b->row, words);
}

void bench_scaled(struct bench *b, const char *key, const char *fmt,
                  double value, double unit)
{
    bench_json_number(b, key, value);
    bench_text(b, fmt, value / unit);
}

void bench_number(struct bench *b, const char *key, const char *fmt,
                  double value)
{
    bench_scaled(b, key, fmt, value, 1);
}

void bench_words(struct bench *b, const char *key, const char *fmt,
                 const char *words)
{
    bench_json_words(b, key, words);
    bench_text(b, fmt, words);
}

const char *bench_why(int code)
{
    return code == 2 ? "over the limit" : "failed";
}

bool bench_ended(struct bench *b, int code)
{
    if (code)
        bench_words(b, "error", "%s", bench_why(code));
    bench_text(b, "\n");
    return code == 1;
}
