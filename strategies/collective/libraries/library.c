/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of libraries, and what their rules come to. */
#include "strategies/collective/libraries/library.h"

#include "base/opts.h"

#include <stdio.h>
#include <string.h>

#define LIBRARY(x) &x##_library,
const struct collective_library *const libraries[] = {
#include "strategies/collective/libraries/list.def"
};
#undef LIBRARY
enum { NLIBRARIES = sizeof libraries / sizeof libraries[0] };
const size_t nlibraries = NLIBRARIES;

const struct collective_library *library_find(const char *name, struct err *err)
{
    const char *names[NLIBRARIES];
    char known[256] = "";

    for (size_t i = 0; i < nlibraries; i++) {
        size_t used = strlen(known);
        names[i] = libraries[i]->name;
        if (!strcmp(name, names[i]))
            return libraries[i];
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                 names[i]);
    }
    const char *near = nearest_word(name, names, nlibraries);
    return fail_null(err, "%s: unknown library%s%s%s (known: %s)", name,
                     near ? ", did you mean " : "", near ? near : "",
                     near ? "?" : "", known);
}

const struct collective_library *library_of(const struct machine *m,
                                            enum collective_memory memory)
{
    bool on_gpus = memory == COLLECTIVE_DEVICE && m->nccl.channels > 0;

    for (size_t i = 0; i < nlibraries; i++)
        if (on_gpus ? libraries[i]->of_gpus
                    : m->mpi && opt_in_list(libraries[i]->mpis, m->mpi))
            return libraries[i];
    return libraries[0];
}

/* --- rules ---------------------------------------------------------------- */

static uint32_t power_up_to(uint32_t ranks)
{
    uint32_t power = 1;

    while (power <= ranks / 2)
        power *= 2;
    return power;
}

static bool rule_holds(const struct library_rule *r, const struct collective *c,
                       uint64_t bytes)
{
    uint32_t ranks = collective_ranks(c), power = power_up_to(ranks);
    uint64_t elements = c->bytes / (c->element_B ? c->element_B : 1);

    return r->kind == c->kind && (!r->ranks_below || ranks < r->ranks_below) &&
           (!r->power || ranks == power) &&
           (!r->bytes_below || bytes < r->bytes_below) &&
           (!r->few || elements < power);
}

static const char *library_rule_of(const struct collective_library *l,
                                   const struct collective *c)
{
    bool by_block = l->by_block & 1u << c->kind;
    uint64_t bytes = c->bytes / (by_block ? collective_ranks(c) : 1);

    for (size_t i = 0; i < l->nrules; i++)
        if (rule_holds(&l->rules[i], c, bytes))
            return l->rules[i].algorithm;
    return NULL;
}

static const char *library_our_name(const struct collective_library *l,
                                    enum collective_kind kind,
                                    const char *theirs)
{
    for (size_t i = 0; i < l->nnames; i++)
        if (l->names[i].kind == kind && !strcmp(l->names[i].theirs, theirs))
            return l->names[i].ours;
    return theirs;
}

struct library_choice library_choose(const struct collective_library *l,
                                     const struct machine *m,
                                     const struct collective *c)
{
    struct library_choice choice = {
        l->choose ? l->choose(m, c) : library_rule_of(l, c), NULL};

    if (!choice.theirs)
        return choice;
    const char *ours = library_our_name(l, c->kind, choice.theirs);
    for (size_t i = 0; i < ncollectives; i++)
        if (collectives[i]->kind == c->kind &&
            !strcmp(collectives[i]->name, ours))
            choice.ours = collectives[i];
    return choice;
}
