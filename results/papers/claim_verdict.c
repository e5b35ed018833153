/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the parts of a verdict on a claim and their text. */
#include "results/papers/claim_lab.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void claim_verdict_add(char **text, const char *fmt, va_list args)
    PRINTF_LIKE(2, 0);
static void line(struct verdict *v, const char *head, const char *fmt,
                 va_list args) PRINTF_LIKE(3, 0);

static void claim_verdict_add(char **text, const char *fmt, va_list args)
{
    char *more;

    if (vasprintf(&more, fmt, args) < 0)
        abort();
    char *all = xasprintf("%s%s", *text ? *text : "", more);
    free(more);
    free(*text);
    *text = all;
}

void text_add(char **text, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    claim_verdict_add(text, fmt, args);
    va_end(args);
}

static void line(struct verdict *v, const char *head, const char *fmt,
                 va_list args)
{
    text_add(&v->text, "%s%s", v->text ? "\n" : "", head);
    claim_verdict_add(&v->text, fmt, args);
}

void verdict_part(struct verdict *v, bool holds, const char *fmt, ...)
{
    va_list args;

    v->parts++;
    v->held += holds;
    char *head = xasprintf("%s (%s): ", holds ? "holds" : "fails",
                           evidence_names[v->from]);
    va_start(args, fmt);
    line(v, head, fmt, args);
    va_end(args);
    free(head);
}

void verdict_note(struct verdict *v, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    line(v, "", fmt, args);
    va_end(args);
}

void verdict_open(struct verdict *v, const char *fmt, ...)
{
    va_list args;

    v->parts++;
    v->open++;
    va_start(args, fmt);
    line(v, "open: ", fmt, args);
    va_end(args);
}

void verdict_not_run(struct verdict *v, const char *fmt, ...)
{
    va_list args;

    v->parts++;
    v->open++;
    v->not_run++;
    va_start(args, fmt);
    line(v, "not run: ", fmt, args);
    va_end(args);
}
