/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the halo-like phases of a trace that strategies exchange, as text and
 * JSON. */
#include "cli/print_phases.h"

#include <stdio.h>

static bool phases_sought(const struct job *j)
{
    for (size_t i = 0; i < j->nchoices; i++)
        if (j->workload->trace && j->choices[i].strategy)
            return true;
    return false;
}

static size_t phases_batches(const struct trace_phases *p)
{
    size_t n = 0;

    for (int why = 0; why < NNO_PHASE; why++)
        n += p->left[why];
    return n;
}

/* Prints the batches that are in no phase, by reason. */
static void print_left(const struct trace_phases *p)
{
    const char *before = ": ";
    size_t n = phases_batches(p) - p->left[IN_PHASE];

    if (!phases_batches(p) && p->messages)
        printf("as given: no rank begins sends or receives without blocking "
               "and waits for all before it meets others\n");
    if (!n)
        return;
    printf("as given: %zu of %zu batches of sends and receives", n,
           phases_batches(p));
    for (int why = IN_PHASE + 1; why < NNO_PHASE; why++)
        if (p->left[why]) {
            printf("%s%zu, %s", before, p->left[why], no_phase_names[why]);
            before = "; ";
        }
    printf("\n");
}

void print_trace_phases(const struct job *j)
{
    const struct trace_phases *p = &j->phases;

    if (!phases_sought(j))
        return;
    printf("phases: %u halo-like, with %llu of the %llu messages and %.1f of "
           "the %.1f kB that ranks send each other\n",
           p->n, (unsigned long long)p->in_messages,
           (unsigned long long)p->messages, (double)p->in_bytes / 1e3,
           (double)p->bytes / 1e3);
    print_left(p);
}

void add_trace_phases(struct json *doc, const struct job *j)
{
    const struct trace_phases *p = &j->phases;

    if (!phases_sought(j))
        return;
    struct json *o = json_new_object(), *left = json_new_array();
    json_add_number(o, "phases", p->n);
    json_add_number(o, "messages", (double)p->in_messages);
    json_add_number(o, "bytes", (double)p->in_bytes);
    json_add_number(o, "all_messages", (double)p->messages);
    json_add_number(o, "all_bytes", (double)p->bytes);
    json_add_number(o, "batches", (double)phases_batches(p));
    for (int why = IN_PHASE + 1; why < NNO_PHASE; why++) {
        if (!p->left[why])
            continue;
        struct json *x = json_new_object();
        json_add_number(x, "batches", (double)p->left[why]);
        json_add_string(x, "why", no_phase_names[why]);
        json_append(left, x);
    }
    json_add(o, "as_given", left);
    json_add(doc, "halo_phases", o);
}
